"""To and from networkx graphs, without importing networkx to convert *from* it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._attribute_columns import columns_of_rows
from graphquant.graphs._graph import Graph
from graphquant.graphs._raw import Column, RawGraphs
from graphquant.graphs._schema import Schema
from graphquant.graphs.checks import as_floats, kind_of, locate, plural
from graphquant.graphs.collection import GraphCollection, check_names, check_same_direction, label_of

if TYPE_CHECKING:
    import networkx as nx


def is_networkx(obj: Any) -> bool:
    """Whether ``obj`` looks like a networkx graph."""
    return all(hasattr(obj, name) for name in ("nodes", "edges", "adj", "is_directed", "is_multigraph"))


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
        Names of the numeric attributes to use, in this order; a value may be a number or a
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
    _check_networkx(graph, "Graph")
    channels = _Channels.of([graph])
    return _from_networkx(
        graph,
        _Channels(
            _chosen_names(channels.nodes, node_attrs, "node_attrs", leave_out=groups),
            _chosen_names(channels.edges, edge_attrs, "edge_attrs"),
        ),
        "Graph",
        groups=groups,
    )


def to_networkx(
    graph: Graph, node_attrs: Sequence[str] | None = None, edge_attrs: Sequence[str] | None = None
) -> "nx.Graph[int] | nx.DiGraph[int]":
    """Convert to networkx; attributes have the names and units of the original graph.

    Vectors that know their encoder become attributes again, by ``encoder.inverse_transform``. Channels
    of other vectors become attributes named by their schema, else ``a0, a1, ...``; pass names to get the
    channels of any vectors. Groups, if any, become the node attribute ``group``.

    Examples
    --------
    >>> import graphquant as gq
    >>> g = gq.Graph([[1.0, 2.0]], []).to_networkx(node_attrs=["x", "y"])
    >>> g.nodes[0]
    {'x': 1.0, 'y': 2.0}
    """
    import networkx as nx

    node_rows, edge_rows = _rows_of(graph, node_attrs, edge_attrs)
    result: nx.Graph[int] | nx.DiGraph[int] = nx.DiGraph() if graph.directed else nx.Graph()
    for node, row in enumerate(node_rows):
        result.add_node(node, **row)
        if graph.groups is not None:
            result.nodes[node]["group"] = int(graph.groups[node])
    for (start, end), row in zip(graph.edges.tolist(), edge_rows, strict=True):
        result.add_edge(start, end, **row)
    return result


def _rows_of(
    graph: Graph, node_attrs: Sequence[str] | None, edge_attrs: Sequence[str] | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the attributes of all nodes and of all edges."""
    schema = graph.schema
    if schema is not None and node_attrs is None and edge_attrs is None:
        if schema.encoder is not None:
            raw: RawGraphs = schema.encoder.inverse_transform(graph)
            return _dicts(raw.node_columns, graph.order), _dicts(raw.edge_columns, graph.n_edges)
        node_attrs, edge_attrs = schema.node, schema.edge
    node_names = channel_names(graph.node_attrs.shape[1], node_attrs, "node_attrs")
    edge_names = channel_names(graph.edge_attrs.shape[1], edge_attrs, "edge_attrs")
    return (
        [dict(zip(node_names, row, strict=True)) for row in graph.node_attrs.tolist()],
        [dict(zip(edge_names, row, strict=True)) for row in graph.edge_attrs.tolist()],
    )


def _dicts(columns: Mapping[str, Column], n_rows: int) -> list[dict[str, Any]]:
    """Return one dictionary per row, without missing values."""
    rows: list[dict[str, Any]] = [{} for _ in range(n_rows)]
    for name, column in columns.items():
        for row, value in zip(rows, column.to_list(), strict=True):
            if value is not None:
                row[name] = value
    return rows


def channel_names(count: int, names: Sequence[str] | None, parameter: str) -> list[str]:
    """Names for channels: those given, or ``a0, a1, ...``."""
    if names is None:
        return [f"a{i}" for i in range(count)]
    if len(names) != count:
        raise InvalidGraphError(
            f"{parameter} has {plural(len(names), 'name')} for {plural(count, 'channel')}.",
            "Give one name for each channel.",
        )
    return list(names)


