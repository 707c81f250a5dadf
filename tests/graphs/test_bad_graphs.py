"""What graphs and collections refuse, and how: the graph, the field, what was expected, what to do."""

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from tests.graphs.bad_input import (
    FINITE,
    LOOP,
    NUMBER_NODES,
    ONCE,
    ONE_CLASS,
    ONE_KIND,
    ONE_NAME,
    ONE_PAIR,
    ONES,
    as_many,
    check,
    offsets,
)

DOT = gq.Graph([1.0])


def many(
    node_offsets=(0, 2, 4),
    node_attrs=(1.0, 2.0, 3.0, 4.0),
    edge_offsets=(0, 1, 2),
    edges=((0, 1), (0, 1)),
    **kw,
):
    """Two pairs of nodes, with one thing changed."""
    return gq.GraphCollection.from_arrays(node_offsets, node_attrs, edge_offsets, edges, **kw)


ONE_GRAPH = {
    "edge to a missing node": (
        lambda: gq.Graph(np.ones(5), [(0, 1), (4, 9)]),
        "Graph: edge 1 joins nodes 4 and 9, but the graph has 5 nodes (0 to 4).",
        NUMBER_NODES,
    ),
    "edge to a missing node of a single one": (
        lambda: gq.Graph([1.0], [(0, 1)]),
        "Graph: edge 0 joins nodes 0 and 1, but the graph has 1 node (0 to 0).",
        NUMBER_NODES,
    ),
    "edge in an empty graph": (
        lambda: gq.Graph([], [(0, 1)]),
        "Graph: edge 0 joins nodes 0 and 1, but the graph has no nodes.",
        NUMBER_NODES,
    ),
    "negative node number": (
        lambda: gq.Graph([1.0, 2.0], [(0, -1)]),
        "Graph: edge 0 joins nodes 0 and -1, but the graph has 2 nodes (0 to 1).",
        NUMBER_NODES,
    ),
    "huge node number": (
        lambda: gq.Graph([1.0, 2.0], np.array([[0, 2**63]], dtype=np.uint64)),
        "Graph: edge 0 joins nodes 0 and 9223372036854775808, but the graph has 2 nodes (0 to 1).",
        NUMBER_NODES,
    ),
    "node number that would wrap around": (
        lambda: gq.Graph([1.0, 2.0], [(0, 2**32 + 1)]),
        "Graph: edge 0 joins nodes 0 and 4294967297, but the graph has 2 nodes (0 to 1).",
        NUMBER_NODES,
    ),
    "self-loop": (
        lambda: gq.Graph([1.0, 2.0], [(0, 1), (1, 1)]),
        "Graph: edge 1 is a self-loop at node 1.",
        LOOP,
    ),
    "duplicate edge": (
        lambda: gq.Graph(np.ones(3), [(0, 1), (1, 2), (0, 1)]),
        "Graph: edge 2 repeats edge 0 (nodes 0 and 1).",
        ONCE,
    ),
    "duplicate edge, reversed": (
        lambda: gq.Graph(np.ones(3), [(1, 2), (2, 1)]),
        "Graph: edge 1 repeats edge 0 (nodes 1 and 2).",
        ONCE,
    ),
    "duplicate directed edge": (
        lambda: gq.Graph(np.ones(2), [(1, 0), (0, 1), (1, 0)], directed=True),
        "Graph: edge 2 repeats edge 0 (nodes 1 and 0).",
        "Merge their attributes into one edge.",
    ),
    "ragged node attributes": (
        lambda: gq.Graph([[1.0, 2.0], [3.0, 4.0], [5.0]]),
        "Graph: node_attrs is not a table of numbers (row 2 has length 1, row 0 has length 2).",
        as_many("node"),
    ),
    "a number among rows": (
        lambda: gq.Graph([[1.0, 2.0], 3.0]),
        "Graph: node_attrs is not a table of numbers (row 1 has no length, row 0 has length 2).",
        as_many("node"),
    ),
    "ragged edge attributes": (
        lambda: gq.Graph(np.ones(3), [(0, 1), (1, 2)], [[1.0], [1.0, 2.0]]),
        "Graph: edge_attrs is not a table of numbers (row 1 has length 2, row 0 has length 1).",
        as_many("edge"),
    ),
    "ragged edges": (
        lambda: gq.Graph(np.ones(3), [(0, 1), (1, 2, 0)]),
        "Graph: edges is not a table of node pairs (row 1 has length 3, row 0 has length 2).",
        ONE_PAIR,
    ),
    "strings": (
        lambda: gq.Graph(["C", "O"]),
        "Graph: node_attrs is not a table of numbers (it has values of type <U1).",
        as_many("node"),
    ),
    "numerals in strings": (
        lambda: gq.Graph([["1.5"]]),
        "Graph: node_attrs is not a table of numbers (it has values of type <U3).",
        as_many("node"),
    ),
    "strings among objects": (
        lambda: gq.Graph(np.array([[1.0, "2"]], dtype=object)),
        "Graph: node_attrs is not a table of numbers ('2' is not a number).",
        as_many("node"),
    ),
    "None": (
        lambda: gq.Graph([[1.0], [None]]),
        "Graph: node_attrs is not a table of numbers (None is not a number).",
        as_many("node"),
    ),
    "complex numbers": (
        lambda: gq.Graph([1.0, 2.0], [(0, 1)], [1j]),
        "Graph: edge_attrs is not a table of numbers (it has values of type complex128).",
        as_many("edge"),
    ),
    "dates": (
        lambda: gq.Graph(np.array(["2024-01-01"], dtype="datetime64[D]")),
        "Graph: node_attrs is not a table of numbers (it has values of type datetime64[D]).",
        as_many("node"),
    ),
    "NaN": (
        lambda: gq.Graph([[1.0, 2.0], [3.0, np.nan]]),
        "Graph: node 1, attribute 1 is nan, not a finite number.",
        FINITE,
    ),
    "infinity": (
        lambda: gq.Graph(np.ones(3), [(2, 1), (0, 1)], [-np.inf, 1.0]),
        "Graph: edge 0, attribute 0 is -inf, not a finite number.",
        FINITE,
    ),
    "node attributes of three dimensions": (
        lambda: gq.Graph(np.ones((2, 2, 2))),
        "Graph: node_attrs has shape (2, 2, 2), expected (nodes, channels) with at least one channel.",
        ONES,
    ),
    "a number for node attributes": (
        lambda: gq.Graph(5.0),
        "Graph: node_attrs has shape (), expected (nodes, channels) with at least one channel.",
        ONES,
    ),
    "no channel": (
        lambda: gq.Graph(np.empty((3, 0))),
        "Graph: node_attrs has shape (3, 0), expected (nodes, channels) with at least one channel.",
        ONES,
    ),
    "no edge channel": (
        lambda: gq.Graph([1.0, 2.0], [(0, 1)], np.empty((1, 0))),
        "Graph: edge_attrs has shape (1, 0), expected (edges, channels) with at least one channel.",
        ONES,
    ),
    "edges of three nodes": (
        lambda: gq.Graph(np.ones(3), np.array([[0, 1, 2]])),
        "Graph: edges has shape (1, 3) and type int64, expected whole numbers of shape (edges, 2).",
        ONE_PAIR,
    ),
    "one flat edge": (
        lambda: gq.Graph(np.ones(3), np.array([0, 1])),
        "Graph: edges has shape (2,) and type int64, expected whole numbers of shape (edges, 2).",
        ONE_PAIR,
    ),
    "empty edges of the wrong shape": (
        lambda: gq.Graph(np.ones(3), np.empty((2, 0), dtype=np.int64)),
        "Graph: edges has shape (2, 0) and type int64, expected whole numbers of shape (edges, 2).",
        ONE_PAIR,
    ),
    "float edges": (
        lambda: gq.Graph(np.ones(3), [(0.0, 1.0)]),
        "Graph: edges has shape (1, 2) and type float64, expected whole numbers of shape (edges, 2).",
        ONE_PAIR,
    ),
    "no edges at all": (
        lambda: gq.Graph(np.ones(3), None),
        "Graph: edges has shape () and type object, expected whole numbers of shape (edges, 2).",
        ONE_PAIR,
    ),
    "edge attributes of other length": (
        lambda: gq.Graph(np.ones(3), [(0, 1), (1, 2)], [1.0]),
        "Graph: 2 edges but 1 row of edge_attrs.",
        "Give one row of attributes for each edge.",
    ),
    "groups of wrong length": (
        lambda: gq.Graph([1.0, 2.0], groups=[0]),
        "Graph: groups has shape (1,) and type int64, expected 2 whole numbers.",
        ONE_CLASS,
    ),
    "float groups": (
        lambda: gq.Graph([1.0, 2.0], groups=[0.0, 1.0]),
        "Graph: groups has shape (2,) and type float64, expected 2 whole numbers.",
        ONE_CLASS,
    ),
    "negative groups": (
        lambda: gq.Graph([1.0, 2.0], groups=[0, -1]),
        "Graph: the group of node 1 is -1, expected 0 to 2^31 - 1.",
        "Use class numbers that start at 0.",
    ),
}


