"""SVG pictures are well-formed, complete and harmless."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import graphquant as gq
from graphquant.plotting import codebook_svg, graph_svg, match_svg

SPACE = "{http://www.w3.org/2000/svg}"


def parse(text):
    root = ElementTree.fromstring(text)
    return root, lambda name: root.findall(f"{SPACE}{name}")


def test_every_node_and_edge_is_drawn_inside():
    letters = gq.datasets.make_letters(1)
    for x in letters.graphs:
        root, parts = parse(graph_svg(x, size=100, encoder=letters.encoder))
        assert len(parts("circle")) == x.order
        assert len(parts("line")) == x.n_edges
        places = np.array([[float(c.get("cx")), float(c.get("cy"))] for c in parts("circle")])
        assert ((places >= 5) & (places <= 95)).all()
        assert root.get("role") == "img"


def test_up_is_up():
    x = gq.Graph([[0.0, 0.0], [0.0, 1.0]])
    encoder = gq.preprocessing.AttributeEncoder(numeric="line").fit(
        [_network({"x": 0.0, "y": 0.0}), _network({"x": 0.0, "y": 1.0})]
    )
    _, parts = parse(graph_svg(x, encoder=encoder))
    low, high = (float(circle.get("cy")) for circle in parts("circle"))
    assert high < low


def _network(attributes):
    import networkx as nx

    network = nx.Graph()
    network.add_node(0, **attributes)
    return network


def arcs(directed=False):
    """A line, an arc, a line with an arc, and two arcs, as symbols of technical drawings have them."""
    import networkx as nx

    network = (nx.DiGraph if directed else nx.Graph)()
    network.add_node(0, x=0.0, y=0.0)
    for i, (first, second) in enumerate([("line", ""), ("arc", ""), ("line", "arc"), ("arc", "arc")], 1):
        network.add_node(i, x=float(i), y=float(i % 2))
        network.add_edge(i - 1, i, type0=first, **({"type1": second} if second else {}))
    encoder = gq.preprocessing.AttributeEncoder(missing="zero")
    return encoder.fit_transform([network])[0], encoder


def test_arcs_are_drawn_as_arcs():
    x, encoder = arcs()
    _, parts = parse(graph_svg(x, encoder=encoder))
    assert (len(parts("line")), len(parts("path"))) == (2, 4)
    assert all("Q" in path.get("d") for path in parts("path"))


def test_arcs_lie_inside_the_picture():
    import networkx as nx

    square = nx.cycle_graph(4)
    for i, (x, y) in enumerate([(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]):
        square.nodes[i].update(x=x, y=y)
    nx.set_edge_attributes(square, "arc", "type")
    encoder = gq.preprocessing.AttributeEncoder()
    graph = encoder.fit_transform([square])[0]
    _, parts = parse(graph_svg(graph, size=100, encoder=encoder))
    assert len(parts("path")) == 4
    for path in parts("path"):
        (x1, y1), (cx, cy), (x2, y2) = re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.get("d"))
        for start, control, end in ((x1, cx, x2), (y1, cy, y2)):
            assert 0 < 0.25 * float(start) + 0.5 * float(control) + 0.25 * float(end) < 100


def test_a_second_form_that_is_missing_is_not_drawn():
    import networkx as nx

    # Missing values become the shares of training, which are mostly arcs: no reason to draw one everywhere.
    network = nx.path_graph(6)
    kinds = [("line", "arc"), ("line", "arc"), ("arc", "line"), ("line", ""), ("arc", "")]
    for (start, end), (first, second) in zip(network.edges, kinds, strict=True):
        network.edges[start, end].update({"type0": first, **({"type1": second} if second else {})})
    encoder = gq.preprocessing.AttributeEncoder(missing="mean")
    with pytest.warns(gq.exceptions.GraphQuantWarning, match="missing"):
        graph = encoder.fit_transform([network])[0]
    _, parts = parse(graph_svg(graph, encoder=encoder))
    assert (len(parts("line")), len(parts("path"))) == (4, 4)


def test_directed_edges_have_arrows():
    x, encoder = arcs(directed=True)
    _, parts = parse(graph_svg(x, encoder=encoder))
    assert len(parts("polygon")) == x.n_edges
    both = gq.Graph([1.0, 2.0], [(0, 1), (1, 0)], directed=True)
    assert len(parse(graph_svg(both))[1]("polygon")) == 0


def test_titles_are_escaped():
    svg = graph_svg(gq.Graph([1.0]), title="</title><script>alert(1)</script>&")
    assert "<script" not in svg
    root, _ = parse(svg)
    assert root.find(f"{SPACE}title").text == "</title><script>alert(1)</script>&"


def test_the_title_counts():
    root, _ = parse(graph_svg(gq.Graph([1.0, 1.0], [(0, 1)])))
    assert root.find(f"{SPACE}title").text == "graph with 2 nodes and 1 edge"


@pytest.mark.parametrize("order", [0, 1])
def test_few_nodes(order):
    _, parts = parse(graph_svg(gq.Graph(np.ones((order, 1)))))
    assert len(parts("circle")) == order


def test_matched_nodes_are_linked():
    x, y = gq.Graph([1.0, 2.0, 3.0], [(0, 1)]), gq.Graph([1.0, 2.0])
    _, parts = parse(match_svg(x, y, gq.match(x, y)))
    assert len(parts("circle")) == 5
    assert len(parts("path")) == 2


def test_a_codebook_has_rows_and_numbers():
    codebook = gq.datasets.make_letters(1).graphs[:5]
    root, parts = parse(codebook_svg(codebook, size=50, n_columns=2, max_codes=3))
    assert [text.text for text in parts("text")] == ["0", "1", "2"]
    assert len(parts("circle")) == codebook.orders[:3].sum()
    assert root.get("width") == "100"
    assert root.find(f"{SPACE}title").text == "codebook of 5 graphs"
