"""Time the steps of a run inside the compiled code."""

import ctypes
import time
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
from graphquant.quantizers._compiled import CompiledFunction
from graphquant.quantizers.competitive import Run

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


def _timed(service: Any) -> Any:
    """Return a service that adds its nanoseconds and its calls to the counters."""

    @njit(nogil=True)
    def call(L: Any, M: Any, i: Any, last: Any) -> Any:
        timespec = M.counters[-2:]
        began = _now(timespec)
        result = service(L, M, i, last)
        M.counters[N_COUNTERS] += _now(timespec) - began
        M.counters[N_COUNTERS + 1] += 1
        return result

    return call


class Clock:
    """Seconds that a run spends in matchings, their certificates and bounds.

    Parameters
    ----------
    run : Run
        With one thread; it has not begun.
    """

    def __init__(self, run: Run) -> None:
        (worker,) = run.workers
        # Counters behind those of the library: nanoseconds and calls, then two for the clock.
        self._counters = np.zeros(N_COUNTERS + 4, dtype=np.int64)
        worker.matching = worker.matching._replace(counters=self._counters)
        worker.record = as_record(worker.matching)
        L = run.state.record
        timed = [_timed(service) for service in (match_code, second_sq_distance, bound_code)]
        worker.services = as_record(
            Services(
                *[CompiledFunction(service, (L, worker.record, 0, 0)) for service in timed],
                CompiledFunction(learn, (L, worker.record, 0, 0.0)),
            )
        )
        _read_often(1, self._counters[-2:])

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return float(self._counters[N_COUNTERS]) / 1e9 - self.own_seconds / 2

    @property
    def own_seconds(self) -> float:
        """What the two readings at each call have taken: one of them counts as time of the call."""
        n_readings = 100_000
        reading = _read_often(n_readings, self._counters[-2:]) / n_readings
        return 2 * float(self._counters[N_COUNTERS + 1]) * reading / 1e9
