// How code graphs move: towards a graph that they have won, or to where other learners have moved them.
#pragma once

#include "learning/learner.hpp"

namespace gq {

// Drop the certificates of code graph j if zero nodes have become nodes, or nodes have become zero nodes.
//
// Lifts that differ only in which zero node of y they use are the same for a certificate; this no longer holds when
// one of these positions becomes a node.
inline void note_order(Learner &L, i64 j) {
    State &state = L.state;
    if (!L.keeps_certificates || state.code_order[j] == state.certified_order[j]) return;
    state.certified_order[j] = state.code_order[j];
    for (i64 i = 0; i < L.sizes.n_graphs; i++) {
        if (state.label[i] == j) state.second_lower[i] = 0.0;
    }
}

// Move the winner of graph i: y <- y + eta (x_a - y). A null rate is the harmonic one, 1 / (number of wins).
inline void learn(Learner &L, i64 i, const double *rate) {
    State &state = L.state;
    const i64 j = state.label[i];
    state.wins[j]++;
    const double eta = rate != nullptr ? *rate : 1.0 / static_cast<double>(state.wins[j]);
    const double sq_distance = sq_distance_to_winner(L, i);
    state.presented_sq[i] = sq_distance;
    state.code_sq_norm[j] = move_code(L.X, i, state.sq_norm[i], L.codes, j, L.mapping_of(i), eta);
    // The margin keeps the path an upper bound in float64.
    const double length = eta * std::sqrt(sq_distance + margin(L, i, j));
    count_move(L.codes, state, state.lead, j, length);
    note_order(L, j);
}

inline const double *rate_at(const double *rates, i64 t) { return rates != nullptr ? rates + t : nullptr; }

// Move the winners of a batch, in order.
inline void learn_batch(Learner &L, const i64 *sequence, const double *rates, i64 n) {
    for (i64 t = 0; t < n; t++) learn(L, sequence[t], rate_at(rates, t));
    begin_epoch(L.sizes, L.state);
    refresh_all(L.codes);
}

// |y' - y|^2 of code graph j and another dense form.
inline double sq_way_to(const Codebook &codes, i64 j, const double *nodes, const double *pairs) {
    const double half = 0.5 * codes.pair_weight;
    double total = 0.0;
    for (i64 c = 0; c < codes.sizes.node_values(); c++) total += squared(nodes[c] - codes.nodes_of(j)[c]);
    for (i64 c = 0; c < codes.sizes.pair_values(); c++) total += half * squared(pairs[c] - codes.pairs_of(j)[c]);
    return total;
}

// Replace code graphs by others, as one movement of each: all bounds stay valid.
inline void move_codes(Learner &L, const double *nodes, const double *pairs) {
    State &state = L.state;
    const LearnerSizes &at = L.sizes;
    for (i64 j = 0; j < at.n_codes; j++) {
        const double *to_nodes = nodes + j * at.node_values(), *to_pairs = pairs + j * at.pair_values();
        const double sq_way = sq_way_to(L.codes, j, to_nodes, to_pairs);
        if (sq_way == 0.0) continue;
        std::memcpy(L.codes.nodes_of(j), to_nodes, static_cast<std::size_t>(at.node_values()) * sizeof(double));
        std::memcpy(L.codes.pairs_of(j), to_pairs, static_cast<std::size_t>(at.pair_values()) * sizeof(double));
        note_rewritten(L.codes, j);
        state.code_order[j] = used_order(L.codes, j, at.order);
        state.code_sq_norm[j] = squared_norm(L.codes, j);
        // The margin keeps the path an upper bound in float64.
        const double length = std::sqrt(sq_way) + MARGIN * std::sqrt(state.code_sq_norm[j]);
        count_move(L.codes, state, state.lead, j, length);
        note_order(L, j);
    }
    begin_epoch(at, state);
    refresh_all(L.codes);
    for (i64 w = 1; w < L.n_workers; w++) forget_leads(L, L.workers[w]);
}

}  // namespace gq
