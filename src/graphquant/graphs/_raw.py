"""Graphs as files hold them: named columns of numbers and strings, not yet vectors.

Readers produce :class:`RawGraphs`; :class:`graphquant.preprocessing.AttributeEncoder` turns them
into a :class:`GraphCollection`. Columns are flat over all nodes (or edges) of all graphs.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from graphquant._equality import same_array
from graphquant._typing import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs.checks import Labels, check_groups, check_topology, locate, plural
from graphquant.graphs.collection import check_names, chosen_numbers, flat_rows, label_of


class Column:
    """One attribute of all nodes or all edges: numbers, or strings coded by their categories.

    Parameters
    ----------
    values : array of shape (n_rows,)
        Numbers, NaN where missing; or, with ``categories``, the number of the category of each row,
        -1 where missing.
    categories : sequence of str, optional
        Distinct strings. Categories may be unused.

    Examples
    --------
    >>> Column.from_strings(["C", "O", "C", None])
    Column(4 values, categories 'C', 'O', 1 missing)
    >>> Column.from_numbers([1.0, 2.0])
    Column(2 values, numeric)
    """

    __slots__ = ("_categories", "_values")

    def __init__(self, values: Any, categories: Sequence[str] | None = None) -> None:
        if categories is None:
            self._set(_check_numbers(values), None)
        else:
            self._set(_check_codes(values, categories), tuple(categories))
        if self._values.ndim != 1:
            raise InvalidGraphError(
                f"A column has one value for each row, not values of shape {self._values.shape}.",
                "Pass each channel as a separate column.",
            )

    def _set(self, values: AnyArray, categories: tuple[str, ...] | None) -> None:
        values.setflags(write=False)
        self._values = values
        self._categories = categories

    @classmethod
    def _from_valid(cls, values: AnyArray, categories: tuple[str, ...] | None) -> "Column":
        """Wrap an array that is known to be valid and that has no other owner, without copying."""
        column = cls.__new__(cls)
        column._set(values, categories)
        return column

    @classmethod
    def from_numbers(cls, values: Any) -> "Column":
        """Numeric column; None and NaN are missing values."""
        return cls([np.nan if v is None else v for v in values])

    @classmethod
    def from_strings(cls, values: Iterable[str | None]) -> "Column":
        """Category column; categories in sorted order, so that they do not depend on the order of rows."""
        items = list(values)
        categories = tuple(sorted({item for item in items if item is not None}))
        code: dict[str | None, int] = {category: i for i, category in enumerate(categories)}
        code[None] = -1
        codes = np.fromiter((code[item] for item in items), dtype=np.int32, count=len(items))
        return cls._from_valid(codes, categories)

    @property
    def values(self) -> AnyArray:
        """Numbers (float64) or numbers of categories (int32), read-only."""
        return self._values

    @property
    def categories(self) -> tuple[str, ...] | None:
        """The strings that the values stand for; None for a numeric column."""
        return self._categories

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers."""
        return self.categories is None

    @property
    def missing(self) -> BoolArray:
        """Mask of the missing values."""
        mask: BoolArray = np.isnan(self.values) if self.is_numeric else np.less(self.values, 0)
        return mask

    def take(self, rows: Any) -> "Column":
        """Return the column at the given rows."""
        return Column._from_valid(self.values[rows], self.categories)

    def to_list(self) -> list[Any]:
        """Return plain Python values; None where missing."""
        if self.categories is None:
            return [None if np.isnan(v) else v for v in self.values.tolist()]
        return [None if code < 0 else self.categories[code] for code in self.values.tolist()]

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Column):
            return NotImplemented
        if self.categories is None or other.categories is None:
            return self.categories is other.categories and np.array_equal(
                self.values, other.values, equal_nan=True
            )
        # Equal strings may have different codes: categories may be unused, or in another order.
        return np.array_equal(self.values, other._recoded(self.categories))

    __hash__ = None  # type: ignore[assignment]

    def _recoded(self, categories: Sequence[str]) -> Int32Array:
        """Codes of the same strings in other categories; -2 for a string that is not one of them."""
        code = {category: i for i, category in enumerate(categories)}
        # The last entry is for the code -1, a missing value.
        table = [code.get(category, -2) for category in self.categories or ()] + [-1]
        return np.array(table, dtype=np.int32)[self.values]

    def __reduce__(self) -> tuple[Any, ...]:
        return Column._from_valid, (self._values, self._categories)

    def __repr__(self) -> str:
        missing = int(self.missing.sum())
        tail = f", {missing} missing" if missing else ""
        if self.categories is None:
            return f"Column({plural(len(self), 'value')}, numeric{tail})"
        shown = ", ".join(repr(c) for c in self.categories[:6]) + (
            ", ..." if len(self.categories) > 6 else ""
        )
        return f"Column({plural(len(self), 'value')}, categories {shown}{tail})"


