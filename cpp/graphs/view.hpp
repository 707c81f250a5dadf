// One graph as solvers and bounds use it.
//
// A pair of nodes carries one vector: the edge vector of an undirected edge (which counts twice in the paper's
// matrix representation), or the two vectors of a directed pair, outgoing first. pair_weight is 2 or 1
// accordingly, and each pair is in the adjacency of both nodes.
#pragma once

#include "graphquant.h"
#include "support/basics.hpp"

namespace gq {

struct GraphView {
    i64 order;              // nodes
    i64 node_channels;
    i64 edge_channels;
    double pair_weight;
    const double *node_attr;  // (order, node_channels)
    const i32 *group;         // (order,)  class of each node; zeros without groups
    const i64 *adj_ptr;       // (order + 1,)  slots of each node; does not begin at 0
    const i32 *adj_idx;       // neighbour of each slot, ascending within a node
    const double *adj_vec;    // (slots, edge_channels)
    const double *adj_sorted;  // (slots, edge_channels)  per node and channel, descending
    double sq_norm;           // of the matrix representation
    bool is_nonneg;           // no negative attribute: a zero node is never better

    const double *node(i64 r) const { return node_attr + r * node_channels; }
    const double *edge(i64 slot) const { return adj_vec + slot * edge_channels; }
    i64 degree(i64 r) const { return adj_ptr[r + 1] - adj_ptr[r]; }
    i64 first_slot() const { return adj_ptr[0]; }
    i64 n_slots() const { return adj_ptr[order] - adj_ptr[0]; }
};

inline GraphView view_of(const gq_graphs &graphs, i64 i) {
    const i64 first = graphs.node_ptr[i];
    return {
        .order = graphs.node_ptr[i + 1] - first,
        .node_channels = graphs.node_channels,
        .edge_channels = graphs.edge_channels,
        .pair_weight = graphs.pair_weight,
        .node_attr = graphs.node_attr + first * graphs.node_channels,
        .group = graphs.group + first,
        .adj_ptr = graphs.adj_ptr + first,
        .adj_idx = graphs.adj_idx,
        .adj_vec = graphs.adj_vec,
        .adj_sorted = graphs.adj_sorted,
        .sq_norm = graphs.sq_norm[i],
        .is_nonneg = graphs.is_nonneg[i] != 0,
    };
}

// Product of two vectors, in order.
inline double product(const double *a, const double *b, i64 n) {
    // Most edges have one channel, and no need of a loop.
    if (n == 1) return 0.0 + a[0] * b[0];
    double total = 0.0;
    for (i64 c = 0; c < n; c++) total += a[c] * b[c];
    return total;
}

inline bool are_neighbours(const GraphView &y, i64 p, i64 t) {
    for (i64 m = y.adj_ptr[p]; m < y.adj_ptr[p + 1]; m++) {
        if (y.adj_idx[m] == t) return true;
    }
    return false;
}

template <class T>
inline int order_of(T a, T b) {
    return a < b ? -1 : (b < a ? 1 : 0);
}

inline int compare_vectors(const double *a, const double *b, i64 n) {
    for (i64 c = 0; c < n; c++) {
        if (a[c] != b[c]) return a[c] < b[c] ? -1 : 1;
    }
    return 0;
}

// Order of two graphs by size, then by content: -1, 0 (identical) or 1.
inline int compare(const GraphView &x, const GraphView &y) {
    if (x.order != y.order) return order_of(x.order, y.order);
    for (i64 r = 0; r < x.order; r++) {
        if (const int by_group = order_of(x.group[r], y.group[r]); by_group != 0) return by_group;
        if (const int by_node = compare_vectors(x.node(r), y.node(r), x.node_channels); by_node != 0) return by_node;
    }
    for (i64 r = 0; r < x.order; r++) {
        if (const int by_degree = order_of(x.degree(r), y.degree(r)); by_degree != 0) return by_degree;
        for (i64 at = 0; at < x.degree(r); at++) {
            const i64 k = x.adj_ptr[r] + at, m = y.adj_ptr[r] + at;
            if (const int by_end = order_of(x.adj_idx[k], y.adj_idx[m]); by_end != 0) return by_end;
            if (const int by_edge = compare_vectors(x.edge(k), y.edge(m), x.edge_channels); by_edge != 0) return by_edge;
        }
    }
    return 0;
}

// OUT twin[r] = first node with the same class, attributes and neighbours as r (r if there is none).
inline void find_twins(const GraphView &x, i64 *twin) {
    for (i64 r = 0; r < x.order; r++) {
        twin[r] = r;
        const i64 degree = x.degree(r);
        for (i64 s = 0; s < r; s++) {
            if (twin[s] != s || x.group[s] != x.group[r] || x.degree(s) != degree) continue;
            bool is_same = compare_vectors(x.node(r), x.node(s), x.node_channels) == 0;
            for (i64 at = 0; is_same && at < degree; at++) {
                const i64 k = x.adj_ptr[r] + at, m = x.adj_ptr[s] + at;
                is_same = x.adj_idx[k] == x.adj_idx[m] && compare_vectors(x.edge(k), x.edge(m), x.edge_channels) == 0;
            }
            if (is_same) {
                twin[r] = s;
                break;
            }
        }
    }
}

}  // namespace gq
