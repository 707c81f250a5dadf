// Graphs without their faintest positions, for solvers that look for an alignment.
//
// A code graph that has once won a graph of 400 nodes has 400 positions from then on, most of them with next to nothing on
// them. A graph of 30 nodes needs few of them, but all of them would price each of its assignments.
#pragma once

#include "matching/scratch.hpp"

namespace gq {

// A position is faint if no node gains more on it than this share of what one gains on the best position.
inline constexpr double FAINT_POSITION = 0.2;
// At least as many positions are kept as X has nodes, and this many more.
inline constexpr i64 LEAN_ROOM = 16;

// The positions that are kept, and Y on them alone.
struct Lean {
    GraphView y;
    i64 width;
};

inline i64 lean_order(const GraphView &x) { return x.order + LEAN_ROOM; }

// Whether leaving out all but so many positions is worth its cost.
inline bool is_worth_leaning(const GraphView &y, i64 n_kept) { return 2 * y.order >= 3 * n_kept; }

// Node classes have positions of their own.
inline bool has_classes(i64 width, const i32 *group_of) {
    for (i64 p = 1; p < width; p++) {
        if (group_of[p] != group_of[0]) return true;
    }
    return false;
}

inline double edge_norm(const GraphView &x, i64 r) {
    double total = 0.0;
    for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) total += sq_norm_of_edge(x, k);
    return std::sqrt(total);
}

// OUT room.most_gain: no node gains more on each position, by its attributes and, by Cauchy's inequality, the norms of its
// edges. Returns the largest.
inline double find_most_gains(const GraphView &x, const GraphView &y, Matrix<double> gain, LeanGraph &room) {
    double longest = 0.0, largest = 0.0;
    for (i64 r = 0; r < x.order; r++) longest = most(longest, edge_norm(x, r));
    for (i64 p = 0; p < y.order; p++) {
        double best = 0.0;
        for (i64 r = 0; r < x.order; r++) best = most(best, gain[r][p]);
        room.most_gain[p] = best + 0.5 * x.pair_weight * longest * edge_norm(y, p);
        largest = most(largest, room.most_gain[p]);
    }
    return largest;
}

// The gain that as many positions reach as lean_order says. WORK room.position.
inline double gain_of_last_kept(const GraphView &x, const GraphView &y, LeanGraph &room) {
    i64 count = 0;
    for (i64 p = 0; p < y.order; p++) {
        if (count == lean_order(x)) {
            if (room.most_gain[p] <= room.most_gain[room.position[count - 1]]) continue;
            count--;
        }
        i64 at = count++;
        for (; at > 0 && room.most_gain[room.position[at - 1]] < room.most_gain[p]; at--)
            room.position[at] = room.position[at - 1];
        room.position[at] = p;
    }
    return room.most_gain[room.position[count - 1]];
}

// OUT room.position, room.place: the positions that are not faint, in order, and those of `needed` (x.order,). Returns their
// number, y.order if it is not worth leaving out the others.
inline i64 choose_positions(const GraphView &x, const GraphView &y, i64 width, const i32 *group_of, Matrix<double> gain,
                            const i64 *needed, LeanGraph &room) {
    if (!is_worth_leaning(y, lean_order(x)) || has_classes(width, group_of)) return y.order;
    const double largest = find_most_gains(x, y, gain, room);
    const double enough = least(FAINT_POSITION * largest, gain_of_last_kept(x, y, room));
    for (i64 r = 0; r < x.order; r++) {
        if (needed[r] < y.order) room.most_gain[needed[r]] = INF;
    }
    i64 kept = 0;
    for (i64 p = 0; p < y.order; p++) {
        const bool is_kept = room.most_gain[p] >= enough;
        room.place[p] = is_kept ? kept : -1;
        if (is_kept) room.position[kept++] = p;
    }
    return is_worth_leaning(y, kept) ? kept : y.order;
}

// INOUT values[r]: the columns of the positions that are kept move to the front.
inline void keep_columns(const GraphView &x, i64 n_kept, const LeanGraph &room, Matrix<double> values) {
    for (i64 r = 0; r < x.order; r++) {
        for (i64 at = 0; at < n_kept; at++) values[r][at] = values[r][room.position[at]];
    }
}

// Y on the positions of `room` alone. It has edges and no attributes: solvers have gains instead, which move to the columns
// of these positions; so does a mapping (INOUT both).
inline Lean lean_on(const GraphView &x, const GraphView &y, i64 width, i64 n_kept, Matrix<double> gain, i64 *mapping,
                    LeanGraph &room) {
    const i64 q = y.edge_channels;
    i64 slot = 0;
    for (i64 at = 0; at < n_kept; at++) {
        const i64 p = room.position[at];
        room.edges.adj_ptr[at] = slot;
        for (i64 m = y.adj_ptr[p]; m < y.adj_ptr[p + 1]; m++) {
            const i64 neighbour = room.place[y.adj_idx[m]];
            if (neighbour < 0) continue;
            room.edges.adj_idx[slot] = static_cast<i32>(neighbour);
            for (i64 c = 0; c < q; c++) room.edges.adj_vec[slot * q + c] = y.edge(m)[c];
            slot++;
        }
    }
    room.edges.adj_ptr[n_kept] = slot;
    keep_columns(x, n_kept, room, gain);
    for (i64 r = 0; r < x.order; r++) {
        mapping[r] = mapping[r] < y.order ? room.place[mapping[r]] : n_kept + (mapping[r] - y.order);
    }
    GraphView lean = y;
    lean.order = n_kept;
    lean.node_attr = nullptr;
    lean.adj_ptr = room.edges.adj_ptr;
    lean.adj_idx = room.edges.adj_idx;
    lean.adj_vec = room.edges.adj_vec;
    lean.adj_sorted = nullptr;
    return {lean, n_kept + (width - y.order)};
}

// INOUT mapping: from the positions that were kept to those of Y.
inline void map_back(const GraphView &x, const GraphView &y, i64 n_kept, const LeanGraph &room, i64 *mapping) {
    for (i64 r = 0; r < x.order; r++) {
        mapping[r] = mapping[r] < n_kept ? room.position[mapping[r]] : y.order + (mapping[r] - n_kept);
    }
}

}  // namespace gq
