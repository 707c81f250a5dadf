"""Validation of packed graphs: the one place where the data model is enforced.

One graph is checked as a pack of one, so that a single :class:`Graph` and a million graphs read
from a file obey the same rules and raise the same messages. The result never shares memory
with the caller's arrays.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphquant._typing import AnyArray, FloatArray, Int32Array, IntArray
from graphquant.exceptions import InvalidGraphError


class Labels(NamedTuple):
    """What messages call all graphs together, and each of them."""

    whole: str
    of: Callable[[int], str]


class PackedArrays(NamedTuple):
    """Valid flat arrays of many graphs; edges sorted, undirected ones as (smaller, larger)."""

    node_offsets: IntArray  # (n_graphs + 1,)
    node_attrs: FloatArray  # (n_nodes, p)
    edge_offsets: IntArray  # (n_graphs + 1,)
    edges: Int32Array  # (n_edges, 2), node numbers within each graph
    edge_attrs: FloatArray  # (n_edges, q)
    groups: Int32Array | None  # (n_nodes,)


class Topology(NamedTuple):
    """Valid offsets and edges in canonical order; ``order`` holds the row that each came from."""

    node_offsets: IntArray
    edge_offsets: IntArray
    edges: Int32Array
    order: IntArray | None  # None if the edges were in canonical order already


def check_packed(
    node_offsets: Any,
    node_attrs: Any,
    edge_offsets: Any,
    edges: Any,
    edge_attrs: Any = None,
    *,
    directed: bool,
    groups: Any = None,
    labels: Labels,
) -> PackedArrays:
    """Check flat arrays of many graphs and put their edges into canonical order.

    Offsets that are None mean one graph.

    Raises
    ------
    InvalidGraphError
        The message names the graph (by ``labels``), the node or edge, and what was expected.
    """
    node_attrs = _attribute_matrix(node_attrs, "node", labels)
    topology = check_topology(
        node_offsets, len(node_attrs), edge_offsets, edges, directed=directed, labels=labels
    )
    n_edges = len(topology.edges)
    edge_attrs = (
        np.ones((n_edges, 1)) if edge_attrs is None else _attribute_matrix(edge_attrs, "edge", labels)
    )
    if len(edge_attrs) != n_edges:
        raise InvalidGraphError(
            f"{labels.whole}: {plural(n_edges, 'edge')} but {plural(len(edge_attrs), 'row')} of edge_attrs.",
            "Give one row of attributes for each edge.",
        )
    _check_finite(node_attrs, topology.node_offsets, "node", labels)
    _check_finite(edge_attrs, topology.edge_offsets, "edge", labels)
    return PackedArrays(
        node_offsets=topology.node_offsets,
        node_attrs=node_attrs,
        edge_offsets=topology.edge_offsets,
        edges=topology.edges,
        edge_attrs=edge_attrs if topology.order is None else edge_attrs[topology.order],
        groups=check_groups(groups, topology.node_offsets, labels),
    )


def check_topology(
    node_offsets: Any, n_nodes: int, edge_offsets: Any, edges: Any, *, directed: bool, labels: Labels
) -> Topology:
    """Check everything but the attributes, and put the edges into canonical order."""
    table = _edge_matrix(edges, labels)
    node_offsets = _check_offsets(node_offsets, n_nodes, "node", labels)
    edge_offsets = _check_offsets(edge_offsets, len(table), "edge", labels)
    if len(node_offsets) != len(edge_offsets):
        raise InvalidGraphError(
            f"{labels.whole}: node_offsets is for {len(node_offsets) - 1} graphs, "
            f"edge_offsets for {len(edge_offsets) - 1}.",
            "Both need one entry more than there are graphs.",
        )
    _check_end_points(table, edge_offsets, np.diff(node_offsets), labels)
    canonical, order = canonical_edges(
        np.array(table, dtype=np.int32, order="C"), edge_offsets, directed=directed
    )
    if order is not None:
        _check_repeats(canonical, order, edge_offsets, directed=directed, labels=labels)
    return Topology(node_offsets, edge_offsets, canonical, order)


def canonical_edges(
    edges: Int32Array, edge_offsets: IntArray, *, directed: bool
) -> tuple[Int32Array, IntArray | None]:
    """Sort the edges of each graph, so that equal graphs have equal arrays."""
    if not directed:
        backward = edges[:, 0] > edges[:, 1]
        if backward.any():
            edges = np.where(backward[:, None], edges[:, ::-1], edges)
    if _is_canonical(edges, edge_offsets):
        # The usual case for files that we wrote; sorting a million graphs takes most of the time.
        return edges, None
    graph_of_edge = np.repeat(np.arange(len(edge_offsets) - 1), np.diff(edge_offsets))
    order = np.lexsort((edges[:, 1], edges[:, 0], graph_of_edge))
    return edges[order], order


def as_floats(values: Any) -> FloatArray:
    """Copy numbers as float64; unlike numpy, refuse numeric strings, dates and complex numbers.

    Raises
    ------
    TypeError, ValueError
        If ``values`` contains anything but real numbers, or rows of different length.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "biufO":
        raise TypeError(f"it has values of type {array.dtype}")
    if array.dtype.kind == "O":
        for value in array.flat:
            if value is None or isinstance(value, str | bytes):
                raise TypeError(f"{value!r} is not a number")
    try:
        return np.array(array, dtype=np.float64, order="C")
    except OverflowError as err:
        raise ValueError(str(err)) from err


