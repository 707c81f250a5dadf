"""Structures that are graphs in disguise: point patterns, sequences, rooted trees, hypergraphs, layers.

Each function returns the arguments of :class:`Graph`; its class methods check the rest.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from graphquant._typing import AnyArray, FloatArray, Int32Array, IntArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs.checks import as_floats, kind_of, plural


class Parts(NamedTuple):
    """The arguments of a graph."""

    node_attrs: FloatArray
    edges: AnyArray
    edge_attrs: FloatArray | None = None
    groups: IntArray | None = None


def points_parts(points: Any, attrs: Any, presence: float) -> Parts:
    """Nodes without edges."""
    table = _table(points, "points", "point")
    tables = [table]
    if attrs is not None:
        tables.append(_table(attrs, "attrs", "point", len(table)))
    return Parts(_with_presence(tables, presence), _no_edges())


def sequence_parts(values: Any, presence: float) -> Parts:
    """Nodes that cannot be exchanged: each is a class of its own."""
    table = _table(values, "values", "step")
    return Parts(_with_presence([table], presence), _no_edges(), groups=np.arange(len(table)))


def tree_parts(parents: Any, node_attrs: Any, edge_attrs: Any) -> Parts:
    """Each node with its parent; the classes are the levels."""
    parent = _parents(parents)
    n = len(parent)
    nodes = np.ones((n, 1)) if node_attrs is None else _table(node_attrs, "node_attrs", "node", n)
    children = np.flatnonzero(parent >= 0)
    edges = np.column_stack([parent[children], children])
    attrs = None
    if edge_attrs is not None:
        attrs = _table(edge_attrs, "edge_attrs", "edge", len(edges), "one for each node but the root")
    return Parts(nodes, edges, attrs, _levels(parent))


def hypergraph_parts(node_attrs: Any, hyperedges: Any, hyperedge_attrs: Any) -> Parts:
    """Nodes and hyperedges are nodes of two classes; an edge says that a node is in a hyperedge."""
    nodes = _table(node_attrs, "node_attrs", "node")
    members = [_members(hyperedge, i, len(nodes)) for i, hyperedge in enumerate(_listed(hyperedges))]
    n, m = len(nodes), len(members)
    own = np.ones((m, 1))
    if hyperedge_attrs is not None:
        own = _table(hyperedge_attrs, "hyperedge_attrs", "hyperedge", m)
    attrs = np.zeros((n + m, nodes.shape[1] + own.shape[1]))
    attrs[:n, : nodes.shape[1]] = nodes
    attrs[n:, nodes.shape[1] :] = own
    edges = [(node, n + i) for i, group in enumerate(members) for node in group]
    return Parts(attrs, np.array(edges, dtype=np.int64).reshape(-1, 2), groups=np.repeat([0, 1], [n, m]))


def join_layers(layers: Sequence[tuple[Int32Array, FloatArray]]) -> tuple[Int32Array, FloatArray]:
    """Union of the valid edges of all layers, with one channel for each layer."""
    edges, row = np.unique(np.concatenate([edges for edges, _ in layers]), axis=0, return_inverse=True)
    attrs = np.zeros((len(edges), len(layers)))
    begin = 0
    for channel, (own, weights) in enumerate(layers):
        attrs[row[begin : begin + len(own)], channel] = weights[:, 0]
        begin += len(own)
    return edges, attrs


def check_layers(layers: Any, weights: Any) -> list[tuple[Any, FloatArray | None]]:
    """Pair the edges of each layer with their weights, which may be absent."""
    listed = _listed(layers, "layers", "Give a list with the edges of each layer.")
    if not listed:
        raise InvalidGraphError("layers is empty.", "Give the edges of at least one layer.")
    if weights is None:
        return [(edges, None) for edges in listed]
    given = _listed(weights, "weights", "Give a list with the weights of each layer.")
    if len(given) != len(listed):
        raise InvalidGraphError(
            f"weights is for {plural(len(given), 'layer')}, layers has {len(listed)}.",
            "Give one list of weights for each layer.",
        )
    return [
        (edges, _weights(own, edges, i)) for i, (edges, own) in enumerate(zip(listed, given, strict=True))
    ]


def _weights(values: Any, edges: Any, layer: int) -> FloatArray:
    listed = _listed(edges, f"layers[{layer}]", "Give the edges of each layer as pairs of node numbers.")
    table = _table(values, f"weights[{layer}]", "edge", len(listed))
    if table.shape[1] != 1:
        raise InvalidGraphError(
            f"weights[{layer}] has {table.shape[1]} numbers for each edge.",
            "Give one number for each edge of the layer; more numbers are more layers.",
        )
    return table


def _no_edges() -> AnyArray:
    return np.empty((0, 2), dtype=np.int32)


def _with_presence(tables: list[FloatArray], presence: float) -> FloatArray:
    """Join the channels, and one more that tells a node whose values are all zero from no node."""
    value = np.asarray(presence)
    if value.ndim or value.dtype.kind not in "iuf" or not np.isfinite(value) or value < 0:
        raise InvalidGraphError(
            f"presence={presence!r} is not a number of at least 0.",
            "Give the weight of the channel that says that a node is there, or 0 to omit it.",
        )
    if value > 0:
        tables = [*tables, np.full((len(tables[0]), 1), float(value))]
    return np.hstack(tables)


def _table(
    values: Any, name: str, what: str, n_rows: int | None = None, why: str | None = None
) -> FloatArray:
    """Numbers with one row for each ``what``; a plain list is one channel."""
    try:
        array = as_floats(values)
    except (TypeError, ValueError) as err:
        raise InvalidGraphError(
            f"{name} is not a table of numbers ({err}).", f"Give every {what} the same number of values."
        ) from err
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2 or array.shape[1] == 0:
        raise InvalidGraphError(
            f"{name} has shape {array.shape}, expected ({what}s, channels) with at least one channel.",
            f"Give one row of numbers for each {what}.",
        )
    if n_rows is not None and len(array) != n_rows:
        raise InvalidGraphError(
            f"{name} has {plural(len(array), 'row')} for {plural(n_rows, what)}.",
            f"Give one row for each {what}{'' if why is None else f', {why}'}.",
        )
    return array


def _parents(parents: Any) -> IntArray:
    """Parent of each node, -1 for the root; exactly one root."""
    given = list(_listed(parents, "parents", "Give the number of the parent of each node."))
    n = len(given)
    for node, parent in enumerate(given):
        is_number = isinstance(parent, int | np.integer) and not isinstance(parent, bool | np.bool_)
        if parent is not None and not (is_number and -1 <= parent < n):
            raise InvalidGraphError(
                f"The parent of node {node} is {parent!r}, expected 0 to {n - 1}, or None for the root.",
                "Give the number of the parent of each node.",
            )
    array = np.array([-1 if parent is None else int(parent) for parent in given], dtype=np.int64)
    roots = np.flatnonzero(array < 0)
    if len(roots) != 1:
        found = ", ".join(str(root) for root in roots[:4]) or "none"
        raise InvalidGraphError(
            f"A rooted tree has one root, but these {plural(n, 'node')} have {len(roots)} ({found}).",
            "Give None as the parent of the root alone.",
        )
    return array


def _levels(parent: IntArray) -> IntArray:
    """Distance of each node from the root."""
    children: list[list[int]] = [[] for _ in parent]
    for node, above in enumerate(parent.tolist()):
        if above >= 0:
            children[above].append(node)
    level = np.full(len(parent), -1)
    depth, found = 0, np.flatnonzero(parent < 0).tolist()
    while found:
        level[found] = depth
        depth, found = depth + 1, [child for node in found for child in children[node]]
    if (level < 0).any():
        raise InvalidGraphError(
            f"Node {int(np.argmax(level < 0))} does not lead to the root: its ancestors form a circle.",
            "Follow the parents from each node: the last one must be the root.",
        )
    return level


def _members(hyperedge: Any, index: int, n_nodes: int) -> list[int]:
    array = np.asarray(sorted(hyperedge) if isinstance(hyperedge, set | frozenset) else hyperedge)
    if array.ndim != 1 or (len(array) and array.dtype.kind not in "iu"):
        raise InvalidGraphError(
            f"Hyperedge {index} is {hyperedge!r}, expected a list of node numbers.",
            "Give each hyperedge as the numbers of its nodes.",
        )
    nodes: list[int] = array.tolist()
    outside = [node for node in nodes if not 0 <= node < n_nodes]
    if outside:
        raise InvalidGraphError(
            f"Hyperedge {index} contains node {outside[0]}, but there are {plural(n_nodes, 'node')}.",
            "Node numbers start at 0.",
        )
    if len(set(nodes)) != len(nodes):
        raise InvalidGraphError(
            f"Hyperedge {index} contains a node twice: {nodes}.", "Give each node of a hyperedge once."
        )
    return nodes


def _listed(
    values: Any, name: str = "hyperedges", hint: str = "Give a list with the nodes of each hyperedge."
) -> list[Any]:
    if isinstance(values, str | bytes | dict) or not hasattr(values, "__iter__"):
        raise InvalidGraphError(f"{name} is of type {kind_of(values)}, expected a list.", hint)
    return list(values)


__all__ = [
    "Parts",
    "check_layers",
    "hypergraph_parts",
    "join_layers",
    "points_parts",
    "sequence_parts",
    "tree_parts",
]
