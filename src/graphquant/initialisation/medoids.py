"""Medoids: the training graphs of least sum of distances, by a swap search on a bounded sample."""

import math

import numpy as np

from graphquant._typing import AnyArray, BoolArray, FloatArray, IntArray
from graphquant.initialisation._base import Start
from graphquant.initialisation._distances import Distances
from graphquant.initialisation._table import start_from
from graphquant.initialisation.plusplus import draw
from graphquant.kernels.medoids import pairs_within, swap_medoids

# Graphs of the sample; for each code at the least if there are many codes, and at the most if there are few.
LARGEST_SAMPLE, SMALLEST_SAMPLE = 1000, 100
_LEAST_PER_CODE, _MOST_PER_CODE = 4, 40
# Graphs of the sample that may become medoids, for each code and at the least.
_CANDIDATES_PER_CODE, _LEAST_CANDIDATES = 4, 150
# Of graphs above this mean order all of the sample may: the search takes less time than learning then, and
# more candidates gained a point of accuracy on GREC (11.5 nodes), nothing on fingerprints (8.4).
_FEW_CANDIDATES_UP_TO = 10.0
# Graphs of up to this mean order are matched where bounds leave the choice open. Of larger ones that would
# take longer than all of learning: their bounds, nine tenths of the distance or more, stand for distances.
_MATCHED_UP_TO = 16.0
# So many pairs, over powers of the order that their times grow with, take a few seconds at the most.
_MATCHED_PAIRS, _BOUNDED_PAIRS = 3e9, 1.5e8
# A graph is hardly ever given to a medoid that is farther than this share of all graphs, over the number of
# codes: such distances need no sharp bounds. So many candidates tell which distances these are. Not where
# graphs are larger than this on average: some more pairs are matched for it, which takes longer then.
_NEAR, _FIRST, _SHARP_ABOVE = 3.0, 8, 6.0
# Swap searches, from other starts each; they are cheap beside the matchings.
_RESTARTS = 4
# A swap gains more than this share of the total, else rounding could go round in circles.
_TOL = 1e-12


def sample_size(mean_order: float, n_codes: int) -> int:
    """Return how many graphs the swap search works on: at most 1000, fewer for large graphs or few codes.

    Examples
    --------
    >>> from graphquant.initialisation.medoids import sample_size
    >>> [sample_size(order, n_codes=30) for order in (4.7, 8.4, 11.5, 31.0, 100.0)]
    [1000, 1000, 585, 1000, 175]
    """
    order = max(mean_order, 1.0)
    pairs = _MATCHED_PAIRS / order**4 if order <= _MATCHED_UP_TO else _BOUNDED_PAIRS / order**2
    # n graphs that are all candidates are n^2 / 2 pairs.
    candidates = min(n_candidates(mean_order, n_codes), math.sqrt(2.0 * pairs))
    affordable = pairs / candidates + candidates / 2.0
    return max(
        int(min(LARGEST_SAMPLE, _MOST_PER_CODE * n_codes, affordable)),
        SMALLEST_SAMPLE,
        _LEAST_PER_CODE * n_codes,
    )


def n_candidates(mean_order: float, n_codes: int) -> int:
    """Return how many graphs of a sample may become medoids, if it has as many.

    Examples
    --------
    >>> from graphquant.initialisation.medoids import n_candidates
    >>> [n_candidates(order, n_codes=30) for order in (4.7, 8.4, 11.5, 31.0)]
    [150, 150, 1000, 150]
    """
    takes_all = _FEW_CANDIDATES_UP_TO < mean_order <= _MATCHED_UP_TO
    return max(LARGEST_SAMPLE if takes_all else _LEAST_CANDIDATES, _CANDIDATES_PER_CODE * n_codes)


