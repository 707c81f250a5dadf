// Similarity of nodes by their wider neighbourhoods: a start for solvers that see only one step.
#pragma once

#include "graphs/view.hpp"

namespace gq {

// Share of the neighbours' similarity that counts, measured on the four data sets.
inline constexpr double DAMPING = 0.7;

// INOUT similarity[r][p]: gain of r on p plus, damped, the similarity of the neighbours' best partners. Each call
// sees one step further; neighbours choose independently of each other. WORK before.
inline void widen_similarity(const GraphView &x, const GraphView &y, Matrix<double> gain, Matrix<double> similarity,
                             Matrix<double> before) {
    for (i64 r = 0; r < x.order; r++) {
        for (i64 p = 0; p < y.order; p++) before[r][p] = similarity[r][p];
    }
    for (i64 r = 0; r < x.order; r++) {
        for (i64 p = 0; p < y.order; p++) {
            if (gain[r][p] == -INF) continue;
            double total = 0.0;
            for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) {
                double best = 0.0;
                for (i64 m = y.adj_ptr[p]; m < y.adj_ptr[p + 1]; m++) {
                    const double value = product(x.edge(k), y.edge(m), x.edge_channels);
                    best = most(best, x.pair_weight * value + before[x.adj_idx[k]][y.adj_idx[m]]);
                }
                total += best;
            }
            similarity[r][p] = gain[r][p] + DAMPING * total;
        }
    }
}

}  // namespace gq
