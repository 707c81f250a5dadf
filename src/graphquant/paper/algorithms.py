"""Algorithms 1 to 5 of the paper, line by line.

B. J. Jain and K. Obermayer, Accelerating Competitive Learning Graph Quantization. The numbers at the end of
lines are those of the paper's listings.

A graph is its matrix representation: an array of shape (n, n, r) with the vector of node i in [i, i] and that
of edge (i, j) in [i, j]. ``align(x, y)`` solves the graph matching problem: it returns d(X, Y) and the
representation of X that is nearest to y. "Randomly select X" and "determine eta" are the caller's business: a
cycle is a sequence of pairs (X, eta), where X is the number of a training graph.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Align = Callable[[FloatArray, FloatArray], tuple[float, FloatArray]]
Presentations = Iterable[tuple[int, float]]

# The numbers of the listings stand in one column.
# fmt: off


class Cycle(NamedTuple):
    """The number of the winner of each presentation of a cycle, and the codebook at its end."""

    winners: list[int]
    codebook: FloatArray


def competitive_learning(
    S: FloatArray, codebook: FloatArray, cycles: Iterable[Presentations], align: Align
) -> Iterator[Cycle]:
    """Algorithm 1: competitive learning GQ."""
    y = codebook.copy()                                                                     # 01, 02
    for cycle in cycles:                                                                    # 03
        winners = []
        for X, eta in cycle:                                                                # 04, 07
            distances, aligned = zip(*(align(S[X], y_j) for y_j in y), strict=True)
            Y_X = int(np.argmin(distances))                                                 # 05
            x = aligned[Y_X]                                                                # 06
            y[Y_X] = y[Y_X] + eta * (x - y[Y_X])                                            # 08
            winners.append(Y_X)
        yield Cycle(winners, y.copy())                                                      # 09


class AcceleratedLearning:
    """Algorithms 2 to 5: accelerated competitive learning GQ.

    Where the listings contradict the text of the paper, this follows the text; each such place says so.
    """

    def __init__(self, S: FloatArray, codebook: FloatArray, theta: float, align: Align) -> None:
        N, k = len(S), len(codebook)
        self.S, self.theta, self.align = S, theta, align
        self.y = codebook.copy()                                                            # 01, 02
        self.upper = np.full(N, np.inf)  # u(X)                                             # 03
        self.up_to_date = np.full(N, False)                                                 # 03
        self.lower = np.zeros((N, k))  # l(X, Y)
        self.winner: dict[int, int] = {}  # Y_X
        self.x_a = S.copy()

    def learn(self, cycles: Iterable[Presentations]) -> Iterator[Cycle]:
        """Algorithm 2."""
        for cycle in cycles:                                                                # 04
            y_before = self.y.copy()                                                        # 05
            winners = []
            for X, eta in cycle:                                                            # 06, 07, 09
                Y_X = self.classify(X)                                                      # 08
                self.y[Y_X] = self.y[Y_X] + eta * (self.x_a[X] - self.y[Y_X])               # 10
                winners.append(Y_X)
            self.estimate_bounds(y_before)                                                  # 11
            yield Cycle(winners, self.y.copy())                                             # 12

    def is_candidate(self, X: int, Y: int) -> bool:
        """Whether (C1) Y = Y_X and (C2) u(X) <= l(X, Y) are both violated."""
        return bool(self.winner[X] != Y and self.upper[X] > self.lower[X, Y])

    def classify(self, X: int) -> int:
        """Algorithm 3."""
        if X not in self.winner:
            # The paper does not say what Y_X is before X has been classified. It is Y_1 here.
            self.winner[X] = 0
            self.update_bounds(X, *self.align(self.S[X], self.y[0]))
        for Y in range(len(self.y)):                                                        # 01
            if self.is_candidate(X, Y):                                                     # 02
                if not self.up_to_date[X]:                                                  # 03
                    # The listing has update_bounds(X, Y). It is d(X, Y_X) that is out of date.
                    self.update_bounds(X, *self.align(self.S[X], self.y[self.winner[X]]))   # 04
                if self.is_candidate(X, Y):                                                 # 05
                    distance, x = self.align(self.S[X], self.y[Y])
                    # The listing forgets this distance unless Y wins. The text keeps it as l(X, Y).
                    self.lower[X, Y] = distance
                    if distance < self.upper[X]:                                            # 06
                        # The listing has these two lines in the other order, and would give the bounds of
                        # the new winner to the old one.
                        self.winner[X] = Y                                                  # 08
                        self.update_bounds(X, distance, x)                                  # 07
        return self.winner[X]                                                               # 09

    def update_bounds(self, X: int, distance: float, x: FloatArray) -> None:
        """Algorithm 4, for the distance of X to its winner and the x that is aligned with it."""
        self.upper[X] = distance                                                            # 01
        self.lower[X, self.winner[X]] = distance                                            # 02
        self.up_to_date[X] = True                                                           # 03
        self.x_a[X] = x                                                                     # 04

    def estimate_bounds(self, y_before: FloatArray) -> None:
        """Algorithm 5."""
        moved = zip(self.y, y_before, strict=True)
        shift = np.array([self.align(y, y_old)[0] for y, y_old in moved])                   # 01
        for X, Y_X in self.winner.items():
            lifted = np.linalg.norm(self.x_a[X] - self.y[Y_X])
            self.upper[X] = min(self.upper[X] + shift[Y_X], lifted)                         # 02
            # The listing declares all upper bounds out of date, the text only these.
            if shift[Y_X] > self.theta:
                self.up_to_date[X] = False                                                  # 03
        self.lower = np.maximum(self.lower - shift, 0.0)                                    # 04


# fmt: on
__all__ = ["AcceleratedLearning", "Cycle", "competitive_learning"]
