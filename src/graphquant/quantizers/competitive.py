"""Competitive learning: the one driver of all algorithms (Algorithms 1 and 2 of the paper).

Presentations, learning rates, updates, counters and stopping are the same for all; only the CLASSIFY step
and what happens to its bounds at the end of a cycle differ, see ``ALGORITHMS``.
"""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.graphs import GraphCollection
from graphquant.kernels.codebook import Codebook, refresh_all
from graphquant.kernels.drift import end_cycle
from graphquant.kernels.learning import (
    N_BOUNDS,
    N_MATCHINGS,
    N_PROVEN,
    exact_sq_distances,
    learn_all,
    lifted_sq_distances,
    move_codes,
)
from graphquant.matching import Matcher, match_all
from graphquant.quantizers import accelerated, fast, lossless, shared_bounds, standard
from graphquant.quantizers._history import Cycle, History
from graphquant.quantizers._interrupts import run_to_a_stop
from graphquant.quantizers._rates import LearningRate, cycle_rates
from graphquant.quantizers._state import State, Worker, set_array

logger = logging.getLogger("graphquant")


@dataclass(frozen=True)
class Algorithm:
    """A CLASSIFY step and how it keeps its bounds."""

    present: Any
    certifies: bool = False
    # Whether bounds count from snapshots; else they are those of the paper, estimated after each cycle.
    drifts: bool = True


ALGORITHMS = {
    "standard": Algorithm(standard.present),
    "accelerated": Algorithm(accelerated.present, drifts=False),
    "lossless": Algorithm(lossless.present, certifies=True),
    "fast": Algorithm(fast.present, certifies=True),
}


@dataclass(frozen=True)
class Plan:
    """How to learn: the parameters of a run, checked."""

    algorithm: str = "lossless"
    learning_rate: LearningRate = "linear"
    max_cycles: int = 20
    tol: float = 0.0
    theta: float = 0.0
    batch_size: int = 1
    n_threads: int = 1
    relocate_idle: bool = False
    n_families: int = 0  # of code graphs that share a bound, of "lossless"; 0: none do

    @property
    def certifies(self) -> bool:
        """Whether the algorithm keeps alignment certificates."""
        return ALGORITHMS[self.algorithm].certifies

    @property
    def uses_first_bounds(self) -> bool:
        """Whether lower bounds found by the start are of use."""
        return self.algorithm != "standard"


