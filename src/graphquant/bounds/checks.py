"""Which graphs may meet, and the positions of the space in which they do."""

from typing import Any

import numpy as np

from graphquant._typing import IntArray
from graphquant._validation import check_positive_int
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection, check_same_schema

# Squares of larger or smaller numbers leave the range of float64.
_LARGEST, _SMALLEST = 1e100, 1e-100


def check_comparable(X: GraphCollection, Y: GraphCollection) -> None:
    """Refuse collections whose graphs have different kinds of attributes, or vectors of other meaning."""
    check_same_schema(X.schema, Y.schema)
    for what, a, b in (
        ("node attributes", X.node_attrs.shape[1], Y.node_attrs.shape[1]),
        ("edge attributes", X.edge_attrs.shape[1], Y.edge_attrs.shape[1]),
    ):
        if a != b:
            raise InvalidGraphError(
                f"One side has {a} {what}, the other {b}.", "Encode both with the same AttributeEncoder."
            )
    if X.directed != Y.directed:
        raise InvalidGraphError(
            "One side is directed, the other is not.",
            "Make both one kind: an undirected edge is two directed ones.",
        )


def check_pairs(pairs: Any, n_left: int, n_right: int) -> IntArray:
    """Return pairs of graph numbers as an array of shape (m, 2), refusing graphs that are not there."""
    numbers = np.ascontiguousarray(pairs, dtype=np.int64).reshape(-1, 2)
    wrong = np.flatnonzero(((numbers < 0) | (numbers >= (n_left, n_right))).any(axis=1))
    if len(wrong):
        i, j = numbers[wrong[0]]
        raise InvalidParameterError(
            f"pair {wrong[0]} is graphs {i} and {j}, but there are {n_left} and {n_right} graphs.",
            "Count graphs from 0.",
        )
    return numbers


def check_range(graphs: GraphCollection) -> None:
    """Refuse graphs in packed arrays whose attributes cannot be squared."""
    for what, attrs in (("node", graphs.node_attrs), ("edge", graphs.edge_attrs)):
        largest = max(float(attrs.max(initial=0.0)), -float(attrs.min(initial=0.0)))
        if largest > _LARGEST or 0.0 < largest < _SMALLEST:
            raise InvalidGraphError(
                f"The largest {what} attribute is {largest:g}: its square leaves the range of float64.",
                "Scale the attributes, for example with AttributeEncoder(scale='std').",
            )


def class_capacity(*collections: GraphCollection, order: int | None = None) -> IntArray:
    """Positions of each node class: the most that any graph has; ``order`` if there are no groups.

    Without an order there is room for the nodes of two graphs side by side where vectors need it.
    """
    if order is not None:
        check_positive_int("order", order)
    room = 2 if order is None and needs_zero_nodes(*collections) else 1
    if all(graphs.groups is None for graphs in collections):
        largest = max((graphs.max_order for graphs in collections), default=0)
        return np.array([max(room * largest, order or 0)], dtype=np.int64)
    if order is not None:
        raise InvalidGraphError(
            f"order={order} has no meaning for graphs with groups: each class has its own positions.",
            "Leave order out; it is taken from the graphs.",
        )
    if any(graphs.groups is None for graphs in collections):
        raise InvalidGraphError(
            "Some graphs have groups and some have none.", "Give groups to all of them, or to none."
        )
    n_classes = 1 + max(
        int(graphs.groups.max(initial=0)) for graphs in collections if graphs.groups is not None
    )
    capacity = np.zeros(n_classes, dtype=np.int64)
    for graphs in collections:
        for graph in graphs:
            assert graph.groups is not None
            capacity = np.maximum(capacity, np.bincount(graph.groups, minlength=n_classes))
    return room * capacity


def needs_zero_nodes(*collections: GraphCollection) -> bool:
    """Whether a node may be nearer to nothing than to any node, and distances are to allow for it."""
    return any(graphs.schema is not None and graphs.schema.needs_zero_nodes for graphs in collections)


__all__ = ["check_comparable", "check_pairs", "check_range", "class_capacity", "needs_zero_nodes"]
