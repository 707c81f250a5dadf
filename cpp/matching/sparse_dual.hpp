// A sparse dual: the cost of a mapping shared between stars, with a number for each pair of edges.
//
// A star is a node r of X on a position p, with the edges k = (r -> s) of r matched to edges m = (p -> t) of p. The gain
// of a pair of edges is shared between the stars at its two ends; k' and m' are the same edges seen from there:
//
//     share[k][m] + share[k'][m'] >= gain[k][m]
//     apart[k][p] + apart[k'][t]  >= 0   for p and t that are different and not adjacent
//
// where apart[k][p] is what the star counts for an edge k that lies on no edge while r is on p. Under these two
// conditions no mapping gains more than its stars do one by one, and with cost[r][p] minus the most that a star can gain
// an assignment problem bounds the cost of all mappings. That holds for any such numbers, so rounding errors do not add
// up.
//
// A pass visits node after node: it takes what the other ends of the edges can spare, matches the stars, and leaves on
// all options of a star as much as does not change its gain, which is what its neighbours can take next. It is a
// coordinate ascent, and those get stuck; they do so at far better bounds if of all optimal duals of a subproblem the
// ones in the middle are taken (Werner and Prusa, 2019), here for each star and for the assignment.
//
// Tables have edges of X times edges of Y entries, not the square of labels for each edge as those of dual.hpp: a pass
// costs O(edges of X * edges of Y) and one small matching for each pair of a node and an allowed label.
#pragma once

#include "matching/dual.hpp"
#include "matching/sparse_scratch.hpp"

namespace gq {

// Share of the slack of the assignment that is given back to the edges between passes. More than 1 converges faster;
// 2.2 diverges. And the share of it that a node hands on to those that come later in the same pass.
inline constexpr double OVER_RELAXATION = 1.8, HANDED_ON = 0.7;

// OUT reverse: of each slot, the slot of the same edge at its other end.
inline void find_reverse_slots(const GraphView &of, i32 *reverse) {
    const i64 first = of.first_slot();
    for (i64 r = 0; r < of.order; r++) {
        for (i64 k = of.adj_ptr[r]; k < of.adj_ptr[r + 1]; k++) {
            const i64 s = of.adj_idx[k];
            if (s < r) continue;
            i64 m = of.adj_ptr[s];
            while (of.adj_idx[m] != r) m++;
            reverse[k - first] = static_cast<i32>(m - first);
            reverse[m - first] = static_cast<i32>(k - first);
        }
    }
}

// Append the nodes that are connected with `start`, from near to far, to the order of visits; OUT its new length.
inline i64 append_component(const GraphView &x, i64 start, i64 count, SparseScratch &sparse) {
    i64 at = count;
    sparse.order[count++] = start;
    sparse.is_done[start] = true;
    for (; at < count; at++) {
        const i64 r = sparse.order[at];
        for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) {
            const i64 s = x.adj_idx[k];
            if (sparse.is_done[s]) continue;
            sparse.is_done[s] = true;
            sparse.order[count++] = s;
        }
    }
    return count;
}

// OUT sparse.order: each component from one of its ends to the other, so that a pass carries slack all the way.
inline void set_order(const GraphView &x, SparseScratch &sparse) {
    for (i64 r = 0; r < x.order; r++) sparse.is_done[r] = false;
    i64 count = 0;
    for (i64 r = 0; r < x.order; r++) {
        if (sparse.is_done[r]) continue;
        const i64 end = append_component(x, r, count, sparse);
        for (i64 at = count; at < end; at++) sparse.is_done[sparse.order[at]] = false;
        count = append_component(x, sparse.order[end - 1], count, sparse);
    }
}

