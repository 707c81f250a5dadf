// Properties of matchers, see properties.hpp.
#include "tests/brute_force.hpp"
#include "tests/check.hpp"
#include "tests/properties.hpp"
#include "tests/request.hpp"

namespace gq::test {
namespace {

struct PairFixture {
    Random random;
    Collection graphs;
    std::vector<i64> capacity;
    Prepared prepared;
    ScratchHandle scratch;

    PairFixture(const Kind &kind, std::uint64_t seed, i64 max_order)
        : random{seed},
          graphs(made(random, kind, max_order)),
          capacity(capacity_of(graphs, random.below(3))),
          prepared(graphs) {}

    static Collection made(Random &random, const Kind &kind, i64 max_order) {
        Collection graphs = random_collection(random, kind, 3, 0, max_order);
        graphs.add_relabelled(random, random.below(3));
        return graphs;
    }
    Matched match(i64 i, i64 j, const gq_matcher &matcher, const Mapping *known = nullptr) {
        return match_one(prepared.graphs, capacity, i, j, matcher, known, scratch.get());
    }
};

void check_certified(const Matched &found, double sq_best, double slack) {
    CHECK_EQUAL(found.status, GQ_OK);
    CHECK_AT_MOST(found.sq_lower, found.sq_distance);
    CHECK_AT_MOST(found.sq_lower, sq_best + slack);
    CHECK_AT_MOST(sq_best, found.sq_distance + slack);
    CHECK_AT_MOST(0.0, found.sq_lower);
}

// Mapping and distance belong together.
void check_mapping(const PairFixture &at, const Dense &x, const Dense &y, const Matched &found, double slack) {
    const bool is_mapping = is_in_space(x, y, at.capacity, found.mapping.data());
    CHECK(is_mapping);
    if (!is_mapping) return;
    const Mapping places = without_zero_nodes(found.mapping.data(), x.order, y.order);
    CHECK_NEAR(sq_distance_of(x, y, places), found.sq_distance, slack);
}

// Another way to the optimum: dual ascent and search on a problem that small_search.hpp would solve.
gq_matcher thorough(i64 ascents) {
    gq_matcher matcher = matcher_of(GQ_EXACT);
    matcher.exact.free_order = 0;
    matcher.exact.node_limit = 1e9;
    matcher.exact.ascents = ascents;
    return matcher;
}

gq_matcher limited(i64 ascents, double node_limit) {
    gq_matcher matcher = thorough(ascents);
    matcher.exact.node_limit = node_limit;
    return matcher;
}

void check_exact(PairFixture &at, i64 i, i64 j, const Dense &x, const Dense &y, const Best &best, double slack) {
    const Matched found = at.match(i, j, matcher_of(GQ_EXACT));
    check_certified(found, best.sq_distance, slack);
    CHECK_NEAR(found.sq_distance, best.sq_distance, slack);
    CHECK_NEAR(found.sq_lower, found.sq_distance, 4.0 * slack);
    check_mapping(at, x, y, found, slack);
    const Matched turned = at.match(j, i, matcher_of(GQ_EXACT));
    CHECK_EQUAL(turned.sq_distance, found.sq_distance);
    CHECK_EQUAL(turned.sq_lower, found.sq_lower);
    CHECK_EQUAL(turned.n_nodes, found.n_nodes);
    // Known mappings prune, but do not change the answer.
    for (const Mapping *known : {&best.mapping, static_cast<const Mapping *>(nullptr)}) {
        for (const i64 ascents : {1, 3, 20}) {
            const Matched other = at.match(i, j, thorough(ascents), known);
            check_certified(other, best.sq_distance, slack);
            CHECK_NEAR(other.sq_distance, best.sq_distance, slack);
            CHECK_NEAR(other.sq_lower, other.sq_distance, 4.0 * slack);
            check_mapping(at, x, y, other, slack);
        }
        CHECK(at.match(i, j, thorough(2), known).mapping == at.match(i, j, thorough(2)).mapping);
    }
    for (const double node_limit : {0.0, 1.0, 5.0, 60.0}) {
        const Matched other = at.match(i, j, limited(2, node_limit));
        check_certified(other, best.sq_distance, slack);
        check_mapping(at, x, y, other, slack);
        CHECK_AT_MOST(other.n_nodes, node_limit);
    }
}

void check_approximate(PairFixture &at, i64 i, i64 j, const Dense &x, const Dense &y, const Best &best, double slack) {
    for (const int kind : {GQ_FRANK_WOLFE, GQ_GRADUATED}) {
        const Matched found = at.match(i, j, matcher_of(kind));
        check_certified(found, best.sq_distance, slack);
        check_mapping(at, x, y, found, slack);
        CHECK_EQUAL(at.match(j, i, matcher_of(kind)).sq_distance, found.sq_distance);
        CHECK_EQUAL(found.n_nodes, 0);
    }
    gq_matcher unsearched = matcher_of(GQ_EXACT);
    unsearched.exact.search_order = -1;
    check_certified(at.match(i, j, unsearched), best.sq_distance, slack);
}

// A user-defined matcher that knows the answer.
void check_callback(PairFixture &at, i64 i, i64 j, const Best &best, double slack) {
    struct Answer {
        std::vector<i64> mapping;
        i64 i, j;
    };
    Answer answer{numbered(best.mapping, at.graphs, i, j, at.capacity), i, j};
    gq_matcher matcher = matcher_of(GQ_CALLBACK);
    matcher.callback.context = &answer;
    matcher.callback.match = [](void *context, i64 asked_i, i64 asked_j, i64 *mapping) -> i32 {
        const Answer &known = *static_cast<Answer *>(context);
        if (asked_i != known.i || asked_j != known.j) return 1;
        for (std::size_t r = 0; r < known.mapping.size(); r++) mapping[r] = known.mapping[r];
        return 0;
    };
    const Matched found = at.match(i, j, matcher);
    check_certified(found, best.sq_distance, slack);
    CHECK_NEAR(found.sq_distance, best.sq_distance, slack);
    CHECK(std::vector<i64>(found.mapping.begin(), found.mapping.begin() + at.graphs.order(i)) == answer.mapping);
    answer.i = -1;
    CHECK_EQUAL(at.match(i, j, matcher).status, GQ_CALLBACK_FAILED);
}

void check_second(PairFixture &at, i64 i, i64 j, const Dense &x, const Dense &y, const Best &best, double slack) {
    const double second = second_sq_distance_of(x, y, at.capacity, best.mapping);
    const std::vector<i64> mapping = numbered(best.mapping, at.graphs, i, j, at.capacity);
    for (const i64 ascents : {1, 10}) {
        for (const double node_limit : {0.0, 20.0, 1e9}) {
            double found = -1.0;
            const i32 status = gq_second_distance(&at.prepared.graphs, i, j, mapping.data(), space_of(at.capacity),
                                                  {ascents, node_limit}, nullptr, &found, at.scratch.get());
            CHECK_EQUAL(status, GQ_OK);
            // If there is no other lift, any number is correct.
            if (second < INF) CHECK_AT_MOST(found, second + slack);
            if (node_limit < 1e9 || second == INF) continue;
            if (x.order > 0) CHECK_AT_MOST(second, found + 4.0 * slack);
        }
    }
}

}  // namespace

void check_matching(const Kind &kind, std::uint64_t seed, i64 max_order) {
    const Context context("check_matching, " + std::string(kind.name) + ", seed " + std::to_string(seed) + ", order " +
                          std::to_string(max_order));
    PairFixture at(kind, seed, max_order);
    CHECK_EQUAL(at.prepared.status, GQ_OK);
    for (i64 i = 0; i < at.graphs.size(); i++) {
        for (i64 j = 0; j < at.graphs.size(); j++) {
            const Context pair("pair " + std::to_string(i) + ", " + std::to_string(j));
            const Dense x = dense_of(at.graphs, i), y = dense_of(at.graphs, j);
            const double slack = 1e-11 * (x.sq_norm() + y.sq_norm()) + 1e-300;
            const Best best = best_mapping(x, y, at.capacity);
            check_exact(at, i, j, x, y, best, slack);
            check_approximate(at, i, j, x, y, best, slack);
            check_callback(at, i, j, best, slack);
            check_second(at, i, j, x, y, best, slack);
        }
    }
}

void check_larger(const Kind &kind, std::uint64_t seed, i64 max_order) {
    const Context context("check_larger, " + std::string(kind.name) + ", seed " + std::to_string(seed) + ", order " +
                          std::to_string(max_order));
    PairFixture at(kind, seed, max_order);
    for (i64 i = 0; i < at.graphs.size(); i++) {
        for (i64 j = 0; j < i; j++) {
            const Context pair("pair " + std::to_string(i) + ", " + std::to_string(j));
            const Dense x = dense_of(at.graphs, i), y = dense_of(at.graphs, j);
            const double slack = 1e-11 * (x.sq_norm() + y.sq_norm()) + 1e-300;
            const Matched first = at.match(i, j, limited(20, 20000));
            const Matched other = at.match(i, j, limited(2, 20000));
            check_mapping(at, x, y, first, slack);
            check_mapping(at, x, y, other, slack);
            CHECK_AT_MOST(first.sq_lower, other.sq_distance + slack);
            CHECK_AT_MOST(other.sq_lower, first.sq_distance + slack);
            for (const int approximate : {GQ_FRANK_WOLFE, GQ_GRADUATED}) {
                const Matched found = at.match(i, j, matcher_of(approximate));
                check_certified(found, found.sq_distance, slack);
                check_mapping(at, x, y, found, slack);
                CHECK_AT_MOST(first.sq_lower, found.sq_distance + slack);
                CHECK_AT_MOST(found.sq_lower, first.sq_distance + slack);
            }
            const double twin_free = second_of(at.prepared.graphs, i, j, first.mapping, at.capacity, at.scratch.get());
            if (first.sq_lower > first.sq_distance - slack) CHECK_AT_MOST(first.sq_lower, twin_free + 4.0 * slack);
        }
    }
}

}  // namespace gq::test
