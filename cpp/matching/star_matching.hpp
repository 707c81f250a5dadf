// The matching of one star: which edges of a node go onto which edges of a position.
//
// Rows are the edges at the node, columns those at the position; a row may stay unmatched at weight 0. There are two to
// four of each in most graphs, and a pair of graphs has thousands of stars in every pass of the dual, so this is the
// innermost loop of the exact solver.
#pragma once

#include "support/arena.hpp"

namespace gq {

struct StarScratch {
    double *weight;  // IN (rows, stride)  gain of a match above staying unmatched; -inf: forbidden
    i64 stride;
    double *alpha;   // OUT (rows,)  alpha, beta >= 0 with alpha + beta >= weight, = where matched
    double *beta;    // OUT (columns,)
    i64 *owner;      // OUT (columns,)  row of each column, or -1
    i64 *match;      // OUT (rows,)  column of each row, or -1
    double *dist;    // WORK (columns,)
    double *room;    // WORK (columns,)
    i64 *back;       // WORK (columns,)
    i64 *settled;    // WORK (columns,)
    bool *is_settled;  // WORK (columns,)

    void allocate(Arena &arena, i64 rows, i64 columns) {
        stride = columns;
        weight = arena.take<double>(rows * columns);
        alpha = arena.take<double>(rows);
        beta = arena.take<double>(columns);
        owner = arena.take<i64>(columns);
        match = arena.take<i64>(rows);
        dist = arena.take<double>(columns);
        room = arena.take<double>(columns);
        back = arena.take<i64>(columns);
        settled = arena.take<i64>(columns);
        is_settled = arena.take<bool>(columns);
    }
};

// Match one more row along a shortest path, which ends at a free column or at a row that gives up its column.
inline void augment_star(StarScratch &star, i64 columns, i64 start) {
    const i64 stride = star.stride;
    for (i64 m = 0; m < columns; m++) {
        star.dist[m] = INF;
        star.is_settled[m] = false;
    }
    i64 row = start, n_settled = 0, last_row = start, sink = -1;
    double row_dist = 0.0, end = star.alpha[start];
    while (true) {
        const double *weight = star.weight + row * stride;
        double reached = INF;
        i64 nearest = -1;
        for (i64 m = 0; m < columns; m++) {
            if (star.is_settled[m]) continue;
            const double through = row_dist + ((star.alpha[row] + star.beta[m]) - weight[m]);
            if (through < star.dist[m]) {
                star.dist[m] = through;
                star.back[m] = row;
            }
            // Of equal columns a free one, which ends the path.
            const bool is_freer = nearest >= 0 && star.owner[m] < 0 && star.owner[nearest] >= 0;
            if (star.dist[m] < reached || (star.dist[m] == reached && is_freer)) {
                reached = star.dist[m];
                nearest = m;
            }
        }
        if (reached >= end) break;
        if (star.owner[nearest] < 0) {
            end = reached;
            sink = nearest;
            break;
        }
        star.is_settled[nearest] = true;
        star.settled[n_settled++] = nearest;
        row = star.owner[nearest];
        row_dist = reached;
        if (row_dist + star.alpha[row] < end) {
            end = row_dist + star.alpha[row];
            last_row = row;
        }
    }
    star.alpha[start] = most(0.0, star.alpha[start] - end);
    for (i64 k = 0; k < n_settled; k++) {
        const i64 m = star.settled[k];
        const double rest = most(0.0, end - star.dist[m]);
        star.beta[m] += rest;
        star.alpha[star.owner[m]] = most(0.0, star.alpha[star.owner[m]] - rest);
    }
    if (sink < 0) {
        sink = star.match[last_row];
        star.match[last_row] = -1;
        if (last_row == start) return;
    }
    while (true) {
        const i64 owner = star.back[sink];
        star.owner[sink] = owner;
        const i64 previous = star.match[owner];
        star.match[owner] = sink;
        if (owner == start) return;
        sink = previous;
    }
}

// Move alpha and beta to the middle between the extremes that they may have.
inline void centre_star(StarScratch &star, i64 rows, i64 columns) {
    const i64 stride = star.stride;
    double *low = star.dist, *high = star.room;
    for (i64 j = 0; j < columns; j++) {
        const i64 own = star.owner[j];
        if (own < 0) continue;
        const double *weight = star.weight + own * stride;
        double lowest = 0.0, highest = weight[j];
        for (i64 k = 0; k < rows; k++) {
            if (star.match[k] < 0) lowest = most(lowest, star.weight[k * stride + j]);
        }
        for (i64 m = 0; m < columns; m++) {
            if (star.owner[m] < 0) highest = least(highest, weight[j] - weight[m]);
        }
        low[j] = lowest;
        high[j] = highest;
    }
    bool has_changed = true;
    for (i64 round = 0; has_changed && round < columns; round++) {
        has_changed = false;
        for (i64 i = 0; i < columns; i++) {
            const i64 own = star.owner[i];
            if (own < 0) continue;
            const double *weight = star.weight + own * stride;
            for (i64 j = 0; j < columns; j++) {
                if (j == i || star.owner[j] < 0) continue;
                const double way = weight[i] - weight[j];
                if (high[j] + way < high[i]) {
                    high[i] = high[j] + way;
                    has_changed = true;
                }
                if (low[i] - way > low[j]) {
                    low[j] = low[i] - way;
                    has_changed = true;
                }
            }
        }
    }
    for (i64 j = 0; j < columns; j++) {
        const i64 own = star.owner[j];
        if (own < 0) continue;
        const double middle = most(0.0, 0.5 * (low[j] + high[j]));
        star.beta[j] = middle;
        star.alpha[own] = most(0.0, star.weight[own * stride + j] - middle);
    }
}

// Match a star to one column.
inline double match_one_column(StarScratch &star, i64 rows) {
    double best = 0.0, second = 0.0;
    i64 at = -1;
    for (i64 k = 0; k < rows; k++) {
        const double weight = star.weight[k * star.stride];
        star.alpha[k] = 0.0;
        if (weight > best) {
            second = best;
            best = weight;
            at = k;
        } else if (weight > second) {
            second = weight;
        }
    }
    const double middle = 0.5 * (best + second);
    star.beta[0] = middle;
    if (at >= 0) star.alpha[at] = best - middle;
    return best;
}

// Match a star at most gain; OUT alpha, beta. Returns the gain as the sum of these, which no matching exceeds.
inline double match_star(StarScratch &star, i64 rows, i64 columns) {
    if (columns == 1) return match_one_column(star, rows);
    const i64 stride = star.stride;
    bool is_contested = false;
    for (i64 m = 0; m < columns; m++) {
        star.owner[m] = -1;
        star.beta[m] = 0.0;
    }
    for (i64 k = 0; k < rows; k++) {
        const double *weight = star.weight + k * stride;
        double highest = 0.0;
        i64 at = -1;
        for (i64 m = 0; m < columns; m++) {
            if (weight[m] > highest || (at >= 0 && weight[m] == highest && star.owner[at] >= 0 && star.owner[m] < 0)) {
                highest = weight[m];
                at = m;
            }
        }
        star.alpha[k] = highest;
        star.match[k] = -1;
        if (at < 0) continue;
        if (star.owner[at] < 0) {
            star.owner[at] = k;
            star.match[k] = at;
        } else {
            star.match[k] = -2;
            is_contested = true;
        }
    }
    if (is_contested) {
        for (i64 k = 0; k < rows; k++) {
            if (star.match[k] != -2) continue;
            star.match[k] = -1;
            augment_star(star, columns, k);
        }
    }
    if (rows > 1) centre_star(star, rows, columns);
    double total = 0.0;
    for (i64 k = 0; k < rows; k++) total += star.alpha[k];
    for (i64 m = 0; m < columns; m++) total += star.beta[m];
    return total;
}

}  // namespace gq
