// Adjacency, norms, gains and orders of graphs against their dense forms.
#include <algorithm>

#include "graphs/gains.hpp"
#include "graphs/packed.hpp"
#include "graphs/space.hpp"
#include "matching/faint_edges.hpp"
#include "matching/local_search.hpp"
#include "tests/brute_force.hpp"
#include "tests/check.hpp"

using namespace gq;
using namespace gq::test;

namespace {

// The vector that a slot holds: of a directed pair both directions, the outgoing one first.
double slot_value(const Dense &x, i64 r, i64 s, i64 c) { return c < x.q ? x.pair(r, s, c) : x.pair(s, r, c - x.q); }

void check_adjacency(const GraphView &view, const Dense &x) {
    CHECK_EQUAL(view.order, x.order);
    for (i64 r = 0; r < x.order; r++) {
        i64 degree = 0;
        for (i64 s = 0; s < x.order; s++) degree += x.is_edge[r * x.order + s] ? 1 : 0;
        CHECK_EQUAL(view.degree(r), degree);
        for (i64 k = view.adj_ptr[r]; k < view.adj_ptr[r + 1]; k++) {
            const i64 s = view.adj_idx[k];
            CHECK(x.is_edge[r * x.order + s]);
            if (k > view.adj_ptr[r]) CHECK_AT_MOST(view.adj_idx[k - 1] + 1, s);
            for (i64 c = 0; c < view.edge_channels; c++) CHECK_EQUAL(view.edge(k)[c], slot_value(x, r, s, c));
        }
        for (i64 c = 0; c < view.edge_channels; c++) {
            std::vector<double> values, sorted;
            for (i64 k = view.adj_ptr[r]; k < view.adj_ptr[r + 1]; k++) {
                values.push_back(view.edge(k)[c]);
                sorted.push_back(view.adj_sorted[k * view.edge_channels + c]);
            }
            std::sort(values.rbegin(), values.rend());
            CHECK(values == sorted);
        }
    }
}

// The edges of all graphs, each numbering of a directed pair once, as slots in the scratch of a learner hold them.
struct OneGraph {
    std::vector<i64> ptr, last;
    std::vector<i32> idx;
    std::vector<double> vec, sorted;
    AdjacencySlots slots{};

    OneGraph(const gq_collection &X, i64 n, i64 channels) : ptr(n + 1), last(n + 1) {
        const i64 room = 2 * X.edge_ptr[X.n_graphs] + 5;
        idx.resize(room);
        vec.resize(room * channels);
        sorted.resize(room * channels);
        slots = {ptr.data(), idx.data(), vec.data(), sorted.data(), channels};
    }
};

}  // namespace

TEST(prepared_graphs_are_the_dense_ones) {
    Random random{21};
    for (const Kind &kind : kinds()) {
        const Collection graphs = random_collection(random, kind, 6, 0, 7);
        const Prepared prepared(graphs);
        CHECK_EQUAL(prepared.status, GQ_OK);
        const gq_collection X = graphs.raw();
        i64 n_slots = 0;
        for (i64 i = 0; i < graphs.size(); i++) {
            const Dense x = dense_of(graphs, i);
            const GraphView view = view_of(prepared.graphs, i);
            check_adjacency(view, x);
            n_slots += view.n_slots();
            CHECK_NEAR(view.sq_norm, x.sq_norm(), 1e-13 * x.sq_norm());
            bool is_signed = false;
            for (const double value : x.nodes) is_signed = is_signed || value < 0.0;
            for (const double value : x.pairs) is_signed = is_signed || value < 0.0;
            CHECK_EQUAL(view.is_nonneg, !is_signed);
            CHECK_EQUAL(is_nonneg(X, i), !is_signed);
            CHECK_NEAR(sq_norm_of(X, i), x.sq_norm(), 1e-13 * x.sq_norm());
            // The same adjacency alone, from another first slot on.
            OneGraph alone(X, graphs.order(i), view.edge_channels);
            CHECK_EQUAL(write_adjacency(X, i, 5, alone.slots, alone.last.data()), 5 + view.n_slots());
            GraphView other = view;
            other.adj_ptr = alone.ptr.data();
            other.adj_idx = alone.idx.data();
            other.adj_vec = alone.vec.data();
            other.adj_sorted = alone.sorted.data();
            check_adjacency(other, x);
            CHECK_EQUAL(other.first_slot(), 5);
            CHECK_EQUAL(compare(view, other), 0);
        }
        CHECK_EQUAL(prepared.adj_ptr.back(), n_slots);
    }
}

