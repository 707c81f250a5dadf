"""From rows of a Parquet file to packed arrays, checking that the list columns fit each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._typing import AnyArray, BoolArray, IntArray
from graphquant.exceptions import FileFormatError, InvalidGraphError
from graphquant.graphs import Column, GraphCollection, RawGraphs, Schema
from graphquant.io.base import FileContent, Skipped

if TYPE_CHECKING:
    import pyarrow as pa

_NO_LISTS = ("name", "target", "n_nodes")
# Prefix of columns with further information about graphs.
ABOUT = "about:"


@dataclass(frozen=True)
class Header:
    """What the schema metadata of a file say."""

    kind: str
    directed: bool
    n_node_attrs: int
    n_edge_attrs: int
    metadata: dict[str, Any]
    description: str
    schema: Schema | None = None


def content_of_rows(
    table: "pa.Table", header: Header, path: Path | str, on_error: str, first_row: int = 0
) -> FileContent:
    """Make graphs of the rows of a file that start at ``first_row``."""

    def label(row: int) -> str:
        name = table["name"][row].as_py() if "name" in table.column_names else None
        return f"graph {first_row + row}" if name is None else f"graph {first_row + row} ({name!r})"

    faults = _faults(table, header)
    if faults and on_error == "raise":
        row = min(faults)
        raise FileFormatError(
            f"{path}: {label(row)}: {faults[row]}.", 'Write it again, or read with on_error="skip".'
        )
    try:
        graphs = _build(_without(table, faults), header)
    except InvalidGraphError as err:
        invalid = _invalid_rows(table, header, faults)
        if on_error == "raise":
            # Its number in the table differs from its number in the file.
            row = min(invalid)
            raise FileFormatError(f"{path}: {label(row)}: {invalid[row]}", err.hint) from err
        faults |= invalid
        graphs = _build(_without(table, faults), header)
    skipped = tuple(Skipped(label(row), faults[row]) for row in sorted(faults))
    kept = _without(table, faults)
    targets = tuple(kept["target"].to_pylist()) if "target" in kept.column_names else None
    columns = {
        name.removeprefix(ABOUT): tuple(kept[name].to_pylist())
        for name in kept.column_names
        if name.startswith(ABOUT)
    }
    return FileContent(
        graphs=graphs,
        targets=targets,
        metadata=header.metadata,
        description=header.description,
        skipped=skipped,
        columns=columns,
    )


def _without(table: "pa.Table", faults: Mapping[int, str]) -> "pa.Table":
    if not faults:
        return table
    return table.take(np.setdiff1d(np.arange(len(table)), list(faults)))


def _is_list(name: str) -> bool:
    """Whether a column has one list for each graph."""
    return name not in _NO_LISTS and not name.startswith(ABOUT)


def _faults(table: "pa.Table", header: Header) -> dict[int, str]:
    """Find rows whose lists do not fit each other, and say why."""
    n_nodes = _numbers(table["n_nodes"])
    listed = {name: _lengths(table[name]) for name in table.column_names if _is_list(name)}
    edges = listed.pop("edges")
    faults = {int(row): "column 'n_nodes' is not a number of nodes, 0 or more" for row in _where(n_nodes < 0)}
    for row in _where((edges < 0) | (edges % 2 == 1)):
        faults.setdefault(row, f"column 'edges' holds {_count(edges[row])}, expected pairs of nodes")
    width = {"node_attrs": header.n_node_attrs, "edge_attrs": header.n_edge_attrs}
    for name, found in listed.items():
        of_edges = name == "edge_attrs" or name.startswith("edge:")
        owners = edges // 2 if of_edges else n_nodes
        expected = owners * width.get(name, 1)
        for row in _where(found != expected):
            what = f"{owners[row]} {'edges' if of_edges else 'nodes'} x {width.get(name, 1)}"
            faults.setdefault(
                row, f"column {name!r} holds {_count(found[row])}, expected {expected[row]} ({what})"
            )
    if "target" in table.column_names:
        for row in _where(table["target"].is_null().to_numpy()):
            faults.setdefault(row, "column 'target' is empty (null)")
    return faults


def _where(mask: BoolArray) -> list[int]:
    rows: list[int] = np.flatnonzero(mask).tolist()
    return rows


def _count(length: int) -> str:
    return "no list (null)" if length < 0 else f"{length} values"


def _numbers(column: "pa.ChunkedArray") -> IntArray:
    """Whole numbers of a column; -1 for null, which no valid column holds."""
    numbers: IntArray = column.fill_null(-1).to_numpy().astype(np.int64)
    return numbers


def _lengths(column: "pa.ChunkedArray") -> IntArray:
    import pyarrow.compute as pc

    return _numbers(pc.list_value_length(column))


def _invalid_rows(table: "pa.Table", header: Header, known: Mapping[int, str]) -> dict[int, str]:
    """Find the graphs that the data model rejects, one by one: this happens in broken files only."""
    faults = {}
    for row in range(len(table)):
        if row in known:
            continue
        try:
            _build(table.slice(row, 1), header)
        except InvalidGraphError as err:
            # Alone, each graph is number 0; the caller names it.
            faults[row] = err.message.partition(": ")[2]
    return faults


def _build(table: "pa.Table", header: Header) -> RawGraphs | GraphCollection:
    node_offsets = _offsets(_numbers(table["n_nodes"]))
    edges = _flat(table["edges"], np.int32).reshape(-1, 2)
    edge_offsets = _offsets(_lengths(table["edges"]) // 2)
    shared: dict[str, Any] = {
        "directed": header.directed,
        "groups": _flat(table["groups"], np.int32) if "groups" in table.column_names else None,
        "names": _names(table),
    }
    if header.kind == "vectors":
        return GraphCollection.from_arrays(
            node_offsets,
            _flat(table["node_attrs"], np.float64).reshape(-1, header.n_node_attrs),
            edge_offsets,
            edges,
            _flat(table["edge_attrs"], np.float64).reshape(-1, header.n_edge_attrs),
            schema=header.schema,
            **shared,
        )
    columns: dict[str, dict[str, Column]] = {"node": {}, "edge": {}}
    for column in table.column_names:
        what, _, name = column.partition(":")
        if what in columns:
            columns[what][name] = _column(table[column])
    return RawGraphs(node_offsets, edge_offsets, edges, columns["node"], columns["edge"], **shared)


def _names(table: "pa.Table") -> tuple[str, ...] | None:
    if "name" not in table.column_names:
        return None
    names = table["name"].to_pylist()
    return tuple(str(i) if name is None else name for i, name in enumerate(names))


def _offsets(counts: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(counts)])


def _values(column: "pa.ChunkedArray") -> "pa.Array":
    """Members of all lists of a column, in one array."""
    return column.combine_chunks().flatten()


def _flat(column: "pa.ChunkedArray", dtype: type[np.generic]) -> AnyArray:
    values = _values(column)
    if np.issubdtype(dtype, np.integer):
        # A null among node numbers or groups becomes -1, which the data model rejects by name.
        whole: AnyArray = values.fill_null(-1).to_numpy(zero_copy_only=False)
        return whole
    numbers: AnyArray = values.to_numpy(zero_copy_only=False).astype(dtype, copy=False)  # null is NaN
    return numbers


def _column(column: "pa.ChunkedArray") -> Column:
    import pyarrow.types as types

    values = _values(column)
    if not (types.is_string(values.type) or types.is_large_string(values.type)):
        return Column(_flat(column, np.float64))
    coded = values.dictionary_encode()
    found = coded.dictionary.to_pylist()
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    categories = sorted(found)
    # Codes of the file stand for strings in order of appearance; ours for sorted ones. -1 stays -1.
    place = {category: i for i, category in enumerate(categories)}
    new_code = np.array([*(place[category] for category in found), -1], dtype=np.int32)
    return Column(new_code[codes], tuple(categories))


__all__ = ["ABOUT", "Header", "content_of_rows"]
