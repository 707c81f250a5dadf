"""Frank-Wolfe on doubly stochastic matrices: a cheap and good approximate matcher.

Maximises <G, P> + (w / 2) <P, A(P)> where G holds the node gains and A(P) the edge support. Each step
solves an assignment problem for the gradient and goes to the exact optimum along the line. Every
vertex on the way is a mapping whose value is known, and the best of them is kept.
"""

import numpy as np

from graphquant.kernels._jit import kernel
from graphquant.kernels.graphs import edge_support
from graphquant.kernels.lap import assign


@kernel
def flat_support(X, i, Y, j, width, support):
    """OUT support of the flat start (all entries 1 / width): a product of summed edge vectors."""
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    for r in range(X.node_ptr[i + 1] - x0):
        for p in range(Y.node_ptr[j + 1] - y0):
            total = 0.0
            for c in range(X.adj_vec.shape[1]):
                a, b = 0.0, 0.0
                for k in range(X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]):
                    a += X.adj_vec[k, c]
                for k in range(Y.adj_ptr[y0 + p], Y.adj_ptr[y0 + p + 1]):
                    b += Y.adj_vec[k, c]
                total += a * b
            support[r, p] = total / width


@kernel
def frank_wolfe(
    X,
    i,
    Y,
    j,
    width,  # IN   positions: those of Y, then zero nodes
    group_of,  # IN   (width,) class of each position
    gain,  # IN   (nx, ny) node gains
    P,  # INOUT (nx, width) start, rows sum to one
    support,  # INOUT (nx, ny) A(P)
    max_iter,  # IN
    tolerance,  # IN   stop when the possible first-order improvement is below it
    cost,  # WORK (nx, width)
    vertex_support,  # OUT (nx, ny) support of the best mapping
    trial_support,  # WORK (nx, ny)
    trial,  # WORK (nx,)
    best,  # OUT  (nx,) best mapping met
    lap,  # WORK buffers of the assignment kernel
):
    """Run Frank-Wolfe from P; return the gain of the best mapping met."""
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    ny = Y.node_ptr[j + 1] - Y.node_ptr[j]
    weight = X.pair_weight
    best_gain = -np.inf
    for _ in range(max_iter):
        for r in range(nx):
            for p in range(ny):
                cost[r, p] = -(gain[r, p] + weight * support[r, p])
            for p in range(ny, width):
                cost[r, p] = 0.0 if group_of[p] == X.group[x0 + r] else np.inf
        assign(cost, nx, width, trial, lap.col_to_row, lap.u, lap.v, lap.dist, lap.back, lap.scan, False)
        edge_support(X, i, Y, j, trial, trial_support)
        slope, curvature, value = 0.0, 0.0, 0.0
        for r in range(nx):
            p = trial[r]
            slope -= cost[r, p]
            if p < ny:
                value += gain[r, p] + 0.5 * weight * trial_support[r, p]
            for t in range(ny):
                if P[r, t] > 0.0:
                    slope += P[r, t] * cost[r, t]
                direction = (1.0 if t == p else 0.0) - P[r, t]
                curvature += weight * direction * (trial_support[r, t] - support[r, t])
        if value > best_gain:
            best_gain = value
            for r in range(nx):
                best[r] = trial[r]
                for p in range(ny):
                    vertex_support[r, p] = trial_support[r, p]
        if slope <= tolerance:
            break
        step = 1.0 if slope + curvature >= 0.0 else -slope / curvature
        for r in range(nx):
            for p in range(width):
                P[r, p] *= 1.0 - step
            P[r, trial[r]] += step
            for p in range(ny):
                support[r, p] += step * (trial_support[r, p] - support[r, p])
    return best_gain
