"""What the data model refuses, and how it says so: the graph, the field, what was expected, what to do."""

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs import Column, RawGraphs, raw_from_networkx

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


def raw(**change):
    plain = {
        "node_offsets": [0, 2],
        "edge_offsets": [0, 1],
        "edges": [(0, 1)],
        "node_columns": {},
        "edge_columns": {},
    }
    return RawGraphs(**(plain | change))


def pyg(**change):
    plain = {
        "x": np.ones((2, 1)),
        "edge_index": np.array([[0, 1], [1, 0]]),
        "edge_attr": None,
        "num_nodes": 2,
    }
    return gq.as_collection([SimpleNamespace(**plain), SimpleNamespace(**(plain | change))])


def networkx(nodes=(), edges=(), kind=nx.Graph):
    graph = kind()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return graph


def check(make, message, hint):
    """The call raises exactly this message and this hint."""
    with pytest.raises(InvalidGraphError, match=r"\S") as caught:
        make()
    assert caught.value.message == message
    assert caught.value.hint == hint
    assert str(caught.value) == f"{message} {hint}"


NUMBER_NODES = "Number the nodes of each graph from 0."
ONE_PAIR = "Give one pair of node numbers for each edge."
FINITE = "Mend or impute the value (AttributeEncoder has a missing-value policy)."
ONCE = "An undirected edge is given once; merge their attributes, or pass directed=True."
ONE_KIND = "Make all of them one kind: an undirected edge is two directed ones."
ONE_CLASS = "Give one class number for each node."
ONE_NAME = "Give one name for each graph."
LOOP = "Put what a self-loop says into the attributes of its node."
ONES = "Without attributes, give one channel of ones."


def as_many(what):
    return f"Give as many numbers for each {what}; encode names with AttributeEncoder."


