// Matchers and bounds on a few random graphs of every kind.
#include "tests/check.hpp"
#include "tests/properties.hpp"

using namespace gq;
using namespace gq::test;

TEST(matchers_find_what_all_mappings_give) {
    for (const Kind &kind : kinds()) {
        for (std::uint64_t seed = 0; seed < 3; seed++) check_matching(kind, seed, 4);
    }
}

TEST(bounds_are_below_all_mappings) {
    for (const Kind &kind : kinds()) {
        for (std::uint64_t seed = 0; seed < 6; seed++) check_bounds(kind, seed, 4);
    }
}

TEST(solvers_agree_on_larger_graphs) {
    for (const Kind &kind : kinds()) {
        for (std::uint64_t seed = 0; seed < 2; seed++) check_larger(kind, seed, 12);
    }
}
