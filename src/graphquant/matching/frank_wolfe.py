"""Frank-Wolfe matching: the best cheap matcher."""

import threading
from dataclasses import dataclass

from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_positive_int
from graphquant.kernels.pairs import match_frank_wolfe_pairs
from graphquant.matching._base import KernelMatcher
from graphquant.matching._engine import Problem, Workspace


@dataclass(frozen=True)
class FrankWolfe(KernelMatcher):
    """Frank-Wolfe with exact line search from several starts, then local search by exchanges and chains.

    Parameters
    ----------
    max_iter : int, default=8
        Most steps from one start.
    n_starts : int, optional
        Starts: the assignment of the star bound, the flat one, then assignments by ever wider
        neighbourhoods. By default 3 up to 13 nodes of the smaller graph, rising to 8 from 18 nodes on.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.distance(gq.Graph([1.0, 2.0]), gq.Graph([2.0, 1.0]), matcher=gq.FrankWolfe())
    0.0
    """

    max_iter: int = 8
    n_starts: int | None = None

    kernel = match_frank_wolfe_pairs

    def __post_init__(self) -> None:
        check_positive_int("max_iter", self.max_iter)
        if self.n_starts is not None:
            check_positive_int("n_starts", self.n_starts)

    def match_oriented(
        self,
        problem: Problem,
        pairs: IntArray,
        space: Workspace,
        stop: threading.Event,
        known: FloatArray,
        rows_to_columns: IntArray,
        value: FloatArray,
    ) -> int:
        """Match in one go: every pair is quick."""
        match_frank_wolfe_pairs(
            problem.graphs,
            pairs,
            self.max_iter,
            self.n_starts or 0,
            problem.capacity,
            space.pair,
            rows_to_columns,
            value,
        )
        return 0


__all__ = ["FrankWolfe"]
