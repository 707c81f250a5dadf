// The assignment problem of the sparse dual: its bound, its prices, and the labels that it excludes.
#pragma once

#include "matching/sparse_dual.hpp"

namespace gq {

// Solve the assignment problem of the open nodes; returns the bound. OUT sparse.rows, sparse.columns, sparse.column_of
// (an index into columns); dual variables in pair.lap.
inline double assign_open(const SearchPair &at, PairScratch &pair, SparseScratch &sparse, const SparseState &state) {
    const i64 ny = at.y.order;
    i64 n_rows = 0, n_columns = 0;
    for (i64 p = 0; p < at.width; p++) {
        if (state.is_taken[p]) continue;
        sparse.index_of[p] = n_columns;
        sparse.columns[n_columns++] = p;
    }
    for (i64 r = 0; r < at.x.order; r++) {
        if (state.position[r] >= 0) continue;
        double *row = pair.cost[n_rows];
        for (i64 c = 0; c < n_columns; c++) row[c] = INF;
        for (i64 a = 0; a < state.n_allowed[r]; a++) {
            const i64 p = state.allowed[r][a];
            if (p < ny) {
                row[sparse.index_of[p]] = state.cost[r][p];
                continue;
            }
            for (i64 z = ny; z < at.width; z++) {
                if (!state.is_taken[z] && pair.group_of[z] == at.x.group[r]) row[sparse.index_of[z]] = state.cost[r][ny];
            }
        }
        sparse.rows[n_rows++] = r;
    }
    sparse.n_rows = n_rows;
    sparse.n_columns = n_columns;
    if (n_rows > n_columns) return INF;
    return state.fixed + assign(pair.cost, n_rows, n_columns, sparse.column_of, pair.lap);
}

// OUT mapping: the assignment as a mapping of all nodes.
inline void read_mapping(const SearchPair &at, const SparseScratch &sparse, const SparseState &state, i64 *mapping) {
    for (i64 r = 0; r < at.x.order; r++) mapping[r] = state.position[r];
    for (i64 row = 0; row < sparse.n_rows; row++) mapping[sparse.rows[row]] = sparse.columns[sparse.column_of[row]];
}

// OUT sparse.way: the least slack of a chain of moves from the column of one row to that of another, where the last
// stands for the columns that are free. Slack from `cap` on is all the same.
inline void find_ways(double cap, const PairScratch &pair, SparseScratch &sparse) {
    const i64 n = sparse.n_rows;
    const Lap &lap = pair.lap;
    const Matrix<double> way = sparse.way;
    for (i64 i = 0; i < n; i++) {
        double *from = way[i];
        double to_free = cap;
        for (i64 c = 0; c < sparse.n_columns; c++) {
            const double slack = most(pair.cost[i][c] - lap.u[i] - lap.v[c], 0.0);
            const i64 j = lap.col_to_row[c];
            if (j < 0) {
                to_free = least(to_free, slack);
            } else {
                from[j] = least(slack, cap);
            }
        }
        from[i] = 0.0;
        from[n] = to_free;
    }
    const bool has_free = sparse.n_columns > n;
    for (i64 i = 0; i < n; i++) way[n][i] = has_free ? least(cap, -lap.v[sparse.column_of[i]]) : cap;
    way[n][n] = 0.0;
    for (i64 k = 0; k <= n; k++) {
        const double *through = way[k];
        for (i64 i = 0; i <= n; i++) {
            const double first = way[i][k];
            if (first >= cap || i == k) continue;
            double *row = way[i];
            for (i64 j = 0; j <= n; j++) {
                const double value = first + through[j];
                row[j] = value < row[j] ? value : row[j];
            }
        }
    }
}

// Move the prices of the assignment (in pair.lap) into the middle of all optimal ones; OUT sparse.potential: by how much.
inline void centre_prices(PairScratch &pair, SparseScratch &sparse) {
    const i64 n = sparse.n_rows;
    Lap &lap = pair.lap;
    const bool has_free = sparse.n_columns > n;
    const i64 n_nodes = has_free ? n + 1 : n;
    for (i64 i = 0; i <= n; i++) sparse.potential[i] = 0.0;
    for (i64 i = 0; i < n_nodes; i++) {
        const double *from = sparse.way[i];
        double out = 0.0;
        for (i64 j = 0; j < n_nodes; j++) {
            sparse.potential[j] += from[j];
            out += from[j];
        }
        sparse.potential[i] -= out;
    }
    const double scale = 0.5 / static_cast<double>(n_nodes);
    for (i64 i = 0; i <= n; i++) sparse.potential[i] *= scale;
    for (i64 i = 0; i < n; i++) {
        const double more = sparse.potential[i] - sparse.potential[n];
        lap.v[sparse.column_of[i]] += more;
        lap.u[i] -= more;
    }
}

// OUT state.price: of each label, as the assignment has it.
inline void keep_prices(const SearchPair &at, const PairScratch &pair, const SparseScratch &sparse, SparseState &state) {
    double zero_price = -INF;
    for (i64 c = 0; c < sparse.n_columns; c++) {
        const i64 p = sparse.columns[c];
        if (p < at.y.order) {
            state.price[p] = pair.lap.v[c];
        } else {
            zero_price = most(zero_price, pair.lap.v[c]);
        }
    }
    if (at.has_zero_label()) state.price[at.y.order] = zero_price > -INF ? zero_price : 0.0;
}

// Forbid labels that no mapping better than `need` takes: a label costs its slack and that of the cheapest way in which
// the other nodes make room. OUT sparse.regret: the least cost of a label other than that of the assignment, and
// sparse.mean_cost: the mean cost of labels. After centre_prices.
inline void forbid_costly(const SearchPair &at, double need, const PairScratch &pair, SparseScratch &sparse,
                          SparseState &state) {
    const i64 ny = at.y.order, n = sparse.n_rows;
    const double room = need - state.value;
    for (i64 row = 0; row < n; row++) {
        const i64 r = sparse.rows[row], own = sparse.column_of[row];
        double regret = room, total = 0.0;
        i64 n_labels = 0;
        bool has_changed = false;
        const auto cost_at = [&](i64 c) {
            const i64 other = pair.lap.col_to_row[c] < 0 ? n : pair.lap.col_to_row[c];
            const double slack = pair.cost[row][c] - pair.lap.u[row] - pair.lap.v[c];
            const double way = sparse.way[other][row] + (sparse.potential[other] - sparse.potential[row]);
            return slack + most(way, 0.0);
        };
        for (i64 a = 0; a < state.n_allowed[r]; a++) {
            const i64 p = state.allowed[r][a];
            double cost = INF;
            if (p < ny) {
                cost = cost_at(sparse.index_of[p]);
            } else {
                for (i64 z = ny; z < at.width; z++) {
                    if (state.is_taken[z] || pair.group_of[z] != at.x.group[r]) continue;
                    cost = least(cost, cost_at(sparse.index_of[z]));
                }
            }
            if (cost >= room) {
                state.cost[r][p] = INF;
                has_changed = true;
                continue;
            }
            if (p != label_of(at, sparse.columns[own])) regret = least(regret, cost);
            total += cost;
            n_labels++;
        }
        if (has_changed) list_allowed(r, at.labels, state);
        sparse.regret[row] = most(regret, 0.0);
        sparse.mean_cost[row] = room - (static_cast<double>(n_labels) * room - total) / static_cast<double>(sparse.n_columns);
    }
}

// Give what labels cost beyond the prices of the assignment back to their edges, for the next pass to use elsewhere.
inline void spread_slack(const SearchPair &at, const PairScratch &pair, const SparseScratch &sparse, SparseState &state) {
    const i64 first_x = at.x.first_slot();
    for (i64 row = 0; row < sparse.n_rows; row++) {
        const i64 r = sparse.rows[row];
        i64 n_open = 0;
        for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) n_open += state.position[at.x.adj_idx[k]] < 0 ? 1 : 0;
        if (n_open == 0) continue;
        const double part = OVER_RELAXATION / static_cast<double>(n_open);
        for (i64 a = 0; a < state.n_allowed[r]; a++) {
            const i64 p = state.allowed[r][a];
            const double more = part * (state.cost[r][p] - pair.lap.u[row] - state.price[p]);
            if (more <= 0.0) continue;
            for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
                if (state.position[at.x.adj_idx[k]] < 0) raise_edge(k - first_x, p, more, sparse, state);
            }
        }
    }
}

}  // namespace gq
