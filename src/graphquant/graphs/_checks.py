"""Validation of packed graphs: the one place where the data model is enforced.

One graph is checked as a pack of one, so that a single :class:`Graph` and a million graphs read
from a file obey the same rules and raise the same messages.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphquant._typing import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from graphquant.exceptions import InvalidGraphError

Label = Callable[[int], str]


class PackedArrays(NamedTuple):
    """Valid flat arrays of many graphs; edges sorted, undirected ones as (smaller, larger)."""

    node_offsets: IntArray  # (n_graphs + 1,)
    node_attrs: FloatArray  # (n_nodes, p)
    edge_offsets: IntArray  # (n_graphs + 1,)
    edges: Int32Array  # (n_edges, 2), node numbers within each graph
    edge_attrs: FloatArray  # (n_edges, q)
    groups: Int32Array | None  # (n_nodes,)


def check_packed(
    node_offsets: Any,
    node_attrs: Any,
    edge_offsets: Any,
    edges: Any,
    edge_attrs: Any = None,
    *,
    directed: bool,
    groups: Any = None,
    label: Label,
) -> PackedArrays:
    """Check flat arrays of many graphs and put their edges into canonical order.

    Raises
    ------
    InvalidGraphError
        Naming the graph (by ``label``), the node or edge, and what was expected.
    """
    node_offsets = np.array(node_offsets, dtype=np.int64)
    edge_offsets = np.array(edge_offsets, dtype=np.int64)
    node_attrs = _attribute_matrix(node_attrs, "node_attrs", label)
    edges = _edge_matrix(edges, label)
    if edge_attrs is None:
        edge_attrs = np.ones((len(edges), 1))
    edge_attrs = _attribute_matrix(edge_attrs, "edge_attrs", label)
    if len(edge_attrs) != len(edges):
        raise InvalidGraphError(
            f"{label(0)}: {len(edges)} edges but {len(edge_attrs)} rows of edge_attrs.",
            "Give one row of attributes for each edge.",
        )
    _check_finite(node_attrs, node_offsets, "node", label)
    _check_finite(edge_attrs, edge_offsets, "edge", label)
    graph_of_edge = np.repeat(np.arange(len(edge_offsets) - 1), np.diff(edge_offsets))
    _check_end_points(edges, edge_offsets, graph_of_edge, np.diff(node_offsets), label)
    edges, edge_attrs = _canonical_edges(
        edges, edge_attrs, edge_offsets, graph_of_edge, directed=directed, label=label
    )
    return PackedArrays(
        node_offsets,
        node_attrs,
        edge_offsets,
        edges,
        edge_attrs,
        _check_groups(groups, len(node_attrs), label),
    )


def _attribute_matrix(values: Any, name: str, label: Label) -> FloatArray:
    try:
        array = np.array(values, dtype=np.float64, order="C", ndmin=1)
    except (TypeError, ValueError) as err:
        raise InvalidGraphError(
            f"{label(0)}: {name} is not a table of numbers ({err}).",
            "Give as many numbers for each node or edge, or encode names with AttributeEncoder.",
        ) from err
    if array.ndim == 1:
        # A plain list of numbers is one channel; an empty list is "none of them, one channel".
        array = array.reshape(-1, 1)
    if array.ndim != 2 or array.shape[1] == 0:
        raise InvalidGraphError(
            f"{label(0)}: {name} has shape {array.shape}, expected (number, channels >= 1).",
            "Without attributes, give one channel of ones.",
        )
    return array


def _edge_matrix(edges: Any, label: Label) -> Int32Array:
    try:
        array = np.asarray(edges)
    except ValueError as err:
        raise InvalidGraphError(f"{label(0)}: edges is not a table of node pairs ({err}).") from err
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int32)
    if array.ndim != 2 or array.shape[1] != 2 or not np.issubdtype(array.dtype, np.integer):
        raise InvalidGraphError(
            f"{label(0)}: edges has shape {array.shape} and type {array.dtype}, expected int (m, 2).",
            "Give one pair of node numbers for each edge.",
        )
    if array.max() > np.iinfo(np.int32).max or array.min() < np.iinfo(np.int32).min:
        raise InvalidGraphError(f"{label(0)}: a node number in edges is beyond 2^31.")
    return np.array(array, dtype=np.int32, order="C")


def _check_finite(attrs: FloatArray, offsets: IntArray, what: str, label: Label) -> None:
    if np.isfinite(attrs).all():
        return
    row, channel = np.argwhere(~np.isfinite(attrs))[0]
    graph, local = _locate(offsets, row)
    raise InvalidGraphError(
        f"{label(graph)}: {what} {local}, attribute {channel} is {attrs[row, channel]}, not a finite number.",
        "Mend or impute the value (AttributeEncoder has a missing-value policy).",
    )


def _check_end_points(
    edges: Int32Array, edge_offsets: IntArray, graph_of_edge: IntArray, orders: IntArray, label: Label
) -> None:
    order_of_edge = orders[graph_of_edge]
    outside = ((edges < 0) | (edges >= order_of_edge[:, None])).any(axis=1)
    if outside.any():
        graph, local = _locate(edge_offsets, int(np.argmax(outside)))
        start, end = edges[np.argmax(outside)]
        order = orders[graph]
        has = f"{order} node{'s' if order != 1 else ''} (0 to {order - 1})" if order else "no nodes"
        raise InvalidGraphError(
            f"{label(graph)}: edge {local} joins nodes {start} and {end}, but the graph has {has}."
        )
    loop: BoolArray = edges[:, 0] == edges[:, 1]
    if loop.any():
        graph, local = _locate(edge_offsets, int(np.argmax(loop)))
        raise InvalidGraphError(
            f"{label(graph)}: edge {local} is a self-loop at node {edges[np.argmax(loop), 0]}.",
            "Put what a self-loop says into the attributes of its node.",
        )


def _canonical_edges(
    edges: Int32Array,
    edge_attrs: FloatArray,
    edge_offsets: IntArray,
    graph_of_edge: IntArray,
    *,
    directed: bool,
    label: Label,
) -> tuple[Int32Array, FloatArray]:
    """Sort the edges of each graph, so that equal graphs have equal arrays; refuse repeated ones."""
    if len(edges) == 0:
        return edges, edge_attrs
    if not directed:
        edges = np.sort(edges, axis=1)
    order = np.lexsort((edges[:, 1], edges[:, 0], graph_of_edge))
    edges = edges[order]
    same = (edges[1:] == edges[:-1]).all(axis=1) & (graph_of_edge[1:] == graph_of_edge[:-1])
    if same.any():
        at = int(np.argmax(same))
        graph, first = _locate(edge_offsets, int(order[at]))
        _, second = _locate(edge_offsets, int(order[at + 1]))
        start, end = edges[at]
        raise InvalidGraphError(
            f"{label(graph)}: edge {second} repeats edge {first} (nodes {start} and {end}).",
            "Merge their attributes into one edge."
            if directed
            else "An undirected edge is given once; merge their attributes, or pass directed=True.",
        )
    return np.ascontiguousarray(edges), np.ascontiguousarray(edge_attrs[order])


def _check_groups(groups: Any, n_nodes: int, label: Label) -> Int32Array | None:
    if groups is None:
        return None
    array: AnyArray = np.asarray(groups)
    if array.size == 0:
        array = array.astype(np.int32)
    if array.shape != (n_nodes,) or not np.issubdtype(array.dtype, np.integer):
        raise InvalidGraphError(
            f"{label(0)}: groups has shape {array.shape} and type {array.dtype}, expected {n_nodes} ints.",
            "Give one class number for each node.",
        )
    if array.size and (array.min() < 0 or array.max() > np.iinfo(np.int32).max):
        raise InvalidGraphError(f"{label(0)}: groups holds numbers outside 0 to 2^31 - 1.")
    return np.array(array, dtype=np.int32)


def _locate(offsets: IntArray, row: int) -> tuple[int, int]:
    """Graph and position within it of a flat row."""
    graph = int(np.searchsorted(offsets, row, side="right")) - 1
    return graph, int(row - offsets[graph])


__all__ = ["Label", "PackedArrays", "check_packed"]
