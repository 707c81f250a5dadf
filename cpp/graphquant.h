/* The native core of graphquant: everything that Python may call, and nothing else.
 *
 * The header is plain C: structs with named fields, arrays as pointers, no allocation visible to the caller except
 * the opaque handles. Rules for every function:
 *
 *  - Arrays are in C order, float64, int64 (node numbers of edges and classes: int32). They belong to the caller, who
 *    keeps them alive during the call; IN arrays are not written to, OUT arrays need not be initialised.
 *  - Nothing is checked here that comes from a file or a user: the Python functions that are named with a function have
 *    done it, and tests/fuzz/boundary.py tries to get past them. Indices are in range, values are finite, offsets ascend.
 *    Types and C order of all arrays: graphquant._core.structs.address. Graphs: graphquant.graphs.checks.check_packed
 *    when a collection is made, whatever it is made from.
 *  - No function throws, prints, or keeps a thread. A handle serves one thread at a time; calls with different handles
 *    may run at the same time.
 *  - Long-running functions poll *stop and return GQ_STOPPED soon after another thread has set it; a null pointer
 *    never stops. The content of OUT arrays is then undefined.
 *  - Results are the same bits on every processor, compiler and number of threads.
 */
#ifndef GRAPHQUANT_H
#define GRAPHQUANT_H

#include <stdint.h>

#ifdef _WIN32
#define GQ_API __declspec(dllexport)
#else
#define GQ_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- about the library ------------------------------------------------------------------------------------------ */

/* Raised whenever a struct or a function of this header changes. */
#define GQ_ABI_VERSION 2

GQ_API int32_t gq_abi_version(void);
/* Digest of the sources that the library was built from. */
GQ_API const char *gq_source_hash(void);
/* "baseline" or "x86-64-v3": the instructions that this library may use. */
GQ_API const char *gq_cpu_level(void);
/* The compiler and its version. */
GQ_API const char *gq_compiler(void);
/* Whether this processor and system can run the level x86-64-v3. */
GQ_API int32_t gq_cpu_supports_v3(void);
/* Size in bytes of a struct of this header, by name; 0 if there is no such struct. */
GQ_API int64_t gq_struct_size(const char *name);

typedef enum {
    GQ_OK = 0,
    GQ_STOPPED = 1,         /* the stop flag was set */
    GQ_CALLBACK_FAILED = 2, /* a user-defined matcher returned a value other than 0 */
    GQ_OUT_OF_MEMORY = 3
} gq_status;

/* ---- graphs ----------------------------------------------------------------------------------------------------- */

/* Graphs as a collection holds them: one array for the nodes of all graphs, one for the edges. */
typedef struct {
    int64_t n_graphs;
    int64_t node_channels;
    int64_t edge_channels;
    int32_t is_directed;
    const int64_t *node_ptr;  /* (n_graphs + 1,)  nodes of graph i: node_ptr[i] to node_ptr[i + 1] */
    const double *node_attr;  /* (n_nodes, node_channels) */
    const int32_t *group;     /* (n_nodes,)  class of each node; null: there are none */
    const int64_t *edge_ptr;  /* (n_graphs + 1,) */
    const int32_t *edges;     /* (n_edges, 2)  node numbers within the graph */
    const double *edge_attr;  /* (n_edges, edge_channels) */
} gq_collection;

/* Graphs as matchers and bounds use them: sorted adjacency, norms. A pair of nodes has one vector, that of an undirected
 * edge or those of both directions, the outgoing one first; it is in the adjacency of both nodes. */
typedef struct {
    int64_t n_graphs;
    int64_t node_channels;
    int64_t edge_channels;     /* of a pair of nodes: twice those of the collection if that is directed */
    double pair_weight;        /* how often the square of a pair counts: 2 undirected, 1 directed */
    const int64_t *node_ptr;   /* (n_graphs + 1,) */
    const double *node_attr;   /* (n_nodes, node_channels) */
    const int32_t *group;      /* (n_nodes,)  zeros without classes */
    const int64_t *adj_ptr;    /* (n_nodes + 1,)  slots of each node */
    const int32_t *adj_idx;    /* (n_slots,)  neighbour, numbered within the graph, ascending */
    const double *adj_vec;     /* (n_slots, edge_channels) */
    const double *adj_sorted;  /* (n_slots, edge_channels)  per node and channel, descending */
    const double *sq_norm;     /* (n_graphs,)  squared norm of the matrix representation */
    const uint8_t *is_nonneg;  /* (n_graphs,)  no negative attribute: a zero node is never better */
} gq_graphs;

