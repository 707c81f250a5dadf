"""The sample mean: the graph with the smallest mean squared distance to a collection."""

import logging
import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant._equality import ByContent
from graphquant._random import RandomState, check_random_state
from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant._validation import check_positive_int
from graphquant.averaging._space import Space
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError, InvalidParameterError
from graphquant.graphs import Dense, Graph, GraphCollection, lift
from graphquant.matching import MatcherLike, get_matcher, match_all
from graphquant.matching.given import together
from graphquant.matching.pairwise import progress_bar

logger = logging.getLogger("graphquant")

# The start aligns one graph at a time while the mean still changes a lot, then a share of those averaged.
_BATCH_SHARE = 16
# Fewer graphs than this are aligned by one thread, which takes less time than starting a thread pool.
_THREADED = 64


@dataclass(frozen=True, eq=False)
class Mean(ByContent):
    """The sample mean of a collection of graphs, and how the graphs are aligned with it.

    Attributes
    ----------
    graph : Graph
        The mean. Its edges carry averages: an edge that half of the graphs have weighs a half.
    variance : float
        Mean of the squared distances of the graphs to it.
    mappings : ndarray of int of shape (n_graphs, largest order)
        Row i holds the position in the mean of each node of graph i, -1 beyond its nodes;
        ``graph.order`` and above are zero nodes.
    distances : ndarray of shape (n_graphs,)
        Distance of each graph to the mean under its mapping.
    proven : ndarray of bool of shape (n_graphs,)
        Whether that is proven to be the smallest over all mappings.
    n_iter : int
        Number of alignments of all graphs with the mean.
    n_matchings : int
        Pairs that were matched, including those of the start.
    converged : bool
        Whether the alignments did not change, or the variance no longer decreased by more than ``tol``.
    history : ndarray of shape (n_iter,)
        Variance after each alignment of all graphs.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.mean([gq.Graph([1.0]), gq.Graph([3.0])], random_state=0)
    Mean(Graph(1 node x 1 attribute, 0 edges x 1 attribute), variance=1, n_iter=2, converged)
    """

    graph: Graph
    variance: float
    mappings: IntArray
    distances: FloatArray
    proven: BoolArray
    n_iter: int
    n_matchings: int
    converged: bool
    history: FloatArray

    def __repr__(self) -> str:
        status = "converged" if self.converged else "not converged"
        return f"Mean({self.graph!r}, variance={self.variance:.6g}, n_iter={self.n_iter}, {status})"


@dataclass(frozen=True)
class _Iterate:
    """A point of the graph space and the alignment of all graphs with it."""

    point: Dense
    mappings: IntArray
    distances: FloatArray
    proven: BoolArray

    @property
    def variance(self) -> float:
        return float(np.mean(self.distances**2))


