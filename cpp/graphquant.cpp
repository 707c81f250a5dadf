// The functions of graphquant.h: they turn pointers into views and call the code that does the work.
#include "graphquant.h"

#include "bounds/cascade.hpp"
#include "bounds/products.hpp"
#include "graphs/packed.hpp"
#include "learning/present.hpp"
#include "matching/match_pair.hpp"
#include "matching/second_best.hpp"
#include "medoids/swap.hpp"
#include "support/library_info.hpp"
#include "support/owned.hpp"

struct gq_scratch : gq::Scratch {};

struct gq_learner : gq::Learner {
    gq_learner() = default;
    gq_learner(const gq_learner &) = delete;
    gq_learner &operator=(const gq_learner &) = delete;
    ~gq_learner() { gq::tear_down(*this); }
};

namespace gq {
namespace {

Space space_of(const gq_space &space) { return {space.capacity, space.n_classes}; }

// Maximum numbers of nodes and slots of the graphs so far.
struct Sizes {
    i64 order = 0, slots = 0;

    void include(const gq_graphs &graphs, i64 i) {
        const GraphView x = view_of(graphs, i);
        order = most(order, x.order);
        slots = most(slots, x.n_slots());
    }
    bool reserve(Scratch &scratch, const gq_graphs &graphs, i64 n_classes, bool wants_search) const {
        return scratch.reserve(order, slots, graphs.edge_channels, n_classes, wants_search);
    }
};

// Squared norm and sign of a prepared graph, with a separate sum for each node and each slot.
void measure(const GraphView &x, double &sq_norm, std::uint8_t &is_nonneg) {
    double nodes = 0.0, pairs = 0.0;
    bool nonneg = true;
    const auto add = [&nonneg](const double *vector, i64 n, double &total) {
        total += lane_sum(n, [vector](i64 c) { return squared(vector[c]); });
        for (i64 c = 0; c < n; c++) nonneg = nonneg && vector[c] >= 0.0;
    };
    for (i64 r = 0; r < x.order; r++) add(x.node(r), x.node_channels, nodes);
    for (i64 k = x.first_slot(); k < x.first_slot() + x.n_slots(); k++) add(x.edge(k), x.edge_channels, pairs);
    sq_norm = nodes + 0.5 * x.pair_weight * pairs;
    is_nonneg = nonneg ? 1 : 0;
}

i32 prepare(const gq_collection &X, const gq_adjacency &out) {
    i64 most_nodes = 0;
    for (i64 i = 0; i < X.n_graphs; i++) most_nodes = most(most_nodes, X.node_ptr[i + 1] - X.node_ptr[i]);
    Arena arena;
    i64 *last = arena.take<i64>(most_nodes);
    if (last == nullptr) return GQ_OUT_OF_MEMORY;
    const i64 channels = X.edge_channels * (X.is_directed != 0 ? 2 : 1);
    i64 first = 0;
    out.adj_ptr[0] = 0;
    for (i64 i = 0; i < X.n_graphs; i++) {
        const AdjacencySlots slots{out.adj_ptr + X.node_ptr[i], out.adj_idx, out.adj_vec, out.adj_sorted, channels};
        first = write_adjacency(X, i, first, slots, last);
        const GraphView x{X.node_ptr[i + 1] - X.node_ptr[i],
                          X.node_channels,
                          channels,
                          X.is_directed != 0 ? 1.0 : 2.0,
                          X.node_attr + X.node_ptr[i] * X.node_channels,
                          nullptr,
                          slots.adj_ptr,
                          out.adj_idx,
                          out.adj_vec,
                          nullptr,
                          0.0,
                          false};
        measure(x, out.sq_norm[i], out.is_nonneg[i]);
    }
    return GQ_OK;
}

bool needs_search(const gq_matcher &matcher) { return matcher.kind == GQ_EXACT; }

i32 match_pairs(const gq_match_request &request, const gq_match_result &result, Scratch &scratch) {
    const gq_graphs &graphs = *request.graphs;
    const Space space = space_of(request.space);
    Sizes sizes;
    for (i64 k = 0; k < 2 * request.n_pairs; k++) sizes.include(graphs, request.pairs[k]);
    if (!sizes.reserve(scratch, graphs, space.n_classes, needs_search(*request.matcher))) return GQ_OUT_OF_MEMORY;
    PairScratch &pair = scratch.pair;
    pair.lap.stop = {request.stop};
    for (i64 k = 0; k < request.n_pairs; k++) {
        const i64 i = request.pairs[2 * k], j = request.pairs[2 * k + 1];
        const GraphView x = view_of(graphs, i), y = view_of(graphs, j);
        double known_sq = INF;
        if (request.proposals != nullptr) {
            known_sq = sq_distance_under(x, y, request.proposals + k * request.width, pair.slot_of, pair.covered);
        }
        i64 *mapping = result.mapping != nullptr ? result.mapping + k * request.width : pair.locked;
        const PairResult found = match_pair(x, y, i, j, space, *request.matcher, known_sq, scratch, mapping,
                                            {request.granularity, request.threshold_sq});
        if (found.status != GQ_OK) return found.status;
        result.sq_distance[k] = found.sq_distance;
        result.sq_lower[k] = found.sq_lower;
        result.n_nodes[k] = found.n_nodes;
        if (pair.lap.stop.is_set()) return GQ_STOPPED;
    }
    return GQ_OK;
}

i32 bound_pairs(const gq_bound_request &request, double *sq_lower, Scratch &scratch) {
    const gq_graphs &X = *request.X, &Y = *request.Y;
    const Space space = space_of(request.space);
    Sizes sizes;
    for (i64 k = 0; k < request.n_pairs; k++) {
        sizes.include(X, request.pairs[2 * k]);
        sizes.include(Y, request.pairs[2 * k + 1]);
    }
    if (!sizes.reserve(scratch, X, space.n_classes, false)) return GQ_OUT_OF_MEMORY;
    PairScratch &pair = scratch.pair;
    pair.lap.stop = {request.stop};
    for (i64 k = 0; k < request.n_pairs; k++) {
        const i64 i = request.pairs[2 * k], j = request.pairs[2 * k + 1];
        if (request.X_summaries == nullptr || request.Y_summaries == nullptr) {
            sq_lower[k] = star_bound(view_of(X, i), view_of(Y, j), space, pair);
        } else {
            sq_lower[k] = cascade({X, *request.X_summaries, i}, {Y, *request.Y_summaries, j}, space, request.threshold_sq,
                                  request.last, pair);
        }
        if (pair.lap.stop.is_set()) return GQ_STOPPED;
    }
    return GQ_OK;
}

}  // namespace
}  // namespace gq

