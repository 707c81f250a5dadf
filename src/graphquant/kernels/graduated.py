"""Graduated assignment (Gold and Rangarajan, 1996), the paper's approximate matcher.

Deterministic annealing of a match matrix with one slack row and column: exponentiate the gradient,
normalise rows and columns by turns (Sinkhorn), raise beta, and clean up by a linear assignment.
Compatibilities are divided by the largest of them, so that beta means the same at every scale.
"""

import numpy as np

from graphquant.kernels._jit import kernel, summing
from graphquant.kernels._vectors import (
    SHORT,
    add_neighbours,
    exponentiate,
    normalise_short_rows,
    whole_blocks,
)
from graphquant.kernels.lap import assign


@kernel
def _has_channel(X, i, c):
    """Whether any edge has a value in a channel; few kinds of edges are in every graph."""
    found = False
    for k in range(X.adj_ptr[X.node_ptr[i]], X.adj_ptr[X.node_ptr[i + 1]]):
        found |= X.adj_vec[k, c] != 0.0
    return found


@kernel
def _support(X, i, Y, j, M, nx, ny, offer, turned, support):
    """OUT support[p, r] = sum over s, t of <x_rs, y_pt> M[s, t], as two sparse products.

    WORK offer (nx, ny) and turned (ny, nx), the same turned round: both products add whole rows.
    """
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    for p in range(ny):
        for r in range(whole_blocks(nx)):
            support[p, r] = 0.0
    for c in range(X.adj_vec.shape[1]):
        if not _has_channel(X, i, c):
            continue
        for r in range(nx):
            for t in range(whole_blocks(ny)):
                offer[r, t] = 0.0
            add_neighbours(X, x0 + r, c, M, ny, offer, r)
        for t in range(ny):
            for r in range(nx):
                turned[t, r] = offer[r, t]
        for p in range(ny):
            add_neighbours(Y, y0 + p, c, turned, nx, support, p)


@kernel
def _largest_compatibility(X, i, Y, j, gain, nx, ny):
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    largest = 0.0
    for r in range(nx):
        for p in range(ny):
            if gain[r, p] > -np.inf:
                largest = max(largest, abs(gain[r, p]))
    for r in range(nx):
        for k in range(X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]):
            if X.adj_idx[k] < r:
                continue  # seen from its other end, and those of Y from both
            for m in range(Y.adj_ptr[y0], Y.adj_ptr[y0 + ny]):
                total = 0.0
                for c in range(X.adj_vec.shape[1]):
                    total += X.adj_vec[k, c] * Y.adj_vec[m, c]
                largest = max(largest, X.pair_weight * abs(total))
    return largest


@summing
def _normalise_long_rows(E, nx, ny, u, v, column):
    """Do as ``normalise_short_rows``; WORK column."""
    for p in range(ny):
        column[p] = 1.0
    change = 0.0
    for r in range(nx):
        total = 1.0
        for p in range(ny):
            total += E[r, p] * v[p]
        change += abs(u[r] * total - 1.0)
        u[r] = 1.0 / total
        for p in range(ny):
            column[p] += E[r, p] * u[r]
    for p in range(ny):
        v[p] = 1.0 / column[p]
    return change


@kernel
def _normalise(E, nx, ny, max_iter, tolerance, u, v, column):
    """Sinkhorn: rows, then columns, until the sums of rows were within ``tolerance`` of one in sum.

    The normalised matrix is u[r] E[r, p] v[p] (OUT u, v; WORK column). Slack entries begin as one: that of a
    row ends as u[r], that of a column as v[p].
    """
    for _ in range(max_iter):
        if ny <= SHORT:
            change = normalise_short_rows(E, nx, ny, u, v)
        else:
            change = _normalise_long_rows(E, nx, ny, u, v, column)
        if change < tolerance:
            return


@summing
def _set_shares(E, nx, ny, u, v, M):
    """OUT M = the normalised matrix; return by how much its entries have changed in sum."""
    change = 0.0
    for r in range(nx):
        for p in range(ny):
            share = u[r] * E[r, p] * v[p]
            change += abs(share - M[r, p])
            M[r, p] = share
    return change


@kernel
def graduated_assignment(
    X,
    i,
    Y,
    j,
    width,  # IN   positions: those of Y, then zero nodes
    pair,  # WORK PairBuffers with group_of, gain
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
    # The match matrix; the same before it is normalised; the scales that normalise it.
    M, E, u, v = pair.trial_support, pair.cost, lap.u, lap.v
    largest = _largest_compatibility(X, i, Y, j, gain, nx, ny)
    scale = 1.0 / largest if largest > 0.0 else 0.0
    for p in range(whole_blocks(ny)):
        v[p] = 1.0
    for r in range(nx):
        u[r] = 1.0
        for p in range(ny):
            M[r, p] = 1.0 + 1e-3
    while beta < beta_end:
        for _ in range(max_inner):
            _support(X, i, Y, j, M, nx, ny, pair.best_support, pair.star, support)
            for r in range(nx):
                for p in range(ny):
                    E[r, p] = beta * scale * (gain[r, p] + X.pair_weight * support[p, r])
            # Nodes of two classes have a gain of -inf; times 0 it is no number, and counts as that.
            exponentiate(E, nx, ny)
            _normalise(E, nx, ny, max_sinkhorn, tol_sinkhorn, u, v, lap.dist)
            if _set_shares(E, nx, ny, u, v, M) < tol_inner:
                break
        beta *= beta_rate
    for r in range(nx):
        for p in range(ny):
            pair.cost[r, p] = -M[r, p] if gain[r, p] > -np.inf else np.inf
        for p in range(ny, width):
            # A zero node gets what no position of Y claims.
            pair.cost[r, p] = -u[r] if pair.group_of[p] == X.group[x0 + r] else np.inf
    assign(pair.cost, nx, width, mapping, lap)