def mean(
    graphs: Any,
    *,
    matcher: MatcherLike = "auto",
    max_iter: int = 50,
    tol: float = 1e-6,
    order: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Mean:
    """Return the sample mean of graphs: the graph that minimises the sum of squared distances.

    It is found incrementally: graphs in random order are aligned with the mean so far and averaged with it.
    Then two steps alternate until the variance converges: align all graphs with the mean, and average them.
    Neither step increases the variance, so this ends in a local minimum that depends on the start.

    Parameters
    ----------
    graphs : collection of graphs in any form
        Named attributes are encoded; ``graph.schema.encoder`` converts the mean back to them.
    matcher : str or Matcher, default="auto"
    max_iter : int, default=50
        Maximum number of alignments of all graphs.
    tol : float, default=1e-6
        Stop when an alignment reduces the variance by at most this share of it.
    order : int, optional
        Order of the graph space; by default that of the largest graph. Ignored with groups.
    random_state : int, numpy Generator or RandomState, optional
        Determines the order of the graphs in the start.
    n_jobs : int, optional
        Threads; by default all cores. The result does not depend on it.
    progress : bool, default=False
        Show progress bars on stderr.

    Returns
    -------
    Mean
        With the graph, the variance and the alignments.

    Raises
    ------
    InvalidGraphError
        If there are no graphs, or the graphs have different attributes.

    Warns
    -----
    GraphQuantWarning
        If ``max_iter`` ended the iteration.

    Notes
    -----
    A graph keeps its mapping if an approximate matcher finds no better one, so the variance never
    increases with any matcher. Each alignment of all graphs is logged at level INFO.

    References
    ----------
    B. J. Jain and K. Obermayer, Graph quantization, Computer Vision and Image Understanding 115 (2011).

    Examples
    --------
    >>> import graphquant as gq
    >>> m = gq.mean([gq.Graph([1.0, 5.0], [(0, 1)]), gq.Graph([3.0, 1.0])], random_state=0)
    >>> round(m.variance, 6)  # node 5 meets node 3: half of their distance each; and half of an edge, twice
    1.5
    >>> sorted(m.graph.node_attrs[:, 0].tolist()), m.graph.edge_attrs.tolist()
    ([1.0, 4.0], [[0.5]])
    """
    X = _check_graphs(graphs)
    check_positive_int("max_iter", max_iter)
    if not 0.0 <= tol < math.inf:
        raise InvalidParameterError(f"tol={tol!r} is not a share.", "Give tol as a number of at least 0.")
    averaging = _Averaging(X, Space.of(X, order), get_matcher(matcher), n_jobs, progress)
    point = averaging.start(check_random_state(random_state).permutation(len(X)))
    iterates = averaging.iterate(point)
    best = next(iterates)
    history = [best.variance]
    converged = False
    while not converged and len(history) < max_iter:
        following = next(iterates)
        # With the same alignments, averaging again would change nothing.
        settled = np.array_equal(following.mappings, best.mappings)
        converged = settled or best.variance - following.variance <= tol * best.variance
        if following.variance <= best.variance:  # otherwise larger only by rounding
            best = following
        history.append(best.variance)
    if not converged:
        _warn_unfinished(history, max_iter, tol)
    graph, mappings = averaging.space.tidy(best.point, best.mappings)
    return Mean(
        graph=graph,
        variance=best.variance,
        mappings=mappings,
        distances=best.distances,
        proven=best.proven,
        n_iter=len(history),
        n_matchings=averaging.n_matchings,
        converged=converged,
        history=np.array(history),
    )


class _Averaging:
    """The steps of the sample mean of one collection."""

    def __init__(
        self, X: GraphCollection, space: Space, matcher: MatcherLike, n_jobs: int | None, progress: bool
    ) -> None:
        self.X, self.space = X, space
        self.matcher, self.n_jobs, self.progress = matcher, n_jobs, progress
        self.n_matchings = 0

    def start(self, sequence: IntArray) -> Dense:
        """Average the graphs in the given sequence, each aligned with the mean of those before it."""
        first = self.X[int(sequence[0])]
        point = lift(first, self.space.first_mapping(first), self.space.order)
        with progress_bar(len(sequence) - 1, self.progress) as advance:
            for done, batch in _batches(sequence):
                part = self.X[batch]
                aligned = self.align(part, point, progress=False)
                added = self.space.average(part, aligned.mappings)
                share = len(batch) / (done + len(batch))
                point = Dense(*(old + share * (new - old) for old, new in zip(point, added, strict=True)))
                if advance is not None:
                    advance(len(batch))
        return point

    def iterate(self, point: Dense) -> Iterator[_Iterate]:
        """Align all graphs, average them, and so on."""
        current = self.align(self.X, point, progress=self.progress)
        while True:
            logger.info(
                "mean: variance %.6g after %d matchings, %.1f %% proven",
                current.variance,
                self.n_matchings,
                100.0 * current.proven.mean(),
            )
            yield current
            point = self.space.average(self.X, current.mappings)
            found = self.align(self.X, point, progress=self.progress)
            current = self._keep_better(found, current.mappings)

    def align(self, part: GraphCollection, point: Dense, *, progress: bool) -> _Iterate:
        """Match some graphs with a point of the space."""
        target = GraphCollection([self.space.target(point)])
        pairs = np.column_stack([np.arange(len(part)), np.zeros(len(part), dtype=np.int64)])
        found = match_all(
            part,
            target,
            pairs,
            self.matcher,
            self.space.match_order,
            self.n_jobs if len(part) >= _THREADED else 1,
            progress,
            mappings=True,
        )
        self.n_matchings += len(part)
        assert found.mapping is not None
        return _Iterate(point, found.mapping, found.distance, found.proven)

    def _keep_better(self, found: _Iterate, known: IntArray) -> _Iterate:
        """Restore the known mappings of graphs for which the matcher found a worse one."""
        mappings, distances = found.mappings.copy(), found.distances.copy()
        changed = (mappings != known).any(axis=1)
        for i in np.flatnonzero(changed & ~found.proven):
            graph = self.X[int(i)]
            placed = lift(graph, known[i, : graph.order], self.space.order)
            d = _distance(placed, found.point)
            if d < distances[i]:
                mappings[i], distances[i] = known[i], d
        return _Iterate(found.point, mappings, distances, found.proven)


def _batches(sequence: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Yield how many graphs came before, and the next ones to align: few at first, then more."""
    done = 1
    while done < len(sequence):
        batch = sequence[done : done + max(1, done // _BATCH_SHARE)]
        yield done, batch
        done += len(batch)


def _distance(a: Dense, b: Dense) -> float:
    return math.sqrt(float(np.sum((a.nodes - b.nodes) ** 2) + np.sum((a.pairs - b.pairs) ** 2)))


def _check_graphs(graphs: Any) -> GraphCollection:
    X, _ = together(graphs)
    if len(X) == 0:
        raise InvalidGraphError("There are no graphs to average.", "Pass at least one graph.")
    return X


def _warn_unfinished(history: list[float], max_iter: int, tol: float) -> None:
    fall = f" fell from {history[-2]:.6g} to {history[-1]:.6g} last" if len(history) > 1 else " was seen once"
    warnings.warn(
        f"The mean stopped at max_iter={max_iter}; its variance{fall}, tol={tol:g}. Raise max_iter or tol.",
        GraphQuantWarning,
        stacklevel=3,
    )


__all__ = ["Mean", "mean"]
