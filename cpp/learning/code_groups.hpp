// Groups of code graphs that share one lower bound, where a bound for each would take too much memory.
//
// A group moves as far as the fastest of its code graphs. That is counted in short epochs: what a bound lost in past
// epochs is one number for each group, and within an epoch the paths of its members tell.
#pragma once

#include "learning/state.hpp"

namespace gq {

// How far the fastest members of group g have come, over all epochs.
inline double reach(const State &state, i64 g) {
    double furthest = 0.0;
    for (i64 m = state.group_ptr[g]; m < state.group_ptr[g + 1]; m++) {
        const i64 j = state.group_member[m];
        furthest = most(furthest, state.drift_path[j] - state.group_since[j]);
    }
    return state.group_past[g] + furthest;
}

// Add this epoch to the past ones.
inline void begin_epoch(const LearnerSizes &sizes, State &state) {
    if (sizes.n_groups == 0) return;
    for (i64 g = 0; g < sizes.n_groups; g++) state.group_past[g] = reach(state, g);
    for (i64 j = 0; j < sizes.n_codes; j++) state.group_since[j] = state.drift_path[j];
}

// Make groups of code graphs of like norms: norms alone tell many graphs apart from them.
inline void sort_into_groups(const LearnerSizes &sizes, State &state) {
    if (sizes.n_groups == 0) return;
    for (i64 j = 0; j < sizes.n_codes; j++) {
        i64 at = j;
        for (; at > 0 && state.code_sq_norm[state.group_member[at - 1]] > state.code_sq_norm[j]; at--) {
            state.group_member[at] = state.group_member[at - 1];
        }
        state.group_member[at] = j;
    }
    for (i64 g = 0; g <= sizes.n_groups; g++) state.group_ptr[g] = g * sizes.n_codes / sizes.n_groups;
    for (i64 g = 0; g < sizes.n_groups; g++) {
        for (i64 m = state.group_ptr[g]; m < state.group_ptr[g + 1]; m++) state.group_of[state.group_member[m]] = g;
    }
}

}  // namespace gq
