// CLASSIFY of Algorithm 1: match the graph with every code graph.
#pragma once

#include "learning/learner.hpp"

namespace gq {

// Y_X = argmin d(X, Y), ties to the lowest index; x_a aligned with it. k matchings.
inline void classify_standard(Learner &L, Worker &M, i64 i) {
    i64 winner = -1;
    double best_sq = 0.0;
    for (i64 j = 0; j < L.sizes.n_codes; j++) {
        const double d_sq = match_code(L, M, i, j);
        if (M.is_stopped()) return;
        if (winner < 0 || d_sq < best_sq) {
            winner = j;
            best_sq = d_sq;
            keep_found(L, M, i);
        }
    }
    set_winner(L, M, i, winner);
}

}  // namespace gq
