// Groups of code graphs that share one lower bound, if a bound for each would take too much memory.
//
// A group moves as far as the fastest of its code graphs. That is counted in short epochs: the loss of a bound in past
// epochs is one number per group, and within an epoch it follows from the paths of the members.
#pragma once

#include "learning/state.hpp"

namespace gq {

// The path of the fastest members of group g, over all epochs.
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

// Group code graphs with similar norms: norms alone then rule out a whole group for many graphs.
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
