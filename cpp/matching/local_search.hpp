// Local search on mappings: exchange two nodes, or move one to a free position, until nothing helps.
//
// A round costs O(nx * width) evaluations of one exchange, each O(1) for nodes that are not neighbours.
#pragma once

#include "graphs/gains.hpp"
#include "support/arena.hpp"
#include "support/stop.hpp"

namespace gq {

// Working memory for the exchanges of one node, a number for each position of Y.
struct ExchangeScratch {
    double *loss;      // minus the improvement
    double *arriving;  // what the node on it gains where it goes to
    double *leaving;   // and what it gives up

    void allocate(Arena &arena, i64 order) {
        loss = arena.take<double>(order);
        arriving = arena.take<double>(order);
        leaving = arena.take<double>(order);
    }
};

// A mapping, the owner of each position, and the edge support of the mapping; an exchange keeps all three up to date.
struct Alignment {
    const GraphView &x, &y;
    i64 width;             // positions: those of Y, then zero nodes
    const i32 *group_of;   // (width,)  class of each position
    Matrix<double> gain;   // (nx, ny)  node gains
    i64 *mapping;          // INOUT (nx,)
    i64 *owner;            // (width,)  node on each position, or -1
    Matrix<double> support;  // INOUT (nx, ny)
    double tolerance;      // smallest improvement that counts
    Stop stop;
    ExchangeScratch work;

    void find_owners() const {
        for (i64 p = 0; p < width; p++) owner[p] = -1;
        for (i64 r = 0; r < x.order; r++) owner[mapping[r]] = r;
    }
};

// <x_rs, y_pt> + <x_rs, y_tp>, zero unless r and s are neighbours.
inline double crossed_gain(const Alignment &at, i64 r, i64 s, i64 p, i64 t) {
    double total = 0.0;
    for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
        if (at.x.adj_idx[k] != s) continue;
        for (int turn = 0; turn < 2; turn++) {
            const i64 from = turn == 0 ? p : t, to = turn == 0 ? t : p;
            for (i64 m = at.y.adj_ptr[from]; m < at.y.adj_ptr[from + 1]; m++) {
                if (at.y.adj_idx[m] != to) continue;
                for (i64 c = 0; c < at.x.edge_channels; c++) total += at.x.edge(k)[c] * at.y.edge(m)[c];
                break;
            }
        }
        break;
    }
    return total;
}

// Improvement if node r goes to position t, and the node on t, if any, to where r was.
//
// It is a difference of local terms, so that small improvements are not lost next to large gains.
inline double exchange_gain(const Alignment &at, i64 r, i64 t) {
    const double weight = at.x.pair_weight;
    const i64 ny = at.y.order, p = at.mapping[r], s = at.owner[t];
    double change = 0.0;
    if (t < ny) change += at.gain[r][t] + weight * at.support[r][t];
    if (p < ny) change -= at.gain[r][p] + weight * at.support[r][p];
    if (s >= 0) {
        if (p < ny) change += at.gain[s][p] + weight * at.support[s][p];
        if (t < ny) change -= at.gain[s][t] + weight * at.support[s][t];
        if (p < ny && t < ny) change += weight * crossed_gain(at, r, s, p, t);
    }
    return change;
}

inline void move_node(const Alignment &at, i64 node, i64 from, i64 to) {
    if (node < 0) return;
    if (from < at.y.order) add_row_support(at.x, at.y, node, from, -1.0, at.support);
    if (to < at.y.order) add_row_support(at.x, at.y, node, to, 1.0, at.support);
    at.mapping[node] = to;
}

// Put node r on position t, and the node on t, if any, to where r was.
inline void exchange(const Alignment &at, i64 r, i64 t) {
    const i64 p = at.mapping[r], s = at.owner[t];
    move_node(at, r, p, t);
    move_node(at, s, t, p);
    at.owner[t] = r;
    at.owner[p] = s;
}

// What node r gains on position p, with all others where they are.
inline double gain_on(const Alignment &at, i64 r, i64 p) { return at.gain[r][p] + at.x.pair_weight * at.support[r][p]; }

// OUT at.work.loss[t]: minus exchange_gain(at, r, t) for the positions of Y, inf for the node's own one.
//
// The same terms in the same order, for all positions side by side.
inline void weigh_exchanges(const Alignment &at, i64 r) {
    const i64 ny = at.y.order, p = at.mapping[r];
    const double weight = at.x.pair_weight, own = p < ny ? gain_on(at, r, p) : 0.0;
    double *loss = at.work.loss, *arriving = at.work.arriving, *leaving = at.work.leaving;
    for (i64 t = 0; t < ny; t++) arriving[t] = leaving[t] = 0.0;
    for (i64 s = 0; s < at.x.order; s++) {
        const i64 t = at.mapping[s];
        if (t >= ny) continue;
        arriving[t] = p < ny ? gain_on(at, s, p) : 0.0;
        leaving[t] = gain_on(at, s, t);
    }
    const double *gain = at.gain[r], *support = at.support[r];
    for (i64 t = 0; t < ny; t++) {
        loss[t] = -((((gain[t] + weight * support[t]) - own) + arriving[t]) - leaving[t]);
    }
    if (p >= ny) return;
    for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
        const i64 s = at.x.adj_idx[k], t = at.mapping[s];
        if (t < ny) loss[t] -= weight * crossed_gain(at, r, s, p, t);
    }
    loss[p] = INF;
}

// Best position for node r other than its own; its own if no exchange improves by more than the tolerance.
inline i64 best_exchange(const Alignment &at, i64 r, double &best) {
    const i64 ny = at.y.order;
    i64 best_at = at.mapping[r];
    best = at.tolerance;
    weigh_exchanges(at, r);
    const double lowest = least_of(at.work.loss, ny);
    if (-lowest > best) {
        best = -lowest;
        best_at = 0;
        while (at.work.loss[best_at] != lowest) best_at++;
    }
    bool has_seen_zero = false;
    for (i64 t = ny; t < at.width; t++) {
        if (t == at.mapping[r] || at.group_of[t] != at.x.group[r]) continue;
        if (at.owner[t] < 0) {
            // Free zero nodes of a class are interchangeable.
            if (has_seen_zero) continue;
            has_seen_zero = true;
        }
        const double change = exchange_gain(at, r, t);
        if (change > best) {
            best = change;
            best_at = t;
        }
    }
    return best_at;
}

// Improve a mapping to a local optimum of exchanges and moves; returns the total improvement.
inline double improve(const Alignment &at) {
    at.find_owners();
    double total = 0.0;
    bool has_improved = true;
    // A strict improvement cannot cycle; the cap only guards against rounding.
    for (int round = 0; has_improved && round < 1000; round++) {
        has_improved = false;
        for (i64 r = 0; r < at.x.order && !at.stop.is_set(); r++) {
            double change = 0.0;
            const i64 target = best_exchange(at, r, change);
            if (target == at.mapping[r]) continue;
            exchange(at, r, target);
            total += change;
            has_improved = true;
        }
    }
    return total;
}

}  // namespace gq
