"""Chains of exchanges along edges: what the local search of single exchanges cannot reach.

Where a whole part of a graph should be mapped elsewhere, every single exchange makes the mapping worse. A
chain (after Kernighan and Lin) starts at an edge that the mapping breaks: one end moves beside the image of
the other, then neighbour after neighbour follows, each by its best exchange. The chain is cut where the
mapping was best, or taken back if it never was better than before.
"""

import numpy as np

from graphquant.kernels._jit import kernel
from graphquant.kernels.local_search import exchange, exchange_gain, improve

# In units of the mean gain of a node: a chain ends when it has lost more than the first, and takes no step
# that loses more than the second. Measured on the four data sets; twice as much finds little more.
DEEPEST, WORST_STEP = 3.5, 0.9
# Pairs of neighbours that the chains of one mapping may look at. Two molecules do not need as many; a mean of
# many graphs may have edges nearly everywhere.
MOST_WORK = 30_000
# Rows of the work space.
LOCKED, QUEUE, ORIGIN = range(3)


@kernel
def _are_neighbours(Y, j, p, t):
    y_p = Y.node_ptr[j] + p
    found = False
    for m in range(Y.adj_ptr[y_p], Y.adj_ptr[y_p + 1]):
        found |= Y.adj_idx[m] == t
    return found


@kernel
def _best_step(X, i, Y, j, ny, group_of, gain, mapping, owner, support, locked, stamp, a):
    """Neighbour of node a, position beside that of a, and improvement of the best exchange of the two.

    A neighbour that is there already comes first, with an improvement of zero; -1 if there is none.
    """
    x0, y_b = X.node_ptr[i], Y.node_ptr[j] + mapping[a]
    best, node, position = -np.inf, -1, -1
    for k in range(X.adj_ptr[x0 + a], X.adj_ptr[x0 + a + 1]):
        s = np.int64(X.adj_idx[k])
        if locked[s] == stamp:
            continue
        for m in range(Y.adj_ptr[y_b], Y.adj_ptr[y_b + 1]):
            t = np.int64(Y.adj_idx[m])
            if mapping[s] == t:
                return s, t, 0.0
            if group_of[t] != X.group[x0 + s] or (owner[t] >= 0 and locked[owner[t]] == stamp):
                continue
            change = exchange_gain(X, i, Y, j, ny, gain, mapping, owner, support, s, t)
            if change > best:
                best, node, position = change, s, t
    return node, position, best


@kernel
def _follow(X, i, Y, j, group_of, gain, mapping, owner, support, tolerance, unit, chain, stamp, a, r, t):
    """Run the chain that starts with node r moving to t, beside its neighbour a.

    Returns the improvement and the pairs of neighbours that were looked at.
    """
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    ny = Y.node_ptr[j + 1] - y0
    locked, queue, origin = chain[LOCKED], chain[QUEUE], chain[ORIGIN]
    locked[a] = stamp
    queue[0] = a
    origin[0] = -1
    head, size, keep, work = 0, 1, 0, 0
    step = exchange_gain(X, i, Y, j, ny, gain, mapping, owner, support, r, t)
    total, best = 0.0, tolerance
    while True:
        if size == 1 or (r >= 0 and step >= -WORST_STEP * unit):
            total += step
            locked[r] = stamp
            queue[size] = r
            origin[size] = -1
            if mapping[r] != t:
                origin[size] = mapping[r]
                exchange(X, i, Y, j, ny, mapping, owner, support, r, t)
            size += 1
            if total > best:
                best, keep = total, size
            if total < -DEEPEST * unit:
                break
        else:
            head += 1
            if head == size:
                break
        node, position = x0 + queue[head], y0 + mapping[queue[head]]
        work += (X.adj_ptr[node + 1] - X.adj_ptr[node]) * (Y.adj_ptr[position + 1] - Y.adj_ptr[position])
        r, t, step = _best_step(
            X, i, Y, j, ny, group_of, gain, mapping, owner, support, locked, stamp, queue[head]
        )
    for at in range(size - 1, keep - 1, -1):
        if origin[at] >= 0:
            exchange(X, i, Y, j, ny, mapping, owner, support, queue[at], origin[at])
    return best if keep > 0 else 0.0, work


@kernel
def mend_edges(
    X,
    i,
    Y,
    j,
    width,  # IN     positions: those of Y, then zero nodes
    group_of,  # IN     (width,) class of each position
    gain,  # IN     (nx, ny) node gains
    mapping,  # INOUT  (nx,) a local optimum
    owner,  # INOUT  (width,) int64 node on each position, or -1
    support,  # INOUT  (nx, ny) edge support of the mapping, kept up to date
    tolerance,  # IN     least improvement that counts
    unit,  # IN     mean gain of a node
    chain,  # WORK   (3, nx) int64
):
    """Improve a mapping by chains at broken edges, as long as they help; return the improvement."""
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - y0
    for r in range(nx):
        chain[LOCKED, r] = 0
    total, stamp, work = 0.0, 0, 0
    a, n_without = 0, 0
    while n_without < nx and work < MOST_WORK:
        n_without += 1
        for k in range(X.adj_ptr[x0 + a], X.adj_ptr[x0 + a + 1]):
            b, r = mapping[a], np.int64(X.adj_idx[k])
            if b >= ny or _are_neighbours(Y, j, b, mapping[r]):
                continue
            for m in range(Y.adj_ptr[y0 + b], Y.adj_ptr[y0 + b + 1]):
                t = np.int64(Y.adj_idx[m])
                if group_of[t] != X.group[x0 + r]:
                    continue
                stamp += 1
                change, looked_at = _follow(
                    X, i, Y, j, group_of, gain, mapping, owner, support, tolerance, unit, chain, stamp,
                    a, r, t,
                )  # fmt: skip
                work += looked_at
                if change > 0.0:
                    total += change
                    total += improve(X, i, Y, j, width, group_of, gain, mapping, owner, support, tolerance)
                    n_without = 0
                    break
        a = (a + 1) % nx
    return total
