"""Starts for graphs in partitions, of which no process sees all."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from graphquant._executor import Executor, Store
from graphquant._typing import IntArray
from graphquant._validation import check_choice
from graphquant.datasets import EncodedPartition
from graphquant.graphs import GraphCollection
from graphquant.initialisation import INITIALISATIONS, check_enough, initialise
from graphquant.initialisation._base import Start
from graphquant.initialisation.given import take_given
from graphquant.initialisation.medoids import LARGEST_SAMPLE, sample_size
from graphquant.matching import Matcher


def initialise_partitioned(
    init: Any,
    parts: Sequence[EncodedPartition],
    sizes: IntArray,
    n_codes: int,
    *,
    mean_order: float,
    matcher: Matcher,
    order: int | None,
    rng: np.random.Generator,
    executor: Executor,
    n_threads: int,
    progress: bool = False,
) -> tuple[GraphCollection, int]:
    """Choose the first code graphs; returns them and the matchings it took.

    A single partition gets the start that its graphs would get in memory. Of several, a sample of all
    graphs is drawn, each graph as likely as another, and the start is chosen from it.
    """
    if not isinstance(init, str):
        sample = _gather(parts, sizes, np.arange(1), executor)
        return take_given(init, sample, n_codes, order).graphs, 0
    check_choice("init", init, INITIALISATIONS)
    N = int(sizes.sum())
    check_enough(N, n_codes)
    settings: dict[str, Any] = {"matcher": matcher, "order": order, "n_jobs": n_threads, "progress": progress}
    if len(parts) == 1:
        ((start, rng_state),) = executor.map(_start_alone, parts, (init, n_codes, settings), [rng])
        rng.bit_generator.state = rng_state
        return start.graphs, start.n_matchings
    size = min(N, max(LARGEST_SAMPLE, sample_size(mean_order, n_codes)))
    sample = _gather(parts, sizes, np.sort(rng.choice(N, size, replace=False)), executor)
    start = initialise(init, sample, n_codes, random_state=rng, **settings)
    return start.graphs, start.n_matchings


def _start_alone(
    store: Store, part: EncodedPartition, shared: tuple[str, int, dict[str, Any]], own: np.random.Generator
) -> tuple[Start, Any]:
    """Choose the start of a partition that is all there is; returns it, and where its generator ended."""
    init, n_codes, settings = shared
    start = initialise(init, part.read()[0], n_codes, random_state=own, **settings)
    return start, own.bit_generator.state


def _take(store: Store, part: EncodedPartition, shared: None, own: IntArray) -> GraphCollection:
    X, _ = part.read()
    return X[own]


def _gather(
    parts: Sequence[EncodedPartition], sizes: IntArray, numbers: IntArray, executor: Executor
) -> GraphCollection:
    """Return graphs by their numbers over all partitions, in order."""
    first = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    own = [numbers[(numbers >= a) & (numbers < b)] - a for a, b in pairwise(first)]
    asked = [p for p, chosen in enumerate(own) if len(chosen)]
    found = executor.map(_take, [parts[p] for p in asked], None, [own[p] for p in asked])
    return GraphCollection.concatenate(found).with_names(None)


__all__ = ["initialise_partitioned"]
