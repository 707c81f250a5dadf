// When snapshots are taken, and which bounds refer to them (learning/drift.hpp); groups of code graphs.
#include <algorithm>

#include "tests/check.hpp"
#include "tests/learning.hpp"

using namespace gq;
using namespace gq::test;

namespace {

struct OneCode {
    Random random{41};
    Collection graphs;
    std::vector<i64> capacity;

    OneCode() : graphs(random_collection(random, kinds()[0], 25, 3, 3)), capacity(capacity_of(graphs, 0)) {}

    // Enough memory for this many recent snapshots in half a ring, and at least one final one.
    TestLearner learner(i64 n_slots, i64 n_codes = 1) const {
        LearnerSettings settings;
        settings.n_codes = n_codes;
        settings.snapshot_bytes = 8 * n_slots * n_codes * (3 * 2 + 9);
        TestLearner made(graphs, capacity, matcher_of(GQ_EXACT), settings);
        for (i64 j = 0; j < n_codes; j++) made.write_code(j, j);
        gq_begin(made.get());
        return made;
    }
};

}  // namespace

TEST(memory_says_how_many_snapshots_there_are) {
    const OneCode at;
    struct Expected {
        i64 n_slots, n_recent, n_final;
    };
    for (const Expected &expected : {Expected{0, 1, 1}, {1, 1, 1}, {9, 4, 1}, {17, 7, 2}, {100, 44, 12}, {5000, 64, 16}}) {
        const TestLearner L = at.learner(expected.n_slots);
        CHECK_EQUAL(L.sizes.n_recent, expected.n_recent);
        CHECK_EQUAL(L.sizes.n_final, expected.n_final);
        CHECK_EQUAL(L.sizes.n_slots(), 2 * expected.n_recent + expected.n_final);
    }
}

TEST(snapshots_are_taken_when_it_is_time) {
    const OneCode at;
    TestLearner L = at.learner(17);
    const i64 n_recent = L.sizes.n_recent, n_final = L.sizes.n_final, n = at.graphs.size();
    const State &state = L.state;
    i64 half = 0, spacing = 1;
    for (i64 cycle = 0; cycle < 5; cycle++) {
        i64 newest = half * n_recent;
        double taken_at = state.drift_taken_at[newest];
        // Fewer moves than slots in one cycle, so that the next one takes a snapshot of each move again.
        const i64 n_moves = cycle == 2 ? 3 : n;
        for (i64 step = 1; step <= n_moves; step++) {
            const i64 i = step - 1;
            const double rate = 0.2, path = state.drift_path[0];
            const Dense before = L.code(0);
            L.present(GQ_LOSSLESS, {i}, &rate);
            Mapping same;
            for (i64 p = 0; p < L.sizes.order; p++) same.push_back(p);
            const double moved = std::sqrt(sq_distance_of(L.code(0), before, same));
            // The margin matters if the path is short.
            CHECK_NEAR(state.drift_path[0] - path, moved, 1e-5);
            CHECK_AT_MOST(path + moved, state.drift_path[0] + 1e-12);
            CHECK_EQUAL(state.drift_steps[0], step);
            if (step % spacing == 0 && step / spacing < n_recent) {
                newest = half * n_recent + step / spacing;
                taken_at = state.drift_path[0];
                CHECK_EQUAL(L.way_from(0, newest), 0.0);
                CHECK_EQUAL(state.lead[newest], -state.drift_path[0]);
                CHECK_EQUAL(state.drift_order[newest], state.code_order[0]);
            }
            CHECK_EQUAL(state.drift_newest[0], newest);
            CHECK_EQUAL(state.drift_taken_at[newest], taken_at);
            CHECK_EQUAL(state.drift_spacing[0], spacing);
        }
        CHECK_EQUAL(gq_end_cycle(L.get(), cycle), GQ_OK);
        half = 1 - half;
        spacing = 1 + n_moves / n_recent;
        const i64 final_slot = 2 * n_recent + cycle % n_final;
        CHECK_EQUAL(state.drift_half[0], half);
        CHECK_EQUAL(state.drift_newest[0], half * n_recent);
        CHECK_EQUAL(state.drift_steps[0], 0);
        CHECK_EQUAL(state.drift_spacing[0], spacing);
        for (const i64 slot : {final_slot, half * n_recent}) {
            CHECK_EQUAL(state.drift_taken_at[slot], state.drift_path[0]);
            CHECK_EQUAL(L.way_from(0, slot), 0.0);
        }
        // No bound refers to a snapshot that the next cycle will overwrite.
        for (i64 i = 0; i < n; i++) {
            for (const i64 slot : {static_cast<i64>(state.lower_snapshot[i]), static_cast<i64>(state.second_snapshot[i])}) {
                const bool is_overwritten = slot > half * n_recent && slot < (half + 1) * n_recent;
                CHECK(!is_overwritten || state.label[i] < 0);
            }
        }
    }
}

TEST(bounds_lose_no_more_than_the_way_when_they_are_carried_over) {
    const OneCode at;
    TestLearner L = at.learner(9, 3);
    const std::vector<double> rates(at.graphs.size(), 0.15);
    std::vector<i64> sequence;
    for (i64 i = 0; i < at.graphs.size(); i++) sequence.push_back(i);
    const auto all_bounds = [&] {
        std::vector<double> found;
        for (i64 i = 0; i < at.graphs.size(); i++) {
            for (i64 j = 0; j < 3; j++) {
                const i64 entry = i * 3 + j;
                found.push_back(L.state.lower[entry] - L.way_from(j, L.state.lower_snapshot[entry]));
            }
            const i64 j = L.state.label[i];
            found.push_back(L.state.second_lower[i] - L.way_from(j, L.state.second_snapshot[i]));
        }
        return found;
    };
    for (i64 cycle = 0; cycle < 4; cycle++) {
        L.present(GQ_LOSSLESS, sequence, rates.data());
        const std::vector<double> before = all_bounds();
        gq_end_cycle(L.get(), cycle);
        const std::vector<double> after = all_bounds();
        for (std::size_t k = 0; k < before.size(); k++) CHECK_NEAR(before[k], after[k], 1e-9);
    }
}

TEST(groups_share_out_the_code_graphs_by_their_norms) {
    const OneCode at;
    for (const i64 n_groups : {1, 2, 3, 7}) {
        LearnerSettings settings;
        settings.n_codes = 7;
        settings.n_groups = n_groups;
        TestLearner L(at.graphs, at.capacity, matcher_of(GQ_EXACT), settings);
        for (i64 j = 0; j < 7; j++) L.write_code(j, j);
        gq_begin(L.get());
        CHECK_EQUAL(L.state.group_ptr[0], 0);
        CHECK_EQUAL(L.state.group_ptr[n_groups], 7);
        std::vector<i64> members(L.state.group_member, L.state.group_member + 7);
        for (i64 at_member = 1; at_member < 7; at_member++) {
            CHECK_AT_MOST(L.code(members[at_member - 1]).sq_norm(), L.code(members[at_member]).sq_norm());
        }
        std::sort(members.begin(), members.end());
        for (i64 j = 0; j < 7; j++) CHECK_EQUAL(members[j], j);
        for (i64 g = 0; g < n_groups; g++) {
            const i64 size = L.state.group_ptr[g + 1] - L.state.group_ptr[g];
            CHECK(size == 7 / n_groups || size == 7 / n_groups + 1);
        }
    }
}
