// What must hold for graphs of any kind: the unit tests try a few seeds, the fuzzer (fuzz_core.cpp) as many as requested.
#pragma once

#include "tests/random_graphs.hpp"

namespace gq::test {

// Every matcher, with and without known mappings, and second-best mappings, against all mappings.
void check_matching(const Kind &kind, std::uint64_t seed, i64 max_order);
// Every bound, each alone and up to a threshold, against all mappings.
void check_bounds(const Kind &kind, std::uint64_t seed, i64 max_order);
// Solvers against each other if there are too many mappings to try.
void check_larger(const Kind &kind, std::uint64_t seed, i64 max_order);
// Learning by each algorithm: stored bounds hold at every moment, and winners are those of plain loops.
void check_learning(const Kind &kind, std::uint64_t seed, i64 max_order);

}  // namespace gq::test
