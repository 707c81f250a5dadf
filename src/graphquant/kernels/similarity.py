"""Similarity of nodes by their wider neighbourhoods: a start for matchers that see one step only."""

import numpy as np

from graphquant.kernels._jit import kernel

# Share of the neighbours' similarity that counts, measured on the four data sets.
DAMPING = 0.7


@kernel
def widen_similarity(X, i, Y, j, gain, similarity, work):
    """INOUT similarity[r, p]: gain of r on p plus, damped, the similarity of the neighbours' best partners.

    Each call sees one step further; neighbours choose independently of each other.
    """
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - y0
    weight = X.pair_weight
    for r in range(nx):
        for p in range(ny):
            work[r, p] = similarity[r, p]
    for r in range(nx):
        for p in range(ny):
            if gain[r, p] == -np.inf:
                continue
            total = 0.0
            for k in range(X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]):
                s = X.adj_idx[k]
                best = 0.0
                for m in range(Y.adj_ptr[y0 + p], Y.adj_ptr[y0 + p + 1]):
                    value = 0.0
                    for c in range(X.adj_vec.shape[1]):
                        value += X.adj_vec[k, c] * Y.adj_vec[m, c]
                    best = max(best, weight * value + work[s, Y.adj_idx[m]])
                total += best
            similarity[r, p] = gain[r, p] + DAMPING * total
