"""Many graphs, packed in flat arrays with offsets: what kernels and files see."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np

from graphquant._typing import AnyArray, FloatArray, Int32Array, IntArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._checks import Label, PackedArrays, check_packed
from graphquant.graphs._graph import Graph, plural, same_array


class GraphCollection(Sequence[Graph]):
    """An immutable sequence of graphs with the same kinds of attributes.

    Parameters
    ----------
    graphs : iterable of Graph
        Graphs with as many node and edge attributes each, all directed or all undirected, all
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

    __slots__ = ("_directed", "_names", "_packed")

    def __init__(self, graphs: Any, names: Sequence[str] | None = None) -> None:
        members = list(graphs)
        if not members:
            raise InvalidGraphError(
                "A collection needs one graph or more, to know its attributes.", "Pass at least one Graph."
            )
        label = _labeller(names)
        for i, graph in enumerate(members):
            if not isinstance(graph, Graph):
                raise InvalidGraphError(
                    f"Item {i} is a {type(graph).__name__}, expected a Graph.",
                    "Convert networkx and PyTorch Geometric graphs with as_collection.",
                )
            _check_alike(graph, members[0], label(i))
        first: Graph = members[0]
        packed = PackedArrays(
            _offsets([graph.order for graph in members]),
            np.concatenate([graph.node_attrs for graph in members]),
            _offsets([graph.n_edges for graph in members]),
            np.concatenate([graph.edges for graph in members]),
            np.concatenate([graph.edge_attrs for graph in members]),
            None if first.groups is None else np.concatenate([_groups_of(graph) for graph in members]),
        )
        self._set(packed, directed=first.directed, names=names)

    def _set(self, packed: PackedArrays, *, directed: bool, names: Sequence[str] | None) -> None:
        n_graphs = len(packed.node_offsets) - 1
        if names is not None:
            names = names if isinstance(names, tuple) else tuple(str(name) for name in names)
            if len(names) != n_graphs:
                raise InvalidGraphError(
                    f"{len(names)} names for {plural(n_graphs, 'graph')}.", "Give one name for each graph."
                )
        for array in packed:
            if array is not None:
                array.setflags(write=False)
        self._packed = packed
        self._directed = directed
        self._names = names

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
    ) -> "GraphCollection":
        """Build a collection from flat arrays, checked like single graphs.

        Examples
        --------
        >>> import graphquant as gq
        >>> gq.GraphCollection.from_arrays([0, 2, 3], [1.0, 2.0, 3.0], [0, 1, 1], [(0, 1)])
        GraphCollection(2 graphs, on average 1.5 nodes x 1 attribute and 0.5 edges x 1 attribute)
        """
        offsets_nodes = _check_offsets(node_offsets, len(node_attrs), "node_offsets")
        offsets_edges = _check_offsets(edge_offsets, len(edges), "edge_offsets")
        if len(offsets_nodes) != len(offsets_edges):
            raise InvalidGraphError(
                f"node_offsets has {len(offsets_nodes)} entries, edge_offsets {len(offsets_edges)}.",
                "Give both one entry more than there are graphs.",
            )
        packed = check_packed(
            offsets_nodes,
            node_attrs,
            offsets_edges,
            edges,
            edge_attrs,
            directed=directed,
            groups=groups,
            label=_labeller(names),
        )
        return cls._from_valid(packed, directed=directed, names=names)

    @classmethod
    def _from_valid(
        cls, packed: PackedArrays, *, directed: bool, names: Sequence[str] | None
    ) -> "GraphCollection":
        collection = cls.__new__(cls)
        collection._set(packed, directed=bool(directed), names=names)
        return collection

    @property
    def node_offsets(self) -> IntArray:
        """First node of each graph in ``node_attrs``, shape (n_graphs + 1,)."""
        return self._packed.node_offsets

    @property
    def node_attrs(self) -> FloatArray:
        """Attribute vectors of all nodes; a view may see more than its own."""
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
        """How messages call a graph: ``Graph 17 ('mol_017')``."""
        return _labeller(self._names)(index)

    def packed(self) -> "GraphCollection":
        """Return the same graphs in arrays that hold nothing else, offsets from zero."""
        nodes = slice(self.node_offsets[0], self.node_offsets[-1])
        edges = slice(self.edge_offsets[0], self.edge_offsets[-1])
        if nodes == slice(0, len(self.node_attrs)) and edges == slice(0, len(self.edges)):
            return self
        return self[np.arange(len(self))]

    def with_names(self, names: Sequence[str] | None) -> "GraphCollection":
        """Return the same graphs under other names, sharing the arrays."""
        return self._from_valid(self._packed, directed=self._directed, names=names)

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
            return self._take(np.arange(start, stop, step))
        if isinstance(index, int | np.integer):
            return self._graph(int(index))
        chosen = np.asarray(index)
        if chosen.dtype == np.bool_:
            if chosen.shape != (len(self),):
                raise IndexError(f"a mask of {chosen.shape} for {plural(len(self), 'graph')}")
            return self._take(np.flatnonzero(chosen))
        return self._take(chosen.astype(np.int64).reshape(-1) if chosen.size else np.empty(0, dtype=np.int64))

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
        )

    def _view(self, start: int, stop: int) -> "GraphCollection":
        packed = self._packed._replace(
            node_offsets=self.node_offsets[start : stop + 1], edge_offsets=self.edge_offsets[start : stop + 1]
        )
        names = None if self._names is None else self._names[start:stop]
        return self._from_valid(packed, directed=self._directed, names=names)

    def _take(self, chosen: IntArray) -> "GraphCollection":
        if chosen.size and (chosen.min() < -len(self) or chosen.max() >= len(self)):
            raise IndexError(f"graph {chosen.max()} of a collection of {len(self)}")
        chosen = chosen % len(self) if chosen.size else chosen
        nodes, node_offsets = flat_rows(self.node_offsets, chosen)
        edges, edge_offsets = flat_rows(self.edge_offsets, chosen)
        packed = PackedArrays(
            node_offsets,
            self.node_attrs[nodes],
            edge_offsets,
            self.edges[edges],
            self.edge_attrs[edges],
            None if self.groups is None else self.groups[nodes],
        )
        names = None if self._names is None else tuple(self._names[i] for i in chosen)
        return self._from_valid(packed, directed=self._directed, names=names)

    def __iter__(self) -> Iterator[Graph]:
        return (self._graph(i) for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GraphCollection):
            return NotImplemented
        if len(self) != len(other) or self._directed != other._directed or self._names != other._names:
            return False
        mine, theirs = self.packed()._packed, other.packed()._packed
        return all(same_array(a, b) for a, b in zip(mine, theirs, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        whole = self.packed()
        return _rebuild, (tuple(whole._packed), self._directed, self._names)

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


def _labeller(names: Sequence[str] | None) -> Label:
    def label(index: int) -> str:
        if names is None or index >= len(names):
            return f"Graph {index}"
        return f"Graph {index} ({names[index]!r})"

    return label


def _groups_of(graph: Graph) -> Int32Array:
    assert graph.groups is not None
    return graph.groups


def _check_alike(graph: Graph, first: Graph, label: str) -> None:
    for what, mine, theirs in (
        ("node attributes", graph.node_attrs.shape[1], first.node_attrs.shape[1]),
        ("edge attributes", graph.edge_attrs.shape[1], first.edge_attrs.shape[1]),
    ):
        if mine != theirs:
            raise InvalidGraphError(
                f"{label} has {mine} {what}, graph 0 has {theirs}.",
                "All graphs of a collection have the same attributes; AttributeEncoder fills missing ones.",
            )
    if graph.directed != first.directed:
        kinds = ("undirected", "directed")
        raise InvalidGraphError(
            f"{label} is {kinds[graph.directed]}, graph 0 is {kinds[first.directed]}.",
            "Make all of them one kind: an undirected edge is two directed ones.",
        )
    if (graph.groups is None) != (first.groups is None):
        raise InvalidGraphError(
            f"{label} has {'no ' if graph.groups is None else ''}groups, unlike graph 0.",
            "Give groups to all graphs of a collection or to none.",
        )


def _check_offsets(offsets: Any, total: int, name: str) -> IntArray:
    array = np.ascontiguousarray(offsets, dtype=np.int64)
    if array.ndim != 1 or len(array) < 1 or array[0] != 0 or array[-1] != total or (np.diff(array) < 0).any():
        raise InvalidGraphError(
            f"{name} must rise from 0 to {total}, the number of rows.",
            "Give the first row of each graph, and the number of all rows at the end.",
        )
    return array


def _rebuild(packed: tuple[Any, ...], directed: bool, names: tuple[str, ...] | None) -> GraphCollection:
    return GraphCollection._from_valid(PackedArrays(*packed), directed=directed, names=names)


__all__ = ["GraphCollection", "flat_rows"]
