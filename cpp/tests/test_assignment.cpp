// The linear assignment problem against all assignments.
#include <algorithm>
#include <numeric>

#include "assignment/assign.hpp"
#include "matching/dual.hpp"
#include "tests/check.hpp"
#include "tests/random_graphs.hpp"

using namespace gq;
using namespace gq::test;

namespace {

struct Problem {
    i64 nr, nc;
    std::vector<double> values;
    Arena arena;
    Lap lap{};
    std::vector<i64> row_to_col;

    Problem(Random &random, i64 rows, i64 columns, bool has_ties, double forbidden)
        : nr(rows), nc(columns), values(rows * columns), row_to_col(rows, -7) {
        lap.allocate(arena, columns);
        for (double &value : values) {
            value = has_ties ? static_cast<double>(random.between(0, 2)) : 2.0 * random.real() - 1.0;
            if (random.chance(forbidden)) value = INF;
        }
    }
    Matrix<double> cost() { return {values.data(), nc}; }

    double least_cost() {
        std::vector<i64> columns(nc);
        std::iota(columns.begin(), columns.end(), 0);
        double best = INF;
        do {
            double total = 0.0;
            for (i64 r = 0; r < nr; r++) total += cost()[r][columns[r]];
            best = least(best, total);
        } while (std::next_permutation(columns.begin(), columns.end()));
        return best;
    }
};

void check_duals(Problem &at) {
    for (i64 c = 0; c < at.nc; c++) {
        CHECK_AT_MOST(at.lap.v[c], 0.0);
        if (at.lap.col_to_row[c] < 0) CHECK_EQUAL(at.lap.v[c], 0.0);
        for (i64 r = 0; r < at.nr; r++) {
            const double reduced = at.cost()[r][c] - at.lap.u[r] - at.lap.v[c];
            CHECK_AT_MOST(-1e-12, reduced);
            if (at.row_to_col[r] == c) CHECK_AT_MOST(reduced, 1e-12);
        }
    }
}

}  // namespace

TEST(assignments_are_the_cheapest_with_their_prices) {
    Random random{5};
    for (int round = 0; round < 600; round++) {
        const i64 nr = random.between(1, 5), nc = random.between(nr, 6);
        Problem at(random, nr, nc, random.chance(0.4), random.chance(0.5) ? 0.0 : 0.35);
        const double expected = at.least_cost(), found = assign(at.cost(), nr, nc, at.row_to_col.data(), at.lap);
        if (expected == INF) {
            CHECK_EQUAL(found, INF);
            continue;
        }
        CHECK_NEAR(found, expected, 1e-12);
        std::vector<i64> owner(nc, -1);
        double total = 0.0;
        for (i64 r = 0; r < nr; r++) {
            CHECK(at.row_to_col[r] >= 0 && at.row_to_col[r] < nc);
            CHECK_EQUAL(owner[at.row_to_col[r]], -1);
            owner[at.row_to_col[r]] = r;
            total += at.cost()[r][at.row_to_col[r]];
        }
        CHECK_EQUAL(found, total);
        CHECK(std::equal(owner.begin(), owner.end(), at.lap.col_to_row));
        check_duals(at);
    }
}

TEST(long_paths_are_found_in_large_problems) {
    Random random{6};
    for (const i64 n : {20, 45}) {
        // All rows want the same columns, so that nearly each has to push others away.
        Problem at(random, n, n + 3, false, 0.0);
        for (i64 r = 0; r < n; r++) {
            for (i64 c = 0; c < n + 3; c++)
                at.cost()[r][c] = static_cast<double>((r + 1) * (c + 1) % 97) + 10.0 * static_cast<double>(c);
        }
        const double found = assign(at.cost(), n, n + 3, at.row_to_col.data(), at.lap);
        CHECK_AT_MOST(found, INF);
        check_duals(at);
        double by_prices = 0.0;
        for (i64 r = 0; r < n; r++) by_prices += at.lap.u[r];
        for (i64 c = 0; c < n + 3; c++) by_prices += at.lap.v[c];
        CHECK_NEAR(found, by_prices, 1e-9);
    }
}

TEST(a_stopped_assignment_is_still_one) {
    Random random{7};
    const i32 flag = 1;
    Problem at(random, 4, 6, false, 0.0);
    for (i64 r = 0; r < 4; r++) at.cost()[r][2] = -9.0;
    at.lap.stop = {&flag};
    CHECK_EQUAL(assign(at.cost(), 4, 6, at.row_to_col.data(), at.lap), INF);
    std::vector<i64> sorted = at.row_to_col;
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    CHECK(sorted.front() >= 0 && sorted.back() < 6);
}

TEST(equal_assignments_are_told_apart_by_costs_alone) {
    Random random{8};
    for (int round = 0; round < 50; round++) {
        Problem at(random, 4, 5, true, 0.0);
        assign(at.cost(), 4, 5, at.row_to_col.data(), at.lap);
        const std::vector<i64> first = at.row_to_col;
        for (i64 c = 0; c < 5; c++) at.lap.dist[c] = at.lap.v[c] = 3.0;
        assign(at.cost(), 4, 5, at.row_to_col.data(), at.lap);
        CHECK(first == at.row_to_col);
    }
}

TEST(short_cuts_for_stars_are_the_assignment) {
    Random random{9};
    for (int round = 0; round < 300; round++) {
        const i64 labels = random.between(2, 5);
        Problem at(random, 2, labels, random.chance(0.5), 0.3);
        const double expected = at.least_cost();
        const bool is_possible = assign_two(at.cost(), labels, at.lap);
        CHECK_EQUAL(is_possible, expected < INF);
        if (!is_possible) continue;
        double total = at.lap.u[0] + at.lap.u[1];
        for (i64 b = 0; b < labels; b++) {
            total += at.lap.v[b];
            CHECK_AT_MOST(at.lap.v[b], 0.0);
            for (i64 r = 0; r < 2; r++) CHECK_AT_MOST(-1e-12, at.cost()[r][b] - at.lap.u[r] - at.lap.v[b]);
        }
        CHECK_NEAR(total, expected, 1e-12);
        // Each row separately pays its smallest cost.
        Problem rows(random, 3, labels, false, 0.4);
        const bool has_all = assign_apart(rows.cost(), 3, labels, labels, rows.lap);
        bool expected_all = true;
        for (i64 r = 0; r < 3; r++) {
            const double lowest = *std::min_element(rows.cost()[r], rows.cost()[r] + labels);
            CHECK_EQUAL(rows.lap.u[r], lowest);
            expected_all = expected_all && lowest < INF;
        }
        CHECK_EQUAL(has_all, expected_all);
    }
}
