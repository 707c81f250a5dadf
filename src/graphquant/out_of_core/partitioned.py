"""Training graphs in partitions, as the driver sees them: out of core in this process, or on many machines.

In a round all partitions learn independently from the same code graphs; the results are merged in an order
that the seed determines (``merging.py``). The result depends on the partitions and the seed, never on how
many of them are processed at a time, or where. With one partition it is that of the same graphs in
memory, bit for bit.
"""

import copy
import logging
import math
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from operator import add

import numpy as np

from graphquant._typing import AnyArray, IntArray
from graphquant.datasets import EncodedPartition
from graphquant.graphs import GraphCollection
from graphquant.learning.clusters import Nearest
from graphquant.learning.codes import Codes, CodeSpace
from graphquant.learning.driver import Round
from graphquant.learning.encoding import Encoding, join
from graphquant.learning.learner import Counts
from graphquant.learning.members import Members
from graphquant.learning.plan import Plan
from graphquant.matching import Matcher
from graphquant.out_of_core.executor import Executor
from graphquant.out_of_core.merging import merge
from graphquant.out_of_core.partition import Job, Learnt, Step, find_nearest, find_winners, learn, take

logger = logging.getLogger("graphquant")

# Bytes of a lower bound and of its reference.
BOUND_BYTES = 10
# Rounds per cycle: partitions exchange code graphs only between rounds.
ROUNDS = 4
# A single one has nothing to exchange.
ROUNDS_ALONE = 1


class Partitioned:
    """Partitions that learn wherever an executor runs them.

    Parameters
    ----------
    parts : sequence of EncodedPartition
        None of them is empty.
    sizes : sequence of int
        Number of graphs of each.
    space : CodeSpace
        Large enough for the graphs of all partitions.
    n_codes : int
    matcher : Matcher
    plan : Plan
    executor : Executor
    """

    def __init__(
        self,
        parts: Sequence[EncodedPartition],
        sizes: Sequence[int],
        space: CodeSpace,
        n_codes: int,
        matcher: Matcher,
        plan: Plan,
        executor: Executor,
    ) -> None:
        self.parts, self.sizes, self.executor = list(parts), list(sizes), executor
        self.n_graphs, self.n_parts = sum(self.sizes), len(self.parts)
        self.n_rounds = ROUNDS if self.n_parts > 1 else ROUNDS_ALONE
        plan = replace(plan, n_groups=self._choose_groups(n_codes))
        self.job = Job(uuid.uuid4().hex, space, matcher, plan)

    def _choose_groups(self, n_codes: int) -> int:
        """Return how many groups of code graphs share bounds, and log it if any do."""
        memory = self.executor.total_memory()
        n_groups = groups_within(memory, self.n_graphs, n_codes)
        if n_groups:
            logger.warning(
                "%d bounds per graph instead of %d, to stay within %.1f GiB: the same codebook, but more "
                "matchings. For more memory: executor=LocalExecutor(memory=...), or more workers.",
                n_groups + 1,
                n_codes,
                memory / 2**30,
            )
        return n_groups

    def learn(self, codes: Codes, cycle: int, number: int, rng: np.random.Generator) -> Round:
        """Let all partitions do a part of the cycle, and merge their code graphs."""
        n = self.n_parts
        steps = [Step(part, cycle, number, self.n_rounds, _stream(rng, part)) for part in range(n)]
        found: list[Learnt] = self.executor.map(learn, self.parts, (self.job, codes.copy()), steps)
        # Those merged last count most, like graphs that are presented last; so the order changes.
        order = _stream(rng, n + number).permutation(n) if n > 1 else [0]
        if number == self.n_rounds - 1:
            # The same draw as in partition 0, from the same state.
            rng.permutation(self.sizes[0])
        return Round(
            merge(codes, [found[part].moved for part in order]),
            sum((learnt.counts for learnt in found), Counts()),
            distortion=sum(learnt.distortion for learnt in found),
        )

    def encode(
        self, codes: Codes, on_done: Callable[[int], None] | None = None, patience: float = math.inf
    ) -> Encoding:
        """Find the nearest code graphs of all graphs, however long it takes; mappings stay where they are."""
        shared = self.job, codes.copy()
        found: list[tuple[Encoding, Members]] = self.executor.map(
            find_winners, self.parts, shared, list(range(self.n_parts)), on_done
        )
        self.executor.clear()
        self._members = reduce(add, (members for _, members in found))
        return join([encoding for encoding, _ in found])

    def members(self, encoding: Encoding) -> Members:
        """Return what members of the clusters have in common, as the partitions counted it."""
        return self._members

    def nearest(self, codes: GraphCollection, chosen: IntArray) -> Nearest:
        """Return the nearest graphs of all partitions for some code graphs."""
        found: list[Nearest] = self.executor.map(
            find_nearest, self.parts, (self.job, codes, chosen), [None] * self.n_parts
        )
        starts = np.cumsum([0, *self.sizes])
        numbered = [part._replace(row=part.row + start) for part, start in zip(found, starts, strict=False)]
        return reduce(Nearest.or_nearer, numbered)

    def take(self, indices: IntArray) -> GraphCollection:
        """Return some of the graphs; each partition reads its own."""
        starts = np.cumsum([0, *self.sizes])
        part_of = np.searchsorted(starts, indices, side="right") - 1
        rows = [indices[part_of == part] - starts[part] for part in range(self.n_parts)]
        found: list[GraphCollection | None] = self.executor.map(take, self.parts, None, rows)
        # They come partition by partition; each goes back to its place.
        joined = GraphCollection.concatenate([part for part in found if part is not None])
        return joined[np.argsort(np.argsort(part_of, kind="stable"), kind="stable")]

    def interrupt(self) -> None:
        """Do nothing: a round runs to its end, because its partitions may be anywhere."""

    def arrays(self) -> dict[str, AnyArray]:
        """Return nothing: the state of partitions does not affect results."""
        return {}

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Do nothing: partitions begin with the code graphs that they receive."""


def groups_within(memory: int, n_graphs: int, n_codes: int) -> int:
    """Return for how many groups of code graphs the bounds take half of the memory; 0 if all bounds fit.

    Examples
    --------
    >>> groups_within(2**31, n_graphs=10**6, n_codes=45)
    0
    >>> groups_within(2**31, n_graphs=10**6, n_codes=1000)
    106
    """
    columns = memory // 2 // (BOUND_BYTES * n_graphs)
    return 0 if columns >= n_codes else max(1, columns - 1)


def _stream(rng: np.random.Generator, number: int) -> np.random.Generator:
    """Return a separate generator for each number; number 0 draws what ``rng`` would draw next."""
    if number == 0:
        # A jump, even of zero steps, would drop the buffered half of a number from the last draw.
        return copy.deepcopy(rng)
    return np.random.Generator(rng.bit_generator.jumped(number))  # type: ignore[attr-defined]


__all__ = ["BOUND_BYTES", "ROUNDS", "Partitioned"]
