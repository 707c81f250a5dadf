"""Mappings from outside: checked, and converted to the form that all matchers use."""

from typing import Any

import numpy as np

from graphquant._typing import AnyArray, IntArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs import Graph


def check_mapping(mapping: Any, x: Graph, y: Graph, capacity: IntArray, source: str) -> IntArray:
    """Return a mapping from outside as an array, or raise an error that says what is wrong with it."""
    order = int(capacity.sum())
    given = np.asarray(mapping)
    valid = given.shape == (x.order,) and (given.size == 0 or np.issubdtype(given.dtype, np.integer))
    positions: IntArray = np.array(given if valid else [], dtype=np.int64)
    if not valid or len(np.unique(positions)) < x.order or ((positions < 0) | (positions >= order)).any():
        raise InvalidGraphError(
            f"{source} returned {mapping!r} for graphs of {x.order} and {y.order} nodes.",
            f"Return {x.order} different positions from 0 to {order - 1}.",
        )
    if x.groups is not None and (x.groups != position_classes(y, capacity)[positions]).any():
        raise InvalidGraphError(
            f"{source} maps a node to a node of another class.",
            "Map nodes to nodes with the same number in groups.",
        )
    return positions


def position_classes(y: Graph, capacity: IntArray) -> AnyArray:
    """Return the class of each position: the nodes of y, then zero nodes, class by class."""
    groups = np.zeros(y.order, dtype=np.int64) if y.groups is None else y.groups
    n_zero = capacity - np.bincount(groups, minlength=len(capacity))
    return np.concatenate([groups, np.repeat(np.arange(len(capacity)), n_zero)])


def in_order(mapping: IntArray, x: Graph, y: Graph, capacity: IntArray) -> IntArray:
    """Return the mapping with zero nodes used in order, as by the core: zero nodes are interchangeable."""
    found, classes = mapping.copy(), position_classes(y, capacity)
    for group in np.unique(classes[found[found >= y.order]]).tolist():
        on_zero = np.flatnonzero((found >= y.order) & (classes[found] == group))
        free = y.order + np.flatnonzero(classes[y.order :] == group)
        found[on_zero] = free[: len(on_zero)]
    return found


__all__ = ["check_mapping", "in_order", "position_classes"]
