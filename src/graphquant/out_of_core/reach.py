"""Distances of the graphs of a partition from the codes so far, for furthest-first and k-means||."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.bounds import Bound, prepare, prepared_bounds, summaries
from graphquant.datasets import EncodedPartition
from graphquant.graphs import GraphCollection
from graphquant.matching import Matcher
from graphquant.matching.engine import Problem, run
from graphquant.out_of_core.executor import Store

# Bounds to try before a match, in order of cost.
_STAGES: tuple[Bound, ...] = ("sorted", "star")


@dataclass(frozen=True)
class Codes:
    """The codes so far, for all partitions."""

    name: str
    graphs: GraphCollection
    matcher: Matcher
    capacity: IntArray  # positions of each node class, for the graphs of all partitions


class Reach:
    """Smallest distances of the graphs of a partition to the codes so far."""

    def __init__(self, part: EncodedPartition) -> None:
        self.X, _ = part.read()
        self.nearest: FloatArray = np.full(len(self.X), np.inf)
        self.owner: IntArray = np.zeros(len(self.X), dtype=np.int64)
        self.n_codes: IntArray = np.zeros(1, dtype=np.int64)
        self._prepared = prepare(self.X)
        self._summaries = summaries(self.X, self._prepared)

    def follow(self, codes: Codes) -> int:
        """Add new codes; return the number of matchings."""
        n_matchings = 0
        for j in range(int(self.n_codes[0]), len(codes.graphs)):
            code = codes.graphs[j : j + 1].packed()
            rows = self._undecided(code, codes.capacity)
            pairs = np.column_stack([rows, np.zeros_like(rows)])
            found = run(codes.matcher, Problem(self.X, code, capacity=codes.capacity), pairs).distance
            nearer = found < self.nearest[rows]
            self.nearest[rows[nearer]], self.owner[rows[nearer]] = found[nearer], j
            n_matchings += len(rows)
        self.n_codes[0] = len(codes.graphs)
        return n_matchings

    def _undecided(self, code: GraphCollection, capacity: IntArray) -> IntArray:
        """Return the graphs that may be nearer to a code than to all others, as far as bounds show."""
        prepared = prepare(code)
        tables = self._summaries, summaries(code, prepared)
        rows = np.arange(len(self.X))
        for kind in _STAGES:
            bounds = prepared_bounds(
                self._prepared,
                prepared,
                capacity,
                np.column_stack([rows, np.zeros_like(rows)]),
                tables=tables,
                kind=kind,
            )
            rows = rows[bounds < self.nearest[rows]]
        return rows

    def arrays(self) -> dict[str, AnyArray]:
        """Return what a side file holds."""
        return {"nearest": self.nearest, "owner": self.owner, "n_codes": self.n_codes}

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Take over a side file."""
        for name, array in self.arrays().items():
            array[:] = arrays[name]

    @property
    def nbytes(self) -> int:
        """About three times the bytes of the graphs: as read, as prepared, and their summaries."""
        return 3 * self.X.nbytes + sum(array.nbytes for array in self.arrays().values())


def _reached(store: Store, part: EncodedPartition, codes: Codes, number: int) -> tuple[Reach, int]:
    reach, _ = store.take((codes.name, number), lambda: Reach(part))
    return reach, reach.follow(codes)


def furthest(
    store: Store, part: EncodedPartition, shared: Codes, own: int
) -> tuple[float, GraphCollection, int]:
    """Return the largest smallest distance in a partition, its graph, and the number of matchings."""
    reach, n_matchings = _reached(store, part, shared, own)
    i = int(reach.nearest.argmax())
    found = float(reach.nearest[i]), reach.X[i : i + 1].packed(), n_matchings
    store.give((shared.name, own), reach)
    return found


def potential(store: Store, part: EncodedPartition, shared: Codes, own: int) -> tuple[float, IntArray, int]:
    """Return the sum of squared smallest distances, the wins of each code, and the number of matchings."""
    reach, n_matchings = _reached(store, part, shared, own)
    weights = np.bincount(reach.owner, minlength=len(shared.graphs))
    found = float((reach.nearest**2).sum()), weights, n_matchings
    store.give((shared.name, own), reach)
    return found


def oversample(
    store: Store, part: EncodedPartition, shared: tuple[Codes, float], own: tuple[int, Any]
) -> tuple[GraphCollection, int]:
    """Draw graphs with probability ``rate`` times squared smallest distance; also return matchings."""
    (codes, rate), (number, rng) = shared, own
    reach, n_matchings = _reached(store, part, codes, number)
    drawn = np.flatnonzero(rng.random(len(reach.X)) < rate * reach.nearest**2)
    store.give((codes.name, number), reach)
    return reach.X[drawn], n_matchings


__all__ = ["Codes", "Reach", "furthest", "oversample", "potential"]
