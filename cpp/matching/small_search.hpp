// Costs and bounds of the search for small pairs, where preparing must not take longer than searching.
//
// As in dual.hpp, but each edge gives each of its ends half of the best it can get there, regardless of the other
// edges. The rest of its cost is never negative, and zero for most mappings worth trying. One assignment problem
// prices the nodes; from then on a level is bounded by the smallest cost of each undecided node alone: O(nx * labels)
// per search node instead of an assignment problem.
#pragma once

#include "matching/dual.hpp"

namespace gq {

// OUT table: the remaining costs of the edge in slot k, between r and s; INOUT dual.linear: its halves.
// WORK best_r, best_s (labels,).
inline void set_up_small_edge(const SearchPair &at, i64 k, i64 r, i64 s, Matrix<double> table, double *best_r, double *best_s,
                              DualScratch &dual) {
    const i64 labels = at.labels;
    for (i64 a = 0; a < labels; a++) {
        best_r[a] = best_s[a] = 0.0;
        for (i64 b = 0; b < labels; b++) table[a][b] = 0.0;
    }
    for (i64 p = 0; p < at.y.order; p++) {
        for (i64 m = at.y.adj_ptr[p]; m < at.y.adj_ptr[p + 1]; m++) {
            const i64 t = at.y.adj_idx[m];
            table[p][t] = -at.x.pair_weight * product(at.x.edge(k), at.y.edge(m), at.x.edge_channels);
            const double half = 0.5 * table[p][t];
            best_r[p] = least(best_r[p], half);
            best_s[t] = least(best_s[t], half);
        }
    }
    for (i64 a = 0; a < labels; a++) {
        dual.linear[r][a] += best_r[a];
        dual.linear[s][a] += best_s[a];
        for (i64 b = 0; b < labels; b++) table[a][b] -= best_r[a] + best_s[b];
    }
}

// OUT dual.linear, dual.pair, dual.edge_of.
inline void set_up_small(const SearchPair &at, const PairScratch &pair, DualScratch &dual) {
    const i64 first = at.x.first_slot();
    for (i64 r = 0; r < at.x.order; r++) set_node_costs(at, r, pair, dual);
    i64 n_edges = 0;
    for (i64 r = 0; r < at.x.order; r++) {
        for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
            const i64 s = at.x.adj_idx[k];
            if (s < r) {
                dual.edge_of[k - first] = edge_seen(at.x, r, s, dual);
                continue;
            }
            set_up_small_edge(at, k, r, s, dual.pair_table(n_edges), dual.star_cost[0], pair.lap.dist, dual);
            dual.edge_of[k - first] = n_edges++;
        }
    }
}

// Solve the assignment problem of dual.linear: its value; OUT pair.trial, and search.linear at level 0: the cost of a
// node on a label beyond the prices. The value and these are a lower bound.
inline double price_small(const SearchPair &at, PairScratch &pair, const DualScratch &dual, SearchScratch &search) {
    const i64 ny = at.y.order;
    set_assignment_costs(at, dual, pair);
    const double value = assign(pair.cost, at.x.order, at.width, pair.trial, pair.lap);
    const double zero_price = zero_label_price(at, pair.lap);
    const Matrix<double> linear = search.linear_at(0);
    for (i64 r = 0; r < at.x.order; r++) {
        for (i64 a = 0; a < at.labels; a++) {
            const double price = pair.lap.u[r] + (a < ny ? pair.lap.v[a] : zero_price);
            linear[r][a] = most(dual.linear[r][a] - price, 0.0);
        }
    }
    return value;
}

// Insert label a into the children of a level, after those that cost no more.
inline void add_child(i64 level, i64 a, SearchScratch &search) {
    i64 *children = search.children[level];
    const double *cost = search.child_cost[level];
    i64 at = search.n_children[level];
    for (; at > 0 && cost[children[at - 1]] > cost[a]; at--) children[at] = children[at - 1];
    children[at] = a;
    search.n_children[level]++;
}

// Bound the subproblem below the decisions so far and choose the node to decide next, and its children. Returns the
// bound.
inline double open_small(const SearchPair &at, i64 level, SearchScratch &search) {
    const i64 ny = at.y.order;
    const Matrix<double> costs = search.linear_at(level);
    double total = 0.0, most_regret = -1.0, chosen_least = 0.0;
    i64 chosen = 0;
    for (i64 r = 0; r < at.x.order; r++) {
        if (search.label[r] >= 0) continue;
        double lowest = INF, second = INF;
        for (i64 a = 0; a < at.labels; a++) {
            if (a < ny && !search.is_free[a]) continue;
            if (costs[r][a] < lowest) {
                second = lowest;
                lowest = costs[r][a];
            } else if (costs[r][a] < second) {
                second = costs[r][a];
            }
        }
        if (lowest == INF) return INF;
        total += lowest;
        if (second - lowest > most_regret) {
            most_regret = second - lowest;
            chosen = r;
            chosen_least = lowest;
        }
    }
    search.row_at[level] = chosen;
    search.n_children[level] = 0;
    for (i64 a = 0; a < at.labels; a++) {
        if ((a < ny && !search.is_free[a]) || costs[chosen][a] == INF) continue;
        search.child_cost[level][a] = costs[chosen][a] - chosen_least;
        add_child(level, a, search);
    }
    search.next_child[level] = 0;
    return search.fixed[level] + total;
}

// Put node r on label a: costs of the level below from those of this one.
inline void decide_small(const SearchPair &at, i64 level, i64 r, i64 a, const DualScratch &dual, SearchScratch &search) {
    const Matrix<double> above = search.linear_at(level), below = search.linear_at(level + 1);
    search.fixed[level + 1] = search.fixed[level] + above[r][a];
    for (i64 s = 0; s < at.x.order; s++) {
        if (search.label[s] >= 0) continue;
        for (i64 b = 0; b < at.labels; b++) below[s][b] = above[s][b];
    }
    for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
        const i64 s = at.x.adj_idx[k];
        if (search.label[s] >= 0) continue;
        double *row = below[s];
        with_edge_costs(dual.pair_table(dual.edge_of[k - at.x.first_slot()]), r, s, a, [&](auto cost) {
            for (i64 b = 0; b < at.labels; b++) row[b] += cost(b);
        });
    }
}

}  // namespace gq
