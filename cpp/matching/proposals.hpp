// Improve a mapping that is known from before, instead of looking for one from nothing.
//
// While a code graph moves, the alignment of a graph with it rarely changes as a whole. Exchanges and chains from the
// stored one cost a tenth of a search from several starts.
#pragma once

#include "matching/second_best.hpp"

namespace gq {

// Improve a mapping of X to Y (INOUT; positions of Y, y.order and above are zero nodes); returns the squared distance.
//
// X becomes the rows, whatever its size. As in a search, faint edges are left out first.
inline double improve_mapping(const GraphView &x, const GraphView &y, Space space, i64 *mapping, PairScratch &pair) {
    const double tolerance = ROUNDING * (x.sq_norm + y.sq_norm);
    // A node may be on a zero node that a search from nothing would not need.
    const i64 width = place_zero_nodes(x, y, space, pair.group_of, false);
    node_gains(x, y, pair.gain);
    take_over_mapping(x, y, width, mapping, pair);
    const double x_limit = faint_below(x), y_limit = faint_below(y);
    const GraphView a = without_edges_below(x, x_limit, pair.filtered_x);
    const GraphView b = without_edges_below(y, y_limit, pair.filtered_y);
    const Pairing filtered{a, b, width, tolerance};
    edge_support(a, b, pair.best, pair.best_support);
    for (i64 r = 0; r < x.order; r++) pair.candidate[r] = pair.best[r];
    polish(filtered, mapping_gain(a, b, pair.gain, pair.candidate), pair);
    if (x_limit > 0.0 || y_limit > 0.0) {
        edge_support(x, y, pair.candidate, pair.best_support);
        improve(alignment_of({x, y, width, tolerance}, pair, pair.candidate));
    }
    write_mapping(x, y, false, pair.candidate, space, pair.next_of, mapping);
    return sq_distance_under(x, y, mapping, pair.slot_of, pair.covered);
}

}  // namespace gq
