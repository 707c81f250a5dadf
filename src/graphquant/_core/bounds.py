"""Lower bounds in the core."""

import ctypes
from dataclasses import dataclass

import numpy as np

from graphquant._core.calls import Scratch, StopFlag, check_status, function
from graphquant._core.graphs import PreparedGraphs
from graphquant._core.structs import BoundRequest, Space, Summaries, address
from graphquant._typing import FloatArray, IntArray

NORMS, SORTED, SPECTRA, NODES, STAR = range(5)


@dataclass(frozen=True)
class GraphSummaries:
    """Data of each graph for the cheap bounds; ``cpp/graphquant.h`` documents the arrays."""

    node_norm: FloatArray
    edge_norm: FloatArray
    node_sorted: FloatArray
    edge_sorted: FloatArray
    spectrum: FloatArray | None

    @property
    def struct(self) -> Summaries:
        """The same for the core."""
        struct = Summaries()
        struct.point(**vars(self))
        return struct


def bound_pairs(
    X: PreparedGraphs,
    Y: PreparedGraphs,
    capacity: IntArray,
    pairs: IntArray,
    *,
    summaries: tuple[GraphSummaries, GraphSummaries] | None = None,
    threshold_sq: float = np.inf,
    last: int = STAR,
    sq_lower: FloatArray,
    stop: StopFlag | None = None,
    scratch: Scratch,
) -> None:
    """Bound pairs of graph numbers in X and Y; without summaries, only by stars."""
    space = Space.of(capacity)
    structs = None if summaries is None else (summaries[0].struct, summaries[1].struct)
    request = BoundRequest(
        X=ctypes.pointer(X.struct),
        Y=ctypes.pointer(Y.struct),
        X_summaries=None if structs is None else ctypes.pointer(structs[0]),
        Y_summaries=None if structs is None else ctypes.pointer(structs[1]),
        space=space,
        n_pairs=len(pairs),
        threshold_sq=threshold_sq,
        last=last,
    )
    request.point(pairs=pairs, stop=None if stop is None else stop.array)
    found = address(sq_lower, np.float64)
    check_status(function("gq_bound_pairs")(ctypes.byref(request), found, scratch.handle))


def most_gains(
    rows: FloatArray,
    columns: FloatArray,
    node_ptr: IntArray,
    begin: int,
    end: int,
    *,
    out: FloatArray,
    stop: StopFlag | None = None,
) -> None:
    """Write the maximum gain of graphs begin to end from a match with each graph, by their star vectors."""
    work = np.empty((2, len(rows)))
    status = function("gq_most_gains")(
        address(rows, np.float64),
        address(columns, np.float64),
        address(node_ptr, np.int64),
        len(node_ptr) - 1,
        rows.shape[1],
        begin,
        end,
        None if stop is None else address(stop.array, np.int32),
        address(work, np.float64),
        address(out, np.float64),
    )
    check_status(status)
