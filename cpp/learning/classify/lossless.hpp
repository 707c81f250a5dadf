// Lossless CLASSIFY: the winner and the lift that Algorithm 1 finds, with few of its matchings.
//
// second_lower[i] bounds the distance of all lifts but x_a to the winner of the last presentation (the second-best
// alignment); stored bounds (own_bounds.hpp, or group_bounds.hpp if memory is short) bound the distance to all other
// code graphs. So one test settles everything: if |x_a - y_w| is below all of these bounds, then w is still the
// winner, and x_a its best lift.
//
// If a bound fails, it is renewed at increasing cost: by its snapshot, by stars, by matching. Matched distances are those
// of Algorithm 1, bit for bit; only bounds that differ from them by `margin` decide anything, and ties go to the lowest
// index as they do there. A matcher that may not return the optimum must run at every presentation, because its
// result cannot be predicted.
#pragma once

#include "learning/classify/group_bounds.hpp"
#include "learning/classify/own_bounds.hpp"

namespace gq {

// The best code graph so far.
struct Winner {
    i64 code = -1;
    double sq_distance = INF;
    double sq_lower = 0.0;    // certified
    bool is_matched = false;  // else x_a is optimal, and its distance is the distance up to rounding
};

// Match graph i with a code graph, which becomes the best so far.
inline Winner match_best(Learner &L, Worker &M, i64 i, i64 j) {
    const double d_sq = match_code(L, M, i, j);
    keep_found(L, M, i);
    return {j, d_sq, M.found_sq_lower, true};
}

// A code graph at more than this times the squared distance to the winner after one start of an approximate matcher does
// not become the winner by further starts.
inline constexpr double HOPELESS = 1.08;

// Match graph i with its winner again, OUT M.best.
inline Winner renew_alignment(Learner &L, Worker &M, i64 i, double d_sq) {
    const i64 winner = L.state.label[i];
    const double found_sq = is_only_approximated(L, i, winner) ? improve_stored(L, M, i) : match_code(L, M, i, winner);
    if (found_sq <= d_sq) {
        keep_found(L, M, i);
        return {winner, found_sq, M.found_sq_lower, true};
    }
    // An approximate matcher may not find a lift as good as the stored one.
    for (i64 r = 0; r < L.order_of(i); r++) M.best[r] = L.mapping_of(i)[r];
    return {winner, d_sq, M.found_sq_lower, true};
}

// Distance to the winner of the last presentation.
inline Winner align_winner(Learner &L, Worker &M, i64 i) {
    const i64 winner = L.state.label[i];
    const double d_sq = sq_distance_to_winner(L, i), slack = margin(L, i, winner);
    if (L.state.is_estimated[i]) {
        // "fast" has learnt with this alignment: a search from nothing would seldom find a better one.
        Winner renewed = renew_alignment(L, M, i, d_sq);
        renewed.sq_lower = least(most(renewed.sq_lower, bound_code(L, M, i, winner)), renewed.sq_distance);
        return renewed;
    }
    if (L.order_of(i) <= L.proves_up_to) {
        const double second = second_lower_now(L, M, i, std::sqrt(d_sq + slack));
        if (is_beyond(second, d_sq, slack)) return {winner, d_sq, most(0.0, d_sq - 0.1 * slack), false};
    }
    return match_best(L, M, i, winner);
}

// Before the first presentation: a code graph that is probably near, if one is known.
template <class Bounds>
inline Winner match_first(Learner &L, Worker &M, i64 i) {
    const i64 guess = Bounds::guess_winner(L, M, i);
    if (guess < 0) return {};
    const Winner found = match_best(L, M, i, guess);
    Bounds::keep(L, i, guess, std::sqrt(found.sq_lower));
    return found;
}

// Find the winner of Algorithm 1, ties to the lowest index, and its lift.
template <class Bounds>
inline void classify_lossless(Learner &L, Worker &M, i64 i) {
    const i64 before = L.state.label[i];
    Winner winner = before >= 0 ? align_winner(L, M, i) : match_first<Bounds>(L, M, i);
    double before_lower_sq = before >= 0 ? winner.sq_lower : 0.0;
    const i64 count = Bounds::find_candidates(L, M, i, winner.code, winner.sq_distance);
    for (i64 m = 0; m < count && !M.is_stopped(); m++) {
        const i64 j = M.candidates[m];
        if (is_beyond(M.key[m], winner.sq_distance, margin(L, i, j))) continue;
        const double hopeless_sq = L.state.is_estimated[i] ? HOPELESS * winner.sq_distance : INF;
        double d_sq = match_code(L, M, i, j, hopeless_sq);
        if (winner.code >= 0 && !winner.is_matched && std::fabs(d_sq - winner.sq_distance) <= margin(L, i, j)) {
            // The stored lift is optimal, but only the matcher's own value decides when distances are this close.
            winner = match_best(L, M, i, winner.code);
            before_lower_sq = winner.sq_lower;
            d_sq = match_code(L, M, i, j);
        }
        Bounds::note_match(L, M, i, m, j);
        if (winner.code < 0 || d_sq < winner.sq_distance || (d_sq == winner.sq_distance && j < winner.code)) {
            winner = {j, d_sq, M.found_sq_lower, true};
            keep_found(L, M, i);
        }
    }
    if (M.is_stopped()) {
        Bounds::abandon(L, M, i, count);
        return;
    }
    L.state.certified_sq[i] = winner.sq_lower;
    Bounds::close(L, M, i, count, winner.code, before, before_lower_sq);
    if (!winner.is_matched) return;
    set_winner(L, M, i, winner.code);
    if (L.keeps_certificates) certify(L, M, i, 0.0);
}

}  // namespace gq
