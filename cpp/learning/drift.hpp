// Lower bounds that stay valid while code graphs move.
//
// A bound l(X, Y) is stored together with a snapshot of Y. Whatever Y has become since, d(X, Y) is at least
// l - |y - snapshot|: code graphs are matched with graphs of any numbering, so the triangle inequality holds with the
// Euclidean distance of the two dense forms. The path that y has travelled is a cheap upper bound of that distance,
// but a code graph that is pulled back and forth travels far and gets nowhere; the distance itself is computed only if
// the path does not settle a question.
//
// For each computed distance, its lead over the path at that time is stored, mostly below zero: the current path plus
// the lead bounds the current distance. Each worker has its own leads.
//
// Snapshots of a code graph: recent ones of this cycle and of the last (two halves of a ring), then one for the end of
// each of the last cycles.
#pragma once

#include "learning/codebook.hpp"

namespace gq {

inline double *snapshot_nodes(const State &state, const LearnerSizes &sizes, i64 j, i64 slot) {
    return state.drift_nodes + (j * sizes.n_slots() + slot) * sizes.snapshot_nodes();
}

inline double *snapshot_pairs(const State &state, const LearnerSizes &sizes, i64 j, i64 slot) {
    return state.drift_pairs + (j * sizes.n_slots() + slot) * sizes.snapshot_pairs();
}

// Rows of the pairs of the first positions, in a code graph and in a snapshot of it.
struct SnapshotRows {
    i64 n_rows, length, code_step, snapshot_step;
};

inline SnapshotRows snapshot_rows(const Codebook &codes, i64 used) {
    const LearnerSizes &sizes = codes.sizes;
    if (sizes.snapshot_order == sizes.order) {
        const PairRows rows = codes.pair_rows(used);
        return {rows.n_rows, rows.length, rows.step, rows.step};
    }
    const i64 n = least(used, sizes.snapshot_order), q = sizes.pair_channels;
    return {n, n * q, sizes.order * q, sizes.snapshot_order * q};
}

// Norm of code graph j beyond the positions that snapshots hold, at least.
inline double norm_outside(const Codebook &codes, const State &state, i64 j) {
    const LearnerSizes &sizes = codes.sizes;
    if (codes.order[j] <= sizes.snapshot_order) return 0.0;
    const double *nodes = codes.nodes_of(j), *pairs = codes.pairs_of(j);
    const double node_part = lane_sum(sizes.snapshot_nodes(), [=](i64 c) { return squared(nodes[c]); });
    double pair_part = 0.0;
    const SnapshotRows rows = snapshot_rows(codes, codes.order[j]);
    for (i64 row = 0; row < rows.n_rows; row++) {
        const double *values = pairs + row * rows.code_step;
        pair_part += lane_sum(rows.length, [=](i64 c) { return squared(values[c]); });
    }
    const double sq_norm = state.code_sq_norm[j];
    const double rest = sq_norm - node_part - 0.5 * codes.pair_weight * pair_part;
    return std::sqrt(most(rest, 0.0) + ROUNDING * sq_norm);
}

// Take a snapshot of the current code graph j.
inline void copy_to_slot(const Codebook &codes, State &state, i64 j, i64 slot) {
    const LearnerSizes &sizes = codes.sizes;
    const i64 at = j * sizes.n_slots() + slot;
    std::memcpy(snapshot_nodes(state, sizes, j, slot), codes.nodes_of(j),
                static_cast<std::size_t>(sizes.snapshot_nodes()) * sizeof(double));
    // Also what the snapshot before has had in use: it is to be zero again.
    const SnapshotRows rows = snapshot_rows(codes, most(codes.order[j], state.drift_order[at]));
    for (i64 row = 0; row < rows.n_rows; row++) {
        std::memcpy(snapshot_pairs(state, sizes, j, slot) + row * rows.snapshot_step, codes.pairs_of(j) + row * rows.code_step,
                    static_cast<std::size_t>(rows.length) * sizeof(double));
    }
    state.drift_order[at] = codes.order[j];
    state.drift_outside[at] = norm_outside(codes, state, j);
    state.drift_taken_at[at] = state.drift_path[j];
}

// Store the current code graph j in a slot.
inline void take_snapshot(const Codebook &codes, State &state, double *lead, i64 j, i64 slot) {
    copy_to_slot(codes, state, j, slot);
    lead[j * codes.sizes.n_slots() + slot] = -state.drift_path[j];
}

// Make the current code graphs the only reference of bounds.
inline void take_all_snapshots(const Codebook &codes, State &state) {
    for (i64 j = 0; j < codes.sizes.n_codes; j++) {
        for (i64 slot = 0; slot < codes.sizes.n_slots(); slot++) copy_to_slot(codes, state, j, slot);
    }
}

// |y - snapshot|, by differences; of what snapshots do not hold, the norms tell how far it can have moved.
inline double distance_to_slot(const Codebook &codes, const State &state, i64 j, i64 slot) {
    const LearnerSizes &sizes = codes.sizes;
    const i64 at = j * sizes.n_slots() + slot;
    const double *nodes = codes.nodes_of(j), *then_nodes = snapshot_nodes(state, sizes, j, slot);
    const double *pairs = codes.pairs_of(j), *then_pairs = snapshot_pairs(state, sizes, j, slot);
    const SnapshotRows rows = snapshot_rows(codes, most(codes.order[j], state.drift_order[at]));
    const double node_part = lane_sum(sizes.snapshot_nodes(), [=](i64 c) { return squared(nodes[c] - then_nodes[c]); });
    double pair_part = 0.0;
    for (i64 row = 0; row < rows.n_rows; row++) {
        const double *now = pairs + row * rows.code_step, *then = then_pairs + row * rows.snapshot_step;
        pair_part += lane_sum(rows.length, [=](i64 c) { return squared(now[c] - then[c]); });
    }
    const double within = node_part + 0.5 * codes.pair_weight * pair_part;
    const double outside = state.drift_outside[at] + norm_outside(codes, state, j);
    return std::sqrt(within + squared(outside));
}

// Upper bound of |y - snapshot|; the distance itself unless a cheap bound is at most `enough`.
inline double moved(const Codebook &codes, const State &state, double *lead, i64 j, i64 slot, double enough) {
    const i64 at = j * codes.sizes.n_slots() + slot;
    const double bound = lead[at] + state.drift_path[j];
    if (bound <= enough) return bound;
    const double distance = distance_to_slot(codes, state, j, slot);
    lead[at] = distance - state.drift_path[j];
    return distance;
}

// Code graph j has moved by `length`; take a snapshot if one is due.
inline void count_move(const Codebook &codes, State &state, double *lead, i64 j, double length) {
    state.drift_path[j] += length;
    state.drift_steps[j]++;
    if (state.drift_steps[j] % state.drift_spacing[j] != 0) return;
    const i64 n_recent = codes.sizes.n_recent, half = state.drift_half[0];
    const i64 slot = half * n_recent + state.drift_steps[j] / state.drift_spacing[j];
    // A code graph that wins far more often than in the last cycle runs out of slots: its path counts.
    if (slot >= (half + 1) * n_recent) return;
    take_snapshot(codes, state, lead, j, slot);
    state.drift_newest[j] = slot;
}

// Move stored bounds away from the snapshots that the next cycle will overwrite, to one of the end of this cycle, so
// that no bound is lost with its snapshot. WORK hop (k, slots).
struct SnapshotChange {
    const Codebook &codes;
    State &state;
    double *hop;  // distance from a snapshot to the end of the cycle, < 0: not computed yet
    i64 final_slot, other_half;

