"""Run a matcher on many pairs: buffers, slices, threads, limits."""

import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import cached_property
from typing import Any

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_positive_int
from graphquant.bounds import check_comparable, check_pairs, class_capacity, lower_bounds, prepare
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs import Graph, GraphCollection
from graphquant.kernels import pairs as kernels
from graphquant.kernels.graphs import MatchGraphs
from graphquant.kernels.pairs import PROVEN
from graphquant.kernels.workspace import (
    Buffers,
    DualBuffers,
    SearchBuffers,
    dual_buffers,
    pair_buffers,
    search_buffers,
)
from graphquant.matching._base import KernelMatcher, Match, Matcher, Matches

logger = logging.getLogger("graphquant")

# Search tables grow with the cube of the order; beyond this one, pairs are matched approximately.
MAX_SEARCH_ORDER = 64
BLOCK = 4096
# Pairs differ in their work: with fewer blocks a thread, one of them would wait for the last block.
_BLOCKS_A_THREAD = 16


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
        self.order = int(self.capacity.sum())
        self.size = max(X.max_order, Y.max_order)
        # The graphs of Y stand behind those of X, unless they are the same.
        self.offset = 0 if X is Y else len(X)
        self.graphs: MatchGraphs = prepare(X if X is Y else GraphCollection.concatenate([X, Y]))


class Workspace:
    """Buffers of one thread; those of the search only when it is needed."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        graphs = problem.graphs
        self.pair = pair_buffers(
            problem.size, _most_slots(graphs), graphs.adj_vec.shape[1], graphs.pair_weight
        )
        self.used = np.zeros(len(problem.capacity), dtype=np.int64)

    @cached_property
    def search_size(self) -> int:
        """Order up to which pairs are searched."""
        return min(self.problem.size, MAX_SEARCH_ORDER)

    def buffers(self, matcher: KernelMatcher) -> Buffers:
        """Return what a matcher works in; buffers that it does not need are empty."""
        return Buffers(
            self.pair,
            self._dual if matcher.searches else dual_buffers(0, 0, 0),
            self._search if matcher.searches else search_buffers(0, 0),
        )

    @cached_property
    def _dual(self) -> DualBuffers:
        return dual_buffers(
            self.search_size, self.search_size, _most_slots(self.problem.graphs, MAX_SEARCH_ORDER)
        )

    @cached_property
    def _search(self) -> SearchBuffers:
        return search_buffers(self.search_size, self.search_size)


def _most_slots(graphs: MatchGraphs, max_order: float = np.inf) -> int:
    """Most adjacency slots of a graph of up to so many nodes."""
    slots = np.diff(graphs.adj_ptr[graphs.node_ptr])
    orders = np.diff(graphs.node_ptr)
    return int(slots[orders <= max_order].max(initial=0))


def n_threads(n_jobs: int | None) -> int:
    """Return the number of threads: all cores that this process may use for None and -1, else as given."""
    if n_jobs is None or n_jobs == -1:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    return check_positive_int("n_jobs", n_jobs)


def run(
    matcher: Matcher,
    problem: Problem,
    pairs: IntArray,
    *,
    starts: IntArray | None = None,
    mappings: bool = False,
    n_jobs: int | None = 1,
    on_progress: Callable[[int], None] | None = None,
) -> Matches:
    """Match the given pairs of graph numbers (rows of ``pairs``)."""
    pairs = check_pairs(pairs, len(problem.X), len(problem.Y))
    norms = problem.graphs.sq_norm
    scale = norms[pairs[:, 0]] + norms[pairs[:, 1] + problem.offset]
    out = np.zeros((len(pairs), 3))
    out_map = np.full((len(pairs), max(problem.X.max_order, 1)) if mappings else (0, 0), -1, dtype=np.int64)
    if not isinstance(matcher, KernelMatcher):
        _run_foreign(matcher, problem, pairs, out, out_map, on_progress)
    else:
        known = np.full(len(pairs), np.inf)
        if starts is not None:
            known = 0.5 * (_evaluate(problem, pairs, starts, Workspace(problem)) - scale)
        _run_blocks(matcher, problem, pairs, known, out, out_map, n_threads(n_jobs), on_progress)
    return Matches(
        np.sqrt(out[:, 0]),
        np.sqrt(out[:, 1]),
        out[:, 0] - out[:, 1] <= PROVEN * scale,
        out[:, 2].astype(np.int64),
        out_map if mappings else None,
    )


def match_pair(matcher: Matcher, problem: Problem, start: IntArray | None = None) -> Match:
    """Match the first graphs of both sides, given a mapping that is known already."""
    if start is not None:
        start = check_mapping(start, problem.X[0], problem.Y[0], problem.order, "start")[None, :]
    found = run(matcher, problem, np.array([[0, 0]]), starts=start, mappings=True)
    assert found.mapping is not None
    return Match(
        float(found.distance[0]),
        float(found.lower_bound[0]),
        bool(found.proven[0]),
        found.mapping[0, : problem.X[0].order],
        int(found.n_search_nodes[0]),
    )


def _run_blocks(
    matcher: KernelMatcher,
    problem: Problem,
    pairs: IntArray,
    known: FloatArray,
    out: FloatArray,
    out_map: IntArray,
    threads: int,
    on_progress: Callable[[int], None] | None,
) -> None:
    """Cut the pairs into blocks and give them to threads; each pair is matched on its own."""
    # Small blocks for large graphs: a block is what Ctrl-C waits for, and what threads share out.
    longest = max(1, int(1e8 / (20 + problem.size) ** 3))
    # And not too small for small ones: to hand a block over takes some ten microseconds.
    least = max(1, int(1e6 / (20 + problem.size) ** 3))
    shared_out = -(-len(pairs) // (_BLOCKS_A_THREAD * threads)) if threads > 1 else len(pairs)
    size = max(least, min(BLOCK, longest, shared_out))
    blocks = [slice(at, min(at + size, len(pairs))) for at in range(0, len(pairs), size)]
    stop = threading.Event()
    local = threading.local()

    def work(block: slice) -> None:
        if not hasattr(local, "workspace"):
            local.workspace = Workspace(problem)
        mapped = out_map[block] if len(out_map) else out_map
        _run_block(matcher, problem, pairs[block], known[block], out[block], mapped, local.workspace, stop)
        if on_progress is not None:
            on_progress(block.stop - block.start)

    if threads == 1 or len(blocks) == 1:
        for block in blocks:
            work(block)
        return
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work, block) for block in blocks]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            # Ctrl-C arrives here: threads stop at their next slice.
            if not all(future.done() for future in futures):
                stop.set()
                pool.shutdown(cancel_futures=True)
        for future in futures:
            future.result()


def _run_block(
    matcher: KernelMatcher,
    problem: Problem,
    pairs: IntArray,
    known: FloatArray,
    out: FloatArray,
    out_map: IntArray,
    space: Workspace,
    stop: threading.Event,
) -> None:
    """Orient the pairs, match them in their own stage, evaluate the mappings."""
    oriented = pairs + np.array([0, problem.offset])
    order = np.zeros(len(pairs), dtype=np.int64)
    kernels.orient(problem.graphs, oriented, order)
    rows_to_columns = np.full((len(pairs), max(problem.size, 1)), -1, dtype=np.int64)
    value = np.zeros((len(pairs), 2))
    differ = np.flatnonzero(order)
    found: IntArray = rows_to_columns[differ]
    costs: FloatArray = value[differ]
    nodes = matcher.match_oriented(problem, oriented[differ], space, stop, known[differ], found, costs)
    if stop.is_set():
        return
    rows_to_columns[differ], value[differ] = found, costs
    result = np.empty((len(pairs), 2))
    kernels.finish(
        problem.graphs,
        oriented,
        order,
        rows_to_columns,
        value,
        problem.capacity,
        space.pair,
        space.used,
        result,
        out_map,
    )
    out[:, :2] = result
    out[differ, 2] = nodes


def _run_foreign(
    matcher: Matcher,
    problem: Problem,
    pairs: IntArray,
    out: FloatArray,
    out_map: IntArray,
    on_progress: Callable[[int], None] | None,
) -> None:
    """Run a matcher of the user's own: check its mappings, evaluate them, bound them by stars."""
    space = Workspace(problem)
    for k, (i, j) in enumerate(pairs.tolist()):
        x, y = problem.X[i], problem.Y[j]
        found = matcher.match(x, y, problem.order)
        mapping = check_mapping(found, x, y, problem.order, f"{type(matcher).__name__}.match")
        out[k, 0] = _evaluate(problem, pairs[k : k + 1], mapping[None, :], space)[0]
        if len(out_map):
            out_map[k, : x.order] = mapping
        if on_progress is not None:
            on_progress(1)
    bounds = lower_bounds(problem.X, problem.Y, pairs, capacity=problem.capacity)
    out[:, 1] = np.minimum(out[:, 0], bounds**2)


