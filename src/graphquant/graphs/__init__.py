"""The data model: one graph, many packed graphs, graphs with raw attributes, conversions."""

from graphquant.graphs._collection import GraphCollection
from graphquant.graphs._graph import Graph
from graphquant.graphs._raw import Column, RawGraphs
from graphquant.graphs._stats import CollectionStats, describe
from graphquant.graphs.convert import as_collection, from_networkx, raw_from_networkx, to_networkx

__all__ = [
    "CollectionStats",
    "Column",
    "Graph",
    "GraphCollection",
    "RawGraphs",
    "as_collection",
    "describe",
    "from_networkx",
    "raw_from_networkx",
    "to_networkx",
]
