// Sizes of the arrays of a learner.
#pragma once

#include <type_traits>

#include "graphquant.h"
#include "support/basics.hpp"

namespace gq {

// Snapshots of each code graph: this many in each half of the ring of a cycle, and one for each of the last cycles;
// fewer if they would take more than the memory for them.
inline constexpr i64 MOST_RECENT = 64, MOST_FINAL = 16;
// One graph in so many may be larger than what snapshots hold.
inline constexpr i64 RARE = 20;

struct LearnerSizes {
    i64 n_graphs, n_nodes, n_codes, order, node_channels, pair_channels;
    i64 n_groups;  // groups of code graphs that share a bound; 0: each has its own
    i64 n_recent, n_final;
    i64 snapshot_order;  // positions that snapshots of code graphs hold

    i64 n_slots() const { return 2 * n_recent + n_final; }
    i64 n_columns() const { return n_groups > 0 ? n_groups : n_codes; }
    i64 node_values() const { return order * node_channels; }
    i64 pair_values() const { return order * order * pair_channels; }
    i64 snapshot_nodes() const { return snapshot_order * node_channels; }
    i64 snapshot_pairs() const { return snapshot_order * snapshot_order * pair_channels; }
};

inline i64 clipped(i64 value, i64 lowest, i64 highest) { return least(most(value, lowest), highest); }

// Positions that a snapshot holds: all of them, unless a few graphs are much larger than the others. These would take
// nearly all of the memory for positions that hardly any code graph uses.
inline i64 snapshot_order(const gq_collection &X, i64 order) {
    const i64 enough = X.n_graphs - X.n_graphs / RARE;
    for (i64 at = 8; 2 * at < order; at += 8) {
        i64 n_within = 0;
        for (i64 i = 0; i < X.n_graphs; i++) n_within += X.node_ptr[i + 1] - X.node_ptr[i] <= at ? 1 : 0;
        if (n_within >= enough) return at;
    }
    return order;
}

inline LearnerSizes sizes_of(const gq_learner_options &options) {
    const gq_collection &X = *options.X;
    LearnerSizes at{
        .n_graphs = X.n_graphs,
        .n_nodes = X.node_ptr[X.n_graphs],
        .n_codes = options.n_codes,
        .order = options.order,
        .node_channels = X.node_channels,
        .pair_channels = X.edge_channels * (X.is_directed != 0 ? 2 : 1),
        .n_groups = options.n_groups,
        .n_recent = 0,
        .n_final = 0,
        .snapshot_order = snapshot_order(X, options.order),
    };
    const i64 bytes = 8 * most<i64>(1, at.n_codes * (at.snapshot_nodes() + at.snapshot_pairs()));
    const i64 room = options.snapshot_bytes / bytes;
    at.n_final = clipped(room / 8, 1, MOST_FINAL);
    at.n_recent = clipped((room - at.n_final) / 2, 1, MOST_RECENT);
    return at;
}

}  // namespace gq