def _evaluate(problem: Problem, pairs: IntArray, mappings: IntArray, space: Workspace) -> FloatArray:
    """Squared distances under given mappings."""
    result = np.empty((len(pairs), 2))
    kernels.finish(
        problem.graphs,
        pairs + np.array([0, problem.offset]),
        np.full(len(pairs), -1),
        mappings,
        np.zeros((len(pairs), 2)),
        problem.capacity,
        space.pair,
        space.used,
        result,
        np.empty((0, 0), dtype=np.int64),
    )
    return result[:, 0]


def check_mapping(mapping: Any, x: Graph, y: Graph, order: int, source: str) -> IntArray:
    """Return a mapping from outside as an array, or say what is wrong with it."""
    given = np.asarray(mapping)
    valid = given.shape == (x.order,) and (given.size == 0 or np.issubdtype(given.dtype, np.integer))
    positions: IntArray = np.array(given if valid else [], dtype=np.int64)
    if not valid or len(np.unique(positions)) < x.order or ((positions < 0) | (positions >= order)).any():
        raise InvalidGraphError(
            f"{source} gave {mapping!r} for graphs of {x.order} and {y.order} nodes.",
            f"Give {x.order} different positions from 0 to {order - 1}.",
        )
    if x.groups is not None and y.groups is not None:
        on_nodes = positions < y.order
        if (x.groups[on_nodes] != y.groups[positions[on_nodes]]).any():
            raise InvalidGraphError(
                f"{source} maps a node to one of another class.",
                "Map nodes to nodes with the same number in groups.",
            )
    return positions


__all__ = [
    "MAX_SEARCH_ORDER",
    "Problem",
    "Workspace",
    "check_mapping",
    "match_pair",
    "n_threads",
    "run",
]
