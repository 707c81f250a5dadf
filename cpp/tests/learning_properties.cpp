// Properties of learning, see properties.hpp.
#include "tests/learning.hpp"

#include "tests/check.hpp"
#include "tests/properties.hpp"

namespace gq::test {
namespace {

struct LearningFixture {
    Random random;
    Collection graphs;
    std::vector<i64> capacity;
    std::vector<Dense> dense;
    double slack = 0.0;

    LearningFixture(const Kind &kind, std::uint64_t seed, i64 max_order)
        : random{seed},
          graphs(random_collection(random, kind, 8, 1, max_order)),
          capacity(capacity_of(graphs, random.below(2))) {
        for (i64 i = 0; i < graphs.size(); i++) {
            dense.push_back(dense_of(graphs, i));
            slack = most(slack, 1e-11 * dense.back().sq_norm());
        }
        // Distances, not their squares, of numbers of this size.
        slack = std::sqrt(slack) + 1e-100;
    }

    TestLearner learner(const gq_matcher &matcher, const LearnerSettings &settings, double scale = 1.0) const {
        TestLearner made(graphs, capacity, matcher, settings);
        for (i64 j = 0; j < settings.n_codes; j++) made.write_code(j, (3 * j) % graphs.size());
        for (i64 at = 0; at < settings.n_codes * made.sizes.node_values(); at++) made.state.code_nodes[at] *= scale;
        gq_begin(made.get());
        return made;
    }
    double distance(const TestLearner &learner, i64 i, i64 j) const {
        return std::sqrt(best_mapping(dense[i], learner.code(j), capacity).sq_distance);
    }
    std::vector<i64> shuffled() {
        std::vector<i64> order;
        for (i64 i = 0; i < graphs.size(); i++) order.push_back(i);
        for (i64 i = graphs.size() - 1; i > 0; i--) std::swap(order[i], order[random.below(i + 1)]);
        return order;
    }
};

// The code graph has not moved further than the learner believes.
void check_drift(const LearningFixture &at, const TestLearner &L) {
    for (i64 j = 0; j < L.sizes.n_codes; j++) {
        for (i64 slot = 0; slot < L.sizes.n_slots(); slot++) {
            const double way = L.way_from(j, slot);
            const i64 entry = j * L.sizes.n_slots() + slot;
            if (L.state.lead[entry] < INF) CHECK_AT_MOST(way, L.state.lead[entry] + L.state.drift_path[j] + at.slack);
            CHECK_AT_MOST(way, L.state.drift_path[j] - L.state.drift_taken_at[entry] + at.slack);
        }
    }
}

// Stored bounds of own_bounds.hpp and certificates hold now.
void check_own_bounds(const LearningFixture &at, const TestLearner &L) {
    for (i64 i = 0; i < at.graphs.size(); i++) {
        for (i64 j = 0; j < L.sizes.n_codes; j++) {
            const i64 entry = i * L.sizes.n_codes + j;
            const double bound = L.state.lower[entry] - L.way_from(j, L.state.lower_snapshot[entry]);
            CHECK_AT_MOST(bound, at.distance(L, i, j) + at.slack);
        }
    }
}

void check_group_bounds(const LearningFixture &at, const TestLearner &L) {
    for (i64 i = 0; i < at.graphs.size(); i++) {
        for (i64 g = 0; g < L.sizes.n_groups; g++) {
            double reach = 0.0;
            for (i64 m = L.state.group_ptr[g]; m < L.state.group_ptr[g + 1]; m++) {
                const i64 j = L.state.group_member[m];
                CHECK_EQUAL(L.state.group_of[j], g);
                reach = most(reach, L.state.drift_path[j] - L.state.group_since[j]);
            }
            reach += L.state.group_past[g];
            for (i64 m = L.state.group_ptr[g]; m < L.state.group_ptr[g + 1]; m++) {
                const i64 j = L.state.group_member[m];
                if (j == L.state.label[i]) continue;
                CHECK_AT_MOST(L.state.lower[i * L.sizes.n_groups + g] - reach, at.distance(L, i, j) + at.slack);
            }
        }
    }
}

void check_certificates(const LearningFixture &at, const TestLearner &L) {
    for (i64 i = 0; i < at.graphs.size(); i++) {
        const i64 j = L.state.label[i];
        if (j < 0 || L.state.second_lower[i] <= 0.0) continue;
        const double bound = L.state.second_lower[i] - L.way_from(j, L.state.second_snapshot[i]);
        // To the core, positions after the last one in use are zero nodes; nodes on them are interchangeable.
        Dense code = L.code(j);
        Mapping mapping = L.mapping(i);
        const i64 used = L.state.code_order[j];
        Dense cut(used, code.p, code.q);
        for (i64 p = 0; p < used; p++) {
            cut.group[p] = code.group[p];
            for (i64 c = 0; c < code.p; c++) cut.nodes[p * code.p + c] = code.node(p, c);
            for (i64 s = 0; s < used; s++) {
                for (i64 c = 0; c < code.q; c++) cut.pairs[(p * used + s) * code.q + c] = code.pair(p, s, c);
            }
        }
        for (i64 &position : mapping) position = position < used ? position : -1;
        CHECK_AT_MOST(bound, std::sqrt(second_sq_distance_of(at.dense[i], cut, at.capacity, mapping)) + at.slack);
    }
}

void check_all_bounds(const LearningFixture &at, const TestLearner &L) {
    check_drift(at, L);
    if (L.sizes.n_groups > 0) {
        check_group_bounds(at, L);
    } else {
        check_own_bounds(at, L);
    }
    check_certificates(at, L);
}

// The stored lift, and its reported distance.
double check_lift(const LearningFixture &at, const TestLearner &L, i64 i) {
    const Dense code = L.code(L.state.label[i]);
    const Mapping mapping = L.mapping(i);
    CHECK(is_in_space(at.dense[i], code, at.capacity, mapping.data()));
    const double sq_distance = sq_distance_of(at.dense[i], code, mapping);
    std::vector<double> lifted(at.graphs.size()), exact(at.graphs.size());
    gq_lifted_sq_distances(L.get(), lifted.data());
    gq_exact_sq_distances(L.get(), exact.data());
    CHECK_NEAR(lifted[i], sq_distance, 1e-11 * (at.dense[i].sq_norm() + code.sq_norm()));
    CHECK_NEAR(exact[i], sq_distance, 1e-11 * sq_distance + 1e-200);
    return std::sqrt(sq_distance);
}

// y <- y + eta (x_a - y) by definition.
void check_move(const LearningFixture &at, const TestLearner &L, const Dense &before, i64 i, double eta) {
    const Dense &x = at.dense[i], after = L.code(L.state.label[i]);
    const Mapping mapping = L.mapping(i);
    std::vector<i64> node_on(after.order, -1);
    for (i64 r = 0; r < x.order; r++) node_on[mapping[r]] = r;
    double worst = 0.0;
    for (i64 p = 0; p < after.order; p++) {
        for (i64 c = 0; c < x.p; c++) {
            const double expected = before.node(p, c) + eta * (x.node(node_on[p], c) - before.node(p, c));
            worst = most(worst, std::fabs(after.node(p, c) - expected));
        }
        for (i64 s = 0; s < after.order; s++) {
            for (i64 c = 0; c < x.q; c++) {
                const double old = before.pair(p, s, c);
                const double expected = old + eta * (x.pair(node_on[p], node_on[s], c) - old);
                worst = most(worst, std::fabs(after.pair(p, s, c) - expected));
            }
        }
    }
    CHECK_AT_MOST(worst, 1e-12);
    CHECK_NEAR(L.state.code_sq_norm[L.state.label[i]], after.sq_norm(), 1e-11 * after.sq_norm());
}

// "lossless" against "standard", presentation by presentation.
void check_lossless(LearningFixture &at, const LearnerSettings &settings, const gq_matcher &matcher, bool is_proving) {
    LearnerSettings plain = settings;
    plain.n_groups = 0;
    TestLearner standard = at.learner(matcher, plain), lossless = at.learner(matcher, settings);
    for (i64 cycle = 0; cycle < 4; cycle++) {
        for (const i64 i : at.shuffled()) {
            const Dense before[] = {lossless.code(0), lossless.code(settings.n_codes - 1)};
            const double rate = 0.05 + 0.3 * at.random.real();
            const double *given = cycle == 1 ? nullptr : &rate;
            CHECK_EQUAL(standard.present(GQ_STANDARD, {i}, given), GQ_OK);
            CHECK_EQUAL(lossless.present(GQ_LOSSLESS, {i}, given), GQ_OK);
            const i64 winner = lossless.state.label[i];
            CHECK_EQUAL(standard.state.label[i], winner);
            CHECK(standard.has_same_codes(lossless));
            if (given != nullptr && winner == 0) check_move(at, lossless, before[0], i, rate);
            if (given != nullptr && winner == settings.n_codes - 1) check_move(at, lossless, before[1], i, rate);
            check_lift(at, lossless, i);
            if (is_proving) check_all_bounds(at, lossless);
        }
        CHECK_EQUAL(gq_end_cycle(lossless.get(), cycle), GQ_OK);
        if (is_proving) check_all_bounds(at, lossless);
    }
    CHECK_EQUAL(standard.counters().matchings, 4 * at.graphs.size() * settings.n_codes);
    CHECK_EQUAL(standard.counters().bounds, 0);
    CHECK_AT_MOST(lossless.counters().proven, lossless.counters().matchings);
}

// The winner without moving: the nearest code graph, lowest index first, with any number of workers.
void check_classify(LearningFixture &at, LearnerSettings settings, const gq_matcher &matcher) {
    settings.n_workers = 2;
    TestLearner L = at.learner(matcher, settings);
    const double rate = 0.4;
    for (i64 cycle = 0; cycle < 2; cycle++) {
        const std::vector<i64> sequence = at.shuffled();
        const std::vector<i32> before(L.state.label, L.state.label + at.graphs.size());
        const i64 half = static_cast<i64>(sequence.size()) / 2;
        CHECK_EQUAL(gq_classify(L.get(), 0, GQ_LOSSLESS, sequence.data(), half, nullptr), GQ_OK);
        CHECK_EQUAL(gq_classify(L.get(), 1, GQ_LOSSLESS, sequence.data() + half, at.graphs.size() - half, nullptr), GQ_OK);
        for (i64 i = 0; i < at.graphs.size(); i++) {
            const double distance = check_lift(at, L, i);
            CHECK_AT_MOST(std::sqrt(L.state.certified_sq[i]), distance + at.slack);
            for (i64 j = 0; j < settings.n_codes; j++) CHECK_AT_MOST(distance, at.distance(L, i, j) + at.slack);
            // The distance to a winner that lost is known, but for its way since the snapshot that the bound counts from.
            const i64 lost = before[i];
            if (lost < 0 || lost == L.state.label[i] || settings.n_groups > 0) continue;
            const i64 entry = i * settings.n_codes + lost, newest = lost * L.sizes.n_slots() + L.state.drift_newest[lost];
            const double bound = L.state.lower[entry] - L.way_from(lost, L.state.lower_snapshot[entry]);
            const double way = L.state.drift_path[lost] - L.state.drift_taken_at[newest];
            CHECK_AT_MOST(at.distance(L, i, lost), bound + 2.0 * way + 10.0 * at.slack);
        }
        check_all_bounds(at, L);
        gq_learn(L.get(), sequence.data(), std::vector<double>(sequence.size(), rate).data(), at.graphs.size());
        check_all_bounds(at, L);
        gq_end_cycle(L.get(), cycle);
        // Other learners have moved the code graphs as well.
        std::vector<double> nodes(L.state.code_nodes, L.state.code_nodes + settings.n_codes * L.sizes.node_values());
        std::vector<double> pairs(L.state.code_pairs, L.state.code_pairs + settings.n_codes * L.sizes.pair_values());
        // As in numpy, an empty array still has an address.
        nodes.reserve(1);
        for (i64 c = 0; c < L.sizes.node_values(); c++) nodes[c] *= 0.7;
        for (i64 c = 0; c < L.sizes.pair_values(); c++) pairs[c] *= 1.1;
        gq_move_codes(L.get(), nodes.data(), pairs.data());
        CHECK(std::equal(nodes.begin(), nodes.end(), L.state.code_nodes));
        CHECK(std::equal(pairs.begin(), pairs.end(), L.state.code_pairs));
        check_all_bounds(at, L);
    }
}

// "fast": no code graph is nearer than the winner under the stored lift, which lags behind by at most a quarter.
void check_fast(LearningFixture &at, const LearnerSettings &settings) {
    TestLearner L = at.learner(matcher_of(GQ_EXACT), settings);
    for (i64 cycle = 0; cycle < 4; cycle++) {
        for (const i64 i : at.shuffled()) {
            CHECK_EQUAL(gq_classify(L.get(), 0, GQ_FAST, &i, 1, nullptr), GQ_OK);
            const double distance = check_lift(at, L, i);
            for (i64 j = 0; j < settings.n_codes; j++) {
                const double share = j == L.state.label[i] ? 0.75 : 1.0;
                CHECK_AT_MOST(share * distance, at.distance(L, i, j) + at.slack);
            }
            check_all_bounds(at, L);
            const double rate = 0.3;
            CHECK_EQUAL(L.present(GQ_FAST, {i}, &rate), GQ_OK);
            check_all_bounds(at, L);
        }
        gq_end_cycle(L.get(), cycle);
        check_all_bounds(at, L);
    }
}

// Algorithms 2 to 5 of the paper in plain loops, as classify/accelerated.hpp reads them.
struct PlainAccelerated {
    const LearningFixture &at;
    const TestLearner &L;  // its code graphs are those before the presentation
    std::vector<i64> label;
    std::vector<double> upper, lower;
    std::vector<bool> is_fresh;
    i64 n_matchings = 0;

