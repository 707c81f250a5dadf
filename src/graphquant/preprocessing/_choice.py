"""The automatic choice: which attributes are used, and which are numbers, ordered levels or categories.

Strings are categories. Whole numbers that repeat and take few values are categories if their name says so
(chem, type, label, atomic_number) or if they look like codes (6, 7, 8, 16: gaps, or far from zero); with
few gaps and starting at 1 or below (charges -1, 0, 1; counts; ratings) they are ordered levels. Anything
else is a number.
"""

import re
from typing import NamedTuple

import numpy as np

from graphquant._typing import FloatArray
from graphquant.graphs import Column
from graphquant.preprocessing._specs import Numeric, OneHot

# A string attribute with more categories than this is more likely an identifier than a label.
MAX_AUTO_CATEGORIES = 256
# Whole numbers with more distinct values than this are numbers, unless their name says otherwise.
_FEW = 16
# Whole numbers whose range is at most this are counted, not sorted.
_COUNTABLE = 10_000
# Values of levels and codes occur this often on average.
_REPEATS = 2.0
# Columns that the inverse transform writes next to the attributes.
INVERSE_PREFIX = "graphquant."

_CODE = re.compile(
    r"(?:^|_)(?:chem|types?|labels?|codes?|class|kind|category|element|symbol|species|atomic_?(?:num|number|no))"
    r"(?:_|$)"
)
_PLACE = re.compile(r"(?:^|_)(?:[xyz]|lat|lon|latitude|longitude|pos|position|coord|coordinate)(?:_|$)")


class Chosen(NamedTuple):
    """How to encode an attribute, and why."""

    spec: Numeric | OneHot
    reason: str = ""  # empty if the user said so
    levels: bool = False  # whether the numbers are few whole ones, in order


def why_left_out(name: str, column: Column) -> str | None:
    """Return why the automatic choice omits an attribute, None if it does not."""
    if name.startswith(INVERSE_PREFIX):
        return "written by inverse_transform, says what was lost"
    if column.missing.all():
        return "no values"
    if column.categories is not None and len(column.categories) > MAX_AUTO_CATEGORIES:
        return f"{len(column.categories)} categories look like an identifier"
    return None


def choose(name: str, column: Column, *, whole_numbers: bool) -> Chosen:
    """Choose the kind of an attribute by its values and its name.

    With ``whole_numbers=False`` all numbers are numbers: the user has chosen how to encode them.

    Examples
    --------
    >>> choose("charge", Column([0.0, 1.0, -1.0, 0.0, 0.0, 0.0]), whole_numbers=True).reason
    '3 distinct whole numbers from -1 to 1: ordered levels'
    >>> choose("z", Column([6.0, 8.0, 6.0, 6.0, 1.0, 1.0]), whole_numbers=True).reason
    'position'
    >>> choose("atom", Column([6.0, 8.0, 6.0, 6.0, 1.0, 1.0]), whole_numbers=True).reason
    '3 distinct whole numbers with gaps: category'
    """
    if column.categories is not None:
        return Chosen(OneHot(name), "text: category")
    if not whole_numbers:
        return Chosen(Numeric(name))
    plain = re.sub(r"\d+", "", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)).lower()
    plain = re.sub(r"[^a-z]+", "_", plain)
    if _PLACE.search(plain):
        return Chosen(Numeric(name), "position")
    distinct = _few_whole_numbers(column.values)
    if distinct is None:
        return Chosen(Numeric(name), "number")
    if _CODE.search(plain):
        return Chosen(OneHot(name), f"{len(distinct)} distinct whole numbers, named like a code: category")
    if not 1 < len(distinct) <= _FEW:
        return Chosen(Numeric(name), "number")
    low, high = int(distinct[0]), int(distinct[-1])
    count = f"{len(distinct)} distinct whole numbers"
    width = high - low + 1
    if 3 * (width - len(distinct)) > width:
        return Chosen(OneHot(name), f"{count} with gaps: category")
    if low > 1 or high < -1:
        return Chosen(OneHot(name), f"{count}, {low} to {high}, far from zero: category")
    return Chosen(Numeric(name), f"{count} from {low} to {high}: ordered levels", levels=True)


def _few_whole_numbers(values: FloatArray) -> FloatArray | None:
    """Return the distinct values if they are whole, repeat, and are not too many."""
    # For most columns of other numbers the first few values show it.
    for part in (values[:100], values):
        part = part[~np.isnan(part)]
        if not (np.isfinite(part).all() and np.array_equal(part, np.rint(part))):
            return None
    distinct = _distinct_whole(part)
    return distinct if len(distinct) <= min(MAX_AUTO_CATEGORIES, len(part) / _REPEATS) else None


def _distinct_whole(values: FloatArray) -> FloatArray:
    low = values.min(initial=np.inf)
    if not values.max(initial=-np.inf) - low <= _COUNTABLE:
        return np.unique(values)
    # Counting is faster than sorting.
    distinct: FloatArray = np.flatnonzero(np.bincount((values - low).astype(np.int64))) + low
    return distinct


__all__ = ["INVERSE_PREFIX", "MAX_AUTO_CATEGORIES", "Chosen", "choose", "why_left_out"]
