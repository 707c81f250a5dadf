"""Run a matcher on many pairs: buffers, slices, threads, limits."""

import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_positive_int
from graphquant.bounds import class_capacity, prepare
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs import Graph, GraphCollection
from graphquant.kernels import pairs as kernels
from graphquant.kernels.graphs import MatchGraphs
from graphquant.kernels.workspace import dual_buffers, pair_buffers, search_buffers
from graphquant.matching._base import N_OPTIONS, PROVEN, UNLIMITED, KernelMatcher, Match, Matcher, Matches

logger = logging.getLogger("graphquant")

# Search tables grow with the cube of the order; beyond this one, pairs are matched approximately.
MAX_SEARCH_ORDER = 64
# Work of one kernel call, in roughly nanoseconds: short enough to react to Ctrl-C and time limits.
SLICE_WORK = 3e7
BLOCK = 2048


class Problem:
    """Two prepared collections and the positions of their graph space."""

    def __init__(self, X: GraphCollection, Y: GraphCollection, order: int | None = None) -> None:
        check_comparable(X, Y)
        self.X, self.Y = X, Y
        self.capacity = class_capacity(X, Y, order=order)
        self.order = int(self.capacity.sum())
        self.left: MatchGraphs = prepare(X)
        self.right: MatchGraphs = self.left if X is Y else prepare(Y)
        self.size = max(X.max_order, Y.max_order)


class Workspace:
    """Buffers of one thread."""

    def __init__(self, problem: Problem) -> None:
        size = min(problem.size, MAX_SEARCH_ORDER)
        slots = max(_most_slots(problem.left), _most_slots(problem.right))
        self.pair = pair_buffers(problem.size, problem.size)
        self.dual = dual_buffers(size, size, slots)
        self.search = search_buffers(size, size)
        self.annealing = np.zeros((3, problem.size + 1, problem.size + 1))
        self.used = np.zeros(len(problem.capacity), dtype=np.int64)


def _most_slots(graphs: MatchGraphs) -> int:
    """Most adjacency slots of a graph that the search may see."""
    slots = np.diff(graphs.adj_ptr[graphs.node_ptr])
    orders = np.diff(graphs.node_ptr)
    return int(slots[orders <= MAX_SEARCH_ORDER].max(initial=0))


def check_comparable(X: GraphCollection, Y: GraphCollection) -> None:
    """Refuse collections whose graphs have different kinds of attributes."""
    for what, a, b in (
        ("node attributes", X.node_attrs.shape[1], Y.node_attrs.shape[1]),
        ("edge attributes", X.edge_attrs.shape[1], Y.edge_attrs.shape[1]),
    ):
        if a != b:
            raise InvalidGraphError(
                f"One side has {a} {what}, the other {b}.", "Encode both with the same AttributeEncoder."
            )
    if X.directed != Y.directed:
        raise InvalidGraphError(
            "One side is directed, the other is not.",
            "Make both one kind: an undirected edge is two directed ones.",
        )


def n_threads(n_jobs: int | None) -> int:
    """Return the number of threads: all cores for None and -1, else as given."""
    if n_jobs is None or n_jobs == -1:
        return os.cpu_count() or 1
    return check_positive_int("n_jobs", n_jobs)


def announce_compilation() -> None:
    """Say so, once, if the kernels are about to be compiled: a person waits for it."""
    dispatcher: Any = kernels.match_pairs
    if dispatcher.signatures:
        return
    cache = getattr(dispatcher, "_cache", None)
    index = getattr(getattr(cache, "_cache_file", None), "_index_name", None)
    if index is not None and not (Path(cache.cache_path) / index).exists():
        logger.warning(
            "Compiling the graph matching kernels; this happens once per machine and takes about 20 s."
        )


def run(
    matcher: Matcher,
    problem: Problem,
    pairs: IntArray,
    *,
    mappings: bool = False,
    n_jobs: int | None = 1,
    on_progress: Callable[[int], None] | None = None,
) -> Matches:
    """Match the given pairs of graph numbers (rows of ``pairs``)."""
    pairs = np.ascontiguousarray(pairs, dtype=np.int64)
    out = np.zeros((len(pairs), 3))
    out_map = np.full((len(pairs), max(problem.X.max_order, 1)) if mappings else (0, 0), -1, dtype=np.int64)
    if not isinstance(matcher, KernelMatcher):
        _run_foreign(matcher, problem, pairs, out, out_map, on_progress)
    else:
        announce_compilation()
        _run_blocks(matcher, problem, pairs, out, out_map, n_threads(n_jobs), on_progress)
    scale = problem.left.sq_norm[pairs[:, 0]] + problem.right.sq_norm[pairs[:, 1]]
    return Matches(
        np.sqrt(out[:, 0]),
        np.sqrt(out[:, 1]),
        out[:, 0] - out[:, 1] <= PROVEN * scale,
        out[:, 2].astype(np.int64),
        out_map if mappings else None,
    )


