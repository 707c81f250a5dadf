// Costs that mappings can have at all: with unit costs, or one kind of bond, they are far apart.
//
// The cost of a mapping is a constant minus whole multiples of a few units: what a node gains more on one label than on
// another, and what a pair of edges gains. A search may then skip everything that is not a whole step better than the
// best mapping, and a bound may be rounded up.
#pragma once

#include "graphs/gains.hpp"

namespace gq {

// More units than this make steps too small to be worth the search for them.
inline constexpr i64 MAX_UNITS = 3;
// Whole multiples are recognised up to this share of a unit. Sums of a thousand of them stay below STEP_MARGIN, the
// share of the largest unit by which a step is lowered.
inline constexpr double UNIT_MARGIN = 1e-11, STEP_MARGIN = 1e-7;
// The most combinations of units that are tried, and the smallest unit, as a share of the largest.
inline constexpr double MAX_COMBINATIONS = 1e4, SMALLEST_UNIT = 1e-2;

struct Units {
    double size[MAX_UNITS];
    double most_times[MAX_UNITS];  // how often a unit can count at most
    i64 count;                     // -1: too many
};

// The greatest common divisor of two positive numbers; 0 if they are not whole multiples of any that is large enough.
inline double common_divisor(double a, double b) {
    const double smallest = SMALLEST_UNIT * most(a, b), rounding = UNIT_MARGIN * most(a, b);
    double high = most(a, b), low = least(a, b);
    while (low > rounding) {
        if (low < smallest) return 0.0;
        const double rest = high - std::floor(high / low) * low;
        high = low;
        low = low - rest < rest ? low - rest : rest;
    }
    // Divided again, so that the errors of the steps do not add up.
    const double times = std::floor(most(a, b) / high + 0.5);
    const double unit = most(a, b) / times;
    const double other = std::floor(least(a, b) / unit + 0.5);
    return std::fabs(other * unit - least(a, b)) <= rounding ? unit : 0.0;
}

// INOUT units: with one more difference between costs, which counts up to `times` times.
inline void add_unit(double difference, double times, double negligible, Units &units) {
    const double size = std::fabs(difference);
    if (units.count < 0 || size <= negligible) return;
    for (i64 u = 0; u < units.count; u++) {
        const double own = units.size[u];
        const double unit = own == size ? own : common_divisor(own, size);
        if (unit == 0.0) continue;
        units.most_times[u] = units.most_times[u] * std::floor(own / unit + 0.5) + times * std::floor(size / unit + 0.5);
        units.size[u] = unit;
        return;
    }
    if (units.count == MAX_UNITS) {
        units.count = -1;
        return;
    }
    units.size[units.count] = size;
    units.most_times[units.count++] = times;
}

// The least sum of whole multiples of units that is not negligible; 0 if it was not looked for.
inline double least_step(const Units &units, double negligible) {
    if (units.count <= 0) return 0.0;
    if (units.count == 1) return units.size[0];
    const double second_times = std::ceil(units.most_times[1]);
    const double third_times = units.count > 2 ? std::ceil(units.most_times[2]) : 0.0;
    if ((2.0 * second_times + 1.0) * (2.0 * third_times + 1.0) > MAX_COMBINATIONS) return 0.0;
    double step = units.size[0];
    for (double i = -second_times; i <= second_times; i += 1.0) {
        for (double j = -third_times; j <= third_times; j += 1.0) {
            const double value = i * units.size[1] + (units.count > 2 ? j * units.size[2] : 0.0);
            // What is left of the first unit, to both sides.
            const double rest = value - std::floor(value / units.size[0]) * units.size[0];
            const double other = units.size[0] - rest;
            if (rest > negligible) step = least(step, rest);
            if (other > negligible) step = least(step, other);
        }
    }
    return step;
}

// What costs of mappings differ by at least if they do, less a margin for rounding; 0: unknown. gain: node gains, -inf:
// forbidden; edge_gain (nx slots, ny slots).
inline double step_of_costs(const GraphView &x, const GraphView &y, bool has_zero_label, Matrix<double> gain,
                            Matrix<double> edge_gain) {
    Units units{};
    const double negligible = ROUNDING * (x.sq_norm + y.sq_norm);
    for (i64 k = 0; k < x.n_slots() && units.count >= 0; k++) {
        double last = 0.0;
        for (i64 m = 0; m < y.n_slots() && units.count >= 0; m++) {
            const double value = edge_gain[k][m];
            if (value == last) continue;
            last = value;
            // Both ends of an edge of X are here.
            add_unit(value, 0.5, negligible, units);
        }
    }
    for (i64 r = 0; r < x.order && units.count >= 0; r++) {
        double first = has_zero_label ? 0.0 : -INF, last = -INF;
        for (i64 p = 0; p < y.order; p++) {
            const double value = gain[r][p];
            if (value == -INF || value == last) continue;
            last = value;
            if (first == -INF) first = value;
            add_unit(value - first, 1.0, negligible, units);
        }
    }
    double largest = 0.0;
    for (i64 u = 0; u < units.count; u++) largest = most(largest, units.size[u]);
    return most(0.0, least_step(units, negligible) - STEP_MARGIN * largest);
}

// What a mapping better than one of this cost stays below.
inline double next_attainable_below(double step, double cost, double tolerance) { return cost - most(0.5 * tolerance, step); }

}  // namespace gq
