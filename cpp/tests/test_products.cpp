// Bounds of many pairs at once (bounds/products.hpp), with more nodes than one block.
#include <algorithm>

#include "bounds/products.hpp"
#include "graphquant.h"
#include "tests/check.hpp"
#include "tests/random_graphs.hpp"

using namespace gq;
using namespace gq::test;

namespace {

struct Vectors {
    std::vector<i64> node_ptr{0};
    i64 n_channels;
    std::vector<double> rows, columns;

    Vectors(Random &random, const std::vector<i64> &orders, i64 channels) : n_channels(channels) {
        for (const i64 order : orders) node_ptr.push_back(node_ptr.back() + order);
        const i64 n_nodes = node_ptr.back();
        rows.resize(n_nodes * n_channels);
        columns.resize(rows.size());
        for (i64 r = 0; r < n_nodes; r++) {
            for (i64 c = 0; c < n_channels; c++) {
                // Most are zero, as in star vectors; they are skipped.
                const double value = random.chance(0.5) ? 0.0 : 2.0 * random.real() - 1.0;
                rows[r * n_channels + c] = columns[c * n_nodes + r] = value;
            }
        }
    }
    i64 size() const { return static_cast<i64>(node_ptr.size()) - 1; }

    double expected(i64 i, i64 j) const {
        double total = 0.0;
        for (i64 p = node_ptr[j]; p < node_ptr[j + 1]; p++) {
            double highest = 0.0;
            for (i64 r = node_ptr[i]; r < node_ptr[i + 1]; r++) {
                double gain = 0.0;
                for (i64 c = 0; c < n_channels; c++) gain += rows[r * n_channels + c] * rows[p * n_channels + c];
                highest = std::max(highest, gain);
            }
            total += highest;
        }
        return total;
    }
    i32 most_gains(i64 begin, i64 end, std::vector<double> &out, const i32 *stop = nullptr) const {
        std::vector<double> work(2 * node_ptr.back() + 1, 77.0);
        out.assign((end - begin) * size() + 1, -3.0);
        return gq_most_gains(rows.data(), columns.data(), node_ptr.data(), size(), n_channels, begin, end, stop, work.data(),
                             out.data());
    }
};

void check_all(const Vectors &at, i64 begin, i64 end) {
    std::vector<double> out;
    CHECK_EQUAL(at.most_gains(begin, end, out), GQ_OK);
    for (i64 i = begin; i < end; i++) {
        for (i64 j = 0; j < at.size(); j++) CHECK_NEAR(out[(i - begin) * at.size() + j], at.expected(i, j), 1e-9);
    }
    // Nothing after the end is written.
    CHECK_EQUAL(out.back(), -3.0);
}

}  // namespace

TEST(most_gains_of_graphs_larger_than_a_block) {
    Random random{51};
    for (const i64 n_channels : {1, 2, 3}) {
        check_all(Vectors(random, {3, 530, 4, 260, 252, 1, 0, 2}, n_channels), 0, 8);
        check_all(Vectors(random, {600, 1}, n_channels), 0, 2);
        check_all(Vectors(random, {256, 256, 1}, n_channels), 1, 3);
    }
    check_all(Vectors(random, {1, 1, 1}, 4), 2, 2);
}

TEST(most_gains_of_more_graphs_than_between_two_looks_at_the_flag) {
    Random random{52};
    const Vectors at(random, std::vector<i64>(150, 2), 3);
    check_all(at, 0, 150);
    check_all(at, 5, 140);
    const i32 flag = 1;
    std::vector<double> out;
    CHECK_EQUAL(at.most_gains(0, 150, out, &flag), GQ_STOPPED);
}
