"""Lower bounds without a matching, from the cheapest on; the star bound is in ``star.py``.

All are squared distances. Each part (nodes, edges) of a bound may be combined with the other part of
another, because the squared distance is the sum of both.
"""

from typing import Any, NamedTuple

import numpy as np

from graphquant.kernels._jit import entry, kernel
from graphquant.kernels.graphs import node_gains
from graphquant.kernels.lap import assign
from graphquant.kernels.pairs import ROUNDING, place_zero_nodes, star_assignment

NORMS, SORTED, SPECTRA, NODES, STAR = 0, 1, 2, 3, 4


class Summaries(NamedTuple):
    """What the cheap bounds need of each graph, made once."""

    node_norm: Any  # (n_graphs, p)  norm of each node channel
    edge_norm: Any  # (n_graphs, q)  norm of each edge channel over ordered pairs
    node_sorted: Any  # (n_nodes, p)  channel values of each graph's nodes, descending
    edge_sorted: Any  # (n_slots, q)  channel values of each graph's pairs, descending
    spectrum: Any  # (n_nodes, q)  singular values of each channel's matrix, descending; see below


@kernel
def _norm_part(a, i, b, j):
    """Squared differences of channel norms (the triangle inequality in each channel)."""
    total = 0.0
    for c in range(a.shape[1]):
        total += (a[i, c] - b[j, c]) ** 2
    return total


@kernel
def _sorted_part(a, a_begin, a_end, b, b_begin, b_end):
    """Squared distance of the channels, each sorted on its own and padded with zeros."""
    total = 0.0
    for c in range(a.shape[1]):
        k, m = a_begin, b_begin
        while (k < a_end and a[k, c] > 0.0) or (m < b_end and b[m, c] > 0.0):
            x = max(a[k, c], 0.0) if k < a_end else 0.0
            y = max(b[m, c], 0.0) if m < b_end else 0.0
            total += (x - y) ** 2
            k, m = k + 1, m + 1
        k, m = a_end - 1, b_end - 1
        while (k >= a_begin and a[k, c] < 0.0) or (m >= b_begin and b[m, c] < 0.0):
            x = min(a[k, c], 0.0) if k >= a_begin else 0.0
            y = min(b[m, c], 0.0) if m >= b_begin else 0.0
            total += (x - y) ** 2
            k, m = k - 1, m - 1
    return total


@kernel
def _node_assignment(X, i, Y, j, width, pair):
    """Squared distance of the node attributes alone, matched at their best."""
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - y0
    total = 0.0
    for c in range(X.node_attr.shape[1]):
        for r in range(nx):
            total += X.node_attr[x0 + r, c] ** 2
        for p in range(ny):
            total += Y.node_attr[y0 + p, c] ** 2
    for r in range(nx):
        for p in range(width):
            if p < ny:
                pair.cost[r, p] = -pair.gain[r, p]
            else:
                pair.cost[r, p] = 0.0 if pair.group_of[p] == X.group[x0 + r] else np.inf
    value = assign(pair.cost, nx, width, pair.trial, pair.lap)
    return max(0.0, total + 2.0 * value)


@kernel
def star_bound(X, i, Y, j, capacity, pair):
    """Star bound alone, squared and lowered by the rounding margin."""
    if X.node_ptr[i + 1] - X.node_ptr[i] > Y.node_ptr[j + 1] - Y.node_ptr[j]:
        X, i, Y, j = Y, j, X, i
    scale = X.sq_norm[i] + Y.sq_norm[j]
    node_gains(X, i, Y, j, pair.gain)
    width = place_zero_nodes(X, i, Y, j, capacity, pair.group_of)
    value = star_assignment(X, i, Y, j, width, pair)
    return max(0.0, scale + 2.0 * value - 2.0 * ROUNDING * scale)


@kernel
def cascade(X, A, i, Y, B, j, capacity, threshold_sq, last, pair):
    """Best of the bounds up to ``last``, in order of cost, stopping when one reaches ``threshold_sq``.

    X, Y are the graphs, A, B their summaries. Returns the squared bound, lowered by the rounding margin.
    """
    margin = 2.0 * ROUNDING * (X.sq_norm[i] + Y.sq_norm[j])
    nodes = _norm_part(A.node_norm, i, B.node_norm, j)
    edges = _norm_part(A.edge_norm, i, B.edge_norm, j)
    bound = nodes + edges - margin
    if bound >= threshold_sq or last == NORMS:
        return max(bound, 0.0)
    x0, x1, y0, y1 = X.node_ptr[i], X.node_ptr[i + 1], Y.node_ptr[j], Y.node_ptr[j + 1]
    nodes = max(nodes, _sorted_part(A.node_sorted, x0, x1, B.node_sorted, y0, y1))
    by_edges = _sorted_part(
        A.edge_sorted, X.adj_ptr[x0], X.adj_ptr[x1], B.edge_sorted, Y.adj_ptr[y0], Y.adj_ptr[y1]
    )
    edges = max(edges, 0.5 * X.pair_weight * by_edges)
    bound = nodes + edges - margin
    if bound >= threshold_sq or last == SORTED:
        return max(bound, 0.0)
    if A.spectrum.shape[0] > 0 and B.spectrum.shape[0] > 0:
        edges = max(edges, _sorted_part(A.spectrum, x0, x1, B.spectrum, y0, y1))
        bound = nodes + edges - margin
        if bound >= threshold_sq or last == SPECTRA:
            return max(bound, 0.0)
    if x1 - x0 > y1 - y0:
        X, i, Y, j = Y, j, X, i
    return _assignment_stages(X, i, Y, j, capacity, threshold_sq, last, nodes, edges, margin, pair)


@kernel
def _assignment_stages(X, i, Y, j, capacity, threshold_sq, last, nodes, edges, margin, pair):
    """Bound by the stages that solve an assignment problem, the smaller graph as rows."""
    width = place_zero_nodes(X, i, Y, j, capacity, pair.group_of)
    node_gains(X, i, Y, j, pair.gain)
    bound = max(nodes, _node_assignment(X, i, Y, j, width, pair)) + edges - margin
    if bound >= threshold_sq or last == NODES:
        return max(bound, 0.0)
    star = X.sq_norm[i] + Y.sq_norm[j] + 2.0 * star_assignment(X, i, Y, j, width, pair) - margin
    return max(bound, star, 0.0)


@entry
def cascade_pairs(X, A, Y, B, pairs, capacity, threshold_sq, last, pair, out):
    """OUT out[k] = squared bound of each pair."""
    for k in range(pairs.shape[0]):
        i, j = pairs[k]
        out[k] = cascade(X, A, i, Y, B, j, capacity, threshold_sq, last, pair)


@entry
def star_bound_pairs(G, pairs, capacity, pair, out):
    """OUT out[k] = squared star bound alone: the others seldom are above it, and take as long together."""
    for k in range(pairs.shape[0]):
        i, j = pairs[k]
        out[k] = star_bound(G, i, G, j, capacity, pair)
