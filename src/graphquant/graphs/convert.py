"""To and from what users already have: networkx graphs and PyTorch Geometric data.

Neither package is imported to convert *from* it: objects are recognised by what they offer.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._typing import FloatArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._collection import GraphCollection
from graphquant.graphs._graph import Graph
from graphquant.graphs._raw import Column, RawGraphs

if TYPE_CHECKING:
    import networkx as nx


def as_collection(obj: Any) -> GraphCollection:
    """Turn what a user has into a :class:`GraphCollection`.

    Parameters
    ----------
    obj : GraphCollection, Graph, or iterable of Graph, networkx graphs or PyTorch Geometric ``Data``
        Numeric attributes only; encode names with ``AttributeEncoder`` first.

    Returns
    -------
    GraphCollection

    Examples
    --------
    >>> import networkx as nx
    >>> import graphquant as gq
    >>> gq.as_collection([nx.path_graph(3), nx.cycle_graph(4)])
    GraphCollection(2 graphs, on average 3.5 nodes x 1 attribute and 3.0 edges x 1 attribute)
    """
    if isinstance(obj, GraphCollection):
        return obj
    if isinstance(obj, RawGraphs):
        raise InvalidGraphError(
            "These graphs have named raw attributes, not vectors yet.",
            "Encode them first: AttributeEncoder().fit_transform(graphs).",
        )
    if isinstance(obj, Graph) or is_networkx(obj) or is_pyg(obj):
        obj = [obj]
    if isinstance(obj, str | bytes) or not isinstance(obj, Iterable):
        raise InvalidGraphError(
            f"A {type(obj).__name__} is not a collection of graphs.",
            "Pass a list of Graph, networkx or PyTorch Geometric graphs; read files with graphquant.read.",
        )
    graphs = list(obj)
    if graphs and all(is_networkx(graph) for graph in graphs):
        node_names, edge_names = _shared_names(graphs)
        names = [str(graph.name) for graph in graphs] if all(graph.name for graph in graphs) else None
        converted = [_from_networkx(g, node_names, edge_names, f"Graph {i}") for i, g in enumerate(graphs)]
        return GraphCollection(converted, names)
    if graphs and all(is_pyg(graph) for graph in graphs):
        directed = not all(_is_symmetric(data) for data in graphs)
        return GraphCollection(
            [from_pyg(data, directed=directed, label=f"Graph {i}") for i, data in enumerate(graphs)]
        )
    return GraphCollection(graphs)


def is_networkx(obj: Any) -> bool:
    """Whether ``obj`` looks like a networkx graph."""
    return all(hasattr(obj, name) for name in ("nodes", "edges", "adj", "is_directed", "is_multigraph"))


def is_pyg(obj: Any) -> bool:
    """Whether ``obj`` looks like PyTorch Geometric's ``Data``."""
    return hasattr(obj, "edge_index") and hasattr(obj, "num_nodes")


def from_networkx(
    graph: Any,
    node_attrs: Sequence[str] | None = None,
    edge_attrs: Sequence[str] | None = None,
    *,
    groups: str | None = None,
) -> Graph:
    """Convert one networkx graph.

    Parameters
    ----------
    graph : networkx.Graph or networkx.DiGraph
    node_attrs, edge_attrs : sequence of str, optional
        Names of the numeric attributes to take, in this order; a value may be a number or a
        sequence of numbers. By default all, in order of first appearance; if there is none, one
        channel of ones.
    groups : str, optional
        Name of the node attribute that holds the class of each node.

    Examples
    --------
    >>> import networkx as nx
    >>> import graphquant as gq
    >>> g = nx.path_graph(3)
    >>> nx.set_node_attributes(g, {0: 0.5, 1: 1.5, 2: 2.5}, "x")
    >>> gq.from_networkx(g, node_attrs=["x"]).node_attrs.tolist()
    [[0.5], [1.5], [2.5]]
    """
    all_nodes, all_edges = _shared_names([graph])
    if groups is not None and node_attrs is None:
        all_nodes = [name for name in all_nodes if name != groups]
    return _from_networkx(
        graph,
        all_nodes if node_attrs is None else list(node_attrs),
        all_edges if edge_attrs is None else list(edge_attrs),
        "Graph",
        groups=groups,
    )