def choose_medoids(distances: Distances, n_codes: int, rng: np.random.Generator) -> Start:
    """Swap medoids of a sample as long as that lowers the sum of distances.

    It is the sum of distances and not of their squares because clusters are to be found: graphs far from all
    others would draw medoids away from them. Means, which learning leads to, are of least squares.

    In most cases only some graphs of the sample are candidates: it matters which clusters are found, and less
    which of their graphs stands for them. Swap searches start from several sets that k-means++ draws;
    the best result is returned. No swap of a code with another candidate would lower the sum. In place of
    distances that decide nothing there are lower bounds, for large graphs always. A collection no larger than
    the sample has a bound or a distance for every graph and code.
    """
    N, mean_order = len(distances), float(distances.X.orders.mean())
    drawn = rng.choice(N, min(N, sample_size(mean_order, n_codes)), replace=False)
    # The first ones of the sample are the candidates.
    candidates, others = np.split(drawn, [n_candidates(mean_order, n_codes)])
    sample = np.concatenate([np.sort(candidates), np.sort(others)])
    among = distances.among(sample)
    matrix = _Matrix(among, len(candidates), n_codes, matches=mean_order <= _MATCHED_UP_TO)
    best, least = np.empty(0, dtype=np.int64), np.inf
    for _ in range(_RESTARTS if n_codes > 1 else 1):
        found = _seed(matrix.distance, n_codes, rng)
        total = _settle(matrix, found)
        if total < least:
            best, least = np.sort(found), total
    known = np.zeros((N, n_codes))
    known[sample] = matrix.lower[best].T
    distances.n_matchings += among.n_matchings
    return start_from(distances, sample[best], known)


class _Matrix:
    """Distances of all graphs to the first ones, with lower bounds for those not known yet."""

    def __init__(self, distances: Distances, n_candidates: int, n_codes: int, *, matches: bool) -> None:
        self.distances, self.matches, shape = distances, matches, (n_candidates, len(distances))
        rows, columns = np.triu_indices(n_candidates, k=1, m=len(distances))
        self.lower: FloatArray = np.zeros(shape)
        self.matched: BoolArray = np.eye(*shape, dtype=np.bool_)
        # The first candidates tell what is far.
        n_first = min(_FIRST * len(distances), len(rows))
        first = distances.star_bounds(rows[:n_first], columns[:n_first])
        are_small = matches and distances.X.orders.mean() <= _SHARP_ABOVE
        far = (
            float(np.quantile(first, _NEAR / n_codes))
            if are_small and n_codes > _NEAR and n_first > 0
            else np.inf
        )
        rest = distances.star_bounds(rows[n_first:], columns[n_first:], enough=far)
        _set_pairs(self.lower, rows, columns, np.concatenate([first, rest]))
        self.distance: FloatArray = self.lower.copy()

    def refine(self, limit: FloatArray) -> bool:
        """Match pairs up to a ``limit``; return if there were any to match."""
        if not self.matches:
            return False
        rows, columns = pairs_within(self.distance, self.matched, limit)
        if len(rows) == 0:
            return False
        # Most of these pairs are far apart: proofs of their distances would take longer than all of learning.
        found = self.distances.match(rows, columns, proofs=False, progress=self.distances.progress)
        certified = np.maximum(found.lower_bound, self.lower[rows, columns])
        _set_pairs(self.distance, rows, columns, found.distance)
        _set_pairs(self.lower, rows, columns, np.where(found.proven, found.distance, certified))
        _set_pairs(self.matched, rows, columns, np.ones(len(rows), dtype=np.bool_))
        return True


def _set_pairs(matrix: AnyArray, rows: IntArray, columns: IntArray, values: AnyArray) -> None:
    """Set entries, and where both are candidates also those of the pair the other way round."""
    matrix[rows, columns] = values
    both = columns < len(matrix)
    matrix[columns[both], rows[both]] = values[both]


def _settle(matrix: _Matrix, medoids: IntArray) -> float:
    """Swap medoids (changed in place) until no swap lowers the true sum; return the sum.

    With bounds in place of distances, sums are too low. So once the nearest medoid of every graph is at a
    known distance, the sum of the medoids is right, and no swap that is refused would lower it. Graphs that
    seem nearer than the medoid are matched too, because they would be tried next.
    """
    while True:
        distance = matrix.distance
        total: float = swap_medoids(distance, medoids, _TOL * float(distance.mean()))
        if not matrix.refine(distance[medoids].min(axis=0)):
            return total


def _seed(distance: FloatArray, n_codes: int, rng: np.random.Generator) -> IntArray:
    """Draw medoids of the candidates by k-means++ on a matrix of distances."""
    n_candidates = len(distance)
    squared = distance[:, :n_candidates] ** 2
    chosen = [int(rng.integers(n_candidates))]
    nearest = squared[chosen[0]].copy()
    is_chosen = np.zeros(n_candidates, dtype=np.bool_)
    is_chosen[chosen] = True
    while len(chosen) < n_codes:
        chosen.append(int(draw(nearest, is_chosen, 1, rng)[0]))
        is_chosen[chosen[-1]] = True
        np.minimum(nearest, squared[chosen[-1]], out=nearest)
    return np.array(chosen)


__all__ = ["choose_medoids", "sample_size"]
