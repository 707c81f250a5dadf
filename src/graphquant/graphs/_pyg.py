"""From PyTorch Geometric data, recognised by what it offers: torch is never imported."""

from typing import Any

import numpy as np

from graphquant._typing import AnyArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._collection import GraphCollection
from graphquant.graphs._graph import Graph


def is_pyg(obj: Any) -> bool:
    """Whether ``obj`` looks like PyTorch Geometric's ``Data``."""
    # A data set of theirs may answer for the attributes of all its graphs; it has ``get`` and ``len``.
    is_data_set = callable(getattr(obj, "get", None)) and callable(getattr(obj, "len", None))
    return hasattr(obj, "edge_index") and hasattr(obj, "num_nodes") and not is_data_set


def is_pyg_batch(obj: Any) -> bool:
    """Whether ``obj`` looks like PyTorch Geometric's ``Batch``: several graphs joined into one."""
    return is_pyg(obj) and callable(getattr(obj, "to_data_list", None))


def from_pyg(data: Any, *, directed: bool, label: str = "Graph") -> Graph:
    """Convert one PyTorch Geometric ``Data`` (``x``, ``edge_index``, ``edge_attr``)."""
    x = getattr(data, "x", None)
    if x is None and data.num_nodes is None:
        raise InvalidGraphError(
            f"{label}: has neither x nor num_nodes, so the number of its nodes is not known.",
            "Set num_nodes.",
        )
    node_attrs = np.ones((int(data.num_nodes), 1)) if x is None else _to_numpy(x)
    if data.num_nodes is not None and node_attrs.shape[:1] != (data.num_nodes,):
        raise InvalidGraphError(
            f"{label}: x has shape {node_attrs.shape} for {data.num_nodes} nodes.",
            "Give one row of x for each node.",
        )
    edges, attrs = _pyg_edges(data, label)
    if not directed and attrs.shape[:1] == edges.shape[:1]:
        # PyTorch Geometric stores an undirected edge in both directions. Self-loops stay, to be refused.
        once = edges[:, 0] <= edges[:, 1]
        edges, attrs = edges[once], attrs[once]
    return Graph._labelled(label, node_attrs, edges, attrs, directed=directed)


def from_pyg_list(graphs: list[Any]) -> GraphCollection:
    """Convert a list of ``Data``: undirected if every edge of every graph stands in both directions."""
    directed = not all(_is_symmetric(data, f"Graph {i}") for i, data in enumerate(graphs))
    return GraphCollection(
        [from_pyg(data, directed=directed, label=f"Graph {i}") for i, data in enumerate(graphs)]
    )


def _pyg_edges(data: Any, label: str) -> tuple[AnyArray, AnyArray]:
    index = np.empty((2, 0), dtype=np.int64) if data.edge_index is None else _to_numpy(data.edge_index)
    if index.shape == (0,):
        index = index.reshape(2, 0)
    if index.ndim != 2 or len(index) != 2:
        raise InvalidGraphError(
            f"{label}: edge_index has shape {index.shape}, expected (2, edges).",
            "Give the first nodes of all edges, then the second nodes.",
        )
    edge_attr = getattr(data, "edge_attr", None)
    return index.T, np.ones((index.shape[1], 1)) if edge_attr is None else _to_numpy(edge_attr)


def _is_symmetric(data: Any, label: str) -> bool:
    """Whether each edge stands in both directions, with the same attributes."""
    edges, attrs = _pyg_edges(data, label)
    if attrs.shape[:1] != edges.shape[:1]:
        return False
    forward = np.lexsort((edges[:, 1], edges[:, 0]))
    backward = np.lexsort((edges[:, 0], edges[:, 1]))
    return np.array_equal(edges[forward], edges[backward, ::-1]) and np.array_equal(
        attrs[forward], attrs[backward]
    )


def _to_numpy(values: Any) -> AnyArray:
    """Return numpy's view of an array or tensor, also of one on another device or with a gradient."""
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)


__all__ = ["from_pyg", "from_pyg_list", "is_pyg", "is_pyg_batch"]
