"""Equal to networkx.graph_edit_distance, which is asked with the same costs."""

import networkx as nx
import numpy as np
import pytest

from graphquant.edit import edit_distance
from graphquant.preprocessing import EditCosts
from tests.reference.edits import random_graph


def labels_match(a, b):
    return a.get("label") == b.get("label")


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_labelled_graphs(directed):
    rng = np.random.default_rng(0)
    for _ in range(60):
        x, y = (
            random_graph(rng, int(rng.integers(0, 6)), directed=directed, density=0.4, edge_labels="sd")
            for _ in range(2)
        )
        expected = nx.graph_edit_distance(x, y, node_match=labels_match, edge_match=labels_match)
        assert edit_distance(x, y).distance == expected


def test_no_arguments():
    rng = np.random.default_rng(1)
    for _ in range(60):
        x, y = (random_graph(rng, int(rng.integers(0, 6)), density=0.5) for _ in range(2))
        assert edit_distance(x, y, EditCosts.like_networkx()).distance == nx.graph_edit_distance(x, y)


def sparse_graph(rng, n, *, directed=False):
    """Return a labelled tree with up to one more edge; networkx takes long for anything denser."""
    tree = nx.random_labeled_tree(n, seed=int(rng.integers(2**31)))
    graph = nx.DiGraph(tree.edges) if directed else tree
    graph.add_nodes_from(tree)
    if rng.random() < 0.5:
        graph.add_edge(*rng.choice(n, 2, replace=False).tolist())
    for node in graph:
        graph.nodes[node]["label"] = str(rng.choice(["C", "C", "N", "O"]))
    for edge in graph.edges:
        graph.edges[edge]["label"] = str(rng.choice(["s", "s", "d"]))
    return graph


def agree(rng, count, sizes, *, directed=False):
    for _ in range(count):
        x, y = (sparse_graph(rng, int(rng.integers(*sizes)), directed=directed) for _ in range(2))
        expected = nx.graph_edit_distance(x, y, node_match=labels_match, edge_match=labels_match)
        found = edit_distance(x, y)
        assert found.proven
        assert found.distance == expected


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_a_hundred_pairs_up_to_7_nodes(directed):
    agree(np.random.default_rng(3), 50, (3, 8), directed=directed)


def test_substitution_3_and_indel_1():
    """The case of the guide: edges are clamped, networkx says 2, vectors that are not clamped 3."""
    x, y = nx.Graph([(0, 1, {"label": "a"})]), nx.Graph([(0, 1, {"label": "b"})])
    expected = nx.graph_edit_distance(
        x,
        y,
        edge_subst_cost=lambda a, b: 3.0 * (a["label"] != b["label"]),
        edge_del_cost=lambda a: 1.0,
        edge_ins_cost=lambda a: 1.0,
    )
    assert edit_distance(x, y, EditCosts(edge_substitution=3.0)).distance == expected == 2.0
