// The second-best alignment: how far the best one is from being replaced (the gap certificate).
#pragma once

#include "matching/exact.hpp"

namespace gq {

struct CertificateLimits {
    i64 ascents;
    double max_nodes;
};

// Whether two mappings of X place the same vectors on the same positions of Y. Zero nodes are interchangeable:
// nodes on them must be the same in both. WORK at (width,), twin (nx,): the node that b puts where a puts r.
inline bool is_same_lift(const GraphView &x, i64 ny, const i64 *a, const i64 *b, i64 *at, i64 *twin) {
    for (i64 r = 0; r < x.order; r++) at[a[r]] = -1;
    for (i64 r = 0; r < x.order; r++) at[b[r]] = r;
    for (i64 r = 0; r < x.order; r++) {
        twin[r] = a[r] < ny ? at[a[r]] : (b[r] >= ny ? r : -1);
        if (twin[r] < 0) return false;
    }
    for (i64 r = 0; r < x.order; r++) {
        const i64 s = twin[r];
        if (s == r) continue;
        if (x.degree(s) != x.degree(r)) return false;
        for (i64 c = 0; c < x.node_channels; c++) {
            if (x.node(r)[c] != x.node(s)[c]) return false;
        }
    }
    for (i64 r = 0; r < x.order; r++) {
        const i64 s = twin[r];
        for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) {
            i64 m = x.adj_ptr[s];
            while (m < x.adj_ptr[s + 1] && x.adj_idx[m] != twin[x.adj_idx[k]]) m++;
            if (m == x.adj_ptr[s + 1]) return false;
            for (i64 c = 0; c < x.edge_channels; c++) {
                if (x.edge(k)[c] != x.edge(m)[c]) return false;
            }
        }
    }
    return true;
}

// OUT pair.best: a mapping with nodes on zero nodes of their own class, as the search numbers them. WORK pair.owner.
inline void take_over_mapping(const GraphView &x, const GraphView &y, i64 width, const i64 *mapping, PairScratch &pair) {
    for (i64 p = 0; p < width; p++) pair.owner[p] = -1;
    for (i64 r = 0; r < x.order; r++) {
        i64 column = mapping[r];
        if (column >= y.order) {
            column = y.order;
            while (pair.owner[column] >= 0 || pair.group_of[column] != x.group[r]) column++;
        }
        pair.best[r] = column;
        pair.owner[column] = r;
    }
}

// Search for the cheapest mapping with a lift other than that of pair.best (its cost goes to search.second_cost).
inline Outcome find_second(const SearchPair &at, const SearchLimits &limits, Scratch &scratch) {
    PairScratch &pair = scratch.pair;
    SearchScratch &search = scratch.search;
    while (true) {
        const Outcome outcome = run_search(at, search.second_cost, limits, pair, scratch.dual, search);
        if (outcome != Outcome::LEAF) return outcome;
        const double other = keep_if_better(at, pair, search);
        if (other < search.second_cost &&
            !is_same_lift(at.x, at.y.order, pair.best, search.column, pair.owner, pair.candidate)) {
            search.second_cost = other;
        }
    }
}

// Prepare the search of a small pair; returns whether there is anything to search.
inline bool begin_small_second(const SearchPair &at, double cost, Scratch &scratch) {
    if (start_small_search(at, scratch.pair, scratch.dual, scratch.search) == INF) return false;
    scratch.search.best_cost = cost;
    scratch.search.second_cost = INF;
    return true;
}

// Search for the second-best lift; returns a lower bound of the cost of all other lifts.
inline double second_cost(const SearchPair &at, double cost, const CertificateLimits &limits, Scratch &scratch) {
    PairScratch &pair = scratch.pair;
    Outcome outcome = Outcome::STOPPED;
    if (at.x.order <= SMALL_ORDER && begin_small_second(at, cost, scratch)) {
        outcome = find_second(at, {SMALL_NODES, {}, true}, scratch);
    }
    if (outcome == Outcome::STOPPED) {
        for (i64 r = 0; r < at.x.order; r++) pair.candidate[r] = pair.best[r];
        set_up_dual(at, pair, scratch.dual);
        ascend(at, {limits.ascents, 0.02, {}}, cost, pair, scratch.dual);
        // The ascent may have found another mapping of the same cost; keep the given lift.
        for (i64 r = 0; r < at.x.order; r++) pair.best[r] = pair.candidate[r];
        start_search(at, cost, INF, {true, false}, pair, scratch.dual, scratch.search);
        find_second(at, {limits.max_nodes, {}, false}, scratch);
    }
    return most(cost, least(scratch.search.second_cost, frontier(scratch.search)));
}

// Lower bound of the squared distance of all mappings with a lift other than the best one.
//
// mapping: the best mapping of X, positions in Y or zero nodes; X becomes the rows, whatever its size. Exact if the
// search ends within its limits, else a lower bound of it. Twin nodes of X may be exchanged without changing the lift;
// those of Y may not.
inline double second_sq_distance(const GraphView &x, const GraphView &y, const i64 *mapping, Space space,
                                 const CertificateLimits &limits, Scratch &scratch) {
    PairScratch &pair = scratch.pair;
    const double scale = x.sq_norm + y.sq_norm;
    const i64 width = place_zero_nodes(x, y, space, pair.group_of, false);
    const SearchPair at(x, y, width);
    node_gains(x, y, pair.gain);
    take_over_mapping(x, y, width, mapping, pair);
    const double cost = -mapping_gain(x, y, pair.gain, pair.best);
    double second = cost;
    if (x.order > 0 && fits_tables(x, y)) second = second_cost(at, cost, limits, scratch);
    if (pair.lap.stop.is_set()) return 0.0;
    return most(0.0, scale + 2.0 * second - 2.0 * ROUNDING * scale);
}

}  // namespace gq
