// The graph space of order n: how many zero nodes a pair may use, and which positions mappings name.
#pragma once

#include "graphs/view.hpp"

namespace gq {

// Positions of each node class: the space has room for capacity[g] nodes of class g.
struct Space {
    const i64 *capacity;
    i64 n_classes;
};

inline i64 nodes_in_class(const GraphView &x, i64 g) {
    i64 count = 0;
    for (i64 r = 0; r < x.order; r++) count += x.group[r] == g ? 1 : 0;
    return count;
}

// OUT group_of: classes of the positions of Y and of the zero nodes after them that X can use. Returns their number.
//
// X can use as many zero nodes of a class as it has nodes in it. With needed_only there are none if all
// attributes are non-negative and Y has room: a node then never loses by a match.
inline i64 place_zero_nodes(const GraphView &x, const GraphView &y, Space space, i32 *group_of, bool needed_only = true) {
    i64 width = y.order;
    for (i64 p = 0; p < y.order; p++) group_of[p] = y.group[p];
    for (i64 g = 0; g < space.n_classes; g++) {
        const i64 in_x = nodes_in_class(x, g), in_y = nodes_in_class(y, g);
        if (needed_only && in_x <= in_y && x.is_nonneg && y.is_nonneg) continue;
        const i64 room = most(space.capacity[g], in_x) - in_y;
        for (i64 at = 0; at < least(in_x, room); at++) group_of[width++] = static_cast<i32>(g);
    }
    return width;
}

// OUT out[r] = position in Y of node r of X, from the best mapping of rows to columns.
//
// Zero nodes are numbered after the nodes of Y, class by class; nodes of X use them in order. If is_swapped,
// Y gave the rows. WORK next_of (n_classes,).
inline void write_mapping(const GraphView &x, const GraphView &y, bool is_swapped, const i64 *rows_to_columns, Space space,
                          i64 *next_of, i64 *out) {
    for (i64 r = 0; r < x.order; r++) out[r] = -1;
    if (is_swapped) {
        for (i64 p = 0; p < y.order; p++) {
            if (rows_to_columns[p] < x.order) out[rows_to_columns[p]] = p;
        }
    } else {
        for (i64 r = 0; r < x.order; r++) {
            if (rows_to_columns[r] < y.order) out[r] = rows_to_columns[r];
        }
    }
    i64 position = y.order;
    for (i64 g = 0; g < space.n_classes; g++) {
        next_of[g] = position;
        const i64 in_x = nodes_in_class(x, g), in_y = nodes_in_class(y, g);
        position += most(space.capacity[g], most(in_x, in_y)) - in_y;
    }
    for (i64 r = 0; r < x.order; r++) {
        if (out[r] < 0) out[r] = next_of[x.group[r]]++;
    }
}

}  // namespace gq
