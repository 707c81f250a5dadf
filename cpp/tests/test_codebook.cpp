// The form of a moving code graph for matchers (learning/codebook.hpp), which is updated only where it changed.
#include <algorithm>

#include "learning/codebook.hpp"
#include "tests/check.hpp"
#include "tests/learning.hpp"

using namespace gq;
using namespace gq::test;

namespace {

Codebook codebook_of(const TestLearner &learner, const Kind &kind, Arena &arena) {
    Codebook codes{};
    codes.sizes = learner.sizes;
    codes.nodes = learner.state.code_nodes;
    codes.pairs = learner.state.code_pairs;
    codes.order = learner.state.code_order;
    codes.is_directed = kind.is_directed;
    codes.uses_all = kind.n_classes > 0;
    codes.pair_weight = kind.is_directed ? 1.0 : 2.0;
    codes.allocate(arena);
    return codes;
}

// Different positions for the nodes of a graph, anywhere: a code graph may use any of them.
std::vector<i32> any_positions(Random &random, i64 n_nodes, i64 order) {
    std::vector<i32> position(order);
    for (i64 p = 0; p < order; p++) position[p] = static_cast<i32>(p);
    for (i64 p = order - 1; p > 0; p--) std::swap(position[p], position[random.below(p + 1)]);
    position.resize(n_nodes);
    return position;
}

void check_same(const Codebook &a, const Codebook &b, i64 j) {
    const GraphView x = a.view(j), y = b.view(j);
    CHECK_EQUAL(x.n_slots(), y.n_slots());
    CHECK_EQUAL(x.is_nonneg, y.is_nonneg);
    CHECK(x.sq_norm == y.sq_norm);
    if (x.n_slots() != y.n_slots()) return;
    const i64 n_values = x.n_slots() * x.edge_channels;
    CHECK(std::equal(x.adj_ptr, x.adj_ptr + x.order + 1, y.adj_ptr));
    CHECK(std::equal(x.adj_idx, x.adj_idx + x.n_slots(), y.adj_idx));
    CHECK(std::equal(x.adj_vec, x.adj_vec + n_values, y.adj_vec));
    CHECK(std::equal(x.adj_sorted, x.adj_sorted + n_values, y.adj_sorted));
}

}  // namespace

TEST(a_code_graph_is_read_where_it_changed_and_is_the_same_as_read_whole) {
    Random random{41};
    for (const Kind &kind : kinds()) {
        const Context context(kind.name);
        const Collection graphs = random_collection(random, kind, 12, 0, 6);
        const gq_collection X = graphs.raw();
        const LearnerSettings settings;
        const TestLearner learner(graphs, capacity_of(graphs, 4), matcher_of(GQ_EXACT), settings);
        Arena arena;
        Codebook moved = codebook_of(learner, kind, arena), whole = codebook_of(learner, kind, arena);
        for (i64 j = 0; j < settings.n_codes; j++) note_rewritten(moved, j);
        for (int round = 0; round < 200; round++) {
            const i64 i = random.below(graphs.size()), j = random.below(settings.n_codes);
            const std::vector<i32> mapping = any_positions(random, graphs.order(i), learner.sizes.order);
            // A rate of 1 leaves nothing of what was there: positions at the end are free again.
            const double eta = random.chance(0.1) ? 1.0 : random.real();
            move_code(X, i, sq_norm_of(X, i), moved, j, mapping.data(), eta);
            // Several moves may come before somebody asks.
            if (random.chance(0.5)) continue;
            refresh(moved, j);
            note_rewritten(whole, j);
            refresh(whole, j);
            check_same(moved, whole, j);
        }
    }
}
