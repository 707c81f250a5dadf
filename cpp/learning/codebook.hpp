// Moving code graphs: dense arrays for learning, and the same graphs in the form for matchers.
//
// The dense form has a vector for each of the n positions and for each ordered pair of them, in the layout of an
// adjacency slot, so that the lift of a graph is written slot by slot. The other form has the node attributes of the
// dense one, and a separate adjacency that refresh() updates.
#pragma once

#include <utility>

#include "bounds/ranked.hpp"
#include "graphs/packed.hpp"
#include "learning/state.hpp"
#include "support/arena.hpp"

namespace gq {

// Edge attributes below this share of a graph's norm are zero: their squares do not change a sum in float64.
inline constexpr double FAINT = 1e-17;

// In smaller spaces a star bound takes about as long as the ranked one, and is sharper.
inline constexpr i64 LEAST_RANKED_ORDER = 12;

// Equal parts of the pairs of a code graph: n_rows rows, `step` apart.
struct PairRows {
    i64 n_rows, length, step;
};

struct Codebook {
    LearnerSizes sizes;
    double *nodes;
    double *pairs;
    i64 *order;
    bool is_directed;
    bool uses_all;      // with node classes all positions are nodes, else zero nodes at the end are omitted
    double pair_weight;
    const i32 *group;   // (n,)  class of each position
    // The form for matchers, in rooms: one for each code graph, and one to write the next form into.
    i64 *adj_ptr;       // (k + 1, n + 1)
    i32 *adj_idx;       // (k + 1, n (n - 1))
    double *adj_vec;    // (k + 1, n (n - 1), q)
    double *adj_sorted; // (k + 1, n (n - 1), q)
    i64 *room_of;       // (k + 1,)  room of each code graph, then the free one
    double *sq_norm;    // (k,)
    bool *is_nonneg;    // (k,)
    bool *is_stale;     // (k,)
    bool *may_have_new; // (k, n)  whether a position may have edges that the form for matchers does not have
    // For cheap bounds.
    bool *is_unranked;  // (k,)
    Ranked ranked_nodes, ranked_edges;

    bool has_ranks() const { return sizes.order >= LEAST_RANKED_ORDER; }
    // Of an edge in one direction.
    i64 edge_channels() const { return is_directed ? sizes.pair_channels / 2 : sizes.pair_channels; }

    void allocate(Arena &arena) {
        const i64 k = sizes.n_codes, n = sizes.order, slots = n * (n - 1);
        adj_ptr = arena.take<i64>((k + 1) * (n + 1));
        adj_idx = arena.take<i32>((k + 1) * slots);
        adj_vec = arena.take<double>((k + 1) * slots * sizes.pair_channels);
        adj_sorted = arena.take<double>((k + 1) * slots * sizes.pair_channels);
        room_of = arena.take<i64>(k + 1);
        sq_norm = arena.take<double>(k);
        is_nonneg = arena.take<bool>(k);
        is_stale = arena.take<bool>(k);
        may_have_new = arena.take<bool>(k * n);
        if (arena.is_exhausted()) return;
        for (i64 room = 0; room <= k; room++) room_of[room] = room;
        if (!has_ranks()) return;
        is_unranked = arena.take<bool>(k);
        ranked_nodes = take_ranked(arena, k, sizes.node_channels);
        ranked_edges = take_ranked(arena, k, edge_channels());
    }

    double *nodes_of(i64 j) const { return nodes + j * sizes.node_values(); }
    double *pairs_of(i64 j) const { return pairs + j * sizes.pair_values(); }
    double *node(i64 j, i64 p) const { return nodes_of(j) + p * sizes.node_channels; }
    double *pair(i64 j, i64 p, i64 s) const { return pairs_of(j) + (p * sizes.order + s) * sizes.pair_channels; }

    // The slots of code graph j; of j = k those that are free.
    AdjacencySlots slots_of(i64 j) const {
        const i64 n = sizes.order, room = room_of[j], first = room * n * (n - 1), q = sizes.pair_channels;
        return {adj_ptr + room * (n + 1), adj_idx + first, adj_vec + first * q, adj_sorted + first * q, q};
    }

    // Code graph j, which must be up to date.
    GraphView view(i64 j) const {
        const AdjacencySlots slots = slots_of(j);
        return {
            .order = order[j],
            .node_channels = sizes.node_channels,
            .edge_channels = sizes.pair_channels,
            .pair_weight = pair_weight,
            .node_attr = nodes_of(j),
            .group = group,
            .adj_ptr = slots.adj_ptr,
            .adj_idx = slots.adj_idx,
            .adj_vec = slots.adj_vec,
            .adj_sorted = slots.adj_sorted,
            .sq_norm = sq_norm[j],
            .is_nonneg = is_nonneg[j],
        };
    }

