// The star bound (Gilmore 1962, Lawler 1963): no mapping gains more than its stars do individually.
//
// A star is a node with its edges. Cost O(sum of degree products) for the gains, and one assignment problem.
#pragma once

#include "graphs/gains.hpp"

namespace gq {

// OUT channels: those in which an edge of node r is not zero. Returns their number.
inline i64 channels_of_star(const GraphView &x, i64 r, i64 *channels) {
    const i64 q = x.edge_channels, degree = x.degree(r);
    if (degree == 0) return 0;
    const double *highest = x.adj_sorted + x.adj_ptr[r] * q, *lowest = highest + (degree - 1) * q;
    i64 count = 0;
    for (i64 c = 0; c < q; c++) {
        channels[count] = c;
        count += highest[c] > 0.0 || lowest[c] < 0.0 ? 1 : 0;
    }
    return count;
}

// OUT star[r][p] = node gain + half of the best gain of the edges at r matched with those at p.
//
// Each channel is matched separately, which is an assignment problem solved by sorting: positive values with
// positive ones and negative with negative ones, from the largest magnitude on; the rest is better left on a
// pair without an edge. Half, because an edge is counted at both its ends. Labels have a channel each, of which a
// node meets few: the others are left out. WORK channels (edge_channels,).
inline void star_gains(const GraphView &x, const GraphView &y, Matrix<double> gain, i64 *channels, Matrix<double> star) {
    const i64 q = x.edge_channels;
    const double half = 0.5 * x.pair_weight;
    for (i64 r = 0; r < x.order; r++) {
        const double *a = x.adj_sorted + x.adj_ptr[r] * q;
        const i64 a_degree = x.degree(r), n_channels = channels_of_star(x, r, channels);
        for (i64 p = 0; p < y.order; p++) {
            const double *b = y.adj_sorted + y.adj_ptr[p] * q;
            const i64 b_degree = y.degree(p), common = least(a_degree, b_degree);
            double total = 0.0;
            for (i64 i = 0; i < n_channels; i++) {
                const i64 c = channels[i];
                for (i64 k = 0; k < common; k++) {
                    const double s = a[k * q + c], t = b[k * q + c];
                    if (s <= 0.0 || t <= 0.0) break;
                    total += s * t;
                }
                for (i64 k = 1; k <= common; k++) {
                    const double s = a[(a_degree - k) * q + c], t = b[(b_degree - k) * q + c];
                    if (s >= 0.0 || t >= 0.0) break;
                    total += s * t;
                }
            }
            star[r][p] = gain[r][p] + half * total;
        }
    }
}

}  // namespace gq
