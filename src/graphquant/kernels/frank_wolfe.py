"""Frank-Wolfe on doubly stochastic matrices: a cheap and good approximate matcher.

Maximises <G, P> + (w / 2) <P, A(P)> where G holds the node gains and A(P) the edge support. Each step
solves an assignment problem for the gradient and goes to the exact optimum along the line. Every
vertex on the way is a mapping whose value is known, and the best of them is kept. P itself is not needed:
A(P) and the two scalars <G, P> and <P, A(P)> say all about it, and a step changes them by sums over the
nodes of the vertex, because A is symmetric.
"""

import numpy as np

from graphquant.kernels._jit import kernel
from graphquant.kernels.graphs import edge_support
from graphquant.kernels.lap import assign


@kernel
def flat_start(X, i, Y, j, width, gain, support):
    """OUT support of the flat matrix (all entries 1 / width); return its node and edge gain.

    The support is a product of summed edge vectors.
    """
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nodes, edges = 0.0, 0.0
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
            nodes += gain[r, p] / width
            edges += support[r, p] / width
    return nodes, edges


@kernel
def frank_wolfe(
    X,
    i,
    Y,
    j,
    width,  # IN   positions: those of Y, then zero nodes
    group_of,  # IN   (width,) class of each position
    gain,  # IN   (nx, ny) node gains
    nodes,  # IN   <G, P> of the start P; -inf if P mixes classes, and then it is left at once
    edges,  # IN   <P, A(P)>
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
    """Run Frank-Wolfe from a start; return the gain of the best mapping met."""
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
        assign(cost, nx, width, trial, lap)
        edge_support(X, i, Y, j, trial, trial_support)
        trial_nodes, trial_edges, mixed = 0.0, 0.0, 0.0
        for r in range(nx):
            p = trial[r]
            if p < ny:
                trial_nodes += gain[r, p]
                trial_edges += trial_support[r, p]
                mixed += support[r, p]
        value = trial_nodes + 0.5 * weight * trial_edges
        if value > best_gain:
            best_gain = value
            for r in range(nx):
                best[r] = trial[r]
                for p in range(ny):
                    vertex_support[r, p] = trial_support[r, p]
        slope = trial_nodes - nodes + weight * (mixed - edges)
        curvature = weight * (trial_edges - 2.0 * mixed + edges)
        if slope <= tolerance:
            break
        if slope + curvature >= 0.0:
            step, nodes, edges = 1.0, trial_nodes, trial_edges
        else:
            step = -slope / curvature
            rest = 1.0 - step
            nodes = rest * nodes + step * trial_nodes
            edges = rest * rest * edges + step * (2.0 * rest * mixed + step * trial_edges)
        for r in range(nx):
            for p in range(ny):
                support[r, p] += step * (trial_support[r, p] - support[r, p])
    return best_gain
