"""What is known about the distances between training graphs and the codes chosen so far."""

import numpy as np

from graphquant._typing import AnyArray, BoolArray, FloatArray, IntArray
from graphquant.initialisation.distances import Distances
from graphquant.initialisation.start import Start

# What is known about a pair: nothing or a bound from other pairs, its own bound, its match.
OPEN, BOUNDED, MATCHED, CERTAIN = 0, 1, 2, 3


class Table:
    """Lower bounds of all (graph, code) pairs, and the smallest matched distance of each graph.

    A matcher that does not prove may return a distance that is too large, never one that is too small. So a
    pair whose lower bound reaches the smallest distance of its graph cannot reduce it, whatever the matcher.
    """

    def __init__(self, distances: Distances, n_codes: int) -> None:
        n_graphs = len(distances)
        self.distances = distances
        self.chosen: IntArray = np.empty(0, dtype=np.int64)
        self.is_chosen: BoolArray = np.zeros(n_graphs, dtype=np.bool_)
        self.lower: FloatArray = np.zeros((n_graphs, n_codes))
        self.state: AnyArray = np.zeros((n_graphs, n_codes), dtype=np.uint8)
        self.nearest: FloatArray = np.full(n_graphs, np.inf)
        self.owner: IntArray = np.zeros(n_graphs, dtype=np.int64)  # the code at the smallest distance
        # Distances between codes if a match proved them, else inf.
        self._between: FloatArray = np.full((n_codes, n_codes), np.inf)

    def add(self, graph: int) -> int:
        """Make a training graph the next code and return the number of that code."""
        j = len(self.chosen)
        self.chosen = np.append(self.chosen, graph)
        self.is_chosen[graph] = True
        self.lower[graph, j], self.state[graph, j] = 0.0, CERTAIN
        self.nearest[graph], self.owner[graph] = 0.0, j
        proven = np.flatnonzero(self.state[graph, : j + 1] == CERTAIN)
        self._between[j, proven] = self._between[proven, j] = self.lower[graph, proven]
        return j

    def bound(self, rows: IntArray, codes: IntArray) -> None:
        """Raise the lower bounds of open pairs until they reach the smallest distance, if possible."""
        self.lower[rows, codes] = np.maximum(
            self.lower[rows, codes], self.triangle_bounds(rows, self.chosen[codes], codes)
        )
        short = self.lower[rows, codes] < self.nearest[rows]
        rows, codes = rows[short], codes[short]
        found = self.distances.bound(rows, self.chosen[codes], enough=self.nearest[rows])
        self.lower[rows, codes] = np.maximum(self.lower[rows, codes], found)
        self.state[rows, codes] = BOUNDED

    def triangle_bounds(self, rows: IntArray, targets: IntArray, codes: IntArray | None = None) -> FloatArray:
        """Lower bounds of d(rows[m], targets[m]), both training graphs, via the codes.

        If the targets are codes themselves, ``codes`` says which; distances between codes then help too.
        """
        n = len(self.chosen)
        # d(X, target) >= d(target, owner of X) - d(X, owner of X)
        result = self.lower[targets, self.owner[rows]] - self.nearest[rows]
        if codes is not None:
            # d(X, target) >= d(X, Y) - d(Y, target) for every code Y
            around = self.lower[rows, :n] - self._between[codes, :n]
            result = np.maximum(result, around.max(axis=1))
        return np.maximum(result - 2.0 * self.distances.slack, 0.0)

    def match(self, rows: IntArray, codes: IntArray) -> None:
        """Match pairs that are not matched yet; a graph may occur once."""
        found = self.distances.match(rows, self.chosen[codes])
        self.lower[rows, codes] = np.where(
            found.proven, found.distance, np.maximum(self.lower[rows, codes], found.lower_bound)
        )
        self.state[rows, codes] = np.where(found.proven, CERTAIN, MATCHED)
        self.lower_nearest(rows, codes, found.distance)

    def lower_nearest(self, rows: IntArray, codes: IntArray | int, found: FloatArray) -> None:
        """Store distances that are below the smallest ones so far."""
        nearer = found < self.nearest[rows]
        self.nearest[rows[nearer]] = found[nearer]
        self.owner[rows[nearer]] = codes if isinstance(codes, int) else codes[nearer]

    def undecided(self, rows: IntArray) -> BoolArray:
        """Return, for each row and code, whether a match could still reduce the smallest distance."""
        n = len(self.chosen)
        result: BoolArray = (self.state[rows, :n] < MATCHED) & (
            self.lower[rows, :n] < self.nearest[rows, None]
        )
        return result

    def start(self) -> Start:
        """Return the codes, and what is known about distances."""
        return self.distances.start(self.chosen, self.lower)


__all__ = ["BOUNDED", "MATCHED", "OPEN", "CERTAIN", "Table"]
