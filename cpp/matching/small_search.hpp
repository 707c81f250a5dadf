// Costs and bounds of the search for small pairs, where preparing must not take longer than searching.
//
// As in dual.hpp, but each edge gives each of its ends half of the best it can get there, regardless of the other
// edges. The rest of its cost is never negative, and zero for most mappings worth trying. One assignment problem
// prices the nodes; from then on a level is bounded by the smallest cost of each undecided node alone: O(nx * labels)
// per search node instead of an assignment problem. Labels that are taken cost inf, and rows are filled up with inf to
// whole blocks of lanes, so that the innermost loops have no conditions.
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
        for (i64 a = at.labels; a < whole_blocks(at.labels); a++) linear[r][a] = INF;
    }
    return value;
}

struct TwoLowest {
    double first, second;  // equal if two costs are
};

// The two lowest of costs, whose number is a multiple of LANES.
inline TwoLowest two_lowest(const double *costs, i64 n) {
    double first[LANES], second[LANES];
    for (i64 lane = 0; lane < LANES; lane++) first[lane] = second[lane] = INF;
    for (i64 at = 0; at < n; at += LANES) {
        for (i64 lane = 0; lane < LANES; lane++) {
            const double cost = costs[at + lane], higher = most(first[lane], cost);
            first[lane] = least(first[lane], cost);
            second[lane] = least(second[lane], higher);
        }
    }
    for (i64 half = LANES / 2; half > 0; half /= 2) {
        for (i64 lane = 0; lane < half; lane++) {
            const double higher = most(first[lane], first[lane + half]);
            first[lane] = least(first[lane], first[lane + half]);
            second[lane] = least(least(second[lane], second[lane + half]), higher);
        }
    }
    return {first[0], second[0]};
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
// bound, or what is known of it once that reaches the limit: then nothing is chosen.
inline double open_small(const SearchPair &at, i64 level, double limit, SearchScratch &search) {
    const Matrix<double> costs = search.linear_at(level);
    const i64 width = whole_blocks(at.labels);
    const double fixed = search.fixed[level];
    double total = 0.0, most_regret = -1.0, chosen_least = 0.0;
    i64 chosen = 0;
    for (i64 r = 0; r < at.x.order; r++) {
        if (search.label[r] >= 0) continue;
        const TwoLowest found = two_lowest(costs[r], width);
        if (found.first == INF) return INF;
        total += found.first;
        if (fixed + total >= limit) return fixed + total;
        if (found.second - found.first > most_regret) {
            most_regret = found.second - found.first;
            chosen = r;
            chosen_least = found.first;
        }
    }
    search.row_at[level] = chosen;
    search.n_children[level] = 0;
    for (i64 a = 0; a < at.labels; a++) {
        if (costs[chosen][a] == INF) continue;
        search.child_cost[level][a] = costs[chosen][a] - chosen_least;
        add_child(level, a, search);
    }
    search.next_child[level] = 0;
    return fixed + total;
}

// Put node r on label a: costs of the level below from those of this one.
inline void decide_small(const SearchPair &at, i64 level, i64 r, i64 a, const DualScratch &dual, SearchScratch &search) {
    const Matrix<double> above = search.linear_at(level), below = search.linear_at(level + 1);
    const i64 width = whole_blocks(at.labels);
    search.fixed[level + 1] = search.fixed[level] + above[r][a];
    for (i64 s = 0; s < at.x.order; s++) {
        if (search.label[s] >= 0) continue;
        for (i64 b = 0; b < width; b++) below[s][b] = above[s][b];
        // A zero node takes any number of nodes.
        if (a < at.y.order) below[s][a] = INF;
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
