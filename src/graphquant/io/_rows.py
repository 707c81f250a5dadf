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
from graphquant.io._repairs import FIRST_KEPT, LEFT_OUT, MISSING, Repairs, Unread, is_numeric, read_as_text
from graphquant.io.base import (
    FLAGS,
    REPAIRED,
    FileContent,
    Skipped,
    apply_flags,
    errors_name,
    flags_of,
    not_a_number,
    raw_from_vectors,
)
from graphquant.io.limits import check_attributes, check_cells

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


_Name = tuple[str, str]  # node or edge, and the name of an attribute


@dataclass
class _Kinds:
    """Which attributes hold numbers or strings, and what to report about those that break the rule."""

    strict: bool
    place: str = ""
    known: dict[_Name, type] = field(default_factory=dict)  # kind of the first value
    mixed: dict[_Name, FileFormatError] = field(default_factory=dict)
    unread: dict[_Name, list[FileFormatError]] = field(default_factory=dict)

    def copy(self, place: str) -> "_Kinds":
        """Return a copy for one graph, with nothing unread; ``place`` is the prefix of its reports."""
        return _Kinds(self.strict, place, dict(self.known), dict(self.mixed))

    def note(self, key: _Name, value: float | str, where: str) -> None:
        """Note the kind of a value; one of another kind than those before is an error if strict."""
        if isinstance(value, Unread):
            error = not_a_number(str(value), f"{self.place}{where}")
            self.unread.setdefault(key, []).append(error)
            return
        kind = type(value)
        if self.known.setdefault(key, kind) is kind or key in self.mixed:
            return
        expected = "a number" if kind is str else "a string"
        message = f"{where}: {_shown(value)} is not {expected}, as it was before."
        hint = 'Use numbers everywhere or strings everywhere, or read with on_error="skip".'
        if self.strict:
            raise FileFormatError(message, hint)
        self.mixed[key] = FileFormatError(f"{self.place}{message}", hint)


class ErrorPolicy:
    """What to do about a graph that cannot be read: raise, or skip and list it.

    Parameters
    ----------
    source : object
        What errors call the file.
    on_error : {"raise", "skip"}
    """

    def __init__(self, source: object, on_error: str) -> None:
        self.source = source
        self.skipped: list[Skipped] = []
        self.where = ""
        self._skip = on_error == "skip"

    @contextmanager
    def graph(self, where: str) -> Iterator[None]:
        """Handle one graph in this block; ``where`` is its place in messages."""
        self.where = where
        try:
            yield
        except (FileFormatError, InvalidGraphError) as err:
            reason = err.message.removeprefix(f"{where}: ")  # some errors already say where they are
            if not self._skip:
                raise FileFormatError(f"{self.source}: {where}: {reason}", err.hint) from err
            self.skipped.append(Skipped(where, reason))

    def check_any(self, n_graphs: int) -> None:
        """Reject a file that contains no graph, not even a bad one."""
        if not n_graphs and not self.skipped:
            raise FileFormatError(f"{self.source}: contains no graphs.", "Check that this is the right file.")


class Collector(ErrorPolicy):
    """Collects graphs into columns; a bad one is an error, or is skipped and listed.

    Parameters
    ----------
    source : object
        What errors call the file.
    on_error : {"raise", "skip"}
    strict : bool, default=False
        Whether flaws that could be repaired are errors.
    """

    def __init__(self, source: object, on_error: str, *, strict: bool = False) -> None:
        super().__init__(source, on_error)
        self._strict = strict
        self._graphs: list[GraphRows] = []
        self._kinds = _Kinds(strict)
        self._unread: dict[_Name, list[FileFormatError]] = {}
        self._repaired: list[str] = []

    def add(self, graph: GraphRows) -> None:
        """Check one graph and keep it."""
        place = f"{self.source}: {self.where}: "
        repairs = Repairs(self._strict, place)
        _check_edges(graph, repairs)
        if self._graphs:
            _check_alike(graph, self._graphs[0])
        kinds = self._kinds.copy(place)
        for what, rows in (("node", graph.nodes), ("edge", graph.edge_rows)):
            rows[:] = [_checked_row(row, i, what, kinds, repairs) for i, row in enumerate(rows)]
        check_attributes(place.removesuffix(": "), "attributes", len(kinds.known) + len(kinds.unread))
        # Only now: a graph that is skipped must not decide what kind an attribute is.
        self._kinds = kinds
        for key, errors in kinds.unread.items():
            self._unread.setdefault(key, []).extend(errors)
        self._repaired += repairs.lines()
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
            metadata={REPAIRED: tuple(self._repaired)} if self._repaired else {},
            description=description,
            skipped=tuple(self.skipped),
        )

    def _columns(self, what: str, rows: Sequence[Row]) -> dict[str, Column]:
        names = dict.fromkeys(name for row in rows for name in row)
        check_cells(self.source, what, len(names), len(rows), sum(map(len, rows)))
        return {name: self._column((what, name), [row.get(name) for row in rows]) for name in names}

    def _column(self, key: _Name, values: list[Any]) -> Column:
        """Make a column of values; an attribute that is missing everywhere counts as a number."""
        kinds, repairs = self._kinds, Repairs(self._strict)
        is_text = kinds.known.get(key) is str
        count = sum(value is not None for value in values)
        if key in kinds.mixed:
            texts = [value for value in values if isinstance(value, str)]
            is_text = not all(map(_reads_as_number, texts))
            done = read_as_text(len(texts), count) if is_text else "all values are read as numbers"
            repairs.tell(kinds.mixed[key], done)
        elif key in self._unread:
            texts = [value for value in values if isinstance(value, Unread)]
            is_text = is_text or not is_numeric(count - len(texts), texts)
            told = self._unread[key][:1] if is_text else self._unread[key]
            for error in told:
                repairs.tell(error, read_as_text(len(texts), count) if is_text else MISSING)
        self._repaired += repairs.lines()
        if is_text:
            return Column.from_strings(None if value is None else _as_text(value) for value in values)
        return Column.from_numbers([_as_number(value) for value in values])