TEST(gains_of_mappings_are_inner_products) {
    Random random{22};
    for (const Kind &kind : kinds()) {
        const Collection graphs = random_collection(random, kind, 2, 1, 5);
        const Prepared prepared(graphs);
        const Dense x = dense_of(graphs, 0), y = dense_of(graphs, 1);
        const GraphView a = view_of(prepared.graphs, 0), b = view_of(prepared.graphs, 1);
        Arena arena;
        const Matrix<double> gain = arena.take_matrix<double>(8, 8), support = arena.take_matrix<double>(8, 8);
        node_gains(a, b, gain);
        i64 *slot_of = arena.take<i64>(8), *covered = arena.take<i64>(8);
        int n_tried = 0;
        each_mapping(x, y, capacity_of(graphs, 2), [&](const Mapping &places) {
            if (n_tried++ % 7 != 0) return;
            const double expected = sq_distance_of(x, y, places);
            std::vector<i64> mapping = places;
            for (i64 &position : mapping) position = position >= 0 ? position : b.order;
            const double norms = x.sq_norm() + y.sq_norm();
            CHECK_NEAR(norms - 2.0 * mapping_gain(a, b, gain, mapping.data()), expected, 1e-12 * norms + 1e-300);
            CHECK_NEAR(sq_distance_under(a, b, mapping.data(), slot_of, covered), expected, 1e-12 * norms + 1e-300);
            edge_support(a, b, mapping.data(), support);
            for (i64 r = 0; r < a.order; r++) {
                for (i64 p = 0; p < b.order; p++) {
                    double offered = 0.0;
                    for (i64 s = 0; s < a.order; s++) {
                        for (i64 c = 0; places[s] >= 0 && c < a.edge_channels; c++) {
                            offered += slot_value(x, r, s, c) * slot_value(y, p, places[s], c);
                        }
                    }
                    CHECK_NEAR(support[r][p], offered, 1e-12 * norms + 1e-300);
                }
            }
        });
    }
}

TEST(single_exchanges_change_the_gain_by_what_they_say) {
    Random random{23};
    for (const Kind &kind : kinds()) {
        const Collection graphs = random_collection(random, kind, 2, 3, 5);
        const Prepared prepared(graphs);
        const GraphView a = view_of(prepared.graphs, 0), b = view_of(prepared.graphs, 1);
        const std::vector<i64> capacity = capacity_of(graphs, 2);
        Arena arena;
        const Matrix<double> gain = arena.take_matrix<double>(8, 8), support = arena.take_matrix<double>(8, 8);
        node_gains(a, b, gain);
        i32 *group_of = arena.take<i32>(20);
        const i64 width = place_zero_nodes(a, b, {capacity.data(), static_cast<i64>(capacity.size())}, group_of, false);
        i64 *mapping = arena.take<i64>(8), *owner = arena.take<i64>(20);
        // Every node on the first free position of its class.
        ExchangeScratch work{};
        work.allocate(arena, 8);
        const Alignment at{a, b, width, group_of, gain, mapping, owner, support, 1e-12, {}, work};
        for (i64 p = 0; p < width; p++) owner[p] = -1;
        for (i64 r = 0; r < a.order; r++) {
            i64 p = 0;
            while (owner[p] >= 0 || group_of[p] != a.group[r]) p++;
            mapping[r] = p;
            owner[p] = r;
        }
        edge_support(a, b, mapping, support);
        const double tolerance = 1e-11 * (a.sq_norm + b.sq_norm) + 1e-300;
        for (int round = 0; round < 60; round++) {
            const i64 r = random.below(a.order), t = random.below(width);
            if (t == mapping[r] || group_of[t] != a.group[r]) continue;
            const double before = mapping_gain(a, b, gain, mapping), change = exchange_gain(at, r, t);
            exchange(at, r, t);
            CHECK_NEAR(mapping_gain(a, b, gain, mapping), before + change, tolerance);
            CHECK_EQUAL(owner[mapping[r]], r);
        }
        // Weighed side by side they are the same numbers.
        for (i64 r = 0; r < a.order; r++) {
            weigh_exchanges(at, r);
            for (i64 t = 0; t < b.order; t++) {
                if (t != mapping[r]) CHECK(work.loss[t] == -exchange_gain(at, r, t));
            }
        }
        const double before = mapping_gain(a, b, gain, mapping), improved = improve(at);
        CHECK_NEAR(mapping_gain(a, b, gain, mapping), before + improved, tolerance);
        // Nothing is left to gain by one exchange.
        for (i64 r = 0; r < a.order; r++) {
            for (i64 t = 0; t < width; t++) {
                if (t != mapping[r] && group_of[t] == a.group[r]) CHECK_AT_MOST(exchange_gain(at, r, t), tolerance);
            }
        }
    }
}

