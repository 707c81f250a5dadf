"""Graphs as they stand in a file: named columns of numbers and strings, not yet vectors.

Readers produce :class:`RawGraphs`; :class:`graphquant.preprocessing.AttributeEncoder` turns them
into a :class:`GraphCollection`. Columns are flat over all nodes (or edges) of all graphs.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from graphquant._typing import AnyArray, BoolArray, Int32Array, IntArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._checks import check_packed
from graphquant.graphs._collection import _check_offsets, _labeller, flat_rows
from graphquant.graphs._graph import plural, same_array


class Column:
    """One attribute of all nodes or all edges: numbers, or strings coded by their categories.

    A missing value is NaN in a numeric column and code -1 in a category column.

    Examples
    --------
    >>> Column.from_strings(["C", "O", "C", None])
    Column(4 values, categories 'C', 'O', 1 missing)
    >>> Column.from_numbers([1.0, 2.0])
    Column(2 values, numeric)
    """

    __slots__ = ("categories", "values")

    def __init__(self, values: AnyArray, categories: tuple[str, ...] | None = None) -> None:
        self.values = np.ascontiguousarray(values, dtype=np.float64 if categories is None else np.int32)
        self.categories = categories
        self.values.setflags(write=False)

    @classmethod
    def from_numbers(cls, values: Any) -> "Column":
        """Numeric column; None and NaN are missing values."""
        return cls(np.array([np.nan if v is None else v for v in values], dtype=np.float64))

    @classmethod
    def from_strings(cls, values: Iterable[str | None]) -> "Column":
        """Category column; categories in sorted order, so that they do not depend on the order of rows."""
        items = list(values)
        categories = tuple(sorted({item for item in items if item is not None}))
        code = {category: i for i, category in enumerate(categories)}
        return cls(np.array([-1 if v is None else code[v] for v in items], dtype=np.int32), categories)

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
        return Column(self.values[rows], self.categories)

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
        return self.is_numeric == other.is_numeric and self.to_list() == other.to_list()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        missing = int(self.missing.sum())
        tail = f", {missing} missing" if missing else ""
        if self.categories is None:
            return f"Column({len(self)} values, numeric{tail})"
        shown = ", ".join(repr(c) for c in self.categories[:6]) + (
            ", ..." if len(self.categories) > 6 else ""
        )
        return f"Column({len(self)} values, categories {shown}{tail})"


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
    Selecting by slice, mask or list gives ``RawGraphs`` again; a number gives one of length one.
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
        n_nodes, n_edges = int(np.asarray(node_offsets)[-1]), len(edges)
        for what, columns, count in (("node", node_columns, n_nodes), ("edge", edge_columns, n_edges)):
            for name, column in columns.items():
                if len(column) != count:
                    raise InvalidGraphError(
                        f"{what} attribute {name!r} has {len(column)} values for {plural(count, what)}."
                    )
        # The edge numbers ride along as an attribute, to learn the canonical order of the edges.
        packed = check_packed(
            _check_offsets(node_offsets, n_nodes, "node_offsets"),
            np.zeros((n_nodes, 1)),
            _check_offsets(edge_offsets, n_edges, "edge_offsets"),
            edges,
            np.arange(n_edges, dtype=np.float64),
            directed=directed,
            groups=groups,
            label=_labeller(names),
        )
        order = packed.edge_attrs[:, 0].astype(np.int64)
        self.node_offsets: IntArray = packed.node_offsets
        self.edge_offsets: IntArray = packed.edge_offsets
        self.edges: Int32Array = packed.edges
        self.groups: Int32Array | None = packed.groups
        self.node_columns: Mapping[str, Column] = MappingProxyType(dict(node_columns))
        self.edge_columns: Mapping[str, Column] = MappingProxyType(
            {name: column.take(order) for name, column in edge_columns.items()}
        )
        self.directed = bool(directed)
        self.names: tuple[str, ...] | None = None if names is None else tuple(str(name) for name in names)
        if self.names is not None and len(self.names) != len(self):
            raise InvalidGraphError(
                f"{len(self.names)} names for {plural(len(self), 'graph')}.", "Give one name for each graph."
            )

    @property
    def orders(self) -> IntArray:
        """Number of nodes of each graph."""
        return np.diff(self.node_offsets)

    @property
    def n_edges(self) -> IntArray:
        """Number of edges of each graph."""
        return np.diff(self.edge_offsets)

    def label(self, index: int) -> str:
        """How messages call a graph: ``Graph 17 ('mol_017')``."""
        return _labeller(self.names)(index)

    def locate(self, what: str, row: int) -> str:
        """How messages call a flat row: ``Graph 17 ('mol_017'): node 3``."""
        offsets = self.node_offsets if what == "node" else self.edge_offsets
        graph = int(np.searchsorted(offsets, row, side="right")) - 1
        return f"{self.label(graph)}: {what} {row - offsets[graph]}"

    def __len__(self) -> int:
        return len(self.node_offsets) - 1

    def __getitem__(self, index: Any) -> "RawGraphs":
        if isinstance(index, int | np.integer):
            if not -len(self) <= index < len(self):
                raise IndexError(f"graph {index} of {len(self)}")
            index = [int(index) % len(self)]
        chosen = np.arange(len(self))[index]
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
                "Make all of them one kind: an undirected edge is two directed ones.",
            )
        with_groups = [part.groups for part in parts if part.groups is not None]
        if with_groups and len(with_groups) != len(parts):
            raise InvalidGraphError(
                "Some graphs have groups and some have none.", "Give groups to all or to none."
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
                "Make it one kind in all of them.",
            )
        if present[0].is_numeric:
            values: list[AnyArray] = [
                part[name].values if name in part else np.full(count, np.nan)
                for part, count in zip(parts, counts, strict=True)
            ]
            joined[name] = Column(np.concatenate(values))
        else:
            joined[name] = Column.from_strings(
                value
                for part, count in zip(parts, counts, strict=True)
                for value in (part[name].to_list() if name in part else [None] * count)
            )
    return joined


__all__ = ["Column", "RawGraphs"]