def to_networkx(
    graph: Graph, node_attrs: Sequence[str] | None = None, edge_attrs: Sequence[str] | None = None
) -> "nx.Graph[int] | nx.DiGraph[int]":
    """Convert to networkx; channels are named ``a0, a1, ...`` unless names are given.

    Groups, if any, become the node attribute ``group``.

    Examples
    --------
    >>> import graphquant as gq
    >>> g = gq.Graph([[1.0, 2.0]], []).to_networkx(node_attrs=["x", "y"])
    >>> g.nodes[0]
    {'x': 1.0, 'y': 2.0}
    """
    import networkx as nx

    node_names = channel_names(graph.node_attrs.shape[1], node_attrs, "node_attrs")
    edge_names = channel_names(graph.edge_attrs.shape[1], edge_attrs, "edge_attrs")
    result: nx.Graph[int] | nx.DiGraph[int] = nx.DiGraph() if graph.directed else nx.Graph()
    for node, row in enumerate(graph.node_attrs.tolist()):
        result.add_node(node, **dict(zip(node_names, row, strict=True)))
        if graph.groups is not None:
            result.nodes[node]["group"] = int(graph.groups[node])
    for (start, end), row in zip(graph.edges.tolist(), graph.edge_attrs.tolist(), strict=True):
        result.add_edge(start, end, **dict(zip(edge_names, row, strict=True)))
    return result


def channel_names(count: int, names: Sequence[str] | None, parameter: str) -> list[str]:
    """Names for channels: those given, or ``a0, a1, ...``."""
    if names is None:
        return [f"a{i}" for i in range(count)]
    if len(names) != count:
        raise InvalidGraphError(f"{parameter} has {len(names)} names for {count} channels.")
    return list(names)


def raw_from_networkx(graphs: Iterable[Any], names: Sequence[str] | None = None) -> RawGraphs:
    """Collect networkx graphs with any attributes (numbers, strings) as raw columns."""
    members = list(graphs)
    for i, graph in enumerate(members):
        _check_networkx(graph, f"Graph {i}")
    if len({graph.is_directed() for graph in members}) > 1:
        raise InvalidGraphError(
            "Directed and undirected graphs are mixed.",
            "Make all of them one kind: an undirected edge is two directed ones.",
        )
    node_rows: list[dict[str, Any]] = []
    edge_rows: list[dict[str, Any]] = []
    edges: list[tuple[int, int]] = []
    for graph in members:
        position = {node: i for i, node in enumerate(graph.nodes)}
        node_rows.extend(data for _, data in graph.nodes(data=True))
        for start, end, data in graph.edges(data=True):
            edges.append((position[start], position[end]))
            edge_rows.append(data)
    return RawGraphs(
        np.cumsum([0] + [graph.number_of_nodes() for graph in members]),
        np.cumsum([0] + [graph.number_of_edges() for graph in members]),
        np.array(edges, dtype=np.int32).reshape(-1, 2),
        _columns_of_rows(node_rows, "node"),
        _columns_of_rows(edge_rows, "edge"),
        directed=bool(members) and members[0].is_directed(),
        names=names,
    )


def from_pyg(data: Any, *, directed: bool, label: str = "Graph") -> Graph:
    """Convert one PyTorch Geometric ``Data`` (``x``, ``edge_index``, ``edge_attr``)."""
    order = int(data.num_nodes)
    x = getattr(data, "x", None)
    node_attrs = np.ones((order, 1)) if x is None else _matrix(x)
    edges, attrs = _pyg_edges(data)
    if len(node_attrs) != order:
        raise InvalidGraphError(f"{label}: x has {len(node_attrs)} rows for {order} nodes.")
    if not directed:
        # PyTorch Geometric stores an undirected edge in both directions.
        once = edges[:, 0] < edges[:, 1]
        loops = edges[:, 0] == edges[:, 1]
        edges, attrs = edges[once | loops], attrs[once | loops]
    return Graph(node_attrs, edges, attrs, directed=directed)


