// Learning on a few random collections of every kind, and rare events.
#include "tests/check.hpp"
#include "tests/learning.hpp"
#include "tests/properties.hpp"

using namespace gq;
using namespace gq::test;

namespace {

struct Setting {
    Random random;
    Collection graphs;
    std::vector<i64> capacity;

    explicit Setting(std::uint64_t seed, const Kind &kind = kinds()[0], i64 size = 10, i64 max_order = 4)
        : random{seed}, graphs(random_collection(random, kind, size, 2, max_order)), capacity(capacity_of(graphs, 1)) {}

    TestLearner learner(const gq_matcher &matcher, const LearnerSettings &settings) const {
        TestLearner made(graphs, capacity, matcher, settings);
        for (i64 j = 0; j < settings.n_codes; j++) made.write_code(j, j);
        gq_begin(made.get());
        return made;
    }
    std::vector<i64> all() const {
        std::vector<i64> sequence;
        for (i64 i = 0; i < graphs.size(); i++) sequence.push_back(i);
        return sequence;
    }
};

// Rates of a whole cycle.
std::vector<double> rates(const Setting &at) { return std::vector<double>(at.graphs.size(), 0.2); }

// A user-defined matcher that maps nodes in order, and fails or sets a flag after some calls.
struct Counting {
    i64 n_calls = 0, fails_at = -1, stops_at = -1;
    const Collection *graphs = nullptr;
    i32 stop = 0;

    gq_matcher matcher() {
        gq_matcher made = matcher_of(GQ_CALLBACK);
        made.callback.context = this;
        made.callback.match = [](void *context, i64 i, i64, i64 *mapping) -> i32 {
            Counting &self = *static_cast<Counting *>(context);
            self.n_calls++;
            for (i64 r = 0; r < self.graphs->order(i); r++) mapping[r] = r;
            if (self.n_calls == self.stops_at) self.stop = 1;
            return self.n_calls == self.fails_at ? 1 : 0;
        };
        return made;
    }
};

}  // namespace

TEST(learning_keeps_what_it_promises) {
    for (const Kind &kind : kinds()) {
        for (std::uint64_t seed = 0; seed < 2; seed++) check_learning(kind, seed, 3);
    }
}

TEST(a_run_goes_on_from_what_was_saved) {
    for (const int algorithm : {GQ_STANDARD, GQ_ACCELERATED, GQ_LOSSLESS, GQ_FAST}) {
        for (const i64 n_groups : {0, 2}) {
            if (n_groups > 0 && algorithm != GQ_LOSSLESS) continue;
            const Setting at(31, kinds()[static_cast<std::size_t>(algorithm)]);
            LearnerSettings settings;
            settings.n_groups = n_groups;
            settings.snapshot_bytes = 1 << 13U;
            TestLearner straight = at.learner(matcher_of(GQ_EXACT), settings),
                        resumed = at.learner(matcher_of(GQ_EXACT), settings);
            for (i64 cycle = 0; cycle < 3; cycle++) {
                straight.present(algorithm, at.all(), rates(at).data());
                gq_end_cycle(straight.get(), cycle);
            }
            resumed.restore(straight);
            CHECK(resumed.is_in_place());
            const gq_counters before = straight.counters(), fresh = resumed.counters();
            for (i64 cycle = 3; cycle < 6; cycle++) {
                for (TestLearner *each : {&straight, &resumed}) {
                    each->present(algorithm, at.all(), rates(at).data());
                    gq_end_cycle(each->get(), cycle);
                }
            }
            CHECK(straight.has_same_codes(resumed));
            // The same work too: no bound was lost on the way.
            CHECK_EQUAL(straight.counters().matchings - before.matchings, resumed.counters().matchings - fresh.matchings);
            CHECK_EQUAL(straight.counters().bounds - before.bounds, resumed.counters().bounds - fresh.bounds);
        }
    }
}

