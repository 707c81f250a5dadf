// One pair from start to end: orient, solve, finish.
#pragma once

#include "matching/exact.hpp"
#include "matching/graduated.hpp"

namespace gq {

// A matched pair, squared.
struct PairResult {
    double sq_distance;
    double sq_lower;  // certified
    i64 n_nodes;      // search nodes
    i32 status;       // GQ_OK, or why a user-defined matcher failed
};

// The result for a pair whose matching did not end: nothing is known. OUT mapping.
inline PairResult cut_short(const GraphView &x, i64 *mapping, i32 status) {
    for (i64 r = 0; r < x.order; r++) mapping[r] = r;
    return {INF, 0.0, 0, status};
}

// Evaluate a mapping of rows to columns by differences and certify its bound; OUT mapping in the requested direction.
inline PairResult finish(const GraphView &x, const GraphView &y, bool is_swapped, const i64 *rows_to_columns, double bound,
                         Space space, PairScratch &pair, i64 *mapping) {
    const GraphView &rows = is_swapped ? y : x, &columns = is_swapped ? x : y;
    const double scale = rows.sq_norm + columns.sq_norm;
    const double distance = sq_distance_under(rows, columns, rows_to_columns, pair.slot_of, pair.covered);
    const double lower = scale + 2.0 * bound - 2.0 * ROUNDING * scale;
    if (mapping != nullptr) write_mapping(x, y, is_swapped, rows_to_columns, space, pair.next_of, mapping);
    // A bound can exceed the distance only by rounding.
    return {distance, most(0.0, least(lower, distance)), 0, GQ_OK};
}

// Solve an oriented pair; OUT pair.best.
inline ExactResult solve(const GraphView &rows, const GraphView &columns, Space space, const gq_matcher &matcher,
                         const Hints &hints, const Goal &goal, Scratch &scratch) {
    PairScratch &pair = scratch.pair;
    const i64 width = place_zero_nodes(rows, columns, space, pair.group_of);
    node_gains(rows, columns, pair.gain);
    switch (matcher.kind) {
        case GQ_FRANK_WOLFE:
            return {match_frank_wolfe(rows, columns, width, matcher.frank_wolfe, hints.hopeless_cost, pair), 0};
        case GQ_GRADUATED: return {match_graduated(rows, columns, width, matcher.graduated, pair), 0};
        default: return match_exact(rows, columns, width, matcher, hints, goal, scratch);
    }
}

// Ask a user-defined matcher for the mapping of X to Y, which have the numbers i and j; bound it by stars.
inline PairResult match_by_callback(const GraphView &x, const GraphView &y, i64 i, i64 j, Space space,
                                    const gq_matcher &matcher, PairScratch &pair, i64 *mapping) {
    if (matcher.callback.match(matcher.callback.context, i, j, pair.candidate) != 0) {
        return cut_short(x, mapping, GQ_CALLBACK_FAILED);
    }
    const double sq_bound = star_bound(x, y, space, pair);
    for (i64 r = 0; r < x.order; r++) mapping[r] = pair.candidate[r];
    const double distance = sq_distance_under(x, y, mapping, pair.slot_of, pair.covered);
    return {distance, least(sq_bound, distance), 0, GQ_OK};
}

// Match X (numbered i) with Y (numbered j); OUT mapping (x.order,): position in Y of each node of X.
//
// The smaller graph becomes the rows (of equal ones the lexicographically smaller), so that the result does not depend on
// which graph comes first; identical graphs need no matching. A user-defined matcher gets X first.
// known_sq: squared distance under a mapping that the caller knows, or inf. hopeless_sq: one that is of no use to the
// caller, or inf.
inline PairResult match_pair(const GraphView &x, const GraphView &y, i64 i, i64 j, Space space, const gq_matcher &matcher,
                             double known_sq, Scratch &scratch, i64 *mapping, const Goal &goal = {}, double hopeless_sq = INF) {
    if (matcher.kind == GQ_CALLBACK) return match_by_callback(x, y, i, j, space, matcher, scratch.pair, mapping);
    const int order = compare(x, y);
    if (order == 0) {
        for (i64 r = 0; r < x.order; r++) mapping[r] = r;
        return {0.0, 0.0, 0, GQ_OK};
    }
    const bool is_swapped = order > 0;
    const double scale = x.sq_norm + y.sq_norm;
    const Hints hints{known_sq < INF ? 0.5 * (known_sq - scale) : INF, hopeless_sq < INF ? 0.5 * (hopeless_sq - scale) : INF};
    const ExactResult found =
        is_swapped ? solve(y, x, space, matcher, hints, goal, scratch) : solve(x, y, space, matcher, hints, goal, scratch);
    if (scratch.pair.lap.stop.is_set()) return cut_short(x, mapping, GQ_STOPPED);
    PairResult result = finish(x, y, is_swapped, scratch.pair.best, found.solution.bound, space, scratch.pair, mapping);
    result.n_nodes = found.n_nodes;
    return result;
}

}  // namespace gq