def _pyg_edges(data: Any) -> tuple[Any, FloatArray]:
    index = data.edge_index
    edges = np.empty((0, 2), dtype=np.int64) if index is None else np.asarray(index).reshape(2, -1).T
    edge_attr = getattr(data, "edge_attr", None)
    return edges, np.ones((len(edges), 1)) if edge_attr is None else _matrix(edge_attr)


def _is_symmetric(data: Any) -> bool:
    """Whether each edge stands in both directions, with the same attributes."""
    edges, attrs = _pyg_edges(data)
    if len(attrs) != len(edges):
        return False
    forward = {(int(i), int(j)): row for (i, j), row in zip(edges, attrs, strict=True)}
    return all((j, i) in forward and np.array_equal(row, forward[j, i]) for (i, j), row in forward.items())


def _matrix(values: Any) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    return (
        array.reshape(len(array), -1)
        if array.size
        else array.reshape(len(array), max(array.shape[1:], default=1))
    )


def _check_networkx(graph: Any, label: str) -> None:
    if graph.is_multigraph():
        raise InvalidGraphError(
            f"{label}: a multigraph may have several edges between two nodes, a Graph has one.",
            "Merge them, for example with networkx.Graph(multigraph).",
        )


def _shared_names(graphs: Sequence[Any]) -> tuple[list[str], list[str]]:
    """Names of all attributes, in order of first appearance."""
    nodes = dict.fromkeys(name for graph in graphs for _, data in graph.nodes(data=True) for name in data)
    edges = dict.fromkeys(name for graph in graphs for *_, data in graph.edges(data=True) for name in data)
    return list(nodes), list(edges)


def _from_networkx(
    graph: Any, node_names: list[str], edge_names: list[str], label: str, *, groups: str | None = None
) -> Graph:
    _check_networkx(graph, label)
    position = {node: i for i, node in enumerate(graph.nodes)}
    node_rows = [
        _vector(data, node_names, f"{label}: node {node!r}") for node, data in graph.nodes(data=True)
    ]
    edge_rows, edges = [], []
    for start, end, data in graph.edges(data=True):
        edges.append((position[start], position[end]))
        edge_rows.append(_vector(data, edge_names, f"{label}: edge ({start!r}, {end!r})"))
    return Graph(
        np.array(node_rows).reshape(len(node_rows), -1)
        if node_rows
        else np.empty((0, max(len(node_names), 1))),
        edges,
        edge_rows if edge_rows else np.empty((0, max(len(edge_names), 1))),
        directed=graph.is_directed(),
        groups=None if groups is None else [data[groups] for _, data in graph.nodes(data=True)],
    )


def _vector(data: dict[str, Any], names: list[str], label: str) -> list[float]:
    """Read the named attributes of one node or edge as one vector; ones if there are no names."""
    if not names:
        return [1.0]
    vector: list[float] = []
    for name in names:
        if name not in data:
            raise InvalidGraphError(
                f"{label} has no attribute {name!r}.",
                "Give it a value, choose others with node_attrs= and edge_attrs=, or use AttributeEncoder.",
            )
        try:
            vector.extend(np.asarray(data[name], dtype=np.float64).reshape(-1).tolist())
        except (TypeError, ValueError) as err:
            raise InvalidGraphError(
                f"{label}, attribute {name!r}: {data[name]!r} is not a number.",
                "Encode names with AttributeEncoder, or leave the attribute out.",
            ) from err
    return vector


def _columns_of_rows(rows: list[dict[str, Any]], what: str) -> dict[str, Column]:
    columns = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row.get(name) for row in rows]
        given = [value for value in values if value is not None]
        if all(isinstance(value, int | float | np.number | bool) for value in given):
            columns[str(name)] = Column.from_numbers(values)
        elif all(isinstance(value, str) for value in given):
            columns[str(name)] = Column.from_strings(values)
        else:
            kinds = ", ".join(sorted({type(value).__name__ for value in given}))
            raise InvalidGraphError(
                f"{what} attribute {name!r} has values of type {kinds}, expected all numbers or all strings.",
                "Make it one kind; a vector is given as one attribute for each of its numbers.",
            )
    return columns


__all__ = [
    "as_collection",
    "channel_names",
    "from_networkx",
    "from_pyg",
    "is_networkx",
    "is_pyg",
    "raw_from_networkx",
    "to_networkx",
]
