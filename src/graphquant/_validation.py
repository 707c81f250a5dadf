"""Checks of parameters of public functions."""

import difflib
import importlib
from collections.abc import Iterable
from types import ModuleType

from graphquant.exceptions import InvalidParameterError, MissingDependencyError


def check_choice(name: str, value: object, choices: Iterable[str]) -> str:
    """Return ``value`` if it is one of ``choices``, else raise with the nearest known name."""
    known = list(choices)
    if isinstance(value, str) and value in known:
        return value
    listed = ", ".join(repr(choice) for choice in known)
    near = difflib.get_close_matches(str(value), known, n=1)
    hint = f"Did you mean {near[0]!r}? Known: {listed}." if near else f"Known: {listed}."
    raise InvalidParameterError(f"Unknown {name} {value!r}.", hint)


def check_positive_int(name: str, value: object, *, minimum: int = 1) -> int:
    """Return ``value`` as an int that is at least ``minimum``."""
    try:
        number = int(value.__index__())  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        number = None
    if number is None or isinstance(value, bool) or number < minimum:
        raise InvalidParameterError(
            f"{name}={value!r} is not a whole number of at least {minimum}.",
            f"Give {name} as an int, {minimum} or more.",
        )
    return number


def import_optional(module: str, extra: str, purpose: str) -> ModuleType:
    """Import an optional package, or say which extra installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as err:
        # An installed package may also fail, for lack of a system library: pass its message on.
        reason = "is not installed" if isinstance(err, ModuleNotFoundError) else f"cannot be imported ({err})"
        raise MissingDependencyError(
            f"{purpose} needs the package {module.split('.')[0]!r}, which {reason}.",
            f"Install it with: pip install 'graphquant[{extra}]'",
        ) from err


__all__ = ["check_choice", "check_positive_int", "import_optional"]
