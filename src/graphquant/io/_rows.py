"""Graphs that a text format gives one at a time: collecting them into columns, and back.

A reader of such a format parses one graph into :class:`GraphRows` and adds it to a
:class:`Collector`, which checks it and knows what to do about a bad one. A writer goes through
:func:`iter_rows`.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from graphquant.exceptions import FileFormatError, InvalidGraphError
from graphquant.graphs import Column, GraphCollection, RawGraphs
from graphquant.io._base import (
    FLAGS,
    FileContent,
    Skipped,
    apply_flags,
    errors_name,
    flags_of,
    raw_from_vectors,
)

Row = dict[str, Any]
Value = float | str | None


@dataclass
class GraphRows:
    """One graph with a dictionary of attributes for each node and edge."""

    nodes: list[Row]
    edges: list[tuple[int, int]]
    edge_rows: list[Row]
    directed: bool = False
    name: str | None = None
    target: str | None = None
    flags: Row = field(default_factory=dict)


class ErrorPolicy:
    """What to do about a graph that cannot be read: raise, or skip and list it.

    Parameters
    ----------
    source : object
        How errors call the file.
    on_error : {"raise", "skip"}
    """

    def __init__(self, source: object, on_error: str) -> None:
        self.source = source
        self.skipped: list[Skipped] = []
        self._skip = on_error == "skip"

    @contextmanager
    def graph(self, where: str) -> Iterator[None]:
        """Handle one graph in this block; ``where`` says in messages where it stands."""
        try:
            yield
        except (FileFormatError, InvalidGraphError) as err:
            reason = err.message.removeprefix(f"{where}: ")  # some errors say by themselves where they are
            if not self._skip:
                raise FileFormatError(f"{self.source}: {where}: {reason}", err.hint) from err
            self.skipped.append(Skipped(where, reason))

    def check_any(self, n_graphs: int) -> None:
        """Refuse a file that holds no graph, not even a bad one."""
        if not n_graphs and not self.skipped:
            raise FileFormatError(f"{self.source}: holds no graph.", "Check that this is the right file.")


class Collector(ErrorPolicy):
    """Collects graphs into columns; a bad one is an error, or is skipped and listed."""

    def __init__(self, source: object, on_error: str) -> None:
        super().__init__(source, on_error)
        self._graphs: list[GraphRows] = []
        self._kinds: dict[tuple[str, str], type[float] | type[str]] = {}

    def add(self, graph: GraphRows) -> None:
        """Check one graph and keep it."""
        _check_edges(graph)
        if self._graphs:
            _check_alike(graph, self._graphs[0])
        kinds = dict(self._kinds)
        graph.nodes = [_checked_row(row, f"node {i}", "node", kinds) for i, row in enumerate(graph.nodes)]
        graph.edge_rows = [_checked_row(r, f"edge {i}", "edge", kinds) for i, r in enumerate(graph.edge_rows)]
        # Only now: a graph that is skipped must not decide what kind an attribute is.
        self._kinds = kinds
        self._graphs.append(graph)

    def content(self, description: str = "") -> FileContent:
        """All graphs that were kept."""
        graphs = self._graphs
        self.check_any(len(graphs))
        raw = RawGraphs(
            np.cumsum([0, *(len(graph.nodes) for graph in graphs)]),
            np.cumsum([0, *(len(graph.edges) for graph in graphs)]),
            np.array([edge for graph in graphs for edge in graph.edges], dtype=np.int32).reshape(-1, 2),
            self._columns("node", [row for graph in graphs for row in graph.nodes]),
            self._columns("edge", [row for graph in graphs for row in graph.edge_rows]),
            directed=bool(graphs) and graphs[0].directed,
            names=complete_names([graph.name for graph in graphs]),
        )
        with errors_name(self.source):
            restored = apply_flags(raw, graphs[0].flags if graphs else {})
        targets = [graph.target for graph in graphs if graph.target is not None]
        return FileContent(
            restored,
            tuple(targets) if targets else None,
            description=description,
            skipped=tuple(self.skipped),
        )

    def _columns(self, what: str, rows: Sequence[Row]) -> dict[str, Column]:
        columns = {}
        for name in dict.fromkeys(name for row in rows for name in row):
            values = [row.get(name) for row in rows]
            # An attribute that is missing everywhere shows no kind; it counts as a number.
            is_text = self._kinds.get((what, name)) is str
            columns[name] = Column.from_strings(values) if is_text else Column.from_numbers(values)
        return columns


def iter_rows(content: FileContent, format_name: str, reserved: Sequence[str] = ()) -> Iterator[GraphRows]:
    """Go through the graphs one at a time, as a text format writes them.

    Missing values are left out. ``reserved`` are attribute names that the format needs for itself.
    """
    graphs = content.graphs
    raw = raw_from_vectors(graphs) if isinstance(graphs, GraphCollection) else graphs
    _check_writable(raw, format_name, reserved)
    flags = flags_of(graphs)
    for i, (nodes, edges) in enumerate(
        zip(pairwise(raw.node_offsets), pairwise(raw.edge_offsets), strict=True)
    ):
        node_rows = _rows(raw.node_columns, slice(*nodes))
        if raw.groups is not None:
            for row, group in zip(node_rows, raw.groups[slice(*nodes)].tolist(), strict=True):
                row["group"] = group
        yield GraphRows(
            node_rows,
            [(start, end) for start, end in raw.edges[slice(*edges)].tolist()],
            _rows(raw.edge_columns, slice(*edges)),
            raw.directed,
            None if raw.names is None else raw.names[i],
            None if content.targets is None else content.targets[i],
            dict(flags),
        )


def take_flags(attributes: Row) -> Row:
    """Remove the flags from the attributes of a graph and return them."""
    return {name: attributes.pop(name) for name in FLAGS if name in attributes}


def _rows(columns: Any, part: slice) -> list[Row]:
    size = part.stop - part.start
    rows: list[Row] = [{} for _ in range(size)]
    for name, column in columns.items():
        for row, value in zip(rows, column.take(part).to_list(), strict=True):
            if value is not None:
                row[name] = value
    return rows


def _check_writable(raw: RawGraphs, format_name: str, reserved: Sequence[str]) -> None:
    if len(raw) == 0:
        raise FileFormatError(
            f"There is no graph to write, and {format_name} cannot keep an empty collection.",
            "Write it to Parquet.",
        )
    taken = {*reserved, "group"} if raw.groups is not None else set(reserved)
    for name in (*raw.node_columns, *raw.edge_columns):
        if name in taken:
            raise FileFormatError(
                f"The attribute {name!r} cannot be kept: {format_name} uses this name for itself.",
                "Rename the attribute, or write to Parquet.",
            )


def _check_edges(graph: GraphRows) -> None:
    seen: dict[tuple[int, int], int] = {}
    for number, (start, end) in enumerate(graph.edges):
        if start == end:
            raise FileFormatError(
                f"edge {number} is a self-loop at node {start}.",
                "Put what a self-loop says into the attributes of its node.",
            )
        pair = (start, end) if graph.directed or start < end else (end, start)
        if pair in seen:
            raise FileFormatError(
                f"edge {number} repeats edge {seen[pair]} (nodes {start} and {end}).",
                "Merge their attributes into one edge.",
            )
        seen[pair] = number


def _check_alike(graph: GraphRows, first: GraphRows) -> None:
    if graph.directed != first.directed:
        kinds = ("undirected", "directed")
        raise FileFormatError(
            f"the graph is {kinds[graph.directed]}, those before it are {kinds[first.directed]}.",
            "Make all of them one kind: an undirected edge is two directed ones.",
        )
    if (graph.target is None) != (first.target is None):
        has = "has no target" if graph.target is None else "has a target"
        raise FileFormatError(f"the graph {has}, unlike those before it.", "Give a target to all or to none.")
    if graph.flags != first.flags:
        raise FileFormatError(
            f"the graph is marked {graph.flags or 'as raw'}, those before it {first.flags or 'as raw'}.",
            "Keep encoded and raw graphs in files of their own.",
        )


def _checked_row(row: Row, where: str, what: str, kinds: dict[tuple[str, str], Any]) -> Row:
    """Check the attributes of one node or edge: finite numbers or strings, one kind for each name."""
    checked: Row = {}
    for name, value in row.items():
        if value is None:
            checked[name] = None
            continue
        plain = value if isinstance(value, str) else _number(value, f"{where}, attribute {name!r}")
        kind = type(plain)
        if kinds.setdefault((what, name), kind) is not kind:
            expected = "a number" if kind is str else "a string"
            raise FileFormatError(
                f"{where}, attribute {name!r}: {_shown(value)} is not {expected}, as it was before.",
                'Make the attribute one kind everywhere, or read with on_error="skip".',
            )
        checked[name] = plain
    return checked


def _number(value: Any, where: str) -> float:
    if not isinstance(value, int | float):
        raise FileFormatError(
            f"{where}: {_shown(value)} is neither a number nor a string.",
            "Give a vector as one attribute for each of its numbers.",
        )
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise FileFormatError(
            f"{where}: {_shown(value)} is not a finite number.",
            "Leave a missing value out, or give a finite number.",
        )
    return number


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def complete_names(names: Sequence[str | None]) -> list[str] | None:
    """Give graphs without a name their number as one; None if no graph has a name."""
    if all(name is None for name in names):
        return None
    return [str(i) if name is None else name for i, name in enumerate(names)]


__all__ = ["Collector", "ErrorPolicy", "GraphRows", "Row", "complete_names", "iter_rows", "take_flags"]
