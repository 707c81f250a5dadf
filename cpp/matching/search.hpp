// Depth-first branch and bound on the reparametrised problem.
//
// Each level decides one node of X. Its costs go into the node costs of the undecided ones, and an assignment problem of
// these bounds what the subtree can reach. The order of nodes and labels depends on the pair alone, never on the
// incumbent: a better start prunes more, but among equally good mappings the search finds the same first one. Small
// pairs have separate costs and bounds (small_search.hpp). A search node costs O(nx * ny + nx^2 * width).
#pragma once

#include "matching/small_search.hpp"

namespace gq {

// Search nodes between two checks of the stop flag and the clock.
inline constexpr i64 NODES_BETWEEN_LOOKS = 256;

// OUT search.columns: the free positions. Returns their number.
inline i64 find_free_columns(i64 width, SearchScratch &search) {
    i64 n_columns = 0;
    for (i64 p = 0; p < width; p++) {
        if (search.is_free[p]) search.columns[n_columns++] = p;
    }
    return n_columns;
}

// OUT pair.cost: costs of the undecided nodes (OUT search.rows) on the free positions. Returns the number of nodes.
inline i64 set_undecided_costs(const SearchPair &at, i64 n_columns, i64 level, PairScratch &pair, SearchScratch &search) {
    const i64 ny = at.y.order;
    const Matrix<double> linear = search.linear_at(level);
    i64 n_rows = 0;
    for (i64 r = 0; r < at.x.order; r++) {
        if (search.label[r] >= 0) continue;
        double *row = pair.cost[n_rows];
        for (i64 k = 0; k < n_columns; k++) {
            const i64 p = search.columns[k];
            if (p < ny) {
                row[k] = linear[r][p];
            } else {
                row[k] = pair.group_of[p] == at.x.group[r] ? linear[r][ny] : INF;
            }
        }
        search.rows[n_rows++] = r;
    }
    return n_rows;
}

// The row whose second-best label is most expensive: its wrong labels are pruned at once.
inline i64 row_of_most_regret(i64 ny, i64 n_rows, i64 n_columns, const PairScratch &pair, const SearchScratch &search) {
    double most_regret = -1.0;
    i64 chosen = 0;
    for (i64 row = 0; row < n_rows; row++) {
        const double *cost = pair.cost[row];
        double lowest = INF, second = INF;
        bool has_seen_zero = false;
        for (i64 k = 0; k < n_columns; k++) {
            if (search.columns[k] >= ny) {
                // All free zero nodes are one label.
                if (has_seen_zero) continue;
                has_seen_zero = cost[k] < INF;
            }
            const double reduced = cost[k] - pair.lap.u[row] - pair.lap.v[k];
            if (reduced < lowest) {
                second = lowest;
                lowest = reduced;
            } else if (reduced < second) {
                second = reduced;
            }
        }
        if (second > most_regret) {
            most_regret = second;
            chosen = row;
        }
    }
    return chosen;
}

// Whether exchanging twins gives an equally good mapping that comes earlier.
//
// Of all mappings that differ only by twins, the one with the smallest sequence of labels, in order of decision, is
// searched: twin nodes of X get ascending labels, twin nodes of Y are used in order.
inline bool is_twin_of_earlier(i64 r, i64 a, i64 ny, i64 level, const SearchScratch &search) {
    for (i64 depth = 0; depth < level; depth++) {
        const i64 s = search.row_at[depth];
        if (search.row_twin[s] == search.row_twin[r] && search.label[s] > a) return true;
    }
    if (a < ny) {
        for (i64 p = 0; p < a; p++) {
            if (search.is_free[p] && search.column_twin[p] == search.column_twin[a]) return true;
        }
    }
    return false;
}

// Bound the subproblem below the decisions so far and choose the node to decide next, and its children. Returns the
// bound.
inline double open_level(const SearchPair &at, i64 level, PairScratch &pair, SearchScratch &search) {
    const i64 ny = at.y.order, labels = at.labels;
    const i64 n_columns = find_free_columns(at.width, search);
    const i64 n_rows = set_undecided_costs(at, n_columns, level, pair, search);
    const double value = assign(pair.cost, n_rows, n_columns, pair.trial, pair.lap);
    if (value == INF) return INF;
    const i64 chosen = row_of_most_regret(ny, n_rows, n_columns, pair, search);
    const i64 r = search.rows[chosen];
    double *child_cost = search.child_cost[level];
    search.row_at[level] = r;
    for (i64 a = 0; a < labels; a++) child_cost[a] = INF;
    for (i64 k = 0; k < n_columns; k++) {
        const i64 a = least(search.columns[k], ny);
        const double reduced = pair.cost[chosen][k] - pair.lap.u[chosen] - pair.lap.v[k];
        child_cost[a] = least(child_cost[a], most(reduced, 0.0));
    }
    search.n_children[level] = 0;
    for (i64 a = 0; a < labels; a++) {
        if (child_cost[a] < INF && !is_twin_of_earlier(r, a, ny, level, search)) add_child(level, a, search);
    }
    search.next_child[level] = 0;
    return search.fixed[level] + value;
}

// Put node r on label a: costs of the level below from those of this one.
inline void decide(const SearchPair &at, i64 level, i64 r, i64 a, const DualScratch &dual, SearchScratch &search) {
    const i64 ny = at.y.order, labels = at.labels;
    const Matrix<double> above = search.linear_at(level), below = search.linear_at(level + 1);
    double fixed = search.fixed[level] + above[r][a];
    const Matrix<double> unused_by_r = dual.unused_by(r);
    for (i64 p = 0; p < ny; p++) {
        if (search.is_free[p]) fixed += unused_by_r[p][a];
    }
    search.fixed[level + 1] = fixed;
    for (i64 s = 0; s < at.x.order; s++) {
        if (search.label[s] >= 0) continue;
        for (i64 b = 0; b < labels; b++) below[s][b] = above[s][b];
        if (a == ny) continue;
        // Unless s is a neighbour of r (below), r now keeps a from the neighbours of s.
        const double *unused = dual.unused_by(s)[a];
        for (i64 b = 0; b < labels; b++) below[s][b] += unused[b];
    }
    for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
        const i64 s = at.x.adj_idx[k];
        if (search.label[s] >= 0) continue;
        double *row = below[s];
        with_edge_costs(dual.pair_table(dual.edge_of[k - at.x.first_slot()]), r, s, a, [&](auto cost) {
            for (i64 b = 0; b < labels; b++) row[b] += cost(b);
        });
        for (i64 b = 0; b < ny; b++) row[b] -= unused_by_r[b][a];
        if (a == ny) continue;
        const double *unused = dual.unused_by(s)[a];
        for (i64 b = 0; b < labels; b++) row[b] -= unused[b];
    }
}

