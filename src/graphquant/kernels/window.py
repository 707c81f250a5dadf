"""The training graphs as their collection holds them, and windows through which matchers see them.

Matchers need sorted adjacency, which takes more memory than the graphs themselves. So only the graph at hand
has it: a window has room for one graph, in the same MatchGraphs as the code graphs, and each thread has a
window of its own. To fill it costs a small share of a bound.
"""

from typing import Any, NamedTuple

import numpy as np

from graphquant.kernels._jit import allocating_entry, kernel
from graphquant.kernels.graphs import sort_channels


class TrainingGraphs(NamedTuple):
    """The arrays of a collection, shared with it."""

    node_ptr: Any  # (n_graphs + 1,) int64
    node_attr: Any  # (n_nodes, p) float64
    group: Any  # (n_nodes,) int32  class of each node; empty without groups
    edge_ptr: Any  # (n_graphs + 1,) int64
    edges: Any  # (n_edges, 2) int32  numbered within the graph, sorted
    edge_attr: Any  # (n_edges, q) float64
    directed: bool


@allocating_entry
def squared_norms(X, pair_weight):
    """Return |x|^2 of all graphs."""
    out = np.empty(X.node_ptr.shape[0] - 1)
    for i in range(out.shape[0]):
        nodes, pairs = 0.0, 0.0
        for r in range(X.node_ptr[i], X.node_ptr[i + 1]):
            for c in range(X.node_attr.shape[1]):
                nodes += X.node_attr[r, c] ** 2
        for e in range(X.edge_ptr[i], X.edge_ptr[i + 1]):
            for c in range(X.edge_attr.shape[1]):
                pairs += X.edge_attr[e, c] ** 2
        out[i] = nodes + pair_weight * pairs
    return out


@kernel
def show(
    X,
    i,
    sq_norm,  # IN    of graph i
    G,  # INOUT the MatchGraphs of all windows
    graph,  # IN    number of the window in it
    last,  # WORK  (n,) int64
):
    """Put graph i into a window."""
    x0, y0 = X.node_ptr[i], G.node_ptr[graph]
    n = X.node_ptr[i + 1] - x0
    G.node_ptr[graph + 1] = y0 + n
    nonneg = True
    for r in range(n):
        for c in range(X.node_attr.shape[1]):
            value = X.node_attr[x0 + r, c]
            G.node_attr[y0 + r, c] = value
            nonneg &= value >= 0.0
        if X.group.shape[0] > 0:
            G.group[y0 + r] = X.group[x0 + r]
    for e in range(X.edge_ptr[i], X.edge_ptr[i + 1]):
        for c in range(X.edge_attr.shape[1]):
            nonneg &= X.edge_attr[e, c] >= 0.0
    G.sq_norm[graph] = sq_norm
    G.nonneg[graph] = nonneg
    _write_adjacency(X, i, G, y0, n, last)
    # The empty graph behind starts here; its nodes reach up to the next window.
    for r in range(n + 1, G.node_ptr[graph + 2] - y0):
        G.adj_ptr[y0 + r] = G.adj_ptr[y0 + n]


@kernel
def _write_adjacency(X, i, G, y0, n, last):
    """OUT sorted adjacency slots of the n nodes from y0 on."""
    first = G.adj_ptr[y0]
    for r in range(n):
        last[r] = 0
    for e in range(X.edge_ptr[i], X.edge_ptr[i + 1]):
        last[X.edges[e, 0]] += 1
        last[X.edges[e, 1]] += 1
    end = first
    for r in range(n):
        G.adj_ptr[y0 + r] = end
        end += last[r]
        last[r] = G.adj_ptr[y0 + r]
    reverse = X.edge_attr.shape[1] if X.directed else 0
    for e in range(X.edge_ptr[i], X.edge_ptr[i + 1]):
        a, b = X.edges[e, 0], X.edges[e, 1]
        last[a] = _put_slot(G, G.adj_ptr[y0 + a], last[a], b, X.edge_attr, e, 0)
        last[b] = _put_slot(G, G.adj_ptr[y0 + b], last[b], a, X.edge_attr, e, reverse)
    # Pairs that share a slot leave one free.
    end = first
    for r in range(n):
        begin = G.adj_ptr[y0 + r]
        G.adj_ptr[y0 + r] = end
        for k in range(begin, last[r]):
            G.adj_idx[end] = G.adj_idx[k]
            for c in range(G.adj_vec.shape[1]):
                G.adj_vec[end, c] = G.adj_vec[k, c]
            end += 1
        sort_channels(G, G.adj_ptr[y0 + r], end)
    G.adj_ptr[y0 + n] = end


@kernel
def _put_slot(G, begin, end, neighbour, attr, e, channel):
    """Insert an edge into the sorted slots from begin to end, in channels from ``channel`` on; the new end.

    The two edges of a directed pair share a slot.
    """
    at = end
    while at > begin and G.adj_idx[at - 1] > neighbour:
        at -= 1
    if at == begin or G.adj_idx[at - 1] != neighbour:
        for k in range(end, at, -1):
            G.adj_idx[k] = G.adj_idx[k - 1]
            for c in range(G.adj_vec.shape[1]):
                G.adj_vec[k, c] = G.adj_vec[k - 1, c]
        G.adj_idx[at] = neighbour
        for c in range(G.adj_vec.shape[1]):
            G.adj_vec[at, c] = 0.0
        end += 1
        at += 1
    for c in range(attr.shape[1]):
        G.adj_vec[at - 1, channel + c] = attr[e, c]
    return end