def names_of(graphs: Sequence[Any]) -> list[str] | None:
    """Names of networkx graphs, if every graph has one."""
    return [str(graph.name) for graph in graphs] if all(graph.name for graph in graphs) else None


def from_networkx_list(graphs: list[Any]) -> GraphCollection:
    """Convert a list of networkx graphs, with all attributes that any of them has."""
    for i, graph in enumerate(graphs):
        _check_networkx(graph, f"Graph {i}")
    names = names_of(graphs)
    label = label_of(names)
    channels = _Channels.of(graphs)
    return GraphCollection(
        [_from_networkx(graph, channels, label(i)) for i, graph in enumerate(graphs)], names
    )


def has_attributes(graphs: Iterable[Any]) -> bool:
    """Whether any node or edge of any of the networkx graphs has an attribute."""
    return any(
        any(data for _, data in graph.nodes(data=True)) or any(data for *_, data in graph.edges(data=True))
        for graph in graphs
    )


def raw_from_networkx(graphs: Iterable[Any], names: Sequence[str] | None = None) -> RawGraphs:
    """Collect networkx graphs with attributes of any kind as raw columns.

    Numbers and truth values (as 0 and 1) become numeric columns, strings columns of categories. A
    vector of numbers becomes one column for each number: ``pos0``, ``pos1``. An attribute that has
    numbers and strings becomes text, with a warning. None, NaN and an absent attribute are missing.

    Examples
    --------
    >>> import networkx as nx
    >>> g = nx.Graph()
    >>> g.add_node("u", symbol="C", pos=(0.5, 1.5))
    >>> raw_from_networkx([g])
    RawGraphs(1 graph, node attributes: symbol, pos0, pos1; edge attributes: none)
    """
    members = list(graphs)
    label = label_of(check_names(names, len(members)))
    for i, graph in enumerate(members):
        _check_networkx(graph, label(i))
        check_same_direction(graph.is_directed(), members[0].is_directed(), label(i))
    node_rows: list[dict[str, Any]] = []
    edge_rows: list[dict[str, Any]] = []
    edges: list[tuple[int, int]] = []
    for graph in members:
        position = {node: i for i, node in enumerate(graph.nodes)}
        node_rows.extend(data for _, data in graph.nodes(data=True))
        for start, end, data in graph.edges(data=True):
            edges.append((position[start], position[end]))
            edge_rows.append(data)
    node_offsets = np.cumsum([0] + [graph.number_of_nodes() for graph in members])
    edge_offsets = np.cumsum([0] + [graph.number_of_edges() for graph in members])

    def node_label(row: int) -> str:
        graph, local = locate(node_offsets, row)
        return f"{label(graph)}: node {list(members[graph].nodes)[local]!r}"

    def edge_label(row: int) -> str:
        graph, local = locate(edge_offsets, row)
        return f"{label(graph)}: edge {list(members[graph].edges)[local]!r}"

    return RawGraphs(
        node_offsets,
        edge_offsets,
        np.array(edges, dtype=np.int32).reshape(-1, 2),
        columns_of_rows(node_rows, node_label),
        columns_of_rows(edge_rows, edge_label),
        directed=bool(members) and members[0].is_directed(),
        names=names,
    )


def _check_networkx(graph: Any, label: str) -> None:
    if not is_networkx(graph):
        raise InvalidGraphError(
            f"{label} is of type {kind_of(graph)}, expected a networkx graph.",
            "Pass a networkx.Graph or networkx.DiGraph.",
        )
    if graph.is_multigraph():
        raise InvalidGraphError(
            f"{label}: a multigraph may have several edges between two nodes, a Graph has at most one.",
            "Merge them, for example with networkx.Graph(multigraph).",
        )


class _Channels(NamedTuple):
    """Attributes to read from networkx graphs, and how many numbers each of them has."""

    nodes: dict[str, int]
    edges: dict[str, int]

    @classmethod
    def of(cls, graphs: Sequence[Any]) -> "_Channels":
        """All attributes of the graphs, in order of first appearance."""
        return cls(
            _widths(data for graph in graphs for _, data in graph.nodes(data=True)),
            _widths(data for graph in graphs for *_, data in graph.edges(data=True)),
        )

    def schema(self) -> Schema | None:
        """Name the channels, so that (x, y) is never compared with (y, x); None if nothing has a name."""
        nodes, edges = _spread(self.nodes), _spread(self.edges)
        if all(names in ([], channel_names(len(names), None, "")) for names in (nodes, edges)):
            return None
        return Schema(tuple(nodes or ["presence"]), tuple(edges or ["presence"]))


