"""Matchers as learning kernels call them: by address, so that none is compiled into a kernel."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, objmode, typeof, types
from numba.core.types.function_type import WrapperAddressProtocol

from graphquant.matching import KernelMatcher


class CompiledFunction(WrapperAddressProtocol):
    """A compiled entry for arguments of given types, as a value that kernels can call."""

    def __init__(self, dispatcher: Any, signature: tuple[types.Type, ...]) -> None:
        dispatcher.compile(signature)
        # Held on to: the code lives as long as its library.
        self._compiled = dispatcher.overloads[signature]

    def __wrapper_address__(self) -> int:
        """Return the address of the function."""
        name = self._compiled.fndesc.llvm_cfunc_wrapper_name
        return int(self._compiled.library.get_pointer_to_function(name))

    def signature(self) -> types.Type:
        """Return the types of its arguments and of its result."""
        return self._compiled.signature


_loaded: dict[tuple[int, ...], tuple[CompiledFunction, Any]] = {}


def compiled_function(dispatcher: Any, arguments: tuple[Any, ...]) -> CompiledFunction:
    """Return a compiled entry, once loaded or compiled for given arguments.

    An argument of many arrays, whose type takes a while to tell, may be given by its type.
    """
    signature = tuple(
        argument if isinstance(argument, types.Type) else typeof(argument) for argument in arguments
    )
    # Equal types are the same object, and to compare types of a hundred arrays would take milliseconds. What
    # has a number here is held on to, so that no other object gets it.
    key = (id(dispatcher), *map(id, signature))
    if key not in _loaded:
        _loaded[key] = CompiledFunction(dispatcher, signature), (dispatcher, signature)
    return _loaded[key][0]


_foreign: dict[int, Callable[..., None]] = {}
_numbers = itertools.count()


def _call_foreign(number: float, pairs: Any, rows_to_columns: Any, value: Any) -> None:
    _foreign[int(number)](pairs, rows_to_columns, value)


@njit  # type: ignore[untyped-decorator]
def _match_foreign(
    G: Any,
    pairs: Any,
    begin: Any,
    resume: Any,
    options: Any,
    capacity: Any,
    buffers: Any,
    known: Any,
    rows_to_columns: Any,
    value: Any,
    search_nodes: Any,
) -> Any:
    """Ask a matcher written in Python, for the only pair; what calls Python cannot be cached: it is short."""
    number = options[0]
    with objmode():
        _call_foreign(number, pairs, rows_to_columns, value)
    return 1


class ForeignMatcher(KernelMatcher):
    """A matcher of the user's own, as a kernel sees it; a context manager that keeps it registered.

    Parameters
    ----------
    call : callable
        Takes the pair of graph numbers (1, 2), fills in the mapping (1, n) and the bound of its cost, see
        ``match_frank_wolfe_pairs``. It must not raise.
    """

    kernel = _match_foreign

    def __init__(self, call: Callable[..., None]) -> None:
        self._call = call
        self._number = next(_numbers)

    def options(self) -> Any:
        """Return the number under which the matcher is registered."""
        return np.array([self._number], dtype=np.float64)

    def __enter__(self) -> "ForeignMatcher":
        _foreign[self._number] = self._call
        return self

    def __exit__(self, *exc: object) -> None:
        _foreign.pop(self._number, None)


__all__ = ["ForeignMatcher", "compiled_function"]
