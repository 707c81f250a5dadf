"""k-means++: codes drawn with probability proportional to the squared distance, the best of several draws."""

import math
from dataclasses import dataclass

import numpy as np

from graphquant._random import draw
from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.initialisation.distances import Distances
from graphquant.initialisation.start import Start
from graphquant.initialisation.table import BOUNDED, CERTAIN, MATCHED, Table
from graphquant.matching.pairwise import progress_bar

# A candidate is matched with the graphs that it may win, a part at a time: after each part its potential is
# known more accurately, and often already too high.
_PART, _PARTS = 64, 4


def n_candidates(n_codes: int) -> int:
    """Return how many candidates are drawn per code."""
    return 2 + int(math.log(n_codes))


def choose_plus_plus(distances: Distances, n_codes: int, rng: np.random.Generator) -> Start:
    """Draw the first code uniformly, the others by D^2 sampling: greedily the best of several candidates.

    A candidate's potential is sum_X min(D(X), d(X, candidate))^2. Distances that bounds show to be at least
    D(X) are not evaluated, nor are candidates that can no longer be the best. The codes are the same as
    with all distances.

    References
    ----------
    D. Arthur and S. Vassilvitskii, k-means++: the advantages of careful seeding, SODA 2007.
    """
    table = Table(distances, n_codes)
    first = table.add(int(rng.integers(len(distances))))
    others = np.flatnonzero(~table.is_chosen)
    if n_codes > 1:
        table.match(others, np.full(len(others), first))
    with progress_bar(n_codes - 1, distances.progress, "Choosing codes") as advance:
        for _ in range(1, n_codes):
            _add_best(table, draw(table.nearest**2, table.is_chosen, n_candidates(n_codes), rng))
            if advance is not None:
                advance(1)
    return table.start()


@dataclass
class _Candidate:
    """A candidate training graph, and what is known about its distances to all others."""

    graph: int
    lower: FloatArray  # (n_graphs,) as in the table
    state: AnyArray
    reach: FloatArray  # (n_graphs,) at most min(D(X), d(X, graph)); equal once nothing is undecided
    undecided: IntArray  # graphs that it may win, those with the largest possible gain first

    @property
    def potential(self) -> float:
        """Sum of squares; never above the final one, because rounding preserves the order of sums."""
        return float(np.sum(self.reach**2))


def _add_best(table: Table, drawn: IntArray) -> None:
    """Add the candidate with the lowest potential; among equal ones the first drawn."""
    # dict: each graph once, in the order of drawing.
    candidates = [_on_trial(table, graph) for graph in dict.fromkeys(drawn.tolist())]
    best, best_potential, best_at = candidates[0], np.inf, len(candidates)
    for at in np.argsort([candidate.potential for candidate in candidates], kind="stable").tolist():
        limit = best_potential if at > best_at else np.nextafter(best_potential, np.inf)
        potential = _potential_below(table, candidates[at], limit)
        if potential < limit:
            best, best_potential, best_at = candidates[at], potential, at
    code = table.add(best.graph)
    rows = np.flatnonzero(np.arange(len(best.lower)) != best.graph)
    table.lower[rows, code], table.state[rows, code] = best.lower[rows], best.state[rows]
    table.lower_nearest(rows, code, best.reach[rows])


def _on_trial(table: Table, graph: int) -> _Candidate:
    """Bound the distances of a candidate to all graphs that it may win."""
    rows = np.arange(len(table.nearest))
    lower = table.triangle_bounds(rows, np.full(len(rows), graph))
    state = np.zeros(len(rows), dtype=np.uint8)
    lower[graph], state[graph] = 0.0, CERTAIN
    short = np.flatnonzero((lower < table.nearest) & (rows != graph))
    found = table.distances.bound(short, np.full(len(short), graph), enough=table.nearest[short])
    lower[short], state[short] = np.maximum(lower[short], found), BOUNDED
    reach = np.minimum(table.nearest, lower)
    undecided = short[lower[short] < table.nearest[short]]
    gain = table.nearest[undecided] ** 2 - lower[undecided] ** 2
    return _Candidate(graph, lower, state, reach, undecided[np.argsort(-gain, kind="stable")])


def _potential_below(table: Table, candidate: _Candidate, limit: float) -> float:
    """Evaluate distances of a candidate until its potential is known, or known to reach the limit."""
    part = max(_PART, -(-len(candidate.undecided) // _PARTS))
    while len(candidate.undecided) and candidate.potential < limit:
        rows = candidate.undecided[:part]
        candidate.undecided = candidate.undecided[part:]
        found = table.distances.match(rows, np.full(len(rows), candidate.graph))
        candidate.lower[rows] = np.where(
            found.proven, found.distance, np.maximum(candidate.lower[rows], found.lower_bound)
        )
        candidate.state[rows] = np.where(found.proven, CERTAIN, MATCHED)
        candidate.reach[rows] = np.minimum(table.nearest[rows], found.distance)
    return candidate.potential


__all__ = ["n_candidates", "choose_plus_plus"]
