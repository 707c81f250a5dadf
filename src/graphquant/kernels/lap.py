"""Linear assignment: the subproblem of every bound and every matcher.

Shortest augmenting paths (Jonker and Volgenant), rectangular, with the dual variables that the
bounds need. Written by hand because it is called from inside other kernels, millions of times on
matrices of 3 to 40 rows, and must not allocate.
"""

import numpy as np

from graphquant.kernels._jit import kernel, shared_kernel

INF = np.inf


@shared_kernel
def assign(
    cost,  # IN   (>= nr, >= nc)  entries may be inf: forbidden
    nr,  # IN   rows
    nc,  # IN   columns, nc >= nr
    row_to_col,  # OUT  (nr,)
    col_to_row,  # OUT  (nc,)           -1 where a column stays free
    u,  # OUT  (nr,)           cost[r, c] - u[r] - v[c] >= 0, = 0 where assigned
    v,  # INOUT (nc,)          v <= 0, = 0 where a column stays free; see ``warm``
    dist,  # WORK (nc,)
    back,  # WORK (nc,) int
    scan,  # WORK (nc,) int
    warm,  # IN   start from the given v (allowed only if nr == nc), else from zero
):
    """Assign each row to a column of its own at least total cost.

    Returns the least cost, inf if no assignment avoids the forbidden entries. Of equal
    assignments the one found depends on the costs alone (lowest columns first).
    """
    for c in range(nc):
        if not warm:
            v[c] = 0.0
        col_to_row[c] = -1
    # Row reduction and greedy matching settle most rows without a search.
    for r in range(nr):
        least = INF
        at = -1
        for c in range(nc):
            reduced = cost[r, c] - v[c]
            if reduced < least or (
                reduced == least and at >= 0 and col_to_row[at] >= 0 and col_to_row[c] < 0
            ):
                least = reduced
                at = c
        if at < 0:
            return INF
        u[r] = least
        row_to_col[r] = -1
        if col_to_row[at] < 0:
            col_to_row[at] = r
            row_to_col[r] = at
    for r in range(nr):
        if row_to_col[r] < 0 and not _augment(cost, nc, r, row_to_col, col_to_row, u, v, dist, back, scan):
            return INF
    total = 0.0
    for r in range(nr):
        total += cost[r, row_to_col[r]]
    return total


@kernel
def _augment(cost, nc, start, row_to_col, col_to_row, u, v, dist, back, scan):
    """Match one more row along a shortest path of reduced costs (Dijkstra); update the duals."""
    n_scanned = 0
    for c in range(nc):
        dist[c] = cost[start, c] - u[start] - v[c]
        back[c] = start
        scan[c] = c
    # scan[:n_scanned] are the settled columns, the rest the open ones.
    while True:
        least = INF
        at = -1
        for k in range(n_scanned, nc):
            c = scan[k]
            if dist[c] < least or (
                dist[c] == least and at >= 0 and col_to_row[c] < 0 <= col_to_row[scan[at]]
            ):
                least = dist[c]
                at = k
        if at < 0:
            return False
        sink = scan[at]
        if col_to_row[sink] < 0:
            break
        scan[at] = scan[n_scanned]
        scan[n_scanned] = sink
        n_scanned += 1
        r = col_to_row[sink]
        offset = least - u[r]
        for k in range(n_scanned, nc):
            c = scan[k]
            through = offset + cost[r, c] - v[c]
            if through < dist[c]:
                dist[c] = through
                back[c] = r
    u[start] += least
    for k in range(n_scanned):
        c = scan[k]
        slack = least - dist[c]
        v[c] -= slack
        u[col_to_row[c]] += slack
    while True:
        r = back[sink]
        col_to_row[sink] = r
        previous = row_to_col[r]
        row_to_col[r] = sink
        if r == start:
            return True
        sink = previous
