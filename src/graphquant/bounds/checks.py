"""Which graphs can be compared, and the positions of their common graph space."""

from typing import Any

import numpy as np

from graphquant._typing import IntArray
from graphquant._validation import check_positive_int
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection, check_same_schema

# Squares of larger or smaller numbers leave the range of float64.
_LARGEST, _SMALLEST = 1e100, 1e-100
# Classes of nodes that may be there whatever the number of nodes; a gap takes a little memory.
_CLASSES = 2**16
# Positions of a space; code graphs have an entry for each pair of them.
_MOST_POSITIONS = 2**20


def check_comparable(X: GraphCollection, Y: GraphCollection) -> None:
    """Refuse collections whose graphs have different kinds of attributes, or vectors with another meaning."""
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
            "Make both directed or both undirected: an undirected edge is two directed ones.",
        )


def check_pairs(pairs: Any, n_left: int, n_right: int) -> IntArray:
    """Return pairs of graph numbers as an array of shape (m, 2), refusing graphs that are not there."""
    given = np.asarray(pairs)
    if given.size == 0:
        return np.zeros((0, 2), dtype=np.int64)
    if given.dtype.kind not in "iu" or given.ndim not in (1, 2) or given.shape[-1] != 2:
        raise InvalidParameterError(
            f"pairs have shape {given.shape} and type {given.dtype}.",
            "Give two whole numbers of graphs for each pair.",
        )
    numbers = np.array(given, dtype=np.int64, order="C").reshape(-1, 2)
    wrong = np.flatnonzero(((numbers < 0) | (numbers >= (n_left, n_right))).any(axis=1))
    if len(wrong):
        i, j = numbers[wrong[0]]
        raise InvalidParameterError(
            f"pair {wrong[0]} names graphs {i} and {j}, but there are {n_left} and {n_right} graphs.",
            "Graph indices start at 0.",
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


def check_order(order: Any) -> int:
    """Return the number of positions of a space, refusing what no machine has the memory for."""
    if check_positive_int("order", order) > _MOST_POSITIONS:
        raise InvalidParameterError(
            f"order={order} is more than {_MOST_POSITIONS} positions: no machine has the memory.",
            "Leave order out: it is that of the largest graph.",
        )
    return int(order)


def class_capacity(*collections: GraphCollection, order: int | None = None) -> IntArray:
    """Positions of each node class: the most that any graph has; ``order`` if there are no groups.

    Without an order there is room for the nodes of two graphs side by side where vectors need it.
    """
    if order is not None:
        check_order(order)
    room = 2 if order is None and needs_zero_nodes(*collections) else 1
    if all(graphs.groups is None for graphs in collections):
        largest = max((graphs.max_order for graphs in collections), default=0)
        return np.array([max(room * largest, order or 0)], dtype=np.int64)
    if order is not None:
        raise InvalidGraphError(
            f"order={order} does not apply to graphs with groups: each class has its own positions.",
            "Omit order; it follows from the graphs.",
        )
    if any(graphs.groups is None for graphs in collections):
        raise InvalidGraphError(
            "Some graphs have groups and some have none.", "Give all graphs groups, or none."
        )
    n_classes = 1 + max(
        int(graphs.groups.max(initial=0)) for graphs in collections if graphs.groups is not None
    )
    n_nodes = sum(len(graphs.node_attrs) for graphs in collections)
    if n_classes > max(_CLASSES, n_nodes):
        raise InvalidGraphError(
            f"A node has the group {n_classes - 1}, but there are {n_nodes} nodes in all.",
            "Number the classes of nodes from 0, without large gaps.",
        )
    capacity = np.zeros(n_classes, dtype=np.int64)
    for graphs in collections:
        _, classes, counts = count_classes(graphs, n_classes)
        np.maximum.at(capacity, classes, counts)
    return room * capacity


def count_classes(X: GraphCollection, n_classes: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return graphs, classes of nodes that they have, and how many nodes of these."""
    packed = X.packed()
    assert packed.groups is not None
    owner = np.repeat(np.arange(len(X), dtype=np.int64), X.orders)
    found, counts = np.unique(owner * n_classes + packed.groups, return_counts=True)
    graphs, classes = np.divmod(found, n_classes)
    return graphs, classes, counts


def needs_zero_nodes(*collections: GraphCollection) -> bool:
    """Whether a node may be nearer to nothing than to any node, and distances are to allow for it."""
    return any(graphs.schema is not None and graphs.schema.needs_zero_nodes for graphs in collections)


__all__ = [
    "check_comparable",
    "check_order",
    "check_pairs",
    "check_range",
    "class_capacity",
    "count_classes",
    "needs_zero_nodes",
]
