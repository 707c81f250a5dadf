"""Scaling each graph to unit norm."""

from collections.abc import Mapping
from copy import copy
from typing import Any, Self

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.graphs import GraphCollection, Schema, as_collection
from graphquant.graphs.checks import PackedArrays
from graphquant.preprocessing._json import check_header, header
from graphquant.preprocessing._transformer import GraphTransformer


def unit_norm(graphs: Any) -> GraphCollection:
    """Scale each graph to Euclidean norm 1 of its matrix representation.

    The norm is the root of the sum of all squared node and edge attributes; an undirected edge
    is in the matrix twice and counts twice. A graph of norm zero stays unchanged.

    Parameters
    ----------
    graphs : GraphCollection, or what :func:`graphquant.as_collection` accepts

    Returns
    -------
    GraphCollection

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.preprocessing import unit_norm
    >>> scaled = unit_norm([gq.Graph([1.0, 1.0], [(0, 1)])])[0]
    >>> scaled.node_attrs.tolist(), scaled.edge_attrs.tolist()
    ([[0.5], [0.5]], [[0.5]])
    """
    collection = as_collection(graphs).packed()
    node_graph = _graph_of_row(collection.node_offsets)
    edge_graph = _graph_of_row(collection.edge_offsets)
    # Dividing by the largest entry first keeps the squares of huge and tiny values in range.
    peak = np.zeros(len(collection))
    for attrs, graph in ((collection.node_attrs, node_graph), (collection.edge_attrs, edge_graph)):
        np.maximum.at(peak, graph, np.abs(attrs).max(axis=1, initial=0.0))
    peak[peak == 0.0] = 1.0
    node_attrs = collection.node_attrs / peak[node_graph, None]
    edge_attrs = collection.edge_attrs / peak[edge_graph, None]
    edge_count = 1.0 if collection.directed else 2.0
    norms = np.sqrt(
        _sum_by_graph(node_attrs, node_graph, len(collection))
        + edge_count * _sum_by_graph(edge_attrs, edge_graph, len(collection))
    )
    norms[norms == 0.0] = 1.0
    node_attrs /= norms[node_graph, None]
    edge_attrs /= norms[edge_graph, None]
    packed = PackedArrays(
        node_offsets=collection.node_offsets,
        node_attrs=node_attrs,
        edge_offsets=collection.edge_offsets,
        edges=collection.edges,
        edge_attrs=edge_attrs,
        groups=collection.groups,
    )
    return GraphCollection._from_valid(
        packed,
        directed=collection.directed,
        names=collection.names,
        schema=None if collection.schema is None else _scaled(collection.schema),
    )


class UnitNorm(GraphTransformer):
    """Transformer that applies :func:`graphquant.preprocessing.unit_norm`; it has nothing to learn.

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.preprocessing import UnitNorm
    >>> UnitNorm().fit_transform([gq.Graph([3.0, 4.0])])[0].node_attrs.tolist()
    [[0.6], [0.8]]
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Only check that ``X`` holds graphs."""
        as_collection(X)
        return self

    def transform(self, X: Any) -> GraphCollection:
        """Scale each graph to unit norm."""
        return unit_norm(X)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def to_json(self) -> dict[str, Any]:
        """Plain values, for ``json.dumps``."""
        return header("UnitNorm")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Restore from the result of :meth:`to_json`."""
        check_header(data, "UnitNorm")
        return cls()


def _scaled(schema: Schema) -> Schema:
    """Return the schema of scaled graphs, which is that of the encoder with ``unit_norm=True``."""
    if schema.encoder is not None:
        encoder = copy(schema.encoder).set_params(unit_norm=True)
        scaled: Schema = encoder.schema()
        return scaled
    digest = schema.digest
    return schema if digest is None else Schema(schema.node, schema.edge, f"{digest}, unit norm")


def _graph_of_row(offsets: IntArray) -> IntArray:
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def _sum_by_graph(attrs: FloatArray, graph: IntArray, n_graphs: int) -> FloatArray:
    squares = np.einsum("ij,ij->i", attrs, attrs)
    # The cast matters if there are no rows: bincount then returns integers.
    return np.bincount(graph, weights=squares, minlength=n_graphs).astype(np.float64)


__all__ = ["UnitNorm", "unit_norm"]
