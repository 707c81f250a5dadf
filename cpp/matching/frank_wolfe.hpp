// Frank-Wolfe on doubly stochastic matrices (Vogelstein and others, 2015): a cheap and good approximate solver.
//
// Maximises <G, P> + (w / 2) <P, A(P)> where G holds the node gains and A(P) the edge support. Each step solves an
// assignment problem for the gradient and goes to the exact optimum along the line. Every vertex on the way is a
// mapping whose value is known, and the best of them is kept. P itself is not needed: A(P) and the two scalars
// <G, P> and <P, A(P)> are sufficient, and a step changes them by sums over the nodes of the vertex, because A is
// symmetric. A step costs an assignment problem and O(sum of degree products).
#pragma once

#include "bounds/assignments.hpp"
#include "matching/chains.hpp"
#include "matching/lean.hpp"
#include "matching/similarity.hpp"

namespace gq {

// Up to this order single exchanges find as much as chains, and the exact search needs no good start.
inline constexpr i64 SMALL = 6;
// A gain that this many starts end at is rarely improved by others.
inline constexpr int ENOUGH_TIMES = 3;

// What Frank-Wolfe needs to know about the current matrix P, besides A(P).
struct Iterate {
    double nodes;  // <G, P>; -inf if P mixes classes, and then the next step leaves P completely
    double edges;  // <P, A(P)>
};

// When Frank-Wolfe may end: squared norms of both graphs, a bound of the cost, and a cost of no use.
struct FrankWolfeGoal {
    double scale, bound, hopeless_cost;
};

// A pair of graphs without their faint edges, and the positions that nodes may take.
struct Pairing {
    const GraphView &x, &y;
    i64 width;         // positions: those of Y, then zero nodes
    double tolerance;  // gains closer than this are equal
};

// OUT support of the flat matrix (all entries 1 / width): a product of summed edge vectors.
inline Iterate flat_start(const Pairing &at, Matrix<double> gain, Matrix<double> support) {
    Iterate flat{0.0, 0.0};
    const auto width = static_cast<double>(at.width);
    const i64 q = at.x.edge_channels;
    for (i64 r = 0; r < at.x.order; r++) {
        for (i64 p = 0; p < at.y.order; p++) {
            double total = 0.0;
            for (i64 c = 0; c < q; c++) {
                double a = 0.0, b = 0.0;
                for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) a += at.x.edge(k)[c];
                for (i64 m = at.y.adj_ptr[p]; m < at.y.adj_ptr[p + 1]; m++) b += at.y.edge(m)[c];
                total += a * b;
            }
            support[r][p] = total / width;
            flat.nodes += gain[r][p] / width;
            flat.edges += support[r][p] / width;
        }
    }
    return flat;
}

// OUT pair.support of the assignment in pair.trial.
inline Iterate start_at_assignment(const Pairing &at, PairScratch &pair) {
    edge_support(at.x, at.y, pair.trial, pair.support);
    Iterate vertex{0.0, 0.0};
    for (i64 r = 0; r < at.x.order; r++) {
        const i64 p = pair.trial[r];
        if (p >= at.y.order) continue;
        vertex.nodes += pair.gain[r][p];
        vertex.edges += pair.support[r][p];
    }
    return vertex;
}

// The first start is the star assignment (in pair.trial), the second the flat matrix, the others are assignments
// by increasingly wide stars (INOUT pair.star).
inline Iterate set_start(const Pairing &at, i64 start, PairScratch &pair) {
    if (start == 1) return flat_start(at, pair.gain, pair.support);
    if (start > 1) {
        // One step further than the star is nearly the star again.
        for (int step = 0; step < (start == 2 ? 2 : 1); step++) {
            widen_similarity(at.x, at.y, pair.gain, pair.star, pair.support);
        }
        assign_gains(at.x, at.y.order, at.width, pair.star, pair);
    }
    return start_at_assignment(at, pair);
}

// Run Frank-Wolfe from a start (INOUT pair.support). Returns the gain of the best mapping found; OUT pair.candidate
// that mapping, pair.best_support its support.
inline double frank_wolfe(const Pairing &at, Iterate now, i64 max_iter, double least_slope, PairScratch &pair) {
    const i64 nx = at.x.order, ny = at.y.order;
    const double weight = at.x.pair_weight;
    double best_gain = -INF;
    for (i64 iteration = 0; iteration < max_iter; iteration++) {
        for (i64 r = 0; r < nx; r++) {
            double *row = pair.cost[r];
            for (i64 p = 0; p < ny; p++) row[p] = -(pair.gain[r][p] + weight * pair.support[r][p]);
            price_zero_nodes(at.x, r, ny, at.width, pair.group_of, 0.0, row);
        }
        assign(pair.cost, nx, at.width, pair.trial, pair.lap);
        edge_support(at.x, at.y, pair.trial, pair.trial_support);
        Iterate vertex{0.0, 0.0};
        double mixed = 0.0;
        for (i64 r = 0; r < nx; r++) {
            const i64 p = pair.trial[r];
            if (p >= ny) continue;
            vertex.nodes += pair.gain[r][p];
            vertex.edges += pair.trial_support[r][p];
            mixed += pair.support[r][p];
        }
        const double value = vertex.nodes + 0.5 * weight * vertex.edges;
        if (value > best_gain) {
            best_gain = value;
            for (i64 r = 0; r < nx; r++) {
                pair.candidate[r] = pair.trial[r];
                for (i64 p = 0; p < ny; p++) pair.best_support[r][p] = pair.trial_support[r][p];
            }
        }
        const double slope = vertex.nodes - now.nodes + weight * (mixed - now.edges);
        const double curvature = weight * (vertex.edges - 2.0 * mixed + now.edges);
        if (slope <= least_slope || pair.lap.stop.is_set()) break;
        double step = 1.0;
        if (slope + curvature >= 0.0) {
            now = vertex;
        } else {
            step = -slope / curvature;
            const double rest = 1.0 - step;
            now.nodes = rest * now.nodes + step * vertex.nodes;
            now.edges = rest * rest * now.edges + step * (2.0 * rest * mixed + step * vertex.edges);
        }
        for (i64 r = 0; r < nx; r++) {
            for (i64 p = 0; p < ny; p++) {
                pair.support[r][p] += step * (pair.trial_support[r][p] - pair.support[r][p]);
            }
        }
    }
    return best_gain;
}

