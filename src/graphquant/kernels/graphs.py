"""Graphs as kernels see them, and the value of a mapping between two of them.

A pair of nodes carries one vector: the edge vector of an undirected edge (which counts twice in the
paper's matrix representation), or the two vectors of a directed pair, outgoing first. ``pair_weight``
is 2 or 1 accordingly, and each pair stands in the adjacency of both its nodes.
"""

from typing import Any, NamedTuple

import numpy as np

from graphquant.kernels._jit import entry, inlined, kernel


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


@entry
def build_adjacency(
    node_ptr,  # IN  (n_graphs + 1,)
    node_attr,  # IN  (n_nodes, p)
    edge_ptr,  # IN  (n_graphs + 1,)
    edges,  # IN  (n_edges, 2)
    edge_attr,  # IN  (n_edges, q)
    directed,  # IN
):
    """Adjacency, sorted channels and squared norms of packed graphs."""
    n_graphs = node_ptr.shape[0] - 1
    n_nodes = node_ptr[n_graphs]
    q = edge_attr.shape[1]
    q_pair = 2 * q if directed else q
    weight = 1.0 if directed else 2.0
    adj_ptr = np.zeros(n_nodes + 1, dtype=np.int64)
    n_max = 0
    for g in range(n_graphs):
        n_max = max(n_max, node_ptr[g + 1] - node_ptr[g])
    # slot_of[s] of the current node r: a directed pair given in both directions shares one slot.
    first = np.full(n_nodes, -1, dtype=np.int64)
    chain = np.full(2 * edges.shape[0], -1, dtype=np.int64)
    other = np.empty(2 * edges.shape[0], dtype=np.int32)
    for g in range(n_graphs):
        for e in range(edge_ptr[g], edge_ptr[g + 1]):
            for side in range(2):
                r = node_ptr[g] + edges[e, side]
                other[2 * e + side] = edges[e, 1 - side]
                chain[2 * e + side] = first[r]
                first[r] = 2 * e + side
    adj_idx = np.empty(2 * edges.shape[0], dtype=np.int32)
    adj_vec = np.zeros((2 * edges.shape[0], q_pair))
    slot_at = np.full(max(n_max, 1), -1, dtype=np.int64)
    n_slots = 0
    for r in range(n_nodes):
        start = n_slots
        entry = first[r]
        while entry >= 0:
            s = other[entry]
            if slot_at[s] < start:
                # Insertion keeps neighbours in ascending order.
                at = n_slots
                while at > start and adj_idx[at - 1] > s:
                    adj_idx[at] = adj_idx[at - 1]
                    slot_at[adj_idx[at]] = at
                    at -= 1
                adj_idx[at] = s
                slot_at[s] = at
                n_slots += 1
            entry = chain[entry]
        entry = first[r]
        while entry >= 0:
            slot = slot_at[other[entry]]
            shift = q if directed and entry % 2 == 1 else 0
            for c in range(q):
                adj_vec[slot, shift + c] = edge_attr[entry // 2, c]
            entry = chain[entry]
        for k in range(start, n_slots):
            slot_at[adj_idx[k]] = -1
        adj_ptr[r + 1] = n_slots
    adj_idx = adj_idx[:n_slots].copy()
    adj_vec = adj_vec[:n_slots].copy()
    adj_sorted = np.empty_like(adj_vec)
    for r in range(n_nodes):
        for c in range(q_pair):
            for k in range(adj_ptr[r], adj_ptr[r + 1]):
                value = adj_vec[k, c]
                at = k
                while at > adj_ptr[r] and adj_sorted[at - 1, c] < value:
                    adj_sorted[at, c] = adj_sorted[at - 1, c]
                    at -= 1
                adj_sorted[at, c] = value
    sq_norm = np.zeros(n_graphs)
    nonneg = np.ones(n_graphs, dtype=np.bool_)
    for g in range(n_graphs):
        total = 0.0
        for r in range(node_ptr[g], node_ptr[g + 1]):
            for c in range(node_attr.shape[1]):
                total += node_attr[r, c] ** 2
                nonneg[g] &= node_attr[r, c] >= 0.0
            for k in range(adj_ptr[r], adj_ptr[r + 1]):
                for c in range(q_pair):
                    total += 0.5 * weight * adj_vec[k, c] ** 2
                    nonneg[g] &= adj_vec[k, c] >= 0.0
        sq_norm[g] = total
    return adj_ptr, adj_idx, adj_vec, adj_sorted, sq_norm, nonneg


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


@inlined
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


@kernel
def mapping_gain(X, i, Y, j, gain, mapping):
    """Gain <x, y> of a mapping."""
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    ny = Y.node_ptr[j + 1] - y0
    nodes, pairs = 0.0, 0.0
    for r in range(X.node_ptr[i + 1] - x0):
        p = mapping[r]
        if p >= ny:
            continue
        nodes += gain[r, p]
        for k in range(X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]):
            s = X.adj_idx[k]
            if s < r or mapping[s] >= ny:
                continue
            for m in range(Y.adj_ptr[y0 + p], Y.adj_ptr[y0 + p + 1]):
                if Y.adj_idx[m] == mapping[s]:
                    for c in range(X.adj_vec.shape[1]):
                        pairs += X.adj_vec[k, c] * Y.adj_vec[m, c]
                    break
    return nodes + X.pair_weight * pairs


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
