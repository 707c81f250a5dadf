// Exact matching: a Frank-Wolfe start for larger pairs, then search by the sparse dual. Small pairs have a search of their
// own (small_search.hpp), dense ones are ascended and searched depth first (dual.hpp, search.hpp).
#pragma once

#include "matching/frank_wolfe.hpp"
#include "matching/isomorphism.hpp"
#include "matching/search.hpp"
#include "matching/sparse_search.hpp"
#include "matching/tabu.hpp"

namespace gq {

// When a limit stops a search, the ascent of the whole problem continues as long as it closes this share of the gap,
// but for at most one iteration per this many search nodes, which is a small part of the work.
inline constexpr double LAST_PATIENCE = 5e-4;
inline constexpr i64 LAST_ITERATIONS = 300, NODES_PER_ITERATION = 50;
// Pairs whose smaller graph has at most this many nodes are searched with cheap bounds (small_search.hpp), and
// need no start. A search that visits more nodes than this is better restarted with stronger bounds.
inline constexpr i64 SMALL_ORDER = 8;
inline constexpr double SMALL_NODES = 300.0;

// What the caller of a solver knows of a pair, as costs.
struct Hints {
    double known_cost;     // of a mapping that is known, or inf: it prunes a search, but is not returned
    double hopeless_cost;  // of mappings that are of no use: no further start tries to improve one, or inf
};

// Results of a solver besides pair.best.
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

// A limit on search nodes counts those of pairs like molecules. Where stars are larger, a node counts for more: for the
// work of a pass, in units of this.
inline constexpr double WORK_OF_ONE_NODE = 15000.0;

// How many search nodes a node of this pair counts for.
inline double weight_of_node(const GraphView &x, const GraphView &y) {
    // The assignment problem and its prices, then the stars.
    i64 work = x.order * x.order * x.order / 4;
    for (i64 r = 0; r < x.order; r++) {
        for (i64 p = 0; p < y.order; p++) work += x.degree(r) * y.degree(p) * least(x.degree(r), y.degree(p));
    }
    return most(1.0, static_cast<double>(work) / WORK_OF_ONE_NODE);
}

// Above this order no search of a dense pair within a budget has proven anything; its local search has found more.
inline constexpr i64 LARGE_IF_DENSE = 16;

// The same for the search depth first: it counts dense pairs only.
inline double weight_if_dense(const GraphView &x, const GraphView &y) {
    return x.order > LARGE_IF_DENSE && is_dense(x) && is_dense(y) ? weight_of_node(x, y) : 1.0;
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
    const SearchLimits limits{search_node_limit(at.x, options) / weight_if_dense(at.x, at.y), deadline, false};
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

inline i64 largest_degree(const GraphView &x) {
    i64 largest = 0;
    for (i64 r = 0; r < x.order; r++) largest = most(largest, x.degree(r));
    return largest;
}

// The sparse dual pays where its tables fit a cache, or nearly so, and stars are small enough to be matched often.
inline constexpr i64 MAX_EDGE_PAIRS = 524'288, MAX_STAR = 64, MAX_SPARSE_ORDER = 512;
inline constexpr double MAX_WEIGHT = 32.0;
// Passes improve mappings by themselves: where they cost little, one start of Frank-Wolfe is enough.
inline constexpr i64 SPARSE_STARTS = 1;
inline constexpr double WEIGHT_FOR_ONE_START = 2.0;

// Whether the sparse dual is used. Pairs that are too large for the tables of the other search have no choice.
inline bool is_sparse_pair(const GraphView &x, const GraphView &y) {
    return y.order <= MAX_SPARSE_ORDER && x.n_slots() * y.n_slots() <= MAX_EDGE_PAIRS &&
           most(largest_degree(x), largest_degree(y)) <= MAX_STAR && (weight_of_node(x, y) <= MAX_WEIGHT || !fits_tables(x, y));
}

// Search by the sparse dual; INOUT pair.best and the solution so far. Whether there was memory for it.
inline bool search_by_sparse_dual(const SearchPair &at, const gq_exact &options, const Deadline &deadline, Scratch &scratch,
                                  ExactResult &found) {
    PairScratch &pair = scratch.pair;
    SparseScratch &sparse = scratch.sparse;
    const GraphView &x = at.x, &y = at.y;
    const i64 degree = most<i64>(most(largest_degree(x), largest_degree(y)), 1);
    if (!sparse.reserve(x.order, at.width, x.n_slots(), y.n_slots(), degree)) return false;
    set_up_sparse(at, sparse);
    if (sparse.state_at(0) == nullptr) return false;
    set_up_root(at, pair, sparse, *sparse.state_at(0));
    const double step = step_of_costs(x, y, at.has_zero_label(), pair.gain, sparse.gain);
    Incumbent best{INF, INF, at.grid > 0.0 ? most(step, at.step) : step, at.tolerance, at.enough};
    best.set(found.solution.cost);
    const SparseLimits limits{search_node_limit(x, options) / weight_of_node(x, y), deadline};
    const SparseResult result = search_sparse(at, limits, best, pair, sparse, scratch.isomorphism);
    found.solution.cost = best.cost;
    found.solution.bound = most(found.solution.bound, result.bound);
    found.n_nodes += result.n_nodes;
    return true;
}

// Match exactly; OUT pair.best.
inline ExactResult match_exact(const GraphView &x, const GraphView &y, i64 width, const gq_matcher &matcher, const Hints &hints,
                               const Goal &goal, Scratch &scratch) {
    PairScratch &pair = scratch.pair;
    if (x.order == 0) return {{0.0, 0.0}, 0};
    const gq_exact &options = matcher.exact;
    const Deadline deadline = Deadline::after(options.time_limit);
    const SearchPair at(x, y, width, goal);
    if (x.order > SMALL_ORDER && find_isomorphism(x, y, pair.best, pair, scratch.isomorphism)) {
        const double cost = -mapping_gain(x, y, pair.gain, pair.best);
        return {{cost, cost}, 0};
    }
    // The first ascent of a small pair finds a mapping sooner than a start would.
    const bool is_sparse = x.order > SMALL_ORDER && x.order <= options.search_order && is_sparse_pair(x, y);
    Solution found{INF, -INF};
    if (x.order > SMALL_ORDER || !fits_tables(x, y)) {
        gq_frank_wolfe starter = matcher.frank_wolfe;
        if (is_sparse && weight_of_node(x, y) <= WEIGHT_FOR_ONE_START) starter.n_starts = SPARSE_STARTS;
        found.bound = match_frank_wolfe(x, y, width, starter, hints.hopeless_cost, pair).bound;
        found.cost = -mapping_gain(x, y, pair.gain, pair.best);
    }
    if (x.order > options.search_order) return {at.rounded(found), 0};
    if (is_sparse) {
        if (at.is_settled(found.cost, found.bound) || pair.lap.stop.is_set()) return {at.rounded(found), 0};
        ExactResult result{found, 0};
        if (search_by_sparse_dual(at, options, deadline, scratch, result)) return {at.rounded(result.solution), result.n_nodes};
    }
    if (!fits_tables(x, y)) return {at.rounded(found), 0};
    if (x.order > SMALL_ORDER && is_dense(x) && is_dense(y) && !at.is_settled(found.cost, found.bound)) {
        found.cost = -search_tabu(x, y, width, at.tolerance, -found.cost, pair, scratch.tabu);
    }
    i64 n_nodes = 0;
    if (x.order <= SMALL_ORDER && search_node_limit(x, options) == INF) {
        const double bound = search_small(at, deadline, pair, scratch.dual, scratch.search);
        n_nodes = scratch.search.n_nodes;
        if (at.is_settled(scratch.search.best_cost, bound)) found = {scratch.search.best_cost, bound};
    }
    if (at.is_settled(found.cost, found.bound) || pair.lap.stop.is_set()) return {at.rounded(found), n_nodes};
    set_up_dual(at, pair, scratch.dual);
    // Searching a small pair is faster than an ascent.
    const i64 iterations = x.order <= SMALL ? least<i64>(options.ascents, 2) : options.ascents;
    const Solution ascended = ascend(at, {iterations, options.patience, deadline}, found.cost, pair, scratch.dual);
    found = {ascended.cost, most(found.bound, ascended.bound)};
    if (at.is_settled(found.cost, found.bound) || pair.lap.stop.is_set()) return {at.rounded(found), n_nodes};
    const ExactResult searched = search_exactly(at, found, hints.known_cost, options, deadline, scratch);
    return {at.rounded(searched.solution), searched.n_nodes};
}

}  // namespace gq
