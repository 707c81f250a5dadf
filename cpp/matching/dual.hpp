// Dual ascent: the strongest bound, and a problem that is easy to search.
//
// The cost of a mapping is a sum over nodes (`linear`) and over edges of X (`pair`). The sum can be written in many
// ways; dual ascent shifts cost between the terms, the value of every mapping unchanged, until the node terms alone,
// one assignment problem, give a high lower bound. It alternates
//
// 1. spread: what a node pays beyond the assignment's dual prices goes to its edges;
// 2. collect: for each node r and label a, the edges at r form a star; the cheapest assignment of the neighbours,
//    given r on a, is moved from the edges into linear[r][a];
// 3. the assignment problem of `linear`: the bound.
//
// The first collection, edges halved between their ends, is the star bound of Gilmore and Lawler with vector
// assignments; the iteration follows Hahn and Grant (1998), restricted to the edges of X. A star's assignment has
// prices v <= 0 for its columns too: -v[b] is kept in unused[r][b][a], the cost of r on a while no neighbour of r is on
// b, so that no value is lost. A label is a node of Y, or one more for all zero nodes.
//
// An iteration costs, for each node and label, an assignment problem of the node's degree: O(nx * ny * degree^2 * ny).
#pragma once

#include "graphs/gains.hpp"
#include "matching/scratch.hpp"

namespace gq {

// What is known and asked of a pair beside its graphs, see gq_match_request.
struct Goal {
    double granularity = 0.0, threshold_sq = INF;

    // The cost that the threshold stands for, given |X|^2 + |Y|^2.
    double enough(double scale) const { return threshold_sq < INF ? 0.5 * (threshold_sq - scale) : INF; }
};

// By this share of the granularity bounds may miss an attainable value and still be rounded up to it, not past it.
inline constexpr double GRID_SLACK = 1e-6;

// A pair to be searched: rows are the nodes of X.
struct SearchPair {
    const GraphView &x, &y;
    i64 width;         // positions: those of Y, then zero nodes
    i64 labels;        // ny, or ny + 1 if there are zero nodes to map to
    double tolerance;  // costs closer than this are equal
    double step;       // what a mapping is cheaper by, at least, than one that is more expensive
    double grid;       // all costs are multiples of it; 0: of nothing
    double enough;     // a cost at most this, or a bound at least this, is all that is asked for; INF: there is none

    SearchPair(const GraphView &rows, const GraphView &columns, i64 n_positions, const Goal &goal = {})
        : x(rows),
          y(columns),
          width(n_positions),
          labels(n_positions > columns.order ? columns.order + 1 : columns.order),
          tolerance(ROUNDING * (rows.sq_norm + columns.sq_norm)),
          step(tolerance),
          grid(0.0),
          enough(goal.enough(rows.sq_norm + columns.sq_norm)) {
        // Rounding errors stay far below the slack, and that below the grid.
        const double slack = most(GRID_SLACK * goal.granularity, 10.0 * tolerance);
        if (0.5 * goal.granularity > 10.0 * slack) {
            grid = 0.5 * goal.granularity;
            step = grid - slack;
        }
    }

    bool has_zero_label() const { return labels > y.order; }
    // Whether nothing is left to find out, given a cost and a bound of all costs.
    bool is_settled(double cost, double bound) const {
        return bound >= cost - step || (enough < INF && (cost <= enough || bound >= enough));
    }
    // The least attainable cost that a bound allows.
    double rounded_up(double bound) const {
        return grid > 0.0 && bound > -INF && bound < INF ? grid * std::ceil((bound - (grid - step)) / grid) : bound;
    }
    Solution rounded(const Solution &found) const { return {found.cost, rounded_up(found.bound)}; }
};

// Call work(cost), where cost(b) is what the edge between r (on a) and s (on b) costs. Its table has the smaller node
// first: work is compiled for rows, whose numbers stand side by side, and for columns.
template <class Work>
inline void with_edge_costs(Matrix<double> table, i64 r, i64 s, i64 a, Work work) {
    if (r < s) {
        double *row = table[a];
        work([row](i64 b) -> double & { return row[b]; });
    } else {
        work([table, a](i64 b) -> double & { return table[b][a]; });
    }
}

// The number of the edge of r and s, which it got with s, the first of its nodes.
inline i64 edge_seen(const GraphView &x, i64 r, i64 s, const DualScratch &dual) {
    i64 k = x.adj_ptr[s];
    while (x.adj_idx[k] != r) k++;
    return dual.edge_of[k - x.first_slot()];
}

// OUT dual.linear[r]: node costs.
inline void set_node_costs(const SearchPair &at, i64 r, const PairScratch &pair, DualScratch &dual) {
    const i64 ny = at.y.order;
    for (i64 p = 0; p < ny; p++) dual.linear[r][p] = -pair.gain[r][p];
    if (!at.has_zero_label()) return;
    dual.linear[r][ny] = INF;
    for (i64 p = ny; p < at.width; p++) {
        if (pair.group_of[p] == at.x.group[r]) dual.linear[r][ny] = 0.0;
    }
}

// OUT the original problem.
inline void set_up_dual(const SearchPair &at, const PairScratch &pair, DualScratch &dual) {
    const i64 ny = at.y.order, labels = at.labels, first = at.x.first_slot();
    i64 n_edges = 0;
    for (i64 r = 0; r < at.x.order; r++) {
        set_node_costs(at, r, pair, dual);
        for (i64 b = 0; b < ny; b++) {
            double *unused = dual.unused_by(r)[b];
            for (i64 a = 0; a < labels; a++) unused[a] = 0.0;
        }
        for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
            const i64 s = at.x.adj_idx[k];
            if (s < r) {
                dual.edge_of[k - first] = edge_seen(at.x, r, s, dual);
                continue;
            }
            const Matrix<double> table = dual.pair_table(n_edges);
            dual.edge_of[k - first] = n_edges++;
            for (i64 a = 0; a < labels; a++) {
                for (i64 b = 0; b < labels; b++) table[a][b] = 0.0;
                if (a < ny) table[a][a] = INF;
            }
            for (i64 p = 0; p < ny; p++) {
                for (i64 m = at.y.adj_ptr[p]; m < at.y.adj_ptr[p + 1]; m++) {
                    table[p][at.y.adj_idx[m]] = -at.x.pair_weight * product(at.x.edge(k), at.y.edge(m), at.x.edge_channels);
                }
            }
        }
    }
}