// Number of starts, chosen by measurement: 3 up to 13 nodes, 6 from 16 on.
inline i64 default_starts(i64 order) { return least<i64>(most<i64>(3, order - 10), 6); }

inline Alignment alignment_of(const Pairing &at, PairScratch &pair, i64 *mapping) {
    return {
        .x = at.x,
        .y = at.y,
        .width = at.width,
        .group_of = pair.group_of,
        .gain = pair.gain,
        .mapping = mapping,
        .owner = pair.owner,
        .support = pair.best_support,
        .tolerance = at.tolerance,
        .stop = pair.lap.stop,
        .work = pair.exchange,
    };
}

// Improve the result of Frank-Wolfe, in pair.candidate; returns its new gain.
inline double polish(const Pairing &at, double gain, PairScratch &pair) {
    const Alignment alignment = alignment_of(at, pair, pair.candidate);
    gain += improve(alignment);
    if (at.x.order > SMALL) {
        const double unit = most(gain, 0.0) / static_cast<double>(at.x.order);
        gain += repair_edges(alignment, {pair.locked, pair.queue, pair.origin, unit});
    }
    return gain;
}

// Frank-Wolfe from several starts, the first of them in pair.trial, each followed by local search; OUT pair.best. Returns the
// gain. Starts leave out faint edges. A mapping that costs more than hopeless_cost is not improved by further starts: the
// caller has no use for it.
inline double search_from_starts(const GraphView &x, const GraphView &y, i64 width, const gq_frank_wolfe &options,
                                 const FrankWolfeGoal &goal, PairScratch &pair) {
    const double tolerance = ROUNDING * goal.scale;
    const double x_limit = faint_below(x), y_limit = faint_below(y);
    const GraphView a = without_edges_below(x, x_limit, pair.filtered_x);
    const GraphView b = without_edges_below(y, y_limit, pair.filtered_y);
    const bool is_filtered = x_limit > 0.0 || y_limit > 0.0;
    const Pairing filtered{a, b, width, tolerance};
    const i64 n_starts = options.n_starts > 0 ? options.n_starts : default_starts(x.order);
    double best_gain = -INF;
    int times = 0;
    for (i64 start = 0; start < n_starts; start++) {
        const Iterate begin = set_start(filtered, start, pair);
        double gain = polish(filtered, frank_wolfe(filtered, begin, options.max_iter, 1e-9 * goal.scale, pair), pair);
        if (is_filtered) gain = mapping_gain(x, y, pair.gain, pair.candidate);
        if (gain > best_gain + tolerance) {
            best_gain = gain;
            times = 1;
            for (i64 r = 0; r < x.order; r++) pair.best[r] = pair.candidate[r];
        } else if (gain >= best_gain - tolerance) {
            times++;
        }
        if (-best_gain <= goal.bound + tolerance || times == ENOUGH_TIMES || pair.lap.stop.is_set()) break;
        if (-best_gain > goal.hopeless_cost) break;
    }
    if (is_filtered && -best_gain > goal.bound + tolerance) {
        // With all edges it may not be a local optimum yet.
        edge_support(x, y, pair.best, pair.best_support);
        best_gain += improve(alignment_of({x, y, width, tolerance}, pair, pair.best));
    }
    return best_gain;
}

// The same on the positions that X may have a use for, if Y is much larger; and the star bound, of all positions.
inline Solution match_frank_wolfe(const GraphView &x, const GraphView &y, i64 width, const gq_frank_wolfe &options,
                                  double hopeless_cost, PairScratch &pair) {
    const double bound = star_assignment(x, y, width, pair);
    const FrankWolfeGoal goal{x.sq_norm + y.sq_norm, bound, hopeless_cost};
    const i64 n_kept = choose_positions(x, y, width, pair.group_of, pair.gain, pair.trial, pair.lean);
    if (n_kept == y.order) return {-search_from_starts(x, y, width, options, goal, pair), bound};
    keep_columns(x, n_kept, pair.lean, pair.star);
    const Lean lean = lean_on(x, y, width, n_kept, pair.gain, pair.trial, pair.lean);
    const double gain = search_from_starts(x, lean.y, lean.width, options, goal, pair);
    map_back(x, y, n_kept, pair.lean, pair.best);
    node_gains(x, y, pair.gain);
    return {-gain, bound};
}

}  // namespace gq
