"""Graphs in files: how the estimator learns from them and encodes them, partition by partition."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from graphquant._executor import Executor, Store
from graphquant._typing import FloatArray, IntArray
from graphquant.datasets import EncodedPartition, GraphSource, raw_without_encoder, scan
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection
from graphquant.initialisation.partitioned import Partitions, initialise_partitioned
from graphquant.io import Skipped
from graphquant.matching import Matcher
from graphquant.matching.pairwise import progress_bar
from graphquant.quantizers._encoding import encode, transform
from graphquant.quantizers._partition import Survey, Winners, digest_of, survey
from graphquant.quantizers._partitioned import PartitionedRun
from graphquant.quantizers.competitive import Plan

# Their results do not depend on bounds, which a partition may lose at any time.
ALGORITHMS = ("lossless", "standard")
_SHOWN_SKIPPED = 3


def as_source(X: Any) -> GraphSource | None:
    """Return graphs in files as partitions; None for graphs in memory."""
    if isinstance(X, GraphSource):
        return X
    return scan(X) if isinstance(X, str | Path) else None


@dataclass(frozen=True)
class TrainingSet:
    """The partitions that have graphs, and what a run has to know of them."""

    parts: tuple[EncodedPartition, ...]
    sizes: IntArray
    mean_order: float
    capacity: IntArray
    skipped: tuple[Skipped, ...]
    digest: str
    has_groups: bool

    @property
    def order(self) -> int | None:
        """Order of the graph space; without meaning for graphs with groups."""
        return None if self.has_groups else int(self.capacity[0])

    def any_codes(self, n_codes: int) -> GraphCollection:
        """Return graphs to put the code graphs of a snapshot in the place of."""
        X, _ = self.parts[0].read()
        return X[np.zeros(n_codes, dtype=np.int64)]

    def new_run(
        self,
        codes: GraphCollection,
        matcher: Matcher,
        plan: Plan,
        executor: Executor,
        rng: np.random.Generator,
    ) -> PartitionedRun:
        """Return a run from a start."""
        # Threads work on partitions; inside a partition only if there is no other.
        plan = plan if len(self.parts) == 1 else replace(plan, n_threads=1)
        sizes = self.sizes.tolist()
        return PartitionedRun(codes, self.capacity, self.parts, sizes, matcher, plan, executor, rng)

    def start(
        self,
        init: Any,
        n_codes: int,
        matcher: Matcher,
        plan: Plan,
        executor: Executor,
        rng: np.random.Generator,
        progress: bool,
    ) -> tuple[GraphCollection, int]:
        """Choose the first code graphs; returns them and the matchings it took."""
        X = Partitions(
            self.parts, self.sizes, self.mean_order, matcher, self.order, executor, plan.n_threads, progress
        )
        return initialise_partitioned(init, X, n_codes, rng)


def check_learnable(plan: Plan) -> None:
    """Refuse what cannot be learnt in partitions."""
    if plan.algorithm not in ALGORITHMS:
        raise InvalidParameterError(
            f"algorithm={plan.algorithm!r} learns from graphs in memory only: its results depend on bounds, "
            "which a partition may lose.",
            f"Choose one of {', '.join(ALGORITHMS)}, or read the graphs first: fit(gq.read(path)).",
        )
    if plan.relocate_idle:
        raise InvalidParameterError(
            "relocate_idle=True works for graphs in memory only.", "Leave it out, or fit(gq.read(path))."
        )


def look_through(
    source: GraphSource, order: int | None, executor: Executor, progress: bool = False
) -> TrainingSet:
    """Read all partitions once, to see what is in them."""
    if source.is_raw and source.encoder is None:
        raise raw_without_encoder(source.address)
    found: list[Survey] = _map(survey, source.partitions, None, executor, progress, "Looking through")
    skipped = tuple(item for part in found for item in part.skipped)
    kept = [(part, seen) for part, seen in zip(source.partitions, found, strict=True) if seen.n_graphs]
    if not kept:
        raise InvalidGraphError(f"{source.address}: there is no graph to learn from.", "Give other files.")
    warn_of_skipped(skipped)
    seen_parts = [seen for _, seen in kept]
    has_groups = any(seen.has_groups for seen in seen_parts)
    capacity = np.zeros(max(len(seen.capacity) for seen in seen_parts), dtype=np.int64)
    for seen in seen_parts:
        np.maximum(capacity[: len(seen.capacity)], seen.capacity, out=capacity[: len(seen.capacity)])
    if order is not None and has_groups:
        raise InvalidGraphError(
            f"order={order} has no meaning for graphs with groups: each class has its own positions.",
            "Leave order out; it is taken from the graphs.",
        )
    if order is not None:
        capacity = np.maximum(capacity, order)
    sizes = np.array([seen.n_graphs for seen in seen_parts], dtype=np.int64)
    return TrainingSet(
        tuple(part for part, _ in kept),
        sizes,
        sum(seen.n_nodes for seen in seen_parts) / int(sizes.sum()),
        capacity,
        skipped,
        digest_of(seen_parts),
        has_groups,
    )


def warn_of_skipped(skipped: Sequence[Skipped]) -> None:
    """Count graphs that could not be read, and show some of them."""
    if not skipped:
        return
    shown = "; ".join(f"{item.name}: {item.reason}" for item in skipped[:_SHOWN_SKIPPED])
    more = f"; and {len(skipped) - _SHOWN_SKIPPED} more" if len(skipped) > _SHOWN_SKIPPED else ""
    noun = "graph was" if len(skipped) == 1 else "graphs were"
    warnings.warn(
        f"{len(skipped)} {noun} skipped ({shown}{more}). skipped_ lists all.", GraphQuantWarning, stacklevel=4
    )


@dataclass(frozen=True)
class Encoder:
    """A codebook and how to match with it, as workers get it."""

    codes: GraphCollection
    matcher: Matcher
    order: int | None
    n_threads: int

    def winners(self, source: GraphSource, executor: Executor, progress: bool) -> list[Winners]:
        """Return the nearest code graphs of all partitions."""
        return _map(_encode, source.partitions, self, executor, progress, "Encoding")

    def distances(self, source: GraphSource, executor: Executor, progress: bool) -> list[FloatArray]:
        """Return the distances to all code graphs of all partitions."""
        return _map(_transform, source.partitions, self, executor, progress, "Matching")


def _encode(store: Store, part: EncodedPartition, shared: Encoder, own: None) -> Winners:
    X, _ = part.read()
    found = encode(X, shared.codes, shared.matcher, shared.order, n_threads=shared.n_threads)
    return Winners(found.label, found.distance, found.lower_bound, found.proven, found.n_matchings)


def _transform(store: Store, part: EncodedPartition, shared: Encoder, own: None) -> FloatArray:
    X, _ = part.read()
    return transform(X, shared.codes, shared.matcher, shared.order, n_threads=shared.n_threads)


def _map(
    work: Callable[..., Any],
    parts: Sequence[EncodedPartition],
    shared: Any,
    executor: Executor,
    progress: bool,
    label: str,
) -> list[Any]:
    with progress_bar(len(parts), progress, label) as advance:
        return executor.map(work, parts, shared, [None] * len(parts), advance)


__all__ = ["Encoder", "TrainingSet", "as_source", "check_learnable", "look_through", "warn_of_skipped"]
