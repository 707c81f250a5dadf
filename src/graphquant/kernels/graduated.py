"""Graduated assignment (Gold and Rangarajan, 1996), the paper's approximate matcher.

Deterministic annealing of a match matrix with one slack row and column: exponentiate the gradient,
normalise rows and columns by turns (Sinkhorn), raise beta, and clean up by a linear assignment.
Compatibilities are divided by the largest of them, so that beta means the same at every scale.
"""

import numpy as np

from graphquant.kernels._jit import kernel
from graphquant.kernels.lap import assign

# Entries of the match matrix below this add nothing that the gradient could show.
NEGLIGIBLE = 1e-9


@kernel
def _support(X, i, Y, j, M, nx, ny, support):
    """OUT support[r, p] = sum over s, t of <x_rs, y_pt> M[s, t]."""
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    for r in range(nx):
        for p in range(ny):
            support[r, p] = 0.0
    for s in range(nx):
        for t in range(ny):
            share = M[s, t]
            if share < NEGLIGIBLE:
                continue
            for k in range(X.adj_ptr[x0 + s], X.adj_ptr[x0 + s + 1]):
                r = X.adj_idx[k]
                for m in range(Y.adj_ptr[y0 + t], Y.adj_ptr[y0 + t + 1]):
                    total = 0.0
                    for c in range(X.adj_vec.shape[1]):
                        total += X.adj_vec[k, c] * Y.adj_vec[m, c]
                    support[r, Y.adj_idx[m]] += share * total


@kernel
def _largest_compatibility(X, i, Y, j, gain, nx, ny):
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    largest = 0.0
    for r in range(nx):
        for p in range(ny):
            if gain[r, p] > -np.inf:
                largest = max(largest, abs(gain[r, p]))
    for k in range(X.adj_ptr[x0], X.adj_ptr[x0 + nx]):
        for m in range(Y.adj_ptr[y0], Y.adj_ptr[y0 + ny]):
            total = 0.0
            for c in range(X.adj_vec.shape[1]):
                total += X.adj_vec[k, c] * Y.adj_vec[m, c]
            largest = max(largest, X.pair_weight * abs(total))
    return largest


@kernel
def _normalise(M, old, nx, ny, max_iter, tolerance):
    """Sinkhorn: rows, then columns, until the entries move by less than ``tolerance`` in sum."""
    for _ in range(max_iter):
        change = 0.0
        for r in range(nx):
            total = 0.0
            for p in range(ny + 1):
                total += M[r, p]
            for p in range(ny + 1):
                old[r, p] = M[r, p]
                M[r, p] /= total
        for p in range(ny):
            total = 0.0
            for r in range(nx + 1):
                total += M[r, p]
            for r in range(nx + 1):
                M[r, p] /= total
        for r in range(nx):
            for p in range(ny):
                change += abs(M[r, p] - old[r, p])
        if change < tolerance:
            return


@kernel
def graduated_assignment(
    X,
    i,
    Y,
    j,
    width,  # IN   positions: those of Y, then zero nodes
    pair,  # WORK PairBuffers with group_of, gain
    M,  # WORK (nx + 1, ny + 1)
    old,  # WORK (nx + 1, ny + 1)
    before,  # WORK (nx + 1, ny + 1)
    beta,  # IN   start
    beta_rate,  # IN
    beta_end,  # IN
    max_inner,  # IN   steps at one beta
    max_sinkhorn,  # IN   normalisations in one step
    tol_inner,  # IN
    tol_sinkhorn,  # IN
    mapping,  # OUT  (nx,)
):
    """Match by graduated assignment."""
    x0 = X.node_ptr[i]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - Y.node_ptr[j]
    gain, support, lap = pair.gain, pair.support, pair.lap
    largest = _largest_compatibility(X, i, Y, j, gain, nx, ny)
    scale = 1.0 / largest if largest > 0.0 else 0.0
    for r in range(nx + 1):
        for p in range(ny + 1):
            M[r, p] = 1.0 + 1e-3
    while beta < beta_end:
        for _ in range(max_inner):
            _support(X, i, Y, j, M, nx, ny, support)
            for r in range(nx):
                for p in range(ny):
                    before[r, p] = M[r, p]
                    if gain[r, p] == -np.inf:
                        M[r, p] = 0.0
                    else:
                        M[r, p] = np.exp(beta * scale * (gain[r, p] + X.pair_weight * support[r, p]))
                M[r, ny] = 1.0
            for p in range(ny + 1):
                M[nx, p] = 1.0
            _normalise(M, old, nx, ny, max_sinkhorn, tol_sinkhorn)
            change = 0.0
            for r in range(nx):
                for p in range(ny):
                    change += abs(M[r, p] - before[r, p])
            if change < tol_inner:
                break
        beta *= beta_rate
    for r in range(nx):
        for p in range(ny):
            pair.cost[r, p] = -M[r, p] if gain[r, p] > -np.inf else np.inf
        for p in range(ny, width):
            # A zero node gets what no position of Y claims.
            pair.cost[r, p] = -M[r, ny] if pair.group_of[p] == X.group[x0 + r] else np.inf
    assign(pair.cost, nx, width, mapping, lap.col_to_row, lap.u, lap.v, lap.dist, lap.back, lap.scan, False)