// Whether twins of each side count as one: exchanging them must not matter for the search.
struct Twins {
    bool rows, columns;
};

// Prepare a search for mappings cheaper than best_cost (or second_cost), on the result of an ascent.
inline void start_search(const SearchPair &at, double best_cost, double second_cost, Twins breaks, PairScratch &pair,
                         const DualScratch &dual, SearchScratch &search) {
    const Matrix<double> linear = search.linear_at(0);
    for (i64 r = 0; r < at.x.order; r++) {
        search.label[r] = -1;
        search.row_twin[r] = r;
        for (i64 a = 0; a < at.labels; a++) linear[r][a] = dual.linear[r][a];
    }
    for (i64 p = 0; p < at.y.order; p++) search.column_twin[p] = p;
    for (i64 p = 0; p < at.width; p++) search.is_free[p] = true;
    if (breaks.rows) find_twins(at.x, search.row_twin);
    if (breaks.columns) find_twins(at.y, search.column_twin);
    search.fixed[0] = 0.0;
    search.best_cost = best_cost;
    search.second_cost = second_cost;
    search.level = 0;
    search.n_nodes = 0;
    search.bound[0] = open_level(at, 0, pair, search);
    if (search.bound[0] == INF) search.level = -1;
}

// Prepare a search of a small pair; the caller sets best_cost and second_cost. OUT pair.trial: a first mapping. Returns
// a lower bound of the cost of all mappings.
inline double start_small_search(const SearchPair &at, PairScratch &pair, DualScratch &dual, SearchScratch &search) {
    set_up_small(at, pair, dual);
    const double value = price_small(at, pair, dual, search);
    for (i64 r = 0; r < at.x.order; r++) search.label[r] = -1;
    for (i64 p = 0; p < at.width; p++) search.is_free[p] = true;
    search.fixed[0] = value;
    search.level = 0;
    search.n_nodes = 0;
    search.bound[0] = open_small(at, 0, INF, search);
    return value;
}

