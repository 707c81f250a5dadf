// A learner from its creation to the end of a cycle: what the functions of graphquant.h call.
#pragma once

#include "learning/classify/accelerated.hpp"
#include "learning/classify/fast.hpp"
#include "learning/classify/lossless.hpp"
#include "learning/classify/standard.hpp"
#include "learning/update.hpp"
#include "support/owned.hpp"

namespace gq {

// ---- making one ----

// Allocate the memory of a worker, for every pair of a graph and a code graph; false if memory runs out.
inline bool allocate(const Learner &L, Worker &M, bool is_first) {
    const LearnerSizes &at = L.sizes;
    i64 most_edges = 0;
    for (i64 i = 0; i < at.n_graphs; i++) most_edges = most(most_edges, L.X.edge_ptr[i + 1] - L.X.edge_ptr[i]);
    const i64 n = most<i64>(L.largest, 1), slots = 2 * most_edges, q = at.pair_channels;
    M.lead = is_first ? L.state.lead : M.arena.take<double>(at.n_codes * at.n_slots());
    M.adj_ptr = M.arena.take<i64>(n + 1);
    M.adj_idx = M.arena.take<i32>(slots);
    M.adj_vec = M.arena.take<double>(slots * q);
    M.adj_sorted = M.arena.take<double>(slots * q);
    if (L.codes.has_ranks()) {
        M.ranked_nodes = take_ranked(M.arena, 1, at.node_channels);
        M.ranked_edges = take_ranked(M.arena, 1, L.X.edge_channels);
    }
    M.last = M.arena.take<i64>(n);
    M.found = M.arena.take<i64>(n);
    M.best = M.arena.take<i64>(n);
    M.key = M.arena.take<double>(at.n_codes);
    M.candidates = M.arena.take<i64>(at.n_codes);
    if (M.arena.is_exhausted()) return false;
    return M.scratch.reserve(n, most(n * (n - 1), slots), q, L.space.n_classes, L.matcher.kind == GQ_EXACT);
}

// The order up to which no limit stops a search.
inline i64 proves_up_to(const gq_matcher &matcher, i64 size) {
    if (matcher.kind != GQ_EXACT || size > MAX_SEARCH_ORDER || matcher.exact.time_limit < INF) return 0;
    return matcher.exact.node_limit < INF ? matcher.exact.free_order : MAX_SEARCH_ORDER;
}

inline void set_matcher(Learner &L, const gq_matcher &matcher) {
    L.matcher = matcher;
    L.proves_up_to = proves_up_to(matcher, L.largest);
}

inline bool set_up(Learner &L, const gq_learner_options &options, void *const *arrays) {
    L.sizes = sizes_of(options);
    L.X = *options.X;
    L.state = borrow_state(L.sizes, arrays);
    L.theta = options.theta;
    L.keeps_certificates = options.keeps_certificates != 0;
    L.largest = L.sizes.order;
    for (i64 i = 0; i < L.sizes.n_graphs; i++) L.largest = most(L.largest, L.order_of(i));
    set_matcher(L, *options.matcher);
    i64 *capacity = L.arena.take<i64>(options.space.n_classes);
    i32 *group = L.arena.take<i32>(L.sizes.order);
    L.no_group = L.arena.take<i32>(L.largest);
    L.codes.sizes = L.sizes;
    L.codes.is_directed = L.X.is_directed != 0;
    L.codes.allocate(L.arena);
    if (L.arena.is_exhausted()) return false;
    i64 position = 0;
    for (i64 g = 0; g < options.space.n_classes; g++) {
        capacity[g] = options.space.capacity[g];
        for (i64 at = 0; at < capacity[g]; at++) group[position++] = static_cast<i32>(g);
    }
    L.space = {capacity, options.space.n_classes};
    L.codes.nodes = L.state.code_nodes;
    L.codes.pairs = L.state.code_pairs;
    L.codes.order = L.state.code_order;
    L.codes.group = group;
    L.codes.uses_all = L.X.group != nullptr;
    L.codes.pair_weight = L.codes.is_directed ? 1.0 : 2.0;
    return true;
}

inline bool make_workers(Learner &L, i64 n_workers) {
    L.workers = static_cast<Worker *>(std::malloc(static_cast<std::size_t>(n_workers) * sizeof(Worker)));
    if (L.workers == nullptr) return false;
    for (i64 w = 0; w < n_workers; w++) new (L.workers + w) Worker();
    L.n_workers = n_workers;
    for (i64 w = 0; w < n_workers; w++) {
        if (!allocate(L, L.workers[w], w == 0)) return false;
    }
    return true;
}

inline void tear_down(Learner &L) {
    for (i64 w = 0; w < L.n_workers; w++) L.workers[w].~Worker();
    std::free(L.workers);
}

// Recompute everything that follows from graphs and code graphs, wherever these came from.
inline void measure(Learner &L) {
    State &state = L.state;
    for (i64 i = 0; i < L.sizes.n_graphs; i++) state.sq_norm[i] = sq_norm_of(L.X, i);
    for (i64 j = 0; j < L.sizes.n_codes; j++) {
        state.code_order[j] = used_order(L.codes, j, L.sizes.order);
        state.code_sq_norm[j] = squared_norm(L.codes, j);
        note_rewritten(L.codes, j);
    }
    refresh_all(L.codes);
}

// Begin with the code graphs that the caller wrote: only given lower bounds and wins are known about them.
inline void begin(Learner &L) {
    State &state = L.state;
    const LearnerSizes &at = L.sizes;
    measure(L);
    for (i64 i = 0; i < at.n_graphs; i++) {
        state.label[i] = -1;
        state.upper_sq[i] = INF;
    }
    for (i64 j = 0; j < at.n_codes; j++) {
        state.certified_order[j] = state.code_order[j];
        state.drift_spacing[j] = 1;
    }
    for (i64 w = 0; w < L.n_workers; w++) forget_leads(L, L.workers[w]);
    take_all_snapshots(L.codes, state);
    sort_into_groups(at, state);
}

// ---- presenting ----

inline void classify(Learner &L, Worker &M, i32 algorithm, i64 i) {
    switch (algorithm) {
        case GQ_STANDARD: return classify_standard(L, M, i);
        case GQ_ACCELERATED: return classify_accelerated(L, M, i);
        case GQ_FAST: return classify_fast(L, M, i);
        default: return L.sizes.n_groups > 0 ? classify_lossless<GroupBounds>(L, M, i) : classify_lossless<OwnBounds>(L, M, i);
    }
}

inline void begin_work(Worker &M, const i32 *stop) {
    M.stop = {stop};
    M.scratch.pair.lap.stop = M.stop;
    M.status = GQ_OK;
}

inline i32 end_work(const Worker &M) { return M.status == GQ_OK && M.stop.is_set() ? GQ_STOPPED : M.status; }

// Present graphs one by one: classify, then move the winner.
inline i32 present(Learner &L, i32 algorithm, const i64 *sequence, const double *rates, i64 n, const i32 *stop) {
    Worker &M = L.workers[0];
    begin_work(M, stop);
    for (i64 t = 0; t < n && !M.is_stopped(); t++) {
        classify(L, M, algorithm, sequence[t]);
        if (M.is_stopped()) break;
        learn(L, sequence[t], rate_at(rates, t));
        // Until each code graph has moved about once: if much longer, new bounds immediately lose the movement before
        // them; if much shorter, a group moves by the sum of the paths of its members.
        if ((t + 1) % L.sizes.n_codes == 0) begin_epoch(L.sizes, L.state);
    }
    refresh_all(L.codes);
    return end_work(M);
}

// Find the winners of graphs for the current code graphs; other workers may do the same with other graphs.
inline i32 classify_all(Learner &L, i64 worker, i32 algorithm, const i64 *indices, i64 n, const i32 *stop) {
    Worker &M = L.workers[worker];
    begin_work(M, stop);
    // Distances to snapshots that other workers have computed since are not in the leads of this one.
    forget_leads(L, M);
    for (i64 t = 0; t < n && !M.is_stopped(); t++) classify(L, M, algorithm, indices[t]);
    return end_work(M);
}

// Carry stored bounds over the end of a cycle.
inline i32 end_cycle(Learner &L, i64 cycle) {
    Arena arena;
    auto *hop = arena.take<double>(L.sizes.n_codes * L.sizes.n_slots());
    if (arena.is_exhausted()) return GQ_OUT_OF_MEMORY;
    end_cycle_of_snapshots(L.codes, L.state, cycle, hop);
    return GQ_OK;
}

// ---- distances of all graphs to their winners ----

// OUT |x_a - y|^2 to the current code graphs; 0 for graphs without a winner.
inline void lifted_sq_distances(const Learner &L, double *out) {
    for (i64 i = 0; i < L.sizes.n_graphs; i++) out[i] = L.state.label[i] >= 0 ? sq_distance_to_winner(L, i) : 0.0;
}

// OUT the same, computed by differences: accurate even if it is small.
inline void exact_sq_distances(Learner &L, double *out) {
    Worker &M = L.workers[0];
    for (i64 i = 0; i < L.sizes.n_graphs; i++) {
        if (L.state.label[i] < 0) {
            out[i] = 0.0;
            continue;
        }
        show(L, M, i);
        for (i64 r = 0; r < L.order_of(i); r++) M.found[r] = L.mapping_of(i)[r];
        const GraphView code = L.codes.view(L.state.label[i]);
        out[i] = sq_distance_under(M.view, code, M.found, M.scratch.pair.slot_of, M.scratch.pair.covered);
    }
}

}  // namespace gq