// OUT what does not change while a pair is searched.
inline void set_up_sparse(const SearchPair &at, SparseScratch &sparse) {
    const GraphView &x = at.x, &y = at.y;
    const i64 dx = x.n_slots(), dy = y.n_slots(), first_x = x.first_slot(), first_y = y.first_slot();
    sparse.shape(x.order, at.labels, dx, dy);
    set_order(x, sparse);
    find_reverse_slots(x, sparse.reverse_x);
    find_reverse_slots(y, sparse.reverse_y);
    for (i64 m = 0; m < dy; m++) sparse.end_y[m] = y.adj_idx[first_y + m];
    for (i64 p = 0; p <= at.labels; p++) sparse.first_y[p] = y.adj_ptr[least(p, y.order)] - first_y;
    for (i64 k = 0; k < dx; k++) {
        double *row = sparse.gain[k];
        for (i64 m = 0; m < dy; m++) {
            row[m] = x.pair_weight * product(x.edge(first_x + k), y.edge(first_y + m), x.edge_channels);
        }
    }
    for (i64 p = 0; p < at.labels; p++) {
        for (i64 t = 0; t < at.labels; t++) sparse.slot_of[p][t] = -1;
        for (i64 m = sparse.first_y[p]; m < sparse.first_y[p + 1]; m++) {
            sparse.slot_of[p][sparse.end_y[m]] = static_cast<i32>(m);
        }
    }
}

// OUT state.allowed[r] from state.cost[r].
inline void list_allowed(i64 r, i64 labels, SparseState &state) {
    i16 *allowed = state.allowed[r];
    const double *cost = state.cost[r];
    i32 count = 0;
    for (i64 p = 0; p < labels; p++) {
        allowed[count] = static_cast<i16>(p);
        count += cost[p] < INF ? 1 : 0;
    }
    state.n_allowed[r] = count;
}

// OUT state: the original problem, edges shared in halves.
inline void set_up_root(const SearchPair &at, const PairScratch &pair, const SparseScratch &sparse, SparseState &state) {
    const i64 nx = at.x.order, ny = at.y.order;
    for (i64 r = 0; r < nx; r++) {
        for (i64 p = 0; p < ny; p++) state.cost[r][p] = -pair.gain[r][p];
        if (at.has_zero_label()) {
            state.cost[r][ny] = INF;
            for (i64 p = ny; p < at.width; p++) {
                if (pair.group_of[p] == at.x.group[r]) state.cost[r][ny] = 0.0;
            }
        }
        list_allowed(r, at.labels, state);
        state.position[r] = -1;
    }
    for (i64 k = 0; k < sparse.dx; k++) {
        for (i64 m = 0; m < sparse.dy; m++) state.share[k][m] = 0.5 * sparse.gain[k][m];
        for (i64 p = 0; p < at.labels; p++) state.apart[k][p] = 0.0;
    }
    for (i64 p = 0; p < at.width; p++) state.is_taken[p] = false;
    for (i64 p = 0; p < at.labels; p++) state.price[p] = 0.0;
    state.fixed = 0.0;
    state.bound = state.value = -INF;
}

inline i64 label_of(const SearchPair &at, i64 position) { return least(position, at.y.order); }

// Put node r on a position: its neighbours get the whole gain of its edges to them. A pass must follow.
inline void place(const SearchPair &at, i64 r, i64 position, const PairScratch &pair, const SparseScratch &sparse,
                  SparseState &state) {
    const i64 a = label_of(at, position), ny = at.y.order, first_x = at.x.first_slot();
    double gained = a < ny ? pair.gain[r][a] : 0.0;
    for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
        const i64 there = state.position[at.x.adj_idx[k]];
        if (there < 0) {
            state.apart[k - first_x][a] = 0.0;
            for (i64 m = sparse.first_y[a]; m < sparse.first_y[a + 1]; m++) state.share[k - first_x][m] = 0.0;
        } else {
            const i64 m = sparse.slot_of[a][label_of(at, there)];
            if (m >= 0) gained += sparse.gain[k - first_x][m];
        }
    }
    state.fixed -= gained;
    state.position[r] = static_cast<i32>(position);
    state.is_taken[position] = true;
    for (i64 s = 0; s < at.x.order; s++) {
        if (state.position[s] >= 0 || a == ny || state.cost[s][a] == INF) continue;
        state.cost[s][a] = INF;
        list_allowed(s, at.labels, state);
    }
}

// Place the nodes that have one label left. A pass must follow.
inline void place_forced(const SearchPair &at, const PairScratch &pair, const SparseScratch &sparse, SparseState &state) {
    for (i64 r = 0; r < at.x.order; r++) {
        if (state.position[r] >= 0 || state.n_allowed[r] != 1 || state.allowed[r][0] == at.y.order) continue;
        place(at, r, state.allowed[r][0], pair, sparse, state);
    }
}

