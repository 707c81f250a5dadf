// Random graphs of every kind against all mappings, as many as requested: fuzz_core [CASES [FIRST_SEED]].
//
// A failure prints the kind of graphs and the seed; fuzz_core 1 SEED reproduces that case.
#include <cstdlib>

#include "tests/check.hpp"
#include "tests/properties.hpp"

namespace gq::test {
namespace {

void run_case(std::uint64_t seed) {
    Random random{~seed};
    const Kind &kind = kinds()[random.below(static_cast<i64>(kinds().size()))];
    const Context context("again by: fuzz_core 1 " + std::to_string(seed));
    switch (random.below(8)) {
        case 0:
        case 1: check_matching(kind, seed, random.between(1, 4)); break;
        case 2: check_matching(kind, seed, 5); break;
        case 3: check_bounds(kind, seed, random.between(1, 5)); break;
        case 4: check_larger(kind, seed, random.between(6, 12)); break;
        default: check_learning(kind, seed, random.between(2, 4)); break;
    }
}

}  // namespace
}  // namespace gq::test

int main(int count, char **arguments) {
    const long n_cases = count > 1 ? std::atol(arguments[1]) : 1000;
    const std::uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 0;
    long n_done = 0;
    for (; n_done < n_cases && gq::test::n_failed == 0; n_done++) gq::test::run_case(first + n_done);
    std::fprintf(stderr, "%ld cases from seed %llu, %ld failed checks\n", n_done, static_cast<unsigned long long>(first),
                 gq::test::n_failed);
    return gq::test::n_failed > 0 ? 1 : 0;
}
