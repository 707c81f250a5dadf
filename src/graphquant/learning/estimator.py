"""GraphQuantizer: competitive learning that follows the scikit-learn API."""

import html
import importlib
import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from graphquant._random import RandomState, check_random_state, spawn_seeds
from graphquant._threads import n_threads
from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_positive_int
from graphquant.bounds import check_comparable
from graphquant.datasets import GraphSource, scan
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection
from graphquant.graphs.checks import plural
from graphquant.learning.checkpoint import identity_of
from graphquant.learning.clusters import Clusters
from graphquant.learning.codes import CodeSpace
from graphquant.learning.driver import Run
from graphquant.learning.encoding import Encoding, encode, encoding_of, transform
from graphquant.learning.fitting import (
    FirstCodes,
    Fit,
    GraphsInMemory,
    Outcome,
    TrainingSet,
    clusters_after,
    fit_all,
)
from graphquant.learning.folder_lock import locked
from graphquant.learning.history import History
from graphquant.learning.in_memory import InMemory
from graphquant.learning.insight import CodebookInsight
from graphquant.learning.plan import Plan, check_order, complete, decide, plan_of
from graphquant.matching import MatcherLike, matcher_for_learning
from graphquant.out_of_core.executor import Executor, LocalExecutor
from graphquant.out_of_core.sources import Encoder, GraphsInFiles, check_learnable, look_through
from graphquant.preprocessing import Encoded, GraphEncoder
from graphquant.preprocessing.vectors import EncoderLike, check_encoder, encoded_like, learn_vectors

_NOT_FINAL = "labels_ are partly those of the last presentations; predict finds the final ones. "

AlgorithmName = Literal["auto", "standard", "accelerated", "lossless", "fast"]


