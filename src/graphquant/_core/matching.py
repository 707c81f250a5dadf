"""Matching of pairs in the core."""

import ctypes
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphquant._core.calls import CallbackError, Scratch, StopFlag, check_status, function
from graphquant._core.graphs import PreparedGraphs
from graphquant._core.structs import (
    MATCH_FUNCTION,
    Callback,
    Certificate,
    MatcherOptions,
    MatchRequest,
    MatchResult,
    Space,
    address,
)
from graphquant._typing import FloatArray, IntArray

# A distance is proven if its square and that of the bound differ by at most this share of
# |x|^2 + |y|^2.
PROVEN = 1e-11
# Bounds are reduced by this share of |x|^2 + |y|^2 before they count as certified: ROUNDING in cpp/.
ROUNDING = 1e-12


class CallbackMatcher:
    """A user-defined matcher, as the core calls it.

    Parameters
    ----------
    ask : callable
        Called with the numbers of X and Y; returns the position in Y of each node of X.
    """

    def __init__(self, ask: Callable[[int, int], IntArray]) -> None:
        self._error: BaseException | None = None

        def answer(context: Any, i: int, j: int, mapping: Any) -> int:
            # An exception must not cross the core: it is stored, and raised after the call.
            try:
                for r, position in enumerate(ask(i, j).tolist()):
                    mapping[r] = position
            except BaseException as err:
                self._error = self._error or err
                return 1
            return 0

        function_pointer = MATCH_FUNCTION(answer)
        self.options = MatcherOptions(kind=MatcherOptions.CALLBACK, callback=Callback(function_pointer, None))
        self.options.keep(function_pointer)

    @contextmanager
    def reraising(self) -> Iterator[None]:
        """Raise the exception of the matcher, if a call of the core failed because of it."""
        try:
            yield
        except CallbackError:
            error, self._error = self._error, None
            assert error is not None
            raise error from None


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
    granularity: float = 0.0,
    threshold_sq: float = math.inf,
    stop: StopFlag | None = None,
    scratch: Scratch,
) -> None:
    """Match pairs of graphs, by numbers of X and Y; the last arrays except ``proposals`` get the results."""
    space = Space.of(capacity)
    widths = {rows.shape[1] for rows in (mapping, proposals) if rows is not None}
    assert len(widths) <= 1
    request = MatchRequest(
        graphs=ctypes.pointer(graphs.struct),
        space=space,
        matcher=ctypes.pointer(options),
        n_pairs=len(pairs),
        width=widths.pop() if widths else 0,
        granularity=granularity,
        threshold_sq=threshold_sq,
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
    """Return a lower bound over all mappings of graph i to graph j with a lift other than this one."""
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