/* Output arrays of prepared graphs. */
typedef struct {
    int64_t *adj_ptr;   /* (n_nodes + 1,)  the last one is the number of slots in use */
    int32_t *adj_idx;   /* (2 * n_edges,)  room; where two directed edges share a slot, the end stays free */
    double *adj_vec;    /* (2 * n_edges, channels of a pair) */
    double *adj_sorted;
    double *sq_norm;    /* (n_graphs,) */
    uint8_t *is_nonneg; /* (n_graphs,) */
} gq_adjacency;

/* Prepare all graphs of a collection. O(edges * degree). Checked by bounds.check_range (prepare). */
GQ_API int32_t gq_prepare(const gq_collection *X, const gq_adjacency *out);

/* ---- matching --------------------------------------------------------------------------------------------------- */

/* The graph space: positions of each node class. */
typedef struct {
    const int64_t *capacity; /* (n_classes,) */
    int64_t n_classes;
} gq_space;

typedef enum { GQ_EXACT = 0, GQ_FRANK_WOLFE = 1, GQ_GRADUATED = 2, GQ_CALLBACK = 3 } gq_matcher_kind;

/* Branch and bound with dual-ascent bounds (matching/exact.hpp). */
typedef struct {
    double node_limit;    /* search nodes of one pair; inf: none */
    double time_limit;    /* seconds for one pair; inf: none */
    double patience;      /* dual ascent continues while an iteration closes this share of the gap */
    int64_t ascents;      /* iterations of dual ascent, at least one */
    int64_t free_order;   /* pairs whose smaller graph has at most this many nodes are searched without limit */
    int64_t search_order; /* pairs whose smaller graph has more nodes keep the mapping of Frank-Wolfe */
} gq_exact;

/* Frank-Wolfe from several starts, then local search (matching/frank_wolfe.hpp). */
typedef struct {
    int64_t max_iter;
    int64_t n_starts; /* 0: by the number of nodes */
} gq_frank_wolfe;

/* Graduated assignment (matching/graduated.hpp). */
typedef struct {
    double beta_start, beta_rate, beta_end;
    double tol_inner, tol_sinkhorn;
    int64_t max_inner, max_sinkhorn;
} gq_graduated;

/* A user-defined matcher: OUT mapping, the position in graph j of each node of graph i, checked by the caller.
 * Returns 0, or any other value if it failed. */
typedef int32_t (*gq_match_function)(void *context, int64_t i, int64_t j, int64_t *mapping);

typedef struct {
    gq_match_function match;
    void *context;
} gq_callback;

typedef struct {
    int32_t kind; /* gq_matcher_kind */
    gq_exact exact;
    gq_frank_wolfe frank_wolfe; /* also the start of an exact search */
    gq_graduated graduated;
    gq_callback callback;
} gq_matcher;

/* Working memory of a thread; it grows as needed. */
typedef struct gq_scratch gq_scratch;
GQ_API gq_scratch *gq_scratch_create(void); /* null if there is no memory */
GQ_API void gq_scratch_free(gq_scratch *scratch);

typedef struct {
    const gq_graphs *graphs;
    gq_space space;
    const gq_matcher *matcher;
    int64_t n_pairs;
    const int64_t *pairs;     /* (n_pairs, 2)  numbers of X and Y in graphs */
    const int64_t *proposals; /* (n_pairs, width)  known mappings, which prune a search; null: none */
    int64_t width;            /* of a row of proposals and mappings: the largest order of an X */
    double granularity;       /* squared distances differ from |X|^2 + |Y|^2 by whole multiples of it, up to rounding: bounds
                                 of an exact search are rounded up to such values; 0: of nothing */
    double threshold_sq;      /* a pair is done as soon as its squared distance is known to be at most or at least this, which
                                 is then in the bound or under the mapping; inf: none */
    const int32_t *stop;
} gq_match_request;

typedef struct {
    double *sq_distance; /* (n_pairs,)  under the mapping */
    double *sq_lower;    /* (n_pairs,)  certified lower bound of all mappings */
    int64_t *n_nodes;    /* (n_pairs,)  search nodes */
    int64_t *mapping;    /* (n_pairs, width)  position in Y of each node of X, |Y| and more: zero nodes; null: not wanted */
} gq_match_result;

