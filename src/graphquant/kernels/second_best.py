"""The second-best alignment: how far the best one is from being replaced."""

import numpy as np

from graphquant.kernels._jit import addressed_entry, kernel
from graphquant.kernels.dual import ascend, set_up
from graphquant.kernels.exact import SMALL_NODES, SMALL_ORDER, fits_tables
from graphquant.kernels.graphs import mapping_gain, node_gains
from graphquant.kernels.pairs import ROUNDING, place_zero_nodes
from graphquant.kernels.search import (
    BEST,
    LEAF,
    SECOND,
    STOPPED,
    frontier,
    keep_if_better,
    run_search,
    start_search,
    start_small_search,
)

INF = np.inf


@kernel
def same_lift(X, i, ny, a, b, at, twin):
    """Whether two mappings of X place the same vectors on the same positions of Y.

    Zero nodes have no place of their own: nodes on them must be the same in both. WORK at (width,), twin
    (nx,): the node that b puts where a puts r.
    """
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    for r in range(nx):
        at[a[r]] = -1
    for r in range(nx):
        at[b[r]] = r
    for r in range(nx):
        twin[r] = at[a[r]] if a[r] < ny else (r if b[r] >= ny else -1)
        if twin[r] < 0:
            return False
    for r in range(nx):
        s = twin[r]
        if s == r:
            continue
        begin_r, begin_s = X.adj_ptr[x0 + r], X.adj_ptr[x0 + s]
        if X.adj_ptr[x0 + s + 1] - begin_s != X.adj_ptr[x0 + r + 1] - begin_r:
            return False
        for c in range(X.node_attr.shape[1]):
            if X.node_attr[x0 + r, c] != X.node_attr[x0 + s, c]:
                return False
    for r in range(nx):
        s = twin[r]
        for k in range(X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]):
            found = False
            for m in range(X.adj_ptr[x0 + s], X.adj_ptr[x0 + s + 1]):
                if X.adj_idx[m] == twin[X.adj_idx[k]]:
                    found = True
                    for c in range(X.adj_vec.shape[1]):
                        if X.adj_vec[k, c] != X.adj_vec[m, c]:
                            return False
            if not found:
                return False
    return True


@kernel
def _begin_small(G, i, j, width, labels, pair, dual, search, cost):
    """Prepare the search of a small pair; whether there is anything to search."""
    if start_small_search(G, i, j, width, labels, pair, dual, search) == INF:
        return False
    search.value[BEST], search.value[SECOND] = cost, INF
    return True


@kernel
def _find_second(G, i, j, width, labels, pair, dual, search, tolerance, max_nodes, is_small):
    """Search for the cheapest mapping of another lift than pair.best (cost in search.value[SECOND])."""
    ny = G.node_ptr[j + 1] - G.node_ptr[j]
    outcome = LEAF
    while outcome == LEAF:
        outcome = run_search(
            G, i, ny, width, labels, SECOND, pair, dual, search, tolerance, max_nodes, is_small
        )
        if outcome == LEAF:
            other = keep_if_better(G, i, j, pair, search, tolerance)
            if other < search.value[SECOND] and not same_lift(
                G, i, ny, pair.best, search.column, pair.owner, pair.candidate
            ):
                search.value[SECOND] = other
    return outcome


@addressed_entry
def second_best(
    G,  # IN   MatchGraphs
    i,  # IN   the graph whose lift counts; it becomes the rows, whatever its size
    j,  # IN
    mapping,  # IN   (nodes of i,) the best mapping: positions in j, or zero nodes
    max_iter,  # IN
    max_nodes,  # IN
    capacity,  # IN
    buffers,  # WORK
):
    """Squared distance that every mapping with another lift than the best one reaches at least.

    Exact if the search ends within ``max_nodes``, else a lower bound of it. Twin nodes of the first graph
    may be exchanged without changing the lift; those of the second may not.
    """
    pair, dual, search = buffers.pair, buffers.dual, buffers.search
    x0 = G.node_ptr[i]
    nx, ny = G.node_ptr[i + 1] - x0, G.node_ptr[j + 1] - G.node_ptr[j]
    scale = G.sq_norm[i] + G.sq_norm[j]
    width = place_zero_nodes(G, i, G, j, capacity, pair.group_of, False)
    labels = ny + 1 if width > ny else ny
    node_gains(G, i, G, j, pair.gain)
    for p in range(width):
        pair.owner[p] = -1
    for r in range(nx):
        column = mapping[r]
        if column >= ny:
            column = ny
            while pair.owner[column] >= 0 or pair.group_of[column] != G.group[x0 + r]:
                column += 1
        pair.best[r] = column
        pair.owner[column] = r
    cost = -mapping_gain(G, i, j, pair.gain, pair.best)
    second = cost
    if nx > 0 and fits_tables(G, i, j, dual):
        tolerance = ROUNDING * scale
        outcome = STOPPED
        if nx <= SMALL_ORDER and _begin_small(G, i, j, width, labels, pair, dual, search, cost):
            outcome = _find_second(G, i, j, width, labels, pair, dual, search, tolerance, SMALL_NODES, True)
        if outcome == STOPPED:
            for r in range(nx):
                pair.candidate[r] = pair.best[r]
            set_up(G, i, j, width, labels, pair.gain, pair.group_of, dual)
            ascend(G, i, j, width, labels, pair, dual, cost, tolerance, max_iter, 0.02)
            # The ascent may have met another mapping of the same cost; the lift asked for stays.
            for r in range(nx):
                pair.best[r] = pair.candidate[r]
            start_search(G, i, j, width, labels, pair, dual, search, cost, INF, True, False)
            _find_second(G, i, j, width, labels, pair, dual, search, tolerance, max_nodes, False)
        second = max(cost, min(search.value[SECOND], frontier(search)))
    return max(0.0, scale + 2.0 * second - 2.0 * ROUNDING * scale)


@addressed_entry
def no_second_best(G, i, j, mapping, max_iter, max_nodes, capacity, buffers):
    """Return 0, which is always right: in place of the above for matchers that prove nothing."""
    return 0.0
