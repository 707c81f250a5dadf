"""Medoids: the training graphs with the smallest sum of distances, by a swap search on a bounded sample."""

import math

import numpy as np

from graphquant._core.medoids import swap_medoids
from graphquant._random import draw
from graphquant._threads import stoppable
from graphquant._typing import AnyArray, BoolArray, FloatArray, IntArray
from graphquant.initialisation.distances import Distances
from graphquant.initialisation.start import Start

# Graphs of the sample; minimum per code if there are many codes, and maximum per code if there are few.
LARGEST_SAMPLE, SMALLEST_SAMPLE = 1000, 100
_LEAST_PER_CODE, _MOST_PER_CODE = 4, 40
# Graphs up to this mean order are matched where bounds leave the choice open. For larger ones that would
# take longer than all of learning: their bounds, at least nine tenths of the distance, replace distances.
_MATCHED_UP_TO = 16.0
# This many pairs, divided by the powers of the order in their run times, take at most a few seconds.
_MATCHED_PAIRS, _BOUNDED_PAIRS = 3e9, 1e9
# Pairs that are a little too far to matter are matched as well: they would be the next ones.
_AHEAD = 1.02
# A swap must gain more than this share of a mean distance: less is rounding.
_TOL = 1e-12


def sample_size(mean_order: float, n_codes: int) -> int:
    """Return how many graphs the swap search works on: at most 1000, fewer for large graphs or few codes.

    Examples
    --------
    >>> from graphquant.initialisation.medoids import sample_size
    >>> [sample_size(order, n_codes=30) for order in (4.7, 8.4, 11.5, 31.0, 100.0)]
    [1000, 1000, 585, 1000, 447]
    """
    order = max(mean_order, 1.0)
    pairs = _MATCHED_PAIRS / order**4 if order <= _MATCHED_UP_TO else _BOUNDED_PAIRS / order**2
    affordable = math.sqrt(2.0 * pairs)
    return max(
        int(min(LARGEST_SAMPLE, _MOST_PER_CODE * n_codes, affordable)),
        SMALLEST_SAMPLE,
        _LEAST_PER_CODE * n_codes,
    )


def choose_medoids(distances: Distances, n_codes: int, rng: np.random.Generator) -> Start:
    """Swap medoids of a sample while that reduces the sum of distances.

    It is the sum of distances and not of their squares because the aim is to find clusters: outliers would
    pull medoids away from them. Learning then leads to means, which minimise squares.

    The search starts from graphs drawn by k-means++, and ends when no swap of a code with another graph
    of the sample would reduce the sum. Searches from other starts rarely end half a percent lower, and at
    the same sum if there are hundreds of graphs. Lower bounds replace distances that decide nothing, for
    large graphs always. A collection no larger than the sample has a bound or a distance
    for every graph and code.
    """
    N, mean_order = len(distances), float(distances.X.orders.mean())
    sample = np.sort(rng.choice(N, min(N, sample_size(mean_order, n_codes)), replace=False))
    among = distances.among(sample)
    matrix = _Matrix(among, matches=mean_order <= _MATCHED_UP_TO)
    medoids = np.sort(_settle(matrix, _seed(matrix.distance, n_codes, rng)))
    known = np.zeros((N, n_codes))
    known[sample] = matrix.lower[medoids].T
    distances.n_matchings += among.n_matchings
    return distances.start(sample[medoids], known)


