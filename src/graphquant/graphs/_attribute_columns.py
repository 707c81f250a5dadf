"""Columns from dictionaries of attributes whose values may be of any kind."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from warnings import warn

import numpy as np

from graphquant._typing import AnyArray
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError
from graphquant.graphs._raw import Column
from graphquant.graphs.checks import kind_of, plural

_NUMBERS = (int, float, np.number, np.bool_)
# The missing value of pandas; comparing it with itself is neither true nor false.
_MISSING_TYPES = ("NAType", "NaTType")


def is_missing(value: Any) -> bool:
    """Whether a value stands for a missing one: None, NaN, or the NA of pandas."""
    if value is None or type(value).__name__ in _MISSING_TYPES:
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def columns_of_rows(rows: Sequence[dict[str, Any]], where: Callable[[int], str]) -> dict[str, Column]:
    """Turn one dictionary for each node or edge into columns.

    Numbers and truth values (as 0 and 1) make a numeric column, strings a column of categories. An
    attribute with both becomes text, and a warning says so. A vector of numbers becomes one column
    for each of its numbers. None, NaN and an absent attribute are missing.

    Parameters
    ----------
    rows : sequence of dict
    where : callable
        What messages call a row, given its number.
    """
    columns: dict[str, Column] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        for column_name, column in _columns(str(name), [row.get(name) for row in rows], where):
            if column_name in columns:
                raise InvalidGraphError(
                    f"There are two attributes {column_name!r}: one of this name, one from a vector.",
                    "Rename one of them.",
                )
            columns[column_name] = column
    return columns


def _columns(name: str, values: list[Any], where: Callable[[int], str]) -> Iterable[tuple[str, Column]]:
    given = [value for value in values if value is not None]
    if all(isinstance(value, _NUMBERS) for value in given):
        return [(name, Column.from_numbers(values))]
    if all(isinstance(value, str) for value in given):
        return [(name, Column.from_strings(values))]
    vectors = {i: _vector(value) for i, value in enumerate(values) if not is_missing(value)}
    if all(vector is not None and vector.ndim <= 1 for vector in vectors.values()):
        known = {i: np.atleast_1d(vector) for i, vector in vectors.items() if vector is not None}
        return _vector_columns(name, known, len(values), where)
    return [(name, _text_column(name, values, where))]


def _vector(value: Any) -> AnyArray | None:
    """Return numbers as an array, also those of a tensor; None for anything else."""
    try:
        array = np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)
    except ValueError:  # rows of different length
        return None
    return array if array.dtype.kind in "biuf" else None


def _vector_columns(
    name: str, vectors: dict[int, AnyArray], n_rows: int, where: Callable[[int], str]
) -> Iterable[tuple[str, Column]]:
    width = len(next(iter(vectors.values())))
    table = np.full((n_rows, width), np.nan)
    for i, vector in vectors.items():
        if len(vector) != width:
            raise InvalidGraphError(
                f"{where(i)}, attribute {name!r} has {plural(len(vector), 'number')}, others have {width}.",
                "Give the attribute the same number of values everywhere.",
            )
        table[i] = vector
    return [(column, Column(table[:, i])) for i, column in enumerate(numbered(name, width))]


def numbered(name: str, width: int) -> list[str]:
    """Name the columns of a vector: ``x0, x1, ...``; a single column keeps the name."""
    return [name] if width == 1 else [f"{name}{i}" for i in range(width)]


def _text_column(name: str, values: list[Any], where: Callable[[int], str]) -> Column:
    """Write all values as text, with a warning."""
    texts: list[str | None] = []
    odd: int | None = None
    for i, value in enumerate(values):
        if is_missing(value):
            texts.append(None)
        elif isinstance(value, str):
            texts.append(value)
        elif isinstance(value, _NUMBERS):
            texts.append(_number_text(value))
            odd = i if odd is None else odd
        else:
            raise InvalidGraphError(
                f"{where(i)}, attribute {name!r}: a value of type {kind_of(value)} is not a number, a string "
                "or a vector of numbers.",
                "Turn it into one of these, or remove the attribute.",
            )
    if odd is not None:
        warn(
            f"{where(odd)}, attribute {name!r} is the number {values[odd]!r}, while other values are "
            "strings. The attribute is read as text.",
            GraphQuantWarning,
            stacklevel=2,
        )
    return Column.from_strings(texts)


def _number_text(value: Any) -> str:
    """Write 1 and 1.0 the same way, as a file would."""
    if isinstance(value, bool | np.bool_) or not float(value).is_integer():
        return str(value)
    return str(int(value))


__all__ = ["columns_of_rows", "is_missing", "numbered"]
