// Robust tabu search (Taillard, 1991) for pairs with edges nearly everywhere.
//
// Such pairs have many local optima of exchanges, and no bound proves any of them. The search always makes the best
// exchange that is not forbidden, even if it makes the mapping worse; two nodes that were exchanged may not both go back
// for a while, which varies. A step costs O(nx * ny) sums of products, with tables of all edges.
#pragma once

#include "matching/isomorphism.hpp"
#include "matching/local_search.hpp"

namespace gq {

// The work of a search: steps times nodes of X times nodes of Y.
inline constexpr i64 TABU_WORK = 24'000'000;
// How long an exchange is forbidden, in steps per node of X.
inline constexpr double SHORTEST_TABU = 0.4, LONGEST_TABU = 1.4;
// After so many steps per node of X without a better mapping than since the last restart, the search goes on from
// elsewhere: in turns from the best mapping with every third node exchanged at random, and with twice as many exchanges as
// nodes, which is anywhere.
inline constexpr i64 STEPS_BEFORE_RESTART = 10, SHAKEN_SHARE = 3, FRESH_TIMES = 2;
// Graphs with at least this share of all edges are dense.
inline constexpr double DENSE_SHARE = 0.5;

inline bool is_dense(const GraphView &x) {
    const auto all = static_cast<double>(x.order * (x.order - 1));
    return static_cast<double>(x.n_slots()) >= DENSE_SHARE * all;
}

// A search in progress. All zero nodes have the label ny, whose gains and edges are zero.
struct Tabu {
    const GraphView &x, &y;
    i64 width;
    const i32 *group_of;
    Matrix<double> gain;
    TabuScratch &work;
    i64 *mapping, *owner;
    i64 step = 0;

    i64 label(i64 position) const { return least(position, y.order); }
    double node_gain(i64 r, i64 a) const { return a < y.order ? gain[r][a] : 0.0; }
    // What node r gains on label a, while all others stay.
    double value(i64 r, i64 a) const { return node_gain(r, a) + x.pair_weight * work.support[r][a]; }
    std::uint64_t random() const { return mixed(static_cast<std::uint64_t>(step) + 1); }
};

// OUT dense tables of both graphs.
inline void fill_tables(const Tabu &at) {
    const i64 nx = at.x.order, ny = at.y.order, q = at.x.edge_channels;
    TabuScratch &work = at.work;
    for (i64 k = 0; k < nx * nx * q; k++) work.x[k] = 0.0;
    for (i64 k = 0; k < (ny + 1) * (ny + 1) * q; k++) work.y[k] = 0.0;
    for (i64 r = 0; r < nx; r++) {
        for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
            for (i64 c = 0; c < q; c++) work.x[(c * nx + at.x.adj_idx[k]) * nx + r] = at.x.edge(k)[c];
        }
    }
    // The end that is fixed comes first, so that support grows along rows.
    for (i64 p = 0; p < ny; p++) {
        for (i64 m = at.y.adj_ptr[p]; m < at.y.adj_ptr[p + 1]; m++) {
            for (i64 c = 0; c < q; c++) work.y[(c * (ny + 1) + at.y.adj_idx[m]) * (ny + 1) + p] = at.y.edge(m)[c];
        }
    }
}

// Add to the support of all nodes on all labels what node s gives on label b, beyond what it gave on label `before`.
inline void add_support(const Tabu &at, i64 s, i64 b, i64 before) {
    const i64 nx = at.x.order, labels = at.y.order + 1;
    for (i64 c = 0; c < at.x.edge_channels; c++) {
        const double *from_s = at.work.x + (c * nx + s) * nx;
        const double *to_b = at.work.y + (c * labels + b) * labels, *to_before = at.work.y + (c * labels + before) * labels;
        for (i64 r = 0; r < nx; r++) {
            double *row = at.work.support[r];
            const double factor = from_s[r];
            for (i64 a = 0; a < labels; a++) row[a] += factor * (to_b[a] - to_before[a]);
        }
    }
}

// Products of the edge between r and s with those between labels a and b, in both directions.
inline double crossed_products(const Tabu &at, i64 r, i64 s, i64 a, i64 b) {
    const i64 nx = at.x.order, labels = at.y.order + 1;
    double total = 0.0;
    for (i64 c = 0; c < at.x.edge_channels; c++) {
        const double *y = at.work.y + c * labels * labels;
        total += at.work.x[(c * nx + s) * nx + r] * (y[b * labels + a] + y[a * labels + b]);
    }
    return total;
}

// What putting node r on position t gains, and the node on t, if any, to where r was.
inline double tabu_gain(const Tabu &at, i64 r, i64 t) {
    const i64 a = at.label(at.mapping[r]), b = at.label(t), s = at.owner[t];
    double change = at.value(r, b) - at.value(r, a);
    if (s >= 0) change += at.value(s, a) - at.value(s, b) + at.x.pair_weight * crossed_products(at, r, s, a, b);
    return change;
}

