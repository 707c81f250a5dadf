"""Swap search for k medoids on a matrix of dissimilarities."""

import numpy as np

from graphquant.kernels._jit import allocating_entry, kernel


@kernel
def _two_nearest(D, medoids, o, far, nearest, value, second):
    """OUT nearest[o], value[o], second[o] = the medoid of least dissimilarity, that, the second least one."""
    best, runner_up, at = np.inf, far, 0
    for m in range(medoids.shape[0]):
        d = D[o, medoids[m]]
        if d < best:
            runner_up = min(best, far)
            best, at = d, m
        elif d < runner_up:
            runner_up = d
    nearest[o], value[o], second[o] = at, best, runner_up


@kernel
def _removal_losses(nearest, value, second, loss):
    """OUT loss[m] = what the total rises by if medoid m is taken away."""
    loss[:] = 0.0
    for o in range(nearest.shape[0]):
        loss[nearest[o]] += second[o] - value[o]


@kernel
def _best_swap(D, candidate, nearest, value, second, loss, change):
    """Return the medoid that the candidate replaces best, and the change of the total (WORK change)."""
    shared = 0.0
    for m in range(loss.shape[0]):
        change[m] = loss[m]
    for o in range(nearest.shape[0]):
        d = D[candidate, o]
        if d < value[o]:
            # It wins the object, whichever medoid goes.
            shared += d - value[o]
            change[nearest[o]] += value[o] - second[o]
        elif d < second[o]:
            change[nearest[o]] += d - second[o]
    m = np.argmin(change)
    return m, shared + change[m]


@allocating_entry
def swap_medoids(
    D,  # IN     (n, n) symmetric dissimilarities
    medoids,  # INOUT  (k,) different objects
    tol,  # IN     a swap lowers the total by more than this
):
    """Swap medoids with other objects as long as that lowers the total; return the total.

    Each object in turn is tried in place of every medoid at once, and the best of these swaps is made at once
    if it gains (the eager swaps of Schubert and Rousseeuw, Fast and eager k-medoids clustering, 2021).
    """
    n, k = D.shape[0], medoids.shape[0]
    # A single medoid has no second one; this in its place leaves the sums right, which inf would not.
    far = D.max()
    nearest = np.empty(n, dtype=np.int64)
    value, second = np.empty(n), np.empty(n)
    loss, change = np.empty(k), np.empty(k)
    is_medoid = np.zeros(n, dtype=np.bool_)
    for m in range(k):
        is_medoid[medoids[m]] = True
    for o in range(n):
        _two_nearest(D, medoids, o, far, nearest, value, second)
    _removal_losses(nearest, value, second, loss)
    candidate, tried = 0, 0
    while tried < n:
        tried += 1
        if not is_medoid[candidate]:
            m, gain = _best_swap(D, candidate, nearest, value, second, loss, change)
            if gain < -tol:
                is_medoid[medoids[m]] = False
                is_medoid[candidate] = True
                medoids[m] = candidate
                for o in range(n):
                    _two_nearest(D, medoids, o, far, nearest, value, second)
                _removal_losses(nearest, value, second, loss)
                tried = 0
        candidate = candidate + 1 if candidate + 1 < n else 0
    return value.sum()


@allocating_entry
def pairs_within(
    D,  # IN   (n, n) symmetric dissimilarities
    known,  # IN   (n, n) bool
    limit,  # IN   (n,)
):
    """Return the pairs i < j, not known yet, whose dissimilarity is within the limit of either object."""
    n, count = D.shape[0], 0
    for fill in range(2):
        if fill == 1:
            pairs = np.empty((2, count), dtype=np.int64)
            count = 0
        for i in range(n):
            for j in range(i + 1, n):
                if not known[i, j] and (D[i, j] <= limit[i] or D[i, j] <= limit[j]):
                    if fill == 1:
                        pairs[0, count], pairs[1, count] = i, j
                    count += 1
    return pairs
