// The parts of a presentation that all algorithms share: the current graph, its matching, bounds and winner.
#pragma once

#include "learning/code_groups.hpp"
#include "learning/drift.hpp"
#include "matching/match_pair.hpp"
#include "matching/proposals.hpp"

namespace gq {

// Work for one certificate; a truncated search still gives a valid, smaller bound.
inline constexpr CertificateLimits CERTIFICATE_LIMITS{10, 1000.0};
// Squared distances closer than this share of the squared norms may compare either way in float64: no bound decides
// between them. It covers the rounding of bounds, matchers and lifted distances together.
inline constexpr double MARGIN = 16.0 * ROUNDING;

// Working memory for classification in one thread. A collection holds each edge once, while matchers need sorted
// adjacency, which takes more memory than the graphs: so only the current graph has it.
struct Worker {
    Scratch scratch;
    Arena arena;
    double *lead = nullptr;      // (k, slots)  see drift.hpp
    i64 shown = -1;              // the current graph, -1: none
    GraphView view{};
    i64 *adj_ptr = nullptr;
    i32 *adj_idx = nullptr;
    double *adj_vec = nullptr, *adj_sorted = nullptr;
    bool is_ranked = false;      // whether the current graph is
    Ranked ranked_nodes{}, ranked_edges{};
    i64 *last = nullptr;         // (n,)
    i64 *found = nullptr;        // (n,)  mapping of the last matched pair
    double found_sq_lower = 0.0; // certified bound of its distance
    i64 *best = nullptr;         // (n,)  mapping of the best code graph so far
    double *key = nullptr;       // (k,)  bound by which candidates are tried
    i64 *candidates = nullptr;   // (k,)
    gq_counters counters{};
    Stop stop{};
    i32 status = GQ_OK;          // of a user-defined matcher, or of memory allocation

    // Results after this are invalid: the caller returns without storing them.
    bool is_stopped() const { return status != GQ_OK || stop.is_set(); }
};

struct Learner {
    LearnerSizes sizes{};
    gq_collection X{};
    Space space{};
    gq_matcher matcher{};
    State state{};
    Codebook codes{};
    double theta = 0.0;
    bool keeps_certificates = false;
    i64 proves_up_to = 0;       // order up to which a graph is always matched with proof
    i64 largest = 0;            // maximum number of nodes of a graph or a code graph
    Arena arena;
    i32 *no_group = nullptr;    // (largest,)  zeros
    i64 n_workers = 0;
    Worker *workers = nullptr;  // the first one's leads are part of the state