class Run:
    """A run of competitive learning that can be watched, stopped and resumed between cycles.

    Parameters
    ----------
    state : State
    matcher : Matcher
    plan : Plan
    rng : Generator
        Decides the order of presentations.
    """

    def __init__(
        self, state: State, matcher: Matcher, plan: Plan, rng: np.random.Generator | None = None
    ) -> None:
        self.state, self.matcher, self.plan = state, matcher, plan
        self.rng = np.random.default_rng() if rng is None else rng
        self.algorithm = ALGORITHMS[plan.algorithm]
        self._lossless = shared_bounds.present if state.learner.n_families else lossless.present
        is_lossless = self.algorithm.present is lossless.present
        self._classifier = self._lossless if is_lossless else self.algorithm.present
        self.cycles: list[Cycle] = []
        self.interrupted = False
        self._stop = np.zeros(1, dtype=np.int64)
        n_workers = plan.n_threads if plan.batch_size > 1 else 1
        state.open_windows(n_workers)
        self.workers = [Worker(state, matcher, self._stop, window) for window in range(n_workers)]

    @property
    def converged(self) -> bool:
        """Whether the codebook has come to rest."""
        return bool(self.cycles) and self.cycles[-1].shift <= self.plan.tol

    def learn(self, on_cycle: Callable[["Run"], None] | None = None) -> None:
        """Go through the training set until the plan is fulfilled, the codebook rests, or Ctrl-C."""

        def cycles(pool: ThreadPoolExecutor) -> None:
            while len(self.cycles) < self.plan.max_cycles and not self.converged and not self.interrupted:
                self._cycle(pool)
                if on_cycle is not None:
                    on_cycle(self)

        self._watched(cycles)

    def learn_once(self) -> None:
        """Go through the training set once, whatever the plan says about the number of cycles."""
        self._watched(self._cycle)

    def present_part(self, sequence: IntArray, rates: FloatArray) -> IntArray:
        """Present some graphs of a cycle; returns what it took, by the counters of ``learning.py``."""
        before = self._counters()
        with self._at_work() as pool:
            self._present(pool, sequence, rates)
        done: IntArray = self._counters() - before
        return done

    def end_parts(self, cycle: int) -> float:
        """End a cycle that was presented in parts; returns the distortion for the code graphs of now."""
        self._end_cycle(cycle, None)
        return 0.5 * float(lifted_sq_distances(self.state.record).sum())

    def move_codes(self, nodes: FloatArray, pairs: FloatArray) -> None:
        """Go on with code graphs that others have moved too."""
        move_codes(self.state.record, self.workers[0].record, nodes, pairs)
        for worker in self.workers[1:]:
            worker.matching.lead[:] = np.inf

    def _watched(self, work: Callable[[ThreadPoolExecutor], None]) -> None:
        """Do some work that ends early at Ctrl-C."""
        with self._at_work() as pool:
            run_to_a_stop(lambda: work(pool), self.interrupt)

    def _cycle(self, pool: ThreadPoolExecutor) -> None:
        L, began = self.state.learner, time.perf_counter()
        before = self._counters()
        wins = L.wins.copy()
        previous = L.codes.nodes.copy(), L.codes.pairs.copy()
        sequence = self.rng.permutation(len(self.state.X))
        rates = cycle_rates(self.plan.learning_rate, len(self.cycles), self.plan.max_cycles, len(sequence))
        codebook = self.state.codebook() if not self.algorithm.drifts else None
        self._present(pool, sequence, rates)
        if self.interrupted:
            return
        n_shift = self._end_cycle(len(self.cycles), codebook)
        done = self._counters() - before
        n_idle = int((wins == L.wins).sum())
        standard_matchings = max(1, len(sequence) * self.state.n_codes)
        self.cycles.append(
            Cycle(
                len(self.cycles) + 1,
                int(done[N_MATCHINGS]),
                n_shift,
                int(done[N_BOUNDS]),
                done[N_MATCHINGS] / standard_matchings,
                int(done[N_PROVEN]),
                largest_shift(L.codes, *previous),
                0.5 * float(lifted_sq_distances(self.state.record).sum()),
                n_idle,
                time.perf_counter() - began,
            )
        )
        if self.plan.relocate_idle and n_idle:
            self._relocate(np.flatnonzero(wins == L.wins))

    def _present(self, pool: ThreadPoolExecutor, sequence: IntArray, rates: FloatArray) -> None:
        """Present all graphs once, one by one or in batches whose winners are found in parallel."""
        if self.plan.batch_size == 1:
            self._run_kernel(self._classifier, self.workers[0], sequence, rates)
            self._raise_errors()
            return
        for at in range(0, len(sequence), self.plan.batch_size):
            batch = slice(at, at + self.plan.batch_size)
            self._classify(pool, self._classifier, sequence[batch])
            if self.interrupted:
                return
            learn_all(self.state.record, self.workers[0].record, sequence[batch], rates[batch])

    def _classify(self, pool: ThreadPoolExecutor, present: Any, chosen: IntArray) -> None:
        """Find the winners of graphs against the codebook as it is."""
        L = self.state.learner
        refresh_all(L.codes)
        parts = np.array_split(chosen, len(self.workers))
        tasks = []
        for worker, part in zip(self.workers, parts, strict=True):
            # What another thread has learnt of snapshots since is not in the leads of this one.
            worker.matching.lead[:] = np.inf
            tasks.append(pool.submit(self._run_kernel, present, worker, part, None))
        for task in tasks:
            task.result()
        self._raise_errors()

    def _run_kernel(self, present: Any, worker: Worker, sequence: IntArray, rates: FloatArray | None) -> None:
        """Present graphs to a CLASSIFY step; without rates they do not learn."""
        learning = rates is not None
        given = rates if rates is not None else np.empty(0)
        present(
            worker.services, self.state.record, worker.record, sequence, given, 0, len(sequence), learning
        )

    def _raise_errors(self) -> None:
        """Raise what a matcher of the user's own has raised in a kernel."""
        for worker in self.workers:
            if worker.error is not None:
                raise worker.error

    def _end_cycle(self, cycle: int, codebook: GraphCollection | None) -> int:
        """Bring bounds up to date with the movement of the code graphs; matchings that it took."""
        L = self.state.learner
        if codebook is None:
            hop = np.empty(L.drift.taken_at.shape)
            winner = L.label if L.n_families else L.label[:0]
            end_cycle(L.codes, L.drift, self.workers[0].matching.lead, cycle, winner, L.lower, L.slot, hop)
            return 0
        k = self.state.n_codes
        pairs = np.column_stack([np.arange(k), np.arange(k)])
        order = self.state.space.match_order
        shift = match_all(self.state.codebook(), codebook, pairs, self.matcher, order, 1).distance
        accelerated.estimate_bounds(self.state.record, shift)
        return k

    def _relocate(self, idle: IntArray) -> None:
        """Move code graphs that won nothing to the graphs that are worst represented."""
        worst = np.argsort(-lifted_sq_distances(self.state.record), kind="stable")
        for j, i in zip(idle.tolist(), worst.tolist(), strict=False):
            self.state.replace_code(j, self.state.X[i])
        for worker in self.workers:
            worker.matching.lead[:] = np.inf
        logger.info("relocated %d idle code graphs", len(idle))

    def encode(self) -> int:
        """Find the winners and lifts of all graphs for the final codebook; returns the matchings it took."""
        L = self.state.learner
        before = self._counters()
        if not self.algorithm.certifies:
            # Bounds of other algorithms mean other things, and those of the paper may not hold.
            L.lower[:] = 0.0
        # A learning that was interrupted is to end with a usable codebook; a second Ctrl-C means it.
        was_interrupted, self.interrupted = self.interrupted, False
        self._stop[0] = 0
        self._watched(lambda pool: self._classify(pool, self._lossless, np.arange(len(self.state.X))))
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = was_interrupted
        return int((self._counters() - before)[N_MATCHINGS])

    def exact_sq_distances(self) -> FloatArray:
        """Return the squared distances of all graphs to their winners, after :meth:`encode`."""
        found: FloatArray = exact_sq_distances(self.state.record, self.workers[0].record)
        return found

    def arrays(self) -> dict[str, AnyArray]:
        """Return all arrays that the rest of the run depends on, by name."""
        return self.state.arrays() | {"lead": self.workers[0].matching.lead}

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Set all arrays to saved ones."""
        self.state.restore(arrays)
        set_array(self.workers[0].matching.lead, arrays["lead"], "lead")

    def interrupt(self) -> None:
        """End the run after the presentation at hand."""
        self.interrupted = True
        self._stop[0] = 1

    def _counters(self) -> IntArray:
        counters: IntArray = np.sum([worker.matching.counters for worker in self.workers], axis=0)
        return counters

    @contextmanager
    def _at_work(self) -> Iterator[ThreadPoolExecutor]:
        with ExitStack() as stack:
            for worker in self.workers:
                stack.enter_context(worker.registered())
            yield stack.enter_context(ThreadPoolExecutor(len(self.workers)))

    def history(self) -> History:
        """Return the cycles so far."""
        return History(self.cycles)


def largest_shift(codes: Codebook, nodes: FloatArray, pairs: FloatArray) -> float:
    """Return the largest Euclidean movement of a code graph from given representations."""
    squared = ((codes.nodes - nodes) ** 2).sum(axis=(1, 2))
    squared += 0.5 * codes.G.pair_weight * ((codes.pairs - pairs) ** 2).sum(axis=(1, 2, 3))
    return float(np.sqrt(squared.max(initial=0.0)))


__all__ = ["ALGORITHMS", "Algorithm", "Plan", "Run", "largest_shift"]
