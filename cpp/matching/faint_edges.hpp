// Graphs without their faintest edges, for solvers that look for an alignment.
//
// The mean of many graphs has edges nearly everywhere, most of them so faint that they hardly count. A search
// that follows them takes several times as long and ends worse, in one of the many optima that they make.
#pragma once

#include "graphs/view.hpp"
#include "support/arena.hpp"

namespace gq {

// Maximum omission, as a share of the squared norm of all edges. Edges are faint if they are below the
// first of these shares of the strongest one that omits no more. Measured on four data sets.
inline constexpr double FAINT_NORM = 0.05;
inline constexpr double FAINTEST[] = {0.2, 0.1, 0.05, 0.02};

// Room for one graph with fewer edges.
struct FilteredGraph {
    i64 *adj_ptr;
    i32 *adj_idx;
    double *adj_vec;

    void allocate(Arena &arena, i64 order, i64 slots, i64 channels) {
        adj_ptr = arena.take<i64>(order + 1);
        adj_idx = arena.take<i32>(slots);
        adj_vec = arena.take<double>(slots * channels);
    }
};

inline double sq_norm_of_edge(const GraphView &x, i64 slot) {
    double total = 0.0;
    for (i64 c = 0; c < x.edge_channels; c++) total += squared(x.edge(slot)[c]);
    return total;
}

// The squared norm below which edges of a graph are faint; 0 if none are.
inline double faint_below(const GraphView &x) {
    const i64 begin = x.first_slot(), end = begin + x.n_slots();
    double strongest = 0.0, total = 0.0;
    for (i64 k = begin; k < end; k++) {
        const double value = sq_norm_of_edge(x, k);
        strongest = most(strongest, value);
        total += value;
    }
    for (const double share : FAINTEST) {
        const double limit = share * share * strongest;
        double left_out = 0.0;
        for (i64 k = begin; k < end; k++) {
            const double value = sq_norm_of_edge(x, k);
            if (value < limit) left_out += value;
        }
        if (0.0 < left_out && left_out <= FAINT_NORM * total) return limit;
    }
    return 0.0;
}

// The graph without edges whose squared norm is below a limit, written to `room`. It has no sorted channels.
inline GraphView without_edges_below(const GraphView &x, double limit, FilteredGraph &room) {
    if (limit == 0.0) return x;
    const i64 q = x.edge_channels;
    i64 slot = 0;
    for (i64 r = 0; r < x.order; r++) {
        room.adj_ptr[r] = slot;
        for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) {
            if (sq_norm_of_edge(x, k) < limit) continue;
            room.adj_idx[slot] = x.adj_idx[k];
            for (i64 c = 0; c < q; c++) room.adj_vec[slot * q + c] = x.edge(k)[c];
            slot++;
        }
    }
    room.adj_ptr[x.order] = slot;
    GraphView filtered = x;
    filtered.adj_ptr = room.adj_ptr;
    filtered.adj_idx = room.adj_idx;
    filtered.adj_vec = room.adj_vec;
    filtered.adj_sorted = nullptr;
    return filtered;
}

}  // namespace gq
