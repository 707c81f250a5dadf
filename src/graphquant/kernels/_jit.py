"""The two decorators of compiled code.

``entry`` is for what Python calls: compiled once per machine and cached on disk. ``kernel`` is for what
other kernels call: without the wrappers for Python, which would take longer to compile than the kernels
themselves. An entry's cache holds the kernels that it calls.
"""

from numba import njit

entry = njit(cache=True, nogil=True)
kernel = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)

__all__ = ["entry", "kernel"]