// The first column of the least cost of a row; -1 if all are inf.
inline i64 first_at(const double *costs, i64 n, double lowest) {
    i64 at = 0;
    while (at < n && costs[at] != lowest) at++;
    return lowest < INF ? at : -1;
}

// The least cost of a row but for one column.
inline double least_but(double *costs, i64 n, i64 column) {
    const double cost = costs[column];
    costs[column] = INF;
    const double second = least_of(costs, n);
    costs[column] = cost;
    return second;
}

// Assign two rows, with dual prices: the most common star, worth a shortcut. Returns whether there is an assignment.
inline bool assign_two(Matrix<double> costs, i64 labels, Lap &lap) {
    i64 at[2];
    for (int row = 0; row < 2; row++) {
        lap.u[row] = least_of(costs[row], labels);
        at[row] = first_at(costs[row], labels, lap.u[row]);
    }
    for (i64 b = 0; b < labels; b++) lap.v[b] = 0.0;
    if (at[0] < 0 || at[1] < 0) return false;
    if (at[0] == at[1]) {
        // Both want the same column: its price is the extra cost of the cheaper second choice.
        const double price =
            least(least_but(costs[0], labels, at[0]) - lap.u[0], least_but(costs[1], labels, at[1]) - lap.u[1]);
        if (price == INF) return false;
        lap.v[at[0]] = -price;
        lap.u[0] += price;
        lap.u[1] += price;
    }
    return true;
}

// Each row separately: one neighbour, or more of them than labels (some on zero nodes).
inline bool assign_apart(Matrix<double> costs, i64 n_rows, i64 ny, i64 labels, Lap &lap) {
    bool is_possible = true;
    for (i64 b = 0; b < ny; b++) lap.v[b] = 0.0;
    for (i64 k = 0; k < n_rows; k++) {
        lap.u[k] = least_of(costs[k], labels);
        is_possible = is_possible && lap.u[k] < INF;
    }
    return is_possible;
}

// OUT dual.star_cost, dual.base: the assignment problem of the star at node r on label a. Returns the sum of bases.
inline double set_star_costs(const SearchPair &at, i64 r, i64 a, DualScratch &dual) {
    const i64 ny = at.y.order, first = at.x.first_slot(), begin = at.x.adj_ptr[r];
    const bool has_zero_label = at.has_zero_label();
    double total = 0.0;
    for (i64 k = 0; k < at.x.degree(r); k++) {
        const i64 s = at.x.adj_idx[begin + k];
        // An edge whose other star is still to come is shared with it.
        const double share = dual.is_done[s] ? 1.0 : 0.5;
        const double *linear = dual.linear[s];
        const bool may_be_zero = has_zero_label && linear[ny] < INF;
        // A zero node accepts any number of neighbours: every column offers its price.
        const double most_of_all = may_be_zero ? 0.0 : INF;
        double *row = dual.star_cost[k];
        with_edge_costs(dual.pair_table(dual.edge_of[begin + k - first]), r, s, a, [&](auto cost) {
            const double base = may_be_zero ? share * cost(ny) : 0.0;
            for (i64 b = 0; b < ny; b++) {
                const double value = share * cost(b) - base;
                row[b] = least(linear[b] == INF ? INF : value, most_of_all);
            }
            dual.base[k] = base;
        });
        total += dual.base[k];
        if (has_zero_label) row[ny] = most_of_all;
    }
    return total;
}

