// Gains of ranked values (bounds/ranked.hpp) against sorting everything.
#include <algorithm>

#include "bounds/ranked.hpp"
#include "tests/check.hpp"
#include "tests/random_graphs.hpp"

using namespace gq;
using namespace gq::test;

namespace {

std::vector<double> values(Random &random, i64 n, bool is_signed) {
    std::vector<double> found;
    for (i64 at = 0; at < n; at++) {
        // Many are equal, or zero.
        const double value = random.chance(0.5) ? random.real() : 0.25 * static_cast<double>(random.between(0, 4));
        found.push_back(is_signed && random.chance(0.5) ? -value : value);
    }
    return found;
}

// The most that values of one sign gain on each other: largest with largest.
double expected_of_sign(const std::vector<double> &a, const std::vector<double> &b, double sign) {
    const auto of_sign = [sign](const std::vector<double> &all) {
        std::vector<double> found;
        for (const double value : all) found.push_back(std::max(0.0, sign * value));
        std::sort(found.rbegin(), found.rend());
        return found;
    };
    const std::vector<double> x = of_sign(a), y = of_sign(b);
    double total = 0.0;
    for (std::size_t at = 0; at < std::min(x.size(), y.size()); at++) total += x[at] * y[at];
    return total;
}

double expected(const std::vector<double> &a, const std::vector<double> &b) {
    return expected_of_sign(a, b, 1.0) + expected_of_sign(a, b, -1.0);
}

class Table {
  public:
    explicit Table(const std::vector<std::vector<double>> &channels)
        : ranked(take_ranked(arena_, 1, static_cast<i64>(channels.size()))) {
        forget_values(ranked);
        for (std::size_t c = 0; c < channels.size(); c++) {
            for (const double value : channels[c]) rank_value(ranked, static_cast<i64>(c), value);
        }
    }

  private:
    Arena arena_;

  public:
    Ranked ranked;
};

}  // namespace

TEST(ranked_values_gain_what_sorted_ones_do) {
    Random random{5};
    for (int round = 0; round < 400; round++) {
        std::vector<std::vector<double>> a, b;
        double total = 0.0;
        for (int c = 0; c < 3; c++) {
            a.push_back(values(random, random.between(0, KEPT), round % 2 == 0));
            // What is not kept makes no difference to fewer values of one sign.
            b.push_back(values(random, random.between(0, round % 2 == 0 ? KEPT : 3 * KEPT), round % 2 == 0));
            total += expected(a.back(), b.back());
        }
        const Table x(a), y(b);
        CHECK_NEAR(ranked_gain(x.ranked, y.ranked), total, 1e-9);
        CHECK_NEAR(ranked_gain(y.ranked, x.ranked), total, 1e-9);
    }
}

TEST(values_that_are_not_kept_never_lower_the_gain) {
    Random random{6};
    double loosest = 0.0;
    for (int round = 0; round < 400; round++) {
        const std::vector<double> a = values(random, random.between(0, 4 * KEPT), round % 2 == 0);
        const std::vector<double> b = values(random, random.between(0, 4 * KEPT), round % 2 == 0);
        const Table x({a}), y({b});
        const double gain = ranked_gain(x.ranked, y.ranked), least = expected(a, b);
        CHECK_AT_MOST(least, gain + 1e-9);
        if (least > 0.0) loosest = most(loosest, gain / least);
    }
    // It stays a bound worth having.
    CHECK_AT_MOST(loosest, 2.0);
}

TEST(values_are_counted_by_sign_when_they_drop_out) {
    std::vector<double> smaller(KEPT, -0.5);
    smaller.resize(2 * KEPT, 1.0);
    const Table x({smaller});
    CHECK_EQUAL(x.ranked.count[0], KEPT);
    CHECK_EQUAL(x.ranked.n_negative[0], 0);
    CHECK_NEAR(x.ranked.rest_sq[0], 0.25 * KEPT, 1e-12);
}
