// Linear assignment: the subproblem of every bound and every matcher.
//
// Shortest augmenting paths (Jonker and Volgenant, 1987), rectangular, with the dual variables that the bounds
// need: O(rows * columns^2) at worst, close to O(rows * columns) on typical costs. It is called millions of
// times on matrices of 3 to 40 rows, so it must not allocate.
#pragma once

#include "support/arena.hpp"
#include "support/stop.hpp"

namespace gq {

struct Lap {
    i64 *col_to_row;   // OUT (nc,)  row of each column, -1 if it stays free
    double *u;         // OUT (nr,)  cost[r][c] - u[r] - v[c] >= 0, = 0 where assigned
    double *v;         // OUT (nc,)  v <= 0, = 0 if a column stays free
    double *open_v;    // WORK of a path search: v, or -inf where a column is settled
    double *dist;      // WORK
    i64 *back;         // WORK
    i64 *column_at;    // WORK columns by rank: the settled ones first, in that order
    i64 *rank;         // WORK
    double *settled_at;  // WORK distance at which columns were settled
    Stop stop;

    void allocate(Arena &arena, i64 width) {
        col_to_row = arena.take<i64>(width);
        u = arena.take<double>(width);
        v = arena.take<double>(width);
        open_v = arena.take<double>(width);
        dist = arena.take<double>(width);
        back = arena.take<i64>(width);
        column_at = arena.take<i64>(width);
        rank = arena.take<i64>(width);
        settled_at = arena.take<double>(width);
    }
};

// OUT open_v, dist, back: paths of one step from a row; column_at, rank. Returns the smallest distance.
inline double start_paths(const double *costs, i64 nc, i64 start, Lap &lap) {
    const double u_start = lap.u[start];
    const double *v = lap.v;
    double *open_v = lap.open_v, *dist = lap.dist;
    i64 *back = lap.back, *column_at = lap.column_at, *rank = lap.rank;
    for (i64 c = 0; c < nc; c++) {
        open_v[c] = v[c];
        dist[c] = costs[c] - u_start - v[c];
        back[c] = start;
        column_at[c] = c;
        rank[c] = c;
    }
    return least_of(dist, nc);
}

// INOUT dist, back: paths to open columns, some of them now through row r. Returns the smallest distance.
inline double shorten_paths(const double *costs, i64 nc, i64 r, double offset, Lap &lap) {
    const double *open_v = lap.open_v;
    double *dist = lap.dist;
    i64 *back = lap.back;
    for (i64 c = 0; c < nc; c++) {
        const double through = offset + costs[c] - open_v[c];
        const bool is_shorter = through < dist[c];
        dist[c] = is_shorter ? through : dist[c];
        back[c] = is_shorter ? r : back[c];
    }
    return least_of(dist, nc);
}

// The first rank of a column at the smallest distance, preferably of a free one.
inline i64 first_rank(double least_distance, i64 nc, const Lap &lap) {
    i64 first = 2 * nc;
    for (i64 c = 0; c < nc; c++) {
        i64 place = lap.col_to_row[c] < 0 ? lap.rank[c] : nc + lap.rank[c];
        place = lap.dist[c] == least_distance ? place : 2 * nc;
        first = place < first ? place : first;
    }
    return first < nc ? first : first - nc;
}

// Match one more row along a shortest path of reduced costs (Dijkstra) and update the duals.
inline bool augment(Matrix<double> cost, i64 nc, i64 start, i64 *row_to_col, Lap &lap) {
    i64 n_settled = 0, sink = -1;
    double reached = start_paths(cost[start], nc, start, lap);
    while (true) {
        if (reached == INF) return false;
        sink = lap.column_at[first_rank(reached, nc, lap)];
        if (lap.col_to_row[sink] < 0) break;
        // Settled columns come first in rank, and the displaced column moves to the old place of the settled
        // one. This decides which of equal columns comes next: with another order results would differ.
        const i64 other = lap.column_at[n_settled];
        lap.column_at[lap.rank[sink]] = other;
        lap.rank[other] = lap.rank[sink];
        lap.column_at[n_settled] = sink;
        lap.settled_at[n_settled] = reached;
        n_settled++;
        // With these values the column is out of reach.
        lap.dist[sink] = INF;
        lap.open_v[sink] = -INF;
        const i64 r = lap.col_to_row[sink];
        reached = shorten_paths(cost[r], nc, r, reached - lap.u[r], lap);
    }
    lap.u[start] += reached;
    for (i64 k = 0; k < n_settled; k++) {
        const i64 c = lap.column_at[k];
        const double slack = reached - lap.settled_at[k];
        lap.v[c] -= slack;
        lap.u[lap.col_to_row[c]] += slack;
    }
    while (true) {
        const i64 r = lap.back[sink];
        lap.col_to_row[sink] = r;
        const i64 previous = row_to_col[r];
        row_to_col[r] = sink;
        if (r == start) return true;
        sink = previous;
    }
}

// After a stop: any assignment, because the caller uses it as an index before it checks the flag.
inline void assign_the_rest(i64 nr, i64 *row_to_col, Lap &lap) {
    i64 c = 0;
    for (i64 r = 0; r < nr; r++) {
        if (row_to_col[r] >= 0) continue;
        while (lap.col_to_row[c] >= 0) c++;
        row_to_col[r] = c;
        lap.col_to_row[c] = r;
    }
}

// Assign each row to a different column with the smallest total cost.
//
// cost: IN (nr, >= nc), entries may be inf: forbidden; nc >= nr. row_to_col: OUT (nr,). lap: OUT owners of
// columns and dual variables. Returns the smallest cost, inf if no assignment avoids the forbidden entries. Which
// one of equal assignments is found depends on the costs alone.
inline double assign(Matrix<double> cost, i64 nr, i64 nc, i64 *row_to_col, Lap &lap) {
    for (i64 c = 0; c < nc; c++) {
        lap.v[c] = 0.0;
        lap.col_to_row[c] = -1;
    }
    // Row minima and greedy matching settle most rows without a search.
    for (i64 r = 0; r < nr; r++) {
        const double *row = cost[r];
        const double lowest = least_of(row, nc);
        if (lowest == INF) return INF;
        // The first column at the minimum, or the first free one of these.
        i64 at = -1;
        for (i64 c = 0; c < nc; c++) {
            if (row[c] != lowest) continue;
            if (at < 0) at = c;
            if (lap.col_to_row[c] < 0) {
                at = c;
                break;
            }
        }
        lap.u[r] = lowest;
        row_to_col[r] = -1;
        if (lap.col_to_row[at] < 0) {
            lap.col_to_row[at] = r;
            row_to_col[r] = at;
        }
    }
    for (i64 r = 0; r < nr; r++) {
        if (row_to_col[r] >= 0) continue;
        if (lap.stop.is_set()) {
            assign_the_rest(nr, row_to_col, lap);
            return INF;
        }
        if (!augment(cost, nc, r, row_to_col, lap)) return INF;
    }
    double total = 0.0;
    for (i64 r = 0; r < nr; r++) total += cost[r][row_to_col[r]];
    return total;
}

}  // namespace gq
