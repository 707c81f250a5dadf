// One stored bound for each graph and group of code graphs: "lossless" with little memory.
//
// lower[i, g] bounds the distance of X to every code graph of group g except the winner, after Yinyang k-means (Ding
// and others, 2015). A group whose bound is too low is opened: its code graphs are bounded by stars, the remaining ones
// are matched, and the smallest value found is the new bound.
#pragma once

#include "learning/classify/own_bounds.hpp"

namespace gq {

struct GroupBounds {
    static double &lower(Learner &L, i64 i, i64 g) { return L.state.lower[i * L.sizes.n_groups + g]; }

    // Lower the bound of the group of code graph j to a currently valid bound of a member.
    static void keep(Learner &L, i64 i, i64 j, double bound) {
        const i64 g = L.state.group_of[j];
        // As if found when the epoch began: the movement since then is subtracted from it.
        lower(L, i, g) = least(lower(L, i, g), bound + L.state.group_past[g]);
    }

    // Groups know too little about a single code graph.
    static i64 guess_winner(const Learner &, const Worker &, i64) { return -1; }

    // OUT M.candidates: code graphs, except the winner, of groups that are not ruled out; returns their number.
    // The bounds of these groups are left open, at infinity.
    static i64 open_groups(Learner &L, Worker &M, i64 i, i64 winner, double sq_distance) {
        const State &state = L.state;
        i64 count = 0;
        for (i64 g = 0; g < L.sizes.n_groups; g++) {
            const i64 begin = state.group_ptr[g], end = state.group_ptr[g + 1];
            double largest = 0.0;
            for (i64 m = begin; m < end; m++) largest = most(largest, state.code_sq_norm[state.group_member[m]]);
            const double slack = MARGIN * (state.sq_norm[i] + largest);
            if (is_beyond(lower(L, i, g) - reach(state, g), sq_distance, slack)) continue;
            lower(L, i, g) = INF;
            for (i64 m = begin; m < end; m++) {
                if (state.group_member[m] != winner) M.candidates[count++] = state.group_member[m];
            }
        }
        return count;
    }

    // OUT M.candidates, M.key: all code graphs of open groups, smallest bound first.
    static i64 find_candidates(Learner &L, Worker &M, i64 i, i64 winner, double sq_distance) {
        const i64 count = open_groups(L, M, i, winner, sq_distance);
        for (i64 m = 0; m < count; m++) {
            const i64 j = M.candidates[m];
            OwnBounds::insert_candidate(M, m, j, fresh_bound(L, M, i, j, sq_distance));
        }
        return count;
    }

    static void note_match(Learner &, Worker &M, i64, i64 m, i64) { M.key[m] = most(M.key[m], std::sqrt(M.found_sq_lower)); }

    static void close(Learner &L, Worker &M, i64 i, i64 count, i64 winner, i64 before, double before_lower_sq) {
        for (i64 m = 0; m < count; m++) {
            if (M.candidates[m] != winner) keep(L, i, M.candidates[m], M.key[m]);
        }
        if (before >= 0 && winner != before) keep(L, i, before, std::sqrt(before_lower_sq));
    }

    // Interrupted: the values found are not bounds of the opened groups.
    static void abandon(Learner &L, Worker &M, i64 i, i64 count) {
        for (i64 m = 0; m < count; m++) lower(L, i, L.state.group_of[M.candidates[m]]) = 0.0;
    }
};

}  // namespace gq
