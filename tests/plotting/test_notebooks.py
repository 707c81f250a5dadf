"""What notebooks show."""

import graphquant as gq


def test_a_graph_is_a_drawing() -> None:
    assert gq.Graph([1.0, 2.0], [(0, 1)])._repr_html_().startswith("<svg")


def test_a_match_is_a_table_of_nodes_and_positions() -> None:
    shown = gq.match(gq.Graph([0.0, 3.0]), gq.Graph([3.0, 0.0]))._repr_html_()
    assert "distance 0, proven" in shown
    assert "<th>position in y</th><td>1</td><td>0</td>" in shown


def test_a_quantizer_shows_its_codebook_once_fitted() -> None:
    quantizer = gq.GraphQuantizer(2, max_cycles=1, random_state=0)
    assert "<svg" not in quantizer._repr_html_()
    quantizer.fit([gq.Graph([0.0]), gq.Graph([5.0])])
    assert quantizer._repr_html_().count("<svg") == 1