/* Match pairs of graphs. Checked by matching.engine: bounds.check_pairs, check_comparable and class_capacity; proposals and
 * what a callback returns by matching.mappings.check_mapping; options by the constructors of the matchers. */
GQ_API int32_t gq_match_pairs(const gq_match_request *request, const gq_match_result *result, gq_scratch *scratch);

typedef struct {
    int64_t ascents;   /* iterations of dual ascent */
    double node_limit; /* search nodes */
} gq_certificate;

/* OUT sq_distance: what every mapping of graph i to graph j with another lift than the given, best one reaches at
 * least. Given a match of its own by graphquant.matching; called by nothing that a user reaches otherwise. */
GQ_API int32_t gq_second_distance(const gq_graphs *graphs, int64_t i, int64_t j, const int64_t *mapping, gq_space space,
                                  gq_certificate limits, const int32_t *stop, double *sq_distance, gq_scratch *scratch);

/* ---- lower bounds ----------------------------------------------------------------------------------------------- */

/* In order of cost; each includes those before it. */
typedef enum { GQ_BOUND_NORMS = 0, GQ_BOUND_SORTED = 1, GQ_BOUND_SPECTRA = 2, GQ_BOUND_NODES = 3, GQ_BOUND_STAR = 4 } gq_bound;

/* Data of each graph for the cheap bounds. */
typedef struct {
    const double *node_norm;   /* (n_graphs, node_channels)  norm of each channel */
    const double *edge_norm;   /* (n_graphs, edge_channels)  over ordered pairs */
    const double *node_sorted; /* (n_nodes, node_channels)  of each graph's nodes, descending */
    const double *edge_sorted; /* (n_slots, edge_channels)  of each graph's slots, descending */
    const double *spectrum;    /* (n_nodes, edge_channels)  singular values, descending; null: none */
} gq_summaries;

typedef struct {
    const gq_graphs *X, *Y;
    const gq_summaries *X_summaries, *Y_summaries; /* null: the star bound alone */
    gq_space space;
    int64_t n_pairs;
    const int64_t *pairs; /* (n_pairs, 2)  numbers in X and in Y */
    double threshold_sq;  /* a pair is finished as soon as a bound reaches it */
    int32_t last;         /* gq_bound */
    const int32_t *stop;
} gq_bound_request;

/* OUT sq_lower (n_pairs,): squared lower bounds, lowered by the rounding margin. Checked by bounds.lower: check_pairs,
 * check_comparable, class_capacity. */
GQ_API int32_t gq_bound_pairs(const gq_bound_request *request, double *sq_lower, gq_scratch *scratch);

/* OUT out (end - begin, n_graphs): what graphs begin to end gain at most by a match with each graph, from the star
 * vectors of their nodes: rows (n_nodes, n_channels), columns the same transposed. WORK (2, n_nodes). Called by
 * bounds.lower.product_bounds with graphs that bounds.prepare has checked. */
GQ_API int32_t gq_most_gains(const double *rows, const double *columns, const int64_t *node_ptr, int64_t n_graphs,
                             int64_t n_channels, int64_t begin, int64_t end, const int32_t *stop, double *work, double *out);

/* ---- medoids ---------------------------------------------------------------------------------------------------- */

/* INOUT medoids (k,), different candidates: swapped with others as long as that lowers the total by more than tol.
 * distances (n_candidates, n); far stands for the distance to a second medoid where there is none. OUT total: the sum
 * of the distances to the nearest medoid. Called by initialisation.medoids with distances and medoids of its own. */
GQ_API int32_t gq_swap_medoids(const double *distances, int64_t n_candidates, int64_t n, int64_t *medoids, int64_t k,
                               double far, double tol, const int32_t *stop, double *total);

/* ---- learning --------------------------------------------------------------------------------------------------- */

typedef enum { GQ_STANDARD = 0, GQ_ACCELERATED = 1, GQ_LOSSLESS = 2, GQ_FAST = 3 } gq_algorithm;

typedef enum { GQ_FLOAT64 = 0, GQ_INT64 = 1, GQ_INT32 = 2, GQ_INT16 = 3, GQ_BOOL = 4 } gq_array_type;

