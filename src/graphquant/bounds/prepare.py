"""From a collection to the arrays that the core uses."""

import numpy as np

from graphquant._core.bounds import GraphSummaries
from graphquant._core.graphs import PreparedGraphs, prepare_graphs
from graphquant._typing import FloatArray, IntArray
from graphquant.bounds.checks import check_range
from graphquant.graphs import GraphCollection


def prepare(graphs: GraphCollection) -> PreparedGraphs:
    """Adjacency, sorted channels and norms of all graphs, for matching and bounds."""
    graphs = graphs.packed()
    check_range(graphs)
    return prepare_graphs(
        graphs.node_offsets,
        graphs.node_attrs,
        graphs.groups,
        graphs.edge_offsets,
        graphs.edges,
        graphs.edge_attrs,
        is_directed=graphs.directed,
    )


def squared_norms(graphs: GraphCollection) -> FloatArray:
    """Return |x|^2 of all graphs."""
    graphs = graphs.packed()
    total = np.zeros(len(graphs))
    for offsets, attrs, weight in (
        (graphs.node_offsets, graphs.node_attrs, 1.0),
        (graphs.edge_offsets, graphs.edge_attrs, 1.0 if graphs.directed else 2.0),
    ):
        owner = np.repeat(np.arange(len(graphs)), np.diff(offsets))
        total += weight * np.bincount(owner, (attrs**2).sum(axis=1), len(graphs))
    return total


def summaries(graphs: GraphCollection, prepared: PreparedGraphs, *, spectra: bool = False) -> GraphSummaries:
    """Return what the cheap bounds need; spectra cost an eigenvalue problem per graph and channel."""
    graph_of = np.repeat(np.arange(len(graphs)), np.diff(prepared.node_ptr))
    owner = np.repeat(graph_of, np.diff(prepared.adj_ptr))
    return GraphSummaries(
        _channel_norms(graph_of, prepared.node_attr, len(graphs)),
        _channel_norms(owner, prepared.adj_vec, len(graphs), share=0.5 * prepared.pair_weight),
        _sorted_channels(graph_of, prepared.node_attr),
        _sorted_channels(owner, prepared.adj_vec),
        _spectra(graphs.packed()) if spectra else None,
    )


def _sorted_channels(owner: IntArray, vectors: FloatArray) -> FloatArray:
    """Each channel of the vectors of an owner separately, in descending order."""
    result = np.empty_like(vectors)
    for c in range(vectors.shape[1]):
        result[:, c] = vectors[np.lexsort((-vectors[:, c], owner)), c]
    return result


def _channel_norms(owner: IntArray, vectors: FloatArray, n_owners: int, share: float = 1.0) -> FloatArray:
    """Norm of each channel over the vectors of an owner, with squares counted ``share`` times."""
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


__all__ = ["prepare", "squared_norms", "summaries"]