extern "C" {

int32_t gq_abi_version(void) { return GQ_ABI_VERSION; }
const char *gq_source_hash(void) { return GQ_SOURCE_HASH; }
const char *gq_cpu_level(void) { return gq::cpu_level(); }
const char *gq_compiler(void) { return gq::compiler(); }
int32_t gq_cpu_supports_v3(void) { return gq::cpu_supports_v3() ? 1 : 0; }
int64_t gq_struct_size(const char *name) { return gq::struct_size(name); }

gq_scratch *gq_scratch_create(void) { return gq::create<gq_scratch>(); }
void gq_scratch_free(gq_scratch *scratch) { gq::destroy(scratch); }

int32_t gq_prepare(const gq_collection *X, const gq_adjacency *out) { return gq::prepare(*X, *out); }

int32_t gq_match_pairs(const gq_match_request *request, const gq_match_result *result, gq_scratch *scratch) {
    return gq::match_pairs(*request, *result, *scratch);
}

int32_t gq_second_distance(const gq_graphs *graphs, int64_t i, int64_t j, const int64_t *mapping, gq_space space,
                           gq_certificate limits, const int32_t *stop, double *sq_distance, gq_scratch *scratch) {
    gq::Sizes sizes;
    sizes.include(*graphs, i);
    sizes.include(*graphs, j);
    if (!sizes.reserve(*scratch, *graphs, space.n_classes, true)) return GQ_OUT_OF_MEMORY;
    scratch->pair.lap.stop = {stop};
    *sq_distance = gq::second_sq_distance(gq::view_of(*graphs, i), gq::view_of(*graphs, j), mapping, gq::space_of(space),
                                          {limits.ascents, limits.node_limit}, *scratch);
    return scratch->pair.lap.stop.is_set() ? GQ_STOPPED : GQ_OK;
}

int32_t gq_bound_pairs(const gq_bound_request *request, double *sq_lower, gq_scratch *scratch) {
    return gq::bound_pairs(*request, sq_lower, *scratch);
}

int32_t gq_most_gains(const double *rows, const double *columns, const int64_t *node_ptr, int64_t n_graphs, int64_t n_channels,
                      int64_t begin, int64_t end, const int32_t *stop, double *work, double *out) {
    const gq::Stop asked{stop};
    for (int64_t i = begin; i < end; i += gq::GRAPHS_AT_ONCE) {
        if (asked.is_set()) return GQ_STOPPED;
        const int64_t until = gq::least(i + gq::GRAPHS_AT_ONCE, end);
        gq::most_gains(rows, columns, node_ptr, n_graphs, n_channels, i, until, work, work + node_ptr[n_graphs],
                       out + (i - begin) * n_graphs);
    }
    return GQ_OK;
}

int32_t gq_swap_medoids(const double *distances, int64_t n_candidates, int64_t n, int64_t *medoids, int64_t k, double far,
                        double tol, const int32_t *stop, double *total) {
    gq::Arena arena;
    gq::Medoids at{.D = {distances, n}, .n_candidates = n_candidates, .n = n, .k = k, .medoids = medoids, .far = far};
    at.allocate(arena);
    if (arena.is_exhausted()) return GQ_OUT_OF_MEMORY;
    gq::swap_medoids(at, tol, {stop});
    *total = gq::total_of(at);
    return gq::Stop{stop}.is_set() ? GQ_STOPPED : GQ_OK;
}

void gq_describe_state(const gq_learner_options *options, gq_array *arrays) {
    gq::describe_state(gq::sizes_of(*options), arrays);
}

gq_learner *gq_learner_create(const gq_learner_options *options, void *const *arrays) {
    auto *learner = gq::create<gq_learner>();
    if (learner == nullptr) return nullptr;
    if (gq::set_up(*learner, *options, arrays) && gq::make_workers(*learner, options->n_workers)) return learner;
    gq::destroy(learner);
    return nullptr;
}

void gq_learner_free(gq_learner *learner) { gq::destroy(learner); }
void gq_learner_set_matcher(gq_learner *learner, const gq_matcher *matcher) { gq::set_matcher(*learner, *matcher); }

void gq_begin(gq_learner *learner) { gq::begin(*learner); }
void gq_resume(gq_learner *learner) { gq::measure(*learner); }

int32_t gq_present(gq_learner *learner, int32_t algorithm, const int64_t *sequence, const double *rates, int64_t n,
                   const int32_t *stop) {
    return gq::present(*learner, algorithm, sequence, rates, n, stop);
}

int32_t gq_classify(gq_learner *learner, int64_t worker, int32_t algorithm, const int64_t *indices, int64_t n,
                    const int32_t *stop) {
    return gq::classify_all(*learner, worker, algorithm, indices, n, stop);
}

void gq_learn(gq_learner *learner, const int64_t *indices, const double *rates, int64_t n) {
    gq::learn_batch(*learner, indices, rates, n);
}

void gq_move_codes(gq_learner *learner, const double *nodes, const double *pairs) { gq::move_codes(*learner, nodes, pairs); }

int32_t gq_end_cycle(gq_learner *learner, int64_t cycle) { return gq::end_cycle(*learner, cycle); }
void gq_estimate_bounds(gq_learner *learner, const double *shift) { gq::estimate_bounds(*learner, shift); }

void gq_lifted_sq_distances(const gq_learner *learner, double *sq_distance) { gq::lifted_sq_distances(*learner, sq_distance); }
void gq_exact_sq_distances(gq_learner *learner, double *sq_distance) { gq::exact_sq_distances(*learner, sq_distance); }

void gq_count(const gq_learner *learner, gq_counters *counters) {
    *counters = {};
    for (int64_t w = 0; w < learner->n_workers; w++) {
        const gq_counters &of = learner->workers[w].counters;
        counters->matchings += of.matchings;
        counters->bounds += of.bounds;
        counters->proven += of.proven;
        counters->certificates += of.certificates;
    }
}

}  // extern "C"
