"""Graphs without their faintest edges, for matchers that look for an alignment.

The mean of many graphs has edges nearly everywhere, most of them so faint that they hardly count. A search
that follows them takes several times as long and ends worse, in one of the many optima that they make.
"""

from typing import Any, NamedTuple

from graphquant.kernels._jit import kernel

# The most that is left out, as a share of the squared norm of all edges; edges are faint by the first of the
# shares of the strongest one that leaves out no more. Measured on four data sets.
FAINT_NORM = 0.05
FAINTEST = (0.2, 0.1, 0.05, 0.02)


class Thinned(NamedTuple):
    """One graph, with those fields of MatchGraphs that a search needs: it is graph 0."""

    node_ptr: Any  # (2,) int64
    group: Any  # (n,) int32
    adj_ptr: Any  # (n + 1,) int64
    adj_idx: Any  # (slots,) int32
    adj_vec: Any  # (slots, q) float64
    pair_weight: float


@kernel
def _sq_norm(G, k):
    """Squared norm of the edge vector in a slot."""
    total = 0.0
    for c in range(G.adj_vec.shape[1]):
        total += G.adj_vec[k, c] ** 2
    return total


@kernel
def faint_below(G, i):
    """Return the squared norm below which edges of graph i are faint; 0 if none are."""
    begin, end = G.adj_ptr[G.node_ptr[i]], G.adj_ptr[G.node_ptr[i + 1]]
    strongest, total = 0.0, 0.0
    for k in range(begin, end):
        squared = _sq_norm(G, k)
        strongest = max(strongest, squared)
        total += squared
    for share in FAINTEST:
        limit, left_out = share * share * strongest, 0.0
        for k in range(begin, end):
            squared = _sq_norm(G, k)
            if squared < limit:
                left_out += squared
        if 0.0 < left_out <= FAINT_NORM * total:
            return limit
    return 0.0


@kernel
def thin_out(G, i, limit, thinned):
    """OUT thinned: graph i without edges whose squared norm is below a limit."""
    x0 = G.node_ptr[i]
    n = G.node_ptr[i + 1] - x0
    slot = 0
    for r in range(n):
        thinned.group[r] = G.group[x0 + r]
        thinned.adj_ptr[r] = slot
        for k in range(G.adj_ptr[x0 + r], G.adj_ptr[x0 + r + 1]):
            if limit == 0.0 or _sq_norm(G, k) >= limit:
                thinned.adj_idx[slot] = G.adj_idx[k]
                for c in range(G.adj_vec.shape[1]):
                    thinned.adj_vec[slot, c] = G.adj_vec[k, c]
                slot += 1
    thinned.adj_ptr[n] = slot
    thinned.node_ptr[0], thinned.node_ptr[1] = 0, n
