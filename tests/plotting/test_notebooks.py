"""What notebooks show."""

import graphquant as gq


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


def test_a_quantizer_shows_its_codebook_once_fitted() -> None:
    quantizer = gq.GraphQuantizer(2, max_cycles=1, random_state=0)
    assert "<svg" not in quantizer._repr_html_()
    quantizer.fit([gq.Graph([0.0]), gq.Graph([5.0])])
    assert quantizer._repr_html_().count("<svg") == 1