// Make an exchange; it is forbidden to go back for a while.
inline void make_exchange(Tabu &at, i64 r, i64 t) {
    const i64 p = at.mapping[r], s = at.owner[t];
    const auto shortest = static_cast<i64>(SHORTEST_TABU * static_cast<double>(at.x.order));
    const auto longest = static_cast<i64>(LONGEST_TABU * static_cast<double>(at.x.order));
    const i64 until = at.step + shortest + static_cast<i64>(at.random() % static_cast<std::uint64_t>(longest - shortest + 1));
    at.work.until[r][p] = until;
    if (at.label(t) != at.label(p)) add_support(at, r, at.label(t), at.label(p));
    at.mapping[r] = t;
    at.owner[t] = r;
    at.owner[p] = s;
    if (s < 0) return;
    at.work.until[s][t] = until;
    add_support(at, s, at.label(p), at.label(t));
    at.mapping[s] = p;
}

struct Exchange {
    i64 node, position;  // -1: none
    double change;
};

// The best exchange that is not forbidden, or is better than `needed`.
inline Exchange best_allowed(const Tabu &at, double needed) {
    Exchange best{-1, -1, -INF};
    for (i64 r = 0; r < at.x.order; r++) {
        bool has_seen_zero = false;
        for (i64 t = 0; t < at.width; t++) {
            const i64 s = at.owner[t];
            // Each pair of nodes once, and one of the free zero nodes.
            if ((s >= 0 && s <= r) || at.group_of[t] != at.x.group[r]) continue;
            if (s < 0 && t >= at.y.order) {
                if (has_seen_zero || at.mapping[r] >= at.y.order) continue;
                has_seen_zero = true;
            }
            const double change = tabu_gain(at, r, t);
            if (change <= best.change) continue;
            const bool is_free = at.work.until[r][t] <= at.step || (s >= 0 && at.work.until[s][at.mapping[r]] <= at.step);
            if (is_free || change > needed) best = {r, t, change};
        }
    }
    return best;
}

// Go on from the best mapping after so many exchanges at random.
inline void shake(Tabu &at, const i64 *best, i64 count) {
    for (i64 r = 0; r < at.x.order; r++) {
        if (at.mapping[r] != best[r]) make_exchange(at, r, best[r]);
    }
    for (i64 k = 0; k < count; k++) {
        at.step++;
        const auto r = static_cast<i64>(at.random() % static_cast<std::uint64_t>(at.x.order));
        const auto t = static_cast<i64>(mixed(at.random()) % static_cast<std::uint64_t>(at.width));
        if (t != at.mapping[r] && at.group_of[t] == at.x.group[r]) make_exchange(at, r, t);
    }
}

// Improve the mapping in pair.best; returns its gain, the sum of all products.
inline double search_tabu(const GraphView &x, const GraphView &y, i64 width, double tolerance, double gain, PairScratch &pair,
                          TabuScratch &work) {
    const i64 nx = x.order;
    Tabu at{x, y, width, pair.group_of, pair.gain, work, pair.candidate, pair.owner};
    fill_tables(at);
    for (i64 p = 0; p < width; p++) pair.owner[p] = -1;
    for (i64 r = 0; r < nx; r++) {
        at.mapping[r] = pair.best[r];
        at.owner[at.mapping[r]] = r;
        for (i64 a = 0; a <= y.order; a++) work.support[r][a] = 0.0;
        for (i64 t = 0; t < width; t++) work.until[r][t] = 0;
    }
    for (i64 r = 0; r < nx; r++) {
        if (at.mapping[r] < y.order) add_support(at, r, at.mapping[r], y.order);
    }
    double now = gain, best = gain;
    const i64 n_steps = TABU_WORK / (nx * y.order);
    double best_since = gain;
    i64 last_better = 0, n_restarts = 0;
    while (at.step < n_steps && !pair.lap.stop.is_set()) {
        const Exchange exchange = best_allowed(at, best + tolerance - now);
        at.step++;
        if (exchange.node >= 0) {
            make_exchange(at, exchange.node, exchange.position);
            now += exchange.change;
        }
        if (now > best + tolerance) {
            // Of exchanges, gains are sums with rounding errors.
            now = mapping_gain(x, y, pair.gain, at.mapping);
            if (now > best + tolerance) {
                best = now;
                for (i64 r = 0; r < nx; r++) pair.best[r] = at.mapping[r];
            }
        }
        if (now > best_since + tolerance) {
            best_since = now;
            last_better = at.step;
        } else if (exchange.node < 0 || at.step - last_better >= STEPS_BEFORE_RESTART * nx) {
            shake(at, pair.best, n_restarts++ % 2 == 0 ? FRESH_TIMES * nx : nx / SHAKEN_SHARE);
            now = best_since = mapping_gain(x, y, pair.gain, at.mapping);
            last_better = at.step;
        }
    }
    return best;
}

}  // namespace gq
