// Algorithms 2 to 5 of the paper: accelerated competitive learning.
//
// Where the listing of the paper contradicts its text, the text is followed; each such place says so.
// lower[i, j] is l(X, Y), upper_sq[i] the square of u(X), is_fresh[i] says whether u(X) is up to date.
#pragma once

#include "learning/learner.hpp"

namespace gq {

// Whether both (C1) Y = Y_X and (C2) u(X) <= l(X, Y) are violated.
inline bool is_candidate(const Learner &L, i64 i, i64 j) {
    return j != L.state.label[i] && L.state.upper_sq[i] > squared(L.state.lower[i * L.sizes.n_codes + j]);
}

// Algorithm 4: u(X) = l(X, Y_X) = d(X, Y_X), which is up to date; store x_a.
inline void update_bounds(Learner &L, Worker &M, i64 i, i64 j, double d_sq) {
    L.state.upper_sq[i] = d_sq;
    L.state.lower[i * L.sizes.n_codes + j] = std::sqrt(d_sq);
    L.state.is_fresh[i] = true;
    keep_found(L, M, i);
    // The listing updates the bounds (line 07 of CLASSIFY) before the winner changes (line 08), which would give the new
    // winner's bounds to the old one; the text has the intended order.
    set_winner(L, M, i, j);
}

// Match with code graph j and make it the winner; returns whether the matching ended.
inline bool match_winner(Learner &L, Worker &M, i64 i, i64 j) {
    const double d_sq = match_code(L, M, i, j);
    if (M.is_stopped()) return false;
    update_bounds(L, M, i, j, d_sq);
    return true;
}

// Algorithm 3: delayed distance evaluation.
inline void classify_accelerated(Learner &L, Worker &M, i64 i) {
    State &state = L.state;
    // In the first cycle there is no Y_X yet; the paper does not say which to use. It is the first code graph here.
    if (state.label[i] < 0 && !match_winner(L, M, i, 0)) return;
    for (i64 j = 0; j < L.sizes.n_codes; j++) {
        if (!is_candidate(L, i, j)) continue;
        // The listing says update_bounds(X, Y); the text computes d(X, Y_X).
        if (!state.is_fresh[i] && !match_winner(L, M, i, state.label[i])) return;
        if (!is_candidate(L, i, j)) continue;
        const double d_sq = match_code(L, M, i, j);
        if (M.is_stopped()) return;
        // The listing discards a rejected distance; the text keeps it as l(X, Y).
        state.lower[i * L.sizes.n_codes + j] = std::sqrt(d_sq);
        if (d_sq < state.upper_sq[i]) update_bounds(L, M, i, j, d_sq);
    }
}

// Algorithm 5, at the end of a cycle; shift[j] is delta(Y_j) = d(Y_j, Y_j').
inline void estimate_bounds(Learner &L, const double *shift) {
    State &state = L.state;
    for (i64 i = 0; i < L.sizes.n_graphs; i++) {
        const i64 winner = state.label[i];
        if (winner < 0) continue;
        const double lifted = std::sqrt(sq_distance_to_winner(L, i));
        state.upper_sq[i] = squared(least(std::sqrt(state.upper_sq[i]) + shift[winner], lifted));
        // The listing declares all u(X) out of date; the text only where the code graph moved by more than theta.
        if (shift[winner] > L.theta) state.is_fresh[i] = false;
        for (i64 j = 0; j < L.sizes.n_codes; j++) {
            double &lower = state.lower[i * L.sizes.n_codes + j];
            lower = most(lower - shift[j], 0.0);
        }
    }
}

}  // namespace gq
