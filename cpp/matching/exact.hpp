// Exact matching: a Frank-Wolfe start for larger pairs, dual ascent, depth-first search.
#pragma once

#include "matching/frank_wolfe.hpp"
#include "matching/search.hpp"

namespace gq {

// When a limit stops a search, the ascent of the whole problem goes on for as long as it closes this share of the gap,
// but for no more than one iteration for so many search nodes, which is a small part of the work.
inline constexpr double LAST_PATIENCE = 5e-4;
inline constexpr i64 LAST_ITERATIONS = 300, NODES_PER_ITERATION = 50;
// Pairs whose smaller graph has up to so many nodes are searched with bounds that cost little (small_search.hpp), and
// need no start. A search that visits more nodes than this is better begun again with stronger bounds.
inline constexpr i64 SMALL_ORDER = 8;
inline constexpr double SMALL_NODES = 300.0;

// What a solver is told of a pair, and what it tells beside pair.best.
struct ExactResult {
    Solution solution;
    i64 n_nodes;
};

inline double search_node_limit(const GraphView &x, const gq_exact &options) {
    return x.order <= options.free_order ? INF : options.node_limit;
}

// Search a small pair with bounds that cost little. OUT pair.best, search. Returns a bound: if the pair is not settled by it,
// that was not enough.
inline double search_small(const SearchPair &at, const Deadline &deadline, PairScratch &pair, DualScratch &dual,
                         SearchScratch &search) {
    const double bound = start_small_search(at, pair, dual, search);
    search.best_cost = INF;
    if (bound == INF) return -INF;
    for (i64 r = 0; r < at.x.order; r++) pair.best[r] = pair.trial[r];
    search.best_cost = -mapping_gain(at.x, at.y, pair.gain, pair.best);
    const SearchLimits limits{SMALL_NODES, deadline, true};
    while (!at.is_settled(search.best_cost, bound)) {
        // Nothing more expensive than what is asked for is searched.
        const double ceiling = least(search.best_cost, at.enough + at.step);
        const Outcome outcome = run_search(at, ceiling, limits, pair, dual, search);
        if (outcome == Outcome::STOPPED) return bound;
        if (outcome == Outcome::COMPLETE) return least(search.best_cost, at.enough);
        keep_if_better(at, pair, search);
    }
    return bound >= search.best_cost - at.step ? search.best_cost : bound;
}

// Search until the end or a limit; INOUT the solution so far.
inline ExactResult search_exactly(const SearchPair &at, Solution found, double known_cost, const gq_exact &options,
                                  const Deadline &deadline, Scratch &scratch) {
    PairScratch &pair = scratch.pair;
    DualScratch &dual = scratch.dual;
    SearchScratch &search = scratch.search;
    // The margin lets the search find its own mapping of the known cost.
    const double known = known_cost + 4.0 * at.tolerance + (at.step - at.tolerance);
    // Nothing more expensive than what is asked for is searched.
    const double ceiling = least(least(found.cost, known), at.enough + at.step);
    // Looking for twins takes longer than searching a small pair.
    const bool has_twins = at.x.order > SMALL;
    start_search(at, ceiling, INF, {has_twins, has_twins}, pair, dual, search);
    const SearchLimits limits{search_node_limit(at.x, options), deadline, false};
    Outcome outcome = Outcome::LEAF;
    while (outcome == Outcome::LEAF) {
        outcome = run_search(at, search.best_cost, limits, pair, dual, search);
        if (outcome != Outcome::LEAF) continue;
        keep_if_better(at, pair, search);
        if (at.enough < INF && search.best_cost <= at.enough) break;
    }
    // Without a cheaper leaf the search has shown that there is none up to its limit.
    const double reached = search.best_cost > at.enough ? most(at.enough, found.bound) : search.best_cost;
    found.bound = least(reached, frontier(search));
    found.cost = -mapping_gain(at.x, at.y, pair.gain, pair.best);
    const i64 n_nodes = search.n_nodes;
    if (outcome == Outcome::STOPPED && !pair.lap.stop.is_set()) {
        const i64 iterations = least(LAST_ITERATIONS, n_nodes / NODES_PER_ITERATION);
        set_up_dual(at, pair, dual);
        const Solution last = ascend(at, {iterations, LAST_PATIENCE, deadline}, found.cost, pair, dual);
        found = {last.cost, most(found.bound, last.bound)};
    }
    return {found, n_nodes};
}

// Match exactly; OUT pair.best. known_cost: cost of a mapping that the caller knows, or inf: it prunes, but is not
// returned.
inline ExactResult match_exact(const GraphView &x, const GraphView &y, i64 width, const gq_matcher &matcher,
                               double known_cost, const Goal &goal, Scratch &scratch) {
    PairScratch &pair = scratch.pair;
    if (x.order == 0) return {{0.0, 0.0}, 0};
    const gq_exact &options = matcher.exact;
    const Deadline deadline = Deadline::after(options.time_limit);
    const SearchPair at(x, y, width, goal);
    // The first ascent of a small pair finds a mapping sooner than a start would.
    Solution found{INF, -INF};
    if (x.order > SMALL_ORDER || !fits_tables(x, y)) {
        found.bound = match_frank_wolfe(x, y, width, matcher.frank_wolfe, pair).bound;
        found.cost = -mapping_gain(x, y, pair.gain, pair.best);
    }
    if (!fits_tables(x, y) || x.order > options.search_order) return {at.rounded(found), 0};
    i64 n_nodes = 0;
    if (x.order <= SMALL_ORDER && search_node_limit(x, options) == INF) {
        const double bound = search_small(at, deadline, pair, scratch.dual, scratch.search);
        n_nodes = scratch.search.n_nodes;
        if (at.is_settled(scratch.search.best_cost, bound)) found = {scratch.search.best_cost, bound};
    }
    if (at.is_settled(found.cost, found.bound) || pair.lap.stop.is_set()) return {at.rounded(found), n_nodes};
    set_up_dual(at, pair, scratch.dual);
    // Small pairs are searched sooner than ascended.
    const i64 iterations = x.order <= SMALL ? least<i64>(options.ascents, 2) : options.ascents;
    const Solution ascended =
        ascend(at, {iterations, options.patience, deadline}, found.cost, pair, scratch.dual);
    found = {ascended.cost, most(found.bound, ascended.bound)};
    if (at.is_settled(found.cost, found.bound) || pair.lap.stop.is_set()) return {at.rounded(found), n_nodes};
    const ExactResult searched = search_exactly(at, found, known_cost, options, deadline, scratch);
    return {at.rounded(searched.solution), searched.n_nodes};
}

}  // namespace gq
