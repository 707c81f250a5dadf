"""Code graphs that move: dense arrays to learn in, and the same graphs as matchers see them.

The dense form of code graph j has a vector for each of the n positions and for each ordered pair of them, in
the layout of an adjacency slot (``graphs.py``), so that the lift of a graph is written slot by slot. The
other form stands behind the training graphs in one MatchGraphs: matchers take both graphs of a pair from
there. Each code graph has room for n nodes; what it does not use belongs to an empty graph behind it that
nobody asks for.
"""

from typing import Any, NamedTuple

import numpy as np

from graphquant.kernels._jit import entry, kernel

# Edge attributes below this share of a graph's norm are zero: their squares do not change a sum in float64.
FAINT = 1e-17


class Codebook(NamedTuple):
    """Dense code graphs, and writable views of their place in the MatchGraphs."""

    nodes: Any  # (k, n, p)
    pairs: Any  # (k, n, n, q)
    stale: Any  # (k,) bool      whether the other form is behind
    whole: bool  # with node classes all positions are nodes, else zero nodes at the end are left out
    first: int  # number of training graphs: code graph j is graph first + 2 j
    node_ptr: Any
    node_attr: Any
    adj_ptr: Any
    adj_idx: Any
    adj_vec: Any
    adj_sorted: Any
    sq_norm: Any
    nonneg: Any
    pair_weight: float


@kernel
def code_graph(codes, j):
    """Return the number of code graph j in the MatchGraphs."""
    return codes.first + 2 * j


@kernel
def used_order(codes, j):
    """One more than the last position of code graph j that is not zero."""
    n = codes.nodes.shape[1]
    if codes.whole:
        return n
    for p in range(n - 1, -1, -1):
        for c in range(codes.nodes.shape[2]):
            if codes.nodes[j, p, c] != 0.0:
                return p + 1
        for s in range(n):
            for c in range(codes.pairs.shape[3]):
                if codes.pairs[j, p, s, c] != 0.0:
                    return p + 1
    return 0


@kernel
def _sort_channels(codes, begin, end):
    """OUT adj_sorted of the slots of one node: each channel descending."""
    for c in range(codes.adj_vec.shape[1]):
        for k in range(begin, end):
            value = codes.adj_vec[k, c]
            at = k
            while at > begin and codes.adj_sorted[at - 1, c] < value:
                codes.adj_sorted[at, c] = codes.adj_sorted[at - 1, c]
                at -= 1
            codes.adj_sorted[at, c] = value


@kernel
def refresh(codes, j):
    """Bring the form that matchers see up to date with the dense one."""
    if not codes.stale[j]:
        return
    codes.stale[j] = False
    n, p_dim, q_dim = codes.nodes.shape[1], codes.nodes.shape[2], codes.pairs.shape[3]
    graph = code_graph(codes, j)
    y0 = codes.node_ptr[graph]
    order = used_order(codes, j)
    codes.node_ptr[graph + 1] = y0 + order
    nodes, pairs, nonneg = 0.0, 0.0, True
    slot = codes.adj_ptr[y0]
    for p in range(order):
        for c in range(p_dim):
            value = codes.nodes[j, p, c]
            codes.node_attr[y0 + p, c] = value
            nodes += value**2
            nonneg &= value >= 0.0
        codes.adj_ptr[y0 + p] = slot
        for s in range(order):
            if s == p:
                # Of a complete graph, this slot would be the first one of the next code graph.
                continue
            present = False
            for c in range(q_dim):
                value = codes.pairs[j, p, s, c]
                codes.adj_vec[slot, c] = value
                present |= value != 0.0
                pairs += value**2
                nonneg &= value >= 0.0
            if present:
                codes.adj_idx[slot] = s
                slot += 1
        _sort_channels(codes, codes.adj_ptr[y0 + p], slot)
    # The empty graph behind starts here; its nodes reach up to the room of the next code graph.
    for p in range(order, n + 1):
        codes.adj_ptr[y0 + p] = slot
    codes.sq_norm[graph] = nodes + 0.5 * codes.pair_weight * pairs
    codes.nonneg[graph] = nonneg


@entry
def refresh_all(codes):
    """Bring all code graphs up to date, before several threads look at them."""
    for j in range(codes.nodes.shape[0]):
        refresh(codes, j)


@entry
def used_orders(codes, out):
    """OUT out[j] = order of code graph j."""
    for j in range(codes.nodes.shape[0]):
        out[j] = used_order(codes, j)


@kernel
def move_code(G, i, codes, j, mapping, eta):
    """Move y to y + eta (x_a - y), where mapping places the nodes of graph i; returns |y|^2 afterwards."""
    faint = FAINT * np.sqrt(G.sq_norm[i])
    n, p_dim, q_dim = codes.nodes.shape[1], codes.nodes.shape[2], codes.pairs.shape[3]
    x0 = G.node_ptr[i]
    keep = 1.0 - eta
    for p in range(n):
        for c in range(p_dim):
            codes.nodes[j, p, c] *= keep
        for s in range(n):
            for c in range(q_dim):
                value = keep * codes.pairs[j, p, s, c]
                # An edge that no graph has had for long ends as none, not as a number that nothing can see.
                codes.pairs[j, p, s, c] = value if abs(value) > faint else 0.0
    for r in range(G.node_ptr[i + 1] - x0):
        p = mapping[r]
        for c in range(p_dim):
            codes.nodes[j, p, c] += eta * G.node_attr[x0 + r, c]
        for k in range(G.adj_ptr[x0 + r], G.adj_ptr[x0 + r + 1]):
            s = mapping[G.adj_idx[k]]
            for c in range(q_dim):
                codes.pairs[j, p, s, c] += eta * G.adj_vec[k, c]
    codes.stale[j] = True
    return squared_norm(codes, j)


@kernel
def squared_norm(codes, j):
    """|y|^2 of the dense form."""
    nodes, pairs = 0.0, 0.0
    for p in range(codes.nodes.shape[1]):
        for c in range(codes.nodes.shape[2]):
            nodes += codes.nodes[j, p, c] ** 2
        for s in range(codes.nodes.shape[1]):
            for c in range(codes.pairs.shape[3]):
                pairs += codes.pairs[j, p, s, c] ** 2
    return nodes + 0.5 * codes.pair_weight * pairs


@kernel
def lifted_sq_distance(G, i, codes, j, code_sq_norm, mapping):
    """|x_a - y|^2 in the number of nodes and edges of x: |y|^2 + |x|^2 - 2 <x_a, y>.

    Its rounding error is below 1e-14 of the squared norms, far inside the margin of every comparison.
    """
    x0 = G.node_ptr[i]
    nodes, pairs = 0.0, 0.0
    for r in range(G.node_ptr[i + 1] - x0):
        p = mapping[r]
        for c in range(codes.nodes.shape[2]):
            nodes += G.node_attr[x0 + r, c] * codes.nodes[j, p, c]
        for k in range(G.adj_ptr[x0 + r], G.adj_ptr[x0 + r + 1]):
            s = mapping[G.adj_idx[k]]
            for c in range(codes.pairs.shape[3]):
                pairs += G.adj_vec[k, c] * codes.pairs[j, p, s, c]
    product = nodes + 0.5 * codes.pair_weight * pairs
    return max(0.0, code_sq_norm + G.sq_norm[i] - 2.0 * product)
