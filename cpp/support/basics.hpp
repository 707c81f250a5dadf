// Types that every file uses: integers, matrices as views, and sums in a fixed order.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace gq {

using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

inline constexpr double INF = std::numeric_limits<double>::infinity();

// Relative to |X|^2 + |Y|^2: gains closer than this are equal, and bounds are reduced by it before they
// count as certified. Sums of a few thousand float64 terms stay well below.
inline constexpr double ROUNDING = 1e-12;

// A matrix in C order, not owned.
template <class T>
struct Matrix {
    T *data = nullptr;
    i64 width = 0;

    T *operator[](i64 row) const { return data + row * width; }
};

template <class T>
inline T least(T a, T b) {
    return b < a ? b : a;
}

template <class T>
inline T most(T a, T b) {
    return a < b ? b : a;
}

inline double squared(double value) { return value * value; }

// Numbers that are summed side by side, so that a compiler can use vector instructions without changing the
// order of any sum: the same bits on every processor.
inline constexpr i64 LANES = 8;

inline i64 whole_blocks(i64 length) { return (length + LANES - 1) / LANES * LANES; }

inline double add_lanes(const double *lane) {
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

// The fixed eight-lane sum of term(0) to term(n - 1): whole blocks lane by lane, then the rest in order.
template <class Term>
inline double lane_sum(i64 n, Term term) {
    double lane[LANES] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    i64 at = 0;
    for (; at + LANES <= n; at += LANES) {
        for (i64 l = 0; l < LANES; l++) lane[l] += term(at + l);
    }
    double total = add_lanes(lane);
    for (; at < n; at++) total += term(at);
    return total;
}

// The smallest of some numbers, by lanes as well: the choice among equal numbers makes no difference.
inline double least_of(const double *value, i64 n) {
    double lane[LANES] = {INF, INF, INF, INF, INF, INF, INF, INF};
    i64 at = 0;
    for (; at + LANES <= n; at += LANES) {
        for (i64 l = 0; l < LANES; l++) lane[l] = value[at + l] < lane[l] ? value[at + l] : lane[l];
    }
    double found = INF;
    for (i64 l = 0; l < LANES; l++) found = lane[l] < found ? lane[l] : found;
    for (; at < n; at++) found = value[at] < found ? value[at] : found;
    return found;
}

}  // namespace gq