def _spread(widths: Mapping[str, int]) -> list[str]:
    """Return one name for each number of each attribute."""
    return [name if width == 1 else f"{name}{i}" for name, width in widths.items() for i in range(width)]


def _widths(rows: Iterable[dict[str, Any]]) -> dict[str, int]:
    widths: dict[str, int] = {}
    for row in rows:
        for name, value in row.items():
            if name not in widths:
                widths[name] = np.size(value)
    return widths


def _chosen_names(
    known: dict[str, int], chosen: Sequence[str] | None, parameter: str, *, leave_out: str | None = None
) -> dict[str, int]:
    if isinstance(chosen, str):
        raise InvalidGraphError(
            f"{parameter}={chosen!r} is one name.", f"Give a list of names: {parameter}=[{chosen!r}]."
        )
    if chosen is not None and len(set(chosen)) != len(chosen):
        raise InvalidGraphError(f"{parameter}={list(chosen)!r} repeats a name.", "Give each name once.")
    if chosen is None:
        return {name: width for name, width in known.items() if name != leave_out}
    return {name: known.get(name, 1) for name in chosen}


def _from_networkx(graph: Any, channels: _Channels, label: str, *, groups: str | None = None) -> Graph:
    position = {node: i for i, node in enumerate(graph.nodes)}
    nodes = [
        _vector(data, channels.nodes, f"{label}: node {node!r}") for node, data in graph.nodes(data=True)
    ]
    edges, edge_attrs = [], []
    for start, end, data in graph.edges(data=True):
        edges.append((position[start], position[end]))
        edge_attrs.append(_vector(data, channels.edges, f"{label}: edge ({start!r}, {end!r})"))
    found = Graph._labelled(
        label,
        nodes or np.empty((0, _total_width(channels.nodes))),
        edges,
        edge_attrs or np.empty((0, _total_width(channels.edges))),
        directed=graph.is_directed(),
        groups=None if groups is None else _node_groups(graph, groups, label),
    )
    return found.with_schema(channels.schema())


def _total_width(widths: dict[str, int]) -> int:
    """Count the channels; without attributes there is one channel of ones."""
    return sum(widths.values()) if widths else 1


def _node_groups(graph: Any, name: str, label: str) -> list[Any]:
    for node, data in graph.nodes(data=True):
        if name not in data:
            raise InvalidGraphError(
                f"{label}: node {node!r} has no attribute {name!r}, the class of the node.",
                "Give every node its class as a whole number, or omit groups=.",
            )
    return [data[name] for _, data in graph.nodes(data=True)]


def _vector(data: dict[str, Any], widths: dict[str, int], label: str) -> list[float]:
    """Read the named attributes of one node or edge as one vector; ones if there are no names."""
    if not widths:
        return [1.0]
    vector: list[float] = []
    for name, width in widths.items():
        if name not in data:
            raise InvalidGraphError(
                f"{label} has no attribute {name!r}.",
                "Give it a value, choose others with node_attrs= and edge_attrs=, or use "
                "AttributeEncoder().fit_transform(graphs).",
            )
        try:
            numbers = as_floats(data[name]).reshape(-1).tolist()
        except (TypeError, ValueError) as err:
            raise InvalidGraphError(
                f"{label}, attribute {name!r}: {data[name]!r} is not a number.",
                "Encode names with AttributeEncoder().fit_transform(graphs), or omit the attribute.",
            ) from err
        if len(numbers) != width:
            raise InvalidGraphError(
                f"{label}, attribute {name!r} has {len(numbers)} numbers, others have {width}.",
                "Give the attribute the same number of values everywhere.",
            )
        vector.extend(numbers)
    return vector


__all__ = [
    "channel_names",
    "from_networkx",
    "from_networkx_list",
    "has_attributes",
    "is_networkx",
    "names_of",
    "raw_from_networkx",
    "to_networkx",
]