// OUT edge.lowest: what its other end counts at least while the edge lies on none.
inline void find_lowest(const SparseState &state, OpenEdge &edge) {
    const double *apart = state.apart[edge.reverse];
    const i16 *allowed = state.allowed[edge.end];
    edge.lowest = INF;
    edge.lowest_at = 0;
    for (i64 at = 0; at < state.n_allowed[edge.end]; at++) {
        if (apart[allowed[at]] < edge.lowest) {
            edge.lowest = apart[allowed[at]];
            edge.lowest_at = allowed[at];
        }
    }
}

// The same while this end is on label p, which excludes p and its neighbours; inf if the edge always lies on one.
inline double lowest_beside(i64 p, i64 ny, const OpenEdge &edge, const SparseScratch &sparse, const SparseState &state) {
    const i32 *slot_of = sparse.slot_of[p];
    if (slot_of[edge.lowest_at] < 0 && (edge.lowest_at != p || p == ny)) return edge.lowest;
    const double *apart = state.apart[edge.reverse];
    const i16 *allowed = state.allowed[edge.end];
    double lowest = INF;
    for (i64 at = 0; at < state.n_allowed[edge.end]; at++) {
        const i64 t = allowed[at];
        if (slot_of[t] < 0 && (t != p || p == ny) && apart[t] < lowest) lowest = apart[t];
    }
    return lowest;
}

// OUT sparse.edges: the edges of node r to open nodes. Returns their number.
inline i64 find_open_edges(const SearchPair &at, i64 r, SparseScratch &sparse, const SparseState &state) {
    const i64 first_x = at.x.first_slot();
    i64 count = 0;
    for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
        const i64 s = at.x.adj_idx[k];
        if (state.position[s] >= 0) continue;
        OpenEdge &edge = sparse.edges[count++];
        edge.slot = k - first_x;
        edge.reverse = sparse.reverse_x[edge.slot];
        edge.end = s;
        // An edge whose other star is still to come is shared with it.
        edge.share = sparse.is_done[s] ? 1.0 : 0.5;
        find_lowest(state, edge);
    }
    return count;
}

// OUT star.weight[e]: what the star gains by putting an open edge on each edge of label p, beyond leaving it apart; OUT
// edge.level: the latter. Whether there is any way for the edge.
inline bool weigh_edge(i64 p, i64 ny, OpenEdge &edge, double *weight, const SparseScratch &sparse, const SparseState &state) {
    const i64 first = sparse.first_y[p], columns = sparse.first_y[p + 1] - first;
    const double *mine = state.share[edge.slot] + first, *other = state.share[edge.reverse];
    const double *gain = sparse.gain[edge.slot] + first, *cost = state.cost[edge.end];
    const i32 *reverse = sparse.reverse_y + first, *end = sparse.end_y + first;
    for (i64 m = 0; m < columns; m++) {
        const double offer = mine[m] - edge.share * ((mine[m] + other[reverse[m]]) - gain[m]);
        weight[m] = cost[end[m]] < INF ? offer : -INF;
    }
    const double apart = state.apart[edge.slot][p];
    edge.level = apart - edge.share * (apart + lowest_beside(p, ny, edge, sparse, state));
    if (edge.level == -INF) {
        // It always lies on an edge: any number that is not above all of these will do.
        edge.level = INF;
        for (i64 m = 0; m < columns; m++) {
            if (weight[m] > -INF) edge.level = least(edge.level, weight[m]);
        }
        if (edge.level == INF) return false;
    }
    for (i64 m = 0; m < columns; m++) weight[m] -= edge.level;
    return true;
}

// Match the star of a node on label p and leave on its options what does not change its gain. Returns its cost.
inline double update_star(const SearchPair &at, i64 p, i64 n_edges, double gained, SparseScratch &sparse, SparseState &state) {
    const i64 first = sparse.first_y[p], columns = sparse.first_y[p + 1] - first;
    StarScratch &star = sparse.star;
    for (i64 e = 0; e < n_edges; e++) {
        if (!weigh_edge(p, at.y.order, sparse.edges[e], star.weight + e * star.stride, sparse, state)) return INF;
        gained += sparse.edges[e].level;
    }
    if (n_edges == 1) {
        // Nothing competes: whatever the best option gains is left on all of them.
        double best = 0.0;
        for (i64 m = 0; m < columns; m++) best = most(best, star.weight[m]);
        const i64 k = sparse.edges[0].slot;
        const double level = sparse.edges[0].level + best;
        state.apart[k][p] = level;
        double *share = state.share[k] + first;
        for (i64 m = 0; m < columns; m++) share[m] = level;
        return -(gained + best);
    }
    gained += match_star(star, n_edges, columns);
    for (i64 e = 0; e < n_edges; e++) {
        const i64 k = sparse.edges[e].slot;
        const double level = sparse.edges[e].level + star.alpha[e];
        state.apart[k][p] = level;
        double *share = state.share[k] + first;
        for (i64 m = 0; m < columns; m++) share[m] = level + star.beta[m];
    }
    return -gained;
}

