"""The data model: one graph, many packed graphs, graphs with raw attributes, conversions."""

from graphquant.graphs._graph import Graph
from graphquant.graphs._raw import Column, RawGraphs
from graphquant.graphs._representation import Dense, from_dense, lift, position_groups, to_dense
from graphquant.graphs._schema import Schema, check_same_schema, join_schemas
from graphquant.graphs._stats import CollectionStats, describe
from graphquant.graphs.collection import GraphCollection
from graphquant.graphs.convert import as_collection, as_graphs, from_networkx, raw_from_networkx, to_networkx

__all__ = [
    "CollectionStats",
    "Column",
    "Dense",
    "Graph",
    "GraphCollection",
    "RawGraphs",
    "Schema",
    "as_collection",
    "as_graphs",
    "check_same_schema",
    "describe",
    "from_dense",
    "from_networkx",
    "join_schemas",
    "lift",
    "position_groups",
    "raw_from_networkx",
    "to_dense",
    "to_networkx",
]
