"""The matrix representation of the paper: graphs as points of a Euclidean space, and back.

A graph of order n is an array of node vectors and an array of pair vectors, zero where there is no node
or no edge. An undirected edge is stored at both (i, j) and (j, i), so that the Euclidean distance of two
representations counts each undirected edge twice, as the paper does.
"""

from typing import NamedTuple

import numpy as np

from graphquant._typing import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._graph import Graph
from graphquant.graphs._schema import Schema
from graphquant.graphs.checks import plural


class Dense(NamedTuple):
    """A point of the graph space of order n.

    Attributes
    ----------
    nodes : ndarray of shape (n, p)
    pairs : ndarray of shape (n, n, q)
        With a zero diagonal; symmetric if the graph is undirected.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.graphs.to_dense(gq.Graph([1.0, 2.0], [(0, 1)])).pairs.shape
    (2, 2, 1)
    """

    nodes: FloatArray
    pairs: FloatArray


def to_dense(graph: Graph, order: int | None = None) -> Dense:
    """Return the representation of a graph, padded with zero nodes up to ``order``.

    Parameters
    ----------
    graph : Graph
    order : int, optional
        Order of the graph space; by default that of the graph.

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.graphs import to_dense
    >>> nodes, pairs = to_dense(gq.Graph([1.0, 2.0], [(0, 1)]), order=3)
    >>> nodes[:, 0].tolist(), pairs[:, :, 0].tolist()
    ([1.0, 2.0, 0.0], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    """
    return lift(graph, np.arange(graph.order), graph.order if order is None else order)


def lift(graph: Graph, mapping: AnyArray, order: int) -> Dense:
    """Return the representation of a graph with its nodes placed at the mapped positions.

    Parameters
    ----------
    graph : Graph
    mapping : array of int of shape (graph.order,)
        A position from 0 to ``order - 1`` for each node, all different.
    order : int
        Order of the graph space.

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.graphs import lift
    >>> lift(gq.Graph([1.0, 2.0]), [2, 0], order=3).nodes[:, 0].tolist()
    [2.0, 0.0, 1.0]
    """
    positions = _check_positions(mapping, graph.order, order)
    nodes = np.zeros((order, graph.node_attrs.shape[1]))
    pairs = np.zeros((order, order, graph.edge_attrs.shape[1]))
    nodes[positions] = graph.node_attrs
    start, end = positions[graph.edges].T
    pairs[start, end] = graph.edge_attrs
    if not graph.directed:
        pairs[end, start] = graph.edge_attrs
    return Dense(nodes, pairs)


def from_dense(
    nodes: FloatArray,
    pairs: FloatArray,
    directed: bool,
    groups: Int32Array | None = None,
    *,
    trim: bool = True,
    schema: Schema | None = None,
) -> Graph:
    """Return the graph of a representation, without zero edges and without zero nodes at the end.

    Parameters
    ----------
    nodes : array of shape (n, p)
    pairs : array of shape (n, n, q)
        Only the upper triangle is read if the graph is undirected.
    directed : bool
    groups : array of int of shape (n,), optional
        Class of each position.
    trim : bool, default=True
        Whether to leave out zero nodes at the end.
    schema : Schema, optional
        What the channels mean.

    Returns
    -------
    Graph
        Positions keep their numbers. Zero nodes (no attribute, no edge) at the end are left out: a match
        gives them the same numbers again. It counts zero nodes class by class, so with groups only
        those at the end whose classes ascend are left out.

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.graphs import from_dense, to_dense
    >>> x = gq.Graph([1.0, 2.0], [(0, 1)])
    >>> from_dense(*to_dense(x, order=5), directed=False) == x
    True
    """
    if groups is not None and len(groups) != len(nodes):
        raise InvalidGraphError(
            f"{len(groups)} classes for {plural(len(nodes), 'position')}.",
            "Give one class for each position.",
        )
    present = pairs.any(axis=2)
    if not directed:
        present = np.triu(present, k=1)
    # Row by row: the canonical order of edges.
    start, end = np.nonzero(present)
    kept = len(nodes)
    if trim:
        zero: BoolArray = np.logical_not(nodes.any(axis=1))
        zero[start] = zero[end] = False
        kept -= _droppable(zero, groups)
    return Graph._from_valid(
        nodes[:kept].copy(),
        np.column_stack([start, end]).astype(np.int32),
        pairs[start, end],
        None if groups is None else groups[:kept].copy(),
        directed=directed,
        schema=schema,
    )


def _droppable(zero: BoolArray, groups: Int32Array | None) -> int:
    """Return how many zero nodes at the end a match would number in the same way."""
    count = 0
    while count < len(zero) and zero[-1 - count]:
        if groups is not None and count and groups[-1 - count] > groups[-count]:
            break
        count += 1
    return count


def _check_positions(mapping: AnyArray, n_nodes: int, order: int) -> IntArray:
    positions: IntArray = np.asarray(mapping, dtype=np.int64)
    inside = positions.shape == (n_nodes,) and ((positions >= 0) & (positions < order)).all()
    if not inside or len(np.unique(positions)) != n_nodes:
        raise InvalidGraphError(
            f"{positions.tolist()} does not place {plural(n_nodes, 'node')} on {plural(order, 'position')}.",
            f"Give a different position from 0 to {order - 1} for each node.",
        )
    return positions


def position_groups(capacity: AnyArray) -> Int32Array:
    """Return the class of each position: ``capacity[g]`` positions of class g, class by class."""
    return np.repeat(np.arange(len(capacity), dtype=np.int32), capacity)


__all__ = ["Dense", "from_dense", "lift", "position_groups", "to_dense"]