// What node r gains on label p by itself and by edges to nodes that were placed.
inline double gain_of_placed(const SearchPair &at, i64 r, i64 p, const PairScratch &pair, const SparseScratch &sparse,
                             const SparseState &state) {
    const i64 first_x = at.x.first_slot();
    double gained = p < at.y.order ? pair.gain[r][p] : 0.0;
    for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
        const i64 there = state.position[at.x.adj_idx[k]];
        if (there < 0) continue;
        const i64 m = sparse.slot_of[p][label_of(at, there)];
        if (m >= 0) gained += sparse.gain[k - first_x][m];
    }
    return gained;
}

// Add to what the star of an edge's end counts on label p, wherever the edge lies.
inline void raise_edge(i64 slot, i64 p, double more, const SparseScratch &sparse, SparseState &state) {
    state.apart[slot][p] += more;
    double *share = state.share[slot];
    for (i64 m = sparse.first_y[p]; m < sparse.first_y[p + 1]; m++) share[m] += more;
}

// Hand on what the labels of node r cost beyond prices to the edges whose other ends are still to come in this pass.
inline void hand_on_slack(i64 r, i64 n_edges, const SparseScratch &sparse, SparseState &state) {
    i64 n_ahead = 0;
    for (i64 e = 0; e < n_edges; e++) n_ahead += sparse.is_done[sparse.edges[e].end] ? 0 : 1;
    if (n_ahead == 0) return;
    const double part = HANDED_ON / static_cast<double>(n_edges);
    double *cost = state.cost[r];
    double lowest = INF;
    for (i64 a = 0; a < state.n_allowed[r]; a++) {
        const i64 p = state.allowed[r][a];
        lowest = least(lowest, cost[p] - state.price[p]);
    }
    for (i64 a = 0; a < state.n_allowed[r]; a++) {
        const i64 p = state.allowed[r][a];
        const double more = part * ((cost[p] - state.price[p]) - lowest);
        if (more <= 0.0) continue;
        cost[p] -= more * static_cast<double>(n_ahead);
        for (i64 e = 0; e < n_edges; e++) {
            if (!sparse.is_done[sparse.edges[e].end]) raise_edge(sparse.edges[e].slot, p, more, sparse, state);
        }
    }
}

// Visit node r. Whether it still has a label.
inline bool visit(const SearchPair &at, i64 r, const PairScratch &pair, SparseScratch &sparse, SparseState &state) {
    const i64 n_edges = find_open_edges(at, r, sparse, state);
    double *cost = state.cost[r];
    i16 *allowed = state.allowed[r];
    i32 n_allowed = 0;
    for (i64 a = 0; a < state.n_allowed[r]; a++) {
        const i16 p = allowed[a];
        cost[p] = update_star(at, p, n_edges, gain_of_placed(at, r, p, pair, sparse, state), sparse, state);
        if (cost[p] < INF) allowed[n_allowed++] = p;
    }
    state.n_allowed[r] = n_allowed;
    if (n_allowed == 0) return false;
    hand_on_slack(r, n_edges, sparse, state);
    sparse.is_done[r] = true;
    return true;
}

// Visit all open nodes once, in their order or backwards. Whether each still has a label.
inline bool run_pass(const SearchPair &at, bool is_forward, const PairScratch &pair, SparseScratch &sparse,
                     SparseState &state) {
    const i64 nx = at.x.order;
    for (i64 r = 0; r < nx; r++) sparse.is_done[r] = false;
    for (i64 step = 0; step < nx; step++) {
        const i64 r = sparse.order[is_forward ? step : nx - 1 - step];
        if (state.position[r] < 0 && !visit(at, r, pair, sparse, state)) return false;
    }
    return true;
}

}  // namespace gq
