"""The definitions on all distances, with nothing left out."""

import numpy as np

from graphquant._random import draw
from graphquant.initialisation.plusplus import n_candidates


def furthest_first(D, first, k):
    """The codes after a given first one: argmax of the least distance, ties to the lowest index."""
    chosen = [first]
    while len(chosen) < k:
        least = D[:, chosen].min(axis=1)
        least[chosen] = -1.0
        chosen.append(int(least.argmax()))
    return chosen


def plus_plus(D, k, seed):
    """Greedy k-means++ that evaluates every candidate."""
    rng = np.random.default_rng(seed)
    chosen = [int(rng.integers(len(D)))]
    while len(chosen) < k:
        least = D[:, chosen].min(axis=1)
        candidates = draw(least**2, np.isin(np.arange(len(D)), chosen), n_candidates(k), rng)
        potentials = [np.sum(np.minimum(least, D[:, c]) ** 2) for c in candidates]
        chosen.append(int(candidates[np.argmin(potentials)]))
    return chosen


def total(D, medoids):
    """Sum of distances to the nearest medoid."""
    return D[:, list(medoids)].min(axis=1).sum()
