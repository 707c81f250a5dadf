"""What conversions and raw columns refuse, and how they say so."""

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.graphs import Column, RawGraphs, raw_from_networkx
from tests.graphs.bad_input import (
    FINITE,
    LOOP,
    NUMBER_NODES,
    ONE_CLASS,
    ONE_KIND,
    ONE_NAME,
    ONE_PAIR,
    check,
    offsets,
)

DOT = gq.Graph([1.0])


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


NOT_GRAPHS = "An object of type {} is not a collection of graphs."
COLLECT_HINT = "Pass a list of Graph, networkx or PyTorch Geometric graphs; read files with graphquant.read."

CONVERSION = {
    "no graphs": (
        lambda: gq.as_collection([]),
        "A collection needs at least one graph, to know its attributes.",
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
        "Graph 1: a multigraph may have several edges between two nodes, a Graph has at most one.",
        "Merge them, for example with networkx.Graph(multigraph).",
    ),
    "string attribute": (
        lambda: gq.as_collection([networkx([(0, {"symbol": "C"})])]),
        "Graph 0: node 0, attribute 'symbol': 'C' is not a number.",
        "Encode names with AttributeEncoder().fit_transform(graphs), or omit the attribute.",
    ),
    "numeral in a string": (
        lambda: gq.from_networkx(networkx(edges=[("a", "b", {"w": "1"})])),
        "Graph: edge ('a', 'b'), attribute 'w': '1' is not a number.",
        "Encode names with AttributeEncoder().fit_transform(graphs), or omit the attribute.",
    ),
    "None for an attribute": (
        lambda: gq.from_networkx(networkx([("u", {"x": None})])),
        "Graph: node 'u', attribute 'x': None is not a number.",
        "Encode names with AttributeEncoder().fit_transform(graphs), or omit the attribute.",
    ),
    "missing attribute": (
        lambda: gq.as_collection([networkx([(0, {"x": 1.0})]), networkx([("u", {"y": 1.0})])]),
        "Graph 0: node 0 has no attribute 'y'.",
        "Give it a value, choose others with node_attrs= and edge_attrs=, or use "
        "AttributeEncoder().fit_transform(graphs).",
    ),
    "chosen attribute that nobody has": (
        lambda: gq.from_networkx(nx.path_graph(2), edge_attrs=["w"]),
        "Graph: edge (0, 1) has no attribute 'w'.",
        "Give it a value, choose others with node_attrs= and edge_attrs=, or use "
        "AttributeEncoder().fit_transform(graphs).",
    ),
    "vectors of different length": (
        lambda: gq.as_collection([networkx([(0, {"pos": (1, 2)})]), networkx([(0, {"pos": (1, 2, 3)})])]),
        "Graph 1: node 0, attribute 'pos' has 3 numbers, others have 2.",
        "Give the attribute the same number of values everywhere.",
    ),
    "missing group": (
        lambda: gq.from_networkx(networkx([(0, {"g": 1}), (1, {})]), groups="g"),
        "Graph: node 1 has no attribute 'g', the class of the node.",
        "Give every node its class as a whole number, or omit groups=.",
    ),
    "one name for a list of names": (
        lambda: gq.from_networkx(nx.path_graph(2), node_attrs="xy"),
        "node_attrs='xy' is one name.",
        "Give a list of names: node_attrs=['xy'].",
    ),
    "a name twice": (
        lambda: gq.from_networkx(nx.path_graph(2), node_attrs=["x", "x"]),
        "node_attrs=['x', 'x'] repeats a name.",
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
        "Graph 1: has neither x nor num_nodes, so the number of nodes is unknown.",
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
    "PyG: edges in a sparse matrix": (
        lambda: pyg(edge_index=None, adj_t=np.eye(2)),
        "Graph 1: has its edges in adj_t, not in edge_index.",
        "Remove the transform that moves them, ToSparseTensor.",
    ),
    "SMILES": (
        lambda: gq.as_collection(["CCO"]),
        "Strings, for example SMILES, are not vectors yet.",
        "Encode them first: AttributeEncoder().fit_transform(graphs).",
    ),
    "list of raw graphs": (
        lambda: gq.as_collection([raw()]),
        "Graphs with named raw attributes are not vectors yet.",
        "Encode them first: AttributeEncoder().fit_transform(graphs).",
    ),
    "a missing graph": (
        lambda: gq.as_collection([DOT, None]),
        "Graph 1 is missing: row 1 holds None.",
        "Leave missing rows out, for example with dropna(); RDKit returns None for a molecule that it "
        "cannot read.",
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
        "expected whole numbers that increase from 0 to 0, "
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
        "Graph 0 ('m'): a multigraph may have several edges between two nodes, a Graph has at most one.",
        "Merge them, for example with networkx.Graph(multigraph).",
    ),
    "networkx: an attribute of another kind": (
        lambda: raw_from_networkx([networkx([(0, {"x": 1}), ("u", {"x": {"y": 1}})])], names=["g"]),
        "Graph 0 ('g'): node 'u', attribute 'x': a value of type dict is not a number, a string or a vector "
        "of numbers.",
        "Turn it into one of these, or remove the attribute.",
    ),
    "networkx: vectors of different length": (
        lambda: raw_from_networkx([networkx(edges=[(0, 1, {"w": [1]}), (1, 2, {"w": [1, 2]})])]),
        "Graph 0: edge (1, 2), attribute 'w' has 2 numbers, others have 1.",
        "Give the attribute the same number of values everywhere.",
    ),
    "networkx: uneven rows in one value": (
        lambda: raw_from_networkx([networkx([(0, {"x": [[1], [2, 3]]})])]),
        "Graph 0: node 0, attribute 'x': a value of type list is not a number, a string or a vector "
        "of numbers.",
        "Turn it into one of these, or remove the attribute.",
    ),
    "networkx: part of a vector with a taken name": (
        lambda: raw_from_networkx([networkx([(0, {"x": (1, 2), "x1": 3})])]),
        "There are two attributes 'x1': one of this name, one from a vector.",
        "Rename one of them.",
    ),
    "networkx: no graph": (
        lambda: raw_from_networkx([3]),
        "Graph 0 is of type int, expected a networkx graph.",
        "Pass a networkx.Graph or networkx.DiGraph.",
    ),
}


@pytest.mark.parametrize(("make", "message", "hint"), CONVERSION.values(), ids=CONVERSION.keys())
def test_conversion(make, message, hint):
    check(make, message, hint)


@pytest.mark.parametrize(("make", "message", "hint"), RAW.values(), ids=RAW.keys())
def test_raw(make, message, hint):
    check(make, message, hint)