COLLECTION = {
    "edge to a missing node": (
        lambda: many(edges=[(0, 1), (2, 3)], names=["a", "mol_017"]),
        "Graph 1 ('mol_017'): edge 0 joins nodes 2 and 3, but the graph has 2 nodes (0 to 1).",
        NUMBER_NODES,
    ),
    "self-loop": (lambda: many(edges=[(0, 1), (1, 1)]), "Graph 1: edge 0 is a self-loop at node 1.", LOOP),
    "duplicate edge": (
        lambda: many(edge_offsets=[0, 1, 3], edges=[(0, 1), (0, 1), (1, 0)], names=["a", "b"]),
        "Graph 1 ('b'): edge 1 repeats edge 0 (nodes 0 and 1).",
        ONCE,
    ),
    "NaN": (
        lambda: many(node_attrs=[1.0, 2.0, 3.0, np.nan]),
        "Graph 1: node 1, attribute 0 is nan, not a finite number.",
        FINITE,
    ),
    "negative group": (
        lambda: many(groups=[0, 0, -7, 0]),
        "Graph 1: the group of node 0 is -7, expected 0 to 2^31 - 1.",
        "Use class numbers that start at 0.",
    ),
    "ragged": (
        lambda: many(node_attrs=[[1.0], [2.0], [3.0, 4.0], [5.0]]),
        "The collection: node_attrs is not a table of numbers (row 2 has length 2, row 0 has length 1).",
        as_many("node"),
    ),
    "wrong shape": (
        lambda: many(node_attrs=np.ones((4, 1, 1))),
        "The collection: node_attrs has shape (4, 1, 1), "
        "expected (nodes, channels) with at least one channel.",
        ONES,
    ),
    "edge attributes of other length": (
        lambda: many(edge_attrs=[1.0, 2.0, 3.0]),
        "The collection: 2 edges but 3 rows of edge_attrs.",
        "Give one row of attributes for each edge.",
    ),
    "groups of wrong length": (
        lambda: many(groups=[0, 1]),
        "The collection: groups has shape (2,) and type int64, expected 4 whole numbers.",
        ONE_CLASS,
    ),
    "offsets that fall": (
        lambda: many(node_offsets=[0, 5, 4]),
        "The collection: node_offsets decreases from 5 to 4 at graph 1; "
        "expected whole numbers that increase from 0 to 4, "
        "the number of nodes.",
        offsets("node"),
    ),
    "offsets that end early": (
        lambda: many(edge_offsets=[0, 1, 1]),
        "The collection: edge_offsets goes from 0 to 1; "
        "expected whole numbers that increase from 0 to 2, "
        "the number of edges.",
        offsets("edge"),
    ),
    "offsets that start late": (
        lambda: many(node_offsets=[1, 2, 4]),
        "The collection: node_offsets goes from 1 to 4; "
        "expected whole numbers that increase from 0 to 4, "
        "the number of nodes.",
        offsets("node"),
    ),
    "float offsets": (
        lambda: many(node_offsets=[0, 1.5, 4]),
        "The collection: node_offsets has shape (3,) and type float64; "
        "expected whole numbers that increase from 0 to 4, "
        "the number of nodes.",
        offsets("node"),
    ),
    "no offsets": (
        lambda: many(edge_offsets=np.empty(0, dtype=np.int64)),
        "The collection: edge_offsets has shape (0,) and type int64; "
        "expected whole numbers that increase from 0 to 2, "
        "the number of edges.",
        offsets("edge"),
    ),
    "offsets for different numbers of graphs": (
        lambda: many(edge_offsets=[0, 2]),
        "The collection: node_offsets is for 2 graphs, edge_offsets for 1.",
        "Both need one entry more than there are graphs.",
    ),
    "wrong number of names": (lambda: many(names=["a"]), "1 name for 2 graphs.", ONE_NAME),
    "wrong number of names for a list": (
        lambda: gq.GraphCollection([DOT], names=["a", "b"]),
        "2 names for 1 graph.",
        ONE_NAME,
    ),
    "wrong number of new names": (
        lambda: gq.GraphCollection([DOT]).with_names([]),
        "0 names for 1 graph.",
        ONE_NAME,
    ),
    "a string for names": (
        lambda: gq.GraphCollection([DOT, DOT], names="ab"),
        "names='ab' is one name.",
        "Give a list, one name for each graph.",
    ),
    "mixed directedness": (
        lambda: gq.GraphCollection([DOT, gq.Graph([1.0], directed=True)], names=["a", "b"]),
        "Graph 1 ('b') is directed, graph 0 is undirected.",
        ONE_KIND,
    ),
    "mixed p": (
        lambda: gq.GraphCollection([gq.Graph([[1.0, 2.0]]), DOT]),
        "Graph 1 has 1 node attribute, graph 0 has 2.",
        "All graphs of a collection need equal numbers; AttributeEncoder fills missing ones. "
        "A graph with no nodes "
        "states it by the shape (0, 2) of node_attrs.",
    ),
    "mixed q": (
        lambda: gq.GraphCollection([DOT, gq.Graph([1.0, 2.0], [(0, 1)], [[1.0, 2.0]])]),
        "Graph 1 has 2 edge attributes, graph 0 has 1.",
        "All graphs of a collection need equal numbers; AttributeEncoder fills missing ones. "
        "A graph with no edges "
        "states it by the shape (0, 1) of edge_attrs.",
    ),
    "mixed groups": (
        lambda: gq.GraphCollection([DOT, gq.Graph([1.0], groups=[0])]),
        "Graph 1 has groups, unlike graph 0.",
        "Give groups to all graphs of a collection, or to none.",
    ),
    "mixed groups, the other way": (
        lambda: gq.GraphCollection([gq.Graph([1.0], groups=[0]), DOT]),
        "Graph 1 has no groups, unlike graph 0.",
        "Give groups to all graphs of a collection, or to none.",
    ),
    "no graphs": (
        lambda: gq.GraphCollection([]),
        "A collection needs at least one graph, to know its attributes.",
        "Pass at least one Graph.",
    ),
    "a number for graphs": (
        lambda: gq.GraphCollection(5),
        "An object of type int is not a sequence of graphs.",
        "Pass a list of Graph.",
    ),
    "something that is no graph": (
        lambda: gq.GraphCollection([DOT, nx.path_graph(2)]),
        "Graph 1 is of type networkx.Graph, expected a graphquant.Graph.",
        "Convert networkx and PyTorch Geometric graphs with as_collection.",
    ),
}


@pytest.mark.parametrize(("make", "message", "hint"), ONE_GRAPH.values(), ids=ONE_GRAPH.keys())
def test_one_graph(make, message, hint):
    check(make, message, hint)


@pytest.mark.parametrize(("make", "message", "hint"), COLLECTION.values(), ids=COLLECTION.keys())
def test_collection(make, message, hint):
    check(make, message, hint)


HUGE = 10**400


@pytest.mark.parametrize(
    "make",
    [
        lambda: gq.Graph([HUGE]),
        lambda: gq.Graph([1.0, 2.0], [(0, 1)], [HUGE]),
        lambda: gq.Graph.from_points([[0.0, HUGE]]),
        lambda: gq.Graph.from_sequence([HUGE, 1.0]),
        lambda: gq.distance(nx.Graph([(0, 1, {"w": HUGE})]), nx.Graph([(0, 1, {"w": 1})])),
    ],
)
def test_numbers_beyond_float64(make):
    with pytest.raises(gq.exceptions.InvalidGraphError, match="too large"):
        make()
