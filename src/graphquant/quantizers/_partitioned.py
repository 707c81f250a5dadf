"""Competitive learning over partitions: out of core in this process, or on many machines.

A cycle is cut into rounds. In a round all partitions learn from the same code graphs, each on its own; what
they made of them is merged in an order that the seed gives (``_merging.py``). The result depends on the
partitions and the seed, never on how many of them are worked on at a time, or where. With one partition it
is the run of ``competitive.py``, bit for bit.
"""

import copy
import logging
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from graphquant._executor import Executor
from graphquant._typing import AnyArray, IntArray
from graphquant.datasets import EncodedPartition
from graphquant.graphs import GraphCollection
from graphquant.kernels.learning import N_BOUNDS, N_MATCHINGS, N_PROVEN
from graphquant.matching import Matcher
from graphquant.quantizers._encoding import Encoding
from graphquant.quantizers._history import Cycle, History
from graphquant.quantizers._interrupts import run_to_a_stop
from graphquant.quantizers._merging import Codes, merge
from graphquant.quantizers._partition import Job, Learnt, Step, Winners, find_winners, learn
from graphquant.quantizers._state import State
from graphquant.quantizers.competitive import Plan, largest_shift

logger = logging.getLogger("graphquant")

# Bytes of a lower bound and of what it counts from.
BOUND_BYTES = 10
# Rounds of a cycle: between two of them, partitions do not hear of each other.
ROUNDS = 4
# A single one has nobody to hear of.
ROUNDS_ALONE = 1


