"""Swap search for k medoids on a matrix of dissimilarities."""

import numpy as np

from graphquant.kernels._jit import allocating_entry, kernel


@kernel
def _two_nearest(D, medoids, o, far, nearest, value, runner_up, second):
    """OUT nearest[o], value[o]: medoid of least dissimilarity and that; runner_up[o], second[o]: the next."""
    best, next_best, at, next_at = np.inf, far, 0, -1
    for m in range(medoids.shape[0]):
        d = D[medoids[m], o]
        if d < best:
            if best < far:
                next_best, next_at = best, at
            best, at = d, m
        elif d < next_best:
            next_best, next_at = d, m
    nearest[o], value[o], runner_up[o], second[o] = at, best, next_at, next_best


@kernel
def _renew_nearest(D, medoids, changed, far, nearest, value, runner_up, second):
    """INOUT what _two_nearest gives for all objects, after one medoid has changed."""
    for o in range(nearest.shape[0]):
        d = D[medoids[changed], o]
        if nearest[o] == changed or runner_up[o] == changed:
            _two_nearest(D, medoids, o, far, nearest, value, runner_up, second)
        elif d < value[o] or (d == value[o] and changed < nearest[o]):
            runner_up[o], second[o] = nearest[o], value[o]
            nearest[o], value[o] = changed, d
        elif d < second[o]:
            runner_up[o], second[o] = changed, d


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
    D,  # IN     (m, n) dissimilarities of candidates and objects
    medoids,  # INOUT  (k,) different candidates
    tol,  # IN     a swap lowers the total by more than this
):
    """Swap medoids with other candidates as long as that lowers the total; return the total.

    Each candidate in turn is tried in place of every medoid at once, and the best of these swaps is made at
    once if it gains (the eager swaps of Schubert and Rousseeuw, Fast and eager k-medoids clustering, 2021).
    """
    n_candidates, n, k = D.shape[0], D.shape[1], medoids.shape[0]
    # A single medoid has no second one; this in its place leaves the sums right, which inf would not.
    far = D.max() if k == 1 else np.inf
    nearest = np.empty(n, dtype=np.int64)
    runner_up = np.empty(n, dtype=np.int64)
    value, second = np.empty(n), np.empty(n)
    loss, change = np.empty(k), np.empty(k)
    is_medoid = np.zeros(n_candidates, dtype=np.bool_)
    for m in range(k):
        is_medoid[medoids[m]] = True
    for o in range(n):
        _two_nearest(D, medoids, o, far, nearest, value, runner_up, second)
    _removal_losses(nearest, value, second, loss)
    candidate, tried = 0, 0
    while tried < n_candidates:
        tried += 1
        if not is_medoid[candidate]:
            m, gain = _best_swap(D, candidate, nearest, value, second, loss, change)
            if gain < -tol:
                is_medoid[medoids[m]] = False
                is_medoid[candidate] = True
                medoids[m] = candidate
                _renew_nearest(D, medoids, m, far, nearest, value, runner_up, second)
                _removal_losses(nearest, value, second, loss)
                tried = 0
        candidate = candidate + 1 if candidate + 1 < n_candidates else 0
    return value.sum()


@allocating_entry
def pairs_within(
    D,  # IN   (n, n) dissimilarities
    known,  # IN   (n, n) bool
    limit,  # IN   (n,)
):
    """Return the pairs c < o, not known yet, that are within the limit of one of the two."""
    n = D.shape[0]
    pairs, count = np.empty((2, n), dtype=np.int64), 0
    for c in range(n):
        for o in range(c + 1, n):
            if known[c, o] or (D[c, o] > limit[o] and D[c, o] > limit[c]):
                continue
            if count == pairs.shape[1]:
                more = np.empty((2, 2 * count), dtype=np.int64)
                more[:, :count] = pairs
                pairs = more
            pairs[0, count], pairs[1, count] = c, o
            count += 1
    return pairs[:, :count]
