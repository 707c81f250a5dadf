"""Code graphs that move: dense arrays to learn in, and the same graphs as matchers see them.

The dense form of code graph j has a vector for each of the n positions and for each ordered pair of them, in
the layout of an adjacency slot (``graphs.py``), so that the lift of a graph is written slot by slot. The
other form stands behind the windows (``window.py``) in one MatchGraphs: matchers take both graphs of a pair
from there. Each has room for n nodes; what it does not use belongs to an empty graph behind it that nobody
asks for.
"""

from typing import Any, NamedTuple

import numpy as np

from graphquant.kernels._jit import entry, kernel, summing
from graphquant.kernels.graphs import MatchGraphs, sort_channels

# Edge attributes below this share of a graph's norm are zero: their squares do not change a sum in float64.
FAINT = 1e-17


class Codebook(NamedTuple):
    """Dense code graphs, and the MatchGraphs in which they stand."""

    nodes: Any  # (k, n, p)
    pairs: Any  # (k, n, n, q)
    flat_nodes: Any  # (k, n p)    the same array
    flat_pairs: Any  # (k, n n q)  the same array
    order: Any  # (k,) int64     one more than the last position that is not zero; with classes all are in use
    stale: Any  # (k,) bool      whether the other form is behind
    whole: bool  # with node classes all positions are nodes, else zero nodes at the end are left out
    first: int  # code graph j is graph first + 2 j
    G: MatchGraphs  # writable


@kernel
def code_graph(codes, j):
    """Return the number of code graph j in the MatchGraphs."""
    return codes.first + 2 * j


@kernel
def _used_order(codes, j, at_most):
    """One more than the last position of code graph j that is not zero, if ``at_most`` is no less."""
    if codes.whole:
        return codes.nodes.shape[1]
    for p in range(at_most - 1, -1, -1):
        for c in range(codes.nodes.shape[2]):
            if codes.nodes[j, p, c] != 0.0:
                return p + 1
        for s in range(at_most):
            for c in range(codes.pairs.shape[3]):
                if codes.pairs[j, p, s, c] != 0.0:
                    return p + 1
    return 0


@kernel
def measure_order(codes, j):
    """OUT codes.order[j], after code graph j was written from outside."""
    codes.order[j] = _used_order(codes, j, codes.nodes.shape[1])


@kernel
def pair_rows(codes, order):
    """Return (n, length, step): pairs of the first positions are n rows of flat_pairs, ``step`` apart.

    Where that is most of them, it is all of them in one row: long rows are quicker. One graph that is much
    larger than the others makes room for many positions, and most code graphs do not use it.
    """
    room, q_dim = codes.nodes.shape[1], codes.pairs.shape[3]
    if 2 * order > room:
        return 1, codes.flat_pairs.shape[1], codes.flat_pairs.shape[1]
    return order, order * q_dim, room * q_dim


@kernel
def refresh(codes, j):
    """Bring the form that matchers see up to date with the dense one."""
    if not codes.stale[j]:
        return
    codes.stale[j] = False
    G, n, p_dim, q_dim = codes.G, codes.nodes.shape[1], codes.nodes.shape[2], codes.pairs.shape[3]
    graph = code_graph(codes, j)
    y0 = G.node_ptr[graph]
    order = codes.order[j]
    G.node_ptr[graph + 1] = y0 + order
    nodes, pairs, nonneg = 0.0, 0.0, True
    slot = G.adj_ptr[y0]
    for p in range(order):
        for c in range(p_dim):
            value = codes.nodes[j, p, c]
            G.node_attr[y0 + p, c] = value
            nodes += value**2
            nonneg &= value >= 0.0
        G.adj_ptr[y0 + p] = slot
        for s in range(order):
            if s == p:
                # Of a complete graph, this slot would be the first one of the next code graph.
                continue
            present = False
            for c in range(q_dim):
                value = codes.pairs[j, p, s, c]
                G.adj_vec[slot, c] = value
                present |= value != 0.0
                pairs += value**2
                nonneg &= value >= 0.0
            if present:
                G.adj_idx[slot] = s
                slot += 1
        sort_channels(G, G.adj_ptr[y0 + p], slot)
    # The empty graph behind starts here; its nodes reach up to the room of the next code graph.
    for p in range(order, n + 1):
        G.adj_ptr[y0 + p] = slot
    G.sq_norm[graph] = nodes + 0.5 * G.pair_weight * pairs
    G.nonneg[graph] = nonneg


