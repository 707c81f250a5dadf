// All bounds in order of cost, until one is enough. All are squared distances, reduced by the rounding margin.
//
// Each part (nodes, edges) of a bound may be combined with the other part of another, because the squared distance is the
// sum of both.
#pragma once

#include "bounds/nodes.hpp"
#include "bounds/norms.hpp"
#include "bounds/sorted.hpp"

namespace gq {

// One side of a pair: graph i of prepared graphs, and the summaries of all of them.
struct Summarised {
    const gq_graphs &graphs;
    const gq_summaries &summaries;
    i64 i;

    GraphView view() const { return view_of(graphs, i); }
    SortedRows nodes_of(const double *table, i64 channels) const {
        return {table, graphs.node_ptr[i], graphs.node_ptr[i + 1], channels};
    }
    SortedRows slots_of(const double *table) const {
        return {table, graphs.adj_ptr[graphs.node_ptr[i]], graphs.adj_ptr[graphs.node_ptr[i + 1]], graphs.edge_channels};
    }
};

// The part of the bound that needs summaries only.
struct Parts {
    double nodes, edges;
};

// The stages that solve an assignment problem, the smaller graph as rows.
inline double assignment_stages(const GraphView &x, const GraphView &y, Space space, Parts parts, double margin,
                                double threshold_sq, i32 last, PairScratch &pair) {
    const i64 width = place_zero_nodes(x, y, space, pair.group_of);
    node_gains(x, y, pair.gain);
    const double bound = most(parts.nodes, node_part(x, y, width, pair)) + parts.edges - margin;
    if (bound >= threshold_sq || last == GQ_BOUND_NODES) return most(bound, 0.0);
    const double star = x.sq_norm + y.sq_norm + 2.0 * star_assignment(x, y, width, pair) - margin;
    return most(most(bound, star), 0.0);
}

// The best of the bounds up to `last`, stopping when one reaches threshold_sq.
inline double cascade(const Summarised &a, const Summarised &b, Space space, double threshold_sq, i32 last, PairScratch &pair) {
    const GraphView x = a.view(), y = b.view();
    const i64 p = x.node_channels, q = x.edge_channels;
    const double margin = 2.0 * ROUNDING * (x.sq_norm + y.sq_norm);
    Parts parts{norm_part(a.summaries.node_norm + a.i * p, b.summaries.node_norm + b.i * p, p),
                norm_part(a.summaries.edge_norm + a.i * q, b.summaries.edge_norm + b.i * q, q)};
    double bound = parts.nodes + parts.edges - margin;
    if (bound >= threshold_sq || last == GQ_BOUND_NORMS) return most(bound, 0.0);
    parts.nodes =
        most(parts.nodes, sorted_part(a.nodes_of(a.summaries.node_sorted, p), b.nodes_of(b.summaries.node_sorted, p)));
    const double by_edges = sorted_part(a.slots_of(a.summaries.edge_sorted), b.slots_of(b.summaries.edge_sorted));
    parts.edges = most(parts.edges, 0.5 * x.pair_weight * by_edges);
    bound = parts.nodes + parts.edges - margin;
    if (bound >= threshold_sq || last == GQ_BOUND_SORTED) return most(bound, 0.0);
    if (a.summaries.spectrum != nullptr && b.summaries.spectrum != nullptr) {
        const double by_spectra = sorted_part(a.nodes_of(a.summaries.spectrum, q), b.nodes_of(b.summaries.spectrum, q));
        parts.edges = most(parts.edges, by_spectra);
        bound = parts.nodes + parts.edges - margin;
    }
    if (bound >= threshold_sq || last == GQ_BOUND_SPECTRA) return most(bound, 0.0);
    if (x.order > y.order) return assignment_stages(y, x, space, parts, margin, threshold_sq, last, pair);
    return assignment_stages(x, y, space, parts, margin, threshold_sq, last, pair);
}

}  // namespace gq
