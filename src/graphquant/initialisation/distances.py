"""Distances and bounds between the graphs of one collection, computed a few at a time."""

import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from graphquant._core.bounds import GraphSummaries
from graphquant._core.matching import PROVEN
from graphquant._threads import n_threads
from graphquant._typing import FloatArray, IntArray
from graphquant.bounds import class_capacity, prepared_bounds, product_bounds, squared_norms, summaries
from graphquant.graphs import GraphCollection
from graphquant.initialisation.start import Start
from graphquant.matching import MatcherLike, Matches, get_matcher
from graphquant.matching.engine import Problem, run
from graphquant.matching.exact import without_proofs
from graphquant.matching.pairwise import progress_bar

# One thread matches, or bounds, fewer pairs than this faster than several threads.
_THREADED, _THREADED_BOUNDS = 64, 2000
# Number of graphs prepared for matching at a time: this takes several times the memory of the graphs.
AT_ONCE = 4096


class _Prepared:
    """Some graphs of a collection, ready to be matched in the graph space of all of them."""

    def __init__(self, X: GraphCollection, capacity: IntArray) -> None:
        self.problem = Problem(X, X, capacity=capacity)

    @cached_property
    def _summaries(self) -> GraphSummaries:
        # Without spectra: they cost more than they save here.
        return summaries(self.problem.X, self.problem.graphs)

    def bound(self, pairs: IntArray, enough: FloatArray, threads: int) -> FloatArray:
        """Lower bounds of pairs; the expensive ones only where the cheap one is below ``enough``."""
        bounds = self._cheap(pairs) if np.isfinite(enough).any() else np.zeros(len(pairs))
        short = np.flatnonzero(bounds < enough)
        bounds[short] = np.maximum(bounds[short], self.stars(pairs[short], threads))
        return bounds

    def _cheap(self, pairs: IntArray) -> FloatArray:
        graphs, tables = self.problem.graphs, (self._summaries, self._summaries)
        return prepared_bounds(graphs, graphs, self.problem.capacity, pairs, tables=tables, kind="sorted")

    def stars(self, pairs: IntArray, threads: int) -> FloatArray:
        """Return star bounds of pairs."""
        threads = 1 if len(pairs) < _THREADED_BOUNDS else threads
        graphs = self.problem.graphs
        return prepared_bounds(graphs, graphs, self.problem.capacity, pairs, n_threads=threads)


class Distances:
    """The training graphs, how to match them, and how many pairs have been matched.

    A small collection is prepared once; of a large one, only the requested graphs are prepared. All distances
    are those of one graph space, whatever pairs are requested together: also with groups, the positions are
    those of the whole collection, or of a given space.
    """

    def __init__(
        self,
        X: GraphCollection,
        matcher: MatcherLike,
        order: int | None,
        n_jobs: int | None = None,
        progress: bool = False,
        *,
        capacity: IntArray | None = None,
    ) -> None:
        self.X, self.order = X, order
        self.matcher, self.n_jobs, self.progress = get_matcher(matcher), n_jobs, progress
        self.n_matchings = 0
        self._capacity = class_capacity(X, order=order) if capacity is None else capacity

    def __len__(self) -> int:
        return len(self.X)

    def among(self, numbers: IntArray) -> "Distances":
        """Distances between some of the graphs, in the graph space of all; they count their own matchings."""
        graphs, capacity = self.X[numbers], self._capacity
        return Distances(graphs, self.matcher, self.order, self.n_jobs, self.progress, capacity=capacity)

    @cached_property
    def _whole(self) -> _Prepared:
        return _Prepared(self.X, self._capacity)

    @cached_property
    def slack(self) -> float:
        """Maximum amount by which a proven distance may exceed the true one."""
        sq_norm = squared_norms(self.X)
        # Squared they differ by a share of |x|^2 + |y|^2; roots differ most if the true one is zero.
        return math.sqrt(2.0 * PROVEN * float(sq_norm.max(initial=0.0)))

    def _parts(self, rows: IntArray, columns: IntArray) -> Iterator[tuple[slice, _Prepared, IntArray]]:
        """Yield slices of the pairs, their graphs, and the pairs as numbers among these graphs."""
        if len(self.X) <= AT_ONCE:
            yield slice(None), self._whole, np.column_stack([rows, columns])
            return
        n_graphs = len(np.union1d(rows, columns))
        size = max(len(rows), 1) if n_graphs <= AT_ONCE else AT_ONCE // 2
        for at in range(0, max(len(rows), 1), size):
            part = slice(at, at + size)
            pairs = np.column_stack([rows[part], columns[part]])
            numbers, among = np.unique(pairs, return_inverse=True)
            yield part, _Prepared(self.X[numbers], self._capacity), among.reshape(pairs.shape)

    def match(
        self, rows: IntArray, columns: IntArray, *, proofs: bool = True, progress: bool = False
    ) -> Matches:
        """Match graphs ``rows[m]`` and ``columns[m]`` for all m; proofs of larger pairs are optional."""
        self.n_matchings += len(rows)
        matcher = self.matcher if proofs else without_proofs(self.matcher)
        n_jobs = self.n_jobs if len(rows) >= _THREADED else 1
        with progress_bar(len(rows), progress) as advance:
            found = [
                run(matcher, prepared.problem, pairs, n_jobs=n_jobs, on_progress=advance)
                for _, prepared, pairs in self._parts(rows, columns)
            ]
        return Matches(
            np.concatenate([part.distance for part in found]),
            np.concatenate([part.lower_bound for part in found]),
            np.concatenate([part.proven for part in found]),
            np.concatenate([part.n_search_nodes for part in found]),
            None,
        )

    def bound(
        self, rows: IntArray, columns: IntArray, *, enough: FloatArray | float = math.inf
    ) -> FloatArray:
        """Lower bounds of the same pairs; the expensive ones only where the cheap one is below ``enough``."""
        bounds, limit = np.empty(len(rows)), np.broadcast_to(enough, len(rows))
        for part, prepared, pairs in self._parts(rows, columns):
            bounds[part] = prepared.bound(pairs, limit[part], n_threads(self.n_jobs))
        return bounds

    def star_bounds(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """Star bounds of the same pairs."""
        bounds = np.empty(len(rows))
        for part, prepared, pairs in self._parts(rows, columns):
            bounds[part] = prepared.stars(pairs, n_threads(self.n_jobs))
        return bounds

    def start(self, chosen: IntArray, lower: FloatArray) -> Start:
        """Return the start of chosen training graphs."""
        return Start(self.X[chosen], chosen, lower, self.n_matchings)

    def product_bounds(self) -> FloatArray:
        """Cheaper lower bounds of all pairs, as a square matrix."""
        return product_bounds(self._whole.problem.graphs, n_threads(self.n_jobs))


__all__ = ["AT_ONCE", "Distances"]
