// CLASSIFY with the fewest matchings: like lossless, but alignments may lag behind a little.
//
// Where distances are proven, all bounds hold as in lossless.hpp, so that a code graph is ruled out only if it is not the
// winner; elsewhere the distance that was found takes the place of a bound. The lift is relaxed: x_a is reused while it is up
// to date, which means that no other lift can be nearer to the winner by more than a share SLACK of the distance. If the
// matcher proved x_a, that is known from the second-best alignment; else x_a counts as the best one when it was found.
#pragma once

#include "learning/classify/lossless.hpp"

namespace gq {

// On letters and GREC, 0.1 to 0.3 did not change the distortion; 0.3 needed a third of the matchings of 0.
inline constexpr double SLACK = 0.25;

// Whether the certificate of x_a is still valid, within the slack.
inline bool is_up_to_date(const Learner &L, const Worker &M, i64 i, double d_sq) {
    const double needed = (1.0 - SLACK) * std::sqrt(d_sq);
    return second_lower_now(L, M, i, needed) >= needed;
}

inline Winner align_if_needed(Learner &L, Worker &M, i64 i) {
    const double d_sq = sq_distance_to_winner(L, i);
    if (is_up_to_date(L, M, i, d_sq)) return {L.state.label[i], d_sq, 0.0, false};
    return renew_alignment(L, M, i, d_sq);
}

// Graph i is as far from code graph j as the last match has found. Where it is not proven, the distance found is the best
// known of its time, as x_a is: a certified bound would be below the distance to the winner again and again, and the
// same match be made each time.
inline void keep_distance(Learner &L, i64 i, i64 j, double sq_distance, double sq_lower) {
    const bool is_proven = sq_distance - sq_lower <= margin(L, i, j);
    if (!is_proven) L.state.is_estimated[i] = true;
    OwnBounds::keep(L, i, j, std::sqrt(is_proven ? sq_lower : sq_distance));
}

// Find a code graph that no other is known to be nearer than.
inline void classify_fast(Learner &L, Worker &M, i64 i) {
    const i64 before = L.state.label[i];
    Winner winner = before >= 0 ? align_if_needed(L, M, i) : match_first<OwnBounds>(L, M, i);
    const Winner last = winner;
    const i64 count = OwnBounds::find_candidates(L, M, i, winner.code, winner.sq_distance);
    for (i64 m = 0; m < count && !M.is_stopped(); m++) {
        const i64 j = M.candidates[m];
        if (is_beyond(M.key[m], winner.sq_distance, margin(L, i, j))) continue;
        const double d_sq = match_code(L, M, i, j, HOPELESS * winner.sq_distance);
        if (M.is_stopped()) return;
        keep_distance(L, i, j, d_sq, M.found_sq_lower);
        if (winner.code < 0 || d_sq < winner.sq_distance || (d_sq == winner.sq_distance && j < winner.code)) {
            winner = {j, d_sq, M.found_sq_lower, true};
            keep_found(L, M, i);
        }
    }
    if (M.is_stopped()) return;
    if (last.code >= 0 && winner.code != last.code) keep_distance(L, i, last.code, last.sq_distance, last.sq_lower);
    if (!winner.is_matched) return;
    set_winner(L, M, i, winner.code);
    certify(L, M, i, std::sqrt(winner.sq_distance));
}

}  // namespace gq