class GraphQuantizer(
    CodebookInsight,
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    ClusterMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Learn a codebook of representative graphs by competitive learning, and encode graphs with it.

    Graphs are presented one by one in random order. The nearest code graph Y of a graph X is moved towards
    it: y <- y + eta (x - y), where x is the representation of X that is optimally aligned with y.

    Parameters
    ----------
    n_codes : int, default=8
        Size of the codebook, k.
    algorithm : {"auto", "lossless", "standard", "accelerated", "fast"}, default="auto"
        How winners are found.

        - auto: lossless where the matcher searches at least three quarters of the training graphs for a
          proof (with the default matcher: where these have up to 16 nodes), and for graphs in files; fast
          for larger graphs. ``history_`` says which;
        - standard: match with every code graph (Algorithm 1 of the paper);
        - accelerated: the paper's bounds (Algorithms 2 to 5), with ``theta``;
        - lossless: certified bounds; the same winners and the same codebook as standard, with any matcher;
        - fast: certified bounds, or the distances found where these are not proven; alignments are renewed
          only if another one may be nearer by a quarter of the distance (one that is not proven counts as
          the best when it was found). Where most graphs are too large to be proven, the default matcher
          proves only pairs of up to 8 nodes while it learns, and all it can for ``encoding_``.
    matcher : {"auto", "exact", "frank-wolfe", "graduated-assignment"} or Matcher, default="auto"
        ``"auto"`` is :class:`AutoMatcher` for pairs whose smaller graph has up to 16 nodes (with 200 search
        nodes from 9 nodes on) and :class:`FrankWolfe` for larger ones: code graphs are dense, and proofs
        would take most of the time. Pass ``AutoMatcher()`` to get them.
    init : {"auto", "medoids", "furthest-first", "k-means++", "random"} or graphs, default="auto"
        How to choose the first code graphs, or the graphs themselves: see
        :func:`graphquant.initialisation.initialise`.
    n_init : int, default=1
        Runs from different starts, in parallel threads; the one with the lowest distortion is kept.
    learning_rate : {"auto", "linear", "harmonic"}, float, pair or callable, default="auto"
        - auto: from 0.05 to 0.001 if medoids are the start (from up to 0.1 if there are few graphs per
          code graph), else linear;
        - linear: from 0.1 to 0.001 over all cycles; a pair sets other ends;
        - harmonic: 1 / (number of wins of the code graph);
        - a number: a constant rate;
        - a callable gets a :class:`RateContext` and returns the rate.
    max_cycles : int or "auto", default="auto"
        Passes through the training set. ``"auto"``: 5; up to 20 if there are fewer than 20 graphs per code
        graph; down to 3 if that still presents 2000 graphs per code graph, or if graphs are so large and
        many that a cycle takes long. The paper uses 150.
    tol : float, default=0.0
        Stop after a cycle in which no code graph moved by more than this.
    theta : float, default=0.0
        For ``"accelerated"``: how far a code graph may move in a cycle before its alignments are renewed.
    batch_size : int, default=1
        Graphs whose winners are found, in parallel, before the code graphs move.
    order : int, optional
        Order of the graph space; at least that of the largest training graph, which is the default.
    random_state : int, numpy Generator or RandomState, optional
    n_jobs : int, optional
        Threads; by default all cores. Results do not depend on it.
    executor : Executor, optional
        Where to process graphs in files; by default in threads of this process, with at most 2 GiB of state
        in memory (:class:`graphquant.out_of_core.LocalExecutor` sets another budget).
        :class:`graphquant.out_of_core.DaskExecutor` uses a cluster. Results do not depend on it.
    checkpoint : path, optional
        Folder for a snapshot after each cycle, or less often if that took more than 5 % of the time. A fit
        that finds a snapshot of the same run there continues from it, and ends with the same bits as an
        uninterrupted run.
    progress : bool, default=False
        Show a progress bar on stderr.
    relocate_idle : bool, default=False
        Deprecated: has no effect since version 2.0.
    encoder : AttributeEncoder, EditCosts, "auto" or None, default="auto"
        Turns graphs with named attributes into vectors: data sets, networkx and PyTorch Geometric graphs,
        molecules. ``fit`` fits it and keeps it as ``encoder_``; ``predict`` and the like use that one.

        - auto: vectors as they are, with the encoder that made them; for graphs that have none, a fresh
          ``AttributeEncoder()``, for molecules ``MoleculeEncoder()``;
        - an encoder: for raw attributes. If it is fitted, it is used as it is, else a copy is fitted.
          :class:`~graphquant.preprocessing.EditCosts` learns in the graph edit distance;
        - None: vectors only, numeric attributes as they are.

    Attributes
    ----------
    codebook_ : GraphCollection
        The code graphs.
    labels_ : ndarray of int of shape (n_graphs,)
        Nearest code graph of each training graph, for the final codebook.
    distortion_ : float
        Half the sum of squared distances of the training graphs to their nearest code graphs; with
        ``EditCosts`` half the sum of edit distances.
    encoding_ : Encoding
        The same with distances, bounds and mappings (no mappings for graphs in files).
    medoid_indices_ : ndarray of int of shape (n_codes,)
        For each code graph the training graph that is nearest to it among those that it wins, by the distance
        of ``encoding_``, ties to the lowest index; among all if it wins none. After ``partial_fit``, graphs
        of all calls are counted one after the other.
    medoids_ : GraphCollection
        These graphs, with their names. They are saved with the codebook.
    n_matchings_ : int
        Matchings of all cycles; those for the start, for the movement of code graphs and for ``labels_`` are
        in ``n_init_matchings_``, ``n_shift_matchings_`` and ``n_encode_matchings_``.
    n_cycles_ : int
    history_ : History
        One record per cycle.
    order_ : int
        Order of the graph space.
    encoder_ : AttributeEncoder or None
        Encoder of raw graphs; None if ``fit`` got vectors made by hand.
    n_features_in_ : int
        Channels of nodes and edges.
    skipped_ : tuple of Skipped
        Graphs of files that could not be read, with file, row and reason (``gq.scan(on_error="skip")``).

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
    >>> round(q.distortion_, 1)
    0.5
    """

    def __init__(
        self,
        n_codes: int = 8,
        *,
        algorithm: AlgorithmName = "auto",
        matcher: MatcherLike = "auto",
        init: Any = "auto",
        n_init: int = 1,
        learning_rate: Any = "auto",
        max_cycles: int | Literal["auto"] = "auto",
        tol: float = 0.0,
        theta: float = 0.0,
        batch_size: int = 1,
        order: int | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        executor: Executor | None = None,
        checkpoint: str | Path | None = None,
        progress: bool = False,
        relocate_idle: bool = False,
        encoder: EncoderLike = "auto",
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
        self.encoder = encoder

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the codebook of a collection of graphs.

        Graphs in files are learnt partition by partition (row groups), never in memory together: each
        partition learns on its own for a part of a cycle, then all continue from the same codebook. A single
        partition gives the same result as its graphs in memory.

        Parameters
        ----------
        X : graphs in any form
            A Dataset, a collection, RawGraphs; lists or columns of networkx graphs, molecules or SMILES;
            PyTorch Geometric data; or graphs in files: the path, folder, pattern or URL of Parquet files, or
            the result of :func:`graphquant.scan`.
        y : ignored
        """
        source, params = self._source(X), self.get_params(deep=False)
        plan, matcher = plan_of(params, in_memory=source is None), matcher_for_learning(self.matcher)
        seeds = spawn_seeds(self.random_state, check_positive_int("n_init", self.n_init))
        training: TrainingSet
        if source is None:
            graphs, encoder = self._learn_vectors(X)
            check_order(self.order, graphs)
            plan = decide(plan, matcher, graphs.orders)
            plan = complete(plan, params, len(graphs), float(graphs.orders.mean()))
            training, skipped = GraphsInMemory(graphs, plan, matcher), getattr(X, "skipped", ())
        else:
            plan = decide(plan, matcher, None)
            check_learnable(plan)
            executor, encoder = self._executor_for(source), source.encoder
            content = look_through(source, self.order, executor, self.progress)
            plan = complete(plan, params, int(content.sizes.sum()), content.mean_order)
            training, skipped = GraphsInFiles(content, plan, matcher, executor), content.skipped
        first = FirstCodes(self.init, self.n_codes, self.order, self.progress)
        identity = {} if self.checkpoint is None else identity_of(params)
        fits = [
            Fit(training, plan, first, int(seed), number, checkpoint=self.checkpoint, parameters=identity)
            for number, seed in enumerate(seeds)
        ]
        with locked(self.checkpoint):
            outcomes = fit_all(fits, plan.n_threads if source is None else 1)
        best = min(outcomes, key=lambda outcome: outcome.encoding.distortion)
        self._keep(best, encoder)
        self.skipped_ = tuple(skipped)
        self._warn(best)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Continue learning with one pass through more graphs.

        The first call chooses the start from its graphs. Call t has the learning rate of cycle t;
        ``labels_`` and ``distortion_`` are those of its own graphs when they were presented. For graphs in
        files, each partition is a separate call, in order.

        Parameters
        ----------
        X : graphs in any form, as in :meth:`fit`; raw ones are encoded like those of the first call
        y : ignored
        """
        fitted = hasattr(self, "codebook_")
        source = self._source(X)
        if source is not None:
            for graphs in source.encoded_by(self.encoder_ if fitted else None).collections():
                if len(graphs):
                    self.partial_fit(graphs)
            return self
        params = self.get_params(deep=False)
        plan, matcher = plan_of(params, in_memory=True), matcher_for_learning(self.matcher)
        graphs, encoder = (self._check_new(X).graphs, self.encoder_) if fitted else self._learn_vectors(X)
        if fitted and len(self.codebook_) != self.n_codes:
            raise InvalidParameterError(
                f"n_codes={self.n_codes}, but the codebook has {plural(len(self.codebook_), 'code graph')}.",
                f"Set n_codes={len(self.codebook_)} to continue with it, or fit from scratch.",
            )
        plan = complete(plan, params, len(graphs))
        decided = self.history_[-1].algorithm if fitted and len(self.history_) else ""
        algorithm = decided if plan.algorithm == "auto" and decided else plan.algorithm
        plan = decide(replace(plan, algorithm=algorithm), matcher, graphs.orders)
        if fitted:
            run, n_init_matchings = self._continued(graphs, plan), self.n_init_matchings_
        else:
            check_order(self.order, graphs)
            training, rng = GraphsInMemory(graphs, plan, matcher), check_random_state(self.random_state)
            start = training.start(FirstCodes(self.init, self.n_codes, self.order, self.progress), rng)
            run, n_init_matchings = training.new_run(start, self.order, rng), start.n_matchings
        former = (self.codebook_, self._clusters) if fitted else None
        run.learn_once()
        assert isinstance(run.training, InMemory)
        found = encoding_of(run.training.learner, 0, as_presented=True)
        self._keep(Outcome(run, found, n_init_matchings), encoder, former)
        return self

    def _continued(self, X: GraphCollection, plan: Plan) -> Run:
        """Return a run that continues from the codebook, with other graphs."""
        space = CodeSpace.of(X, self.codebook_, self._space_order())
        codes = replace(space.place(self.codebook_), wins=self._wins.copy())
        matcher = matcher_for_learning(self.matcher)
        run = Run(InMemory(X, space, len(codes), matcher, plan), space, codes, plan, self._rng)
        run.cycles = list(self.history_)
        return run

    def predict(self, X: Any) -> IntArray:
        """Return the number of the nearest code graph of each graph; ties go to the lowest."""
        return self.match(X).label

    def transform(self, X: Any) -> FloatArray:
        """Return the distances of all graphs to all code graphs, shape (n_graphs, n_codes)."""
        source = _as_source(X)
        if source is not None:
            encoder, executor = self._codes_for(source), self._executor_for(source)
            return encoder.distances(self._encoded(source), executor, self.progress)
        distances: FloatArray = self._apply(transform, self._check_new(X).graphs)
        return distances

    def match(self, X: Any) -> Encoding:
        """Return the nearest code graphs with distances, bounds, proofs and mappings.

        Graphs in files are read partition by partition, and have no mappings.
        """
        source = _as_source(X)
        if source is not None:
            executor = self._executor_for(source)
            return self._codes_for(source).encode(self._encoded(source), executor, self.progress)
        graphs, notes = self._check_new(X)
        found: Encoding = self._apply(encode, graphs)
        return replace(found, notes=notes)

    def quantize(self, X: Any) -> GraphCollection:
        """Return the nearest code graph of each graph."""
        labels = self.predict(X)
        return self.codebook_[labels]

    def score(self, X: Any, y: Any = None) -> float:
        """Return minus the distortion of the graphs."""
        return -self.match(X).distortion

    def save(self, path: str | Path) -> None:
        """Write the codebook with parameters and provenance to a Parquet file; read it by ``gq.load``."""
        from graphquant.learning.model_file import save

        check_is_fitted(self)
        save(self, Path(path))

    def _executor_for(self, source: GraphSource) -> Executor:
        """Return the executor; by default as many threads as there are partitions."""
        if self.executor is not None:
            return self.executor
        return LocalExecutor(max(1, min(n_threads(self.n_jobs), len(source.partitions))))

    def _encoded(self, source: GraphSource) -> GraphSource:
        return source.encoded_by(self.encoder_)

    def _codes_for(self, source: GraphSource) -> Encoder:
        """Return what workers need to encode a source."""
        check_is_fitted(self)
        threads = n_threads(self.n_jobs) if len(source.partitions) == 1 else 1
        return Encoder(self.codebook_, matcher_for_learning(self.matcher), self._space_order(), threads)

    def _keep(
        self, outcome: Outcome, encoder: Any, former: tuple[GraphCollection, Clusters | None] | None = None
    ) -> None:
        run = outcome.run
        self.codebook_ = run.codebook()
        self._set_clusters(clusters_after(run, outcome.encoding, self.codebook_, former))
        self.encoding_ = outcome.encoding
        self.labels_ = outcome.encoding.label
        self.distortion_ = outcome.encoding.distortion
        self.history_: History = run.history()
        self.n_matchings_ = self.history_.n_matchings
        self.n_shift_matchings_ = sum(cycle.n_shift_matchings for cycle in self.history_)
        self.n_init_matchings_ = outcome.n_init_matchings
        self.n_encode_matchings_ = outcome.encoding.n_matchings
        self.n_cycles_ = len(self.history_)
        self.order_ = run.space.order
        self.encoder_ = encoder
        self._set_channels()
        self._wins, self._rng = run.codes.wins.copy(), run.rng

    def _set_clusters(self, clusters: Clusters | None) -> None:
        """Keep what is known of the training graphs; files of version 1.0 know nothing."""
        self._clusters = clusters
        if clusters is not None:
            self.medoid_indices_, self.medoids_ = clusters.medoid_indices, clusters.medoids

    def _set_channels(self) -> None:
        """Tell scikit-learn the numbers of input channels and output distances."""
        codes = self.codebook_
        self.n_features_in_ = codes.node_attrs.shape[1] + codes.edge_attrs.shape[1]
        self._n_features_out = len(codes)

    def _space_order(self) -> int | None:
        return None if self.codebook_.groups is not None else self.order_

    def _apply(self, function: Callable[..., Any], X: GraphCollection) -> Any:
        """Call a function of graphs and codebook with the parameters of this estimator."""
        return function(
            X,
            self.codebook_,
            matcher_for_learning(self.matcher),
            self._space_order(),
            n_threads=n_threads(self.n_jobs),
            progress=self.progress,
        )

    def _source(self, X: Any) -> GraphSource | None:
        """Return graphs in files as partitions, raw ones encoded by a fitted ``encoder``; else None."""
        source, encoder = _as_source(X), check_encoder(self.encoder)
        fitted = isinstance(encoder, GraphEncoder) and encoder.is_fitted
        return source.encoded_by(encoder) if source is not None and fitted else source  # type: ignore[arg-type]

    def _learn_vectors(self, X: Any) -> tuple[GraphCollection, GraphEncoder | None]:
        """Return training graphs as vectors, and what made them."""
        graphs, encoder = learn_vectors(X, self.encoder)
        if len(graphs) == 0:
            raise InvalidGraphError("There are no graphs to learn from.", "Pass at least one graph.")
        return graphs, encoder

    def _check_new(self, X: Any) -> Encoded:
        """Return new graphs as vectors like those of the codebook."""
        check_is_fitted(self)
        found = encoded_like(X, self.codebook_.schema, self.encoder_)
        if len(found.graphs):
            check_comparable(found.graphs, self.codebook_)
        return found

    def _warn(self, outcome: Outcome) -> None:
        max_cycles = outcome.run.plan.max_cycles
        if outcome.run.interrupted:
            _warn(
                f"Interrupted after {self.n_cycles_} of {max_cycles} cycles: the codebook is the latest. "
                + ("" if outcome.encoding.is_complete else _NOT_FINAL)
                + "Fit again with checkpoint= to continue from the last snapshot."
            )
        elif self.tol > 0 and not outcome.run.converged:
            shift = outcome.run.cycles[-1].shift if outcome.run.cycles else math.inf
            _warn(
                f"Stopped at max_cycles={max_cycles} with codebook shift {shift:.2g} > "
                f"tol={self.tol:g}. Raise max_cycles or tol."
            )
        idle = self.n_codes - len(np.unique(self.labels_))
        if idle:
            _warn(
                f"{idle} of {self.n_codes} code graphs are not nearest to any training graph. "
                "Lower n_codes, or choose another init."
            )

    def _repr_html_(self) -> str:
        """Return the parameters and, once fitted, cards of the clusters, for notebooks."""
        text = f"<pre>{html.escape(repr(self))}</pre>"
        if not hasattr(self, "codebook_"):
            return text
        # Drawings belong to a higher layer, which is loaded only when a notebook asks for one.
        plotting = importlib.import_module("graphquant.plotting")
        if self._clusters is None:
            return text + str(plotting.codebook_svg(self.codebook_, encoder=self.encoder_))
        return text + str(plotting.cluster_cards(self))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


def _as_source(X: Any) -> GraphSource | None:
    """Return graphs in files as partitions; None for graphs in memory."""
    if isinstance(X, GraphSource):
        return X
    return scan(X) if isinstance(X, str | Path) else None


def _warn(message: str) -> None:
    warnings.warn(message, GraphQuantWarning, stacklevel=4)


__all__ = ["GraphQuantizer"]
