"""The work on one partition: it learns independently from the code graphs that it is given.

Everything here is a function of the partition and of the data sent; the state that a store keeps between
rounds (winners, alignments, bounds) only saves matchings. So a partition may move to another
process, or lose its state, at any time.
"""

import copy
import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.bounds import class_capacity
from graphquant.datasets import EncodedPartition
from graphquant.graphs import GraphCollection
from graphquant.io import Skipped
from graphquant.learning.checkpoint import fingerprint
from graphquant.learning.clusters import Nearest, nearest_graphs
from graphquant.learning.codes import Codes, CodeSpace
from graphquant.learning.encoding import Encoding, encoding_of, find_all_winners, join
from graphquant.learning.learner import Counts, GraphLearner
from graphquant.learning.members import Members
from graphquant.learning.plan import Plan
from graphquant.learning.rates import cycle_rates
from graphquant.matching import Matcher
from graphquant.out_of_core.executor import Store
from graphquant.out_of_core.merging import Moved


@dataclass(frozen=True)
class Survey:
    """What must be known about a partition before learning."""

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
    space: CodeSpace
    matcher: Matcher
    plan: Plan


@dataclass(frozen=True)
class Step:
    """The presentations that a partition should do: one part of a cycle."""

    number: int  # number of the partition
    cycle: int
    part: int
    n_parts: int
    rng: np.random.Generator  # from whose state all parts of the cycle draw the same permutation


@dataclass(frozen=True)
class Learnt:
    """The result of a part of a cycle."""

    moved: Moved
    counts: Counts
    distortion: float  # after the last part of a cycle, else 0


def survey(store: Store, part: EncodedPartition, shared: Any, own: Any) -> Survey:
    """Read a partition to find out its content."""
    X, content = part.read()
    capacity = class_capacity(X) if len(X) else np.zeros(1, dtype=np.int64)
    skipped = tuple(
        Skipped(f"{part.partition.address}: {item.name}", item.reason) for item in content.skipped
    )
    return Survey(
        n_graphs=len(X),
        n_nodes=int(X.orders.sum()),
        capacity=capacity,
        has_groups=X.groups is not None,
        skipped=skipped,
        digest=fingerprint(X),
    )


def learn(store: Store, part: EncodedPartition, shared: tuple[Job, Codes], own: Step) -> Learnt:
    """Present a part of a partition."""
    job, codes = shared
    key = (job.name, own.number)
    learner, is_new = store.take(key, lambda: PartitionLearner(job, len(codes), part))
    learner.follow(codes, is_new, in_mid_run=own.cycle + own.part > 0)
    found: Learnt = learner.learn(codes, own)
    store.give(key, learner)
    return found


def find_winners(
    store: Store, part: EncodedPartition, shared: tuple[Job, Codes], own: int
) -> tuple[Encoding, Members]:
    """Find the nearest code graphs of a partition, at the end of a run; mappings stay behind."""
    job, codes = shared
    learner, is_new = store.take((job.name, own), lambda: PartitionLearner(job, len(codes), part))
    learner.follow(codes, is_new, in_mid_run=False)
    found: tuple[Encoding, Members] = learner.encode()
    return found


def find_nearest(
    store: Store, part: EncodedPartition, shared: tuple[Job, GraphCollection, IntArray], own: None
) -> Nearest:
    """Find the nearest graphs of a partition for some code graphs."""
    X, _ = part.read()
    job, codes, chosen = shared
    return nearest_graphs(X, codes, chosen, job.matcher, job.space.space.match_order, job.plan.n_threads)


def take(store: Store, part: EncodedPartition, shared: None, own: IntArray) -> GraphCollection | None:
    """Read some graphs of a partition; None for none."""
    return part.read()[0][own] if len(own) else None


class PartitionLearner:
    """A partition with its winners, alignments and bounds."""

    def __init__(self, job: Job, n_codes: int, part: EncodedPartition) -> None:
        X, _ = part.read()
        self.plan = job.plan
        self.graphs = GraphLearner(X, job.space, n_codes, job.matcher, job.plan)

    def follow(self, codes: Codes, is_new: bool, *, in_mid_run: bool) -> None:
        """Continue with the code graphs of all partitions."""
        if not is_new:
            self.graphs.follow(codes)
            return
        self.graphs.begin(codes)
        if in_mid_run:
            # The state was lost: the distortion must count all graphs again.
            find_all_winners(self.graphs)

    def learn(self, codes: Codes, step: Step) -> Learnt:
        """Present the graphs of a step."""
        n = len(self.graphs.X)
        chosen = part_of(n, step.part, step.n_parts, self.plan.batch_size)
        sequence = copy.deepcopy(step.rng).permutation(n)[chosen]
        rates = cycle_rates(self.plan.learning_rate, step.cycle, self.plan.max_cycles, n)
        if rates is not None:
            rates = rates[chosen]
        counted = self.graphs.counts
        self.graphs.present(sequence, rates)
        counts = self.graphs.counts - counted
        moved = Moved(self.graphs.codes.copy(), self._keep(sequence, rates))
        if step.part < step.n_parts - 1:
            return Learnt(moved, counts, 0.0)
        self.graphs.end_cycle(step.cycle, codes)
        return Learnt(moved, counts, self.graphs.distortion)

    def _keep(self, sequence: IntArray, rates: FloatArray | None) -> FloatArray | None:
        """Return the share of each code graph that is left after the presentations."""
        if rates is None:
            return None
        keep = np.ones(len(self.graphs.codes))
        np.multiply.at(keep, self.graphs.label[sequence], 1.0 - rates)
        return keep

    def encode(self) -> tuple[Encoding, Members]:
        """Find the winners of all graphs, and what those of each code graph have in common."""
        counted, graphs = self.graphs.counts, self.graphs
        find_all_winners(graphs)
        found = encoding_of(graphs, (graphs.counts - counted).matchings)
        members = Members.of(graphs.X, found.label, found.mapping, len(graphs.codes), graphs.space.order)
        return join([found]), members

    def arrays(self) -> dict[str, AnyArray]:
        """Return the content of a side file."""
        return self.graphs.arrays()

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Restore from a side file."""
        self.graphs.restore(arrays)

    @property
    def nbytes(self) -> int:
        """Bytes of the graphs and of the state."""
        return self.graphs.nbytes


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
    "digest_of",
    "find_nearest",
    "find_winners",
    "learn",
    "part_of",
    "survey",
    "take",
]
