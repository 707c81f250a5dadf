"""To and from what users already have: networkx graphs and PyTorch Geometric data.

Neither package is imported to convert *from* it: objects are recognised by what they offer.
"""

from collections.abc import Callable, Iterable
from typing import Any

from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._checks import kind_of
from graphquant.graphs._collection import GraphCollection
from graphquant.graphs._graph import Graph
from graphquant.graphs._networkx import (
    channel_names,
    from_networkx,
    from_networkx_list,
    is_networkx,
    raw_from_networkx,
    to_networkx,
)
from graphquant.graphs._pyg import from_pyg, from_pyg_list, is_pyg, is_pyg_batch
from graphquant.graphs._raw import RawGraphs


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
    if is_pyg_batch(obj):
        obj = obj.to_data_list()
    elif isinstance(obj, Graph) or is_networkx(obj) or is_pyg(obj):
        obj = [obj]
    if isinstance(obj, str | bytes) or not isinstance(obj, Iterable):
        raise InvalidGraphError(
            f"An object of type {kind_of(obj)} is not a collection of graphs.",
            "Pass a list of Graph, networkx or PyTorch Geometric graphs; read files with graphquant.read.",
        )
    graphs = list(obj)
    if not graphs:
        return GraphCollection(graphs)
    for kind, convert in _CONVERTERS.items():
        if all(map(kind, graphs)):
            return convert(graphs)
    raise _mixed_kinds(graphs)


def as_graphs(obj: Any) -> GraphCollection | RawGraphs:
    """Return graphs as vectors or as raw graphs, whatever a user has."""
    if isinstance(obj, RawGraphs):
        return obj
    members = [obj] if is_networkx(obj) else obj
    if isinstance(members, list) and members and all(isinstance(graph, RawGraphs) for graph in members):
        return RawGraphs.concatenate(members)
    if isinstance(members, list) and members and all(map(is_networkx, members)) and _have_attributes(members):
        return raw_from_networkx(members)
    return as_collection(obj)


def _have_attributes(graphs: list[Any]) -> bool:
    return any(data for graph in graphs for _, data in graph.nodes(data=True)) or any(
        data for graph in graphs for *_, data in graph.edges(data=True)
    )


def _is_graph(obj: Any) -> bool:
    """Whether ``obj`` is a :class:`Graph`."""
    return isinstance(obj, Graph)


def _mixed_kinds(graphs: list[Any]) -> InvalidGraphError:
    known = tuple(_CONVERTERS)
    for i, graph in enumerate(graphs):
        if not any(kind(graph) for kind in known):
            return InvalidGraphError(
                f"Graph {i} is of type {kind_of(graph)}, expected a Graph, a networkx graph or PyTorch "
                "Geometric data.",
                "Convert it first, or leave it out.",
            )
    kinds = ", ".join(dict.fromkeys(map(kind_of, graphs)))
    return InvalidGraphError(
        f"Graphs of several kinds are mixed: {kinds}.", "Convert all of them to one kind first."
    )


# How to recognise the kinds of graphs that as_collection accepts, and how to convert a list of them.
_CONVERTERS: dict[Callable[[Any], bool], Callable[[list[Any]], GraphCollection]] = {
    _is_graph: GraphCollection,
    is_networkx: from_networkx_list,
    is_pyg: from_pyg_list,
}

__all__ = [
    "as_collection",
    "as_graphs",
    "channel_names",
    "from_networkx",
    "from_pyg",
    "is_networkx",
    "is_pyg",
    "raw_from_networkx",
    "to_networkx",
]