class _Matrix:
    """Distances of all pairs of graphs, with lower bounds for those still unknown."""

    def __init__(self, distances: Distances, *, matches: bool) -> None:
        self.distances, self.matches = distances, matches
        self.lower: FloatArray = distances.product_bounds()
        np.fill_diagonal(self.lower, 0.0)
        self.distance: FloatArray = self.lower.copy()
        # Whether more than the product bound of a pair is known; whether everything requested is known.
        self.is_sharp: BoolArray = np.eye(len(distances), dtype=np.bool_)
        self.is_done: BoolArray = self.is_sharp.copy()

    def refine(self, limit: FloatArray) -> bool:
        """Match pairs up to a ``limit``, or bound them sharply; return whether there were any left."""
        limit = _AHEAD * limit
        rows, columns = pairs_within(self.distance, self.is_done, limit)
        if len(rows) == 0:
            return False
        self._sharpen(rows, columns)
        is_near = self.distance[rows, columns] <= np.maximum(limit[rows], limit[columns])
        rows, columns = rows[is_near], columns[is_near]
        if self.matches and len(rows):
            # Most of these pairs are far apart: proofs of distances would take longer than all of learning.
            found = self.distances.match(rows, columns, proofs=False, progress=self.distances.progress)
            certified = np.maximum(found.lower_bound, self.lower[rows, columns])
            _set_pairs(self.distance, rows, columns, found.distance)
            _set_pairs(self.lower, rows, columns, np.where(found.proven, found.distance, certified))
        _set_pairs(self.is_done, rows, columns, True)
        return True

    def _sharpen(self, rows: IntArray, columns: IntArray) -> None:
        """Set the star bounds of pairs that have product bounds only."""
        blunt = ~self.is_sharp[rows, columns]
        pairs = rows[blunt], columns[blunt]
        bounds = np.maximum(self.distances.star_bounds(*pairs), self.lower[pairs])
        _set_pairs(self.lower, *pairs, bounds)
        _set_pairs(self.distance, *pairs, bounds)
        _set_pairs(self.is_sharp, *pairs, True)


def pairs_within(distance: FloatArray, is_known: BoolArray, limit: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the unknown pairs i < j that are within the limit of one of the two."""
    within = (distance <= limit[:, None]) | (distance <= limit)
    within &= ~is_known
    # Found in one dimension, because numpy is slow at it in two.
    rows, columns = np.divmod(np.flatnonzero(within), len(distance))
    is_upper = rows < columns
    return rows[is_upper], columns[is_upper]


def _set_pairs(matrix: AnyArray, rows: IntArray, columns: IntArray, values: AnyArray | bool) -> None:
    """Set entries of a symmetric matrix."""
    matrix[rows, columns] = values
    matrix[columns, rows] = values


def _settle(matrix: _Matrix, medoids: IntArray) -> IntArray:
    """Swap medoids until no swap reduces the true sum.

    With bounds in place of distances, sums are too low. So once the nearest medoid of every graph is at a
    known distance, the sum of the medoids is correct, and no rejected swap would reduce it. Graphs that
    seem nearer than the medoid are matched too, because they would be tried next.
    """
    distance = matrix.distance
    tol = _TOL * float(distance.mean())
    medoids = swap(distance, medoids, tol)
    while matrix.refine(distance[medoids].min(axis=0)):
        medoids = swap(distance, medoids, tol)
    return medoids


def swap(distance: FloatArray, medoids: IntArray, tol: float) -> IntArray:
    """Return the final medoids of a swap search on a matrix; Ctrl-C ends it."""
    found, _ = stoppable(lambda stop: swap_medoids(distance, medoids, tol=tol, stop=stop))
    return found


def _seed(distance: FloatArray, n_codes: int, rng: np.random.Generator) -> IntArray:
    """Draw medoids by k-means++ on a matrix of distances."""
    is_chosen = np.zeros(len(distance), dtype=np.bool_)
    chosen = [int(rng.integers(len(distance)))]
    nearest = distance[chosen[0]] ** 2
    is_chosen[chosen] = True
    while len(chosen) < n_codes:
        chosen.append(int(draw(nearest, is_chosen, 1, rng)[0]))
        is_chosen[chosen[-1]] = True
        np.minimum(nearest, distance[chosen[-1]] ** 2, out=nearest)
    return np.array(chosen)


__all__ = ["choose_medoids", "pairs_within", "sample_size", "swap"]
