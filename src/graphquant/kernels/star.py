"""The star bound (Gilmore and Lawler): no mapping gains more than its stars do one by one."""

from graphquant.kernels._jit import kernel


@kernel
def star_gains(X, i, Y, j, gain, star):
    """OUT star[r, p] = node gain + half of the best gain of the edges at r matched with those at p.

    Each channel is matched on its own, which is an assignment problem solved by sorting: positive
    values with positive ones and negative with negative ones, from the largest magnitude on; the
    rest is better left on a pair without edge. Half, because an edge is counted at both its ends.
    """
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - y0
    q = X.adj_vec.shape[1]
    half = 0.5 * X.pair_weight
    a, b = X.adj_sorted, Y.adj_sorted
    for r in range(nx):
        a_begin, a_end = X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]
        for p in range(ny):
            b_begin, b_end = Y.adj_ptr[y0 + p], Y.adj_ptr[y0 + p + 1]
            common = min(a_end - a_begin, b_end - b_begin)
            total = 0.0
            for c in range(q):
                for k in range(common):
                    if a[a_begin + k, c] <= 0.0 or b[b_begin + k, c] <= 0.0:
                        break
                    total += a[a_begin + k, c] * b[b_begin + k, c]
                for k in range(1, common + 1):
                    if a[a_end - k, c] >= 0.0 or b[b_end - k, c] >= 0.0:
                        break
                    total += a[a_end - k, c] * b[b_end - k, c]
            star[r, p] = gain[r, p] + half * total