def match_pair(matcher: Matcher, problem: Problem, i: int, j: int) -> Match:
    """Match one pair."""
    found = run(matcher, problem, np.array([[i, j]]), mappings=True)
    assert found.mapping is not None
    return Match(
        float(found.distance[0]),
        float(found.lower_bound[0]),
        bool(found.proven[0]),
        found.mapping[0, : problem.X[i].order],
        int(found.n_search_nodes[0]),
    )


def _run_blocks(
    matcher: KernelMatcher,
    problem: Problem,
    pairs: IntArray,
    out: FloatArray,
    out_map: IntArray,
    threads: int,
    on_progress: Callable[[int], None] | None,
) -> None:
    """Cut the pairs into blocks and give them to threads; each pair is matched on its own."""
    size = max(1, min(BLOCK, -(-len(pairs) // (4 * threads))))
    blocks = [slice(at, min(at + size, len(pairs))) for at in range(0, len(pairs), size)]
    stop = threading.Event()
    local = threading.local()

    def work(block: slice) -> None:
        if not hasattr(local, "workspace"):
            local.workspace = Workspace(problem)
        mapped = out_map[block] if len(out_map) else out_map
        _run_block(matcher, problem, pairs[block], out[block], mapped, local.workspace, stop)
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
            stop.set() if any(not f.done() for f in futures) else None
            for future in futures:
                future.cancel()
        for future in futures:
            future.result()


def _run_block(
    matcher: KernelMatcher,
    problem: Problem,
    pairs: IntArray,
    out: FloatArray,
    out_map: IntArray,
    space: Workspace,
    stop: threading.Event,
) -> None:
    options = np.zeros(N_OPTIONS)
    numbers = matcher.options()
    options[: len(numbers)] = numbers
    limit = UNLIMITED if matcher.node_limit is None else int(matcher.node_limit)
    at, resume, began = 0, False, time.monotonic()
    while at < len(pairs) and not stop.is_set():
        out_of_time = matcher.time_limit is not None and time.monotonic() - began >= matcher.time_limit
        # Out of time: the search may visit no further node and hands over what it has.
        node_limit = min(limit, int(space.search.state[1])) if resume and out_of_time else limit
        if out_of_time and not resume:
            node_limit = 0
        reached = kernels.match_pairs(
            problem.left,
            problem.right,
            pairs,
            at,
            matcher.method,
            options,
            problem.capacity,
            node_limit,
            SLICE_WORK if matcher.time_limit is None else 0.0,
            resume,
            space.pair,
            space.dual,
            space.search,
            space.annealing,
            space.used,
            out,
            out_map,
        )
        resume = reached < 0
        if not resume:
            began = time.monotonic()
        at = -1 - reached if resume else reached


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
    bounds = np.zeros((len(pairs), 3))
    _run_block(
        _StarBound(), problem, pairs, bounds, np.empty((0, 0), dtype=np.int64), space, threading.Event()
    )
    for k, (i, j) in enumerate(pairs.tolist()):
        x, y = problem.X[i], problem.Y[j]
        mapping = _check_mapping(matcher.match(x, y, problem.order), x, y, problem.order, matcher)
        out[k, 0] = kernels.squared_distance(
            problem.left, i, problem.right, j, mapping, space.pair.slot_of, space.pair.covered
        )
        out[k, 1] = min(bounds[k, 1], out[k, 0])
        if len(out_map):
            out_map[k, : x.order] = mapping
        if on_progress is not None:
            on_progress(1)


class _StarBound(KernelMatcher):
    """No matching at all: the star bound of each pair."""

    method = kernels.BOUND

    def options(self) -> list[float]:
        return []


def _check_mapping(mapping: Any, x: Graph, y: Graph, order: int, matcher: Matcher) -> IntArray:
    positions = np.asarray(mapping, dtype=np.int64)
    valid = positions.shape == (x.order,) and len(np.unique(positions)) == x.order
    if not valid or ((positions < 0) | (positions >= order)).any():
        raise InvalidGraphError(
            f"{type(matcher).__name__}.match returned {mapping!r} for graphs of {x.order} and {y.order} nodes.",
            f"Return {x.order} different positions from 0 to {order - 1}.",
        )
    if x.groups is not None and y.groups is not None:
        on_nodes = positions < y.order
        if (x.groups[on_nodes] != y.groups[positions[on_nodes]]).any():
            raise InvalidGraphError(
                f"{type(matcher).__name__}.match mapped a node to one of another class.",
                "Map nodes to nodes with the same number in groups.",
            )
    return positions


__all__ = ["Problem", "Workspace", "check_comparable", "match_pair", "n_threads", "run"]
