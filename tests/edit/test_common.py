"""Maximum common edge subgraphs: equal to brute force, and what comes with them."""

import networkx as nx
import numpy as np
import pytest

from graphquant.edit import common_subgraph, edit_distance
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import as_graphs
from graphquant.preprocessing import EditCosts
from tests.reference import edits as oracle


def weigh(data):
    return 2.5 if data.get("label") == "d" else 1.0


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_brute_force(directed, weighted):
    rng = np.random.default_rng(0)
    costs = EditCosts.mces(weights={"d": 2.5} if weighted else None)
    weight = weigh if weighted else lambda data: 1.0
    for _ in range(60):
        x, y = (
            oracle.random_graph(
                rng, int(rng.integers(1, 6)), directed=directed, node_labels="CN", edge_labels="sd"
            )
            for _ in range(2)
        )
        best = oracle.common_edges(x, y, weight=weight)
        total = sum(weight(data) for graph in (x, y) for *_, data in graph.edges(data=True))
        found = common_subgraph(x, y, costs)
        assert found.proven
        assert found.upper_bound == pytest.approx(best)
        assert found.distance == pytest.approx(total - 2 * best)
        assert edit_distance(x, y, costs).distance == pytest.approx(total - 2 * best)
        if not weighted:
            assert found.n_edges == best
        _check_common(found, x, y)


def _check_common(found, x, y):
    """The subgraph is in both graphs, under the pairs of nodes."""
    names = dict(enumerate(found.pairs))
    assert found.graph.n_edges == found.n_edges
    assert found.graph.order == len(found.pairs)
    drawn = found.graph.to_networkx()
    for a, b, data in drawn.edges(data=True):
        for side, graph in enumerate((x, y)):
            ends = names[a][side], names[b][side]
            assert graph.edges[ends] == data
            assert [graph.nodes[end] for end in ends] == [drawn.nodes[a], drawn.nodes[b]]


def test_unordered_ends_would_be_wrong():
    """C-N-C and N-C-N share one edge, not two: one end cannot serve both."""
    assert common_subgraph("CNC", "NCN").n_edges == 1


def test_smarts_is_in_both_molecules():
    chem = pytest.importorskip("rdkit.Chem")
    x, y = "c1ccccc1CCO", "c1ccncc1CCN"
    found = common_subgraph(x, y)
    query = chem.MolFromSmarts(found.smarts)
    assert query.GetNumBonds() == found.n_edges
    for text in (x, y):
        molecule = chem.MolFromSmiles(text)
        matched = molecule.GetSubstructMatch(query)
        assert len(matched) == len(found.pairs)


def test_costs_of_nodes_are_refused():
    with pytest.raises(InvalidParameterError, match="also has costs for nodes"):
        common_subgraph("CC", "CO", EditCosts())


def test_nothing_in_common():
    found = common_subgraph("CC", "OO")
    assert (found.n_edges, found.pairs, found.upper_bound, found.distance) == (0, (), 0.0, 2.0)


def test_rdkit_finds_as_many_bonds():
    """With its threshold and whole aromatic rings switched off; it does not report single bonds."""
    chem = pytest.importorskip("rdkit.Chem")
    mces = pytest.importorskip("rdkit.Chem.rdRascalMCES")
    options = mces.RascalOptions()
    options.similarityThreshold = 0.0
    options.completeAromaticRings = False
    texts = ["CCO", "CC(C)CN", "c1ccccc1CO", "O=C(O)c1ccccc1", "CC(=O)NCC", "C1CCCCC1N", "c1ccncc1C"]
    for i, x in enumerate(texts):
        for y in texts[:i]:
            found = common_subgraph(x, y).n_edges
            other = mces.FindMCES(chem.MolFromSmiles(x), chem.MolFromSmiles(y), options)
            assert found <= 1 if not other else found == len(other[0].bondMatches())


@pytest.mark.parametrize("edge_indel", [1.0, 2.5])
def test_an_edge_without_labels_costs_what_the_costs_say(edge_indel):
    def path(labels):
        graph = nx.path_graph(len(labels))
        nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
        return graph

    costs = EditCosts.mces().set_params(edge_indel=edge_indel)
    assert edit_distance(path("abc"), path("ab"), costs).distance == edge_indel


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_the_way_back_keeps_the_direction_of_edges(kind):
    graphs = [nx.path_graph(n, create_using=kind) for n in (3, 2)]
    for graph in graphs:
        nx.set_node_attributes(graph, dict(enumerate("abc")), "label")
    costs = EditCosts.mces()
    back = costs.inverse_transform(costs.fit_transform(as_graphs(graphs)))
    assert back.directed == (kind is nx.DiGraph)
    assert back.edges.tolist() == [[0, 1], [1, 2], [0, 1]]