class RawGraphs:
    """Many graphs with named raw attributes, in flat columns with offsets.

    Parameters
    ----------
    node_offsets, edge_offsets : array-like of int of shape (n_graphs + 1,)
        First node and first edge of each graph.
    edges : array-like of int of shape (n_edges, 2)
        Node pairs, numbered within each graph.
    node_columns, edge_columns : mapping of str to Column
        Attributes by name.
    directed : bool, default=False
    groups : array-like of int, optional
        Class of each node.
    names : sequence of str, optional

    Notes
    -----
    Indexing by slice, mask or list returns ``RawGraphs``; a number returns ``RawGraphs`` of length one.

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.graphs import Column
    >>> raw = gq.RawGraphs([0, 2], [0, 1], [(0, 1)], {"x": Column([1.0, 2.0])}, {})
    >>> len(raw), list(raw.node_columns)
    (1, ['x'])
    """

    def __init__(
        self,
        node_offsets: Any,
        edge_offsets: Any,
        edges: Any,
        node_columns: Mapping[str, Column],
        edge_columns: Mapping[str, Column],
        *,
        directed: bool = False,
        groups: Any = None,
        names: Sequence[str] | None = None,
    ) -> None:
        names = check_names(names, np.size(node_offsets) - 1)
        labels = Labels("The graphs", label_of(names))
        n_nodes = _last(node_offsets)
        topology = check_topology(
            node_offsets, n_nodes, edge_offsets, edges, directed=directed, labels=labels
        )
        _check_lengths(node_columns, n_nodes, "node")
        _check_lengths(edge_columns, len(topology.edges), "edge")
        order = topology.order
        self.node_offsets: IntArray = topology.node_offsets
        self.edge_offsets: IntArray = topology.edge_offsets
        self.edges: Int32Array = topology.edges
        self.groups: Int32Array | None = check_groups(groups, topology.node_offsets, labels)
        self.node_columns: Mapping[str, Column] = MappingProxyType(dict(node_columns))
        self.edge_columns: Mapping[str, Column] = MappingProxyType(
            {name: column if order is None else column.take(order) for name, column in edge_columns.items()}
        )
        self.directed = bool(directed)
        self.names: tuple[str, ...] | None = names
        for array in (self.node_offsets, self.edge_offsets, self.edges, self.groups):
            if array is not None:
                array.setflags(write=False)

    @property
    def orders(self) -> IntArray:
        """Number of nodes of each graph."""
        return np.diff(self.node_offsets)

    @property
    def n_edges(self) -> IntArray:
        """Number of edges of each graph."""
        return np.diff(self.edge_offsets)

    def label(self, index: int) -> str:
        """Name of a graph in messages: ``Graph 17 ('mol_017')``."""
        return label_of(self.names)(index)

    def locate(self, what: str, row: int) -> str:
        """Name of a flat row in messages: ``Graph 17 ('mol_017'): node 3``."""
        offsets = self.node_offsets if what == "node" else self.edge_offsets
        graph, local = locate(offsets, row)
        return f"{self.label(graph)}: {what} {local}"

    def __len__(self) -> int:
        return len(self.node_offsets) - 1

    def __getitem__(self, index: Any) -> "RawGraphs":
        if isinstance(index, slice):
            chosen = np.arange(len(self))[index]
        else:
            chosen = np.atleast_1d(chosen_numbers(index, len(self)))
        nodes, node_offsets = flat_rows(self.node_offsets, chosen)
        edges, edge_offsets = flat_rows(self.edge_offsets, chosen)
        return RawGraphs(
            node_offsets,
            edge_offsets,
            self.edges[edges],
            {name: column.take(nodes) for name, column in self.node_columns.items()},
            {name: column.take(edges) for name, column in self.edge_columns.items()},
            directed=self.directed,
            groups=None if self.groups is None else self.groups[nodes],
            names=None if self.names is None else [self.names[i] for i in chosen],
        )

    @classmethod
    def concatenate(cls, parts: Sequence["RawGraphs"]) -> "RawGraphs":
        """Join several; a column that a part lacks is missing there."""
        if not parts:
            raise InvalidGraphError("Nothing to join.", "Pass at least one RawGraphs.")
        if len({part.directed for part in parts}) > 1:
            raise InvalidGraphError(
                "Directed and undirected graphs cannot be joined.",
                "Make all of them directed or all undirected: an undirected edge is two directed ones.",
            )
        with_groups = [part.groups for part in parts if part.groups is not None]
        if with_groups and len(with_groups) != len(parts):
            raise InvalidGraphError(
                "Some graphs have groups and some have none.", "Give all graphs groups, or none."
            )
        names = [part.names for part in parts if part.names is not None]
        return cls(
            np.concatenate([[0], np.cumsum(np.concatenate([part.orders for part in parts]))]),
            np.concatenate([[0], np.cumsum(np.concatenate([part.n_edges for part in parts]))]),
            np.concatenate([part.edges for part in parts]),
            _join_columns(
                [part.node_columns for part in parts], [int(part.node_offsets[-1]) for part in parts], "node"
            ),
            _join_columns([part.edge_columns for part in parts], [len(part.edges) for part in parts], "edge"),
            directed=parts[0].directed,
            groups=np.concatenate(with_groups) if with_groups else None,
            names=[name for part in names for name in part] if len(names) == len(parts) else None,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RawGraphs):
            return NotImplemented
        return (
            self.directed == other.directed
            and self.names == other.names
            and np.array_equal(self.node_offsets, other.node_offsets)
            and np.array_equal(self.edge_offsets, other.edge_offsets)
            and np.array_equal(self.edges, other.edges)
            and dict(self.node_columns) == dict(other.node_columns)
            and dict(self.edge_columns) == dict(other.edge_columns)
            and same_array(self.groups, other.groups)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy cannot be pickled, a plain dict can.
        parts = (self.node_offsets, self.edge_offsets, self.edges)
        columns = (dict(self.node_columns), dict(self.edge_columns))
        return _rebuild, (*parts, *columns, self.directed, self.groups, self.names)

    def __repr__(self) -> str:
        nodes = ", ".join(self.node_columns) or "none"
        edges = ", ".join(self.edge_columns) or "none"
        return f"RawGraphs({plural(len(self), 'graph')}, node attributes: {nodes}; edge attributes: {edges})"


def _join_columns(
    parts: Sequence[Mapping[str, Column]], counts: Sequence[int], what: str
) -> dict[str, Column]:
    joined = {}
    for name in dict.fromkeys(name for part in parts for name in part):
        present = [part[name] for part in parts if name in part]
        if len({column.is_numeric for column in present}) > 1:
            raise InvalidGraphError(
                f"{what} attribute {name!r} is a number in some graphs and a string in others.",
                "Make it a number or a string in all of them.",
            )
        categories = _used_categories(present)
        missing = np.nan if categories is None else -1
        values = []
        for part, count in zip(parts, counts, strict=True):
            if name not in part:
                values.append(np.full(count, missing))
            else:
                values.append(part[name].values if categories is None else part[name]._recoded(categories))
        joined[name] = Column(np.concatenate(values), categories)
    return joined


def _used_categories(columns: Sequence[Column]) -> list[str] | None:
    """Categories that occur in any of the columns, sorted; None for numeric columns."""
    if columns[0].categories is None:
        return None
    return sorted(
        {
            (column.categories or ())[code]
            for column in columns
            for code in np.unique(column.values[~column.missing]).tolist()
        }
    )


def _check_numbers(values: Any) -> FloatArray:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as err:
        raise InvalidGraphError(
            f"A numeric column contains a non-numeric value ({err}).",
            "Give numbers, NaN where missing, or use Column.from_strings.",
        ) from err


def _check_codes(values: Any, categories: Sequence[str]) -> Int32Array:
    if len(set(categories)) != len(categories):
        raise InvalidGraphError(
            f"The categories {list(categories)!r} of a column are not distinct.", "Give each string once."
        )
    codes = np.asarray(values)
    last = len(categories) - 1
    if codes.size and codes.dtype.kind not in "iu":
        problem = f"of type {codes.dtype}"
    elif codes.size and (codes.min() < -1 or codes.max() > last):
        problem = f"from {codes.min()} to {codes.max()}"
    else:
        return np.array(codes, dtype=np.int32)
    raise InvalidGraphError(
        f"A category column has codes {problem}, expected whole numbers from -1 to {last}.",
        "Give the number of the category of each row, -1 where missing, or use Column.from_strings.",
    )


def _last(offsets: Any) -> int:
    """Return the number of rows that offsets refer to; whether they are valid is checked later."""
    last = np.ravel(offsets)[-1:]
    return max(int(last[0]), 0) if last.dtype.kind in "iu" and len(last) else 0


def _check_lengths(columns: Mapping[str, Column], count: int, what: str) -> None:
    for name, column in columns.items():
        if not isinstance(column, Column):
            raise InvalidGraphError(
                f"The graphs: {what} attribute {name!r} is a {type(column).__name__}, expected a Column.",
                "Use Column(numbers) or Column.from_strings(texts).",
            )
        if len(column) != count:
            raise InvalidGraphError(
                f"The graphs: {what} attribute {name!r} has {plural(len(column), 'value')} for "
                f"{plural(count, what)}.",
                f"Give one value for each {what}, missing ones as None.",
            )


def _rebuild(
    node_offsets: IntArray,
    edge_offsets: IntArray,
    edges: Int32Array,
    node_columns: Mapping[str, Column],
    edge_columns: Mapping[str, Column],
    directed: bool,
    groups: Int32Array | None,
    names: tuple[str, ...] | None,
) -> RawGraphs:
    return RawGraphs(
        node_offsets,
        edge_offsets,
        edges,
        node_columns,
        edge_columns,
        directed=directed,
        groups=groups,
        names=names,
    )


__all__ = ["Column", "RawGraphs"]