    void carry_over(i64 j, double &bound, i16 &slot) const {
        const i64 n_recent = codes.sizes.n_recent, begin = other_half * n_recent;
        if (slot != final_slot && (slot < begin || slot >= begin + n_recent)) return;
        double &way = hop[j * codes.sizes.n_slots() + slot];
        if (way < 0.0) way = moved(codes, state, state.lead, j, slot, 0.0);
        bound -= way;
        slot = static_cast<i16>(final_slot);
    }
};

inline void end_cycle_of_snapshots(const Codebook &codes, State &state, i64 cycle, double *hop) {
    const LearnerSizes &sizes = codes.sizes;
    const i64 n_recent = sizes.n_recent, k = sizes.n_codes;
    const i64 final_slot = 2 * n_recent + cycle % sizes.n_final, other = 1 - state.drift_half[0];
    for (i64 at = 0; at < k * sizes.n_slots(); at++) hop[at] = -1.0;
    const SnapshotChange change{codes, state, hop, final_slot, other};
    for (i64 i = 0; i < sizes.n_graphs; i++) {
        for (i64 j = 0; sizes.n_groups == 0 && j < k; j++) {
            change.carry_over(j, state.lower[i * k + j], state.lower_snapshot[i * k + j]);
        }
        if (state.label[i] >= 0) change.carry_over(state.label[i], state.second_lower[i], state.second_snapshot[i]);
    }
    for (i64 j = 0; j < k; j++) {
        take_snapshot(codes, state, state.lead, j, final_slot);
        take_snapshot(codes, state, state.lead, j, other * n_recent);
        state.drift_newest[j] = other * n_recent;
        state.drift_spacing[j] = 1 + state.drift_steps[j] / n_recent;
        state.drift_steps[j] = 0;
    }
    state.drift_half[0] = other;
}

}  // namespace gq