TEST(bounds_save_as_much_work_as_they_did) {
    // Results are the same whatever is saved; a change that is meant to save more writes its numbers here.
    struct Work {
        int algorithm;
        i64 n_groups;
        double rate;
        i64 matchings, bounds, certificates;
    };
    static constexpr Work WORK[] = {
        {GQ_STANDARD, 0, 0.1, 1200, 0, 0},    {GQ_ACCELERATED, 0, 0.1, 246, 0, 0},  {GQ_ACCELERATED, 0, 0.9, 454, 0, 0},
        {GQ_LOSSLESS, 0, 0.1, 127, 237, 122}, {GQ_LOSSLESS, 0, 0.9, 242, 458, 208}, {GQ_LOSSLESS, 2, 0.1, 127, 640, 122},
        {GQ_LOSSLESS, 2, 0.9, 242, 792, 208}, {GQ_FAST, 0, 0.1, 67, 237, 62},       {GQ_FAST, 0, 0.9, 212, 458, 178}};
    for (const Work &work : WORK) {
        const Context context("algorithm " + std::to_string(work.algorithm) + ", groups " + std::to_string(work.n_groups) +
                              ", rate " + std::to_string(work.rate));
        const Setting at(32, kinds()[0], 30, 5);
        LearnerSettings settings;
        settings.n_codes = 5;
        settings.n_groups = work.n_groups;
        settings.snapshot_bytes = 1 << 14U;
        TestLearner L = at.learner(matcher_of(GQ_EXACT), settings);
        for (i64 cycle = 0; cycle < 8; cycle++) {
            const std::vector<double> falling(at.graphs.size(), work.rate / static_cast<double>(1 + cycle));
            CHECK_EQUAL(L.present(work.algorithm, at.all(), falling.data()), GQ_OK);
            const std::vector<double> shift(5, 0.2 * falling[0]);
            if (work.algorithm == GQ_ACCELERATED) gq_estimate_bounds(L.get(), shift.data());
            gq_end_cycle(L.get(), cycle);
        }
        const gq_counters found = L.counters();
        CHECK_EQUAL(found.matchings, work.matchings);
        CHECK_EQUAL(found.bounds, work.bounds);
        CHECK_EQUAL(found.certificates, work.certificates);
    }
}

TEST(a_stop_keeps_all_that_was_known) {
    for (const i64 n_groups : {0, 2}) {
        for (const int algorithm : {GQ_STANDARD, GQ_ACCELERATED, GQ_LOSSLESS, GQ_FAST}) {
            if (n_groups > 0 && algorithm != GQ_LOSSLESS) continue;
            for (i64 stops_at = 1; stops_at < 40; stops_at += 3) {
                Setting at(33);
                Counting counting;
                counting.graphs = &at.graphs;
                counting.stops_at = stops_at;
                LearnerSettings settings;
                settings.n_groups = n_groups;
                TestLearner L = at.learner(counting.matcher(), settings);
                const i32 status = L.present(algorithm, at.all(), rates(at).data(), &counting.stop);
                CHECK_EQUAL(status, counting.stop != 0 ? GQ_STOPPED : GQ_OK);
                if (counting.stop != 0) CHECK_EQUAL(counting.n_calls, stops_at);
                // Nothing was stored of the presentation that was cut short: wins are those of whole ones.
                i64 n_wins = 0, n_labels = 0;
                for (i64 j = 0; j < settings.n_codes; j++) n_wins += L.state.wins[j];
                for (i64 i = 0; i < at.graphs.size(); i++) n_labels += L.state.label[i] >= 0 ? 1 : 0;
                if (algorithm != GQ_ACCELERATED) CHECK_EQUAL(n_wins, n_labels);
                if (algorithm != GQ_LOSSLESS || counting.stop == 0) continue;
                // Stored bounds are as valid as before.
                for (i64 i = 0; i < at.graphs.size(); i++) {
                    for (i64 j = 0; j < settings.n_codes; j++) {
                        if (j == L.state.label[i]) continue;
                        const double d = std::sqrt(best_mapping(dense_of(at.graphs, i), L.code(j), at.capacity).sq_distance);
                        double bound = 0.0;
                        if (n_groups == 0) {
                            const i64 entry = i * settings.n_codes + j;
                            bound = L.state.lower[entry] - L.way_from(j, L.state.lower_snapshot[entry]);
                        } else {
                            const i64 g = L.state.group_of[j];
                            double reach = 0.0;
                            for (i64 m = L.state.group_ptr[g]; m < L.state.group_ptr[g + 1]; m++) {
                                const i64 member = L.state.group_member[m];
                                reach = most(reach, L.state.drift_path[member] - L.state.group_since[member]);
                            }
                            bound = L.state.lower[i * n_groups + g] - L.state.group_past[g] - reach;
                        }
                        CHECK_AT_MOST(bound, d + 1e-6);
                    }
                }
                // It can go on.
                counting.stop = 0;
                counting.stops_at = -1;
                CHECK_EQUAL(L.present(algorithm, at.all(), rates(at).data(), &counting.stop), GQ_OK);
                for (i64 i = 0; i < at.graphs.size(); i++) CHECK(L.state.label[i] >= 0);
            }
        }
    }
}

