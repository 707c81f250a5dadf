"""One attributed graph: immutable, validated, float64."""

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._equality import same_array
from graphquant._typing import FloatArray, Int32Array, IntArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._schema import Schema
from graphquant.graphs._structures import (
    Parts,
    check_layers,
    hypergraph_parts,
    join_layers,
    points_parts,
    sequence_parts,
    tree_parts,
)
from graphquant.graphs.checks import Labels, canonical_edges, check_packed, plural

if TYPE_CHECKING:
    import networkx as nx


class Graph:
    """An attributed graph: nodes with vectors, edges with vectors, zero where there is no edge.

    Parameters
    ----------
    node_attrs : array-like of shape (n, p)
        Attribute vector of each node, ``p >= 1``. Without attributes, give a column of ones.
    edges : array-like of int of shape (m, 2)
        Node pairs. An undirected edge is given once, in either direction. No self-loops.
    edge_attrs : array-like of shape (m, q), optional
        Attribute vector of each edge. By default one channel of ones.
    directed : bool, default=False
        Whether an edge goes from its first node to its second only.
    groups : array-like of int of shape (n,), optional
        Class of each node. A match maps nodes to nodes of the same class only.

    Notes
    -----
    Edges are kept sorted (undirected ones as smaller, larger node), so two graphs with the same
    content are equal regardless of the order in which their edges were given. Equality ignores the schema,
    which says what the channels mean.

    Examples
    --------
    >>> import graphquant as gq
    >>> x = gq.Graph([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]], [(0, 1), (2, 1)])
    >>> x
    Graph(3 nodes x 2 attributes, 2 edges x 1 attribute)
    >>> x.edges.tolist()
    [[0, 1], [1, 2]]
    """

    __slots__ = ("_directed", "_edge_attrs", "_edges", "_groups", "_node_attrs", "_schema")

    def __init__(
        self,
        node_attrs: Any,
        edges: Any = (),
        edge_attrs: Any = None,
        *,
        directed: bool = False,
        groups: Any = None,
    ) -> None:
        self._check_and_set(node_attrs, edges, edge_attrs, directed=directed, groups=groups, label="Graph")

    @classmethod
    def _labelled(
        cls, label: str, node_attrs: Any, edges: Any, edge_attrs: Any, *, directed: bool, groups: Any = None
    ) -> "Graph":
        """Build a graph that errors call ``label``."""
        graph = cls.__new__(cls)
        graph._check_and_set(node_attrs, edges, edge_attrs, directed=directed, groups=groups, label=label)
        return graph

    def _check_and_set(
        self, node_attrs: Any, edges: Any, edge_attrs: Any, *, directed: bool, groups: Any, label: str
    ) -> None:
        packed = check_packed(
            None,
            node_attrs,
            None,
            edges,
            edge_attrs,
            directed=directed,
            groups=groups,
            labels=Labels(label, lambda _: label),
        )
        self._set(
            packed.node_attrs,
            packed.edges,
            packed.edge_attrs,
            packed.groups,
            directed=bool(directed),
            schema=None,
        )

    def _set(
        self,
        node_attrs: FloatArray,
        edges: Int32Array,
        edge_attrs: FloatArray,
        groups: Int32Array | None,
        *,
        directed: bool,
        schema: Schema | None,
    ) -> None:
        for array in (node_attrs, edges, edge_attrs, groups):
            if array is not None:
                array.setflags(write=False)
        self._node_attrs = node_attrs
        self._edges = edges
        self._edge_attrs = edge_attrs
        self._groups = groups
        self._directed = directed
        self._schema = schema

    @classmethod
    def _from_valid(
        cls,
        node_attrs: FloatArray,
        edges: Int32Array,
        edge_attrs: FloatArray,
        groups: Int32Array | None,
        *,
        directed: bool,
        schema: Schema | None,
    ) -> "Graph":
        """Wrap arrays that are known to be valid and in canonical order, without copying."""
        graph = cls.__new__(cls)
        graph._set(node_attrs, edges, edge_attrs, groups, directed=directed, schema=schema)
        return graph

    @property
    def order(self) -> int:
        """Number of nodes."""
        return len(self._node_attrs)

    @property
    def n_edges(self) -> int:
        """Number of edges; an undirected edge counts once."""
        return len(self._edges)

    @property
    def node_attrs(self) -> FloatArray:
        """Attribute vectors of the nodes, shape (n, p), read-only."""
        return self._node_attrs

    @property
    def edges(self) -> Int32Array:
        """Node pairs in canonical order, shape (m, 2), read-only."""
        return self._edges

    @property
    def edge_attrs(self) -> FloatArray:
        """Attribute vectors of the edges, shape (m, q), read-only."""
        return self._edge_attrs

    @property
    def directed(self) -> bool:
        """Whether edges are one-way."""
        return self._directed

    @property
    def groups(self) -> Int32Array | None:
        """Class of each node, or None if any node may be matched with any other."""
        return self._groups

    @property
    def schema(self) -> Schema | None:
        """What the channels mean; None for vectors made by hand."""
        return self._schema

    def with_schema(self, schema: Schema | None) -> "Graph":
        """Return the same graph with named channels, sharing the arrays."""
        if schema is not None:
            schema.check_widths(self._node_attrs.shape[1], self._edge_attrs.shape[1])
        return Graph._from_valid(
            self._node_attrs,
            self._edges,
            self._edge_attrs,
            self._groups,
            directed=self._directed,
            schema=schema,
        )

    def permute(self, perm: Sequence[int] | Int32Array) -> "Graph":
        """Renumber the nodes: node i of the result is node ``perm[i]`` of this graph.

        Examples
        --------
        >>> import graphquant as gq
        >>> gq.Graph([1.0, 2.0, 3.0], [(0, 1)]).permute([2, 0, 1]).edges.tolist()
        [[1, 2]]
        """
        permutation = np.asarray(perm)
        if permutation.shape != (self.order,):
            raise InvalidGraphError(
                f"perm has shape {permutation.shape} for {plural(self.order, 'node')}.",
                "Give each node number exactly once.",
            )
        return self.induced(permutation)

    def induced(self, nodes: Sequence[int] | Int32Array) -> "Graph":
        """Subgraph on the given nodes, in the given order, with all edges between them.

        Examples
        --------
        >>> import graphquant as gq
        >>> gq.Graph([1.0, 2.0, 3.0], [(0, 1), (1, 2)]).induced([2, 1])
        Graph(2 nodes x 1 attribute, 1 edge x 1 attribute)
        """
        kept = _check_nodes(nodes, self.order)
        position = np.full(self.order, -1, dtype=np.int32)
        position[kept] = np.arange(len(kept), dtype=np.int32)
        renumbered = position[self._edges]
        inside = (renumbered >= 0).all(axis=1)
        edge_attrs = self._edge_attrs[inside]
        edges, order = canonical_edges(
            renumbered[inside], np.array([0, len(edge_attrs)]), directed=self._directed
        )
        return Graph._from_valid(
            self._node_attrs[kept],
            edges,
            edge_attrs if order is None else edge_attrs[order],
            None if self._groups is None else self._groups[kept],
            directed=self._directed,
            schema=self._schema,
        )

    def to_networkx(
        self, node_attrs: Sequence[str] | None = None, edge_attrs: Sequence[str] | None = None
    ) -> "nx.Graph[int] | nx.DiGraph[int]":
        """Convert to a networkx graph with its own attributes; see :func:`graphquant.to_networkx`."""
        from graphquant.graphs._networkx import to_networkx

        return to_networkx(self, node_attrs, edge_attrs)

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        node_attrs: Sequence[str] | None = None,
        edge_attrs: Sequence[str] | None = None,
        *,
        groups: str | None = None,
    ) -> "Graph":
        """Convert a networkx graph; see :func:`graphquant.from_networkx`."""
        from graphquant.graphs._networkx import from_networkx

        return from_networkx(graph, node_attrs, edge_attrs, groups=groups)

    @classmethod
    def from_points(cls, points: Any, attrs: Any = None, *, presence: float = 1.0) -> "Graph":
        """Make a point pattern: nodes with positions, and no edges.

        A match of two point patterns is a best assignment of points to points.

        Parameters
        ----------
        points : array-like of shape (n, d)
            Position of each point.
        attrs : array-like of shape (n, p), optional
            More attributes of each point.
        presence : float, default=1.0
            Value of one more channel, which says that a point is there: without it, a point at the origin
            is all zeros, and zero means no node. 0 omits the channel.

        Examples
        --------
        >>> import graphquant as gq
        >>> seen = gq.Graph.from_points([[0.0, 0.0], [3.0, 4.0]])
        >>> seen
        Graph(2 nodes x 3 attributes, 0 edges x 1 attribute)
        >>> gq.distance(seen, gq.Graph.from_points([[3.0, 4.0]]))
        1.0
        """
        return cls._from_parts(points_parts(points, attrs, presence))

    @classmethod
    def from_sequence(cls, values: Any, *, presence: float = 0.0) -> "Graph":
        """Make a sequence: nodes in an order that no match may change, and no edges.

        Each node is a class of its own, so step i is compared with step i alone: the distance of two
        sequences is that of two vectors, and learning is plain vector quantization. Shorter sequences end in
        zeros.

        Parameters
        ----------
        values : array-like of shape (n,) or (n, p)
            One value, or one vector, for each step.
        presence : float, default=0.0
            Value of one more channel, which distinguishes a step of zeros from the time after the end; for
            sequences of different lengths. 0 omits the channel.

        Examples
        --------
        >>> import graphquant as gq
        >>> gq.distance(gq.Graph.from_sequence([0.0, 3.0, 0.0]), gq.Graph.from_sequence([4.0, 0.0]))
        5.0
        """
        return cls._from_parts(sequence_parts(values, presence))

    @classmethod
    def from_tree(cls, parents: Any, node_attrs: Any = None, edge_attrs: Any = None) -> "Graph":
        """Make a rooted tree, whose nodes are only matched with nodes of the same level.

        Parameters
        ----------
        parents : sequence of int or None, length n
            Number of the parent of each node; None (or -1) for the root.
        node_attrs : array-like of shape (n, p), optional
            Attributes of the nodes. By default one channel of ones.
        edge_attrs : array-like of shape (n - 1, q), optional
            Attributes of the edge from each node but the root to its parent, in the order of the nodes.
            By default one channel of ones.

        Notes
        -----
        The levels are the classes of the nodes (``groups``), so a graph space has as many positions on each
        level as the largest tree has there. Edges are undirected: the levels say which end is the parent.

        Examples
        --------
        >>> import graphquant as gq
        >>> tree = gq.Graph.from_tree([None, 0, 0, 1], [[1.0], [2.0], [3.0], [4.0]])
        >>> tree.groups.tolist(), tree.edges.tolist()
        ([0, 1, 1, 2], [[0, 1], [0, 2], [1, 3]])
        """
        return cls._from_parts(tree_parts(parents, node_attrs, edge_attrs))

    @classmethod
    def from_hypergraph(cls, node_attrs: Any, hyperedges: Any, hyperedge_attrs: Any = None) -> "Graph":
        """Make a hypergraph: nodes, and hyperedges that join any number of them.

        Parameters
        ----------
        node_attrs : array-like of shape (n, p)
            Attributes of the nodes. Without attributes, give a column of ones.
        hyperedges : sequence of m sequences of int
            The nodes of each hyperedge.
        hyperedge_attrs : array-like of shape (m, r), optional
            Attributes of the hyperedges. By default one channel of ones.

        Notes
        -----
        Hyperedges become the nodes n to n + m - 1, of a class of their own, with an edge to each of their
        members. They have their own channels, after those of the nodes; a match maps nodes to nodes and
        hyperedges to hyperedges.

        Examples
        --------
        Three people who met together, and the same three who met two at a time:

        >>> import graphquant as gq
        >>> together = gq.Graph.from_hypergraph([1.0, 1.0, 1.0], [[0, 1, 2]])
        >>> in_pairs = gq.Graph.from_hypergraph([1.0, 1.0, 1.0], [[0, 1], [0, 2], [1, 2]])
        >>> together
        Graph(4 nodes x 2 attributes, 3 edges x 1 attribute, 2 groups)
        >>> round(gq.distance(together, in_pairs) ** 2)
        12
        """
        return cls._from_parts(hypergraph_parts(node_attrs, hyperedges, hyperedge_attrs))

    @classmethod
    def from_layers(
        cls, node_attrs: Any, layers: Any, weights: Any = None, *, directed: bool = False
    ) -> "Graph":
        """Make a multiplex graph: one set of nodes, and several kinds of edges between them.

        Parameters
        ----------
        node_attrs : array-like of shape (n, p)
            Attributes of the nodes. Without attributes, give a column of ones.
        layers : sequence of array-likes of int of shape (m_i, 2)
            The edges of each layer. All graphs of a collection need the same layers in the same order; a
            layer may be empty.
        weights : sequence of array-likes of shape (m_i,), optional
            A number for each edge of each layer. By default ones.
        directed : bool, default=False
            Whether an edge goes from its first node to its second only.

        Notes
        -----
        Each layer is a channel of the edges; two nodes that are joined in any layer have one edge.

        Examples
        --------
        >>> import graphquant as gq
        >>> x = gq.Graph.from_layers([1.0, 1.0, 1.0], [[(0, 1)], [(0, 1), (1, 2)]])
        >>> x.edges.tolist(), x.edge_attrs.tolist()
        ([[0, 1], [1, 2]], [[1.0, 1.0], [0.0, 1.0]])
        """
        found = []
        for i, (edges, own) in enumerate(check_layers(layers, weights)):
            layer = cls._labelled(f"Layer {i}", node_attrs, edges, own, directed=directed)
            found.append((layer.edges, layer.edge_attrs))
        return cls(node_attrs, *join_layers(found), directed=directed)

    @classmethod
    def _from_parts(cls, parts: Parts) -> "Graph":
        return cls(parts.node_attrs, parts.edges, parts.edge_attrs, groups=parts.groups)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            self._directed == other._directed
            and np.array_equal(self._node_attrs, other._node_attrs)
            and np.array_equal(self._edges, other._edges)
            and np.array_equal(self._edge_attrs, other._edge_attrs)
            and same_array(self._groups, other._groups)
        )

    def __hash__(self) -> int:
        # Adding 0.0 makes -0.0 and 0.0, which are equal, hash the same.
        return hash((self._directed, (self._node_attrs + 0.0).tobytes(), self._edges.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = (self._node_attrs, self._edges, self._edge_attrs, self._groups)
        return _rebuild, (*arrays, self._directed, self._schema)

    def __repr__(self) -> str:
        groups = "" if self._groups is None else f", {plural(len(np.unique(self._groups)), 'group')}"
        return (
            f"Graph({plural(self.order, 'node')} x {plural(self._node_attrs.shape[1], 'attribute')}, "
            f"{plural(self.n_edges, 'edge')} x {plural(self._edge_attrs.shape[1], 'attribute')}"
            f"{', directed' if self._directed else ''}{groups})"
        )

    def _repr_html_(self) -> str:
        """Return a drawing, for notebooks."""
        # Drawings belong to a higher layer, which is loaded only when a notebook asks for one.
        drawing: str = importlib.import_module("graphquant.plotting").graph_svg(self)
        return drawing


def _check_nodes(nodes: Any, order: int) -> IntArray:
    """Node numbers, each at most once."""
    chosen = np.asarray(nodes)
    if chosen.shape == (0,):
        return np.empty(0, dtype=np.int64)
    if (
        chosen.ndim != 1
        or chosen.dtype.kind not in "iu"
        or ((chosen < 0) | (chosen >= order)).any()
        or len(set(chosen.tolist())) != len(chosen)
    ):
        raise InvalidGraphError(
            f"{chosen.tolist()!r} are not distinct node numbers of a graph with {plural(order, 'node')}.",
            "Give each node at most once, as a whole number from 0 (a mask: numpy.flatnonzero(mask)).",
        )
    return chosen.astype(np.int64)


def _rebuild(
    node_attrs: FloatArray,
    edges: Int32Array,
    edge_attrs: FloatArray,
    groups: Int32Array | None,
    directed: bool,
    schema: Schema | None = None,
) -> Graph:
    return Graph._from_valid(node_attrs, edges, edge_attrs, groups, directed=directed, schema=schema)


__all__ = ["Graph"]
