// Graduated assignment (Gold and Rangarajan, 1996), the paper's approximate solver.
//
// Deterministic annealing of a match matrix with one slack row and column: exponentiate the gradient, normalise
// rows and columns alternately (Sinkhorn), raise beta, and clean up by a linear assignment. Compatibilities are divided
// by the largest of them, so that beta means the same at every scale. Rows are read and written in whole blocks of
// lanes: the entries after their end are almost zero.
#pragma once

#include "matching/frank_wolfe.hpp"
#include "matching/sinkhorn.hpp"

namespace gq {

// Whether any edge has a value in a channel; few kinds of edges are in every graph.
inline bool has_channel(const GraphView &x, i64 c) {
    for (i64 k = x.first_slot(); k < x.first_slot() + x.n_slots(); k++) {
        if (x.edge(k)[c] != 0.0) return true;
    }
    return false;
}

// INOUT out += the rows of all neighbours of a node, times a channel of the edges to them.
inline void add_neighbours(const GraphView &x, i64 node, i64 channel, Matrix<double> rows, i64 length, double *out) {
    for (i64 column = 0; column < length; column += LANES) {
        double lane[LANES];
        for (i64 l = 0; l < LANES; l++) lane[l] = out[column + l];
        for (i64 k = x.adj_ptr[node]; k < x.adj_ptr[node + 1]; k++) {
            const double weight = x.edge(k)[channel];
            if (weight == 0.0) continue;
            const double *row = rows[x.adj_idx[k]] + column;
            for (i64 l = 0; l < LANES; l++) lane[l] += weight * row[l];
        }
        for (i64 l = 0; l < LANES; l++) out[column + l] = lane[l];
    }
}

// OUT support[p][r] = sum over s, t of <x_rs, y_pt> M[s][t], as two sparse products. WORK offer (nx, ny) and turned
// (ny, nx), its transpose: both products add whole rows.
inline void soft_support(const GraphView &x, const GraphView &y, Matrix<double> M, Matrix<double> offer, Matrix<double> turned,
                         Matrix<double> support) {
    const i64 nx = x.order, ny = y.order;
    for (i64 p = 0; p < ny; p++) {
        for (i64 r = 0; r < whole_blocks(nx); r++) support[p][r] = 0.0;
    }
    for (i64 c = 0; c < x.edge_channels; c++) {
        if (!has_channel(x, c) || !has_channel(y, c)) continue;
        for (i64 r = 0; r < nx; r++) {
            for (i64 t = 0; t < whole_blocks(ny); t++) offer[r][t] = 0.0;
            add_neighbours(x, r, c, M, ny, offer[r]);
        }
        for (i64 t = 0; t < ny; t++) {
            for (i64 r = 0; r < nx; r++) turned[t][r] = offer[r][t];
        }
        for (i64 p = 0; p < ny; p++) add_neighbours(y, p, c, turned, nx, support[p]);
    }
}

// Least and largest gain of a pair of edges; 0 is that of a pair without an edge.
struct GainRange {
    double least_gain = 0.0, largest_gain = 0.0;
};

inline GainRange edge_gain_range(const GraphView &x, const GraphView &y) {
    GainRange range;
    for (i64 r = 0; r < x.order; r++) {
        for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) {
            if (x.adj_idx[k] < r) continue;  // seen from its other end, and those of Y from both
            for (i64 m = y.first_slot(); m < y.first_slot() + y.n_slots(); m++) {
                const double value = x.pair_weight * product(x.edge(k), y.edge(m), x.edge_channels);
                range = {least(range.least_gain, value), most(range.largest_gain, value)};
            }
        }
    }
    return range;
}

inline double largest_node_gain(const GraphView &x, const GraphView &y, Matrix<double> gain) {
    double largest = 0.0;
    for (i64 r = 0; r < x.order; r++) {
        for (i64 p = 0; p < y.order; p++) {
            if (gain[r][p] > -INF) largest = most(largest, std::fabs(gain[r][p]));
        }
    }
    return largest;
}

// What every pair of different nodes on different positions gains in addition. Where edges can only cost, two nodes on
// one position, and nodes that the slack takes, would be the best choice all along. If every node has to be placed, the
// same for all such pairs changes no comparison of mappings, and makes the best of edges gain nothing less than that.
inline double common_gain(const GraphView &y, i64 width, const GainRange &range) {
    return width == y.order && range.largest_gain <= 0.0 ? -range.least_gain : 0.0;
}

