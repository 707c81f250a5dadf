"""Competitive learning: the one driver of all algorithms (Algorithms 1 and 2 of the paper).

A cycle is cut into rounds. In a round the training graphs are presented to the code graphs, wherever they
are: in memory, in partitions of this process, or on a cluster. The driver keeps the code graphs between two
rounds, counts, decides when to stop, and can be resumed between cycles.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from graphquant._threads import run_to_a_stop
from graphquant._typing import AnyArray
from graphquant.graphs import GraphCollection
from graphquant.learning.clusters import TrainingGraphs
from graphquant.learning.codes import Codes, CodeSpace
from graphquant.learning.encoding import Encoding
from graphquant.learning.history import Cycle, History
from graphquant.learning.learner import Counts
from graphquant.learning.plan import Plan
from graphquant.learning.state_checks import check_codes

# Seconds after Ctrl-C that may be spent on finding the nearest code graphs of all graphs.
SECONDS_TO_FINISH = 0.4


@dataclass(frozen=True)
class Round:
    """The result of a round of a cycle."""

    codes: Codes  # after the round
    counts: Counts
    distortion: float = 0.0  # after the last round of a cycle
    was_interrupted: bool = False


class Training(TrainingGraphs, Protocol):
    """The training graphs, wherever they are."""

    n_graphs: int
    n_rounds: int  # per cycle
    n_parts: int  # units of progress of encoding

    def learn(self, codes: Codes, cycle: int, number: int, rng: np.random.Generator) -> Round:
        """Do a round of a cycle from these code graphs; only the last one advances ``rng``."""
        ...

    def encode(
        self, codes: Codes, on_done: Callable[[int], None] | None = None, patience: float = math.inf
    ) -> Encoding:
        """Find the nearest code graphs of all graphs, or of what ``patience`` seconds are enough for."""
        ...

    def interrupt(self) -> None:
        """End a round early, if possible."""
        ...

    def arrays(self) -> dict[str, AnyArray]:
        """Return everything that the rest of a run depends on, except the code graphs."""
        ...

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Restore it from saved arrays."""
        ...


class Run:
    """A run of competitive learning that can be watched, stopped and resumed between cycles.

    Parameters
    ----------
    training : Training
        The training graphs.
    space : CodeSpace
    codes : Codes
        Code graphs to start from.
    plan : Plan
    rng : Generator
        Determines the order of presentations.
    """

    def __init__(
        self, training: Training, space: CodeSpace, codes: Codes, plan: Plan, rng: np.random.Generator
    ) -> None:
        self.training, self.space, self.codes = training, space, codes
        self.plan, self.rng = plan, rng
        self.cycles: list[Cycle] = []
        self.interrupted = False

    @property
    def converged(self) -> bool:
        """Whether no code graph moved by more than ``tol`` in the last cycle."""
        return bool(self.cycles) and self.cycles[-1].shift <= self.plan.tol

    @property
    def is_done(self) -> bool:
        """Whether no cycle is left to do."""
        return len(self.cycles) >= self.plan.max_cycles or self.converged

    def learn(
        self,
        on_cycle: Callable[["Run"], None] | None = None,
        on_round: Callable[[int], None] | None = None,
    ) -> None:
        """Present the training set until all cycles are done, the codebook has converged, or Ctrl-C."""

        def cycles() -> None:
            while not self.is_done and not self.interrupted:
                self._cycle(on_round)
                if on_cycle is not None and not self.interrupted:
                    on_cycle(self)

        run_to_a_stop(cycles, self.interrupt)

    def learn_once(self) -> None:
        """Present the training set once, whatever the number of cycles of the plan."""
        run_to_a_stop(lambda: self._cycle(None), self.interrupt)

    def _cycle(self, on_round: Callable[[int], None] | None) -> None:
        began, before, wins = time.perf_counter(), self.codes.in_use(), self.codes.wins.copy()
        counts, distortion = Counts(), 0.0
        for number in range(self.training.n_rounds):
            if self.interrupted:
                return
            found = self.training.learn(self.codes, len(self.cycles), number, self.rng)
            self.codes, distortion = found.codes, found.distortion
            counts += found.counts
            if found.was_interrupted:
                return
            if on_round is not None:
                on_round(number + 1)
        self.cycles.append(
            Cycle(
                cycle=len(self.cycles) + 1,
                n_matchings=counts.matchings,
                n_shift_matchings=counts.shift_matchings,
                n_bounds=counts.bounds,
                share=counts.matchings / max(1, self.training.n_graphs * len(self.codes)),
                n_proven=counts.proven,
                shift=self.space.largest_shift(self.codes.in_use(), before),
                distortion=distortion,
                n_idle=int((self.codes.wins == wins).sum()),
                seconds=time.perf_counter() - began,
                algorithm=self.plan.algorithm,
            )
        )

    def encode(self, on_done: Callable[[int], None] | None = None) -> Encoding:
        """Find the nearest code graphs of all graphs for the current code graphs.

        After Ctrl-C only as far as this is quick.
        """
        return self.training.encode(self.codes, on_done, SECONDS_TO_FINISH if self.interrupted else math.inf)

    def interrupt(self) -> None:
        """End the run after the current presentation or, in partitions, after the current round."""
        self.interrupted = True
        self.training.interrupt()

    def codebook(self) -> GraphCollection:
        """Return the current code graphs."""
        return self.space.graphs(self.codes)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all arrays that the rest of the run depends on, by name."""
        return vars(self.codes) | self.training.arrays()

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Set all arrays to saved ones."""
        codes = Codes(*(arrays[name] for name in vars(self.codes)))
        check_codes(codes.nodes, codes.pairs, codes.wins, is_directed=self.space.space.directed)
        self.codes = codes.copy()
        self.training.restore(arrays)

    def history(self) -> History:
        """Return the cycles so far."""
        return History(self.cycles)


__all__ = ["Round", "Run", "Training"]
