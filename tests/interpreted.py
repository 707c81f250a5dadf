"""Kernels as plain Python, for coverage and mutation: what numba makes of records and addresses stands in.

With ``NUMBA_DISABLE_JIT=1`` kernels are interpreted: coverage sees their lines, and mutants take effect
without compiling. Two things exist in compiled code only: records, and functions that are called by address.
"""

import os
from types import SimpleNamespace

IS_ON = os.environ.get("NUMBA_DISABLE_JIT") == "1"


def install():
    """Replace both; a record becomes an object with the same fields, an address the function itself."""
    from graphquant.kernels import _record
    from graphquant.quantizers import _state

    _record._new = lambda fields: SimpleNamespace(**fields._asdict())
    _state.compiled_function = lambda function, arguments: function