// The first free zero node for node r; width if there is none.
inline i64 free_zero_node(const SearchPair &at, i64 r, const PairScratch &pair, const SearchScratch &search) {
    i64 column = at.y.order;
    while (column < at.width && (!search.is_free[column] || pair.group_of[column] != at.x.group[r])) column++;
    return column;
}

enum class Outcome { COMPLETE, STOPPED, LEAF };

struct SearchLimits {
    double max_nodes;  // search nodes of this pair; INF: none
    Deadline deadline;
    bool is_small;  // costs and bounds of small_search.hpp
};

// Continue a search to the next leaf, to its end, or until it has reached a limit. Only nodes cheaper than `limit`
// (by the tolerance) are visited. At a LEAF the mapping is in search.column.
inline Outcome run_search(const SearchPair &at, double limit, const SearchLimits &limits, PairScratch &pair,
                          const DualScratch &dual, SearchScratch &search) {
    const i64 ny = at.y.order;
    limit -= at.step;
    i64 level = search.level;
    while (level >= 0) {
        const i64 r = search.row_at[level];
        if (search.label[r] >= 0) {
            search.is_free[search.column[r]] = true;
            search.label[r] = -1;
        }
        const i64 next = search.next_child[level];
        if (next == search.n_children[level]) {
            level--;
            continue;
        }
        const i64 a = search.children[level][next];
        const double reached = search.bound[level] + search.child_cost[level][a];
        if (reached >= limit) {
            level--;
            continue;
        }
        search.level = level;
        if (static_cast<double>(search.n_nodes) >= limits.max_nodes || limits.deadline.has_come()) return Outcome::STOPPED;
        if (search.n_nodes % NODES_BETWEEN_LOOKS == 0 && pair.lap.stop.is_set()) return Outcome::STOPPED;
        search.next_child[level] = next + 1;
        search.n_nodes++;
        i64 column = a;
        if (a == ny) {
            column = free_zero_node(at, r, pair, search);
            // Only a small search tries a zero node that does not exist.
            if (column == at.width) continue;
        }
        if (limits.is_small) {
            decide_small(at, level, r, a, dual, search);
        } else {
            decide(at, level, r, a, dual, search);
        }
        search.label[r] = a;
        search.column[r] = column;
        search.is_free[column] = false;
        if (level == at.x.order - 1) return Outcome::LEAF;
        const double below =
            limits.is_small ? open_small(at, level + 1, limit, search) : open_level(at, level + 1, pair, search);
        const double bound = most(reached, below);
        search.bound[level + 1] = bound;
        if (bound < limit) level++;
    }
    search.level = -1;
    return Outcome::COMPLETE;
}

// Evaluate the mapping of a leaf by its own cost; INOUT pair.best, search.best_cost and search.second_cost. Returns the
// cost, inf if the mapping became the best.
inline double keep_if_better(const SearchPair &at, PairScratch &pair, SearchScratch &search) {
    const double cost = -mapping_gain(at.x, at.y, pair.gain, search.column);
    if (cost >= search.best_cost - at.tolerance) return cost;
    search.second_cost = search.best_cost;
    search.best_cost = cost;
    for (i64 r = 0; r < at.x.order; r++) pair.best[r] = search.column[r];
    return INF;
}

// The smallest bound of the nodes that a stopped search has not visited; inf if it is complete.
inline double frontier(const SearchScratch &search) {
    double lowest = INF;
    for (i64 level = 0; level <= search.level; level++) {
        if (search.next_child[level] == search.n_children[level]) continue;
        const i64 a = search.children[level][search.next_child[level]];
        lowest = least(lowest, search.bound[level] + search.child_cost[level][a]);
    }
    return lowest;
}

}  // namespace gq
