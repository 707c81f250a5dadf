// Assignment problems of gains: the step that the star bound, the node bound and the solvers share.
#pragma once

#include "bounds/star.hpp"
#include "matching/scratch.hpp"

namespace gq {

// OUT row[p] for the zero nodes after the positions of Y: `value` on those of the node's class, else forbidden.
inline void price_zero_nodes(const GraphView &x, i64 r, i64 ny, i64 width, const i32 *group_of, double value, double *row) {
    for (i64 p = ny; p < width; p++) row[p] = group_of[p] == x.group[r] ? value : INF;
}

// OUT pair.trial: assignment with the largest gain (zero on zero nodes). Returns minus that gain.
inline double assign_gains(const GraphView &x, i64 ny, i64 width, Matrix<double> gains, PairScratch &pair) {
    for (i64 r = 0; r < x.order; r++) {
        double *row = pair.cost[r];
        for (i64 p = 0; p < ny; p++) row[p] = -gains[r][p];
        price_zero_nodes(x, r, ny, width, pair.group_of, 0.0, row);
    }
    return assign(pair.cost, x.order, width, pair.trial, pair.lap);
}

// Star bound: a lower bound of the cost (minus gain) of all mappings; OUT pair.trial the assignment, pair.star the gains.
inline double star_assignment(const GraphView &x, const GraphView &y, i64 width, PairScratch &pair) {
    star_gains(x, y, pair.gain, pair.channels, pair.star);
    return assign_gains(x, y.order, width, pair.star, pair);
}

// The star bound alone, as a squared distance reduced by the rounding margin; 0 after a stop.
inline double star_bound(const GraphView &a, const GraphView &b, Space space, PairScratch &pair) {
    const bool turned = a.order > b.order;
    const GraphView &x = turned ? b : a, &y = turned ? a : b;
    const double scale = x.sq_norm + y.sq_norm;
    node_gains(x, y, pair.gain);
    const i64 width = place_zero_nodes(x, y, space, pair.group_of);
    const double value = star_assignment(x, y, width, pair);
    // An assignment that was stopped has no value, and a learner keeps what it is given here.
    if (pair.lap.stop.is_set()) return 0.0;
    return most(0.0, scale + 2.0 * value - 2.0 * ROUNDING * scale);
}

}  // namespace gq