def iter_rows(content: FileContent, format_name: str, reserved: Sequence[str] = ()) -> Iterator[GraphRows]:
    """Iterate over the graphs one at a time, as a text format writes them.

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
            nodes=node_rows,
            edges=[(start, end) for start, end in raw.edges[slice(*edges)].tolist()],
            edge_rows=_rows(raw.edge_columns, slice(*edges)),
            directed=raw.directed,
            name=None if raw.names is None else raw.names[i],
            target=None if content.targets is None else content.targets[i],
            flags=dict(flags),
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
            f"There are no graphs to write, and {format_name} cannot hold an empty collection.",
            "Write it to Parquet.",
        )
    taken = {*reserved, "group"} if raw.groups is not None else set(reserved)
    for name in (*raw.node_columns, *raw.edge_columns):
        if name in taken:
            raise FileFormatError(
                f"The attribute {name!r} cannot be kept: {format_name} uses this name for itself.",
                "Rename the attribute, or write to Parquet.",
            )


def _check_edges(graph: GraphRows, repairs: Repairs) -> None:
    """Leave out self-loops and repeated edges, or raise if strict."""
    seen: dict[tuple[int, int], int] = {}
    for number, (start, end) in enumerate(graph.edges):
        pair = (start, end) if graph.directed or start < end else (end, start)
        if start == end:
            error = FileFormatError(
                f"edge {number} is a self-loop at node {start}.",
                "Put what a self-loop says into the attributes of its node.",
            )
            repairs.tell(error, LEFT_OUT, "self-loop")
        elif pair in seen:
            error = FileFormatError(
                f"edge {number} repeats edge {seen[pair]} (nodes {start} and {end}).",
                "Merge their attributes into one edge.",
            )
            repairs.tell(error, FIRST_KEPT, "repeated edge")
        else:
            seen[pair] = number
    if len(seen) < len(graph.edges):
        graph.edges = [graph.edges[i] for i in seen.values()]
        graph.edge_rows = [graph.edge_rows[i] for i in seen.values()]


def _check_alike(graph: GraphRows, first: GraphRows) -> None:
    if graph.directed != first.directed:
        kinds = ("undirected", "directed")
        raise FileFormatError(
            f"the graph is {kinds[graph.directed]}, those before it are {kinds[first.directed]}.",
            "Make all of them directed or all undirected: an undirected edge is two directed ones.",
        )
    if (graph.target is None) != (first.target is None):
        has = "has no target" if graph.target is None else "has a target"
        raise FileFormatError(f"the graph {has}, unlike those before it.", "Give all a target, or none.")
    if graph.flags != first.flags:
        raise FileFormatError(
            f"the graph is marked {graph.flags or 'as raw'}, those before it {first.flags or 'as raw'}.",
            "Keep encoded and raw graphs in separate files.",
        )


def _checked_row(row: Row, number: int, what: str, kinds: _Kinds, repairs: Repairs) -> Row:
    """Check the attributes of one node or edge: finite numbers or strings."""
    checked: Row = {}
    for name, value in row.items():
        key = what, name
        plain = value
        # Nearly all values are plain numbers and strings of the known kind: build no message for them.
        if type(value) is int or type(value) is float:
            plain = _plain_number(value)
        if plain is None or type(plain) is not kinds.known.get(key):
            plain = _checked_value(value, key, f"{what} {number}, attribute {name!r}", kinds, repairs)
        checked[name] = plain
    return checked


def _checked_value(value: Any, key: _Name, where: str, kinds: _Kinds, repairs: Repairs) -> float | str | None:
    plain = value if value is None or isinstance(value, str) else _number(value, where, repairs)
    if plain is not None:
        kinds.note(key, plain, where)
    return plain


def _plain_number(value: float) -> float | None:
    """Return a finite number as float; None if it is not finite."""
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _number(value: Any, where: str, repairs: Repairs) -> float | None:
    """Return a number, None if it is not finite."""
    if not isinstance(value, int | float):
        raise FileFormatError(
            f"{where}: {_shown(value)} is neither a number nor a string.",
            "Split a vector into one attribute per number.",
        )
    number = _plain_number(value)
    if number is not None:
        return number
    error = FileFormatError(
        f"{where}: {_shown(value)} is not a finite number.",
        "Omit a missing value, or give a finite number.",
    )
    repairs.tell(error, MISSING)
    return None


def _reads_as_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False


def _as_number(value: float | str | None) -> float | None:
    return None if value is None or isinstance(value, Unread) else float(value)


def _as_text(value: float | str) -> str:
    if isinstance(value, str):
        return str(value)
    return str(int(value)) if value.is_integer() else repr(value)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def complete_names(names: Sequence[str | None]) -> list[str] | None:
    """Name graphs without a name by their number; None if no graph has a name."""
    if all(name is None for name in names):
        return None
    return [str(i) if name is None else name for i, name in enumerate(names)]


__all__ = ["Collector", "ErrorPolicy", "GraphRows", "Row", "complete_names", "iter_rows", "take_flags"]
