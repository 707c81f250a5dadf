// Swap search for k medoids on a matrix of dissimilarities (Schubert and Rousseeuw, Fast and eager k-medoids
// clustering, 2021): each candidate in turn is tried in place of every medoid at once, and the best of these swaps is made
// immediately if it helps. A candidate costs O(n + k).
#pragma once

#include "support/arena.hpp"
#include "support/stop.hpp"

namespace gq {

// Flags that are looked at together.
inline constexpr i64 EIGHT = sizeof(std::uint64_t);

// For each object its nearest medoid and the next one.
struct Medoids {
    Matrix<const double> D;  // (candidates, n)
    i64 n_candidates, n, k;
    i64 *medoids;            // (k,)  different candidates
    double far;              // replaces the distance to a second medoid if there is none
    i64 *nearest = nullptr, *runner_up = nullptr;  // (n,)
    double *value = nullptr, *second = nullptr;  // (n,)
    double *loss = nullptr, *change = nullptr;  // (k,)
    bool *is_medoid = nullptr;  // (candidates,)
    std::uint8_t *is_near = nullptr;  // (n,) and zeros to the end of the last eight

    void allocate(Arena &arena) {
        nearest = arena.take<i64>(n);
        runner_up = arena.take<i64>(n);
        value = arena.take<double>(n);
        second = arena.take<double>(n);
        loss = arena.take<double>(k);
        change = arena.take<double>(k);
        is_medoid = arena.take<bool>(n_candidates);
        is_near = arena.take<std::uint8_t>((n + EIGHT - 1) / EIGHT * EIGHT);
    }
};

// OUT the nearest and second nearest medoid of object o.
inline void find_two_nearest(Medoids &at, i64 o) {
    double best = INF, next_best = at.far;
    i64 best_at = 0, next_at = -1;
    for (i64 m = 0; m < at.k; m++) {
        const double d = at.D[at.medoids[m]][o];
        if (d < best) {
            if (best < at.far) {
                next_best = best;
                next_at = best_at;
            }
            best = d;
            best_at = m;
        } else if (d < next_best) {
            next_best = d;
            next_at = m;
        }
    }
    at.nearest[o] = best_at;
    at.value[o] = best;
    at.runner_up[o] = next_at;
    at.second[o] = next_best;
}

// INOUT the same for all objects, after one medoid has changed.
inline void renew_nearest(Medoids &at, i64 changed) {
    const double *row = at.D[at.medoids[changed]];
    for (i64 o = 0; o < at.n; o++) {
        const double d = row[o];
        if (at.nearest[o] == changed || at.runner_up[o] == changed) {
            find_two_nearest(at, o);
        } else if (d < at.value[o] || (d == at.value[o] && changed < at.nearest[o])) {
            at.runner_up[o] = at.nearest[o];
            at.second[o] = at.value[o];
            at.nearest[o] = changed;
            at.value[o] = d;
        } else if (d < at.second[o]) {
            at.runner_up[o] = changed;
            at.second[o] = d;
        }
    }
}

// OUT loss[m]: the increase of the total if medoid m is removed.
inline void find_removal_losses(Medoids &at) {
    for (i64 m = 0; m < at.k; m++) at.loss[m] = 0.0;
    for (i64 o = 0; o < at.n; o++) at.loss[at.nearest[o]] += at.second[o] - at.value[o];
}

struct Swap {
    i64 medoid;
    double change;  // of the total
};

// OUT at.is_near: the objects that the candidate is nearer to than their second medoid; few if there are many medoids.
inline void find_near(Medoids &at, const double *row) {
    for (i64 o = 0; o < at.n; o++) at.is_near[o] = row[o] < at.second[o] ? 1 : 0;
}

// The medoid that the candidate replaces best.
inline Swap best_swap(Medoids &at, i64 candidate) {
    const double *row = at.D[candidate];
    double shared = 0.0;
    for (i64 m = 0; m < at.k; m++) at.change[m] = at.loss[m];
    find_near(at, row);
    for (i64 begin = 0; begin < at.n; begin += EIGHT) {
        std::uint64_t any = 0;
        std::memcpy(&any, at.is_near + begin, EIGHT);
        if (any == 0) continue;
        for (i64 o = begin; o < begin + EIGHT; o++) {
            if (at.is_near[o] == 0) continue;
            const double d = row[o];
            if (d < at.value[o]) {
                // It wins the object, whichever medoid is removed.
                shared += d - at.value[o];
                at.change[at.nearest[o]] += at.value[o] - at.second[o];
            } else {
                at.change[at.nearest[o]] += d - at.second[o];
            }
        }
    }
    i64 best = 0;
    for (i64 m = 1; m < at.k; m++) {
        if (at.change[m] < at.change[best]) best = m;
    }
    return {best, shared + at.change[best]};
}

inline double total_of(const Medoids &at) {
    double total = 0.0;
    for (i64 o = 0; o < at.n; o++) total += at.value[o];
    return total;
}

// INOUT at.medoids: swapped with other candidates while that reduces the total by more than tol. The reduction is a sum
// of differences, whose sign rounding may turn around: the total itself must fall too, so that no choice of medoids comes
// back and the search ends.
inline void swap_medoids(Medoids &at, double tol, Stop stop) {
    for (i64 m = 0; m < at.k; m++) at.is_medoid[at.medoids[m]] = true;
    for (i64 o = 0; o < at.n; o++) find_two_nearest(at, o);
    find_removal_losses(at);
    double total = total_of(at);
    i64 candidate = 0;
    for (i64 tried = 0; tried < at.n_candidates && !stop.is_set();) {
        tried++;
        if (!at.is_medoid[candidate]) {
            const Swap swap = best_swap(at, candidate);
            if (swap.change < -tol) {
                at.is_medoid[at.medoids[swap.medoid]] = false;
                at.is_medoid[candidate] = true;
                at.medoids[swap.medoid] = candidate;
                renew_nearest(at, swap.medoid);
                const double former = total;
                total = total_of(at);
                if (!(total < former)) return;
                find_removal_losses(at);
                tried = 0;
            }
        }
        candidate = candidate + 1 < at.n_candidates ? candidate + 1 : 0;
    }
}

}  // namespace gq
