"""Many graphs, packed in flat arrays with offsets: what the native core and files use."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import Any, overload

import numpy as np

from graphquant._equality import same_array
from graphquant._typing import AnyArray, FloatArray, Int32Array, IntArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._graph import Graph
from graphquant.graphs._schema import Schema, check_same_schema, join_schemas
from graphquant.graphs.checks import Labels, PackedArrays, check_packed, kind_of, plural


class GraphCollection(Sequence[Graph]):
    """An immutable sequence of graphs with the same kinds of attributes.

    Parameters
    ----------
    graphs : iterable of Graph
        Graphs with equal numbers of node and edge attributes, all directed or all undirected, all
        with groups or all without.
    names : sequence of str, optional
        A name for each graph, used in messages and results.

    Notes
    -----
    Graph i has the nodes ``node_offsets[i]`` to ``node_offsets[i + 1]`` of ``node_attrs`` and the
    edges ``edge_offsets[i]`` to ``edge_offsets[i + 1]`` of ``edges`` and ``edge_attrs``. A slice of
    step 1 is a view: it shares these arrays, and its offsets need not start at zero. Other
    selections (masks, lists of numbers, other steps) copy what they select.

    Examples
    --------
    >>> import graphquant as gq
    >>> c = gq.GraphCollection([gq.Graph([1.0, 2.0], [(0, 1)]), gq.Graph([3.0])], names=["pair", "dot"])
    >>> c
    GraphCollection(2 graphs, on average 1.5 nodes x 1 attribute and 0.5 edges x 1 attribute)
    >>> c[1]
    Graph(1 node x 1 attribute, 0 edges x 1 attribute)
    """

    __slots__ = ("_directed", "_names", "_packed", "_schema")

    def __init__(self, graphs: Any, names: Sequence[str] | None = None) -> None:
        if isinstance(graphs, Graph) or not isinstance(graphs, Iterable):
            raise InvalidGraphError(
                f"An object of type {kind_of(graphs)} is not a sequence of graphs.", "Pass a list of Graph."
            )
        members = list(graphs)
        if not members:
            raise InvalidGraphError(
                "A collection needs at least one graph, to know its attributes.", "Pass at least one Graph."
            )
        names = check_names(names, len(members))
        label = label_of(names)
        for i, graph in enumerate(members):
            if not isinstance(graph, Graph):
                raise InvalidGraphError(
                    f"{label(i)} is of type {kind_of(graph)}, expected a graphquant.Graph.",
                    "Convert networkx and PyTorch Geometric graphs with as_collection.",
                )
            _check_alike(graph, members[0], label(i))
        first: Graph = members[0]
        schema = first.schema
        for graph in members:
            schema = join_schemas(schema, graph.schema)
        packed = PackedArrays(
            node_offsets=_offsets([graph.order for graph in members]),
            node_attrs=np.concatenate([graph.node_attrs for graph in members]),
            edge_offsets=_offsets([graph.n_edges for graph in members]),
            edges=np.concatenate([graph.edges for graph in members]),
            edge_attrs=np.concatenate([graph.edge_attrs for graph in members]),
            groups=None if first.groups is None else np.concatenate([_groups_of(graph) for graph in members]),
        )
        self._set(packed, directed=first.directed, names=names, schema=schema)

    def _set(
        self, packed: PackedArrays, *, directed: bool, names: tuple[str, ...] | None, schema: Schema | None
    ) -> None:
        for array in packed:
            if array is not None:
                array.setflags(write=False)
        self._packed = packed
        self._directed = directed
        self._names = names
        self._schema = schema

    @classmethod
    def from_arrays(
        cls,
        node_offsets: Any,
        node_attrs: Any,
        edge_offsets: Any,
        edges: Any,
        edge_attrs: Any = None,
        *,
        directed: bool = False,
        groups: Any = None,
        names: Sequence[str] | None = None,
        schema: Schema | None = None,
    ) -> "GraphCollection":
        """Build a collection from flat arrays, checked like single graphs.

        Examples
        --------
        >>> import graphquant as gq
        >>> gq.GraphCollection.from_arrays([0, 2, 3], [1.0, 2.0, 3.0], [0, 1, 1], [(0, 1)])
        GraphCollection(2 graphs, on average 1.5 nodes x 1 attribute and 0.5 edges x 1 attribute)
        """
        names = check_names(names, np.size(node_offsets) - 1)
        packed = check_packed(
            node_offsets,
            node_attrs,
            edge_offsets,
            edges,
            edge_attrs,
            directed=directed,
            groups=groups,
            labels=Labels("The collection", label_of(names)),
        )
        if schema is not None:
            schema.check_widths(packed.node_attrs.shape[1], packed.edge_attrs.shape[1])
        return cls._from_valid(packed, directed=directed, names=names, schema=schema)

    @classmethod
    def _from_valid(
        cls, packed: PackedArrays, *, directed: bool, names: tuple[str, ...] | None, schema: Schema | None
    ) -> "GraphCollection":
        """Wrap arrays that are known to be valid and in canonical order, without copying."""
        collection = cls.__new__(cls)
        collection._set(packed, directed=bool(directed), names=names, schema=schema)
        return collection

    @property
    def node_offsets(self) -> IntArray:
        """First node of each graph in ``node_attrs``, shape (n_graphs + 1,)."""
        return self._packed.node_offsets

    @property
    def node_attrs(self) -> FloatArray:
        """Attribute vectors of all nodes; a view may include those of other graphs."""
        return self._packed.node_attrs

    @property
    def edge_offsets(self) -> IntArray:
        """First edge of each graph in ``edges``, shape (n_graphs + 1,)."""
        return self._packed.edge_offsets

    @property
    def edges(self) -> Int32Array:
        """Node pairs of all edges, numbered within each graph."""
        return self._packed.edges

    @property
    def edge_attrs(self) -> FloatArray:
        """Attribute vectors of all edges."""
        return self._packed.edge_attrs

    @property
    def groups(self) -> Int32Array | None:
        """Class of every node, or None."""
        return self._packed.groups

    @property
    def directed(self) -> bool:
        """Whether edges are one-way."""
        return self._directed

    @property
    def names(self) -> tuple[str, ...] | None:
        """Names of the graphs, if they have any."""
        return self._names

    @property
    def schema(self) -> Schema | None:
        """What the channels mean, and which encoder made them; None for vectors made by hand."""
        return self._schema

    @property
    def orders(self) -> IntArray:
        """Number of nodes of each graph."""
        return np.diff(self.node_offsets)

    @property
    def n_edges(self) -> IntArray:
        """Number of edges of each graph."""
        return np.diff(self.edge_offsets)

    @property
    def max_order(self) -> int:
        """Number of nodes of the largest graph."""
        return int(self.orders.max(initial=0))

    @property
    def nbytes(self) -> int:
        """Bytes of the packed arrays (of the shared arrays, for a view)."""
        return sum(array.nbytes for array in self._packed if array is not None)

    def label(self, index: int) -> str:
        """Name of a graph in messages: ``Graph 17 ('mol_017')``."""
        return label_of(self._names)(index)

    def packed(self) -> "GraphCollection":
        """Return the same graphs in arrays that hold nothing else, with offsets from zero."""
        own = self._own_part()
        if own is self._packed:
            return self
        copied = PackedArrays._make(None if array is None else array.copy() for array in own)
        return self._with(copied, self._names)

    def _with(self, packed: PackedArrays, names: tuple[str, ...] | None) -> "GraphCollection":
        """Return other graphs of the same kind."""
        return self._from_valid(packed, directed=self._directed, names=names, schema=self._schema)

    def _own_part(self) -> PackedArrays:
        """Return the rows that belong to this collection, with offsets from zero, shared where possible."""
        packed = self._packed
        nodes = slice(int(packed.node_offsets[0]), int(packed.node_offsets[-1]))
        edges = slice(int(packed.edge_offsets[0]), int(packed.edge_offsets[-1]))
        if nodes == slice(0, len(packed.node_attrs)) and edges == slice(0, len(packed.edges)):
            return packed
        return PackedArrays(
            node_offsets=packed.node_offsets - nodes.start,
            node_attrs=packed.node_attrs[nodes],
            edge_offsets=packed.edge_offsets - edges.start,
            edges=packed.edges[edges],
            edge_attrs=packed.edge_attrs[edges],
            groups=None if packed.groups is None else packed.groups[nodes],
        )

    @classmethod
    def concatenate(cls, parts: Sequence["GraphCollection"]) -> "GraphCollection":
        """Join collections of graphs with the same kinds of attributes; names are kept if all have them.

        Examples
        --------
        >>> import graphquant as gq
        >>> c = gq.GraphCollection([gq.Graph([1.0, 2.0], [(0, 1)]), gq.Graph([3.0])])
        >>> len(gq.GraphCollection.concatenate([c, c[:1]]))
        3
        """
        if not parts:
            raise InvalidGraphError("Nothing to join.", "Pass at least one collection.")
        for number, part in enumerate(parts):
            if len(part):
                _check_alike(part[0], parts[0][0] if len(parts[0]) else part[0], f"Collection {number}")
            check_same_schema(parts[0].schema, part.schema, ("collection 0", f"collection {number}"))
        own = [part._own_part() for part in parts]
        groups = [arrays.groups for arrays in own if arrays.groups is not None]
        joined = PackedArrays(
            node_offsets=_offsets(np.concatenate([part.orders for part in parts])),
            node_attrs=np.concatenate([arrays.node_attrs for arrays in own]),
            edge_offsets=_offsets(np.concatenate([part.n_edges for part in parts])),
            edges=np.concatenate([arrays.edges for arrays in own]),
            edge_attrs=np.concatenate([arrays.edge_attrs for arrays in own]),
            groups=np.concatenate(groups) if groups else None,
        )
        names = [part.names for part in parts if part.names is not None]
        return cls._from_valid(
            joined,
            directed=parts[0].directed,
            names=tuple(name for part in names for name in part) if len(names) == len(parts) else None,
            schema=reduce(join_schemas, (part.schema for part in parts)),
        )

    def with_names(self, names: Sequence[str] | None) -> "GraphCollection":
        """Return the same graphs under other names, sharing the arrays."""
        return self._with(self._packed, check_names(names, len(self)))

    def with_schema(self, schema: Schema | None) -> "GraphCollection":
        """Return the same graphs with named channels, sharing the arrays; None removes the names.

        Examples
        --------
        >>> import graphquant as gq
        >>> c = gq.GraphCollection([gq.Graph([1.0, 2.0], [(0, 1)])])
        >>> c.with_schema(gq.Schema(node=["x"], edge=["length"])).schema.node
        ('x',)
        """
        if schema is not None:
            schema.check_widths(self.node_attrs.shape[1], self.edge_attrs.shape[1])
        return self._from_valid(self._packed, directed=self._directed, names=self._names, schema=schema)

    def __len__(self) -> int:
        return len(self._packed.node_offsets) - 1

    @overload
    def __getitem__(self, index: int) -> Graph: ...
    @overload
    def __getitem__(self, index: slice | Sequence[int] | AnyArray) -> "GraphCollection": ...
    def __getitem__(self, index: Any) -> "Graph | GraphCollection":
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return self._view(start, max(start, stop))
            # A step beyond the end selects one graph, however long it is; it may not fit int64.
            step = max(-len(self) - 1, min(step, len(self) + 1))
            return self._take(np.arange(start, stop, step, dtype=np.int64))
        if isinstance(index, int | np.integer):
            return self._graph(int(index))
        chosen = chosen_numbers(index, len(self))
        return self._graph(int(chosen)) if chosen.ndim == 0 else self._take(chosen)

    def _graph(self, index: int) -> Graph:
        if not -len(self) <= index < len(self):
            raise IndexError(f"graph {index} of a collection of {len(self)}")
        index %= len(self)
        nodes = slice(self.node_offsets[index], self.node_offsets[index + 1])
        edges = slice(self.edge_offsets[index], self.edge_offsets[index + 1])
        return Graph._from_valid(
            self.node_attrs[nodes],
            self.edges[edges],
            self.edge_attrs[edges],
            None if self.groups is None else self.groups[nodes],
            directed=self._directed,
            schema=self._schema,
        )

    def _view(self, start: int, stop: int) -> "GraphCollection":
        packed = self._packed._replace(
            node_offsets=self.node_offsets[start : stop + 1], edge_offsets=self.edge_offsets[start : stop + 1]
        )
        names = None if self._names is None else self._names[start:stop]
        return self._with(packed, names)

    def _take(self, chosen: IntArray) -> "GraphCollection":
        nodes, node_offsets = flat_rows(self.node_offsets, chosen)
        edges, edge_offsets = flat_rows(self.edge_offsets, chosen)
        packed = PackedArrays(
            node_offsets=node_offsets,
            node_attrs=self.node_attrs[nodes],
            edge_offsets=edge_offsets,
            edges=self.edges[edges],
            edge_attrs=self.edge_attrs[edges],
            groups=None if self.groups is None else self.groups[nodes],
        )
        names = None if self._names is None else tuple(self._names[i] for i in chosen.tolist())
        return self._with(packed, names)

    def __iter__(self) -> Iterator[Graph]:
        return (self._graph(i) for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GraphCollection):
            return NotImplemented
        if len(self) != len(other) or self._directed != other._directed or self._names != other._names:
            return False
        return all(same_array(a, b) for a, b in zip(self._own_part(), other._own_part(), strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (tuple(self._own_part()), self._directed, self._names, self._schema)

    def __repr__(self) -> str:
        if len(self) == 0:
            return "GraphCollection(0 graphs)"
        return (
            f"GraphCollection({plural(len(self), 'graph')}, on average {self.orders.mean():.1f} nodes x "
            f"{plural(self.node_attrs.shape[1], 'attribute')} and {self.n_edges.mean():.1f} edges x "
            f"{plural(self.edge_attrs.shape[1], 'attribute')}{', directed' if self._directed else ''})"
        )


def flat_rows(offsets: IntArray, chosen: IntArray) -> tuple[IntArray, IntArray]:
    """Flat rows of the chosen graphs, in order, and the offsets of the result."""
    starts, counts = offsets[chosen], offsets[chosen + 1] - offsets[chosen]
    new_offsets = _offsets(counts)
    rows = np.arange(new_offsets[-1]) + np.repeat(starts - new_offsets[:-1], counts)
    return rows, new_offsets


def _offsets(counts: Any) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.asarray(counts, dtype=np.int64))]).astype(np.int64)


def chosen_numbers(index: Any, count: int) -> IntArray:
    """Return the numbers, from 0, that a mask or numbers (also negative ones) select of ``count`` graphs."""
    chosen = np.asarray(index)
    if chosen.dtype == np.bool_:
        if chosen.shape != (count,):
            raise IndexError(f"a mask of shape {chosen.shape} for {plural(count, 'graph')}")
        return np.flatnonzero(chosen)
    if chosen.shape == (0,):
        return np.empty(0, dtype=np.int64)
    if chosen.ndim > 1 or chosen.dtype.kind not in "iu":
        raise TypeError(
            f"graphs are selected by a number, a slice, a mask or a list of numbers, "
            f"not by {index!r} of type {type(index).__name__}"
        )
    outside = (chosen < -count) | (chosen >= count)
    if outside.any():
        raise IndexError(f"graph {chosen[outside][0]} of a collection of {count}")
    return chosen.astype(np.int64) % count


def check_names(names: Sequence[str] | None, count: int) -> tuple[str, ...] | None:
    """Copy the names of ``count`` graphs."""
    if names is None:
        return None
    if isinstance(names, str):
        raise InvalidGraphError(f"names={names!r} is one name.", "Give a list, one name for each graph.")
    copied = tuple(str(name) for name in names)
    if len(copied) != count:
        raise InvalidGraphError(
            f"{plural(len(copied), 'name')} for {plural(count, 'graph')}.", "Give one name for each graph."
        )
    return copied


def label_of(names: Sequence[str] | None) -> Callable[[int], str]:
    """Name graphs in messages: ``Graph 17 ('mol_017')``, or ``Graph 17`` without names."""
    return lambda index: f"Graph {index}" if names is None else f"Graph {index} ({names[index]!r})"


def _groups_of(graph: Graph) -> Int32Array:
    assert graph.groups is not None
    return graph.groups


def _check_alike(graph: Graph, first: Graph, label: str) -> None:
    for what, mine, theirs in (
        ("node", graph.node_attrs.shape[1], first.node_attrs.shape[1]),
        ("edge", graph.edge_attrs.shape[1], first.edge_attrs.shape[1]),
    ):
        if mine != theirs:
            raise InvalidGraphError(
                f"{label} has {plural(mine, f'{what} attribute')}, graph 0 has {theirs}.",
                "All graphs of a collection need equal numbers; AttributeEncoder fills missing ones. A graph "
                f"with no {what}s states it by the shape (0, {theirs}) of {what}_attrs.",
            )
    check_same_schema(first.schema, graph.schema, ("graph 0", label[0].lower() + label[1:]))
    check_same_direction(graph.directed, first.directed, label)
    if (graph.groups is None) != (first.groups is None):
        raise InvalidGraphError(
            f"{label} has {'no ' if graph.groups is None else ''}groups, unlike graph 0.",
            "Give groups to all graphs of a collection, or to none.",
        )


def check_same_direction(directed: bool, first: bool, label: str) -> None:
    """Raise if a graph is directed and graph 0 is not, or vice versa."""
    if directed != first:
        kinds = ("undirected", "directed")
        raise InvalidGraphError(
            f"{label} is {kinds[directed]}, graph 0 is {kinds[first]}.",
            "Make all of them directed or all undirected: an undirected edge is two directed ones.",
        )


def _rebuild(
    packed: tuple[Any, ...], directed: bool, names: tuple[str, ...] | None, schema: Schema | None = None
) -> GraphCollection:
    return GraphCollection._from_valid(PackedArrays(*packed), directed=directed, names=names, schema=schema)


__all__ = [
    "GraphCollection",
    "check_names",
    "check_same_direction",
    "chosen_numbers",
    "flat_rows",
    "label_of",
]
