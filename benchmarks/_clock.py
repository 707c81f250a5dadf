"""Time the steps of a lossless run inside the compiled code."""

import ctypes
import time
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit

from graphquant.kernels._record import as_record
from graphquant.kernels.learning import (
    N_COUNTERS,
    Services,
    bound_code,
    learn,
    match_code,
    second_sq_distance,
)
from graphquant.learning import lossless
from graphquant.learning._compiled import CompiledFunction
from graphquant.learning.competitive import Run

# Counters behind those of the library: nanoseconds of two kinds, calls, then two for the clock.
_COMPUTED, _STORED, _CALLS, _N = N_COUNTERS, N_COUNTERS + 1, N_COUNTERS + 2, N_COUNTERS + 5
_CLOCK = time.CLOCK_MONOTONIC
_clock_gettime = ctypes.CDLL(None).clock_gettime
_clock_gettime.argtypes = (ctypes.c_int, ctypes.c_void_p)


@njit
def _now(timespec: np.ndarray) -> int:
    """Return nanoseconds."""
    _clock_gettime(_CLOCK, timespec.ctypes)
    return timespec[0] * 1_000_000_000 + timespec[1]


@njit
def _read_often(n: int, timespec: np.ndarray) -> int:
    """Return the nanoseconds that n readings of the clock take."""
    began, now = _now(timespec), 0
    for _ in range(n):
        now = _now(timespec)
    return now - began


def _timed(step: Any, counter: int) -> Any:
    """Return a step of learning that adds its nanoseconds to a counter, and counts its calls."""

    @njit(nogil=True)
    def call(*arguments: Any) -> Any:
        counters = arguments[1].counters
        timespec = counters[-2:]
        began = _now(timespec)
        result = step(*arguments)
        counters[counter] += _now(timespec) - began
        counters[_CALLS] += 1
        return result

    return call


def _service(step: Any) -> Any:
    """Return a timed step that can be called by address: of four arguments, as numba counts them."""
    timed = _timed(step, _COMPUTED)
    return njit(nogil=True)(lambda L, M, i, j: timed(L, M, i, j))


def _with(function: Any, **names: Any) -> Any:
    """Compile a function once more, with other functions under the names that it calls."""
    python = function.py_func
    return njit(nogil=True)(FunctionType(python.__code__, {**python.__globals__, **names}))


_services = [_service(step) for step in (match_code, second_sq_distance, bound_code)]
_find_candidates = _timed(lossless.find_candidates, _STORED)
_present = _with(lossless.present, classify=_with(lossless.classify, find_candidates=_find_candidates))


class Clock:
    """Seconds that a run spends in matchings, their certificates and bounds.

    Bounds are those that are computed, those that are stored (to compare them with a distance, less what the
    code graphs have moved) and their renewal at the end of a cycle.

    Parameters
    ----------
    run : Run
        With one thread; it has not begun.
    """

    def __init__(self, run: Run) -> None:
        (worker,) = run.workers
        self._counters = np.zeros(_N, dtype=np.int64)
        worker.matching = worker.matching._replace(counters=self._counters)
        worker.record = as_record(worker.matching)
        L = run.state.record
        worker.services = as_record(
            Services(
                *[CompiledFunction(service, (L, worker.record, 0, 0)) for service in _services],
                CompiledFunction(learn, (L, worker.record, 0, 0.0)),
            )
        )
        run._classifier = _present
        self._end_cycle, run._end_cycle = run._end_cycle, self._timed_end_cycle  # type: ignore[method-assign]
        _read_often(1, self._counters[-2:])

    def _timed_end_cycle(self, *arguments: Any) -> int:
        began = time.perf_counter_ns()
        n_matchings = self._end_cycle(*arguments)
        self._counters[_STORED] += time.perf_counter_ns() - began
        return n_matchings

    @property
    def stored_seconds(self) -> float:
        """Seconds so far for bounds that are stored, with the readings of the clock."""
        return float(self._counters[_STORED]) / 1e9

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return float(self._counters[_COMPUTED]) / 1e9 + self.stored_seconds - self.own_seconds / 2

    @property
    def own_seconds(self) -> float:
        """What the two readings at each call have taken: one of them counts as time of the call."""
        n_readings = 100_000
        reading = _read_often(n_readings, self._counters[-2:]) / n_readings
        return 2 * float(self._counters[_CALLS]) * reading / 1e9
