"""Runs from start to end: the start, learning with progress and snapshots, the winners."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._executor import Executor
from graphquant.graphs import GraphCollection, as_collection
from graphquant.matching import Matcher
from graphquant.matching.pairwise import progress_bar
from graphquant.quantizers._checkpoint import Checkpoint, Resumable, describe, fingerprint
from graphquant.quantizers._encoding import Encoding, encoding_of
from graphquant.quantizers._partitioned import PartitionedRun
from graphquant.quantizers._progress import cycle_progress
from graphquant.quantizers._sources import TrainingSet
from graphquant.quantizers._state import State
from graphquant.quantizers.competitive import Plan, Run

if TYPE_CHECKING:
    from graphquant.quantizers._estimator import GraphQuantizer


@dataclass(frozen=True)
class Outcome:
    """A finished run: the state it ended in, its winners and what it cost."""

    run: Run | PartitionedRun
    encoding: Encoding
    n_init_matchings: int


class Task:
    """One run in memory, which another thread may interrupt."""

    def __init__(
        self,
        owner: "GraphQuantizer",
        X: GraphCollection,
        plan: Plan,
        matcher: Matcher,
        seed: int,
        number: int,
    ) -> None:
        self.owner, self.X, self.plan, self.matcher = owner, X, plan, matcher
        self.seed, self.number = seed, number
        self.run: Run | None = None
        self._interrupted = False

    def interrupt(self) -> None:
        """End the run after the presentation at hand."""
        self._interrupted = True
        if self.run is not None:
            self.run.interrupt()

    def work(self) -> Outcome:
        """Do all of it."""
        rng = np.random.default_rng(self.seed)
        checkpoint = new_checkpoint(self.owner, {"training set": lambda: fingerprint(self.X)}, self.number)
        saved = None if checkpoint is None else checkpoint.load()
        if saved is None:
            state, n_init_matchings = self.owner._start(self.X, self.plan, self.matcher, rng)
        else:
            n_init_matchings = saved[0]["start"]["n_matchings"]
            codes = self.X[np.zeros(self.owner.n_codes, dtype=np.int64)]
            state = State(
                self.X, codes, self.owner.order, theta=self.plan.theta, certifies=self.plan.certifies
            )
        self.run = Run(state, self.matcher, self.plan, rng)
        if checkpoint is not None and saved is not None:
            checkpoint.restore(self.run, *saved)
        if self._interrupted:
            self.run.interrupt()
        with cycle_progress(self.plan.max_cycles, self.owner.progress, self.number) as show:

            def on_cycle(run: Run) -> None:
                show(run.cycles, 0.0)
                if not run.interrupted:
                    save(checkpoint, run, n_init_matchings)

            self.run.learn(on_cycle)
        n_matchings = self.run.encode()
        return Outcome(self.run, encoding_of(self.run, n_matchings), n_init_matchings)


class PartitionedTask:
    """One run over partitions."""

    def __init__(
        self,
        owner: "GraphQuantizer",
        training: TrainingSet,
        plan: Plan,
        matcher: Matcher,
        executor: Executor,
        seed: int,
        number: int,
    ) -> None:
        self.owner, self.training, self.plan, self.matcher = owner, training, plan, matcher
        self.executor, self.seed, self.number = executor, seed, number

    def work(self) -> Outcome:
        """Do all of it; what the executor keeps for it is forgotten in the end."""
        try:
            return self._work()
        finally:
            self.executor.clear()

    def _work(self) -> Outcome:
        rng, training = np.random.default_rng(self.seed), self.training
        identity = {"training set": lambda: training.digest, "partitions": lambda: len(training.parts)}
        checkpoint = new_checkpoint(self.owner, identity, self.number)
        saved = None if checkpoint is None else checkpoint.load()
        if saved is None:
            codes, n_init_matchings = training.start(
                self.owner.init,
                self.owner.n_codes,
                self.matcher,
                self.plan,
                self.executor,
                rng,
                self.owner.progress,
            )
        else:
            n_init_matchings = saved[0]["start"]["n_matchings"]
            codes = training.any_codes(self.owner.n_codes)
        run = training.new_run(codes, self.matcher, self.plan, self.executor, rng)
        if checkpoint is not None and saved is not None:
            checkpoint.restore(run, *saved)
        with cycle_progress(self.plan.max_cycles, self.owner.progress, self.number) as show:

            def on_cycle(run: PartitionedRun) -> None:
                show(run.cycles, 0.0)
                save(checkpoint, run, n_init_matchings)

            run.learn(on_cycle, lambda part: show(run.cycles, part / run.n_rounds))
        with progress_bar(len(training.parts), self.owner.progress, "Encoding") as advance:
            return Outcome(run, run.encode(advance), n_init_matchings)


def save(checkpoint: Checkpoint | None, run: Resumable, n_init_matchings: int) -> None:
    """Replace the snapshot of a run, if one is wanted."""
    if checkpoint is not None:
        checkpoint.save(run, {"n_matchings": n_init_matchings})


def new_checkpoint(
    owner: "GraphQuantizer", training_set: dict[str, Callable[[], Any]], number: int
) -> Checkpoint | None:
    """Return the place of a run's snapshot, named by all that the run depends on."""
    if owner.checkpoint is None:
        return None
    params = owner.get_params(deep=False)
    # The encoder shows in the vectors, of which the training set has a hash.
    ignored = ("n_jobs", "progress", "checkpoint", "executor", "random_state", "init", "encoder")
    identity: dict[str, Any] = {
        name: describe(value) for name, value in params.items() if name not in ignored
    }
    if isinstance(owner.init, str):
        identity["init"] = owner.init
    else:
        identity["init"] = fingerprint(as_collection(owner.init))
    if isinstance(owner.random_state, int | np.integer):
        identity["random_state"] = repr(int(owner.random_state))
    identity |= {name: value() for name, value in training_set.items()}
    return Checkpoint(owner.checkpoint, number, identity)


__all__ = ["Outcome", "PartitionedTask", "Task"]
