// Numbers side by side in vector registers: the same operations on all of them, so the same bits everywhere.
//
// Compilers vectorise most loops by themselves. This is for loops whose sums have to stay in
// registers from one iteration to the next, which they miss.
#pragma once

#include <utility>

#include "support/basics.hpp"

namespace gq {

#if defined(__GNUC__)
// As many numbers as the registers of the CPU level hold; more would spill to memory.
#if defined(__AVX__)
inline constexpr i64 IN_REGISTER = 4;
#else
inline constexpr i64 IN_REGISTER = 2;
#endif
typedef double Vector __attribute__((vector_size(IN_REGISTER * sizeof(double))));
typedef double VectorInMemory __attribute__((vector_size(IN_REGISTER * sizeof(double)), aligned(sizeof(double)), may_alias));

inline double element(const Vector &vector, i64 at) { return vector[at]; }
#else
inline constexpr i64 IN_REGISTER = 1;
using Vector = double;
using VectorInMemory = double;

inline double element(Vector vector, i64) { return vector; }
#endif

inline VectorInMemory &vector_at(double *place) { return *reinterpret_cast<VectorInMemory *>(place); }
inline const VectorInMemory &vector_at(const double *place) { return *reinterpret_cast<const VectorInMemory *>(place); }

// step(0), ..., step(N - 1) with numbers known at compile time: arrays that only they index are kept in registers.
template <i64 N, class Step>
inline void unrolled(Step step) {
    [&]<i64... I>(std::integer_sequence<i64, I...>) {
        (step(std::integral_constant<i64, I>{}), ...);
    }(std::make_integer_sequence<i64, N>{});
}

// The sum of one block of lanes, in the order of add_lanes().
inline double add_lanes(const Vector (&block)[LANES / IN_REGISTER]) {
    double lane[LANES];
    unrolled<LANES>([&](auto l) { lane[l] = element(block[l / IN_REGISTER], l % IN_REGISTER); });
    return add_lanes(lane);
}

}  // namespace gq
