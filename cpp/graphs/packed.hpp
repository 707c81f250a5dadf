// From packed collections to sorted adjacency: the one place where it is built.
//
// A collection holds each edge once. Solvers need the neighbours of a node in order, with the edge vector of each,
// and every channel of a node's edges sorted; that takes several times the memory of the graphs.
#pragma once

#include "graphs/view.hpp"

namespace gq {

// Output arrays of one graph.
struct AdjacencySlots {
    i64 *adj_ptr;       // (order + 1,)
    i32 *adj_idx;
    double *adj_vec;    // (slots, channels)
    double *adj_sorted;  // (slots, channels)
    i64 channels;       // edge channels of a slot: twice those of the collection if it is directed

    double *vec(i64 slot) const { return adj_vec + slot * channels; }
    double *sorted(i64 slot) const { return adj_sorted + slot * channels; }
};

// OUT adj_sorted of the slots of one node: each channel descending.
inline void sort_channels(const AdjacencySlots &out, i64 begin, i64 end) {
    for (i64 c = 0; c < out.channels; c++) {
        for (i64 k = begin; k < end; k++) {
            const double value = out.vec(k)[c];
            i64 at = k;
            for (; at > begin && out.sorted(at - 1)[c] < value; at--) out.sorted(at)[c] = out.sorted(at - 1)[c];
            out.sorted(at)[c] = value;
        }
    }
}

// Insert an edge into the sorted slots from begin to end, in channels from `channel` on; returns the new end.
// The two edges of a directed pair share a slot.
inline i64 put_slot(const AdjacencySlots &out, i64 begin, i64 end, i32 neighbour, const double *attr, i64 n_attr, i64 channel) {
    i64 at = end;
    while (at > begin && out.adj_idx[at - 1] > neighbour) at--;
    if (at == begin || out.adj_idx[at - 1] != neighbour) {
        for (i64 k = end; k > at; k--) {
            out.adj_idx[k] = out.adj_idx[k - 1];
            std::memcpy(out.vec(k), out.vec(k - 1), static_cast<std::size_t>(out.channels) * sizeof(double));
        }
        out.adj_idx[at] = neighbour;
        for (i64 c = 0; c < out.channels; c++) out.vec(at)[c] = 0.0;
        end++;
        at++;
    }
    for (i64 c = 0; c < n_attr; c++) out.vec(at - 1)[channel + c] = attr[c];
    return end;
}

// OUT sorted adjacency slots of graph i, from out.adj_ptr[0] = first on; returns the slot after the last.
// WORK last (nodes of the graph,).
inline i64 write_adjacency(const gq_collection &X, i64 i, i64 first, const AdjacencySlots &out, i64 *last) {
    const i64 n = X.node_ptr[i + 1] - X.node_ptr[i], q = X.edge_channels;
    for (i64 r = 0; r < n; r++) last[r] = 0;
    for (i64 e = X.edge_ptr[i]; e < X.edge_ptr[i + 1]; e++) {
        last[X.edges[2 * e]]++;
        last[X.edges[2 * e + 1]]++;
    }
    i64 end = first;
    for (i64 r = 0; r < n; r++) {
        out.adj_ptr[r] = end;
        end += last[r];
        last[r] = out.adj_ptr[r];
    }
    const i64 reverse = X.is_directed != 0 ? q : 0;
    for (i64 e = X.edge_ptr[i]; e < X.edge_ptr[i + 1]; e++) {
        const i32 a = X.edges[2 * e], b = X.edges[2 * e + 1];
        const double *attr = X.edge_attr + e * q;
        last[a] = put_slot(out, out.adj_ptr[a], last[a], b, attr, q, 0);
        last[b] = put_slot(out, out.adj_ptr[b], last[b], a, attr, q, reverse);
    }
    // Pairs that share a slot leave one free.
    end = first;
    for (i64 r = 0; r < n; r++) {
        const i64 begin = out.adj_ptr[r];
        out.adj_ptr[r] = end;
        for (i64 k = begin; k < last[r]; k++, end++) {
            if (end == k) continue;
            out.adj_idx[end] = out.adj_idx[k];
            std::memcpy(out.vec(end), out.vec(k), static_cast<std::size_t>(out.channels) * sizeof(double));
        }
        sort_channels(out, out.adj_ptr[r], end);
    }
    out.adj_ptr[n] = end;
    return end;
}

// Squared norm of the matrix representation of graph i.
inline double sq_norm_of(const gq_collection &X, i64 i) {
    double nodes = 0.0, pairs = 0.0;
    for (i64 at = X.node_ptr[i] * X.node_channels; at < X.node_ptr[i + 1] * X.node_channels; at++) {
        nodes += squared(X.node_attr[at]);
    }
    for (i64 at = X.edge_ptr[i] * X.edge_channels; at < X.edge_ptr[i + 1] * X.edge_channels; at++) {
        pairs += squared(X.edge_attr[at]);
    }
    return nodes + (X.is_directed != 0 ? 1.0 : 2.0) * pairs;
}

// Whether graph i has no negative attribute.
inline bool is_nonneg(const gq_collection &X, i64 i) {
    for (i64 at = X.node_ptr[i] * X.node_channels; at < X.node_ptr[i + 1] * X.node_channels; at++) {
        if (X.node_attr[at] < 0.0) return false;
    }
    for (i64 at = X.edge_ptr[i] * X.edge_channels; at < X.edge_ptr[i + 1] * X.edge_channels; at++) {
        if (X.edge_attr[at] < 0.0) return false;
    }
    return true;
}

}  // namespace gq
