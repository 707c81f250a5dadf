"""Run a matcher on many pairs: blocks, threads, limits."""

import math
import threading
from collections.abc import Callable

import numpy as np

from graphquant._core.calls import Scratch, StopFlag
from graphquant._core.graphs import PreparedGraphs
from graphquant._core.matching import PROVEN, CallbackMatcher, match_pairs
from graphquant._core.structs import MatcherOptions
from graphquant._threads import in_threads, n_threads
from graphquant._typing import IntArray
from graphquant.bounds import check_comparable, check_pairs, class_capacity, prepare
from graphquant.graphs import GraphCollection
from graphquant.matching.base import CoreMatcher, Match, Matcher, Matches
from graphquant.matching.mappings import check_mapping

# Maximum number of pairs per call of the core, and the work (pairs times a power of their order) of the
# longest and the shortest call: progress is reported per block, and a call costs about ten microseconds.
_BLOCK = 4096
_LONGEST, _SHORTEST = 1e8, 1e6
# Pairs differ in their work: with fewer blocks per thread, threads would idle while the last block runs.
_BLOCKS_PER_THREAD = 16
# One pair of graphs up to this order takes less time than a reaction to Ctrl-C, with any matcher.
_QUICK_ORDER = 8


class Problem:
    """Two collections, prepared as one, and the positions of their graph space, if not given."""

    def __init__(
        self,
        X: GraphCollection,
        Y: GraphCollection,
        order: int | None = None,
        *,
        capacity: IntArray | None = None,
    ) -> None:
        check_comparable(X, Y)
        self.X, self.Y = X, Y
        self.capacity = class_capacity(X, Y, order=order) if capacity is None else capacity
        self.size = max(X.max_order, Y.max_order)
        # The graphs of Y follow those of X, unless they are the same.
        self.offset = 0 if X is Y else len(X)
        self.graphs: PreparedGraphs = prepare(X if X is Y else GraphCollection.concatenate([X, Y]))


def run(
    matcher: Matcher,
    problem: Problem,
    pairs: IntArray,
    *,
    starts: IntArray | None = None,
    mappings: bool = False,
    granularity: float = 0.0,
    threshold_sq: float = math.inf,
    n_jobs: int | None = 1,
    on_progress: Callable[[int], None] | None = None,
    stop: StopFlag | None = None,
) -> Matches:
    """Match the given pairs of graph numbers (rows of ``pairs``).

    ``starts`` are mappings that are known already, one row per pair; they may prune a search, and change
    nothing that is proven. With ``granularity`` squared distances are known to differ from ``|x|^2 +
    |y|^2`` by multiples of it; with ``threshold_sq`` a pair is done as soon as it is known on which side
    of it it is. Another thread may end it by ``stop``, with the error ``Stopped``.
    """
    numbers = check_pairs(pairs, len(problem.X), len(problem.Y)) + np.array([0, problem.offset])
    width = max(problem.X.max_order, 1)
    squared, n_nodes = np.zeros((2, len(pairs))), np.zeros(len(pairs), dtype=np.int64)
    found = np.full((len(pairs), width), -1, dtype=np.int64) if mappings else None
    proposals = None if starts is None else np.zeros((len(pairs), width), dtype=np.int64)
    if proposals is not None and starts is not None:
        proposals[:, : starts.shape[1]] = starts
    stop, local = stop or StopFlag(), threading.local()

    def match_block(block: slice, options: MatcherOptions) -> None:
        if not hasattr(local, "scratch"):
            local.scratch = Scratch()
        match_pairs(
            problem.graphs,
            problem.capacity,
            options,
            numbers[block],
            sq_distance=squared[0, block],
            sq_lower=squared[1, block],
            n_nodes=n_nodes[block],
            mapping=None if found is None else found[block],
            proposals=None if proposals is None else proposals[block],
            granularity=granularity,
            threshold_sq=threshold_sq,
            stop=stop,
            scratch=local.scratch,
        )
        if on_progress is not None:
            on_progress(len(numbers[block]))

    if isinstance(matcher, CoreMatcher):
        options, threads = matcher.options(), n_threads(n_jobs)
        blocks = _blocks(len(pairs), problem.size, threads)
        if len(blocks) == 1 and problem.size <= _QUICK_ORDER:
            match_block(blocks[0], options)
        else:
            in_threads(lambda block: match_block(block, options), blocks, threads, stop)
    else:
        _ask_for_all(matcher, problem, match_block, len(pairs))
    scale = problem.graphs.sq_norm[numbers].sum(axis=1)
    proven = squared[0] - squared[1] <= PROVEN * scale
    return Matches(np.sqrt(squared[0]), np.sqrt(squared[1]), proven, n_nodes, found)


def match_pair(matcher: Matcher, problem: Problem, start: IntArray | None = None) -> Match:
    """Match the first graphs of both sides, optionally with a known mapping."""
    if start is not None:
        start = check_mapping(start, problem.X[0], problem.Y[0], problem.capacity, "start")[None, :]
    found = run(matcher, problem, np.array([[0, 0]]), starts=start, mappings=True)
    assert found.mapping is not None
    return Match(
        float(found.distance[0]),
        float(found.lower_bound[0]),
        bool(found.proven[0]),
        found.mapping[0, : problem.X[0].order],
        int(found.n_search_nodes[0]),
    )


def _blocks(n_pairs: int, size: int, threads: int) -> list[slice]:
    """Cut the pairs into blocks: the unit of progress, and of work for threads."""
    work = (20 + size) ** 3
    longest, least = max(1, int(_LONGEST / work)), max(1, int(_SHORTEST / work))
    shared_out = -(-n_pairs // (_BLOCKS_PER_THREAD * threads)) if threads > 1 else n_pairs
    length = max(least, min(_BLOCK, longest, shared_out))
    return [slice(at, min(at + length, n_pairs)) for at in range(0, n_pairs, length)]


def _ask_for_all(
    matcher: Matcher, problem: Problem, match_block: Callable[[slice, MatcherOptions], None], n_pairs: int
) -> None:
    """Run a user-defined matcher, pair by pair in this thread; the core evaluates its mappings."""

    def ask(i: int, j: int) -> IntArray:
        x, y = problem.X[i], problem.Y[j - problem.offset]
        found = matcher.match(x, y, int(problem.capacity.sum()))
        return check_mapping(found, x, y, problem.capacity, f"{type(matcher).__name__}.match")

    callback = CallbackMatcher(ask)
    with callback.reraising():
        for k in range(n_pairs):
            match_block(slice(k, k + 1), callback.options)


__all__ = ["Problem", "match_pair", "run"]
