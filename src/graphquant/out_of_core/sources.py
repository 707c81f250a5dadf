"""Graphs in files: learning from them and encoding them, partition by partition."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.datasets import EncodedPartition, GraphSource, raw_without_encoder
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection
from graphquant.initialisation import Start
from graphquant.io import Skipped
from graphquant.learning.codes import CodeSpace
from graphquant.learning.driver import Run
from graphquant.learning.encoding import Encoding, encode, join, transform
from graphquant.learning.fitting import FirstCodes
from graphquant.learning.plan import Plan
from graphquant.matching import Matcher
from graphquant.matching.pairwise import progress_bar
from graphquant.out_of_core.executor import Executor, Store
from graphquant.out_of_core.partition import Survey, digest_of, survey
from graphquant.out_of_core.partitioned import Partitioned
from graphquant.out_of_core.starts import Partitions, initialise_partitioned

# Algorithms whose results do not depend on bounds, which a partition may lose at any time.
_ALGORITHMS = ("lossless", "standard")
_SHOWN_SKIPPED = 3


@dataclass(frozen=True)
class Content:
    """The partitions that contain graphs, and what a run must know about them."""

    parts: tuple[EncodedPartition, ...]
    sizes: IntArray
    mean_order: float
    capacity: IntArray
    skipped: tuple[Skipped, ...]
    digest: str
    has_groups: bool


@dataclass(frozen=True)
class GraphsInFiles:
    """Partitions to learn from."""

    content: Content
    plan: Plan
    matcher: Matcher
    executor: Executor

    def start(self, first: FirstCodes, rng: np.random.Generator) -> Start:
        """Choose the first code graphs."""
        content = self.content
        X = Partitions(
            parts=content.parts,
            sizes=content.sizes,
            mean_order=content.mean_order,
            matcher=self.matcher,
            capacity=content.capacity,
            has_groups=content.has_groups,
            executor=self.executor,
            n_threads=self.plan.n_threads,
            progress=first.progress,
        )
        codes, n_matchings = initialise_partitioned(first.init, X, first.n_codes, rng)
        return Start(codes, None, np.zeros((0, first.n_codes)), n_matchings)

    def any_start(self, first: FirstCodes) -> Start:
        """Return as many graphs of the first partition as there are code graphs."""
        X, _ = self.content.parts[0].read()
        return Start(X[np.zeros(first.n_codes, dtype=np.int64)], None, np.zeros((0, first.n_codes)), 0)

    def new_run(self, start: Start, order: int | None, rng: np.random.Generator) -> Run:
        """Return a run from a start."""
        content, codes = self.content, start.graphs
        # Threads process partitions; within a partition only if it is the only one.
        plan = self.plan if len(content.parts) == 1 else replace(self.plan, n_threads=1)
        space = CodeSpace.of(codes, codes, capacity=content.capacity)
        training = Partitioned(
            parts=content.parts,
            sizes=content.sizes.tolist(),
            space=space,
            n_codes=len(codes),
            matcher=self.matcher,
            plan=plan,
            executor=self.executor,
        )
        return Run(training, space, space.place(codes), plan, rng)

    def identity(self) -> Mapping[str, Any]:
        """Return a hash of the graphs, and the number of partitions."""
        return {"training set": self.content.digest, "partitions": len(self.content.parts)}

    def release(self) -> None:
        """Drop what the executor keeps for runs."""
        self.executor.clear()


def check_learnable(plan: Plan) -> None:
    """Refuse algorithms that cannot learn in partitions."""
    if plan.algorithm not in _ALGORITHMS:
        raise InvalidParameterError(
            f"algorithm={plan.algorithm!r} learns from graphs in memory only: its results depend on bounds, "
            "which a partition may lose.",
            f"Choose one of {', '.join(_ALGORITHMS)}, or read the graphs first: fit(gq.read(path)).",
        )


def look_through(
    source: GraphSource, order: int | None, executor: Executor, progress: bool = False
) -> Content:
    """Read all partitions once, to find out their content."""
    if source.is_raw and source.encoder is None:
        raise raw_without_encoder(source.address)
    found: list[Survey] = _map(survey, source.partitions, None, executor, progress, "Scanning")
    skipped = tuple(item for part in found for item in part.skipped)
    kept = [(part, seen) for part, seen in zip(source.partitions, found, strict=True) if seen.n_graphs]
    if not kept:
        raise InvalidGraphError(f"{source.address}: there are no graphs to learn from.", "Give other files.")
    warn_of_skipped(skipped)
    seen_parts = [seen for _, seen in kept]
    has_groups = any(seen.has_groups for seen in seen_parts)
    capacity = np.zeros(max(len(seen.capacity) for seen in seen_parts), dtype=np.int64)
    for seen in seen_parts:
        np.maximum(capacity[: len(seen.capacity)], seen.capacity, out=capacity[: len(seen.capacity)])
    if order is not None and has_groups:
        raise InvalidGraphError(
            f"order={order} does not apply to graphs with groups: each class has its own positions.",
            "Omit order; it follows from the graphs.",
        )
    if order is not None:
        capacity = np.maximum(capacity, order)
    sizes = np.array([seen.n_graphs for seen in seen_parts], dtype=np.int64)
    return Content(
        parts=tuple(part for part, _ in kept),
        sizes=sizes,
        mean_order=sum(seen.n_nodes for seen in seen_parts) / int(sizes.sum()),
        capacity=capacity,
        skipped=skipped,
        digest=digest_of(seen_parts),
        has_groups=has_groups,
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
    """A codebook and how to match with it, in the form for workers."""

    codes: GraphCollection
    matcher: Matcher
    order: int | None
    n_threads: int

    def encode(self, source: GraphSource, executor: Executor, progress: bool) -> Encoding:
        """Return the nearest code graphs of all partitions, without mappings."""
        return join(_map(_encode, source.partitions, self, executor, progress, "Encoding"))

    def distances(self, source: GraphSource, executor: Executor, progress: bool) -> FloatArray:
        """Return the distances to all code graphs of all partitions."""
        parts = _map(_transform, source.partitions, self, executor, progress, "Matching")
        return np.concatenate([np.empty((0, len(self.codes))), *parts])


def _encode(store: Store, part: EncodedPartition, shared: Encoder, own: None) -> Encoding:
    X, _ = part.read()
    return join([encode(X, shared.codes, shared.matcher, shared.order, n_threads=shared.n_threads)])


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


__all__ = ["Content", "Encoder", "GraphsInFiles", "check_learnable", "look_through"]
