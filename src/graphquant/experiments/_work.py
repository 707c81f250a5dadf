"""Doing a job: from its description to a record of plain values."""

import time
import warnings
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from graphquant._typing import FloatArray, IntArray
from graphquant.datasets import Dataset, load_iam
from graphquant.exceptions import GraphQuantWarning
from graphquant.experiments._config import SETTINGS, ErrorKind, Job
from graphquant.experiments._encodings import paper_graphs
from graphquant.graphs import GraphCollection
from graphquant.learning import GraphQuantizer
from graphquant.matching import AutoMatcher, match, match_all, pairwise_distances, second_distance
from graphquant.metrics import majority_accuracy

# Number of pairs of graphs whose mean distance is called typical.
_TYPICAL_PAIRS = 2000
# Training graphs whose certified radius is measured, and search nodes for each.
_CERTIFIED_GRAPHS = 200
_CERTIFY_NODES = 1000


class Sample(NamedTuple):
    """The graphs of an experiment and their classes."""

    graphs: GraphCollection
    targets: IntArray


@lru_cache(maxsize=4)
def load_sample(data: str, dataset: str, setting: str, per_class: int | None) -> Sample:
    """Load a data set in the form that a setting needs."""
    weights = SETTINGS[setting].on(dataset).weights
    if weights is None:
        loaded = load_iam(dataset, data)
        # As it was when the presets were chosen: balance came later, and changes grec, and so did the channel
        # for other categories.
        graphs = clone(loaded.encoder).set_params(balance=False, unknown="error").fit_transform(loaded.raw)
    else:
        loaded, graphs = paper_graphs(dataset, data, weights)
    chosen = _first_of_each(loaded, per_class)
    assert loaded.targets is not None
    return Sample(graphs[chosen], loaded.targets[chosen])


def _first_of_each(loaded: Dataset, per_class: int | None) -> IntArray:
    """Return the numbers of the first graphs of each class."""
    assert loaded.targets is not None
    if per_class is None:
        return np.arange(len(loaded))
    classes = np.unique(loaded.targets)
    return np.sort(np.concatenate([np.flatnonzero(loaded.targets == c)[:per_class] for c in classes]))


@lru_cache(maxsize=4)
def typical_distance(data: str, dataset: str, setting: str, per_class: int | None) -> float:
    """Return the mean distance of random pairs of graphs, the unit of theta."""
    graphs = load_sample(data, dataset, setting, per_class).graphs
    rng = np.random.default_rng(0)
    left = rng.integers(0, len(graphs), _TYPICAL_PAIRS)
    # A graph different from the left one.
    right = (left + rng.integers(1, len(graphs), _TYPICAL_PAIRS)) % len(graphs)
    matcher = SETTINGS[setting].on(dataset).matcher
    return float(match_all(graphs, graphs, np.column_stack([left, right]), matcher, n_jobs=1).distance.mean())


def distance_matrix(
    data: str, dataset: str, setting: str, per_class: int | None, n_jobs: int = 1
) -> FloatArray:
    """Distances between all graphs, for the silhouette: exact for letters, else by Frank-Wolfe."""
    graphs = load_sample(data, dataset, setting, per_class).graphs
    matcher = "exact" if dataset == "letter" else "frank-wolfe"
    return pairwise_distances(graphs, matcher=matcher, n_jobs=n_jobs)


def do_job(job: Job, data: str) -> dict[str, Any]:
    """Learn a codebook and return everything that tables and plots need, as plain values."""
    sample = load_sample(data, job.dataset, job.setting, job.per_class)
    typical = 0.0
    if job.theta or job.certify:
        typical = typical_distance(data, job.dataset, job.setting, job.per_class)
    began, cpu_began = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        # Idle code graphs are counted in the record.
        warnings.simplefilter("ignore", GraphQuantWarning)
        quantizer = new_quantizer(job, typical).fit(sample.graphs)
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu_began
    if quantizer.n_cycles_ < job.cycles and quantizer.history_[-1].shift > 0.0:
        # The learner ends cleanly on Ctrl-C; an unfinished run is not a result.
        raise KeyboardInterrupt
    setting = SETTINGS[job.setting].on(job.dataset)
    cycle_seconds = sum(cycle.seconds for cycle in quantizer.history_)
    return {
        "job": job.to_json(),
        "setting": setting.to_json(),
        "n_graphs": len(sample.graphs),
        "theta": job.theta * typical,
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        # Cycles report seconds of the clock, which other work on the machine stretches: take their share.
        "cycle_cpu_seconds": cpu_seconds * cycle_seconds / seconds,
        **measure(quantizer, sample, setting.error),
        "radii": certified_radii(quantizer, sample.graphs, typical) if job.certify else [],
    }


def new_quantizer(job: Job, typical: float = 0.0) -> GraphQuantizer:
    """Return the learner of a job; ``typical`` is the unit of theta."""
    setting = SETTINGS[job.setting].on(job.dataset)
    return GraphQuantizer(
        job.n_codes,
        algorithm=job.algorithm,  # type: ignore[arg-type]
        matcher=setting.matcher,
        init=setting.init,
        learning_rate=setting.rate,
        max_cycles=job.cycles,
        theta=job.theta * typical,
        random_state=job.seed + job.run,
        n_jobs=1,
    )


def measure(quantizer: GraphQuantizer, sample: Sample, error: ErrorKind = "(1/2) sum d^2") -> dict[str, Any]:
    """Return the quality and the cost of a fitted quantizer."""
    history = quantizer.history_
    distance = quantizer.encoding_.distance
    # Encoded again: the proofs are then those of the matcher, whatever the algorithm kept while learning.
    proven = quantizer.match(sample.graphs).proven
    return {
        "error": float(distance.sum()) if error == "sum d" else quantizer.distortion_,
        "accuracy": majority_accuracy(labels=quantizer.labels_, targets=sample.targets),
        "proven": float(proven.mean()),
        "matchings": quantizer.n_matchings_,
        "shift_matchings": quantizer.n_shift_matchings_,
        "init_matchings": quantizer.n_init_matchings_,
        "bounds": sum(cycle.n_bounds for cycle in history),
        "n_idle": quantizer.n_codes - len(np.unique(quantizer.labels_)),
        "share": [round(cycle.share, 6) for cycle in history],
        "labels": quantizer.labels_.tolist(),
    }


def certified_radii(quantizer: GraphQuantizer, graphs: GraphCollection, typical: float) -> list[float]:
    """Return how far code graphs may move before alignments may stop being optimal: theta with a theorem.

    The gap certificate (d2 - d1) / 2 of some training graphs, sorted, as shares of the typical distance; 0
    for an alignment that is not proven optimal.
    """
    chosen = np.random.default_rng(0).permutation(len(graphs))[:_CERTIFIED_GRAPHS]
    codes, labels = list(quantizer.codebook_), quantizer.labels_
    radii = []
    for i in chosen.tolist():
        x, y = graphs[i], codes[labels[i]]
        best = match(x, y, AutoMatcher(), quantizer.order_)
        radius = 0.0
        if best.proven:
            second = second_distance(x, y, best.mapping, quantizer.order_, node_limit=_CERTIFY_NODES)
            radius = max(0.0, 0.5 * (second - best.distance))
        radii.append(round(radius / typical, 6))
    return sorted(radii)


__all__ = [
    "Sample",
    "certified_radii",
    "distance_matrix",
    "do_job",
    "load_sample",
    "measure",
    "new_quantizer",
    "typical_distance",
]