// Move the value of each star at node r from its edges into linear[r].
inline void collect(const SearchPair &at, i64 r, DualScratch &dual, i64 *trial, Lap &lap) {
    const i64 ny = at.y.order, labels = at.labels, first = at.x.first_slot(), begin = at.x.adj_ptr[r];
    const i64 degree = at.x.degree(r);
    for (i64 a = 0; a < labels; a++) {
        if (dual.linear[r][a] == INF) continue;
        double total = set_star_costs(at, r, a, dual);
        bool is_possible = false;
        if (degree == 1 || degree > labels) {
            is_possible = assign_apart(dual.star_cost, degree, ny, labels, lap);
        } else if (degree == 2) {
            is_possible = assign_two(dual.star_cost, labels, lap);
        } else {
            is_possible = assign(dual.star_cost, degree, labels, trial, lap) < INF;
        }
        if (!is_possible) {
            dual.linear[r][a] = INF;
            continue;
        }
        for (i64 k = 0; k < degree; k++) total += lap.u[k];
        const Matrix<double> unused = dual.unused_by(r);
        for (i64 b = 0; b < ny; b++) {
            // Few columns have a price: the others would add nothing, one after the other.
            if (lap.v[b] == 0.0) continue;
            total += lap.v[b];
            unused[b][a] -= lap.v[b];
        }
        dual.linear[r][a] += total;
        for (i64 k = 0; k < degree; k++) {
            const i64 s = at.x.adj_idx[begin + k];
            const double price = dual.base[k] + lap.u[k], *v = lap.v;
            with_edge_costs(dual.pair_table(dual.edge_of[begin + k - first]), r, s, a, [&](auto cost) {
                for (i64 b = 0; b < ny; b++) cost(b) -= price + v[b];
                if (at.has_zero_label()) cost(ny) -= price;
            });
        }
    }
}

// The price of the label "zero node" is that of its cheapest position.
inline double zero_label_price(const SearchPair &at, const Lap &lap) {
    double price = -INF;
    for (i64 p = at.y.order; p < at.width; p++) price = most(price, lap.v[p]);
    return price;
}

// Move what each node pays beyond the dual prices to its edges, in equal shares.
inline void spread(const SearchPair &at, DualScratch &dual, const Lap &lap) {
    const i64 ny = at.y.order, first = at.x.first_slot();
    const double zero_price = zero_label_price(at, lap);
    for (i64 r = 0; r < at.x.order; r++) {
        if (at.x.degree(r) == 0) continue;
        for (i64 a = 0; a < at.labels; a++) {
            if (dual.linear[r][a] == INF) continue;
            const double price = lap.u[r] + (a < ny ? lap.v[a] : zero_price);
            const double share = (dual.linear[r][a] - price) / static_cast<double>(at.x.degree(r));
            if (share == 0.0) continue;
            dual.linear[r][a] = price;
            for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
                const i64 s = at.x.adj_idx[k];
                with_edge_costs(dual.pair_table(dual.edge_of[k - first]), r, s, a, [&](auto cost) {
                    for (i64 b = 0; b < at.labels; b++) cost(b) += share;
                });
            }
        }
    }
}

// OUT pair.cost: the assignment problem of the node costs.
inline void set_assignment_costs(const SearchPair &at, const DualScratch &dual, PairScratch &pair) {
    const i64 ny = at.y.order;
    for (i64 r = 0; r < at.x.order; r++) {
        for (i64 p = 0; p < ny; p++) pair.cost[r][p] = dual.linear[r][p];
        for (i64 p = ny; p < at.width; p++) {
            pair.cost[r][p] = pair.group_of[p] == at.x.group[r] ? dual.linear[r][ny] : INF;
        }
    }
}

struct AscentLimits {
    i64 max_iter;
    double patience;  // stop when an iteration closes less than this share of the gap
    Deadline deadline;
};

// Raise the bound by dual ascent from a prepared problem. `cost` is that of pair.best, which is improved if an
// assignment is better: the assignment behind each bound is itself a mapping, often the best one.
inline Solution ascend(const SearchPair &at, const AscentLimits &limits, double cost, PairScratch &pair, DualScratch &dual) {
    const i64 nx = at.x.order;
    double bound = -INF;
    for (i64 iteration = 0; iteration < limits.max_iter; iteration++) {
        for (i64 r = 0; r < nx; r++) dual.is_done[r] = false;
        for (i64 step = 0; step < nx; step++) {
            const i64 r = iteration % 2 == 0 ? step : nx - 1 - step;
            if (at.x.degree(r) > 0) collect(at, r, dual, pair.trial, pair.lap);
            dual.is_done[r] = true;
        }
        set_assignment_costs(at, dual, pair);
        const double value = assign(pair.cost, nx, at.width, pair.trial, pair.lap);
        if (pair.lap.stop.is_set()) break;
        const double gained = value - bound;
        bound = most(bound, value);
        const double found = -mapping_gain(at.x, at.y, pair.gain, pair.trial);
        if (found < cost - at.tolerance) {
            cost = found;
            for (i64 r = 0; r < nx; r++) pair.best[r] = pair.trial[r];
        }
        if (at.is_settled(cost, bound) || (iteration > 0 && gained < limits.patience * (cost - bound))) break;
        if (limits.deadline.has_come()) break;
        if (iteration < limits.max_iter - 1) spread(at, dual, pair.lap);
    }
    return {cost, bound};
}

}  // namespace gq