TEST(graphs_have_one_order) {
    Random random{24};
    for (const Kind &kind : kinds()) {
        const Collection graphs = random_collection(random, kind, 8, 0, 3);
        const Prepared prepared(graphs);
        for (i64 i = 0; i < graphs.size(); i++) {
            const GraphView x = view_of(prepared.graphs, i);
            CHECK_EQUAL(compare(x, x), 0);
            for (i64 j = 0; j < graphs.size(); j++) {
                const GraphView y = view_of(prepared.graphs, j);
                CHECK_EQUAL(compare(x, y), -compare(y, x));
                if (x.order < y.order) CHECK_EQUAL(compare(x, y), -1);
                for (i64 k = 0; k < graphs.size(); k++) {
                    const GraphView z = view_of(prepared.graphs, k);
                    if (compare(x, y) <= 0 && compare(y, z) <= 0) CHECK_AT_MOST(compare(x, z), 0);
                }
            }
        }
    }
}

TEST(twins_have_the_same_neighbours) {
    // A star with three equal leaves, one other leaf, and two nodes alone.
    Collection graphs;
    graphs.kind = {.name = "star", .p = 1, .q = 1};
    graphs.node_attr = {9.0, 1.0, 1.0, 1.0, 1.0, 4.0, 4.0};
    graphs.group = {0, 0, 0, 0, 0, 0, 0};
    graphs.edges = {0, 1, 0, 2, 3, 0, 0, 4};
    graphs.edge_attr = {2.0, 2.0, 2.0, 3.0};
    graphs.node_ptr = {0, 7};
    graphs.edge_ptr = {0, 4};
    const Prepared prepared(graphs);
    std::vector<i64> twin(7, -1);
    find_twins(view_of(prepared.graphs, 0), twin.data());
    CHECK((twin == std::vector<i64>{0, 1, 1, 1, 4, 5, 5}));
    CHECK(are_neighbours(view_of(prepared.graphs, 0), 3, 0));
    CHECK(!are_neighbours(view_of(prepared.graphs, 0), 3, 1));
}

TEST(faint_edges_are_left_out_up_to_a_share_of_the_norm) {
    Collection graphs;
    graphs.kind = {.name = "path", .p = 1, .q = 1};
    graphs.node_attr.assign(5, 1.0);
    graphs.group.assign(5, 0);
    graphs.edges = {0, 1, 1, 2, 2, 3, 3, 4};
    graphs.node_ptr = {0, 5};
    graphs.edge_ptr = {0, 4};
    const auto left_after = [&graphs](std::vector<double> weights) {
        graphs.edge_attr = std::move(weights);
        const Prepared prepared(graphs);
        const GraphView x = view_of(prepared.graphs, 0);
        Arena arena;
        FilteredGraph room{};
        room.allocate(arena, x.order, x.n_slots(), 1);
        const double limit = faint_below(x);
        const GraphView filtered = without_edges_below(x, limit, room);
        for (i64 r = 0; r < x.order; r++) {
            for (i64 k = filtered.adj_ptr[r]; k < filtered.adj_ptr[r + 1]; k++)
                CHECK_AT_MOST(limit, squared(*filtered.edge(k)));
        }
        return filtered.n_slots() / 2;
    };
    CHECK_EQUAL(left_after({1.0, 1.0, 1.0, 0.1}), 3);      // faint
    CHECK_EQUAL(left_after({1.0, 1.0, 1.0, 0.2}), 4);      // at the first share, which is not below it
    CHECK_EQUAL(left_after({1.0, 1.0, 1.0, 1.0}), 4);      // nothing is faint
    CHECK_EQUAL(left_after({1.0, 0.19, 0.15, 0.03}), 3);   // the first share leaves out too much, the second does not
    CHECK_EQUAL(left_after({0.0, 0.0, 0.0, 0.0}), 4);
}

TEST(zero_nodes_are_placed_where_they_can_help) {
    Random random{25};
    Kind kind{.name = "non-negative", .is_signed = false};
    const auto width_of = [&](const Kind &of, i64 nx, i64 ny, i64 capacity, bool needed_only) {
        Collection graphs;
        graphs.kind = of;
        graphs.add(random, nx);
        graphs.add(random, ny);
        const Prepared prepared(graphs);
        std::vector<i32> group_of(nx + ny + capacity, -1);
        const i64 found = place_zero_nodes(view_of(prepared.graphs, 0), view_of(prepared.graphs, 1), {&capacity, 1},
                                           group_of.data(), needed_only);
        for (i64 p = 0; p < found; p++) CHECK_EQUAL(group_of[p], 0);
        return found;
    };
    CHECK_EQUAL(width_of(kind, 3, 4, 9, true), 4);
    CHECK_EQUAL(width_of(kind, 3, 4, 9, false), 7);
    CHECK_EQUAL(width_of(kind, 3, 4, 5, false), 5);
    CHECK_EQUAL(width_of(kind, 4, 3, 4, true), 4);
    CHECK_EQUAL(width_of(kind, 4, 3, 2, true), 4);
    kind.is_signed = true;
    CHECK_EQUAL(width_of(kind, 3, 4, 6, true), 6);
}
