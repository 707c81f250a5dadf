"""Medoids: the training graphs of least sum of squared distances, by a swap search on a bounded sample."""

from typing import Any

import numpy as np

from graphquant._typing import AnyArray, BoolArray, FloatArray, IntArray
from graphquant.initialisation._base import Start
from graphquant.initialisation._distances import Distances
from graphquant.initialisation._table import start_from
from graphquant.initialisation.plusplus import draw
from graphquant.kernels.medoids import pairs_within, swap_medoids

# The time to match a pair grows about as the fourth power of the order, so all pairs of _WORK / order^2
# graphs take about a minute of one core. Bounds spare many of them, most if there are many codes.
LARGEST_SAMPLE, SMALLEST_SAMPLE = 1000, 100
_WORK = 55_000.0
# Graphs of the sample for each code, at the least if there are many codes, and at the most if there are few.
_LEAST_PER_CODE, _MOST_PER_CODE = 4, 40
# Swap searches, from other starts each; they are cheap beside the matchings.
_RESTARTS = 4
# A swap gains more than this share of the total, else rounding could go round in circles.
_TOL = 1e-12


def sample_size(mean_order: float, n_codes: int) -> int:
    """Return how many graphs the swap search works on: at most 1000, fewer for large graphs or few codes.

    Examples
    --------
    >>> from graphquant.initialisation.medoids import sample_size
    >>> [sample_size(order, n_codes=30) for order in (4.7, 8.4, 11.5, 24.6)]
    [1000, 779, 415, 120]
    """
    affordable = int(min(LARGEST_SAMPLE, _MOST_PER_CODE * n_codes, _WORK / max(mean_order, 1.0) ** 2))
    return max(affordable, SMALLEST_SAMPLE, _LEAST_PER_CODE * n_codes)


def choose_medoids(distances: Distances, n_codes: int, rng: np.random.Generator) -> Start:
    """Swap medoids of a sample as long as that lowers the sum of squared distances.

    Swap searches start from several sets that k-means++ draws; the best result is returned. No swap of a
    code with another graph of the sample would lower the sum. A collection no larger than the sample has a
    bound or a distance for every graph and code.
    """
    N = len(distances)
    size = min(N, sample_size(float(distances.X.orders.mean()), n_codes))
    sample = np.arange(N) if size == N else np.sort(rng.choice(N, size, replace=False))
    among = distances.among(sample)
    matrix = _Matrix(among)
    best, least = np.empty(0, dtype=np.int64), np.inf
    for _ in range(_RESTARTS if n_codes > 1 else 1):
        found = _seed(matrix.squared, n_codes, rng)
        total = _settle(matrix, found)
        if total < least:
            best, least = np.sort(found), total
    known = np.zeros((N, n_codes))
    known[sample] = matrix.lower[:, best]
    distances.n_matchings += among.n_matchings
    return start_from(distances, sample[best], known)


class _Matrix:
    """All squared distances, with lower bounds in place of those that are not known yet."""

    def __init__(self, distances: Distances) -> None:
        self.distances, n = distances, len(distances)
        rows, columns = np.triu_indices(n, k=1)
        self.lower: FloatArray = np.zeros((n, n))
        self.matched: BoolArray = np.eye(n, dtype=np.bool_)
        _set_pairs(self.lower, rows, columns, distances.bound(rows, columns))
        self.squared: FloatArray = self.lower**2

    def refine(self, limit: FloatArray) -> bool:
        """Match pairs up to a squared ``limit``; return if there were any."""
        rows, columns = pairs_within(self.squared, self.matched, limit)
        if len(rows) == 0:
            return False
        # Most of these pairs are far apart: proofs of their distances would take longer than all of learning.
        found = self.distances.match(rows, columns, proofs=False, progress=self.distances.progress)
        certified = np.maximum(found.lower_bound, self.lower[rows, columns])
        _set_pairs(self.squared, rows, columns, found.distance**2)
        _set_pairs(self.lower, rows, columns, np.where(found.proven, found.distance, certified))
        _set_pairs(self.matched, rows, columns, True)
        return True


def _set_pairs(matrix: AnyArray, rows: IntArray, columns: IntArray, values: Any) -> None:
    matrix[rows, columns] = matrix[columns, rows] = values


def _settle(matrix: _Matrix, medoids: IntArray) -> float:
    """Swap medoids (changed in place) until no swap lowers the true sum of squares; return the sum.

    With bounds in place of distances, sums are too low. So once the nearest medoid of every graph is at a
    known distance, the sum of the medoids is right, and no swap that is refused would lower it. Graphs that
    seem nearer than the medoid are matched too, because they would be tried next.
    """
    while True:
        squared = matrix.squared
        total: float = swap_medoids(squared, medoids, _TOL * float(squared.mean()))
        if not matrix.refine(squared[:, medoids].min(axis=1)):
            return total


def _seed(squared: FloatArray, n_codes: int, rng: np.random.Generator) -> IntArray:
    """Draw medoids by k-means++ on a matrix of squared distances."""
    chosen = [int(rng.integers(len(squared)))]
    nearest = squared[chosen[0]].copy()
    is_chosen = np.zeros(len(squared), dtype=np.bool_)
    is_chosen[chosen] = True
    while len(chosen) < n_codes:
        chosen.append(int(draw(nearest, is_chosen, 1, rng)[0]))
        is_chosen[chosen[-1]] = True
        np.minimum(nearest, squared[chosen[-1]], out=nearest)
    return np.array(chosen)


__all__ = ["choose_medoids", "sample_size"]
