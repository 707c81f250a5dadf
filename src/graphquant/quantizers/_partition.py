"""The work on one partition: it learns on its own from the code graphs that it is given.

Everything here is a function of the partition and of what is sent; the state that a store keeps between
rounds (winners, alignments, bounds) spares matchings and decides nothing. So a partition may move to another
process, or lose its state, at any time.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant._executor import Store
from graphquant._typing import AnyArray, BoolArray, FloatArray, IntArray
from graphquant.bounds import class_capacity
from graphquant.datasets import EncodedPartition
from graphquant.io import Skipped
from graphquant.matching import Matcher
from graphquant.quantizers._checkpoint import fingerprint
from graphquant.quantizers._encoding import encoding_of
from graphquant.quantizers._merging import Codes, Moved
from graphquant.quantizers._rates import cycle_rates
from graphquant.quantizers._state import State
from graphquant.quantizers.competitive import Plan, Run


@dataclass(frozen=True)
class Survey:
    """What has to be known of a partition before learning."""

    n_graphs: int
    n_nodes: int
    capacity: IntArray
    has_groups: bool
    skipped: tuple[Skipped, ...]
    digest: str


@dataclass(frozen=True)
class Job:
    """What stays the same over a run."""

    name: str
    n_codes: int
    capacity: IntArray
    matcher: Matcher
    plan: Plan


@dataclass(frozen=True)
class Step:
    """Which presentations a partition is to do: one part of a cycle."""

    number: int  # of the partition
    cycle: int
    part: int
    n_parts: int
    rng_state: Any  # from which all parts of the cycle draw the same permutation


@dataclass(frozen=True)
class Learnt:
    """What a part of a cycle gave."""

    moved: Moved
    counters: IntArray
    distortion: float  # after the last part of a cycle, else 0


@dataclass(frozen=True)
class Winners:
    """Nearest code graphs of a partition."""

    label: IntArray
    distance: FloatArray
    lower_bound: FloatArray
    proven: BoolArray
    n_matchings: int


def survey(store: Store, part: EncodedPartition, shared: Any, own: Any) -> Survey:
    """Read a partition to see what is in it."""
    X, content = part.read()
    capacity = class_capacity(X) if len(X) else np.zeros(1, dtype=np.int64)
    skipped = tuple(
        Skipped(f"{part.partition.address}: {item.name}", item.reason) for item in content.skipped
    )
    return Survey(len(X), int(X.orders.sum()), capacity, X.groups is not None, skipped, fingerprint(X))


def learn(store: Store, part: EncodedPartition, shared: tuple[Job, Codes], own: Step) -> Learnt:
    """Present a part of a partition."""
    job, codes = shared
    key = (job.name, own.number)
    learner, is_new = store.take(key, lambda: PartitionLearner(job, part))
    learner.follow(codes, is_new, in_mid_run=own.cycle + own.part > 0)
    found: Learnt = learner.learn(codes, own)
    store.give(key, learner)
    return found


def find_winners(store: Store, part: EncodedPartition, shared: tuple[Job, Codes], own: int) -> Winners:
    """Find the nearest code graphs of a partition, at the end of a run."""
    job, codes = shared
    learner, is_new = store.take((job.name, own), lambda: PartitionLearner(job, part))
    learner.follow(codes, is_new, in_mid_run=False)
    run = learner.run
    found = encoding_of(run, run.encode())
    return Winners(found.label, found.distance, found.lower_bound, found.proven, found.n_matchings)


class PartitionLearner:
    """A partition with its winners, alignments and bounds."""

    def __init__(self, job: Job, part: EncodedPartition) -> None:
        X, _ = part.read()
        any_codes = X[np.zeros(job.n_codes, dtype=np.int64)]
        plan = job.plan
        state = State(
            X,
            any_codes,
            theta=plan.theta,
            certifies=plan.certifies,
            capacity=job.capacity,
            n_families=plan.n_families,
        )
        self.run = Run(state, job.matcher, plan)
        self.plan = plan

    def follow(self, codes: Codes, is_new: bool, *, in_mid_run: bool) -> None:
        """Take over the code graphs that all partitions go on with."""
        if not is_new:
            self.run.move_codes(codes.nodes, codes.pairs)
            return
        self.run.state.place_codes(codes.nodes, codes.pairs)
        if in_mid_run:
            # The state was lost: the distortion is to count all graphs again.
            self.run.encode()

    def learn(self, codes: Codes, step: Step) -> Learnt:
        """Present the graphs of a step."""
        L, n = self.run.state.learner, len(self.run.state.X)
        rng = np.random.default_rng()
        rng.bit_generator.state = step.rng_state
        chosen = part_of(n, step.part, step.n_parts, self.plan.batch_size)
        sequence = rng.permutation(n)[chosen]
        rates = cycle_rates(self.plan.learning_rate, step.cycle, self.plan.max_cycles, n)[chosen]
        L.wins[:] = codes.wins
        counters = self.run.present_part(sequence, rates)
        moved = Moved(
            Codes(L.codes.nodes.copy(), L.codes.pairs.copy(), L.wins.copy()), self._keep(sequence, rates)
        )
        last = step.part == step.n_parts - 1
        return Learnt(moved, counters, self.run.end_parts(step.cycle) if last else 0.0)

    def _keep(self, sequence: IntArray, rates: FloatArray) -> FloatArray:
        """Return which share of each code graph is left after the presentations."""
        L = self.run.state.learner
        if self.plan.learning_rate == "harmonic":
            return np.full(len(L.wins), -1.0)
        keep = np.ones(len(L.wins))
        np.multiply.at(keep, L.label[sequence], 1.0 - rates)
        return keep

    def arrays(self) -> dict[str, AnyArray]:
        """Return what a side file holds."""
        return self.run.arrays()

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Take over a side file."""
        self.run.restore(arrays)

    @property
    def nbytes(self) -> int:
        """Bytes of the graphs, of those that matchers have at hand, and of the state."""
        L = self.run.state.learner
        graphs = (array for array in (*L.X, *L.G) if isinstance(array, np.ndarray))
        arrays = (*graphs, *self.run.arrays().values())
        return sum(array.nbytes for array in arrays) + self.run.state.X.nbytes


def part_of(n: int, part: int, n_parts: int, batch_size: int) -> slice:
    """Return a part of a cycle's presentations, in whole batches.

    Examples
    --------
    >>> [part_of(10, part, 3, batch_size=2) for part in range(3)]
    [slice(0, 4, None), slice(4, 6, None), slice(6, 10, None)]
    """
    n_batches = -(-n // batch_size)
    begin, end = (batch_size * round(n_batches * at / n_parts) for at in (part, part + 1))
    return slice(begin, min(end, n))


def digest_of(surveys: list[Survey]) -> str:
    """Hash of all partitions."""
    return hashlib.sha256("".join(found.digest for found in surveys).encode()).hexdigest()


__all__ = [
    "Job",
    "Learnt",
    "Step",
    "Survey",
    "Winners",
    "digest_of",
    "find_winners",
    "learn",
    "part_of",
    "survey",
]