// INOUT support[p][r] += common times the shares of all other nodes on all other positions. WORK of_positions.
inline void add_common_support(i64 nx, i64 ny, double common, Matrix<double> M, double *of_positions, Matrix<double> support) {
    double total = 0.0;
    for (i64 t = 0; t < ny; t++) of_positions[t] = 0.0;
    for (i64 s = 0; s < nx; s++) {
        for (i64 t = 0; t < ny; t++) of_positions[t] += M[s][t];
    }
    for (i64 t = 0; t < ny; t++) total += of_positions[t];
    for (i64 r = 0; r < nx; r++) {
        const double *share = M[r];
        const double of_node = lane_sum(ny, [&](i64 t) { return share[t]; });
        for (i64 p = 0; p < ny; p++) support[p][r] += common * (total - of_node - of_positions[p] + share[p]);
    }
}

// OUT M = the normalised matrix; returns the total change of its entries.
inline double set_shares(Matrix<double> E, i64 nx, i64 ny, const double *u, const double *v, Matrix<double> M) {
    double change = 0.0;
    for (i64 r = 0; r < nx; r++) {
        const double *e = E[r];
        double *share = M[r];
        const double scale = u[r];
        change += lane_sum(ny, [&](i64 p) {
            const double now = scale * e[p] * v[p];
            const double moved = std::fabs(now - share[p]);
            share[p] = now;
            return moved;
        });
    }
    return change;
}

// OUT pair.trial: the mapping. pair.gain and pair.group_of are given.
inline void graduated_assignment(const GraphView &x, const GraphView &y, i64 width, const gq_graduated &options,
                                 PairScratch &pair) {
    const i64 nx = x.order, ny = y.order;
    // The match matrix; the same before normalisation; the scales that normalise it.
    const Matrix<double> M = pair.trial_support, E = pair.cost, support = pair.support;
    double *u = pair.lap.u, *v = pair.lap.v;
    const GainRange range = edge_gain_range(x, y);
    const double common = common_gain(y, width, range);
    const double largest = most(largest_node_gain(x, y, pair.gain), most(-range.least_gain, range.largest_gain));
    const double scale = largest > 0.0 ? 1.0 / largest : 0.0;
    for (i64 p = 0; p < whole_blocks(ny); p++) v[p] = 1.0;
    for (i64 r = 0; r < nx; r++) {
        u[r] = 1.0;
        for (i64 p = 0; p < ny; p++) M[r][p] = 1.0 + 1e-3;
    }
    for (double beta = options.beta_start; beta < options.beta_end; beta *= options.beta_rate) {
        for (i64 inner = 0; inner < options.max_inner && !pair.lap.stop.is_set(); inner++) {
            soft_support(x, y, M, pair.best_support, pair.star, support);
            if (common > 0.0) add_common_support(nx, ny, common / x.pair_weight, M, pair.lap.dist, support);
            for (i64 r = 0; r < nx; r++) {
                for (i64 p = 0; p < ny; p++) {
                    E[r][p] = beta * scale * (pair.gain[r][p] + x.pair_weight * support[p][r]);
                }
            }
            // Nodes of different classes have a gain of -inf; times 0 it is NaN, which counts as -inf.
            exponentiate(E, nx, ny);
            normalise(E, nx, ny, options.max_sinkhorn, options.tol_sinkhorn, u, v, pair.lap.dist);
            if (set_shares(E, nx, ny, u, v, M) < options.tol_inner) break;
        }
    }
    for (i64 r = 0; r < nx; r++) {
        double *row = pair.cost[r];
        for (i64 p = 0; p < ny; p++) row[p] = pair.gain[r][p] > -INF ? -M[r][p] : INF;
        // A zero node gets what no position of Y claims.
        price_zero_nodes(x, r, ny, width, pair.group_of, -u[r], row);
    }
    assign(pair.cost, nx, width, pair.trial, pair.lap);
}

// Whether the star assignment (in pair.trial) costs no more than its bound. WORK pair.support.
inline bool is_star_optimal(const GraphView &x, const GraphView &y, double bound, PairScratch &pair) {
    edge_support(x, y, pair.trial, pair.support);
    double cost = 0.0;
    for (i64 r = 0; r < x.order; r++) {
        const i64 p = pair.trial[r];
        if (p < y.order) cost -= pair.gain[r][p] + 0.5 * x.pair_weight * pair.support[r][p];
    }
    return cost <= bound + ROUNDING * (x.sq_norm + y.sq_norm);
}

// Graduated assignment; OUT pair.best. Skipped if the star assignment is proven optimal: annealing is slow, and
// finds nothing better.
inline Solution match_graduated(const GraphView &x, const GraphView &y, i64 width, const gq_graduated &options,
                                PairScratch &pair) {
    const double bound = star_assignment(x, y, width, pair);
    if (!is_star_optimal(x, y, bound, pair)) graduated_assignment(x, y, width, options, pair);
    for (i64 r = 0; r < x.order; r++) pair.best[r] = pair.trial[r];
    return {0.0, bound};
}

}  // namespace gq
