"""From a collection to the arrays that kernels work on."""

from typing import Any

import numpy as np

from graphquant._typing import FloatArray, Int32Array, IntArray
from graphquant._validation import check_positive_int
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection, check_same_schema
from graphquant.kernels.bounds import Summaries
from graphquant.kernels.graphs import MatchGraphs
from graphquant.kernels.window import TrainingGraphs

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


def prepare(graphs: GraphCollection) -> MatchGraphs:
    """Adjacency, sorted channels and norms of all graphs, for matching and bounds."""
    graphs = graphs.packed()
    check_range(graphs)
    groups = np.zeros(len(graphs.node_attrs), dtype=np.int32) if graphs.groups is None else graphs.groups
    # Read-only like the others: numba would compile all kernels again for a writable one.
    groups.setflags(write=False)
    weight = 1.0 if graphs.directed else 2.0
    owner, adj_idx, adj_vec = _adjacency(graphs)
    graph_of = np.repeat(np.arange(len(graphs)), np.diff(graphs.node_offsets))
    sq_norm, nonneg = np.zeros(len(graphs)), np.ones(len(graphs), dtype=np.bool_)
    for values, of, share in ((graphs.node_attrs, graph_of, 1.0), (adj_vec, graph_of[owner], 0.5 * weight)):
        sq_norm += share * np.bincount(of, (values**2).sum(axis=1), len(graphs))
        nonneg[of[(values < 0.0).any(axis=1)]] = False
    return MatchGraphs(
        graphs.node_offsets,
        graphs.node_attrs,
        groups,
        np.searchsorted(owner, np.arange(len(graphs.node_attrs) + 1)),
        adj_idx,
        adj_vec,
        _sorted_channels(owner, adj_vec),
        sq_norm,
        nonneg,
        weight,
    )


def training_graphs(graphs: GraphCollection) -> TrainingGraphs:
    """Return what kernels read of a collection in packed arrays, which they share."""
    groups = np.empty(0, dtype=np.int32) if graphs.groups is None else graphs.groups
    # Read-only like the others, see above.
    groups.setflags(write=False)
    return TrainingGraphs(
        graphs.node_offsets,
        graphs.node_attrs,
        groups,
        graphs.edge_offsets,
        graphs.edges,
        graphs.edge_attrs,
        graphs.directed,
    )


def _adjacency(graphs: GraphCollection) -> tuple[IntArray, Int32Array, FloatArray]:
    """Owner (its number among all nodes), neighbour and vector of each adjacency slot, in this order.

    A directed pair has the vectors of both directions, the outgoing one first; if both are edges, they share
    a slot.
    """
    edges, attrs = graphs.edges, graphs.edge_attrs
    first_node = np.repeat(graphs.node_offsets[:-1], np.diff(graphs.edge_offsets))
    owner = np.concatenate([first_node + edges[:, 0], first_node + edges[:, 1]])
    other = np.concatenate([edges[:, 1], edges[:, 0]])
    stride = max(graphs.max_order, 1)
    keys, slot = np.unique(owner * stride + other, return_inverse=True)
    m, q = attrs.shape
    vectors = np.zeros((len(keys), 2 * q if graphs.directed else q))
    vectors[slot[:m], :q] = attrs
    vectors[slot[m:], -q:] = attrs
    return keys // stride, (keys % stride).astype(np.int32), vectors


def _sorted_channels(owner: IntArray, vectors: FloatArray) -> FloatArray:
    """Each channel of the vectors of an owner on its own, descending."""
    result = np.empty_like(vectors)
    for c in range(vectors.shape[1]):
        result[:, c] = vectors[np.lexsort((-vectors[:, c], owner)), c]
    return result


def summaries(graphs: GraphCollection, prepared: MatchGraphs, *, spectra: bool = False) -> Summaries:
    """Return what the cheap bounds need; spectra cost an eigenvalue problem a graph and channel."""
    graph_of = np.repeat(np.arange(len(graphs)), np.diff(prepared.node_ptr))
    owner = np.repeat(graph_of, np.diff(prepared.adj_ptr))
    return Summaries(
        _channel_norms(graph_of, prepared.node_attr, len(graphs)),
        _channel_norms(owner, prepared.adj_vec, len(graphs), share=0.5 * prepared.pair_weight),
        _sorted_channels(graph_of, prepared.node_attr),
        _sorted_channels(owner, prepared.adj_vec),
        _spectra(graphs.packed()) if spectra else np.empty((0, prepared.adj_vec.shape[1])),
    )


def _channel_norms(owner: IntArray, vectors: FloatArray, n_owners: int, share: float = 1.0) -> FloatArray:
    """Norm of each channel over the vectors of an owner, whose squares count ``share`` times."""
    squares = share * vectors**2
    result = np.zeros((n_owners, vectors.shape[1]))
    for c in range(vectors.shape[1]):
        result[:, c] = np.sqrt(np.bincount(owner, squares[:, c], n_owners))
    return result


def _spectra(graphs: GraphCollection) -> FloatArray:
    """Singular values (eigenvalues if undirected) of each channel's matrix, descending.

    Hoffman-Wielandt and Mirsky: the spectra of two matrices are no further apart than the matrices,
    whatever the numbering of the nodes. A directed pair has its channels twice, once for each direction;
    the second copy adds nothing and is left at zero.
    """
    q = graphs.edge_attrs.shape[1]
    result = np.zeros((len(graphs.node_attrs), 2 * q if graphs.directed else q))
    for i, graph in enumerate(graphs):
        rows = slice(graphs.node_offsets[i], graphs.node_offsets[i + 1])
        start, end = graph.edges[:, 0], graph.edges[:, 1]
        for c in range(q):
            matrix = np.zeros((graph.order, graph.order))
            matrix[start, end] = graph.edge_attrs[:, c]
            if graph.directed:
                values = np.linalg.svd(matrix, compute_uv=False)
            else:
                matrix[end, start] = graph.edge_attrs[:, c]
                values = np.linalg.eigvalsh(matrix)[::-1]
            result[rows, c] = values
    return result


def class_capacity(*collections: GraphCollection, order: int | None = None) -> IntArray:
    """Positions of each node class: the most that any graph has; ``order`` if there are no groups."""
    if order is not None:
        check_positive_int("order", order)
    if all(graphs.groups is None for graphs in collections):
        largest = max((graphs.max_order for graphs in collections), default=0)
        return np.array([max(largest, order or 0)], dtype=np.int64)
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
    return capacity


__all__ = [
    "check_comparable",
    "check_pairs",
    "check_range",
    "class_capacity",
    "prepare",
    "summaries",
    "training_graphs",
]
