// The bound of the nodes alone: the squared distance of the node attributes, matched at their best.
#pragma once

#include "bounds/assignments.hpp"

namespace gq {

// WORK pair; pair.gain and pair.group_of are given.
inline double node_part(const GraphView &x, const GraphView &y, i64 width, PairScratch &pair) {
    double total = 0.0;
    for (i64 c = 0; c < x.node_channels; c++) {
        for (i64 r = 0; r < x.order; r++) total += squared(x.node(r)[c]);
        for (i64 p = 0; p < y.order; p++) total += squared(y.node(p)[c]);
    }
    return most(0.0, total + 2.0 * assign_gains(x, y.order, width, pair.gain, pair));
}

}  // namespace gq
