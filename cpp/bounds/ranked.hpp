// The bound of sorted attributes for graphs that move: no mapping gains more, in a channel, than the largest values of one
// graph do on the largest of the other. O(channels * KEPT), where the star bound solves an assignment problem.
//
// bounds/sorted.hpp has it as a distance of whole tables. Here each channel keeps only its values of largest magnitude,
// and of the others their norm: a code graph with an edge nearly everywhere is as cheap to compare as any other.
#pragma once

#include "support/arena.hpp"

namespace gq {

// Enough for the nodes and edges of most graphs, which then lose nothing.
inline constexpr i64 KEPT = 64;

// The channels of one graph, the largest magnitudes first.
struct Ranked {
    i64 n_channels;
    double *values;   // (n_channels, KEPT)
    i64 *count;       // (n_channels,)
    i64 *n_negative;  // (n_channels,)  of those kept
    double *rest_sq;  // (n_channels,)  sum of squares of those not kept
};

inline Ranked take_ranked(Arena &arena, i64 n_graphs, i64 n_channels) {
    const i64 n = n_graphs * n_channels;
    return {n_channels, arena.take<double>(n * KEPT), arena.take<i64>(n), arena.take<i64>(n), arena.take<double>(n)};
}

// Those of graph i, where there are several in a table.
inline Ranked ranked_of(const Ranked &table, i64 i) {
    const i64 first = i * table.n_channels;
    return {table.n_channels, table.values + first * KEPT, table.count + first, table.n_negative + first,
            table.rest_sq + first};
}

inline void forget_values(const Ranked &out) {
    for (i64 c = 0; c < out.n_channels; c++) {
        out.count[c] = out.n_negative[c] = 0;
        out.rest_sq[c] = 0.0;
    }
}

// Insert a value of channel c; if there are too many, the smallest joins the rest.
inline void rank_value(const Ranked &out, i64 c, double value) {
    if (value == 0.0) return;
    double *kept = out.values + c * KEPT;
    i64 &count = out.count[c];
    if (count == KEPT) {
        const double last = kept[KEPT - 1];
        if (std::fabs(value) <= std::fabs(last)) {
            out.rest_sq[c] += squared(value);
            return;
        }
        out.rest_sq[c] += squared(last);
        out.n_negative[c] -= last < 0.0 ? 1 : 0;
        count--;
    }
    i64 at = count++;
    for (; at > 0 && std::fabs(kept[at - 1]) < std::fabs(value); at--) kept[at] = kept[at - 1];
    kept[at] = value;
    out.n_negative[c] += value < 0.0 ? 1 : 0;
}

// The values of one sign in one channel, in order.
class Signed {
  public:
    Signed(const Ranked &of, i64 c, bool is_negative)
        : values_(of.values + c * KEPT), count_(of.count[c]), rest_sq_(of.rest_sq[c]), is_negative_(is_negative) {
        skip();
    }
    bool is_over() const { return at_ == count_; }
    double value() const { return values_[at_]; }
    void advance() {
        at_++;
        skip();
    }
    // Norm of all that is left, with what was not kept, of whichever sign.
    double tail() {
        double sum = rest_sq_;
        for (; !is_over(); advance()) sum += squared(value());
        return std::sqrt(sum);
    }

  private:
    void skip() {
        while (at_ < count_ && (values_[at_] < 0.0) != is_negative_) at_++;
    }
    const double *values_;
    i64 at_ = 0, count_;
    double rest_sq_;
    bool is_negative_;
};

// The most that values of one sign gain on each other: sorted ones by rearrangement, the others by their norms.
inline double gain_of_sign(const Ranked &a, const Ranked &b, i64 c, bool is_negative) {
    Signed x(a, c, is_negative), y(b, c, is_negative);
    double total = 0.0;
    for (; !x.is_over() && !y.is_over(); x.advance(), y.advance()) total += x.value() * y.value();
    if (a.rest_sq[c] > 0.0 || b.rest_sq[c] > 0.0) total += x.tail() * y.tail();
    return total;
}

// At least the product of the two tables of values, however their rows are matched.
inline double ranked_gain(const Ranked &a, const Ranked &b) {
    double total = 0.0;
    for (i64 c = 0; c < a.n_channels; c++) {
        if (a.count[c] == 0 || b.count[c] == 0) continue;
        if (a.n_negative[c] < a.count[c] || a.rest_sq[c] > 0.0) total += gain_of_sign(a, b, c, false);
        if (a.n_negative[c] > 0 || a.rest_sq[c] > 0.0) total += gain_of_sign(a, b, c, true);
    }
    return total;
}

}  // namespace gq
