"""Distances and bounds between the graphs of one collection, asked for a few at a time."""

import math
from functools import cached_property

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.bounds import summaries
from graphquant.graphs import GraphCollection
from graphquant.kernels.bounds import SORTED, STAR, Summaries, cascade_pairs
from graphquant.kernels.pairs import PROVEN
from graphquant.kernels.workspace import pair_buffers
from graphquant.matching import MatcherLike, Matches, get_matcher
from graphquant.matching._engine import Problem, run
from graphquant.matching.pairwise import progress_bar

# Fewer pairs than this are matched sooner by one thread than a pool of threads is set up.
_THREADED = 64


class Distances:
    """The training graphs, how to match them, and how many pairs have been matched.

    The collection is prepared once. All distances are those of one graph space, whatever pairs are asked
    for together: with groups, too, the positions are those of the whole collection.
    """

    def __init__(
        self,
        X: GraphCollection,
        matcher: MatcherLike,
        order: int | None,
        n_jobs: int | None = None,
        progress: bool = False,
    ) -> None:
        self.X, self.order = X, order
        self.matcher, self.n_jobs, self.progress = get_matcher(matcher), n_jobs, progress
        self.n_matchings = 0
        self._problem = Problem(X, X, order)

    def __len__(self) -> int:
        return len(self.X)

    @cached_property
    def _summaries(self) -> Summaries:
        # Without spectra: they cost more than they spare here.
        return summaries(self.X, self._problem.graphs)

    @cached_property
    def slack(self) -> float:
        """How much a proven distance may exceed the least one, at most."""
        # Squared they differ by a share of |x|^2 + |y|^2; roots differ most where the least one is zero.
        return math.sqrt(2.0 * PROVEN * float(self._problem.graphs.sq_norm.max(initial=0.0)))

    def match(self, rows: IntArray, columns: IntArray, *, progress: bool = False) -> Matches:
        """Match graph ``rows[m]`` with graph ``columns[m]``, for all m."""
        self.n_matchings += len(rows)
        with progress_bar(len(rows), progress) as advance:
            return run(
                self.matcher,
                self._problem,
                np.column_stack([rows, columns]),
                n_jobs=self.n_jobs if len(rows) >= _THREADED else 1,
                on_progress=advance,
            )

    def bound(
        self, rows: IntArray, columns: IntArray, *, enough: FloatArray | float = math.inf
    ) -> FloatArray:
        """Lower bounds of the same pairs; the dear ones only where the cheap one is below ``enough``."""
        pairs = np.column_stack([rows, columns])
        bounds = self._cascade(pairs, SORTED)
        short = np.flatnonzero(bounds < enough)
        bounds[short] = self._cascade(pairs[short], STAR)
        return bounds

    def _cascade(self, pairs: IntArray, last: int) -> FloatArray:
        """Return the best of the bounds up to the stage ``last``."""
        graphs, size = self._problem.graphs, self._problem.size
        squared = np.empty(len(pairs))
        cascade_pairs(
            graphs,
            self._summaries,
            graphs,
            self._summaries,
            pairs,
            self._problem.capacity,
            math.inf,
            last,
            pair_buffers(size, size),
            squared,
        )
        return np.sqrt(squared)


__all__ = ["Distances"]
