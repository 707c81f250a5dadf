"""Columns and tables of pandas, polars and Arrow, recognised by their attributes; none is imported."""

from collections.abc import Mapping
from importlib.util import find_spec
from itertools import islice
from typing import Any

from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._attribute_columns import is_missing
from graphquant.graphs.checks import kind_of
from graphquant.graphs.molecules import is_molecule, looks_like_smiles

_SAMPLE = 20


def is_table(obj: Any) -> bool:
    """Whether ``obj`` looks like a data frame, an Arrow table or a dictionary of columns."""
    if isinstance(obj, Mapping):
        return True
    has_names = hasattr(obj, "column_names") or hasattr(obj, "columns")
    return has_names and hasattr(obj, "__getitem__") and len(getattr(obj, "shape", ())) == 2


def not_a_column(table: Any) -> InvalidGraphError:
    """Build the error for a whole table where a column is needed; it names the likely ones."""
    names = list(table) if isinstance(table, Mapping) else _column_names(table)
    likely = [name for name in names if _holds_graphs(name, _head(table, name))]
    known = ", ".join(repr(name) for name in names) or "none"
    hint = f"Pass the column that holds them, for example frame[{names[0]!r}]." if names else "Pass a list."
    if likely:
        hint = f"Pass the column: {' or '.join(f'frame[{name!r}]' for name in likely)}."
    return InvalidGraphError(
        f"An object of type {kind_of(table)} is a table, not a column of graphs. Its columns: {known}.", hint
    )


def values_of(column: Any) -> list[Any]:
    """Plain values of any iterable, a column of pandas, polars or Arrow, or a data set."""
    if hasattr(column, "to_pylist"):  # Arrow, whose items are not plain values
        return list(column.to_pylist())
    return list(column)


def _column_names(table: Any) -> list[Any]:
    return list(table.column_names if hasattr(table, "column_names") else table.columns)


def _head(table: Any, name: Any) -> list[Any]:
    column = table[name]
    if not hasattr(column, "__getitem__") or isinstance(column, str | bytes):
        return []
    return [value for value in islice(values_of(column[:_SAMPLE]), _SAMPLE) if not is_missing(value)]


def _holds_graphs(name: Any, values: list[Any]) -> bool:
    if not values:
        return False
    if all(isinstance(value, str) for value in values):
        if "smiles" in str(name).lower():
            return True
        return find_spec("rdkit") is not None and looks_like_smiles(values)
    return all(map(is_molecule, values))


__all__ = ["is_table", "not_a_column", "values_of"]
