"""What notebooks show."""

import sys

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import as_graphs
from graphquant.learning.summary import summaries
from graphquant.plotting.palette import GLOW

# How RDKit fills what is highlighted.
_BAND = "fill:#A8E0CC"


def test_a_graph_is_a_drawing() -> None:
    assert gq.Graph([1.0, 2.0], [(0, 1)])._repr_html_().startswith("<svg")


def test_a_match_is_a_table_of_nodes_and_positions() -> None:
    shown = gq.match(gq.Graph([0.0, 3.0]), gq.Graph([3.0, 0.0]))._repr_html_()
    assert "distance 0, proven" in shown
    assert "<th>position in y</th><td>1</td><td>0</td>" in shown


def test_a_match_draws_its_links() -> None:
    shown = gq.match(gq.Graph([0.0, 3.0]), gq.Graph([3.0, 0.0]))._repr_html_()
    assert shown.count("<svg") == 1
    assert shown.count("<path") == 2


def test_an_encoded_graph_is_drawn_at_its_positions() -> None:
    letters = gq.datasets.make_letters(1)
    assert letters[0]._repr_html_() == gq.plotting.graph_svg(letters[0], encoder=letters.encoder)
    assert letters[0]._repr_html_() != letters[0].with_schema(None)._repr_html_()


def test_a_quantizer_shows_cards_once_fitted() -> None:
    quantizer = gq.GraphQuantizer(2, max_cycles=1, random_state=0)
    assert "<svg" not in quantizer._repr_html_()
    quantizer.fit([gq.Graph([0.0]), gq.Graph([5.0])])
    assert quantizer._repr_html_().count("<svg") == 2
    assert quantizer._repr_html_().endswith(gq.plotting.cluster_cards(quantizer))


def test_cards_come_by_size_with_the_core_set_off() -> None:
    letters = gq.datasets.make_letters(4)
    quantizer = gq.GraphQuantizer(15, random_state=0).fit(letters)
    cards = gq.plotting.cluster_cards(quantizer, n=3)
    assert "Not shown: 12 smaller groups." in cards
    sizes = [int(text.split(" graph")[0]) for text in cards.split("<br>")[1::2]]
    assert sizes == sorted(np.bincount(quantizer.labels_), reverse=True)[:3]
    first = int(cards.split("<b>Group ")[1].split("<")[0])
    # One dot below each node of the core, and one for each node.
    core, medoid = quantizer.core(first).graph, quantizer.medoids_[first]
    assert cards.split("</svg>")[0].count("<circle") == core.order + medoid.order


def test_cards_set_off_only_edges_of_the_core() -> None:
    path, ring = nx.path_graph(3), nx.cycle_graph(3)
    for graph in (path, ring):
        nx.set_node_attributes(graph, dict(enumerate("abc")), "label")
    quantizer = gq.GraphQuantizer(1, random_state=0).fit([ring, ring, ring, path, path])
    assert (quantizer.medoids_[0].n_edges, quantizer.core(0).graph.n_edges) == (3, 2)
    card = gq.plotting.cluster_cards(quantizer)
    assert card.count(f'stroke="{GLOW}"') == 2
    graphs = quantizer.encoder_.transform([ring, ring, ring, path, path])
    cluster = summaries(quantizer, graphs, quantizer.match(graphs))[0]
    assert cluster.medoid_core.tolist() == [0, 1, 2]
    assert cluster.medoid_core_edges.tolist() == [[0, 1], [1, 2]]


def test_bonds_are_set_off_by_name_or_between_atoms() -> None:
    ring = as_graphs(["C1CC1"])

    def bands(**options) -> int:
        # A band below each bond that is highlighted, and below each atom.
        return gq.plotting.molecule_svg(ring, **options).count(_BAND)

    assert bands() == 0
    atoms = bands(highlight=[0, 1, 2], highlight_edges=[])
    assert bands(highlight=[0, 1, 2]) == atoms + 3
    assert bands(highlight=[0, 1, 2], highlight_edges=[(1, 0), (1, 2)]) == atoms + 2


def test_cards_of_molecules_with_and_without_rdkit(monkeypatch) -> None:
    quantizer = gq.GraphQuantizer(2, random_state=0).fit(["CCO", "CCCO", "c1ccccc1", "Cc1ccccc1"])
    assert "2 molecules" in gq.plotting.cluster_cards(quantizer)
    assert "class='bond-0" in gq.plotting.cluster_cards(quantizer)
    for name in ("rdkit", "rdkit.Chem"):
        monkeypatch.setitem(sys.modules, name, None)
    plain = gq.plotting.cluster_cards(quantizer)
    assert "class='bond-0" not in plain
    assert plain.count("<svg") == 2


def test_cards_need_a_fit() -> None:
    with pytest.raises(InvalidParameterError, match="no medoids to draw"):
        gq.plotting.cluster_cards(gq.GraphQuantizer(2))
