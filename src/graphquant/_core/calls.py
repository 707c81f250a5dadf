"""Calling functions of the core: status codes become exceptions, and a flag stops them."""

import ctypes
from functools import cache
from typing import Any

import numpy as np

from graphquant._core._library import library
from graphquant._core.structs import (
    Adjacency,
    ArrayDescription,
    BoundRequest,
    Certificate,
    Collection,
    Counters,
    Graphs,
    LearnerOptions,
    MatcherOptions,
    MatchRequest,
    MatchResult,
    Space,
)

_ADDRESS = ctypes.c_void_p
_INT32, _INT64, _DOUBLE = ctypes.c_int32, ctypes.c_int64, ctypes.c_double
_OF = ctypes.POINTER

# Result and argument types of each function, as in graphquant.h.
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "gq_scratch_create": (_ADDRESS, []),
    "gq_scratch_free": (None, [_ADDRESS]),
    "gq_prepare": (_INT32, [_OF(Collection), _OF(Adjacency)]),
    "gq_match_pairs": (_INT32, [_OF(MatchRequest), _OF(MatchResult), _ADDRESS]),
    "gq_second_distance": (
        _INT32,
        [_OF(Graphs), _INT64, _INT64, _ADDRESS, Space, Certificate, _ADDRESS, _OF(_DOUBLE), _ADDRESS],
    ),
    "gq_bound_pairs": (_INT32, [_OF(BoundRequest), _ADDRESS, _ADDRESS]),
    "gq_most_gains": (_INT32, [*[_ADDRESS] * 3, *[_INT64] * 4, *[_ADDRESS] * 3]),
    "gq_swap_medoids": (
        _INT32,
        [_ADDRESS, _INT64, _INT64, _ADDRESS, _INT64, _DOUBLE, _DOUBLE, _ADDRESS, _OF(_DOUBLE)],
    ),
    "gq_describe_state": (None, [_OF(LearnerOptions), _OF(ArrayDescription)]),
    "gq_learner_create": (_ADDRESS, [_OF(LearnerOptions), _OF(_ADDRESS)]),
    "gq_learner_free": (None, [_ADDRESS]),
    "gq_learner_set_matcher": (None, [_ADDRESS, _OF(MatcherOptions)]),
    "gq_begin": (None, [_ADDRESS]),
    "gq_resume": (None, [_ADDRESS]),
    "gq_present": (_INT32, [_ADDRESS, _INT32, _ADDRESS, _ADDRESS, _INT64, _ADDRESS]),
    "gq_classify": (_INT32, [_ADDRESS, _INT64, _INT32, _ADDRESS, _INT64, _ADDRESS]),
    "gq_learn": (None, [_ADDRESS, _ADDRESS, _ADDRESS, _INT64]),
    "gq_move_codes": (None, [_ADDRESS, _ADDRESS, _ADDRESS]),
    "gq_end_cycle": (_INT32, [_ADDRESS, _INT64]),
    "gq_estimate_bounds": (None, [_ADDRESS, _ADDRESS]),
    "gq_lifted_sq_distances": (None, [_ADDRESS, _ADDRESS]),
    "gq_exact_sq_distances": (None, [_ADDRESS, _ADDRESS]),
    "gq_count": (None, [_ADDRESS, _OF(Counters)]),
}

_OK, _STOPPED, _CALLBACK_FAILED, _OUT_OF_MEMORY = range(4)


class Stopped(Exception):  # noqa: N818 - not an error: it was requested
    """The core ended early because its stop flag was set; its output is invalid."""


class CallbackError(Exception):
    """A user-defined matcher raised an exception, which the owner of the callback has stored."""


class StopFlag:
    """A flag that one thread sets and the core polls in another."""

    def __init__(self) -> None:
        self.array = np.zeros(1, dtype=np.int32)

    def set(self) -> None:
        """Ask the core to stop soon."""
        self.array[0] = 1

    def is_set(self) -> bool:
        """Return whether the core was asked to stop."""
        return bool(self.array[0])


@cache
def function(name: str) -> Any:
    """Return a function of the library with declared argument types."""
    found = getattr(library(), name)
    found.restype, found.argtypes = _SIGNATURES[name]
    return found


def check_status(status: int) -> None:
    """Raise the exception for a status code of the core."""
    if status == _STOPPED:
        raise Stopped
    if status == _CALLBACK_FAILED:
        raise CallbackError
    if status == _OUT_OF_MEMORY:
        raise MemoryError("graphs of this size need more memory than is available")
    assert status == _OK


class Scratch:
    """Working memory of one thread; it grows as needed."""

    def __init__(self) -> None:
        # Stored here because the module may be gone when an object is freed at the end of the process.
        self._free = function("gq_scratch_free")
        self.handle = function("gq_scratch_create")()
        if not self.handle:
            raise MemoryError

    def __del__(self) -> None:
        handle, self.handle = getattr(self, "handle", None), None
        if handle:
            self._free(handle)
