"""Edits: in the user's names, in an order in which they can be done, and x becomes y by them."""

import networkx as nx
import numpy as np
import pytest

from graphquant.edit import edit_distance
from graphquant.preprocessing import EditCosts
from tests.reference.edits import random_graph, same

COSTS = {
    "unit": EditCosts(),
    "expensive changes": EditCosts(2.5, 1.0, 5.0, 1.0),
    "common edges": EditCosts.mces(),
}


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("costs", COSTS)
def test_edits_turn_x_into_y(costs, directed):
    rng = np.random.default_rng(0)
    for _ in range(40):
        x, y = (
            random_graph(rng, int(rng.integers(0, 6)), directed=directed, edge_labels="sd") for _ in range(2)
        )
        found = edit_distance(x, y, COSTS[costs])
        before = x.copy()
        assert same(found.apply(x), y)
        assert nx.utils.graphs_equal(x, before)
        assert sum(edit.cost for edit in found.edits) == pytest.approx(found.distance)
        assert len(found.edits) >= found.distance / 2.5


def test_names_words_and_mapping():
    """A node that is inserted has its own name; with a prime, as x has another node of this name."""
    x = nx.Graph([("a", "b", {"bond": "single"})])
    y = nx.Graph([("k", "l", {"bond": "double"}), ("l", "b", {"bond": "double"})])
    for graph, labels in ((x, "CN"), (y, "CNO")):
        nx.set_node_attributes(graph, dict(zip(graph, labels, strict=True)), "symbol")
    found = edit_distance(x, y)
    assert [str(edit) for edit in found.edits] == [
        "substitute edge a-b (single -> double)",
        "insert node b' (O)",
        "insert edge b-b' (double)",
    ]
    assert found.mapping == {"a": "k", "b": "l"}


def test_a_deleted_node_maps_to_none_and_directed_edges_have_arrows():
    x, y = nx.DiGraph([(1, 2), (2, 3)]), nx.DiGraph([(1, 2)])
    found = edit_distance(x, y)
    assert [str(edit) for edit in found.edits] in (
        ["delete edge 2->3", "delete node 3"],
        ["delete edge 1->2", "delete node 1"],
    )
    assert list(found.mapping.values()).count(None) == 1


def test_missing_labels_are_labels():
    x, y = nx.Graph(), nx.Graph()
    x.add_node(0, label="C")
    y.add_node(0)
    found = edit_distance(x, y)
    assert [str(edit) for edit in found.edits] == ["substitute node 0 (C -> none)"]
    assert found.apply(x).nodes[0] == {}


def test_atoms_keep_their_numbers_where_hydrogens_are_left_out():
    chem = pytest.importorskip("rdkit.Chem")
    molecule = chem.AddHs(chem.MolFromSmiles("CO"))
    reordered = chem.RenumberAtoms(molecule, [2, 0, 3, 4, 5, 1])
    found = edit_distance(reordered, chem.MolFromSmiles("CN"))
    assert [str(edit) for edit in found.edits] == ["substitute node 5 (O -> N)"]
    assert found.mapping == {1: 0, 5: 1}


def test_numbers_are_written_in_their_units():
    from graphquant.preprocessing import Numeric

    x, y = nx.Graph(), nx.Graph()
    x.add_node("p", x=1.5)
    y.add_node("q", x=2.0)
    found = edit_distance(x, y, EditCosts(node=Numeric("x")))
    assert str(found.edits[0]) == "substitute node p (1.5 -> 2)"
    assert found.distance == pytest.approx(0.25)