@entry
def refresh_all(codes):
    """Bring all code graphs up to date, before several threads look at them."""
    for j in range(codes.nodes.shape[0]):
        refresh(codes, j)


@entry
def measure_orders(codes):
    """OUT codes.order, after code graphs were written from outside."""
    for j in range(codes.nodes.shape[0]):
        measure_order(codes, j)


@kernel
def move_code(X, i, sq_norm, codes, j, mapping, eta):
    """Move y to y + eta (x_a - y), where mapping places the nodes of graph i; returns |y|^2 afterwards."""
    faint = FAINT * np.sqrt(sq_norm)
    x0 = X.node_ptr[i]
    keep = 1.0 - eta
    for c in range(codes.flat_nodes.shape[1]):
        codes.flat_nodes[j, c] *= keep
    n_rows, length, step = pair_rows(codes, codes.order[j])
    for row in range(n_rows):
        for c in range(row * step, row * step + length):
            value = keep * codes.flat_pairs[j, c]
            # An edge that no graph has had for long ends as none, not as a number that nothing can see.
            codes.flat_pairs[j, c] = value if abs(value) > faint else 0.0
    order = codes.order[j]
    for r in range(X.node_ptr[i + 1] - x0):
        order = max(order, mapping[r] + 1)
        for c in range(codes.nodes.shape[2]):
            codes.nodes[j, mapping[r], c] += eta * X.node_attr[x0 + r, c]
    # A directed pair has the channels of the other direction behind its own.
    reverse = X.edge_attr.shape[1] if X.directed else 0
    for e in range(X.edge_ptr[i], X.edge_ptr[i + 1]):
        p, s = mapping[X.edges[e, 0]], mapping[X.edges[e, 1]]
        for c in range(X.edge_attr.shape[1]):
            change = eta * X.edge_attr[e, c]
            codes.pairs[j, p, s, c] += change
            codes.pairs[j, s, p, reverse + c] += change
    codes.order[j] = _used_order(codes, j, order)
    codes.stale[j] = True
    return squared_norm(codes, j)


@summing
def _sum_of_squares(values, j, n_rows, length, step):
    total = 0.0
    for row in range(n_rows):
        for c in range(row * step, row * step + length):
            total += values[j, c] ** 2
    return total


@kernel
def squared_norm(codes, j):
    """|y|^2 of the dense form."""
    n_rows, length, step = pair_rows(codes, codes.order[j])
    nodes = _sum_of_squares(codes.flat_nodes, j, 1, codes.flat_nodes.shape[1], 0)
    pairs = _sum_of_squares(codes.flat_pairs, j, n_rows, length, step)
    return nodes + 0.5 * codes.G.pair_weight * pairs


@kernel
def lifted_sq_distance(X, i, sq_norm, codes, j, code_sq_norm, mapping):
    """|x_a - y|^2 in the number of nodes and edges of x: |y|^2 + |x|^2 - 2 <x_a, y>.

    Its rounding error is below 1e-14 of the squared norms, far inside the margin of every comparison.
    """
    x0 = X.node_ptr[i]
    nodes, pairs = 0.0, 0.0
    for r in range(X.node_ptr[i + 1] - x0):
        for c in range(codes.nodes.shape[2]):
            nodes += X.node_attr[x0 + r, c] * codes.nodes[j, mapping[r], c]
    for e in range(X.edge_ptr[i], X.edge_ptr[i + 1]):
        p, s = mapping[X.edges[e, 0]], mapping[X.edges[e, 1]]
        for c in range(X.edge_attr.shape[1]):
            pairs += X.edge_attr[e, c] * codes.pairs[j, p, s, c]
    product = nodes + codes.G.pair_weight * pairs
    return max(0.0, code_sq_norm + sq_norm - 2.0 * product)
