"""Starts for graphs in partitions, which no process has all together."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from graphquant._random import draw
from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_choice
from graphquant.averaging import mean
from graphquant.datasets import EncodedPartition
from graphquant.graphs import GraphCollection
from graphquant.initialisation import INITIALISATIONS, check_enough, initialise
from graphquant.initialisation.distances import Distances
from graphquant.initialisation.furthest_first import MEAN_SAMPLE
from graphquant.initialisation.given import take_given
from graphquant.initialisation.medoids import LARGEST_SAMPLE, sample_size
from graphquant.initialisation.start import Start
from graphquant.matching import Matcher
from graphquant.matching.pairwise import progress_bar
from graphquant.out_of_core.executor import Executor, Store
from graphquant.out_of_core.reach import Codes, furthest, oversample, potential

# k-means||: rounds of drawing, and graphs drawn per round and code.
_DRAWS, _PER_DRAW = 5, 2


@dataclass(frozen=True)
class Partitions:
    """The partitions, how to match their graphs, and where to process them."""

    parts: Sequence[EncodedPartition]
    sizes: IntArray
    mean_order: float
    matcher: Matcher
    capacity: IntArray  # positions of each node class
    has_groups: bool
    executor: Executor
    n_threads: int = 1
    progress: bool = False

    def __len__(self) -> int:
        return int(self.sizes.sum())

    @property
    def order(self) -> int | None:
        """Order of the graph space; not used for graphs with groups."""
        return None if self.has_groups else int(self.capacity[0])

    @property
    def numbers(self) -> list[int]:
        """Numbers of the partitions."""
        return list(range(len(self.parts)))

    def map(self, work: Any, shared: Any, own: Sequence[Any]) -> list[Any]:
        """Do the same work on all partitions."""
        return self.executor.map(work, self.parts, shared, own)

    def codes(self, graphs: GraphCollection) -> Codes:
        """Return codes in the form for all partitions."""
        return Codes(uuid.uuid4().hex, graphs, self.matcher, self.capacity)

    def gather(self, numbers: IntArray) -> GraphCollection:
        """Return graphs by their numbers over all partitions, in order."""
        first = np.concatenate([[0], np.cumsum(self.sizes)]).tolist()
        own = [numbers[(numbers >= a) & (numbers < b)] - a for a, b in pairwise(first)]
        asked = [p for p, chosen in enumerate(own) if len(chosen)]
        found = self.executor.map(_take, [self.parts[p] for p in asked], None, [own[p] for p in asked])
        return GraphCollection.concatenate(found).with_names(None)

    def distances(self, graphs: GraphCollection) -> Distances:
        """Return how to match some of the graphs, in the graph space of all of them."""
        matcher, capacity = self.matcher, self.capacity
        return Distances(graphs, matcher, self.order, self.n_threads, self.progress, capacity=capacity)

    def sample(self, size: int, rng: np.random.Generator) -> GraphCollection:
        """Draw graphs with equal probability."""
        size = min(len(self), size)
        return self.gather(np.sort(rng.choice(len(self), size, replace=False)))


def initialise_partitioned(
    init: Any, X: Partitions, n_codes: int, rng: np.random.Generator
) -> tuple[GraphCollection, int]:
    """Choose the first code graphs; return them and the number of matchings.

    A single partition gets the start that its graphs would get in memory. With several,

    - medoids and random choose from a sample of all graphs, at least 1000;
    - furthest-first starts with the graph of a sample that is nearest to its mean, and then repeatedly finds
      the furthest of all graphs;
    - k-means++ has its parallel form: graphs of all partitions are drawn in a few rounds, more than
      needed, and the codes are drawn from these, each weighted by the number of graphs that it represents.
    """
    if not isinstance(init, str):
        return take_given(init, X.gather(np.arange(1)), n_codes, X.order).graphs, 0
    check_choice("init", init, INITIALISATIONS)
    check_enough(len(X), n_codes)
    if len(X.parts) == 1:
        settings = {"matcher": X.matcher, "order": X.order, "n_jobs": X.n_threads, "progress": X.progress}
        ((start, rng_state),) = X.map(_start_alone, (init, n_codes, settings), [rng])
        rng.bit_generator.state = rng_state
        return start.graphs, start.n_matchings
    if init == "furthest-first":
        return _furthest_first(X, n_codes, rng)
    if init == "k-means++":
        return _parallel_plus_plus(X, n_codes, rng)
    sample = X.sample(max(LARGEST_SAMPLE, sample_size(X.mean_order, n_codes)), rng)
    start = INITIALISATIONS[init](X.distances(sample), n_codes, rng)
    return start.graphs, start.n_matchings


def _furthest_first(X: Partitions, n_codes: int, rng: np.random.Generator) -> tuple[GraphCollection, int]:
    sample = X.sample(MEAN_SAMPLE, rng)
    centre = mean(sample, matcher=X.matcher, order=X.order, random_state=rng, n_jobs=X.n_threads)
    i = int(centre.distances.argmin())
    codes, n_matchings = X.codes(sample[i : i + 1].packed()), centre.n_matchings
    with progress_bar(n_codes - 1, X.progress, "Choosing codes") as advance:
        while len(codes.graphs) < n_codes:
            found = X.map(furthest, codes, X.numbers)
            # The first if several are equally far.
            _, graph, _ = max(found, key=lambda part: part[0])
            n_matchings += sum(part[2] for part in found)
            codes = _with(codes, [graph])
            if advance is not None:
                advance(1)
    return codes.graphs, n_matchings


def _parallel_plus_plus(X: Partitions, n_codes: int, rng: np.random.Generator) -> tuple[GraphCollection, int]:
    """Draw codes by k-means||.

    References
    ----------
    B. Bahmani, B. Moseley, A. Vattani, R. Kumar and S. Vassilvitskii, Scalable k-means++, VLDB 2012.
    """
    codes, n_matchings = X.codes(X.gather(rng.integers(len(X), size=1))), 0
    with progress_bar(_DRAWS, X.progress, "Choosing codes") as advance:
        for _ in range(_DRAWS):
            total, _, used = _potential(X, codes)
            rate = _PER_DRAW * n_codes / total if total > 0.0 else 0.0
            found = X.map(oversample, (codes, rate), list(enumerate(rng.spawn(len(X.parts)))))
            codes = _with(codes, [drawn for drawn, _ in found if len(drawn)])
            n_matchings += used + sum(count for _, count in found)
            if advance is not None:
                advance(1)
    _, weights, used = _potential(X, codes)
    candidates = codes.graphs
    if len(candidates) < n_codes:
        # Nearly all graphs are equal.
        others = X.sample(n_codes - len(candidates), rng)
        return GraphCollection.concatenate([candidates, others]), n_matchings + used
    distances = X.distances(candidates)
    chosen = _draw_weighted(_matrix(distances), weights, n_codes, rng)
    return candidates[chosen], n_matchings + used + distances.n_matchings


def _matrix(distances: Distances) -> FloatArray:
    """Return the distances of all pairs."""
    rows, columns = np.triu_indices(len(distances), k=1)
    matrix = np.zeros((len(distances), len(distances)))
    matrix[rows, columns] = matrix[columns, rows] = distances.match(rows, columns).distance
    return matrix


def _potential(X: Partitions, codes: Codes) -> tuple[float, IntArray, int]:
    found = X.map(potential, codes, X.numbers)
    weights: IntArray = np.sum([part[1] for part in found], axis=0)
    return sum(part[0] for part in found), weights, sum(part[2] for part in found)


def _draw_weighted(
    distances: FloatArray, weights: IntArray, n_codes: int, rng: np.random.Generator
) -> IntArray:
    """Draw from weighted candidates by k-means++."""
    is_chosen = np.zeros(len(weights), dtype=np.bool_)
    chosen = [int(draw(weights.astype(np.float64), is_chosen, 1, rng)[0])]
    nearest = distances[chosen[0]] ** 2
    while len(chosen) < n_codes:
        is_chosen[chosen[-1]] = True
        chosen.append(int(draw(weights * nearest, is_chosen, 1, rng)[0]))
        nearest = np.minimum(nearest, distances[chosen[-1]] ** 2)
    return np.array(chosen)


def _with(codes: Codes, more: Sequence[GraphCollection]) -> Codes:
    graphs = GraphCollection.concatenate([codes.graphs, *(found.with_names(None) for found in more)])
    return replace(codes, graphs=graphs)


def _start_alone(
    store: Store, part: EncodedPartition, shared: tuple[str, int, dict[str, Any]], own: np.random.Generator
) -> tuple[Start, Any]:
    """Choose the start of the only partition; return it, and the final state of its generator."""
    init, n_codes, settings = shared
    start = initialise(init, part.read()[0], n_codes, random_state=own, **settings)
    return start, own.bit_generator.state


def _take(store: Store, part: EncodedPartition, shared: None, own: IntArray) -> GraphCollection:
    X, _ = part.read()
    return X[own]


__all__ = ["Partitions", "initialise_partitioned"]
