"""The decorators of compiled code.

``entry`` is for what Python calls: compiled once per machine and cached on disk. ``kernel`` is for what
other kernels call: without the wrappers for Python, which would take longer to compile than the kernels
themselves. An entry's cache holds the kernels that it calls. ``inlined`` is for the small kernels of inner
loops: a call would hand over some hundred words, for a pair of graphs is two tuples of arrays. ``summing``
is for kernels that are mostly sums, which may be taken in another order to use vector instructions.

Kernels allocate nothing and their arrays outlive the call, so they do not count references: the counters
are atomic, and in small loops they take as long as the work (and threads wait for each other at them).
"""

from numba import njit

entry = njit(cache=True, nogil=True)
kernel = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)
inlined = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=True)
summing = njit(
    nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, fastmath={"reassoc", "nsz"}
)

__all__ = ["entry", "inlined", "kernel", "summing"]