    PlainAccelerated(const LearningFixture &fixture, const TestLearner &learner)
        : at(fixture),
          L(learner),
          label(fixture.graphs.size(), -1),
          upper(fixture.graphs.size(), INF),
          lower(fixture.graphs.size() * learner.sizes.n_codes, 0.0),
          is_fresh(fixture.graphs.size(), false) {}

    double match(i64 i, i64 j) {
        n_matchings++;
        return at.distance(L, i, j);
    }
    void take(i64 i, i64 j, double distance) {
        upper[i] = lower[i * L.sizes.n_codes + j] = distance;
        is_fresh[i] = true;
        label[i] = j;
    }
    void classify(i64 i) {
        if (label[i] < 0) take(i, 0, match(i, 0));
        for (i64 j = 0; j < L.sizes.n_codes; j++) {
            const double &bound = lower[i * L.sizes.n_codes + j];
            if (j == label[i] || upper[i] <= bound) continue;
            if (!is_fresh[i]) take(i, label[i], match(i, label[i]));
            if (j == label[i] || upper[i] <= bound) continue;
            const double distance = match(i, j);
            if (distance < upper[i]) {
                take(i, j, distance);
            } else {
                lower[i * L.sizes.n_codes + j] = distance;
            }
        }
    }
    void end_cycle(const std::vector<double> &shift, double theta) {
        for (i64 i = 0; i < at.graphs.size(); i++) {
            const double lifted = std::sqrt(sq_distance_of(at.dense[i], L.code(label[i]), L.mapping(i)));
            upper[i] = least(upper[i] + shift[label[i]], lifted);
            if (shift[label[i]] > theta) is_fresh[i] = false;
            for (i64 j = 0; j < L.sizes.n_codes; j++) {
                double &bound = lower[i * L.sizes.n_codes + j];
                bound = most(bound - shift[j], 0.0);
            }
        }
    }
};

void check_accelerated(LearningFixture &at, LearnerSettings settings) {
    settings.theta = 0.05;
    // Scaled code graphs, so that no distance is zero but for rounding, which would compare either way.
    TestLearner L = at.learner(matcher_of(GQ_EXACT), settings, 0.75);
    PlainAccelerated plain(at, L);
    for (i64 cycle = 0; cycle < 4; cycle++) {
        std::vector<Dense> before;
        for (i64 j = 0; j < settings.n_codes; j++) before.push_back(L.code(j));
        for (const i64 i : at.shuffled()) {
            plain.classify(i);
            const double rate = cycle == 2 ? 0.001 : 0.2;
            CHECK_EQUAL(L.present(GQ_ACCELERATED, {i}, &rate), GQ_OK);
            CHECK_EQUAL(L.state.label[i], plain.label[i]);
        }
        CHECK_EQUAL(L.counters().matchings, plain.n_matchings);
        std::vector<double> shift;
        for (i64 j = 0; j < settings.n_codes; j++) {
            shift.push_back(std::sqrt(best_mapping(L.code(j), before[j], at.capacity).sq_distance));
        }
        plain.end_cycle(shift, settings.theta);
        gq_estimate_bounds(L.get(), shift.data());
        for (i64 i = 0; i < at.graphs.size(); i++) {
            CHECK_NEAR(std::sqrt(L.state.upper_sq[i]), plain.upper[i], at.slack);
            CHECK_EQUAL(L.state.is_fresh[i], plain.is_fresh[i]);
            for (i64 j = 0; j < settings.n_codes; j++) {
                const i64 entry = i * settings.n_codes + j;
                CHECK_NEAR(L.state.lower[entry], plain.lower[entry], at.slack);
            }
        }
    }
}

}  // namespace

void check_learning(const Kind &kind, std::uint64_t seed, i64 max_order) {
    const Context context("check_learning, " + std::string(kind.name) + ", seed " + std::to_string(seed) + ", order " +
                          std::to_string(max_order));
    LearningFixture at(kind, seed, max_order);
    LearnerSettings settings;
    settings.n_codes = at.random.between(1, 4);
    settings.keeps_certificates = at.random.chance(0.7);
    // With little memory there are few snapshots, and bounds have to be carried from one to another.
    settings.snapshot_bytes = i64{1} << static_cast<unsigned>(at.random.between(4, 20));
    gq_matcher limited = matcher_of(GQ_EXACT);
    limited.exact.node_limit = 10.0;
    limited.exact.free_order = 2;
    const auto named = [](const char *name, const auto &check) {
        const Context which(name);
        check();
    };
    named("lossless", [&] { check_lossless(at, settings, matcher_of(GQ_EXACT), true); });
    named("lossless, Frank-Wolfe", [&] { check_lossless(at, settings, matcher_of(GQ_FRANK_WOLFE), false); });
    named("lossless, few search nodes", [&] { check_lossless(at, settings, limited, true); });
    named("classify", [&] { check_classify(at, settings, matcher_of(GQ_EXACT)); });
    settings.keeps_certificates = true;
    named("fast", [&] { check_fast(at, settings); });
    // If mappings tie, plain loops and the core may continue with different ones.
    if (!kind.has_ties && kind.p > 0 && kind.density > 0.0) named("accelerated", [&] { check_accelerated(at, settings); });
    settings.n_groups = at.random.between(1, settings.n_codes);
    named("lossless, groups", [&] { check_lossless(at, settings, matcher_of(GQ_EXACT), true); });
    named("classify, groups", [&] { check_classify(at, settings, matcher_of(GQ_EXACT)); });
}

}  // namespace gq::test
