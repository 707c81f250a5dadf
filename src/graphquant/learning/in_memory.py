"""Training graphs in memory, as the driver sees them: a single permanent partition."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.graphs import GraphCollection
from graphquant.learning.clusters import Nearest, nearest_graphs
from graphquant.learning.codes import Codes, CodeSpace
from graphquant.learning.driver import Round
from graphquant.learning.encoding import Encoding, encoding_of, find_all_winners
from graphquant.learning.learner import GraphLearner
from graphquant.learning.members import Members
from graphquant.learning.plan import Plan
from graphquant.learning.rates import cycle_rates
from graphquant.matching import Matcher


class InMemory:
    """A collection that learns in this process.

    Parameters
    ----------
    X : GraphCollection
    space : CodeSpace
    n_codes : int
    matcher : Matcher
    plan : Plan
    lower : ndarray of shape (n_graphs, n_codes), optional
        Lower bounds of distances to the first code graphs; the array is used, not copied.
    """

    # There is no other partition to synchronise with between rounds.
    n_rounds = 1
    n_parts = 1

    def __init__(
        self,
        X: GraphCollection,
        space: CodeSpace,
        n_codes: int,
        matcher: Matcher,
        plan: Plan,
        *,
        lower: FloatArray | None = None,
    ) -> None:
        self.plan, self.n_graphs = plan, len(X)
        self.learner = GraphLearner(X, space, n_codes, matcher, plan, lower=lower)
        self._has_begun = False

    def learn(self, codes: Codes, cycle: int, number: int, rng: np.random.Generator) -> Round:
        """Present all graphs; the round is the whole cycle."""
        self._begin(codes)
        counted = self.learner.counts
        # The paper's bounds alone are brought up to date by what all of the cycle has moved.
        before = codes.copy() if self.plan.algorithm == "accelerated" else codes
        sequence = rng.permutation(self.n_graphs)
        rates = cycle_rates(self.plan.learning_rate, cycle, self.plan.max_cycles, self.n_graphs)
        if not self.learner.present(sequence, rates):
            return Round(self.learner.codes, self.learner.counts - counted, was_interrupted=True)
        self.learner.end_cycle(cycle, before)
        counts = self.learner.counts - counted
        return Round(self.learner.codes, counts, distortion=self.learner.distortion)

    def encode(
        self, codes: Codes, on_done: Callable[[int], None] | None = None, patience: float = math.inf
    ) -> Encoding:
        """Find the nearest code graphs of all graphs."""
        self._begin(codes)
        before = self.learner.counts
        is_complete = find_all_winners(self.learner, patience)
        if on_done is not None:
            on_done(1)
        found = encoding_of(self.learner, (self.learner.counts - before).matchings)
        return found if is_complete else replace(found, is_complete=False)

    def members(self, encoding: Encoding) -> Members:
        """Return what members of the clusters have in common."""
        learner = self.learner
        label, mapping = encoding.label, encoding.mapping
        return Members.of(learner.X, label, mapping, len(learner.codes), learner.space.order)

    def nearest(self, codes: GraphCollection, chosen: IntArray) -> Nearest:
        """Return the nearest of all graphs for some code graphs."""
        order, threads = self.learner.space.space.match_order, self.plan.n_threads
        return nearest_graphs(self.learner.X, codes, chosen, self.learner.matcher, order, threads)

    def take(self, indices: IntArray) -> GraphCollection:
        """Return some of the graphs."""
        return self.learner.X[indices]

    def _begin(self, codes: Codes) -> None:
        if not self._has_begun:
            self.learner.begin(codes)
            self._has_begun = True

    def interrupt(self) -> None:
        """End a round after the current presentation."""
        self.learner.interrupt()

    def arrays(self) -> dict[str, AnyArray]:
        """Return all arrays that the rest of a run depends on, by name."""
        return self.learner.arrays()

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Set all arrays to saved ones."""
        self.learner.restore(arrays)
        self._has_begun = True


__all__ = ["InMemory"]
