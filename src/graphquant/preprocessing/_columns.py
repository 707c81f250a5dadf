"""What all encodings share: the numbers or categories of a column, and what is missing."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from graphquant._typing import AnyArray, BoolArray, FloatArray, IntArray
from graphquant.exceptions import EncodingError
from graphquant.graphs import Column

Where = Callable[[int], str]


class Policy(NamedTuple):
    """What to do with missing values, and with categories never seen in training."""

    missing: str
    unknown: str


class Counts(NamedTuple):
    """What an encoding found in one column that the training data did not lead to expect."""

    n_values: int = 0
    n_missing: int = 0
    first_missing: int = -1  # row, -1 if none is missing
    n_compared: int = 0  # numbers that were compared with the range of training
    n_outside: int = 0
    n_unknown: int = 0
    unknown: tuple[str, ...] = ()  # the first few


class Numbers(NamedTuple):
    """A numeric column, ready to be encoded."""

    values: FloatArray
    missing: BoolArray | None  # None: no value is missing
    counts: Counts


def numbers_of(
    column: Column | None,
    n_rows: int,
    name: str,
    limits: tuple[float | None, float | None],
    policy: Policy,
    where: Where,
) -> Numbers:
    """Return the numbers of a column, which are missing, and how many lie outside the limits."""
    column = or_all_missing(column, n_rows)
    if column.categories is not None:
        row = int(np.argmax(~column.missing)) if len(column) else 0
        value = f" ({where(row)} has {column.to_list()[row]!r})" if len(column) else ""
        raise EncodingError(
            f"Attribute {name!r} holds strings{value}, but it was fitted as a number.",
            "Encode data of the same kind, or fit a new encoder.",
        )
    check_finite(column, name, where)
    missing = check_missing(column, name, policy, where)
    n_missing = 0 if missing is None else int(missing.sum())
    counts = Counts(n_rows, n_missing, -1 if missing is None else int(np.argmax(missing)))
    low, high = limits
    if low is not None and high is not None:
        values = column.values
        # Comparisons with NaN are false. A value that was read from text may differ by rounding.
        slack = 1e-9 * max(abs(low), abs(high))
        n_outside = int(np.count_nonzero((values < low - slack) | (values > high + slack)))
        counts = counts._replace(n_compared=n_rows - n_missing, n_outside=n_outside)
    return Numbers(column.values, missing, counts)


def category_codes(column: Column) -> tuple[IntArray, tuple[str, ...]]:
    """Code of each row (-1 where missing) and the categories; distinct numbers count as categories."""
    if column.categories is not None:
        return column.values.astype(np.int64), column.categories
    missing = column.missing
    distinct, codes = np.unique(np.where(missing, 0.0, column.values + 0.0), return_inverse=True)
    return np.where(missing, -1, codes), tuple(f"{value:.17g}" for value in distinct.tolist())


def check_missing(column: Column, name: str, policy: Policy, where: Where) -> BoolArray | None:
    """Mask of the missing values, None if there are none; an error if the policy says so."""
    missing = column.missing
    if not missing.any():
        return None
    if policy.missing == "error":
        raise EncodingError(
            f"{where(int(np.argmax(missing)))} has no value of attribute {name!r} "
            f"({int(missing.sum())} of {len(column)} values are missing).",
            'Set AttributeEncoder(missing="zero") or missing="mean", or omit the attribute.',
        )
    return missing


def check_finite(column: Column, name: str, where: Where) -> None:
    """Refuse infinity, for which distances are undefined."""
    infinite: AnyArray = np.isinf(column.values)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise EncodingError(
            f"{where(row)}, attribute {name!r} is {column.values[row]}, not a finite number.",
            "Fix the value, or make it missing (NaN) and choose a missing-value policy.",
        )


def number_words(center: float, scale: float, weight: float) -> list[str]:
    """Describe what was done to numbers."""
    words = [f"centred on {center:.4g}"] if center != 0.0 else []
    words += [f"divided by {scale:.4g}"] if scale != 1.0 else []
    return words + weight_words(weight)


def weight_words(weight: float) -> list[str]:
    return [] if weight == 1.0 else [f"weight {weight:.4g}"]


def listed(categories: tuple[str, ...]) -> str:
    tail = f", ... ({len(categories) - 8} more)" if len(categories) > 8 else ""
    return ", ".join(categories[:8]) + tail


def or_all_missing(column: Column | None, n_rows: int) -> Column:
    return Column(np.full(n_rows, np.nan)) if column is None else column


def tidy(values: FloatArray, unit: FloatArray | float, digits: int) -> FloatArray:
    """Round to ``digits`` digits of the larger of value and unit, so that 0.1 comes back as 0.1.

    Examples
    --------
    >>> tidy(np.array([0.30000000000000004, 2.9999999999999996]), 1.0, 12).tolist()
    [0.3, 3.0]
    """
    size = np.maximum(np.abs(values), np.abs(unit))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        power = 10.0 ** (digits - 1 - np.floor(np.log10(size)))
        rounded = np.round(values * power) / power
    return np.where(np.isfinite(rounded), rounded, values)


__all__ = [
    "Counts",
    "Numbers",
    "Policy",
    "Where",
    "category_codes",
    "check_finite",
    "check_missing",
    "listed",
    "number_words",
    "numbers_of",
    "or_all_missing",
    "tidy",
    "weight_words",
]
