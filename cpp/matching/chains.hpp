// Chains of exchanges along edges: improvements that local search by single exchanges cannot reach.
//
// If a whole part of a graph should be mapped elsewhere, every single exchange makes the mapping worse. A
// chain (after Kernighan and Lin, 1970) starts at an edge that the mapping breaks: one end moves next to the image
// of the other, then one neighbour after another follows, each by its best exchange. The chain is cut where the
// mapping was best, or undone if it was never better than before.
#pragma once

#include "matching/local_search.hpp"
#include "matching/scratch.hpp"

namespace gq {

// In units of the mean gain of a node: a chain ends when it has lost more than the first, and takes no step that
// loses more than the second. Measured on the four data sets; twice as much finds little more.
inline constexpr double DEEPEST = 3.5, WORST_STEP = 0.9;
// Maximum number of pairs of neighbours that the chains of one mapping may examine. Two molecules do not need as many;
// a mean of many graphs may have edges nearly everywhere.
inline constexpr i64 MOST_CHAIN_WORK = 30'000;

struct Chain {
    i64 *locked;  // (nx,)  stamp of the last chain that a node was in
    i64 *queue;   // (nx,)  nodes of this chain, in order
    i64 *origin;  // (nx,)  where each was, -1 if it did not move
    double unit;  // mean gain of a node
};

struct ChainStep {
    i64 node, position;  // -1 if there is none
    double change;
};

// The best exchange that puts a neighbour of node a next to the position of a. A neighbour that is already there
// comes first, with an improvement of zero.
inline ChainStep best_step(const Alignment &at, const Chain &chain, i64 stamp, i64 a) {
    const i64 b = at.mapping[a];
    ChainStep best{-1, -1, -INF};
    for (i64 k = at.x.adj_ptr[a]; k < at.x.adj_ptr[a + 1]; k++) {
        const i64 s = at.x.adj_idx[k];
        if (chain.locked[s] == stamp) continue;
        for (i64 m = at.y.adj_ptr[b]; m < at.y.adj_ptr[b + 1]; m++) {
            const i64 t = at.y.adj_idx[m];
            if (at.mapping[s] == t) return {s, t, 0.0};
            if (at.group_of[t] != at.x.group[s]) continue;
            if (at.owner[t] >= 0 && chain.locked[at.owner[t]] == stamp) continue;
            const double change = exchange_gain(at, s, t);
            if (change > best.change) best = {s, t, change};
        }
    }
    return best;
}

// Run the chain that starts with node r moving to t, next to its neighbour a. Returns the improvement; INOUT work:
// number of examined pairs of neighbours.
inline double follow_chain(const Alignment &at, const Chain &chain, i64 stamp, i64 a, i64 r, i64 t, i64 &work) {
    chain.locked[a] = stamp;
    chain.queue[0] = a;
    chain.origin[0] = -1;
    i64 head = 0, size = 1, keep = 0;
    ChainStep step{r, t, exchange_gain(at, r, t)};
    double total = 0.0, best = at.tolerance;
    while (true) {
        if (size == 1 || (step.node >= 0 && step.change >= -WORST_STEP * chain.unit)) {
            total += step.change;
            chain.locked[step.node] = stamp;
            chain.queue[size] = step.node;
            chain.origin[size] = -1;
            if (at.mapping[step.node] != step.position) {
                chain.origin[size] = at.mapping[step.node];
                exchange(at, step.node, step.position);
            }
            size++;
            if (total > best) {
                best = total;
                keep = size;
            }
            if (total < -DEEPEST * chain.unit) break;
        } else if (++head == size) {
            break;
        }
        const i64 node = chain.queue[head];
        work += at.x.degree(node) * at.y.degree(at.mapping[node]);
        step = best_step(at, chain, stamp, node);
    }
    for (i64 back = size - 1; back >= keep; back--) {
        if (chain.origin[back] >= 0) exchange(at, chain.queue[back], chain.origin[back]);
    }
    return keep > 0 ? best : 0.0;
}

// Start chains at the edge from node a in one slot, as long as one helps; returns whether one did.
inline bool repair_edge(const Alignment &at, const Chain &chain, i64 a, i64 slot, i64 &stamp, i64 &work, double &total) {
    const i64 b = at.mapping[a], r = at.x.adj_idx[slot];
    if (b >= at.y.order || are_neighbours(at.y, b, at.mapping[r])) return false;
    for (i64 m = at.y.adj_ptr[b]; m < at.y.adj_ptr[b + 1]; m++) {
        const i64 t = at.y.adj_idx[m];
        if (at.group_of[t] != at.x.group[r]) continue;
        stamp++;
        const double change = follow_chain(at, chain, stamp, a, r, t, work);
        if (change > 0.0) {
            total += change;
            total += improve(at);
            return true;
        }
    }
    return false;
}

// Improve a local optimum by chains at broken edges, as long as they help; returns the improvement.
inline double repair_edges(const Alignment &at, const Chain &chain) {
    const i64 nx = at.x.order;
    for (i64 r = 0; r < nx; r++) chain.locked[r] = 0;
    double total = 0.0;
    i64 stamp = 0, work = 0, a = 0, n_without = 0;
    while (n_without < nx && work < MOST_CHAIN_WORK && !at.stop.is_set()) {
        n_without++;
        for (i64 k = at.x.adj_ptr[a]; k < at.x.adj_ptr[a + 1]; k++) {
            if (repair_edge(at, chain, a, k, stamp, work, total)) n_without = 0;
        }
        a = (a + 1) % nx;
    }
    return total;
}

}  // namespace gq
