// A stored bound for each graph and code graph, by which "lossless" and "fast" rule out code graphs.
//
// lower[i, j] bounds d(X, Y_j); it counts from the snapshot lower_snapshot[i, j].
#pragma once

#include "learning/learner.hpp"

namespace gq {

// Of code graphs that seem nearest by cheap bounds, so many get sharp ones before the first match.
inline constexpr i64 GUESSES = 8;

struct OwnBounds {
    // The current value of the stored bound of graph i and code graph j.
    static double lower_now(const Learner &L, const Worker &M, i64 i, i64 j, double needed) {
        const i64 at = i * L.sizes.n_codes + j;
        return bound_now(L, M, j, L.state.lower[at], L.state.lower_snapshot[at], needed);
    }

    static void keep(Learner &L, i64 i, i64 j, double bound) {
        const i64 at = i * L.sizes.n_codes + j;
        keep_bound(L, j, bound, L.state.lower[at], L.state.lower_snapshot[at]);
    }

    // Code graph with the smallest bound, to be matched first: with that distance known, cheap bounds rule out most
    // others. -1 if some have no bound from the start, and no cheap one either.
    static i64 guess_winner(Learner &L, Worker &M, i64 i) {
        bool are_cheap = false;
        i64 count = 0;
        for (i64 j = 0; j < L.sizes.n_codes; j++) {
            if (L.state.lower[i * L.sizes.n_codes + j] <= 0.0) {
                if (!L.codes.has_ranks()) return -1;
                keep(L, i, j, std::sqrt(most(0.0, ranked_bound(L, M, i, j))));
                are_cheap = true;
            }
            insert_candidate(M, count++, j, lower_now(L, M, i, j, 0.0));
        }
        return are_cheap ? sharpest_guess(L, M, i, least(count, GUESSES)) : M.candidates[0];
    }

    // The first `count` candidates get star bounds; returns the one with the smallest.
    static i64 sharpest_guess(Learner &L, Worker &M, i64 i, i64 count) {
        i64 guess = -1;
        double smallest = INF;
        for (i64 m = 0; m < count; m++) {
            const i64 j = M.candidates[m];
            const double bound = most(M.key[m], std::sqrt(bound_code(L, M, i, j)));
            keep(L, i, j, bound);
            if (bound >= smallest) continue;
            guess = j;
            smallest = bound;
        }
        return guess;
    }

    // OUT M.candidates: code graphs, except the winner, that stored bounds do not rule out; returns their number.
    static i64 find_open(const Learner &L, Worker &M, i64 i, i64 winner, double sq_distance) {
        const State &state = L.state;
        const double *lower = state.lower + i * L.sizes.n_codes;
        const i16 *snapshot = state.lower_snapshot + i * L.sizes.n_codes;
        i64 count = 0;
        for (i64 j = 0; j < L.sizes.n_codes; j++) {
            if (j == winner) continue;
            const double slack = margin(L, i, j);
            // Nearly always the bound is still sufficient after the last computed movement and the path since.
            const double quick = lower[j] - M.lead[j * L.sizes.n_slots() + snapshot[j]] - state.drift_path[j];
            if (is_beyond(quick, sq_distance, slack)) continue;
            const double enough = lower[j] - std::sqrt(sq_distance + slack);
            const double way = moved(L.codes, state, M.lead, j, snapshot[j], enough);
            if (!is_beyond(lower[j] - way, sq_distance, slack)) M.candidates[count++] = j;
        }
        return count;
    }

    // OUT M.candidates, M.key: code graphs that no bound rules out, including new bounds; smallest bound first.
    static i64 find_candidates(Learner &L, Worker &M, i64 i, i64 winner, double sq_distance) {
        const i64 count = find_open(L, M, i, winner, sq_distance);
        i64 kept = 0;
        for (i64 m = 0; m < count; m++) {
            const i64 j = M.candidates[m];
            const double bound = fresh_bound(L, M, i, j, sq_distance);
            if (bound > lower_now(L, M, i, j, bound)) keep(L, i, j, bound);
            if (is_beyond(bound, sq_distance, margin(L, i, j))) continue;
            insert_candidate(M, kept++, j, bound);
        }
        return kept;
    }

    // Insert a candidate by its bound among the first `count` ones.
    static void insert_candidate(Worker &M, i64 count, i64 j, double bound) {
        i64 at = count;
        for (; at > 0 && M.key[at - 1] > bound; at--) {
            M.candidates[at] = M.candidates[at - 1];
            M.key[at] = M.key[at - 1];
        }
        M.candidates[at] = j;
        M.key[at] = bound;
    }

    // The candidate at place m, code graph j, was matched.
    static void note_match(Learner &L, Worker &M, i64 i, i64, i64 j) { keep(L, i, j, std::sqrt(M.found_sq_lower)); }

    // All candidates are settled; the winner of the last presentation gets its own bound again if it lost.
    static void close(Learner &L, Worker &, i64 i, i64, i64 winner, i64 before, double before_lower_sq) {
        if (before >= 0 && winner != before) keep(L, i, before, std::sqrt(before_lower_sq));
    }

    // Interrupted: all stored bounds are still valid.
    static void abandon(Learner &, Worker &, i64, i64) {}
};

}  // namespace gq
