"""The decorators of compiled code.

``entry`` is for what Python calls: compiled once per machine and cached on disk (``_cache.py``), together
with its parts (``_part.py``), the kernels that it calls. ``kernel`` is for what kernels call. It is compiled
into its caller, because a call would pass every array of every buffer by itself, some hundred numbers, which
takes longer than many a kernel. A ``shared_kernel`` stays a call: it is large, or called from several places.

None of them allocates: arrays belong to the caller in Python, who outlives the call. So nobody has to count
references (``_nrt``), which took a quarter of the time both of compiling and of matching.
``allocating_entry`` is for what makes arrays of its own, ``addressed_entry`` for what kernels also call by
its address. ``summing`` is for kernels that are mostly sums, which may be taken in another order to use
vector instructions; ``searching`` is for those that look for the least number, in any order, where all are
numbers. ``step`` and ``addressed_step`` are for the steps of learning, which work on records
(``_record.py``).
"""

from numba import njit

from graphquant.kernels._cache import EntryCache
from graphquant.kernels._part import PartCompiler

_called_from_python = {"nogil": True, "no_cfunc_wrapper": True}
_without_allocation = {"_nrt": False, "error_model": "numpy"}
# Wrappers for Python take longer to compile than most kernels.
_called_from_kernels = {
    "nogil": True,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "pipeline_class": PartCompiler,
}


def _cached(**options):
    """Return a decorator like ``njit(cache=True)``, with our cache."""

    def decorate(function):
        dispatcher = njit(**options)(function)
        if hasattr(dispatcher, "enable_caching"):  # else numba is switched off
            dispatcher._cache = EntryCache(function)
        return dispatcher

    return decorate


allocating_entry = _cached(**_called_from_python)
entry = _cached(**_called_from_python, **_without_allocation)
addressed_entry = _cached(nogil=True, **_without_allocation)
shared_kernel = njit(**_called_from_kernels, **_without_allocation)
kernel = njit(**_called_from_kernels, **_without_allocation, forceinline=True)
step = njit(**_called_from_kernels)
addressed_step = _cached(nogil=True)
summing = njit(**_called_from_kernels, **_without_allocation, fastmath={"reassoc", "nsz"})
searching = njit(**_called_from_kernels, **_without_allocation, forceinline=True, fastmath={"nnan", "nsz"})

__all__ = [
    "addressed_entry",
    "addressed_step",
    "allocating_entry",
    "entry",
    "kernel",
    "searching",
    "shared_kernel",
    "step",
    "summing",
]
