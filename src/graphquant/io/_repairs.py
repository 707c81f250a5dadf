"""Reading is liberal, and says so: what the readers repair, by which rules, and how it is reported.

A repair is reported as the error that ``strict=True`` would raise, and what was done instead. A value that is
not the number that its file declares becomes a missing value, or the whole attribute becomes text: see
:func:`is_numeric`.
"""

import sys
import warnings
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from graphquant.exceptions import GraphQuantError, GraphQuantWarning

# Share of the values that must read as numbers to make an attribute numeric.
NEARLY_ALL = 0.9
FIX = 'Fix the file, or read with on_error="skip".'
MISSING = "read as missing"
FIRST_KEPT = "the first is kept"
LEFT_OUT = "left out"
_NO_VALUE = frozenset({"na", "n/a", "nan", "null", "none", "nil", "inf", "infinity", "missing"})
_SHOWN = 3


@dataclass
class _Repair:
    message: str
    done: str
    count: int

    def __str__(self) -> str:
        more = f" ({self.count - 1} more like it)" if self.count > 1 else ""
        return f"{self.message.removesuffix('.')}: {self.done}{more}."


class Repairs:
    """What a reader repairs; with ``strict`` it is an error.

    Parameters
    ----------
    strict : bool
    place : str, default=""
        Prefix of the lines, where the errors do not name the place.

    Examples
    --------
    >>> from graphquant.exceptions import FileFormatError
    >>> repairs = Repairs(strict=False)
    >>> repairs.tell(FileFormatError("a.gxl: edge 1 is a self-loop."), "left out")
    >>> repairs.lines()
    ['a.gxl: edge 1 is a self-loop: left out.']
    """

    def __init__(self, strict: bool, place: str = "") -> None:
        self.strict = strict
        self._place = place
        self._repairs: dict[Hashable, _Repair] = {}

    def tell(self, error: GraphQuantError, done: str, alike: Hashable = None, *, count: int = 1) -> None:
        """Raise ``error`` if strict; otherwise note what was done. Repairs that are ``alike`` share a line.

        ``count`` says how many there are, of which ``error`` is the first.
        """
        if self.strict:
            raise error
        key = (len(self._repairs), None) if alike is None else alike
        if key in self._repairs:
            self._repairs[key].count += count
        else:
            self._repairs[key] = _Repair(f"{self._place}{error.message}", done, count)

    def lines(self) -> list[str]:
        """One line for each repair, or for each group of repairs that are alike."""
        return [str(repair) for repair in self._repairs.values()]


class Unread(str):
    """Text of a value that its file declares to be a number but that does not parse as one."""

    __slots__ = ()


def is_numeric(n_numbers: int, others: Iterable[str]) -> bool:
    """Whether an attribute that is declared numeric counts as numeric despite values that are not numbers.

    It does if 90 % or more of its values are numbers. Markers of missing values do not count: those
    without any letter or digit, and NA, NaN, null and the like.

    Examples
    --------
    >>> is_numeric(2, ["", "?", "n/a"]), is_numeric(9, ["12A"]), is_numeric(8, ["12A"])
    (True, True, False)
    """
    words = sum(not _says_nothing(text) for text in others)
    return n_numbers >= NEARLY_ALL * (n_numbers + words)


def read_as_text(n_others: int, count: int) -> str:
    """Message for an attribute that became text."""
    return f"the attribute is read as text ({n_others} of its {count} values are not numbers)"


def warn_repaired(source: object, lines: Sequence[str]) -> None:
    """Warn once about everything that was repaired in a file: the count, and the first few."""
    if not lines:
        return
    flaws = "1 flaw was" if len(lines) == 1 else f"{len(lines)} flaws were"
    more = f" And {len(lines) - _SHOWN} more." if len(lines) > _SHOWN else ""
    warnings.warn(
        f"{source}: {flaws} repaired. {' '.join(lines[:_SHOWN])}{more} strict=True makes them errors.",
        GraphQuantWarning,
        stacklevel=_level_outside(),
    )


def _level_outside() -> int:
    """Stack level of the first caller outside graphquant, as :func:`warnings.warn` counts it."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("graphquant"):
        level, frame = level + 1, frame.f_back
    return level


def _says_nothing(text: str) -> bool:
    return not any(map(str.isalnum, text)) or text.strip().lower() in _NO_VALUE


__all__ = [
    "FIRST_KEPT",
    "FIX",
    "LEFT_OUT",
    "MISSING",
    "NEARLY_ALL",
    "Repairs",
    "Unread",
    "is_numeric",
    "read_as_text",
    "warn_repaired",
]
