// A sparse dual: the cost of a mapping shared between stars, with a number for each pair of edges.
//
// A star is a node r of X on a position p, with the edges k = (r -> s) of r matched to edges m = (p -> t) of p. The gain
// W[k][m] of a pair of edges is shared between the stars at its two ends; k' and m' are the same edges seen from there:
//
//     share[k][m] + share[k'][m'] >= W[k][m]
//     apart[k][p] + apart[k'][t]  >= 0   for p and t that are different and not adjacent
//
// where apart[k][p] is what the star counts for an edge k that lies on no edge while r is on p. Under these two
// conditions no mapping gains more than its stars do one by one, and with cost[r][p] minus the most that a star can gain
// an assignment problem bounds the cost of all mappings. That holds for any such numbers, so rounding errors do not add
// up. A pass visits node after node: it takes what the other ends of the edges can spare, matches the stars, and leaves
// on all options of a star as much as does not change its gain, which is what its neighbours can take next.
//
// Tables have edges of X times edges of Y entries, not the square of labels for each edge as those of dual.hpp: a pass
// costs O(edges of X * edges of Y) and one small matching for each pair of nodes.
#pragma once

#include "matching/dual.hpp"
#include "matching/sparse_scratch.hpp"

namespace gq {

// Share of the slack of the assignment that is given back to the edges. More than 1 converges faster; 2.2 diverges.
inline constexpr double OVER_RELAXATION = 1.8;

// OUT pair tables of the sparse dual: reverse slots, gains of pairs of edges, what is adjacent in Y.
inline void set_up_sparse(const SearchPair &at, SparseScratch &sparse) {
    const GraphView &x = at.x, &y = at.y;
    const i64 ny = y.order, dx = x.n_slots(), dy = y.n_slots(), first_x = x.first_slot(), first_y = y.first_slot();
    sparse.shape(x.order, at.labels, dx, dy);
    const auto find_reverses = [](const GraphView &of, i64 first, i32 *reverse, i32 *owner) {
        for (i64 r = 0; r < of.order; r++) {
            for (i64 k = of.adj_ptr[r]; k < of.adj_ptr[r + 1]; k++) {
                owner[k - first] = static_cast<i32>(r);
                const i64 s = of.adj_idx[k];
                if (s < r) continue;
                i64 m = of.adj_ptr[s];
                while (of.adj_idx[m] != r) m++;
                reverse[k - first] = static_cast<i32>(m - first);
                reverse[m - first] = static_cast<i32>(k - first);
            }
        }
    };
    find_reverses(x, first_x, sparse.reverse_x, sparse.owner_x);
    find_reverses(y, first_y, sparse.reverse_y, sparse.owner_y);
    for (i64 k = 0; k < dx; k++) {
        double *row = sparse.gain[k];
        for (i64 m = 0; m < dy; m++) {
            row[m] = x.pair_weight * product(x.edge(first_x + k), y.edge(first_y + m), x.edge_channels);
        }
    }
    for (i64 p = 0; p < at.labels; p++) {
        for (i64 t = 0; t < at.labels; t++) sparse.is_near[p][t] = 0;
        if (p >= ny) continue;
        sparse.is_near[p][p] = 1;
        for (i64 m = y.adj_ptr[p]; m < y.adj_ptr[p + 1]; m++) sparse.is_near[p][y.adj_idx[m]] = 1;
    }
}

// OUT state: the original problem, edges shared in halves.
inline void set_up_root(const SearchPair &at, const PairScratch &pair, const SparseScratch &sparse, SparseState &state) {
    const i64 nx = at.x.order, ny = at.y.order;
    for (i64 r = 0; r < nx; r++) {
        for (i64 p = 0; p < ny; p++) state.cost[r][p] = -pair.gain[r][p];
        if (at.has_zero_label()) {
            state.cost[r][ny] = INF;
            for (i64 p = ny; p < at.width; p++) {
                if (pair.group_of[p] == at.x.group[r]) state.cost[r][ny] = 0.0;
            }
        }
        state.position[r] = -1;
    }
    for (i64 k = 0; k < sparse.dx; k++) {
        for (i64 m = 0; m < sparse.dy; m++) state.share[k][m] = 0.5 * sparse.gain[k][m];
        for (i64 p = 0; p < at.labels; p++) state.apart[k][p] = 0.0;
    }
    for (i64 p = 0; p < at.width; p++) state.is_taken[p] = false;
    state.fixed = 0.0;
    state.bound = -INF;
}

inline i64 label_of(const SearchPair &at, i64 position) { return least(position, at.y.order); }

// Put node r on a position: its neighbours get the whole gain of its edges to them.
inline void place(const SearchPair &at, i64 r, i64 position, const PairScratch &pair, const SparseScratch &sparse,
                  SparseState &state) {
    const i64 a = label_of(at, position), ny = at.y.order;
    const i64 first_x = at.x.first_slot(), first_y = at.y.first_slot();
    double gained = a < ny ? pair.gain[r][a] : 0.0;
    for (i64 k = at.x.adj_ptr[r] - first_x; k < at.x.adj_ptr[r + 1] - first_x; k++) {
        state.apart[k][a] = 0.0;
        if (a == ny) continue;
        const i64 there = state.position[at.x.adj_idx[k + first_x]];
        for (i64 m = at.y.adj_ptr[a] - first_y; m < at.y.adj_ptr[a + 1] - first_y; m++) {
            state.share[k][m] = 0.0;
            if (there == at.y.adj_idx[m + first_y]) gained += sparse.gain[k][m];
        }
    }
    for (i64 b = 0; b < at.labels; b++) {
        if (b != a) state.cost[r][b] = INF;
    }
    state.cost[r][a] = 0.0;
    state.fixed -= gained;
    state.position[r] = static_cast<i32>(position);
    state.is_taken[position] = true;
    for (i64 s = 0; s < at.x.order; s++) {
        if (a < ny && s != r) state.cost[s][a] = INF;
    }
}

// OUT sparse.offer[0 .. labels): of the edge seen from its other end, the least that it counts there while it lies on no
// edge, for each label of this end; inf where it always lies on one.
inline void least_apart(const SearchPair &at, i64 reverse, i64 s, const SparseScratch &sparse, const SparseState &state,
                        double *least_of_label) {
    const i64 labels = at.labels;
    const double *apart = state.apart[reverse], *cost = state.cost[s];
    double lowest = INF;
    i64 lowest_at = -1;
    for (i64 t = 0; t < labels; t++) {
        if (cost[t] < INF && apart[t] < lowest) {
            lowest = apart[t];
            lowest_at = t;
        }
    }
    for (i64 p = 0; p < labels; p++) {
        if (lowest_at < 0 || !sparse.is_near[p][lowest_at]) {
            least_of_label[p] = lowest;
            continue;
        }
        const std::uint8_t *is_near = sparse.is_near[p];
        double other = INF;
        for (i64 t = 0; t < labels; t++) {
            if (!is_near[t] && cost[t] < INF && apart[t] < other) other = apart[t];
        }
        least_of_label[p] = other;
    }
}

// Gather from both ends what the stars of node r may count; OUT sparse.offer (gains of matches), sparse.loose (of edges
// that lie on none; -inf: there is no such option).
inline void gather(const SearchPair &at, i64 r, SparseScratch &sparse, const SparseState &state) {
    const i64 first_x = at.x.first_slot(), first_y = at.y.first_slot(), dy = sparse.dy, labels = at.labels;
    const i64 begin = at.x.adj_ptr[r] - first_x;
    for (i64 e = 0; e < at.x.degree(r); e++) {
        const i64 k = begin + e, s = at.x.adj_idx[k + first_x], reverse = sparse.reverse_x[k];
        const double sh = sparse.is_done[s] || state.position[s] >= 0 ? 1.0 : 0.5;
        const double *mine = state.share[k], *other = state.share[reverse], *gain = sparse.gain[k], *cost = state.cost[s];
        const i32 *reverse_y = sparse.reverse_y, *adj_y = at.y.adj_idx + first_y;
        double *offer = sparse.offer[e];
        for (i64 m = 0; m < dy; m++) {
            const double value = mine[m] - sh * ((mine[m] + other[reverse_y[m]]) - gain[m]);
            offer[m] = cost[adj_y[m]] < INF ? value : -INF;
        }
        double *loose = sparse.loose[e];
        least_apart(at, reverse, s, sparse, state, loose);
        const double *apart = state.apart[k];
        for (i64 p = 0; p < labels; p++) loose[p] = apart[p] - sh * (apart[p] + loose[p]);
    }
}

// Match the stars of node r and leave on their options what does not change their gain. Whether any label is left.
inline bool update_stars(const SearchPair &at, i64 r, const PairScratch &pair, SparseScratch &sparse, SparseState &state) {
    const i64 first_x = at.x.first_slot(), first_y = at.y.first_slot(), ny = at.y.order, labels = at.labels;
    const i64 degree = at.x.degree(r), begin = at.x.adj_ptr[r] - first_x;
    StarScratch &star = sparse.star;
    double *cost = state.cost[r];
    bool is_possible = false;
    for (i64 p = 0; p < labels; p++) {
        if (cost[p] == INF) continue;
        const i64 first = p < ny ? at.y.adj_ptr[p] - first_y : 0, columns = p < ny ? at.y.degree(p) : 0;
        double total = p < ny ? pair.gain[r][p] : 0.0;
        bool is_dead = false;
        for (i64 e = 0; e < degree; e++) {
            const double *offer = sparse.offer[e] + first;
            double loose = sparse.loose[e][p];
            if (loose == -INF) {
                // The edge always lies on one: any number that is not above all its matches will do.
                loose = INF;
                for (i64 m = 0; m < columns; m++) {
                    if (offer[m] > -INF) loose = least(loose, offer[m]);
                }
                is_dead = is_dead || loose == INF;
                sparse.loose[e][p] = loose;
            }
            double *weight = star.weight + e * star.stride;
            for (i64 m = 0; m < columns; m++) weight[m] = offer[m] - loose;
            total += loose;
        }
        if (is_dead) {
            cost[p] = INF;
            continue;
        }
        is_possible = true;
        total += match_star(star, degree, columns);
        cost[p] = -total;
        for (i64 e = 0; e < degree; e++) {
            const double level = sparse.loose[e][p] + star.alpha[e];
            double *share = state.share[begin + e] + first;
            state.apart[begin + e][p] = level;
            for (i64 m = 0; m < columns; m++) share[m] = level + star.beta[m];
        }
    }
    return is_possible;
}

// Visit all nodes once, in ascending or descending order. Whether each still has a label.
inline bool run_pass(const SearchPair &at, bool is_ascending, const PairScratch &pair, SparseScratch &sparse,
                     SparseState &state) {
    const i64 nx = at.x.order;
    for (i64 r = 0; r < nx; r++) sparse.is_done[r] = false;
    for (i64 step = 0; step < nx; step++) {
        const i64 r = is_ascending ? step : nx - 1 - step;
        if (state.position[r] >= 0) continue;
        gather(at, r, sparse, state);
        if (!update_stars(at, r, pair, sparse, state)) return false;
        sparse.is_done[r] = true;
    }
    return true;
}

// Solve the assignment problem of the nodes that have no position; returns the bound. OUT sparse.rows, sparse.columns,
// sparse.n_rows, sparse.n_columns, sparse.column_of (an index into columns), dual variables in pair.lap.
inline double assign_open(const SearchPair &at, PairScratch &pair, SparseScratch &sparse, const SparseState &state) {
    const i64 ny = at.y.order;
    sparse.n_rows = sparse.n_columns = 0;
    for (i64 p = 0; p < at.width; p++) {
        if (!state.is_taken[p]) sparse.columns[sparse.n_columns++] = p;
    }
    for (i64 r = 0; r < at.x.order; r++) {
        if (state.position[r] >= 0) continue;
        const double *cost = state.cost[r];
        double *row = pair.cost[sparse.n_rows];
        for (i64 c = 0; c < sparse.n_columns; c++) {
            const i64 p = sparse.columns[c];
            row[c] = p < ny ? cost[p] : (pair.group_of[p] == at.x.group[r] ? cost[ny] : INF);
        }
        sparse.rows[sparse.n_rows++] = r;
    }
    return state.fixed + assign(pair.cost, sparse.n_rows, sparse.n_columns, sparse.column_of, pair.lap);
}

// OUT mapping: the assignment as a mapping of all nodes.
inline void read_mapping(const SearchPair &at, const SparseScratch &sparse, const SparseState &state, i64 *mapping) {
    for (i64 r = 0; r < at.x.order; r++) mapping[r] = state.position[r];
    for (i64 row = 0; row < sparse.n_rows; row++) mapping[sparse.rows[row]] = sparse.columns[sparse.column_of[row]];
}

// Forbid labels that no mapping better than `need` takes. Returns their number.
inline i64 forbid_by_slack(const SearchPair &at, double need, const PairScratch &pair, const SparseScratch &sparse,
                           SparseState &state) {
    const i64 ny = at.y.order;
    i64 n_forbidden = 0;
    const double room = need - state.value;
    for (i64 row = 0; row < sparse.n_rows; row++) {
        const i64 r = sparse.rows[row];
        double zero_slack = INF;
        for (i64 c = 0; c < sparse.n_columns; c++) {
            const i64 p = sparse.columns[c];
            const double slack = pair.cost[row][c] - pair.lap.u[row] - pair.lap.v[c];
            if (p >= ny) {
                zero_slack = least(zero_slack, slack);
            } else if (slack >= room && state.cost[r][p] < INF) {
                state.cost[r][p] = INF;
                n_forbidden++;
            }
        }
        if (at.has_zero_label() && zero_slack >= room && state.cost[r][ny] < INF) {
            state.cost[r][ny] = INF;
            n_forbidden++;
        }
    }
    return n_forbidden;
}

// Give what labels cost beyond the prices of the assignment back to their edges, for the next pass to use elsewhere.
inline void spread_slack(const SearchPair &at, double factor, const PairScratch &pair, const SparseScratch &sparse,
                         SparseState &state) {
    const i64 ny = at.y.order, first_x = at.x.first_slot(), first_y = at.y.first_slot();
    for (i64 row = 0; row < sparse.n_rows; row++) {
        const i64 r = sparse.rows[row];
        i64 n_open = 0;
        for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) n_open += state.position[at.x.adj_idx[k]] < 0;
        if (n_open == 0) continue;
        const double part = factor / static_cast<double>(n_open);
        double zero_slack = INF;
        for (i64 c = 0; c <= sparse.n_columns; c++) {
            i64 p = ny;
            double slack = zero_slack;
            if (c < sparse.n_columns) {
                p = sparse.columns[c];
                if (pair.cost[row][c] == INF) continue;
                slack = pair.cost[row][c] - pair.lap.u[row] - pair.lap.v[c];
                if (p >= ny) {
                    zero_slack = least(zero_slack, slack);
                    continue;
                }
            }
            if (slack == INF || slack <= 0.0 || state.cost[r][p] == INF) continue;
            const double more = part * slack;
            const i64 first = p < ny ? at.y.adj_ptr[p] - first_y : 0, columns = p < ny ? at.y.degree(p) : 0;
            for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
                if (state.position[at.x.adj_idx[k]] >= 0) continue;
                state.apart[k - first_x][p] += more;
                double *share = state.share[k - first_x] + first;
                for (i64 m = 0; m < columns; m++) share[m] += more;
            }
        }
    }
}

}  // namespace gq
