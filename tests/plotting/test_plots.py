"""The plots take axes and return them, and draw what they are given."""

from types import SimpleNamespace

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidParameterError, MissingDependencyError
from graphquant.plotting import plot_codebook, plot_graph, plot_history, plot_map, plot_match
from tests.report.stand_in import StandIn


@pytest.fixture(scope="module")
def letters():
    return gq.datasets.make_letters(2)


@pytest.fixture
def ax():
    from matplotlib import pyplot

    return pyplot.subplots()[1]


def history():
    return [SimpleNamespace(cycle=c, distortion=9.0 / c, share=1.0 / c) for c in (1, 2, 3)]


def draw_all(letters, **options):
    quantizer = StandIn(letters.graphs[::2])
    yield plot_graph(letters.graphs[0], encoder=letters.encoder, **options)
    yield plot_codebook(quantizer, encoder=letters.encoder, **options)
    yield plot_match(letters.graphs[0], letters.graphs[1], encoder=letters.encoder, **options)
    yield plot_history(history(), **options)
    yield plot_map(quantizer, letters, **options)


def test_the_given_axes_are_returned(letters, ax):
    assert all(returned is ax for returned in draw_all(letters, ax=ax))


def test_new_axes_are_made(letters):
    figures = {returned.figure for returned in draw_all(letters)}
    assert len(figures) == 5
    for figure in figures:
        figure.canvas.draw()


def test_nodes_are_drawn_at_the_given_positions(ax):
    x = gq.Graph([1.0, 2.0, 3.0], [(0, 1), (1, 2)])
    positions = [[0.0, 0.0], [1.0, 2.0], [3.0, 1.0]]
    plot_graph(x, positions=positions, title="three", ax=ax)
    edges, nodes = ax.collections
    assert nodes.get_offsets().tolist() == positions
    assert len(edges.get_segments()) == 2
    assert ax.get_title() == "three"


def test_channels_as_positions(ax):
    x = gq.Graph([[5.0, 1.0], [6.0, 2.0]], [(0, 1)])
    plot_graph(x, positions=(1, 0), ax=ax)
    assert ax.collections[1].get_offsets().tolist() == [[1.0, 5.0], [2.0, 6.0]]


def test_a_graph_without_nodes(ax):
    plot_graph(gq.Graph(np.empty((0, 2))), ax=ax)
    ax.figure.canvas.draw()


def test_weak_edges_are_faint(ax):
    plot_graph(gq.Graph([1.0, 1.0, 1.0], [(0, 1), (1, 2)], [[1.0], [0.3]]), ax=ax)
    opacity = sorted(ax.collections[0].get_colors()[:, 3])
    assert opacity[0] < 0.4
    assert opacity[1] == 1.0


def test_links_leave_out_zero_nodes(ax):
    x, y = gq.Graph([1.0, 2.0, 3.0]), gq.Graph([1.0, 2.0])
    plot_match(x, y, gq.match(x, y), ax=ax)
    assert len(ax.collections[0].get_segments()) == 2


def test_a_match_of_other_graphs_is_refused(letters):
    x, y = gq.Graph([1.0, 2.0]), gq.Graph([1.0])
    with pytest.raises(InvalidParameterError, match="The match maps 1 nodes, but x has 2"):
        plot_match(x, y, gq.match(y, x))


def test_the_codebook_has_a_label_each(letters, ax):
    plot_codebook(letters.graphs[:5].with_names(list("abcde")), n_columns=2, ax=ax)
    assert [text.get_text() for text in ax.texts] == list("abcde")


@pytest.mark.parametrize("n_columns", [0, 1.5])
def test_wrong_columns_are_refused(letters, n_columns):
    with pytest.raises(InvalidParameterError, match="n_columns"):
        plot_codebook(letters.graphs, n_columns=n_columns)


def test_the_history_of_a_quantizer(ax):
    plot_history(SimpleNamespace(history_=history()), curve="share", ax=ax)
    x, y = ax.lines[0].get_data()
    assert list(x) == [1, 2, 3]
    np.testing.assert_allclose(y, [1.0, 1 / 2, 1 / 3])
    assert ax.get_ylim()[0] == 0.0


def test_an_unknown_curve_is_refused():
    with pytest.raises(InvalidParameterError, match=r"Unknown curve 'loss'\. Known: 'distortion', 'share'"):
        plot_history(history(), curve="loss")


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    import sys

    for name in ("matplotlib.pyplot", "matplotlib.collections"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingDependencyError, match=r"graphquant\[plot\]"):
        plot_graph(gq.Graph([1.0]))
