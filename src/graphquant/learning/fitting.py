"""A complete fit: the first code graphs, learning with progress and snapshots, the winners."""

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from graphquant._threads import ended_by, wait_awake
from graphquant.graphs import GraphCollection
from graphquant.initialisation import Start, initialise
from graphquant.learning.checkpoint import Checkpoint, Pace, fingerprint
from graphquant.learning.clusters import Clusters
from graphquant.learning.codes import CodeSpace
from graphquant.learning.driver import Run
from graphquant.learning.encoding import Encoding
from graphquant.learning.history import cycle_progress
from graphquant.learning.in_memory import InMemory
from graphquant.learning.plan import Plan
from graphquant.matching import Matcher
from graphquant.matching.pairwise import progress_bar


@dataclass(frozen=True)
class FirstCodes:
    """How the first code graphs are chosen: parameters of the estimator."""

    init: Any
    n_codes: int
    order: int | None
    progress: bool


class TrainingSet(Protocol):
    """Graphs to learn from, wherever they are."""

    def start(self, first: FirstCodes, rng: np.random.Generator) -> Start:
        """Choose the first code graphs."""
        ...

    def any_start(self, first: FirstCodes) -> Start:
        """Return graphs of the right kind, to be replaced by the code graphs of a snapshot."""
        ...

    def new_run(self, start: Start, order: int | None, rng: np.random.Generator) -> Run:
        """Return a run from a start."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """Return what distinguishes these graphs from others."""
        ...

    def release(self) -> None:
        """Drop data that were kept for runs."""
        ...


@dataclass(frozen=True)
class GraphsInMemory:
    """A collection to learn from."""

    X: GraphCollection
    plan: Plan
    matcher: Matcher

    def start(self, first: FirstCodes, rng: np.random.Generator) -> Start:
        """Choose the first code graphs."""
        return initialise(
            first.init,
            self.X,
            first.n_codes,
            matcher=self.matcher,
            order=first.order,
            random_state=rng,
            n_jobs=self.plan.n_threads,
            progress=first.progress,
        )

    def any_start(self, first: FirstCodes) -> Start:
        """Return as many training graphs as there are code graphs."""
        codes = self.X[np.zeros(first.n_codes, dtype=np.int64)]
        return Start(codes, None, np.zeros((len(self.X), first.n_codes)), 0)

    def new_run(self, start: Start, order: int | None, rng: np.random.Generator) -> Run:
        """Return a run from a start, whose bounds it uses."""
        space = CodeSpace.of(self.X, start.graphs, order)
        lower = start.lower if self.plan.uses_first_bounds else None
        training = InMemory(self.X, space, len(start.graphs), self.matcher, self.plan, lower=lower)
        return Run(training, space, space.place(start.graphs), self.plan, rng)

    def identity(self) -> Mapping[str, Any]:
        """Return a hash of the graphs."""
        return {"training set": fingerprint(self.X)}

    def release(self) -> None:
        """Do nothing: runs own their memory."""


@dataclass(frozen=True)
class Outcome:
    """A finished run: its final state, its winners and its cost."""

    run: Run
    encoding: Encoding
    n_init_matchings: int


class Fit:
    """One run, which another thread may interrupt.

    Parameters
    ----------
    training : TrainingSet
    plan : Plan
    first : FirstCodes
    seed : int
    number : int
        Number of the run, if there are several (``n_init``).
    checkpoint : path, optional
        Folder for snapshots.
    parameters : mapping
        What a snapshot has to agree with, besides the training set.
    """

    def __init__(
        self,
        training: TrainingSet,
        plan: Plan,
        first: FirstCodes,
        seed: int,
        number: int,
        *,
        checkpoint: str | Path | None = None,
        parameters: Mapping[str, Any],
    ) -> None:
        self.training, self.plan, self.first = training, plan, first
        self.seed, self.number = seed, number
        self._folder, self._parameters = checkpoint, parameters
        self._run: Run | None = None
        self._ending = threading.Event()

    def interrupt(self) -> None:
        """End the run after the current presentation."""
        self._ending.set()
        if self._run is not None:
            self._run.interrupt()

    def work(self) -> Outcome:
        """Do the whole fit; data kept for it are dropped at the end."""
        try:
            return self._work()
        finally:
            self.training.release()

    def _work(self) -> Outcome:
        training, checkpoint = self.training, self._checkpoint()
        rng = np.random.default_rng(self.seed)
        saved = None if checkpoint is None else checkpoint.load()
        with ended_by(self._ending):
            start = training.start(self.first, rng) if saved is None else training.any_start(self.first)
        n_init_matchings = start.n_matchings if saved is None else saved.n_init_matchings
        run = self._run = training.new_run(start, self.first.order, rng)
        if checkpoint is not None and saved is not None:
            checkpoint.restore(run, saved)
        if self._ending.is_set():
            run.interrupt()
        pace = Pace()
        with cycle_progress(self.plan.max_cycles, self.first.progress, self.number) as show:

            def on_cycle(run: Run) -> None:
                show(run.cycles, 0.0)
                if checkpoint is not None and (run.is_done or pace.allows()):
                    with pace.saving():
                        checkpoint.save(run, n_init_matchings)

            run.learn(on_cycle, lambda done: show(run.cycles, done / run.training.n_rounds))
        n_parts = run.training.n_parts
        with progress_bar(n_parts, self.first.progress and n_parts > 1, "Encoding") as advance:
            return Outcome(run, run.encode(advance), n_init_matchings)

    def _checkpoint(self) -> Checkpoint | None:
        """Return the snapshot of the run, identified by everything that the run depends on."""
        if self._folder is None:
            return None
        return Checkpoint(self._folder, self.number, {**self._parameters, **self.training.identity()})


def fit_all(fits: list[Fit], n_threads: int) -> list[Outcome]:
    """Do several fits, in parallel if that helps; Ctrl-C ends all of them."""
    if len(fits) == 1 or n_threads == 1:
        return list(_one_by_one(fits))
    with ThreadPoolExecutor(n_threads) as pool:
        futures = [pool.submit(fit.work) for fit in fits]
        try:
            wait_awake(futures)
        except KeyboardInterrupt:
            for fit in fits:
                fit.interrupt()
            return _of_those_that_learnt(futures)
        return [future.result() for future in futures]


def _one_by_one(fits: list[Fit]) -> Iterator[Outcome]:
    """Do fits in this thread, up to one that is interrupted."""
    for fit in fits:
        outcome = fit.work()
        yield outcome
        if outcome.run.interrupted:
            return


def _of_those_that_learnt(futures: list[Future[Outcome]]) -> list[Outcome]:
    """Return the outcomes of interrupted fits; those that had not chosen a start yet have none."""
    outcomes = []
    for future in futures:
        with suppress(KeyboardInterrupt):
            outcomes.append(future.result())
    if not outcomes:
        raise KeyboardInterrupt
    return outcomes


def clusters_after(
    run: Run,
    encoding: Encoding,
    codes: GraphCollection,
    former: tuple[GraphCollection, Clusters | None] | None = None,
) -> Clusters:
    """Return what a codebook keeps of its training graphs; ``former`` codes and clusters are those before."""
    before, known = former or (codes, None)
    if known is None:
        return Clusters.of(run.training, encoding, codes)
    assert isinstance(run.training, InMemory)
    # As presented, distances are those to code graphs that have moved since.
    now = replace(encoding, distance=np.sqrt(run.training.learner.core.lifted_sq_distances()))
    found = Clusters.of(run.training, now, codes, members_only=True)
    places = [run.space.space.first_mapping(code) for code in before]
    return known.followed_by(found, codes, places, run.training.learner.matcher)


__all__ = ["Fit", "FirstCodes", "GraphsInMemory", "Outcome", "TrainingSet", "clusters_after", "fit_all"]