def offsets(what):
    return f"Give the first {what} of each graph, and the number of all {what}s at the end."


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
        "Graph: node_attrs has shape (2, 2, 2), expected (nodes, channels) with one channel or more.",
        ONES,
    ),
    "a number for node attributes": (
        lambda: gq.Graph(5.0),
        "Graph: node_attrs has shape (), expected (nodes, channels) with one channel or more.",
        ONES,
    ),
    "no channel": (
        lambda: gq.Graph(np.empty((3, 0))),
        "Graph: node_attrs has shape (3, 0), expected (nodes, channels) with one channel or more.",
        ONES,
    ),
    "no edge channel": (
        lambda: gq.Graph([1.0, 2.0], [(0, 1)], np.empty((1, 0))),
        "Graph: edge_attrs has shape (1, 0), expected (edges, channels) with one channel or more.",
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
        "Number the classes of nodes from 0.",
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
        "Number the classes of nodes from 0.",
    ),
    "ragged": (
        lambda: many(node_attrs=[[1.0], [2.0], [3.0, 4.0], [5.0]]),
        "The collection: node_attrs is not a table of numbers (row 2 has length 2, row 0 has length 1).",
        as_many("node"),
    ),
    "wrong shape": (
        lambda: many(node_attrs=np.ones((4, 1, 1))),
        "The collection: node_attrs has shape (4, 1, 1), "
        "expected (nodes, channels) with one channel or more.",
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
        "The collection: node_offsets falls from 5 to 4 at graph 1; "
        "expected whole numbers that rise from 0 to 4, "
        "the number of nodes.",
        offsets("node"),
    ),
    "offsets that end early": (
        lambda: many(edge_offsets=[0, 1, 1]),
        "The collection: edge_offsets goes from 0 to 1; "
        "expected whole numbers that rise from 0 to 2, "
        "the number of edges.",
        offsets("edge"),
    ),
    "offsets that start late": (
        lambda: many(node_offsets=[1, 2, 4]),
        "The collection: node_offsets goes from 1 to 4; "
        "expected whole numbers that rise from 0 to 4, "
        "the number of nodes.",
        offsets("node"),
    ),
    "float offsets": (
        lambda: many(node_offsets=[0, 1.5, 4]),
        "The collection: node_offsets has shape (3,) and type float64; "
        "expected whole numbers that rise from 0 to 4, "
        "the number of nodes.",
        offsets("node"),
    ),
    "no offsets": (
        lambda: many(edge_offsets=np.empty(0, dtype=np.int64)),
        "The collection: edge_offsets has shape (0,) and type int64; "
        "expected whole numbers that rise from 0 to 2, "
        "the number of edges.",
        offsets("edge"),
    ),
    "offsets for different numbers of graphs": (
        lambda: many(edge_offsets=[0, 2]),
        "The collection: node_offsets is for 2 graphs, edge_offsets for 1.",
        "Give both one entry more than there are graphs.",
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
        "All graphs of a collection have as many; AttributeEncoder fills missing ones, "
        "and a graph with no nodes "
        "says how many it has by the shape (0, 2) of node_attrs.",
    ),
    "mixed q": (
        lambda: gq.GraphCollection([DOT, gq.Graph([1.0, 2.0], [(0, 1)], [[1.0, 2.0]])]),
        "Graph 1 has 2 edge attributes, graph 0 has 1.",
        "All graphs of a collection have as many; AttributeEncoder fills missing ones, "
        "and a graph with no edges "
        "says how many it has by the shape (0, 1) of edge_attrs.",
    ),
    "mixed groups": (
        lambda: gq.GraphCollection([DOT, gq.Graph([1.0], groups=[0])]),
        "Graph 1 has groups, unlike graph 0.",
        "Give groups to all graphs of a collection or to none.",
    ),
    "mixed groups, the other way": (
        lambda: gq.GraphCollection([gq.Graph([1.0], groups=[0]), DOT]),
        "Graph 1 has no groups, unlike graph 0.",
        "Give groups to all graphs of a collection or to none.",
    ),
    "no graphs": (
        lambda: gq.GraphCollection([]),
        "A collection needs one graph or more, to know its attributes.",
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

NOT_GRAPHS = "An object of type {} is not a collection of graphs."
COLLECT_HINT = "Pass a list of Graph, networkx or PyTorch Geometric graphs; read files with graphquant.read."

CONVERSION = {
    "no graphs": (
        lambda: gq.as_collection([]),
        "A collection needs one graph or more, to know its attributes.",
        "Pass at least one Graph.",
    ),
    "a string": (
        lambda: gq.as_collection("letters.gxl"),
        NOT_GRAPHS.format("str"),
        COLLECT_HINT,
    ),
    "a number": (
        lambda: gq.as_collection(5.0),
        NOT_GRAPHS.format("float"),
        COLLECT_HINT,
    ),
    "None": (
        lambda: gq.as_collection(None),
        NOT_GRAPHS.format("NoneType"),
        COLLECT_HINT,
    ),
    "raw graphs": (
        lambda: gq.as_collection(raw()),
        "These graphs have named raw attributes, not vectors yet.",
        "Encode them first: AttributeEncoder().fit_transform(graphs).",
    ),
    "unknown item": (
        lambda: gq.as_collection([DOT, 3]),
        "Graph 1 is of type int, expected a Graph, a networkx graph or PyTorch Geometric data.",
        "Convert it first, or leave it out.",
    ),
    "mixed kinds": (
        lambda: gq.as_collection([DOT, nx.path_graph(2)]),
        "Graphs of several kinds are mixed: graphquant.Graph, networkx.Graph.",
        "Convert all of them to one kind first.",
    ),
    "multigraph": (
        lambda: gq.as_collection([nx.path_graph(2), nx.MultiGraph()]),
        "Graph 1: a multigraph may have several edges between two nodes, a Graph has one.",
        "Merge them, for example with networkx.Graph(multigraph).",
    ),
    "string attribute": (
        lambda: gq.as_collection([networkx([(0, {"symbol": "C"})])]),
        "Graph 0: node 0, attribute 'symbol': 'C' is not a number.",
        "Encode names with AttributeEncoder, or leave the attribute out.",
    ),
    "numeral in a string": (
        lambda: gq.from_networkx(networkx(edges=[("a", "b", {"w": "1"})])),
        "Graph: edge ('a', 'b'), attribute 'w': '1' is not a number.",
        "Encode names with AttributeEncoder, or leave the attribute out.",
    ),
    "None for an attribute": (
        lambda: gq.from_networkx(networkx([("u", {"x": None})])),
        "Graph: node 'u', attribute 'x': None is not a number.",
        "Encode names with AttributeEncoder, or leave the attribute out.",
    ),
    "missing attribute": (
        lambda: gq.as_collection([networkx([(0, {"x": 1.0})]), networkx([("u", {"y": 1.0})])]),
        "Graph 0: node 0 has no attribute 'y'.",
        "Give it a value, choose others with node_attrs= and edge_attrs=, or use AttributeEncoder.",
    ),
    "chosen attribute that nobody has": (
        lambda: gq.from_networkx(nx.path_graph(2), edge_attrs=["w"]),
        "Graph: edge (0, 1) has no attribute 'w'.",
        "Give it a value, choose others with node_attrs= and edge_attrs=, or use AttributeEncoder.",
    ),
    "vectors of different length": (
        lambda: gq.as_collection([networkx([(0, {"pos": (1, 2)})]), networkx([(0, {"pos": (1, 2, 3)})])]),
        "Graph 1: node 0, attribute 'pos' has 3 numbers, others have 2.",
        "Give the attribute as many numbers everywhere.",
    ),
    "missing group": (
        lambda: gq.from_networkx(networkx([(0, {"g": 1}), (1, {})]), groups="g"),
        "Graph: node 1 has no attribute 'g', the class of the node.",
        "Give every node its class as a whole number, or leave groups= out.",
    ),
    "one name for a list of names": (
        lambda: gq.from_networkx(nx.path_graph(2), node_attrs="xy"),
        "node_attrs='xy' is one name.",
        "Give a list of names: node_attrs=['xy'].",
    ),
    "a name twice": (
        lambda: gq.from_networkx(nx.path_graph(2), node_attrs=["x", "x"]),
        "node_attrs=['x', 'x'] has a name twice.",
        "Give each name once.",
    ),
    "networkx self-loop": (
        lambda: gq.as_collection([nx.path_graph(2), nx.Graph([("a", "a")])]),
        "Graph 1: edge 0 is a self-loop at node 0.",
        LOOP,
    ),
    "networkx NaN, with names": (
        lambda: gq.as_collection([nx.Graph([(0, 1, {"w": np.nan})], name="broken")]),
        "Graph 0 ('broken'): edge 0, attribute 0 is nan, not a finite number.",
        FINITE,
    ),
    "no networkx graph": (
        lambda: gq.from_networkx(DOT),
        "Graph is of type graphquant.Graph, expected a networkx graph.",
        "Pass a networkx.Graph or networkx.DiGraph.",
    ),
    "wrong number of channel names": (
        lambda: gq.to_networkx(DOT, node_attrs=["x", "y"]),
        "node_attrs has 2 names for 1 channel.",
        "Give one name for each channel.",
    ),
    "PyG: edge_index the other way round": (
        lambda: pyg(edge_index=np.array([[0, 1], [1, 2], [2, 0]])),
        "Graph 1: edge_index has shape (3, 2), expected (2, edges).",
        "Give the first nodes of all edges, then the second nodes.",
    ),
    "PyG: x of other length": (
        lambda: pyg(num_nodes=3),
        "Graph 1: x has shape (2, 1) for 3 nodes.",
        "Give one row of x for each node.",
    ),
    "PyG: unknown number of nodes": (
        lambda: pyg(x=None, num_nodes=None),
        "Graph 1: has neither x nor num_nodes, so the number of its nodes is not known.",
        "Set num_nodes.",
    ),
    "PyG: edge_attr of other length": (
        lambda: pyg(edge_attr=np.ones((3, 1))),
        "Graph 1: 2 edges but 3 rows of edge_attrs.",
        "Give one row of attributes for each edge.",
    ),
    "PyG: self-loop": (
        lambda: pyg(edge_index=np.array([[1], [1]])),
        "Graph 1: edge 0 is a self-loop at node 1.",
        LOOP,
    ),
    "PyG: float edges": (
        lambda: pyg(edge_index=np.array([[0.0, 1.0], [1.0, 0.0]])),
        "Graph 1: edges has shape (1, 2) and type float64, expected whole numbers of shape (edges, 2).",
        ONE_PAIR,
    ),
}

RAW = {
    "column of other length": (
        lambda: raw(node_columns={"x": Column.from_numbers([1])}),
        "The graphs: node attribute 'x' has 1 value for 2 nodes.",
        "Give one value for each node, missing ones as None.",
    ),
    "edge column of other length": (
        lambda: raw(edge_columns={"w": Column.from_numbers([])}),
        "The graphs: edge attribute 'w' has 0 values for 1 edge.",
        "Give one value for each edge, missing ones as None.",
    ),
    "edge to a missing node": (
        lambda: raw(edges=[(0, 2)], names=["mol_017"]),
        "Graph 0 ('mol_017'): edge 0 joins nodes 0 and 2, but the graph has 2 nodes (0 to 1).",
        NUMBER_NODES,
    ),
    "no offsets": (
        lambda: raw(node_offsets=[]),
        "The graphs: node_offsets has shape (0,) and type float64; "
        "expected whole numbers that rise from 0 to 0, "
        "the number of nodes.",
        offsets("node"),
    ),
    "wrong number of names": (lambda: raw(names=["a", "b"]), "2 names for 1 graph.", ONE_NAME),
    "groups of wrong length": (
        lambda: raw(groups=[0]),
        "The graphs: groups has shape (1,) and type int64, expected 2 whole numbers.",
        ONE_CLASS,
    ),
    "networkx: mixed directedness": (
        lambda: raw_from_networkx([nx.Graph(), nx.DiGraph()]),
        "Graph 1 is directed, graph 0 is undirected.",
        ONE_KIND,
    ),
    "networkx: multigraph": (
        lambda: raw_from_networkx([nx.MultiGraph()], names=["m"]),
        "Graph 0 ('m'): a multigraph may have several edges between two nodes, a Graph has one.",
        "Merge them, for example with networkx.Graph(multigraph).",
    ),
    "networkx: attribute of several kinds": (
        lambda: raw_from_networkx([networkx([(0, {"x": 1}), (1, {"x": "one"})])]),
        "node attribute 'x' has values of type int, str, expected all numbers or all strings.",
        "Make it one kind; a vector is given as one attribute for each of its numbers.",
    ),
    "networkx: no graph": (
        lambda: raw_from_networkx([3]),
        "Graph 0 is of type int, expected a networkx graph.",
        "Pass a networkx.Graph or networkx.DiGraph.",
    ),
}


@pytest.mark.parametrize(("make", "message", "hint"), ONE_GRAPH.values(), ids=ONE_GRAPH.keys())
def test_one_graph(make, message, hint):
    check(make, message, hint)


@pytest.mark.parametrize(("make", "message", "hint"), COLLECTION.values(), ids=COLLECTION.keys())
def test_collection(make, message, hint):
    check(make, message, hint)


@pytest.mark.parametrize(("make", "message", "hint"), CONVERSION.values(), ids=CONVERSION.keys())
def test_conversion(make, message, hint):
    check(make, message, hint)


@pytest.mark.parametrize(("make", "message", "hint"), RAW.values(), ids=RAW.keys())
def test_raw(make, message, hint):
    check(make, message, hint)