/* One array of a learner's state. */
typedef struct {
    const char *name;
    int32_t type;     /* gq_array_type */
    int32_t is_saved; /* whether a resumed run needs it; else it is recomputed */
    int64_t n_dims;
    int64_t shape[4];
} gq_array;

typedef struct {
    const gq_collection *X; /* training graphs; their arrays are borrowed until the learner is freed */
    gq_space space;
    const gq_matcher *matcher;  /* copied; a callback gets the number of a code graph as j */
    int64_t order;              /* positions of the space */
    int64_t n_codes;
    int64_t n_groups;           /* groups of code graphs that share a bound; 0: each has its own */
    int64_t n_workers;          /* threads that may classify at the same time */
    int64_t snapshot_bytes;     /* for snapshots of moving code graphs: with fewer, bounds become loose sooner */
    int32_t keeps_certificates; /* whether to reuse alignments; "fast" needs it if code graphs move */
    double theta;               /* for GQ_ACCELERATED */
} gq_learner_options;

/* How many arrays a state has. */
#define GQ_STATE_ARRAYS 34

/* OUT arrays (GQ_STATE_ARRAYS,): the state that a learner with these options needs. */
GQ_API void gq_describe_state(const gq_learner_options *options, gq_array *arrays);

/* A learner with its state in the caller's arrays, in the order of gq_describe_state; null if there is no memory. One of
 * gq_begin and gq_resume comes next. Checked by learning.learner (bounds.check_range, class_capacity), parameters by
 * learning.parameters, the size of the state by _core.learning. */
typedef struct gq_learner gq_learner;
GQ_API gq_learner *gq_learner_create(const gq_learner_options *options, void *const *arrays);
GQ_API void gq_learner_free(gq_learner *learner);
/* Match by other options of the same kind of matcher from now on. */
GQ_API void gq_learner_set_matcher(gq_learner *learner, const gq_matcher *matcher);

/* Begin with the code graphs in code_nodes, code_pairs. The other arrays are zeros, except wins and known lower
 * bounds. */
GQ_API void gq_begin(gq_learner *learner);
/* Go on with arrays of a learner of the same options. Checked by learning.state_checks.check_state. */
GQ_API void gq_resume(gq_learner *learner);

/* The graph numbers, rates and shifts of the functions below are made by learning.driver and learning.rates (which checks
 * rates); code graphs from other partitions come from learners like this one. */

/* Present graphs one by one, in the order of `sequence`: find the winner, move it. Null rates are harmonic,
 * 1 / (number of wins of the code graph). If stopped, the graphs before were presented. */
GQ_API int32_t gq_present(gq_learner *learner, int32_t algorithm, const int64_t *sequence, const double *rates, int64_t n,
                          const int32_t *stop);
/* Find the winners of graphs; the code graphs stay. Different workers may do so at the same time with different graphs. */
GQ_API int32_t gq_classify(gq_learner *learner, int64_t worker, int32_t algorithm, const int64_t *indices, int64_t n,
                           const int32_t *stop);
/* Move the winners of graphs that were classified, in order. */
GQ_API void gq_learn(gq_learner *learner, const int64_t *indices, const double *rates, int64_t n);
/* Replace the code graphs, as one movement of each: all bounds stay valid. */
GQ_API void gq_move_codes(gq_learner *learner, const double *nodes, const double *pairs);

/* End a cycle, numbered from 0. GQ_ACCELERATED ends it with the second function (Algorithm 5) instead, which gets the
 * distance that each code graph has moved. */
GQ_API int32_t gq_end_cycle(gq_learner *learner, int64_t cycle);
GQ_API void gq_estimate_bounds(gq_learner *learner, const double *shift);

/* OUT sq_distance (n_graphs,): of each graph to its winner under the stored lift; 0 for graphs without a winner. The
 * second is accurate even if the distance is small, at a higher cost. */
GQ_API void gq_lifted_sq_distances(const gq_learner *learner, double *sq_distance);
GQ_API void gq_exact_sq_distances(gq_learner *learner, double *sq_distance);

typedef struct {
    int64_t matchings;
    int64_t bounds;       /* star bounds, without matching */
    int64_t proven;       /* matchings that were proven optimal */
    int64_t certificates; /* searches for the second-best alignment, each part of a matching */
} gq_counters;

/* OUT counters: of all workers since the learner was created. */
GQ_API void gq_count(const gq_learner *learner, gq_counters *counters);

#ifdef __cplusplus
}
#endif

#endif