def check_groups(groups: Any, node_offsets: IntArray, labels: Labels) -> Int32Array | None:
    """Copy the class of each node, checked."""
    if groups is None:
        return None
    n_nodes = int(node_offsets[-1])
    array: AnyArray = np.asarray(groups)
    if array.shape != (n_nodes,) or (n_nodes and array.dtype.kind not in "iu"):
        raise InvalidGraphError(
            f"{labels.whole}: groups has shape {array.shape} and type {array.dtype}, "
            f"expected {n_nodes} whole numbers.",
            "Give one class number for each node.",
        )
    outside = (array < 0) | (array > np.iinfo(np.int32).max)
    if outside.any():
        row = int(np.argmax(outside))
        graph, node = locate(node_offsets, row)
        raise InvalidGraphError(
            f"{labels.of(graph)}: the group of node {node} is {array[row]}, expected 0 to 2^31 - 1.",
            "Use class numbers that start at 0.",
        )
    return np.array(array, dtype=np.int32)


def plural(count: int, noun: str) -> str:
    """``3 nodes``, ``1 node``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def kind_of(obj: Any) -> str:
    """Name the type of an object for messages: ``int``, ``networkx.Graph``."""
    package = type(obj).__module__.split(".")[0]
    return type(obj).__name__ if package == "builtins" else f"{package}.{type(obj).__name__}"


def locate(offsets: IntArray, row: int) -> tuple[int, int]:
    """Graph of a flat row, and the position within that graph."""
    graph = int(np.searchsorted(offsets, row, side="right")) - 1
    return graph, int(row - offsets[graph])


def _attribute_matrix(values: Any, what: str, labels: Labels) -> FloatArray:
    try:
        array = as_floats(values)
    except (TypeError, ValueError) as err:
        reason = _uneven_rows(values) or str(err)
        raise InvalidGraphError(
            f"{labels.whole}: {what}_attrs is not a table of numbers ({reason}).",
            f"Give every {what} the same number of values; encode names with AttributeEncoder.",
        ) from err
    if array.ndim == 1:
        # A plain list of numbers is one channel; so is an empty list.
        array = array.reshape(-1, 1)
    if array.ndim != 2 or array.shape[1] == 0:
        raise InvalidGraphError(
            f"{labels.whole}: {what}_attrs has shape {array.shape}, expected ({what}s, channels) "
            "with at least one channel.",
            "If there are no attributes, pass one channel of ones.",
        )
    return array


def _uneven_rows(values: Any) -> str | None:
    """Name the row whose length differs from the first: numpy only says that there is one."""
    if not isinstance(values, Sequence):
        return None
    lengths = [f"length {len(row)}" if hasattr(row, "__len__") else "no length" for row in values]
    odd = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
    return None if odd is None else f"row {odd} has {lengths[odd]}, row 0 has {lengths[0]}"


def _edge_matrix(edges: Any, labels: Labels) -> AnyArray:
    try:
        array = np.asarray(edges)
    except ValueError as err:
        reason = _uneven_rows(edges) or str(err)
        raise InvalidGraphError(
            f"{labels.whole}: edges is not a table of node pairs ({reason}).",
            "Give one pair of node numbers for each edge.",
        ) from err
    if array.ndim > 0 and len(array) == 0:
        return np.empty((0, 2), dtype=np.int32)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise InvalidGraphError(
            f"{labels.whole}: edges has shape {array.shape} and type {array.dtype}, "
            "expected whole numbers of shape (edges, 2).",
            "Give one pair of node numbers for each edge.",
        )
    return array


def _check_offsets(offsets: Any, total: int, what: str, labels: Labels) -> IntArray:
    if offsets is None:
        return np.array([0, total], dtype=np.int64)
    array = np.asarray(offsets)
    if array.ndim != 1 or len(array) == 0 or array.dtype.kind not in "iu":
        problem = f"has shape {array.shape} and type {array.dtype}"
    elif array[0] != 0 or array[-1] != total:
        problem = f"goes from {array[0]} to {array[-1]}"
    elif (array[1:] < array[:-1]).any():
        at = int(np.argmax(array[1:] < array[:-1]))
        problem = f"decreases from {array[at]} to {array[at + 1]} at graph {at}"
    else:
        return np.array(array, dtype=np.int64)
    raise InvalidGraphError(
        f"{labels.whole}: {what}_offsets {problem}; "
        f"expected whole numbers that increase from 0 to {total}, the number of {what}s.",
        f"Give the first {what} of each graph, and the number of all {what}s at the end.",
    )


def _check_finite(attrs: FloatArray, offsets: IntArray, what: str, labels: Labels) -> None:
    finite = np.isfinite(attrs)
    if finite.all():
        return
    row, channel = np.unravel_index(int(np.argmin(finite)), attrs.shape)
    graph, local = locate(offsets, int(row))
    raise InvalidGraphError(
        f"{labels.of(graph)}: {what} {local}, attribute {channel} is {attrs[row, channel]}, "
        "not a finite number.",
        "Fix or impute the value (AttributeEncoder has a missing-value policy).",
    )


def _check_end_points(edges: AnyArray, edge_offsets: IntArray, orders: IntArray, labels: Labels) -> None:
    order_of_edge = np.repeat(orders, np.diff(edge_offsets))
    outside = ((edges < 0) | (edges >= order_of_edge[:, None])).any(axis=1)
    if outside.any():
        row = int(np.argmax(outside))
        graph, local = locate(edge_offsets, row)
        order = int(orders[graph])
        has = f"{plural(order, 'node')} (0 to {order - 1})" if order else "no nodes"
        raise InvalidGraphError(
            f"{labels.of(graph)}: edge {local} joins nodes {edges[row, 0]} and {edges[row, 1]}, "
            f"but the graph has {has}.",
            "Node numbers of each graph start at 0.",
        )
    loop = edges[:, 0] == edges[:, 1]
    if loop.any():
        row = int(np.argmax(loop))
        graph, local = locate(edge_offsets, row)
        raise InvalidGraphError(
            f"{labels.of(graph)}: edge {local} is a self-loop at node {edges[row, 0]}.",
            "Put what a self-loop says into the attributes of its node.",
        )


def _is_canonical(edges: Int32Array, edge_offsets: IntArray) -> bool:
    """Whether the edges of each graph increase strictly: sorted, without repeats."""
    start, end = edges[:, 0], edges[:, 1]
    rises = (start[1:] > start[:-1]) | ((start[1:] == start[:-1]) & (end[1:] > end[:-1]))
    rises[_last_rows(edge_offsets)] = True
    return bool(rises.all())


def _check_repeats(
    edges: Int32Array, order: IntArray, edge_offsets: IntArray, *, directed: bool, labels: Labels
) -> None:
    same = (edges[1:] == edges[:-1]).all(axis=1)
    same[_last_rows(edge_offsets)] = False
    if same.any():
        at = int(np.argmax(same))
        graph, first = locate(edge_offsets, int(order[at]))
        _, second = locate(edge_offsets, int(order[at + 1]))
        raise InvalidGraphError(
            f"{labels.of(graph)}: edge {second} repeats edge {first} "
            f"(nodes {edges[at, 0]} and {edges[at, 1]}).",
            "Merge their attributes into one edge."
            if directed
            else "Give an undirected edge once: merge their attributes, or pass directed=True.",
        )


def _last_rows(offsets: IntArray) -> IntArray:
    """Last row of each graph, where a comparison with the next row would cross into the next graph."""
    inner: IntArray = offsets[(offsets > 0) & (offsets < offsets[-1])]
    return inner - 1


__all__ = [
    "Labels",
    "PackedArrays",
    "Topology",
    "as_floats",
    "canonical_edges",
    "check_groups",
    "check_packed",
    "check_topology",
    "kind_of",
    "locate",
    "plural",
]
