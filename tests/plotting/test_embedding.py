"""Maps of graphs and code graphs."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.plotting.embedding import _far_apart, embed, map_graphs


def distances(a, b):
    return np.linalg.norm(a[:, None] - b[None], axis=2)


@pytest.fixture
def plane():
    rng = np.random.default_rng(0)
    codes = rng.normal(size=(6, 2)) * 5
    labels = np.repeat(np.arange(6), 10)
    graphs = codes[labels] + 0.5 * rng.normal(size=(60, 2))
    return codes, graphs, distances(graphs, codes).argmin(axis=1)


def test_distances_of_the_plane_are_kept(plane):
    codes, graphs, labels = plane
    found = embed(distances(codes, codes), distances(graphs, codes))
    assert found.error < 0.01
    np.testing.assert_allclose(distances(found.codes, found.codes), distances(codes, codes), atol=0.2)
    assert (distances(found.graphs, found.codes).argmin(axis=1) == labels).all()


def test_unknown_distances_are_left_out(plane):
    codes, graphs, labels = plane
    known = distances(graphs, codes)
    known[labels != 5, 5] = np.nan
    found = embed(distances(codes, codes), known)
    assert np.isfinite(found.graphs).all()
    assert (distances(found.graphs, found.codes).argmin(axis=1) == labels).all()


def test_one_code_graph():
    found = embed(np.zeros((1, 1)), np.array([[1.0], [2.0]]))
    np.testing.assert_allclose(np.linalg.norm(found.graphs, axis=1), [1.0, 2.0])


def test_equal_code_graphs():
    found = embed(np.zeros((3, 3)), np.zeros((4, 3)))
    assert np.isfinite(found.codes).all()
    assert np.isfinite(found.graphs).all()
    assert found.error == 0.0


def test_landmarks_lie_far_apart():
    line = np.arange(10.0)[:, None]
    assert _far_apart(distances(line, line), 3).tolist() == [0, 4, 9]
    assert _far_apart(distances(line, line), 10).tolist() == list(range(10))


def test_many_code_graphs_use_landmarks():
    codes = gq.GraphCollection([gq.Graph([float(i)]) for i in range(40)])
    found = map_graphs(codes, codes, np.arange(40), np.zeros(40))
    assert found.graphs.shape == (40, 2)
    assert (distances(found.graphs, found.codes).argmin(axis=1) == np.arange(40)).mean() > 0.9