    // Pairs of the first positions. If that is most of them, it is all of them in one row: long rows are faster.
    // One graph that is much larger than the others adds many positions, which most code graphs do not use.
    PairRows pair_rows(i64 used) const {
        if (2 * used > sizes.order) return {1, sizes.pair_values(), sizes.pair_values()};
        return {used, used * sizes.pair_channels, sizes.order * sizes.pair_channels};
    }
};

inline bool is_zero(const double *values, i64 n) {
    for (i64 c = 0; c < n; c++) {
        if (values[c] != 0.0) return false;
    }
    return true;
}

// One more than the last non-zero position of code graph j, if that is at most at_most.
inline i64 used_order(const Codebook &codes, i64 j, i64 at_most) {
    if (codes.uses_all) return codes.sizes.order;
    for (i64 p = at_most - 1; p >= 0; p--) {
        if (!is_zero(codes.node(j, p), codes.sizes.node_channels)) return p + 1;
        if (!is_zero(codes.pair(j, p, 0), at_most * codes.sizes.pair_channels)) return p + 1;
    }
    return 0;
}

// Somebody else wrote the dense form of code graph j.
inline void note_rewritten(Codebook &codes, i64 j) {
    codes.is_stale[j] = true;
    for (i64 p = 0; p < codes.sizes.order; p++) codes.may_have_new[j * codes.sizes.order + p] = true;
}

// OUT the slots of position p from `slot` on; returns the slot after the last. A move leaves most positions without new
// edges: then those that it had in `before` are all.
inline i64 write_slots(const Codebook &codes, i64 j, i64 p, const AdjacencySlots &before, const AdjacencySlots &out, i64 slot) {
    const i64 q = codes.sizes.pair_channels;
    const auto put = [&](i64 s) {
        const double *vector = codes.pair(j, p, s);
        if (s == p || is_zero(vector, q)) return;
        std::memcpy(out.vec(slot), vector, static_cast<std::size_t>(q) * sizeof(double));
        out.adj_idx[slot++] = static_cast<i32>(s);
    };
    bool &may_have_new = codes.may_have_new[j * codes.sizes.order + p];
    if (may_have_new) {
        for (i64 s = 0; s < codes.order[j]; s++) put(s);
    } else {
        for (i64 k = before.adj_ptr[p]; k < before.adj_ptr[p + 1]; k++) put(before.adj_idx[k]);
    }
    may_have_new = false;
    return slot;
}

// Update the form for matchers from the dense one.
inline void refresh(Codebook &codes, i64 j) {
    if (!codes.is_stale[j]) return;
    codes.is_stale[j] = false;
    const AdjacencySlots before = codes.slots_of(j), out = codes.slots_of(codes.sizes.n_codes);
    const i64 used = codes.order[j], p_dim = codes.sizes.node_channels, q_dim = codes.sizes.pair_channels;
    double nodes = 0.0, pairs = 0.0;
    bool nonneg = true;
    i64 slot = 0;
    for (i64 p = 0; p < used; p++) {
        for (i64 c = 0; c < p_dim; c++) {
            const double value = codes.node(j, p)[c];
            nodes += squared(value);
            nonneg = nonneg && value >= 0.0;
        }
        out.adj_ptr[p] = slot;
        slot = write_slots(codes, j, p, before, out, slot);
        sort_channels(out, out.adj_ptr[p], slot);
    }
    // The next refresh may find more positions in use.
    for (i64 p = used; p <= codes.sizes.order; p++) out.adj_ptr[p] = slot;
    for (i64 at = 0; at < slot * q_dim; at++) {
        pairs += squared(out.adj_vec[at]);
        nonneg = nonneg && out.adj_vec[at] >= 0.0;
    }
    std::swap(codes.room_of[j], codes.room_of[codes.sizes.n_codes]);
    codes.sq_norm[j] = nodes + 0.5 * codes.pair_weight * pairs;
    codes.is_nonneg[j] = nonneg;
    if (codes.has_ranks()) codes.is_unranked[j] = true;
}

// Update the values of code graph j by size, each edge once. Not in refresh(): after most moves nobody asks for them.
inline void rank_code(const Codebook &codes, i64 j) {
    if (!codes.is_unranked[j]) return;
    codes.is_unranked[j] = false;
    const Ranked nodes = ranked_of(codes.ranked_nodes, j), edges = ranked_of(codes.ranked_edges, j);
    forget_values(nodes);
    forget_values(edges);
    const AdjacencySlots slots = codes.slots_of(j);
    for (i64 p = 0; p < codes.order[j]; p++) {
        for (i64 c = 0; c < nodes.n_channels; c++) rank_value(nodes, c, codes.node(j, p)[c]);
        for (i64 slot = slots.adj_ptr[p]; slot < slots.adj_ptr[p + 1]; slot++) {
            if (!codes.is_directed && slots.adj_idx[slot] < p) continue;
            for (i64 c = 0; c < edges.n_channels; c++) rank_value(edges, c, slots.vec(slot)[c]);
        }
    }
}

inline void refresh_all(Codebook &codes) {
    for (i64 j = 0; j < codes.sizes.n_codes; j++) {
        refresh(codes, j);
        if (codes.has_ranks()) rank_code(codes, j);
    }
}

// Sum of term(c) over rows of an array: each row in fixed lanes, the rows in order.
template <class Term>
inline double sum_rows(const PairRows &rows, Term term) {
    double total = 0.0;
    for (i64 row = 0; row < rows.n_rows; row++) {
        const i64 first = row * rows.step;
        total += lane_sum(rows.length, [first, term](i64 c) { return term(first + c); });
    }
    return total;
}

// |y|^2 of the dense form.
inline double squared_norm(const Codebook &codes, i64 j) {
    const double *nodes = codes.nodes_of(j), *pairs = codes.pairs_of(j);
    const double node_part = lane_sum(codes.sizes.node_values(), [nodes](i64 c) { return squared(nodes[c]); });
    const double pair_part = sum_rows(codes.pair_rows(codes.order[j]), [pairs](i64 c) { return squared(pairs[c]); });
    return node_part + 0.5 * codes.pair_weight * pair_part;
}

// Move y to y + eta (x_a - y), where mapping places the nodes of graph i; returns |y|^2 afterwards.
inline double move_code(const gq_collection &X, i64 i, double sq_norm, Codebook &codes, i64 j, const i32 *mapping, double eta) {
    const double faint = FAINT * std::sqrt(sq_norm), keep = 1.0 - eta;
    double *nodes = codes.nodes_of(j), *pairs = codes.pairs_of(j);
    for (i64 c = 0; c < codes.sizes.node_values(); c++) nodes[c] *= keep;
    const PairRows rows = codes.pair_rows(codes.order[j]);
    for (i64 row = 0; row < rows.n_rows; row++) {
        double *values = pairs + row * rows.step;
        for (i64 c = 0; c < rows.length; c++) {
            const double value = keep * values[c];
            // An edge that no graph has had for a long time becomes zero, not a negligible number.
            values[c] = std::fabs(value) > faint ? value : 0.0;
        }
    }
    const i64 x0 = X.node_ptr[i], n_channels = X.edge_channels;
    i64 order = codes.order[j];
    for (i64 r = 0; r < X.node_ptr[i + 1] - x0; r++) {
        order = most<i64>(order, mapping[r] + 1);
        codes.may_have_new[j * codes.sizes.order + mapping[r]] = true;
        const double *attr = X.node_attr + (x0 + r) * X.node_channels;
        for (i64 c = 0; c < X.node_channels; c++) codes.node(j, mapping[r])[c] += eta * attr[c];
    }
    // A directed pair has the channels of the other direction after its own.
    const i64 reverse = codes.is_directed ? n_channels : 0;
    for (i64 e = X.edge_ptr[i]; e < X.edge_ptr[i + 1]; e++) {
        const i64 p = mapping[X.edges[2 * e]], s = mapping[X.edges[2 * e + 1]];
        for (i64 c = 0; c < n_channels; c++) {
            const double change = eta * X.edge_attr[e * n_channels + c];
            codes.pair(j, p, s)[c] += change;
            codes.pair(j, s, p)[reverse + c] += change;
        }
    }
    codes.order[j] = used_order(codes, j, order);
    codes.is_stale[j] = true;
    return squared_norm(codes, j);
}

// |x_a - y|^2 in the number of nodes and edges of x: |y|^2 + |x|^2 - 2 <x_a, y>.
//
// Its rounding error is below 1e-14 of the squared norms, far inside the margin of every comparison.
inline double lifted_sq_distance(const gq_collection &X, i64 i, double sq_norm, const Codebook &codes, i64 j,
                                 double code_sq_norm, const i32 *mapping) {
    const i64 x0 = X.node_ptr[i];
    double nodes = 0.0, pairs = 0.0;
    for (i64 r = 0; r < X.node_ptr[i + 1] - x0; r++) {
        const double *attr = X.node_attr + (x0 + r) * X.node_channels, *code = codes.node(j, mapping[r]);
        for (i64 c = 0; c < X.node_channels; c++) nodes += attr[c] * code[c];
    }
    for (i64 e = X.edge_ptr[i]; e < X.edge_ptr[i + 1]; e++) {
        const double *attr = X.edge_attr + e * X.edge_channels;
        const double *code = codes.pair(j, mapping[X.edges[2 * e]], mapping[X.edges[2 * e + 1]]);
        for (i64 c = 0; c < X.edge_channels; c++) pairs += attr[c] * code[c];
    }
    const double product = nodes + codes.pair_weight * pairs;
    return most(0.0, code_sq_norm + sq_norm - 2.0 * product);
}

}  // namespace gq
