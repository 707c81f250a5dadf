"""GraphQuantizer: competitive learning with the manner of scikit-learn."""

import html
import importlib
import math
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from graphquant._random import RandomState, check_random_state, spawn_seeds
from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_choice, check_positive_int
from graphquant.bounds import check_comparable
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection, as_collection
from graphquant.initialisation import initialise
from graphquant.kernels._cache import compile_ahead
from graphquant.matching import ExactMatcher, Matcher, MatcherLike, get_matcher
from graphquant.matching._engine import n_threads
from graphquant.quantizers import lossless
from graphquant.quantizers._checkpoint import Checkpoint, describe, fingerprint
from graphquant.quantizers._encoding import Encoding, encode, encoding_of, transform
from graphquant.quantizers._history import History
from graphquant.quantizers._progress import cycle_progress
from graphquant.quantizers._rates import LearningRate, check_learning_rate
from graphquant.quantizers._state import State
from graphquant.quantizers.competitive import ALGORITHMS, Plan, Run

AlgorithmName = Literal["standard", "accelerated", "lossless", "fast"]


@dataclass(frozen=True)
class _Outcome:
    """A finished run: the state it ended in, its winners and what it cost."""

    run: Run
    encoding: Encoding
    n_init_matchings: int


class GraphQuantizer(ClusterMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Learn a codebook of representative graphs by competitive learning, and encode graphs by it.

    Graphs are presented one by one in random order. The nearest code graph Y of a graph X is moved towards
    it: y <- y + eta (x - y), where x is the representation of X that is optimally aligned with y.

    Parameters
    ----------
    n_codes : int, default=8
        Size of the codebook, k.
    algorithm : {"lossless", "standard", "accelerated", "fast"}, default="lossless"
        How winners are found.

        - standard: match with every code graph (Algorithm 1 of the paper);
        - accelerated: the paper's bounds (Algorithms 2 to 5), with ``theta``;
        - lossless: certified bounds; the same winners and the same codebook as standard, with any matcher;
        - fast: certified bounds; alignments are renewed only where another one may be nearer by a
          quarter of the distance and ``theta``.
    matcher : {"auto", "exact", "frank-wolfe", "graduated-assignment"} or Matcher, default="auto"
    init : {"auto", "medoids", "furthest-first", "k-means++", "random"} or graphs, default="auto"
        How to choose the first code graphs, or themselves: see
        :func:`graphquant.initialisation.initialise`.
    n_init : int, default=1
        Runs from different starts, in parallel threads; the one of least distortion is kept.
    learning_rate : {"linear", "harmonic"}, float, pair or callable, default="linear"
        - linear: from 0.1 to 0.001 over all cycles; a pair gives other ends;
        - harmonic: 1 / (times the code graph has won);
        - a number: always the same;
        - a callable takes a :class:`RateContext` and returns the rate.
    max_cycles : int, default=150
        Passes through the training set.
    tol : float, default=0.0
        Stop after a cycle in which no code graph moved by more than this.
    theta : float, default=0.0
        What an alignment may be off before it is renewed (accelerated: movement of the code graph since the
        last cycle; fast: how much nearer another alignment may be).
    batch_size : int, default=1
        Graphs whose winners are found, in parallel, before the code graphs move.
    order : int, optional
        Order of the graph space; by default that of the largest training graph.
    random_state : int, numpy Generator or RandomState, optional
    n_jobs : int, optional
        Threads; by default all cores. No result depends on it.
    executor : None
        Where to work; None is this process.
    checkpoint : path, optional
        Folder for a snapshot after each cycle. A fit that finds the snapshot of the same run there goes on
        from it, and ends with the same bits as if it had never stopped.
    progress : bool, default=False
        Show a progress bar on stderr.
    relocate_idle : bool, default=False
        Move a code graph that won nothing in a cycle to the graph that is worst represented.

    Attributes
    ----------
    codebook_ : GraphCollection
        The code graphs.
    labels_ : ndarray of int of shape (n_graphs,)
        Nearest code graph of each training graph, for the final codebook.
    distortion_ : float
        Half the sum of squared distances of the training graphs to their nearest code graphs.
    encoding_ : Encoding
        The same with distances, bounds and mappings.
    n_matchings_ : int
        Matchings of all cycles; those of the start, for the movement of code graphs and for ``labels_`` are
        in ``n_init_matchings_``, ``n_shift_matchings_`` and ``n_encode_matchings_``.
    n_cycles_ : int
    history_ : History
        One record a cycle.
    order_ : int
        Order of the graph space.
    encoder_ : AttributeEncoder or None
        That of the data set, if ``fit`` was given one.

    References
    ----------
    B. J. Jain and K. Obermayer, Accelerating competitive learning graph quantization.

    Examples
    --------
    >>> import graphquant as gq
    >>> points = [gq.Graph([value]) for value in (0.0, 1.0, 10.0, 11.0)]
    >>> q = gq.GraphQuantizer(2, random_state=0).fit(points)
    >>> q.labels_.tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    True
    >>> round(q.distortion_, 2)
    0.5
    """

    def __init__(
        self,
        n_codes: int = 8,
        *,
        algorithm: AlgorithmName = "lossless",
        matcher: MatcherLike = "auto",
        init: Any = "auto",
        n_init: int = 1,
        learning_rate: Any = "linear",
        max_cycles: int = 150,
        tol: float = 0.0,
        theta: float = 0.0,
        batch_size: int = 1,
        order: int | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        executor: None = None,
        checkpoint: str | Path | None = None,
        progress: bool = False,
        relocate_idle: bool = False,
    ) -> None:
        self.n_codes = n_codes
        self.algorithm = algorithm
        self.matcher = matcher
        self.init = init
        self.n_init = n_init
        self.learning_rate = learning_rate
        self.max_cycles = max_cycles
        self.tol = tol
        self.theta = theta
        self.batch_size = batch_size
        self.order = order
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.executor = executor
        self.checkpoint = checkpoint
        self.progress = progress
        self.relocate_idle = relocate_idle

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the codebook of a collection of graphs.

        Parameters
        ----------
        X : collection of graphs (anything that :func:`as_collection` takes), or a Dataset
        y : ignored
        """
        graphs, plan, matcher = _check_graphs(X), self._plan(), get_matcher(self.matcher)
        seeds = spawn_seeds(self.random_state, check_positive_int("n_init", self.n_init))
        if isinstance(matcher, ExactMatcher):
            # By the time that the start is chosen, a second process has compiled the steps of learning.
            compile_ahead("graphquant.quantizers._ahead", lossless.present)
        outcomes = self._runs(graphs, plan, matcher, seeds)
        best = min(outcomes, key=lambda outcome: outcome.encoding.distortion)
        self._keep(best, getattr(X, "encoder", None))
        self._warn(best)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Go on learning with one pass through more graphs.

        The first call chooses the start from its graphs. Call t has the learning rate of cycle t, and
        ``labels_``, ``distortion_`` are those of its own graphs as they were presented.

        Parameters
        ----------
        X : collection of graphs (anything that :func:`as_collection` takes), or a Dataset
        y : ignored
        """
        graphs, plan, matcher = _check_graphs(X), self._plan(), get_matcher(self.matcher)
        fitted = hasattr(self, "codebook_")
        rng = self._rng if fitted else check_random_state(self.random_state)
        if fitted:
            state = State(graphs, self.codebook_, self._space_order(), certifies=plan.certifies)
            state.learner.wins[:] = self._wins
            n_init_matchings, done = self.n_init_matchings_, list(self.history_)
        else:
            state, n_init_matchings = self._start(graphs, plan, matcher, rng)
            done = []
        run = Run(state, matcher, plan, rng)
        run.cycles = list(done)
        run.learn_once()
        found = encoding_of(run, 0, as_presented=True)
        self._keep(_Outcome(run, found, n_init_matchings), getattr(X, "encoder", None))
        return self

    def predict(self, X: Any) -> IntArray:
        """Return the number of the nearest code graph of each graph, the lowest of equally near ones."""
        return self.match(X).label

    def transform(self, X: Any) -> FloatArray:
        """Return the distances of all graphs to all code graphs, shape (n_graphs, n_codes)."""
        distances: FloatArray = self._apply(transform, X)
        return distances

    def match(self, X: Any) -> Encoding:
        """Return the nearest code graphs with distances, bounds, proofs and mappings."""
        found: Encoding = self._apply(encode, X)
        return found

    def quantize(self, X: Any) -> GraphCollection:
        """Return the nearest code graph of each graph."""
        labels = self.predict(X)
        return self.codebook_[labels]

    def score(self, X: Any, y: Any = None) -> float:
        """Return minus the distortion of the graphs."""
        return -self.match(X).distortion

    def save(self, path: str | Path) -> None:
        """Write the codebook with parameters and provenance to a Parquet file; read it by ``gq.load``."""
        from graphquant.quantizers._persistence import save

        check_is_fitted(self)
        save(self, Path(path))

    def _plan(self) -> Plan:
        """Check the parameters."""
        check_choice("algorithm", self.algorithm, ALGORITHMS)
        for name in ("tol", "theta"):
            value = getattr(self, name)
            if not (isinstance(value, int | float | np.number) and 0.0 <= value < math.inf):
                raise InvalidParameterError(
                    f"{name}={value!r} is not accepted.", f"Give {name} as a number of at least 0."
                )
        if self.executor is not None:
            raise InvalidParameterError(
                f"executor={self.executor!r} is not accepted.", "Leave it None: work in this process."
            )
        if self.order is not None:
            check_positive_int("order", self.order)
        rate: LearningRate = check_learning_rate(self.learning_rate)
        return Plan(
            self.algorithm,
            rate,
            check_positive_int("max_cycles", self.max_cycles, minimum=0),
            float(self.tol),
            float(self.theta),
            check_positive_int("batch_size", self.batch_size),
            n_threads(self.n_jobs),
            bool(self.relocate_idle),
        )

    def _start(
        self, X: GraphCollection, plan: Plan, matcher: Matcher, rng: np.random.Generator
    ) -> tuple[State, int]:
        """Choose the first code graphs; returns the state to learn from and the matchings it took."""
        start = initialise(
            self.init,
            X,
            self.n_codes,
            matcher=matcher,
            order=self.order,
            random_state=rng,
            n_jobs=plan.n_threads,
            progress=self.progress,
        )
        state = State(X, start.graphs, self.order, theta=plan.theta, certifies=plan.certifies)
        if plan.uses_first_bounds:
            state.learner.lower[:] = start.lower
        return state, start.n_matchings

    def _runs(self, X: GraphCollection, plan: Plan, matcher: Matcher, seeds: Any) -> list[_Outcome]:
        """Run from all seeds, in parallel where that helps; Ctrl-C ends all of them."""
        tasks = [_Task(self, X, plan, matcher, int(seed), number) for number, seed in enumerate(seeds)]
        if len(tasks) == 1 or plan.n_threads == 1:
            return [task.work() for task in tasks]
        with ThreadPoolExecutor(plan.n_threads) as pool:
            futures = [pool.submit(task.work) for task in tasks]
            try:
                return [future.result() for future in futures]
            except KeyboardInterrupt:
                for task in tasks:
                    task.interrupt()
                return [future.result() for future in futures]

    def _keep(self, outcome: _Outcome, encoder: Any) -> None:
        run = outcome.run
        self.codebook_ = run.state.codebook()
        self.encoding_ = outcome.encoding
        self.labels_ = outcome.encoding.label
        self.distortion_ = outcome.encoding.distortion
        self.history_: History = run.history()
        self.n_matchings_ = self.history_.n_matchings
        self.n_shift_matchings_ = sum(cycle.n_shift_matchings for cycle in self.history_)
        self.n_init_matchings_ = outcome.n_init_matchings
        self.n_encode_matchings_ = outcome.encoding.n_matchings
        self.n_cycles_ = len(self.history_)
        self.order_ = run.state.order
        self.encoder_ = encoder
        self._wins, self._rng = run.state.learner.wins.copy(), run.rng

    def _space_order(self) -> int | None:
        return None if self.codebook_.groups is not None else self.order_

    def _apply(self, function: Callable[..., Any], X: Any) -> Any:
        """Call a function of graphs and codebook with what the parameters say."""
        return function(
            self._check_new(X),
            self.codebook_,
            get_matcher(self.matcher),
            self._space_order(),
            n_threads=n_threads(self.n_jobs),
            progress=self.progress,
        )

    def _check_new(self, X: Any) -> GraphCollection:
        check_is_fitted(self)
        graphs = as_collection(getattr(X, "graphs", X))
        if len(graphs):
            check_comparable(graphs, self.codebook_)
        return graphs

    def _warn(self, outcome: _Outcome) -> None:
        if outcome.run.interrupted:
            _warn(
                f"Interrupted after {self.n_cycles_} of {self.max_cycles} cycles; the codebook is that of "
                "the moment. Fit again with checkpoint= to go on from the last cycle."
            )
        elif self.tol > 0 and not outcome.run.converged:
            shift = outcome.run.cycles[-1].shift if outcome.run.cycles else math.inf
            _warn(
                f"Stopped at max_cycles={self.max_cycles} with codebook shift {shift:.2g} > "
                f"tol={self.tol:g}. Raise max_cycles or tol."
            )
        idle = self.n_codes - len(np.unique(self.labels_))
        if idle:
            _warn(
                f"{idle} of {self.n_codes} code graphs are nearest to no training graph. Lower n_codes, or "
                "set relocate_idle=True."
            )

    def _repr_html_(self) -> str:
        """Return the parameters and, once fitted, a drawing of the codebook, for notebooks."""
        text = f"<pre>{html.escape(repr(self))}</pre>"
        if not hasattr(self, "codebook_"):
            return text
        # Drawings belong to a higher layer, which is loaded only when a notebook asks for one.
        plotting = importlib.import_module("graphquant.plotting")
        return text + str(plotting.codebook_svg(self.codebook_, encoder=self.encoder_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


class _Task:
    """One run from start to end, which another thread may interrupt."""

    def __init__(
        self, owner: GraphQuantizer, X: GraphCollection, plan: Plan, matcher: Matcher, seed: int, number: int
    ) -> None:
        self.owner, self.X, self.plan, self.matcher = owner, X, plan, matcher
        self.seed, self.number = seed, number
        self.run: Run | None = None
        self._interrupted = False

    def interrupt(self) -> None:
        self._interrupted = True
        if self.run is not None:
            self.run.interrupt()

    def work(self) -> _Outcome:
        rng = np.random.default_rng(self.seed)
        checkpoint = self._checkpoint()
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
                show(run.cycles)
                if checkpoint is not None and not run.interrupted:
                    checkpoint.save(run, {"n_matchings": n_init_matchings})

            self.run.learn(on_cycle)
        n_matchings = self.run.encode()
        return _Outcome(self.run, encoding_of(self.run, n_matchings), n_init_matchings)

    def _checkpoint(self) -> Checkpoint | None:
        if self.owner.checkpoint is None:
            return None
        params = self.owner.get_params(deep=False)
        ignored = ("n_jobs", "progress", "checkpoint", "executor", "random_state", "init")
        identity = {name: describe(value) for name, value in params.items() if name not in ignored}
        if isinstance(self.owner.init, str):
            identity["init"] = self.owner.init
        else:
            identity["init"] = fingerprint(as_collection(self.owner.init))
        if isinstance(self.owner.random_state, int | np.integer):
            identity["random_state"] = repr(int(self.owner.random_state))
        identity["training set"] = fingerprint(self.X)
        return Checkpoint(self.owner.checkpoint, self.number, identity)


def _check_graphs(X: Any) -> GraphCollection:
    graphs = as_collection(getattr(X, "graphs", X))
    if len(graphs) == 0:
        raise InvalidGraphError("There is no graph to learn from.", "Pass at least one graph.")
    return graphs


def _warn(message: str) -> None:
    warnings.warn(message, GraphQuantWarning, stacklevel=4)


__all__ = ["GraphQuantizer"]
