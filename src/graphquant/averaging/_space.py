"""Averages in a fixed graph space: its positions, and the mean of graphs placed on them."""

from dataclasses import dataclass

import numpy as np

from graphquant._typing import Int32Array, IntArray
from graphquant.bounds import class_capacity
from graphquant.graphs import Dense, Graph, GraphCollection, Schema, from_dense, position_groups


@dataclass(frozen=True)
class Space:
    """The positions that graphs of a collection are aligned on.

    With groups, class g has as many positions as the largest graph has nodes in it, class by class.
    """

    order: int
    groups: Int32Array | None  # (order,)
    directed: bool
    schema: Schema | None = None

    @classmethod
    def of(cls, X: GraphCollection, order: int | None) -> "Space":
        """Return the space of a collection, of at least the given order."""
        capacity = class_capacity(X, order=order)
        groups = None if X.groups is None else position_groups(capacity)
        return cls(int(capacity.sum()), groups, X.directed, X.schema)

    @property
    def match_order(self) -> int | None:
        """The order to match in; None with groups, where :meth:`target` has all positions, or no node."""
        return self.order or None if self.groups is None else None

    def first_mapping(self, graph: Graph) -> IntArray:
        """Place the nodes of a graph on the first positions of their classes."""
        if self.groups is None or graph.groups is None:
            return np.arange(graph.order)
        by_class = np.argsort(graph.groups, kind="stable")
        classes = graph.groups[by_class]
        rank = np.arange(graph.order) - np.searchsorted(classes, classes)
        mapping = np.empty(graph.order, dtype=np.int64)
        mapping[by_class] = np.searchsorted(self.groups, classes) + rank
        return mapping

    def target(self, point: Dense) -> Graph:
        """Return the graph to match with, whose nodes and zero nodes are numbered like the positions."""
        # A match takes the positions of a class from the two graphs: with groups, omit none.
        return from_dense(*point, self.directed, self.groups, trim=self.groups is None, schema=self.schema)

    def average(self, X: GraphCollection, mappings: IntArray) -> Dense:
        """Return the mean of the lifts of all graphs; row i of ``mappings`` places graph i."""
        X = X.packed()
        rank = np.arange(len(X.node_attrs)) - np.repeat(X.node_offsets[:-1], X.orders)
        positions = mappings[np.repeat(np.arange(len(X)), X.orders), rank]
        ends = X.edges + np.repeat(X.node_offsets[:-1], X.n_edges)[:, None]
        start, end = positions[ends].T
        nodes = np.zeros((self.order, X.node_attrs.shape[1]))
        pairs = np.zeros((self.order, self.order, X.edge_attrs.shape[1]))
        np.add.at(nodes, positions, X.node_attrs)
        np.add.at(pairs, (start, end), X.edge_attrs)
        if not self.directed:
            # An alignment may reverse an edge: both halves of the matrix are the sum of both.
            pairs += pairs.transpose(1, 0, 2).copy()
        return Dense(nodes / len(X), pairs / len(X))

    def tidy(self, point: Dense, mappings: IntArray) -> tuple[Graph, IntArray]:
        """Move zero nodes to the end, class by class, and drop them; renumber the mappings."""
        zero = ~(point.nodes.any(axis=1) | point.pairs.any(axis=(1, 2)) | point.pairs.any(axis=(0, 2)))
        classes = np.zeros(self.order, dtype=np.int32) if self.groups is None else self.groups
        kept_order = np.lexsort((np.where(zero, classes, 0), zero))
        new_position = np.empty(self.order + 1, dtype=np.int64)
        new_position[kept_order] = np.arange(self.order)
        new_position[-1] = -1  # rows of mappings are padded with -1
        graph = from_dense(
            point.nodes[kept_order],
            point.pairs[np.ix_(kept_order, kept_order)],
            self.directed,
            None if self.groups is None else self.groups[kept_order],
            schema=self.schema,
        )
        return graph, new_position[mappings]


__all__ = ["Space"]
