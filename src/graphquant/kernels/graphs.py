"""Graphs as kernels see them, and the value of a mapping between two of them.

A pair of nodes carries one vector: the edge vector of an undirected edge (which counts twice in the
paper's matrix representation), or the two vectors of a directed pair, outgoing first. ``pair_weight``
is 2 or 1 accordingly, and each pair stands in the adjacency of both its nodes.
"""

from typing import Any, NamedTuple

import numpy as np

from graphquant.kernels._jit import kernel, shared_kernel


class MatchGraphs(NamedTuple):
    """Many graphs with sorted adjacency; made by ``graphquant.bounds.prepare``."""

    node_ptr: Any  # (n_graphs + 1,) int64
    node_attr: Any  # (n_nodes, p) float64
    group: Any  # (n_nodes,) int32    class of each node; zeros without groups
    adj_ptr: Any  # (n_nodes + 1,) int64
    adj_idx: Any  # (n_slots,) int32    neighbour, numbered within the graph, ascending
    adj_vec: Any  # (n_slots, q) float64
    adj_sorted: Any  # (n_slots, q) float64  per node and channel, descending
    sq_norm: Any  # (n_graphs,) float64  squared norm of the matrix representation
    nonneg: Any  # (n_graphs,) bool      no negative attribute: a zero node is never better
    pair_weight: float


@kernel
def sort_channels(G, begin, end):
    """OUT adj_sorted of the slots of one node: each channel descending."""
    for c in range(G.adj_vec.shape[1]):
        for k in range(begin, end):
            value = G.adj_vec[k, c]
            at = k
            while at > begin and G.adj_sorted[at - 1, c] < value:
                G.adj_sorted[at, c] = G.adj_sorted[at - 1, c]
                at -= 1
            G.adj_sorted[at, c] = value


@kernel
def node_gains(X, i, Y, j, gain):
    """OUT gain[r, p] = <x_r, y_p>, -inf where the classes of r and p differ."""
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - y0
    for r in range(nx):
        for p in range(ny):
            if X.group[x0 + r] != Y.group[y0 + p]:
                gain[r, p] = -np.inf
                continue
            total = 0.0
            for c in range(X.node_attr.shape[1]):
                total += X.node_attr[x0 + r, c] * Y.node_attr[y0 + p, c]
            gain[r, p] = total


@kernel
def add_row_support(X, i, Y, j, s, t, sign, support):
    """INOUT support[r, p] += sign * <x_rs, y_pt> for all r, p: what node s on position t offers them."""
    x_s, y_t = X.node_ptr[i] + s, Y.node_ptr[j] + t
    for k in range(X.adj_ptr[x_s], X.adj_ptr[x_s + 1]):
        r = X.adj_idx[k]
        for m in range(Y.adj_ptr[y_t], Y.adj_ptr[y_t + 1]):
            total = 0.0
            for c in range(X.adj_vec.shape[1]):
                total += X.adj_vec[k, c] * Y.adj_vec[m, c]
            support[r, Y.adj_idx[m]] += sign * total


@kernel
def edge_support(X, i, Y, j, mapping, support):
    """OUT support[r, p] = sum over s of <x_rs, y_p,mapping(s)>: what all others offer r on p."""
    nx = X.node_ptr[i + 1] - X.node_ptr[i]
    ny = Y.node_ptr[j + 1] - Y.node_ptr[j]
    for r in range(nx):
        for p in range(ny):
            support[r, p] = 0.0
    for s in range(nx):
        if mapping[s] < ny:
            add_row_support(X, i, Y, j, s, mapping[s], 1.0, support)


@shared_kernel
def mapping_gain(G, i, j, gain, mapping):
    """Gain <x, y> of a mapping of graph i (X) to graph j (Y)."""
    x0, y0 = G.node_ptr[i], G.node_ptr[j]
    ny = G.node_ptr[j + 1] - y0
    nodes, pairs = 0.0, 0.0
    for r in range(G.node_ptr[i + 1] - x0):
        p = mapping[r]
        if p >= ny:
            continue
        nodes += gain[r, p]
        for k in range(G.adj_ptr[x0 + r], G.adj_ptr[x0 + r + 1]):
            s = G.adj_idx[k]
            if s < r or mapping[s] >= ny:
                continue
            for m in range(G.adj_ptr[y0 + p], G.adj_ptr[y0 + p + 1]):
                if G.adj_idx[m] == mapping[s]:
                    for c in range(G.adj_vec.shape[1]):
                        pairs += G.adj_vec[k, c] * G.adj_vec[m, c]
                    break
    return nodes + G.pair_weight * pairs


@kernel
def squared_distance(
    X,
    i,
    Y,
    j,
    mapping,  # IN  (nx,)  position in Y of each node of X; ny and more: a zero node
    slot_of,  # WORK (>= ny,) int64
    covered,  # WORK (>= ny,) int64
):
    """Squared Euclidean distance of the representations under a mapping, from differences.

    Summing squares of differences keeps full relative accuracy where the distance is small;
    |X|^2 + |Y|^2 - 2 <x, y> would not.
    """
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - y0
    p_dim, q_dim = X.node_attr.shape[1], X.adj_vec.shape[1]
    half = 0.5 * X.pair_weight
    nodes, pairs = 0.0, 0.0
    for p in range(ny):
        slot_of[p] = -1
        covered[p] = -1
    for r in range(nx):
        p = mapping[r]
        if p >= ny:
            for c in range(p_dim):
                nodes += X.node_attr[x0 + r, c] ** 2
            for k in range(X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]):
                for c in range(q_dim):
                    pairs += X.adj_vec[k, c] ** 2
            continue
        covered[p] = r
        for c in range(p_dim):
            nodes += (X.node_attr[x0 + r, c] - Y.node_attr[y0 + p, c]) ** 2
        begin, end = Y.adj_ptr[y0 + p], Y.adj_ptr[y0 + p + 1]
        for k in range(begin, end):
            slot_of[Y.adj_idx[k]] = k
        for k in range(X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]):
            t = mapping[X.adj_idx[k]]
            slot = slot_of[t] if t < ny else -1
            if slot >= 0:
                slot_of[t] = -1
                for c in range(q_dim):
                    pairs += (X.adj_vec[k, c] - Y.adj_vec[slot, c]) ** 2
            else:
                for c in range(q_dim):
                    pairs += X.adj_vec[k, c] ** 2
        for k in range(begin, end):
            t = Y.adj_idx[k]
            if slot_of[t] >= 0:
                slot_of[t] = -1
                for c in range(q_dim):
                    pairs += Y.adj_vec[k, c] ** 2
    for p in range(ny):
        if covered[p] < 0:
            for c in range(p_dim):
                nodes += Y.node_attr[y0 + p, c] ** 2
            for k in range(Y.adj_ptr[y0 + p], Y.adj_ptr[y0 + p + 1]):
                for c in range(q_dim):
                    pairs += Y.adj_vec[k, c] ** 2
    return nodes + half * pairs
