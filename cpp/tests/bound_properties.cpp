// Properties of bounds, see properties.hpp.
#include "tests/brute_force.hpp"
#include "tests/check.hpp"
#include "tests/properties.hpp"
#include "tests/request.hpp"
#include "tests/summaries.hpp"

namespace gq::test {
namespace {

double bound(const Prepared &graphs, const gq_summaries *summaries, const std::vector<i64> &capacity, i64 i, i64 j, int last,
             double threshold_sq, gq_scratch *scratch) {
    const i64 pair[2] = {i, j};
    const gq_bound_request request{&graphs.graphs, &graphs.graphs, summaries, summaries, space_of(capacity), 1,
                                   pair,           threshold_sq,   last,      nullptr};
    double found = -1.0;
    CHECK_EQUAL(gq_bound_pairs(&request, &found, scratch), GQ_OK);
    return found;
}

// The part of nodes by definition: edges left out.
double sq_distance_of_nodes(Dense x, Dense y, const std::vector<i64> &capacity) {
    for (double &value : x.pairs) value = 0.0;
    for (double &value : y.pairs) value = 0.0;
    return best_mapping(x, y, capacity).sq_distance;
}

// Channel by channel, the smallest distance of sorted values: the assignment of numbers to numbers and zeros.
double sq_distance_of_sorted(std::vector<double> a, std::vector<double> b) {
    const std::size_t n = a.size() + b.size();
    a.resize(n, 0.0);
    b.resize(n, 0.0);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    double total = 0.0;
    for (std::size_t at = 0; at < n; at++) total += (a[at] - b[at]) * (a[at] - b[at]);
    return total;
}

// The bounds of a pair by their definitions, each part separately.
struct Expected {
    double node_norms = 0.0, edge_norms = 0.0, node_sorted = 0.0, edge_sorted = 0.0, spectra = 0.0;
};

Expected expected_of(const Dense &x, const Dense &y) {
    Expected found;
    const auto column = [](const std::vector<double> &values, i64 width, i64 c) {
        std::vector<double> taken;
        for (std::size_t at = c; at < values.size(); at += width) taken.push_back(values[at]);
        return taken;
    };
    const auto norm = [](const std::vector<double> &values) {
        double total = 0.0;
        for (const double value : values) total += value * value;
        return std::sqrt(total);
    };
    for (i64 c = 0; c < x.p; c++) {
        const std::vector<double> a = column(x.nodes, x.p, c), b = column(y.nodes, y.p, c);
        found.node_norms += squared(norm(a) - norm(b));
        found.node_sorted += sq_distance_of_sorted(a, b);
    }
    for (i64 c = 0; c < x.q; c++) {
        const std::vector<double> a = column(x.pairs, x.q, c), b = column(y.pairs, y.q, c);
        found.edge_norms += squared(norm(a) - norm(b));
        found.edge_sorted += sq_distance_of_sorted(a, b);
    }
    return found;
}

// The norms and sorted values of the core agree with their definitions.
void check_against_definitions(const Dense &x, const Dense &y, const std::vector<double> &found, double slack) {
    const Expected parts = expected_of(x, y);
    CHECK_NEAR(found[GQ_BOUND_NORMS], parts.node_norms + parts.edge_norms, slack);
    const double nodes = most(parts.node_norms, parts.node_sorted), edges = most(parts.edge_norms, parts.edge_sorted);
    CHECK_NEAR(found[GQ_BOUND_SORTED], nodes + edges, slack);
}

// With these star vectors the product of two is the gain of one star on the other.
std::vector<double> star_vectors(const gq_graphs &graphs, i64 &n_channels) {
    const i64 n_nodes = graphs.node_ptr[graphs.n_graphs], q = graphs.edge_channels, p = graphs.node_channels;
    i64 most_slots = 0;
    for (i64 r = 0; r < n_nodes; r++) most_slots = most(most_slots, graphs.adj_ptr[r + 1] - graphs.adj_ptr[r]);
    n_channels = p + 2 * q * most_slots;
    std::vector<double> rows(n_nodes * n_channels, 0.0);
    const double share = std::sqrt(0.5 * graphs.pair_weight);
    for (i64 r = 0; r < n_nodes; r++) {
        double *row = rows.data() + r * n_channels;
        for (i64 c = 0; c < p; c++) row[c] = graphs.node_attr[r * p + c];
        const i64 degree = graphs.adj_ptr[r + 1] - graphs.adj_ptr[r];
        for (i64 at = 0; at < degree; at++) {
            for (i64 c = 0; c < q; c++) {
                const double highest = graphs.adj_sorted[(graphs.adj_ptr[r] + at) * q + c];
                const double lowest = graphs.adj_sorted[(graphs.adj_ptr[r] + degree - 1 - at) * q + c];
                row[p + at * q + c] = share * most(highest, 0.0);
                row[p + (most_slots + at) * q + c] = share * least(lowest, 0.0);
            }
        }
    }
    return rows;
}

void check_most_gains(const Prepared &prepared, const std::vector<Dense> &dense, const std::vector<i64> &capacity,
                      double slack) {
    const gq_graphs &graphs = prepared.graphs;
    const i64 n = graphs.n_graphs, n_nodes = graphs.node_ptr[n];
    i64 n_channels = 0;
    const std::vector<double> rows = star_vectors(graphs, n_channels);
    std::vector<double> columns(rows.size()), work(2 * n_nodes + 1), out(n * n, -1.0);
    for (i64 r = 0; r < n_nodes; r++) {
        for (i64 c = 0; c < n_channels; c++) columns[c * n_nodes + r] = rows[r * n_channels + c];
    }
    CHECK_EQUAL(
        gq_most_gains(rows.data(), columns.data(), graphs.node_ptr, n, n_channels, 1, n, nullptr, work.data(), out.data()),
        GQ_OK);
    for (i64 i = 1; i < n; i++) {
        for (i64 j = 0; j < n; j++) {
            // By definition: each node of Y separately gains the maximum over the nodes of X.
            double total = 0.0;
            for (i64 p = graphs.node_ptr[j]; p < graphs.node_ptr[j + 1]; p++) {
                double highest = 0.0;
                for (i64 r = graphs.node_ptr[i]; r < graphs.node_ptr[i + 1]; r++) {
                    double gain = 0.0;
                    for (i64 c = 0; c < n_channels; c++) gain += rows[r * n_channels + c] * rows[p * n_channels + c];
                    highest = most(highest, gain);
                }
                total += highest;
            }
            CHECK_NEAR(out[(i - 1) * n + j], total, slack);
            const double sq_norms = dense[i].sq_norm() + dense[j].sq_norm();
            CHECK_AT_MOST(sq_norms - 2.0 * total, best_mapping(dense[i], dense[j], capacity).sq_distance + slack);
        }
    }
}

}  // namespace

void check_bounds(const Kind &kind, std::uint64_t seed, i64 max_order) {
    const Context context("check_bounds, " + std::string(kind.name) + ", seed " + std::to_string(seed) + ", order " +
                          std::to_string(max_order));
    Random random{seed};
    const Collection graphs = random_collection(random, kind, 4, 0, max_order);
    const std::vector<i64> capacity = capacity_of(graphs, random.below(2));
    const Prepared prepared(graphs);
    const Summaries with_spectra(graphs, prepared.graphs, true), without(graphs, prepared.graphs, false);
    const ScratchHandle scratch;
    std::vector<Dense> dense;
    double largest = 0.0;
    for (i64 i = 0; i < graphs.size(); i++) {
        dense.push_back(dense_of(graphs, i));
        CHECK_NEAR(dense.back().sq_norm(), prepared.sq_norm[i], 1e-12 * dense.back().sq_norm());
        largest = most(largest, dense.back().sq_norm());
    }
    for (i64 i = 0; i < graphs.size(); i++) {
        for (i64 j = 0; j < graphs.size(); j++) {
            const Context pair("pair " + std::to_string(i) + ", " + std::to_string(j));
            const Dense &x = dense[i], &y = dense[j];
            const double sq_norms = x.sq_norm() + y.sq_norm(), slack = 1e-11 * sq_norms + 1e-300;
            const double sq_best = best_mapping(x, y, capacity).sq_distance;
            const auto value = [&](const Summaries *from, int last, double threshold_sq) {
                const gq_summaries raw = from != nullptr ? from->raw() : gq_summaries{};
                return bound(prepared, from != nullptr ? &raw : nullptr, capacity, i, j, last, threshold_sq, scratch.get());
            };
            const double star = value(nullptr, GQ_BOUND_STAR, INF);
            CHECK_AT_MOST(star, sq_best);
            for (const Summaries *from : {&without, &with_spectra}) {
                std::vector<double> found;
                for (int last = GQ_BOUND_NORMS; last <= GQ_BOUND_STAR; last++) {
                    found.push_back(value(from, last, INF));
                    CHECK_AT_MOST(0.0, found.back());
                    // Spectra come from a solver with an error of its own.
                    CHECK_AT_MOST(found.back(), sq_best + (from == &with_spectra ? 1e-7 * sq_norms : 0.0));
                    if (last > 0) CHECK_AT_MOST(found[last - 1], found[last]);
                }
                CHECK_AT_MOST(star, found[GQ_BOUND_STAR]);
                CHECK_AT_MOST(sq_distance_of_nodes(x, y, capacity), found[GQ_BOUND_NODES] + slack);
                check_against_definitions(x, y, found, slack);
                // A pair is finished as soon as a bound reaches the threshold.
                for (const double threshold_sq : found) {
                    double reached = found[GQ_BOUND_STAR];
                    for (int last = GQ_BOUND_STAR; last >= GQ_BOUND_NORMS; last--) {
                        if (threshold_sq > 0.0 && found[last] >= threshold_sq) reached = found[last];
                    }
                    if (threshold_sq > 0.0) CHECK_EQUAL(value(from, GQ_BOUND_STAR, threshold_sq), reached);
                }
            }
        }
    }
    check_most_gains(prepared, dense, capacity, 1e-11 * largest + 1e-300);
}

}  // namespace gq::test
