// Swap search: the total is right, and no swap of a medoid with another candidate lowers it.
#include "graphquant.h"
#include "tests/check.hpp"
#include "tests/random_graphs.hpp"

using namespace gq;
using namespace gq::test;

namespace {

double total_of(const std::vector<double> &distances, i64 n, const std::vector<i64> &medoids) {
    double total = 0.0;
    for (i64 o = 0; o < n; o++) {
        double lowest = INF;
        for (const i64 m : medoids) lowest = least(lowest, distances[m * n + o]);
        total += lowest;
    }
    return total;
}

}  // namespace

TEST(medoids_cannot_be_swapped_for_better_ones) {
    Random random{11};
    for (int round = 0; round < 300; round++) {
        const i64 n_candidates = random.between(1, 9), n = random.between(1, 12), k = random.between(1, n_candidates);
        std::vector<double> distances;
        double largest = 0.0;
        for (i64 at = 0; at < n_candidates * n; at++) {
            distances.push_back(round % 3 == 0 ? static_cast<double>(random.between(0, 3)) : random.real());
            largest = most(largest, distances.back());
        }
        std::vector<i64> medoids;
        for (i64 m = 0; m < k; m++) medoids.push_back(m);
        const double before = total_of(distances, n, medoids), tol = round % 2 == 0 ? 0.0 : 0.2;
        double total = -1.0;
        const double far = k == 1 ? largest : INF;
        CHECK_EQUAL(gq_swap_medoids(distances.data(), n_candidates, n, medoids.data(), k, far, tol, nullptr, &total), GQ_OK);
        CHECK_NEAR(total, total_of(distances, n, medoids), 1e-12);
        CHECK_AT_MOST(total, before);
        for (i64 m = 0; m < k; m++) {
            for (i64 other = 0; other < n_candidates; other++) {
                std::vector<i64> swapped = medoids;
                bool is_medoid = false;
                for (const i64 medoid : medoids) is_medoid = is_medoid || medoid == other;
                if (is_medoid) continue;
                swapped[m] = other;
                CHECK_AT_MOST(total - tol, total_of(distances, n, swapped) + 1e-12);
            }
            for (i64 other = 0; other < m; other++) CHECK(medoids[other] != medoids[m]);
        }
    }
}

TEST(a_swap_has_to_gain_more_than_the_tolerance) {
    // Candidate 1 is better by one half.
    const double distances[] = {1.0, 1.0, 0.75, 0.75};
    for (const double tol : {0.25, 0.5}) {
        i64 medoid = 0;
        double total = -1.0;
        gq_swap_medoids(distances, 2, 2, &medoid, 1, 1.0, tol, nullptr, &total);
        CHECK_EQUAL(medoid, tol < 0.5 ? 1 : 0);
        CHECK_EQUAL(total, tol < 0.5 ? 1.5 : 2.0);
    }
}

TEST(a_swap_that_gains_by_rounding_only_ends_the_search) {
    // Distances as they were found: the first two are the same but for the last bit, in which differences round up.
    const double first = 1.7320508075688776, second = 1.7320508075688774;
    const double distances[] = {0.0, first, second, first, 0.0, 2.0, second, 2.0, 0.0};
    i64 medoids[] = {0, 1};
    double total = -1.0;
    CHECK_EQUAL(gq_swap_medoids(distances, 3, 3, medoids, 2, INF, 0.0, nullptr, &total), GQ_OK);
    CHECK_EQUAL(total, second);
}

TEST(a_stopped_swap_search_ends) {
    const std::vector<double> distances(100, 1.0);
    const i32 flag = 1;
    i64 medoids[] = {0, 1};
    double total = -1.0;
    CHECK_EQUAL(gq_swap_medoids(distances.data(), 10, 10, medoids, 2, INF, 0.0, &flag, &total), GQ_STOPPED);
}