class PartitionedRun:
    """A run over partitions that can be watched and resumed between cycles.

    Parameters
    ----------
    codes : GraphCollection
        Code graphs to start from.
    capacity : ndarray of int
        Positions of each node class, over all partitions.
    parts : sequence of EncodedPartition
        None of them empty.
    sizes : sequence of int
        Graphs of each.
    matcher : Matcher
    plan : Plan
    executor : Executor
    rng : Generator
        Decides the order of presentations.
    """

    def __init__(
        self,
        codes: GraphCollection,
        capacity: IntArray,
        parts: Sequence[EncodedPartition],
        sizes: Sequence[int],
        matcher: Matcher,
        plan: Plan,
        executor: Executor,
        rng: np.random.Generator,
    ) -> None:
        # The code graphs are their own training set here: nothing is ever presented to this state.
        self.state = State(codes, codes, capacity=capacity)
        self.parts, self.sizes = list(parts), list(sizes)
        self.executor, self.rng = executor, rng
        self.plan = plan = replace(plan, n_families=self._choose_families())
        self.job = Job(uuid.uuid4().hex, len(codes), capacity, matcher, plan)
        self.n_rounds = ROUNDS if len(self.parts) > 1 else ROUNDS_ALONE
        self.cycles: list[Cycle] = []
        self.interrupted = False

    def _choose_families(self) -> int:
        """Return how many families of code graphs share bounds, and say so if any do."""
        memory, n_codes = self.executor.total_memory(), self.state.n_codes
        n_families = families_within(memory, self.n_graphs, n_codes)
        if n_families:
            logger.warning(
                "%d bounds a graph instead of %d, to stay within %.1f GiB: the same codebook, but more "
                "matchings. For more memory: executor=LocalExecutor(memory=...), or more workers.",
                n_families + 1,
                n_codes,
                memory / 2**30,
            )
        return n_families

    @property
    def n_graphs(self) -> int:
        """Graphs of all partitions."""
        return sum(self.sizes)

    @property
    def converged(self) -> bool:
        """Whether the codebook has come to rest."""
        return bool(self.cycles) and self.cycles[-1].shift <= self.plan.tol

    @property
    def codes(self) -> Codes:
        """The code graphs as they are now; shared, not copied."""
        L = self.state.learner
        return Codes(L.codes.nodes, L.codes.pairs, L.wins)

    def learn(self, on_cycle: Callable[["PartitionedRun"], None], on_round: Callable[[int], None]) -> None:
        """Go through the training set until the plan is fulfilled, the codebook rests, or Ctrl-C."""

        def cycles() -> None:
            while len(self.cycles) < self.plan.max_cycles and not self.converged and not self.interrupted:
                self._cycle(on_round)
                if not self.interrupted:
                    on_cycle(self)

        run_to_a_stop(cycles, self.interrupt)

    def interrupt(self) -> None:
        """End the run after the round at hand."""
        self.interrupted = True

    def _cycle(self, on_round: Callable[[int], None]) -> None:
        began, before, cycle = time.perf_counter(), self.codes.copy(), len(self.cycles)
        rounds = []
        for part in range(self.n_rounds):
            if self.interrupted:
                return
            rounds.append(self._round(cycle, part))
            on_round(part + 1)
        # As a run in one process draws: partition 0 has drawn from this very state.
        self.rng.permutation(self.sizes[0])
        done = np.sum([learnt.counters for found in rounds for learnt in found], axis=0)
        self.cycles.append(
            Cycle(
                cycle + 1,
                int(done[N_MATCHINGS]),
                0,
                int(done[N_BOUNDS]),
                float(done[N_MATCHINGS] / (self.n_graphs * self.state.n_codes)),
                int(done[N_PROVEN]),
                largest_shift(self.state.learner.codes, before.nodes, before.pairs),
                sum(learnt.distortion for learnt in rounds[-1]),
                int((self.codes.wins == before.wins).sum()),
                time.perf_counter() - began,
            )
        )

    def _round(self, cycle: int, part: int) -> list[Learnt]:
        """Let all partitions do a part of the cycle, and merge what they made of the code graphs."""
        n = len(self.parts)
        streams = [_stream(self.rng, number) for number in range(n)]
        steps = [
            Step(number, cycle, part, self.n_rounds, stream.bit_generator.state)
            for number, stream in enumerate(streams)
        ]
        found: list[Learnt] = self.executor.map(learn, self.parts, (self.job, self.codes.copy()), steps)
        # Those merged last count most, as graphs that are presented last do; so the order changes.
        order = _stream(self.rng, n + part).permutation(n)
        self._set(merge(self.codes, [found[number].moved for number in order]))
        return found

    def _set(self, codes: Codes) -> None:
        self.state.place_codes(codes.nodes, codes.pairs)
        self.state.learner.wins[:] = codes.wins

    def encode(self, on_done: Callable[[int], None] | None = None) -> Encoding:
        """Find the nearest code graphs of all graphs; mappings stay where the partitions are."""
        numbers = list(range(len(self.parts)))
        shared = self.job, self.codes.copy()
        found: list[Winners] = self.executor.map(find_winners, self.parts, shared, numbers, on_done)
        self.executor.clear()
        return join(found)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all arrays that the rest of the run depends on, by name."""
        return vars(self.codes)

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Set the code graphs to saved ones."""
        self._set(Codes(arrays["nodes"], arrays["pairs"], arrays["wins"]))

    def history(self) -> History:
        """Return the cycles so far."""
        return History(self.cycles)


def families_within(memory: int, n_graphs: int, n_codes: int) -> int:
    """Return for how many families of code graphs the bounds take half of the memory; 0 if there is for all.

    Examples
    --------
    >>> families_within(2**31, n_graphs=10**6, n_codes=45)
    0
    >>> families_within(2**31, n_graphs=10**6, n_codes=1000)
    106
    """
    columns = memory // 2 // (BOUND_BYTES * n_graphs)
    return 0 if columns >= n_codes else max(1, columns - 1)


def _stream(rng: np.random.Generator, number: int) -> np.random.Generator:
    """Return a generator of its own for each number; number 0 draws what ``rng`` would draw next."""
    if number == 0:
        # A jump, even of no steps, would drop the half of a number that is left from the last draw.
        return copy.deepcopy(rng)
    return np.random.Generator(rng.bit_generator.jumped(number))  # type: ignore[attr-defined]


def join(found: Sequence[Winners]) -> Encoding:
    """Put the winners of all partitions one after the other."""

    def column(name: str) -> AnyArray:
        return np.concatenate([getattr(winners, name) for winners in found])

    label = column("label")
    return Encoding(
        label,
        column("distance"),
        column("lower_bound"),
        column("proven"),
        np.empty((len(label), 0), dtype=np.int64),
        sum(winners.n_matchings for winners in found),
    )


__all__ = ["ROUNDS", "PartitionedRun", "join"]
