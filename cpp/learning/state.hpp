// The persistent state of a learner: named arrays, owned by the caller and borrowed here.
//
// each_array() is the one list of them. The schema that the caller allocates from, checkpoints and the binding of
// pointers all come from it, so adding an array takes one line there and a field below.
#pragma once

#include "learning/sizes.hpp"

namespace gq {

// k code graphs in a space of order n, with p node channels and q channels of a pair; graph i has row i.
struct State {
    double *code_nodes;     // (k, n, p)  code graphs in dense form
    double *code_pairs;     // (k, n, n, q)  as adjacency slots hold them: of a directed pair, outgoing first
    i64 *code_order;        // (k,)  one more than the last position in use
    double *code_sq_norm;   // (k,)
    i64 *wins;              // (k,)
    double *sq_norm;        // (n_graphs,)
    i32 *label;             // (n_graphs,)  winner at the last presentation, -1 before the first
    i32 *mapping;           // (n_nodes,)  position of each node in its winner: the lift x_a
    double *presented_sq;   // (n_graphs,)  |x_a - y|^2 at the last presentation, before the move
    double *certified_sq;   // (n_graphs,)  lower bound of d(X, Y_X)^2 when the winner was last found
    double *lower;          // (n_graphs, columns)  lower bounds, as the algorithm means them
    i16 *lower_snapshot;    // (n_graphs, columns)  snapshot that each of them counts from
    bool *is_estimated;     // (n_graphs,)  whether some of its lower bounds are distances that were found, not proven
    double *second_lower;   // (n_graphs,)  lower bound of all lifts but x_a to the winner: the certificate of x_a
    i16 *second_snapshot;   // (n_graphs,)
    i64 *certified_order;   // (k,)  order of each code graph that certificates are about
    double *upper_sq;       // (n_graphs,)  square of u(X), of "accelerated"
    bool *is_fresh;         // (n_graphs,)  whether u(X) is up to date, of "accelerated"
    double *drift_nodes;    // (k, slots, m p)  snapshots of the first m positions
    double *drift_pairs;    // (k, slots, m m q)
    double *drift_outside;  // (k, slots)  norm of what is beyond them, at least
    i64 *drift_order;       // (k, slots)  positions in use
    double *drift_taken_at; // (k, slots)  path at the snapshot
    double *drift_path;     // (k,)  length of the path so far
    i64 *drift_newest;      // (k,)  slot of the last snapshot
    i64 *drift_steps;       // (k,)  moves in this cycle
    i64 *drift_spacing;     // (k,)  moves between two snapshots
    i64 *drift_half;        // (1,)  half of the ring that this cycle fills
    double *lead;           // (k, slots)  of the first worker, see drift.hpp
    i64 *group_ptr;         // (n_groups + 1,)  code graphs that share a bound; empty if each has its own
    i64 *group_member;      // (k or 0,)  code graphs, group by group
    i64 *group_of;          // (k or 0,)
    double *group_past;     // (n_groups,)  sum over past epochs of the path of the fastest member
    double *group_since;    // (k or 0,)  path of each code graph when this epoch began
};

// What follows from the graphs and the code graphs is recomputed, not saved.
enum class Kept : bool { MEASURED = false, SAVED = true };

// Call visit(name, field, kept, n_dims, shape...) for each array, in a fixed order.
template <class Visit>
inline void each_array(const LearnerSizes &at, State &state, Visit visit) {
    const i64 k = at.n_codes, n = at.order, p = at.node_channels, q = at.pair_channels;
    const i64 graphs = at.n_graphs, grouped = at.n_groups > 0 ? k : 0;
    visit("code_nodes", state.code_nodes, Kept::SAVED, k, n, p);
    visit("code_pairs", state.code_pairs, Kept::SAVED, k, n, n, q);
    visit("code_order", state.code_order, Kept::MEASURED, k);
    visit("code_sq_norm", state.code_sq_norm, Kept::MEASURED, k);
    visit("wins", state.wins, Kept::SAVED, k);
    visit("sq_norm", state.sq_norm, Kept::MEASURED, graphs);
    visit("label", state.label, Kept::SAVED, graphs);
    visit("mapping", state.mapping, Kept::SAVED, at.n_nodes);
    visit("presented_sq", state.presented_sq, Kept::SAVED, graphs);
    visit("certified_sq", state.certified_sq, Kept::SAVED, graphs);
    visit("lower", state.lower, Kept::SAVED, graphs, at.n_columns());
    visit("lower_snapshot", state.lower_snapshot, Kept::SAVED, graphs, at.n_groups > 0 ? 0 : k);
    visit("is_estimated", state.is_estimated, Kept::SAVED, graphs);
    visit("second_lower", state.second_lower, Kept::SAVED, graphs);
    visit("second_snapshot", state.second_snapshot, Kept::SAVED, graphs);
    visit("certified_order", state.certified_order, Kept::SAVED, k);
    visit("upper_sq", state.upper_sq, Kept::SAVED, graphs);
    visit("is_fresh", state.is_fresh, Kept::SAVED, graphs);
    visit("drift_nodes", state.drift_nodes, Kept::SAVED, k, at.n_slots(), at.snapshot_nodes());
    visit("drift_pairs", state.drift_pairs, Kept::SAVED, k, at.n_slots(), at.snapshot_pairs());
    visit("drift_outside", state.drift_outside, Kept::SAVED, k, at.n_slots());
    visit("drift_order", state.drift_order, Kept::SAVED, k, at.n_slots());
    visit("drift_taken_at", state.drift_taken_at, Kept::SAVED, k, at.n_slots());
    visit("drift_path", state.drift_path, Kept::SAVED, k);
    visit("drift_newest", state.drift_newest, Kept::SAVED, k);
    visit("drift_steps", state.drift_steps, Kept::SAVED, k);
    visit("drift_spacing", state.drift_spacing, Kept::SAVED, k);
    visit("drift_half", state.drift_half, Kept::SAVED, i64{1});
    visit("lead", state.lead, Kept::SAVED, k, at.n_slots());
    visit("group_ptr", state.group_ptr, Kept::SAVED, at.n_groups > 0 ? at.n_groups + 1 : 0);
    visit("group_member", state.group_member, Kept::SAVED, grouped);
    visit("group_of", state.group_of, Kept::SAVED, grouped);
    visit("group_past", state.group_past, Kept::SAVED, at.n_groups);
    visit("group_since", state.group_since, Kept::SAVED, grouped);
}

inline gq_array_type type_of(const double *) { return GQ_FLOAT64; }
inline gq_array_type type_of(const i64 *) { return GQ_INT64; }
inline gq_array_type type_of(const i32 *) { return GQ_INT32; }
inline gq_array_type type_of(const i16 *) { return GQ_INT16; }
inline gq_array_type type_of(const bool *) { return GQ_BOOL; }

// OUT arrays: name, type and shape of each. Returns their number.
inline i64 describe_state(const LearnerSizes &sizes, gq_array *arrays) {
    State none{};
    i64 count = 0;
    each_array(sizes, none, [&](const char *name, auto *field, Kept kept, auto... shape) {
        arrays[count++] = {name, type_of(field), kept == Kept::SAVED, static_cast<i64>(sizeof...(shape)), {shape...}};
    });
    return count;
}

// The state in the caller's arrays, in the order of the schema.
inline State borrow_state(const LearnerSizes &sizes, void *const *arrays) {
    State state{};
    i64 count = 0;
    each_array(sizes, state, [&](const char *, auto *&field, Kept, auto...) {
        field = static_cast<std::remove_reference_t<decltype(field)>>(arrays[count++]);
    });
    return state;
}

}  // namespace gq
