// The gain of a mapping of X to Y: inner products of node and edge attributes. A cost is minus a gain.
#pragma once

#include "graphs/view.hpp"

namespace gq {

// OUT gain[r][p] = <x_r, y_p>, -inf where the classes of r and p differ.
inline void node_gains(const GraphView &x, const GraphView &y, Matrix<double> gain) {
    for (i64 r = 0; r < x.order; r++) {
        for (i64 p = 0; p < y.order; p++) {
            gain[r][p] = x.group[r] == y.group[p] ? product(x.node(r), y.node(p), x.node_channels) : -INF;
        }
    }
}

// INOUT support[r][p] += sign * <x_rs, y_pt> for all r, p: what node s on position t offers them.
inline void add_row_support(const GraphView &x, const GraphView &y, i64 s, i64 t, double sign, Matrix<double> support) {
    for (i64 k = x.adj_ptr[s]; k < x.adj_ptr[s + 1]; k++) {
        double *row = support[x.adj_idx[k]];
        for (i64 m = y.adj_ptr[t]; m < y.adj_ptr[t + 1]; m++) {
            row[y.adj_idx[m]] += sign * product(x.edge(k), y.edge(m), x.edge_channels);
        }
    }
}

// OUT support[r][p] = sum over s of <x_rs, y_p,mapping(s)>: what all others offer r on p.
inline void edge_support(const GraphView &x, const GraphView &y, const i64 *mapping, Matrix<double> support) {
    for (i64 r = 0; r < x.order; r++) {
        for (i64 p = 0; p < y.order; p++) support[r][p] = 0.0;
    }
    for (i64 s = 0; s < x.order; s++) {
        if (mapping[s] < y.order) add_row_support(x, y, s, mapping[s], 1.0, support);
    }
}

// Gain <x, y> of a mapping.
inline double mapping_gain(const GraphView &x, const GraphView &y, Matrix<double> gain, const i64 *mapping) {
    double nodes = 0.0, pairs = 0.0;
    for (i64 r = 0; r < x.order; r++) {
        const i64 p = mapping[r];
        if (p >= y.order) continue;
        nodes += gain[r][p];
        for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) {
            const i64 s = x.adj_idx[k];
            if (s < r || mapping[s] >= y.order) continue;
            for (i64 m = y.adj_ptr[p]; m < y.adj_ptr[p + 1]; m++) {
                if (y.adj_idx[m] != mapping[s]) continue;
                for (i64 c = 0; c < x.edge_channels; c++) pairs += x.edge(k)[c] * y.edge(m)[c];
                break;
            }
        }
    }
    return nodes + x.pair_weight * pairs;
}

inline void add_squares(const double *a, i64 n, double &total) {
    for (i64 c = 0; c < n; c++) total += squared(a[c]);
}

inline void add_squared_differences(const double *a, const double *b, i64 n, double &total) {
    for (i64 c = 0; c < n; c++) total += squared(a[c] - b[c]);
}

// Squared Euclidean distance of the representations under a mapping, from differences.
//
// Summing squares of differences keeps full relative accuracy if the distance is small;
// |X|^2 + |Y|^2 - 2 <x, y> would not. mapping: position in Y of each node of X, y.order and above are zero nodes.
// WORK slot_of, covered (y.order,).
inline double sq_distance_under(const GraphView &x, const GraphView &y, const i64 *mapping, i64 *slot_of, i64 *covered) {
    const i64 q = x.edge_channels;
    double nodes = 0.0, pairs = 0.0;
    for (i64 p = 0; p < y.order; p++) slot_of[p] = covered[p] = -1;
    for (i64 r = 0; r < x.order; r++) {
        const i64 p = mapping[r];
        if (p >= y.order) {
            add_squares(x.node(r), x.node_channels, nodes);
            for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) add_squares(x.edge(k), q, pairs);
            continue;
        }
        covered[p] = r;
        add_squared_differences(x.node(r), y.node(p), x.node_channels, nodes);
        for (i64 m = y.adj_ptr[p]; m < y.adj_ptr[p + 1]; m++) slot_of[y.adj_idx[m]] = m;
        for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) {
            const i64 t = mapping[x.adj_idx[k]];
            const i64 slot = t < y.order ? slot_of[t] : -1;
            if (slot >= 0) {
                slot_of[t] = -1;
                add_squared_differences(x.edge(k), y.edge(slot), q, pairs);
            } else {
                add_squares(x.edge(k), q, pairs);
            }
        }
        // Edges of Y that are not covered by an edge of X.
        for (i64 m = y.adj_ptr[p]; m < y.adj_ptr[p + 1]; m++) {
            const i64 t = y.adj_idx[m];
            if (slot_of[t] < 0) continue;
            slot_of[t] = -1;
            add_squares(y.edge(m), q, pairs);
        }
    }
    for (i64 p = 0; p < y.order; p++) {
        if (covered[p] >= 0) continue;
        add_squares(y.node(p), y.node_channels, nodes);
        for (i64 m = y.adj_ptr[p]; m < y.adj_ptr[p + 1]; m++) add_squares(y.edge(m), q, pairs);
    }
    return nodes + 0.5 * x.pair_weight * pairs;
}

}  // namespace gq
