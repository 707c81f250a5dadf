// Exponentials and normalisation of whole rows, for graduated assignment: in blocks of lanes and in a fixed order,
// so that results are the same on every processor.
#pragma once

#include "support/lanes.hpp"

namespace gq {

// Exponents beyond these would leave the range of float64.
inline constexpr double LARGEST_EXPONENT = 700.0;

// exp(x) to about 10 digits, limited to exp(-700) and exp(700); NaN counts as -inf. Not std::exp, because
// results must not depend on the C library, and because this form is vectorised.
inline double bounded_exponential(double x) {
    // log 2 in two parts: n times the first has no rounding error.
    constexpr double LOG2_E = 1.4426950408889634;
    constexpr double LOG_2_HIGH = 6.93147180369123816490e-01, LOG_2_LOW = 1.90821492927058770002e-10;
    // Adding and subtracting this number rounds to whole n, and leaves n in the last bits of the sum.
    constexpr double SHIFT = 1.5 * 4503599627370496.0;
    x = x > -LARGEST_EXPONENT ? x : -LARGEST_EXPONENT;
    x = x < LARGEST_EXPONENT ? x : LARGEST_EXPONENT;
    // x = n log 2 + r
    const double shifted = x * LOG2_E + SHIFT;
    const double n = shifted - SHIFT;
    double r = x + n * -LOG_2_HIGH;
    r = r + n * -LOG_2_LOW;
    // The series up to r^8, in independent pieces.
    const double r2 = r * r, r4 = r2 * r2;
    const double low = (1.0 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
    double high = 1.0 / 24 + r * (1.0 / 120);
    high = high + r2 * (1.0 / 720 + r * (1.0 / 5040));
    high = high + r4 * (1.0 / 40320);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52U;
    double power = 0.0;
    std::memcpy(&power, &bits, sizeof power);
    return (low + r4 * high) * power;
}

// INOUT E = exp(E); OUT almost zero after the end of the rows, up to the end of their blocks.
inline void exponentiate(Matrix<double> E, i64 nx, i64 ny) {
    const i64 end = whole_blocks(ny);
    for (i64 r = 0; r < nx; r++) {
        for (i64 p = ny; p < end; p++) E[r][p] = -INF;
    }
    // After all of them: reading whole blocks that were just written in parts stalls the processor.
    for (i64 r = 0; r < nx; r++) {
        double *row = E[r];
        for (i64 p = 0; p < end; p++) row[p] = bounded_exponential(row[p]);
    }
}

// Sums of rows and columns of up to this many blocks stay in registers.
inline constexpr i64 SHORT_BLOCKS = 5;

// Scale the rows of u E v to a sum of one, then the columns; each has a slack entry of u or v. INOUT u, v. Returns
// the total deviation of the row sums from one. For N_BLOCKS blocks of columns.
template <i64 N_BLOCKS>
inline double normalise_short_rows(Matrix<double> E, i64 n_rows, double *u, double *v) {
    constexpr i64 N_VECTORS = N_BLOCKS * LANES / IN_REGISTER, IN_BLOCK = LANES / IN_REGISTER;
    Vector column[N_VECTORS];
    unrolled<N_VECTORS>([&](auto at) { column[at] = 1.0 - Vector{}; });
    double change = 0.0;
    for (i64 r = 0; r < n_rows; r++) {
        const double *e = E[r];
        Vector lanes[IN_BLOCK];
        unrolled<IN_BLOCK>([&](auto at) { lanes[at] = vector_at(e + at * IN_REGISTER) * vector_at(v + at * IN_REGISTER); });
        unrolled<N_VECTORS - IN_BLOCK>([&](auto rest) {
            constexpr i64 at = rest + IN_BLOCK;
            lanes[at % IN_BLOCK] += vector_at(e + at * IN_REGISTER) * vector_at(v + at * IN_REGISTER);
        });
        const double total = 1.0 + add_lanes(lanes);
        change += std::fabs(u[r] * total - 1.0);
        const double scale = 1.0 / total;
        u[r] = scale;
        unrolled<N_VECTORS>([&](auto at) { column[at] += scale * vector_at(e + at * IN_REGISTER); });
    }
    unrolled<N_VECTORS>([&](auto at) { vector_at(v + at * IN_REGISTER) = 1.0 / column[at]; });
    return change;
}

// The same for rows of any length. WORK column (ny,).
inline double normalise_long_rows(Matrix<double> E, i64 nx, i64 ny, double *u, double *v, double *column) {
    for (i64 p = 0; p < ny; p++) column[p] = 1.0;
    double change = 0.0;
    for (i64 r = 0; r < nx; r++) {
        const double *e = E[r];
        const double total = 1.0 + lane_sum(ny, [&](i64 p) { return e[p] * v[p]; });
        change += std::fabs(u[r] * total - 1.0);
        u[r] = 1.0 / total;
        const double scale = u[r];
        for (i64 p = 0; p < ny; p++) column[p] += e[p] * scale;
    }
    for (i64 p = 0; p < ny; p++) v[p] = 1.0 / column[p];
    return change;
}

inline double normalise_once(Matrix<double> E, i64 nx, i64 ny, double *u, double *v, double *column) {
    switch (whole_blocks(ny) / LANES) {
        case 0:
        case 1: return normalise_short_rows<1>(E, nx, u, v);
        case 2: return normalise_short_rows<2>(E, nx, u, v);
        case 3: return normalise_short_rows<3>(E, nx, u, v);
        case 4: return normalise_short_rows<4>(E, nx, u, v);
        case SHORT_BLOCKS: return normalise_short_rows<SHORT_BLOCKS>(E, nx, u, v);
        default: return normalise_long_rows(E, nx, ny, u, v, column);
    }
}

// Sinkhorn: rows, then columns, until the total deviation of the row sums from one is within `tolerance`.
//
// The normalised matrix is u[r] E[r][p] v[p] (OUT u, v; WORK column). Slack entries start as one: that of a row ends
// as u[r], that of a column as v[p].
inline void normalise(Matrix<double> E, i64 nx, i64 ny, i64 max_iter, double tolerance, double *u, double *v, double *column) {
    for (i64 iteration = 0; iteration < max_iter; iteration++) {
        if (normalise_once(E, nx, ny, u, v, column) < tolerance) return;
    }
}

}  // namespace gq
