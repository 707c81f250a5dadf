"""From PyTorch Geometric data, recognised by its attributes: torch is never imported."""

from collections.abc import Collection
from typing import Any

import numpy as np

from graphquant._typing import AnyArray, FloatArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._attribute_columns import numbered
from graphquant.graphs._graph import Graph
from graphquant.graphs._raw import Column, RawGraphs
from graphquant.graphs.checks import plural
from graphquant.graphs.collection import GraphCollection


def is_pyg(obj: Any) -> bool:
    """Whether ``obj`` looks like PyTorch Geometric's ``Data``."""
    # Their data sets may also have the attributes of all their graphs; they have ``get`` and ``len``.
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
            f"{label}: has neither x nor num_nodes, so the number of nodes is unknown.",
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
    """Convert a list of ``Data``: undirected if every edge of every graph is stored in both directions."""
    directed = _are_directed(graphs)
    return GraphCollection(
        [from_pyg(data, directed=directed, label=f"Graph {i}") for i, data in enumerate(graphs)]
    )


def raw_from_pyg_list(
    graphs: list[Any], node_names: Collection[str] | None = None, edge_names: Collection[str] | None = None
) -> RawGraphs:
    """Collect ``x``, ``pos`` and ``edge_attr`` of a list of ``Data`` as raw columns.

    A block whose rows are all one-hot becomes one column of categories, unless the given names of
    columns ask for numbers.
    """
    orders = [_order(data, f"Graph {i}") for i, data in enumerate(graphs)]
    parts = [_pyg_edges(data, f"Graph {i}") for i, data in enumerate(graphs)]
    blocks = [getattr(data, "edge_attr", None) for data in graphs]
    directed = _are_directed(graphs)
    kept = [np.full(len(edges), True) if directed else edges[:, 0] <= edges[:, 1] for edges, _ in parts]
    edge_columns = _block_columns("edge_attr", "edge", blocks, [len(edges) for edges, _ in parts], edge_names)
    rows = np.concatenate(kept)
    return RawGraphs(
        np.cumsum([0, *orders]),
        np.cumsum([0, *(int(chosen.sum()) for chosen in kept)]),
        _joined([edges[chosen] for (edges, _), chosen in zip(parts, kept, strict=True)]),
        {
            name: column
            for field in ("x", "pos")
            for name, column in _block_columns(
                field, "node", [getattr(data, field, None) for data in graphs], orders, node_names
            ).items()
        },
        {name: column.take(rows) for name, column in edge_columns.items()},
        directed=directed,
    )


def _joined(edges: list[AnyArray]) -> AnyArray:
    """Join the edges of all graphs; an empty array may have any type, which must not decide that of all."""
    return np.concatenate([np.empty((0, 2), dtype=np.int32), *(part for part in edges if len(part))])


def _order(data: Any, label: str) -> int:
    """Count the nodes of one ``Data``."""
    if data.num_nodes is not None:
        return int(data.num_nodes)
    for field in ("x", "pos"):
        if getattr(data, field, None) is not None:
            return len(getattr(data, field))
    raise InvalidGraphError(
        f"{label}: has neither x nor num_nodes, so the number of nodes is unknown.", "Set num_nodes."
    )


def _block_columns(
    field: str, what: str, blocks: list[Any], counts: list[int], names: Collection[str] | None
) -> dict[str, Column]:
    """Columns of one field over all graphs; none if no graph has it."""
    tables = [None if block is None else _table(_to_numpy(block)) for block in blocks]
    first = next((i for i, table in enumerate(tables) if table is not None and len(table)), None)
    if first is None:
        return {}
    width = _width(tables[first])
    for i, (table, count) in enumerate(zip(tables, counts, strict=True)):
        _check_block(table, count, width, f"Graph {i}", field, what, first)
    rows = [table for table in tables if table is not None and len(table)]
    whole = np.concatenate(rows).astype(np.float64)
    if width > 1 and _is_one_hot(whole) and (names is None or f"{field}0" not in names):
        codes = whole.argmax(axis=1)
        return {field: Column(codes, [str(i) for i in range(width)])}
    if width > 1 and names is not None and field in names:
        raise InvalidGraphError(
            f"{field} is not one-hot: a row has no 1, several, or other values. It was one-hot, a column "
            "of categories, in the graphs that the encoder was fitted on.",
            f"Give every {what} exactly one category.",
        )
    return {name: Column(whole[:, i]) for i, name in enumerate(numbered(field, width))}


def _table(block: AnyArray) -> AnyArray:
    return block.reshape(-1, 1) if block.ndim == 1 else block


def _width(table: AnyArray | None) -> int:
    return 0 if table is None else table.shape[1]


def _check_block(
    table: AnyArray | None, count: int, width: int, label: str, field: str, what: str, first: int
) -> None:
    if table is None or len(table) == 0:
        if count:
            raise InvalidGraphError(
                f"{label}: has no {field}, unlike graph {first}.", f"Give all graphs {field}, or none."
            )
        return
    if table.ndim != 2 or len(table) != count or table.dtype.kind not in "biuf":
        raise InvalidGraphError(
            f"{label}: {field} has shape {table.shape} and type {table.dtype} for {plural(count, what)}.",
            f"Give one row of numbers in {field} for each {what}.",
        )
    if table.shape[1] != width:
        raise InvalidGraphError(
            f"{label}: {field} has {plural(table.shape[1], 'column')}, that of graph {first} has {width}.",
            f"Give {field} the same number of columns in all graphs.",
        )


def _is_one_hot(table: FloatArray) -> bool:
    return bool(((table == 0) | (table == 1)).all() and (table.sum(axis=1) == 1).all())


def _are_directed(graphs: list[Any]) -> bool:
    return not all(_is_symmetric(data, f"Graph {i}") for i, data in enumerate(graphs))


def _pyg_edges(data: Any, label: str) -> tuple[AnyArray, AnyArray]:
    if data.edge_index is None and getattr(data, "adj_t", None) is not None:
        raise InvalidGraphError(
            f"{label}: has its edges in adj_t, not in edge_index.",
            "Remove the transform that moves them, ToSparseTensor.",
        )
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
    """Whether each edge is stored in both directions, with the same attributes."""
    edges, attrs = _pyg_edges(data, label)
    if attrs.shape[:1] != edges.shape[:1]:
        return False
    forward = np.lexsort((edges[:, 1], edges[:, 0]))
    backward = np.lexsort((edges[:, 0], edges[:, 1]))
    return np.array_equal(edges[forward], edges[backward, ::-1]) and np.array_equal(
        attrs[forward], attrs[backward]
    )


def _to_numpy(values: Any) -> AnyArray:
    """Return a numpy view of an array or tensor, also of one on another device or with a gradient."""
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)


__all__ = ["from_pyg", "from_pyg_list", "is_pyg", "is_pyg_batch", "raw_from_pyg_list"]