TEST(a_matcher_that_fails_ends_the_run) {
    for (const int algorithm : {GQ_STANDARD, GQ_ACCELERATED, GQ_LOSSLESS, GQ_FAST}) {
        Setting at(34);
        Counting counting;
        counting.graphs = &at.graphs;
        counting.fails_at = 5;
        TestLearner L = at.learner(counting.matcher(), {});
        CHECK_EQUAL(L.present(algorithm, at.all(), rates(at).data()), GQ_CALLBACK_FAILED);
        CHECK_EQUAL(counting.n_calls, 5);
        const std::vector<i64> sequence = at.all();
        counting.fails_at = counting.n_calls + 1;
        CHECK_EQUAL(gq_classify(L.get(), 0, algorithm, sequence.data(), at.graphs.size(), nullptr), GQ_CALLBACK_FAILED);
    }
}

TEST(a_set_flag_stops_before_any_work) {
    const Setting at(35);
    const TestLearner L = at.learner(matcher_of(GQ_EXACT), {});
    const i32 flag = 1;
    const std::vector<i64> sequence = at.all();
    for (const int algorithm : {GQ_STANDARD, GQ_ACCELERATED, GQ_LOSSLESS, GQ_FAST}) {
        CHECK_EQUAL(gq_present(L.get(), algorithm, sequence.data(), nullptr, at.graphs.size(), &flag), GQ_STOPPED);
        CHECK_EQUAL(gq_classify(L.get(), 0, algorithm, sequence.data(), at.graphs.size(), &flag), GQ_STOPPED);
    }
    CHECK_EQUAL(L.counters().matchings, 0);
    // Graphs without a winner have no distance to it.
    std::vector<double> found(at.graphs.size(), -1.0);
    gq_lifted_sq_distances(L.get(), found.data());
    for (const double value : found) CHECK_EQUAL(value, 0.0);
    gq_exact_sq_distances(L.get(), found.data());
    for (const double value : found) CHECK_EQUAL(value, 0.0);
}

TEST(known_bounds_say_which_code_graph_to_match_first) {
    const Setting at(36, kinds()[0], 12, 4);
    LearnerSettings settings;
    settings.n_codes = 4;
    TestLearner plain = at.learner(matcher_of(GQ_EXACT), settings), told = at.learner(matcher_of(GQ_EXACT), settings);
    for (i64 i = 0; i < at.graphs.size(); i++) {
        for (i64 j = 0; j < 4; j++) {
            const double d = std::sqrt(best_mapping(dense_of(at.graphs, i), told.code(j), at.capacity).sq_distance);
            told.state.lower[i * 4 + j] = d * (1.0 - 1e-9);
        }
    }
    const std::vector<i64> sequence = at.all();
    for (TestLearner *each : {&plain, &told}) gq_classify(each->get(), 0, GQ_LOSSLESS, sequence.data(), 12, nullptr);
    i64 n_certain = 0;
    for (i64 i = 0; i < at.graphs.size(); i++) {
        CHECK_EQUAL(plain.state.label[i], told.state.label[i]);
        n_certain += told.state.lower[i * 4] > 0.0 ? 1 : 0;
    }
    // Where all distances are known but for rounding, one matching is enough.
    CHECK_AT_MOST(told.counters().matchings, n_certain + 4 * (at.graphs.size() - n_certain));
    CHECK_AT_MOST(told.counters().matchings, plain.counters().matchings);
}

TEST(a_tie_goes_to_the_lowest_index_also_against_a_stored_lift) {
    int n_ties = 0;
    for (std::uint64_t seed = 60; seed < 70; seed++) {
        const Setting at(seed, kinds()[0], 8, 4);
        LearnerSettings settings;
        settings.n_codes = 3;
        TestLearner standard = at.learner(matcher_of(GQ_EXACT), settings),
                    lossless = at.learner(matcher_of(GQ_EXACT), settings);
        const std::vector<i64> sequence = at.all();
        const std::vector<double> small(sequence.size(), 0.01);
        for (int cycle = 0; cycle < 2; cycle++) {
            standard.present(GQ_STANDARD, sequence, small.data());
            lossless.present(GQ_LOSSLESS, sequence, small.data());
        }
        // Code graph 0 becomes what code graph 2 is, which is still where it was.
        for (TestLearner *each : {&standard, &lossless}) {
            const i64 n_nodes = each->sizes.node_values(), n_pairs = each->sizes.pair_values();
            std::vector<double> nodes(each->state.code_nodes, each->state.code_nodes + 3 * n_nodes);
            std::vector<double> pairs(each->state.code_pairs, each->state.code_pairs + 3 * n_pairs);
            std::copy(nodes.begin() + 2 * n_nodes, nodes.end(), nodes.begin());
            std::copy(pairs.begin() + 2 * n_pairs, pairs.end(), pairs.begin());
            gq_move_codes(each->get(), nodes.data(), pairs.data());
        }
        const std::vector<i32> before(lossless.state.label, lossless.state.label + at.graphs.size());
        const i64 n = at.graphs.size();
        CHECK_EQUAL(gq_classify(standard.get(), 0, GQ_STANDARD, sequence.data(), n, nullptr), GQ_OK);
        CHECK_EQUAL(gq_classify(lossless.get(), 0, GQ_LOSSLESS, sequence.data(), n, nullptr), GQ_OK);
        for (i64 i = 0; i < n; i++) {
            CHECK_EQUAL(standard.state.label[i], lossless.state.label[i]);
            CHECK(lossless.state.label[i] != 2);
            n_ties += before[i] == 2 && lossless.state.label[i] == 0 ? 1 : 0;
        }
    }
    CHECK_AT_MOST(5, n_ties);
}

