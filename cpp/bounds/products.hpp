// A lower bound for very many pairs at once, nearly as sharp as the star bound and much cheaper.
//
// The gain of one star on another is at most the product of two vectors: node attributes, then the edge values of each
// channel in descending order, in which they match best. So the gains of all nodes of many graphs on each other are a
// matrix product, and no assignment gains more than the sum of the maximum gains of the nodes. O(nodes^2 * channels).
#pragma once

#include "support/basics.hpp"

namespace gq {

// Nodes per block: their vectors stay in the nearest caches.
inline constexpr i64 NODES_AT_ONCE = 512;
// Graphs between two checks of the stop flag.
inline constexpr i64 GRAPHS_AT_ONCE = 64;

inline i64 next_channel(const double *vector, i64 n_channels, i64 c) {
    while (c < n_channels && vector[c] == 0.0) c++;
    return c;
}

// INOUT most_gain[p]: at least the product of a vector and column p of `n` columns. WORK gain (n,).
inline void raise_to_gains(const double *vector, Matrix<const double> columns, i64 begin, i64 n, i64 n_channels, double *gain,
                           double *most_gain) {
    for (i64 p = 0; p < n; p++) gain[p] = 0.0;
    i64 c = next_channel(vector, n_channels, 0);
    while (c < n_channels) {
        const i64 d = next_channel(vector, n_channels, c + 1);
        const double a = vector[c];
        const double *first = columns[c] + begin;
        if (d < n_channels) {
            const double b = vector[d];
            const double *second = columns[d] + begin;
            for (i64 p = 0; p < n; p++) gain[p] += a * first[p] + b * second[p];
        } else {
            for (i64 p = 0; p < n; p++) gain[p] += a * first[p];
        }
        c = next_channel(vector, n_channels, d + 1);
    }
    for (i64 p = 0; p < n; p++) most_gain[p] = most(most_gain[p], gain[p]);
}

// OUT out (end - begin, n_graphs): maximum gain of graphs begin to end from a match with each graph, a zero node at the
// least. rows (n_nodes, n_channels) star vectors; columns (n_channels, n_nodes) the same. WORK gain, most_gain (n_nodes,).
inline void most_gains(const double *rows, const double *columns, const i64 *node_ptr, i64 n_graphs, i64 n_channels, i64 begin,
                       i64 end, double *gain, double *most_gain, double *out) {
    const i64 n_nodes = node_ptr[n_graphs];
    const Matrix<const double> table{columns, n_nodes};
    i64 from = 0;
    while (from < n_graphs) {
        i64 to = from + 1;
        while (to < n_graphs && node_ptr[to + 1] - node_ptr[from] <= NODES_AT_ONCE) to++;
        const i64 p0 = node_ptr[from], n = node_ptr[to] - p0;
        for (i64 i = begin; i < end; i++) {
            for (i64 p = 0; p < n; p++) most_gain[p] = 0.0;
            for (i64 r = node_ptr[i]; r < node_ptr[i + 1]; r++) {
                raise_to_gains(rows + r * n_channels, table, p0, n, n_channels, gain, most_gain);
            }
            for (i64 j = from; j < to; j++) {
                double total = 0.0;
                for (i64 p = node_ptr[j] - p0; p < node_ptr[j + 1] - p0; p++) total += most_gain[p];
                out[(i - begin) * n_graphs + j] = total;
            }
        }
        from = to;
    }
}

}  // namespace gq