    i64 order_of(i64 i) const { return X.node_ptr[i + 1] - X.node_ptr[i]; }
    i32 *mapping_of(i64 i) const { return state.mapping + X.node_ptr[i]; }
};

// ---- the current graph ----

inline void show(const Learner &L, Worker &M, i64 i) {
    if (M.shown == i) return;
    M.shown = i;
    M.is_ranked = false;
    const gq_collection &X = L.X;
    const AdjacencySlots slots{M.adj_ptr, M.adj_idx, M.adj_vec, M.adj_sorted, L.sizes.pair_channels};
    write_adjacency(X, i, 0, slots, M.last);
    const i64 x0 = X.node_ptr[i];
    M.view = {
        .order = L.order_of(i),
        .node_channels = X.node_channels,
        .edge_channels = L.sizes.pair_channels,
        .pair_weight = L.codes.pair_weight,
        .node_attr = X.node_attr + x0 * X.node_channels,
        .group = X.group != nullptr ? X.group + x0 : L.no_group,
        .adj_ptr = M.adj_ptr,
        .adj_idx = M.adj_idx,
        .adj_vec = M.adj_vec,
        .adj_sorted = M.adj_sorted,
        .sq_norm = L.state.sq_norm[i],
        .is_nonneg = is_nonneg(X, i),
    };
}

// ---- distances ----

// Squared distances from graph i that are closer than this count as equal.
inline double margin(const Learner &L, i64 i, i64 j) { return MARGIN * (L.state.sq_norm[i] + L.state.code_sq_norm[j]); }

// Match graph i with code graph j: squared distance; OUT M.found, M.found_sq_lower. One above hopeless_sq is of no use.
inline double match_code(Learner &L, Worker &M, i64 i, i64 j, double hopeless_sq = INF) {
    refresh(L.codes, j);
    M.counters.matchings++;
    M.found_sq_lower = 0.0;
    if (M.is_stopped()) return INF;
    show(L, M, i);
    const PairResult result =
        match_pair(M.view, L.codes.view(j), i, j, L.space, L.matcher, INF, M.scratch, M.found, {}, hopeless_sq);
    if (result.status != GQ_OK && result.status != GQ_STOPPED) M.status = result.status;
    M.found_sq_lower = result.sq_lower;
    if (result.sq_distance - result.sq_lower <= margin(L, i, j)) M.counters.proven++;
    return result.sq_distance;
}

// Whether graph i and code graph j are matched by Frank-Wolfe alone, which proves next to nothing.
inline bool is_only_approximated(const Learner &L, i64 i, i64 j) {
    const i64 order = L.order_of(i), code_order = L.state.code_order[j];
    if (L.matcher.kind == GQ_FRANK_WOLFE) return true;
    return L.matcher.kind == GQ_EXACT &&
           (least(order, code_order) > L.matcher.exact.search_order || most(order, code_order) > MAX_SEARCH_ORDER);
}

// Improve the stored alignment of graph i with its winner: squared distance; OUT M.found, M.found_sq_lower.
inline double improve_stored(Learner &L, Worker &M, i64 i) {
    const i64 j = L.state.label[i];
    refresh(L.codes, j);
    M.counters.matchings++;
    show(L, M, i);
    for (i64 r = 0; r < L.order_of(i); r++) M.found[r] = L.mapping_of(i)[r];
    M.found_sq_lower = 0.0;
    return improve_mapping(M.view, L.codes.view(j), L.space, M.found, M.scratch.pair);
}

// Squared distance that every lift of graph i but the one in M.best has to code graph j at least.
// Part of the matching before it: the search goes on with the optimum known.
inline double second_sq_distance(Learner &L, Worker &M, i64 i, i64 j) {
    M.counters.certificates++;
    if (L.matcher.kind != GQ_EXACT) return 0.0;
    show(L, M, i);
    return second_sq_distance(M.view, L.codes.view(j), M.best, L.space, CERTIFICATE_LIMITS, M.scratch);
}

// Star bound of graph i and code graph j: certified, squared, without matching.
inline double bound_code(Learner &L, Worker &M, i64 i, i64 j) {
    refresh(L.codes, j);
    M.counters.bounds++;
    show(L, M, i);
    return star_bound(M.view, L.codes.view(j), L.space, M.scratch.pair);
}

// OUT the values of the current graph by size.
inline void rank_shown(const Learner &L, Worker &M) {
    if (M.is_ranked) return;
    M.is_ranked = true;
    forget_values(M.ranked_nodes);
    forget_values(M.ranked_edges);
    const gq_collection &X = L.X;
    for (i64 v = X.node_ptr[M.shown]; v < X.node_ptr[M.shown + 1]; v++) {
        for (i64 c = 0; c < X.node_channels; c++) rank_value(M.ranked_nodes, c, X.node_attr[v * X.node_channels + c]);
    }
    for (i64 e = X.edge_ptr[M.shown]; e < X.edge_ptr[M.shown + 1]; e++) {
        for (i64 c = 0; c < X.edge_channels; c++) rank_value(M.ranked_edges, c, X.edge_attr[e * X.edge_channels + c]);
    }
}

// Certified lower bound of the squared distance from the values of each channel alone, in any order.
inline double ranked_bound(Learner &L, Worker &M, i64 i, i64 j) {
    refresh(L.codes, j);
    rank_code(L.codes, j);
    show(L, M, i);
    rank_shown(L, M);
    const double nodes = ranked_gain(M.ranked_nodes, ranked_of(L.codes.ranked_nodes, j));
    const double edges = ranked_gain(M.ranked_edges, ranked_of(L.codes.ranked_edges, j));
    return L.state.sq_norm[i] + L.state.code_sq_norm[j] - 2.0 * (nodes + L.codes.pair_weight * edges) - margin(L, i, j);
}

// Certified lower bound of the squared distance from the norms alone.
inline double norm_bound(const Learner &L, i64 i, i64 j) {
    const double gap = std::sqrt(L.state.sq_norm[i]) - std::sqrt(L.state.code_sq_norm[j]);
    return gap * gap - margin(L, i, j);
}

// The best certified bound, unsquared, without matching: stars only if cheaper ones do not rule out j.
inline double fresh_bound(Learner &L, Worker &M, i64 i, i64 j, double sq_distance) {
    const double enough = sq_distance + margin(L, i, j);
    double sq_bound = norm_bound(L, i, j);
    if (sq_bound <= enough && L.codes.has_ranks()) sq_bound = most(sq_bound, ranked_bound(L, M, i, j));
    if (sq_bound <= enough) sq_bound = most(sq_bound, bound_code(L, M, i, j));
    return std::sqrt(most(sq_bound, 0.0));
}

// |x_a - y|^2 to the winner of the last presentation.
inline double sq_distance_to_winner(const Learner &L, i64 i) {
    const i64 j = L.state.label[i];
    return lifted_sq_distance(L.X, i, L.state.sq_norm[i], L.codes, j, L.state.code_sq_norm[j], L.mapping_of(i));
}

// Whether a lower bound is clearly above a distance.
inline bool is_beyond(double lower, double sq_distance, double margin) {
    return lower > 0.0 && lower * lower > sq_distance + margin;
}

// ---- stored bounds: their value now, and new ones ----

// The current value of a bound that refers to a snapshot of code graph j; sharp only if it is below `needed`.
inline double bound_now(const Learner &L, const Worker &M, i64 j, double stored, i16 snapshot, double needed) {
    return stored - moved(L.codes, L.state, M.lead, j, snapshot, stored - needed);
}

// Store a currently valid bound, relative to the newest snapshot.
inline void keep_bound(const Learner &L, i64 j, double bound, double &stored, i16 &snapshot) {
    const i64 newest = L.state.drift_newest[j];
    snapshot = static_cast<i16>(newest);
    stored = bound - (L.state.drift_path[j] - L.state.drift_taken_at[j * L.sizes.n_slots() + newest]);
}

inline double second_lower_now(const Learner &L, const Worker &M, i64 i, double needed) {
    return bound_now(L, M, L.state.label[i], L.state.second_lower[i], L.state.second_snapshot[i], needed);
}

// Store the distance of the second-best lift to the winner, or the given bound if the matcher may not prove anything.
inline void certify(Learner &L, Worker &M, i64 i, double bound) {
    const i64 j = L.state.label[i];
    if (L.order_of(i) <= L.proves_up_to) bound = std::sqrt(second_sq_distance(L, M, i, j));
    keep_bound(L, j, bound, L.state.second_lower[i], L.state.second_snapshot[i]);
}

// Make every lead unknown.
inline void forget_leads(const Learner &L, Worker &M) {
    for (i64 at = 0; at < L.sizes.n_codes * L.sizes.n_slots(); at++) M.lead[at] = INF;
}

// ---- the winner ----

// Remember the mapping of the last matched pair as the best of this presentation.
inline void keep_found(const Learner &L, Worker &M, i64 i) {
    for (i64 r = 0; r < L.order_of(i); r++) M.best[r] = M.found[r];
}

// Graph i belongs to code graph j, under the best mapping of this presentation.
inline void set_winner(Learner &L, const Worker &M, i64 i, i64 j) {
    L.state.label[i] = static_cast<i32>(j);
    for (i64 r = 0; r < L.order_of(i); r++) L.mapping_of(i)[r] = static_cast<i32>(M.best[r]);
}

}  // namespace gq