TEST(bounds_within_the_margin_of_rounding_decide_nothing) {
    // A small graph beside large code graphs: the margin is that of the code graphs.
    Collection graphs;
    graphs.kind = {.name = "one node", .p = 1, .q = 1};
    graphs.node_attr = {1e-3, 1.0, -1.2};
    graphs.group = {0, 0, 0};
    graphs.node_ptr = {0, 1, 2, 3};
    graphs.edge_ptr = {0, 0, 0, 0};
    graphs.edges.reserve(2);
    graphs.edge_attr.reserve(1);
    const std::vector<i64> capacity{2};
    for (const i64 n_groups : {0, 2}) {
        for (const int algorithm : {GQ_LOSSLESS, GQ_FAST}) {
            if (n_groups > 0 && algorithm == GQ_FAST) continue;
            for (const double share : {0.5, 0.9, 1.1, 2.0}) {
                LearnerSettings settings;
                settings.n_codes = 2;
                settings.n_groups = n_groups;
                TestLearner L(graphs, capacity, matcher_of(GQ_EXACT), settings);
                L.write_code(0, 1);
                L.write_code(1, 2);
                gq_begin(L.get());
                const i64 first = 0;
                CHECK_EQUAL(gq_classify(L.get(), 0, algorithm, &first, 1, nullptr), GQ_OK);
                CHECK_EQUAL(L.state.label[0], 0);
                const double sq_distance = squared(1.0 - 1e-3), margin = 16e-12 * (1e-6 + squared(1.2));
                const i64 column = n_groups > 0 ? L.state.group_of[1] : 1;
                L.state.lower[column] = std::sqrt(sq_distance + share * margin);
                const gq_counters before = L.counters();
                CHECK_EQUAL(gq_classify(L.get(), 0, algorithm, &first, 1, nullptr), GQ_OK);
                const gq_counters after = L.counters();
                // Norms alone rule the other one out for good, so it is not matched; but it was looked at.
                CHECK_EQUAL(after.matchings, before.matchings);
                const double kept = L.state.lower[column] * L.state.lower[column];
                CHECK_EQUAL(kept > sq_distance + 2.5 * margin, share < 1.0);
            }
        }
    }
}

TEST(a_learner_that_needs_too_much_memory_is_none) {
    const Setting at(38);
    LearnerSettings settings;
    settings.n_workers = i64{1} << 50U;
    const TestLearner L(at.graphs, at.capacity, matcher_of(GQ_EXACT), settings);
    CHECK(L.get() == nullptr);
}

TEST(the_state_is_described_completely) {
    const Setting at(37, kinds()[0], 10, 4);
    const gq_collection X = at.graphs.raw();
    const gq_matcher matcher = matcher_of(GQ_EXACT);
    const gq_learner_options options{&X, space_of(at.capacity), &matcher, at.capacity[0], 3, 2, 1, 1 << 20U, 1, 0.0};
    std::vector<gq_array> arrays(GQ_STATE_ARRAYS + 1);
    arrays.back().name = "guard";
    gq_describe_state(&options, arrays.data());
    CHECK(std::strcmp(arrays.back().name, "guard") == 0);
    for (std::size_t at_array = 0; at_array < GQ_STATE_ARRAYS; at_array++) {
        const gq_array &each = arrays[at_array];
        CHECK(each.name != nullptr && each.n_dims >= 1 && each.n_dims <= 4);
        for (std::size_t other = 0; other < at_array; other++) CHECK(std::strcmp(each.name, arrays[other].name) != 0);
    }
}
