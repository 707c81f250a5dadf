"""Linear assignment: the subproblem of every bound and every matcher.

Shortest augmenting paths (Jonker and Volgenant), rectangular, with the dual variables that the
bounds need. Written by hand because it is called from inside other kernels, millions of times on
matrices of 3 to 40 rows, and must not allocate.
"""

import numpy as np

from graphquant.kernels._jit import kernel, searching, shared_kernel

INF = np.inf


@shared_kernel
def assign(
    cost,  # IN   (>= nr, >= nc)  entries may be inf: forbidden
    nr,  # IN   rows
    nc,  # IN   columns, nc >= nr
    row_to_col,  # OUT  (nr,)
    lap,  # OUT  LapBuffers: the owners of columns and the dual variables; else WORK
):
    """Assign each row to a column of its own at least total cost.

    Returns the least cost, inf if no assignment avoids the forbidden entries. Of equal
    assignments the one found depends on the costs alone.
    """
    col_to_row, u, v = lap.col_to_row, lap.u, lap.v
    for c in range(nc):
        v[c] = 0.0
        col_to_row[c] = -1
    # Row minima and greedy matching settle most rows without a search.
    for r in range(nr):
        least = INF
        at = -1
        for c in range(nc):
            if cost[r, c] < least or (
                cost[r, c] == least and at >= 0 and col_to_row[at] >= 0 and col_to_row[c] < 0
            ):
                least = cost[r, c]
                at = c
        if at < 0:
            return INF
        u[r] = least
        row_to_col[r] = -1
        if col_to_row[at] < 0:
            col_to_row[at] = r
            row_to_col[r] = at
    for r in range(nr):
        if row_to_col[r] < 0 and not _augment(cost, nc, r, row_to_col, lap):
            return INF
    total = 0.0
    for r in range(nr):
        total += cost[r, row_to_col[r]]
    return total


@kernel
def _augment(cost, nc, start, row_to_col, lap):
    """Match one more row along a shortest path of reduced costs (Dijkstra); update the duals."""
    col_to_row, u, v, column_at, rank = lap.col_to_row, lap.u, lap.v, lap.column_at, lap.rank
    n_settled = 0
    least = _start_paths(cost[start], nc, start, u[start], v, lap.open_v, lap.dist, lap.back, column_at, rank)
    while True:
        if least == INF:
            return False
        sink = column_at[_first_rank(least, nc, col_to_row, lap.dist, rank)]
        if col_to_row[sink] < 0:
            break
        # Settled columns come first in rank. What was there goes to where the column was: so it is decided
        # which of equal columns comes next, and with another order published results would differ a little.
        other = column_at[n_settled]
        column_at[rank[sink]], rank[other] = other, rank[sink]
        column_at[n_settled], lap.settled_at[n_settled] = sink, least
        n_settled += 1
        # With these, the column is out of reach.
        lap.dist[sink], lap.open_v[sink] = INF, -INF
        r = col_to_row[sink]
        least = _shorten_paths(cost[r], nc, r, least - u[r], lap.open_v, lap.dist, lap.back)
    u[start] += least
    for k in range(n_settled):
        c = column_at[k]
        slack = least - lap.settled_at[k]
        v[c] -= slack
        u[col_to_row[c]] += slack
    while True:
        r = lap.back[sink]
        col_to_row[sink] = r
        previous = row_to_col[r]
        row_to_col[r] = sink
        if r == start:
            return True
        sink = previous


# Loops over all columns without a jump, because that makes vector instructions of them.


@searching
def _start_paths(costs, nc, start, u_start, v, open_v, dist, back, column_at, rank):
    """OUT open_v, dist, back: paths of one step from a row; column_at, rank. Return the least distance."""
    least = INF
    for c in range(nc):
        d = costs[c] - u_start - v[c]
        open_v[c], dist[c], back[c], column_at[c], rank[c] = v[c], d, start, c, c
        least = d if d < least else least
    return least


@searching
def _shorten_paths(costs, nc, r, offset, open_v, dist, back):
    """INOUT dist, back: paths to open columns, some by way of row r now; return the least distance."""
    least = INF
    for c in range(nc):
        through = offset + costs[c] - open_v[c]
        is_shorter = through < dist[c]
        dist[c] = through if is_shorter else dist[c]
        back[c] = r if is_shorter else back[c]
        d = dist[c]
        least = d if d < least else least
    return least


@searching
def _first_rank(least, nc, col_to_row, dist, rank):
    """Return the first rank of a column at the least distance, of the free ones if there are any."""
    first = 2 * nc
    for c in range(nc):
        place = rank[c] if col_to_row[c] < 0 else nc + rank[c]
        place = place if dist[c] == least else 2 * nc
        first = place if place < first else first
    return first if first < nc else first - nc
