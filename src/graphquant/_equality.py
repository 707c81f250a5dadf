"""Equality of what holds arrays: by content, where numpy would answer with an array."""

from dataclasses import fields
from typing import Any

import numpy as np

from graphquant._typing import AnyArray


def same_array(a: AnyArray | None, b: AnyArray | None) -> bool:
    """Whether two arrays are equal, or both absent; NaN equals NaN: both say that something is not known."""
    return b is None if a is None else b is not None and np.array_equal(a, b, equal_nan=True)


class ByContent:
    """Base of dataclasses with arrays; they are declared with ``eq=False``.

    The equality that a dataclass generates asks arrays for one truth value, which they do not have.
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = [field.name for field in fields(self) if field.compare]  # type: ignore[arg-type]
        return all(_same(getattr(self, name), getattr(other, name)) for name in compared)

    __hash__ = None  # type: ignore[assignment]


def _same(a: Any, b: Any) -> bool:
    has_array = isinstance(a, np.ndarray) or isinstance(b, np.ndarray)
    return same_array(a, b) if has_array else bool(a == b)


__all__ = ["ByContent", "same_array"]
