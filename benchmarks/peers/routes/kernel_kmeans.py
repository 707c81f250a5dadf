"""Kernel k-means from a k-means++ start, the best of 10."""

import numpy as np


def start(matrix, k, rng):
    diagonal = np.diag(matrix)
    chosen = [rng.integers(len(matrix))]
    table = [diagonal + diagonal[chosen[0]] - 2.0 * matrix[chosen[0]]]
    while len(chosen) < k:
        nearest = np.maximum(np.min(table, axis=0), 0.0)
        nearest = nearest if nearest.sum() > 0.0 else np.ones(len(matrix))
        chosen.append(rng.choice(len(matrix), p=nearest / nearest.sum()))
        table.append(diagonal + diagonal[chosen[-1]] - 2.0 * matrix[chosen[-1]])
    return np.argmin(table, axis=0)


def cluster(matrix, k, seed, max_iter=100):
    rng = np.random.default_rng(seed)
    least = np.inf
    for _ in range(10):
        labels = start(matrix, k, rng)
        for _ in range(max_iter):
            members = np.eye(k)[labels]
            members /= np.maximum(members.sum(axis=0), 1.0)
            similar = matrix @ members
            distances = (members * similar).sum(axis=0) - 2.0 * similar
            previous, labels = labels, np.argmin(distances, axis=1)
            if (labels == previous).all():
                break
        total = distances.min(axis=1).sum()
        if total < least:
            least, best = total, labels
    return best, None
