"""Matching of pairs in the core."""

import ctypes

import numpy as np

from graphquant._core.calls import Scratch, StopFlag, check_status, function
from graphquant._core.graphs import PreparedGraphs
from graphquant._core.structs import Certificate, MatcherOptions, MatchRequest, MatchResult, Space, address
from graphquant._typing import FloatArray, IntArray


def match_pairs(
    graphs: PreparedGraphs,
    capacity: IntArray,
    options: MatcherOptions,
    pairs: IntArray,
    *,
    sq_distance: FloatArray,
    sq_lower: FloatArray,
    n_nodes: IntArray,
    mapping: IntArray | None = None,
    proposals: IntArray | None = None,
    stop: StopFlag | None = None,
    scratch: Scratch,
) -> None:
    """Match pairs of graphs, numbers of X and Y; the last arrays but ``proposals`` are for the results."""
    space = Space.of(capacity)
    widths = {rows.shape[1] for rows in (mapping, proposals) if rows is not None}
    assert len(widths) <= 1
    request = MatchRequest(
        graphs=ctypes.pointer(graphs.struct),
        space=space,
        matcher=ctypes.pointer(options),
        n_pairs=len(pairs),
        width=widths.pop() if widths else 0,
    )
    request.point(pairs=pairs, proposals=proposals, stop=None if stop is None else stop.array)
    result = MatchResult()
    result.point(sq_distance=sq_distance, sq_lower=sq_lower, n_nodes=n_nodes, mapping=mapping)
    status = function("gq_match_pairs")(ctypes.byref(request), ctypes.byref(result), scratch.handle)
    check_status(status)


def second_sq_distance(
    graphs: PreparedGraphs,
    i: int,
    j: int,
    mapping: IntArray,
    capacity: IntArray,
    *,
    ascents: int,
    node_limit: float,
    stop: StopFlag | None = None,
    scratch: Scratch,
) -> float:
    """Return what every mapping of graph i to graph j with another lift than this one reaches at least."""
    space, found = Space.of(capacity), ctypes.c_double()
    status = function("gq_second_distance")(
        ctypes.byref(graphs.struct),
        i,
        j,
        address(mapping, np.int64),
        space,
        Certificate(ascents, node_limit),
        None if stop is None else address(stop.array, np.int32),
        ctypes.byref(found),
        scratch.handle,
    )
    check_status(status)
    return found.value
