import numpy as np
import pytest

import graphquant as gq
from graphquant.bounds import lower_bounds, prepare, product_bounds
from graphquant.bounds.lower import star_vectors
from graphquant.datasets import make_letters
from tests.reference.random_graphs import KINDS


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_never_above_the_distance_nor_the_star_bound(kind, seed):
    X = KINDS[kind].collection(np.random.default_rng(seed), 20, 0, 6)
    found = product_bounds(prepare(X))
    pairs = np.argwhere(np.ones((20, 20), dtype=bool))
    stars = lower_bounds(X, X, pairs).reshape(20, 20)
    assert (found <= gq.pairwise_distances(X, matcher="exact") + 1e-6).all()
    assert (found <= stars + 1e-6).all()
    assert found == pytest.approx(found.T)


def test_by_hand():
    """The node of 3 gains 6 on that of 2; each end of an edge gains half of 2 * 1 * 1 on an end."""
    edge = [(0, 1)]
    X = gq.GraphCollection([gq.Graph([3.0, 0.0], edge), gq.Graph([2.0, 0.0], edge), gq.Graph([1.0], [])])
    found = product_bounds(prepare(X))
    # 9 + 2 + 4 + 2 - 2 (6 + 1 + 1 + 0); the graph of one node gains 3 of one node.
    assert found[0] == pytest.approx([0.0, 1.0, np.sqrt(9 + 2 + 1 - 2 * 3)], abs=1e-5)


def test_products_of_stars_with_two_edges_are_what_they_gain():
    X = gq.GraphCollection([gq.Graph([[0.0]] * 3, [(0, 1), (0, 2)], [[2.0, -1.0], [5.0, 3.0]])])
    vectors = star_vectors(prepare(X))
    # Channels on their own: 2 * 2 + 5 * 5 and 1 * 1 + 3 * 3.
    assert vectors[0] @ vectors[0] == pytest.approx(4 + 25 + 1 + 9)
    # The star of node 1 has one edge: its largest values against the largest of the other star, by sign.
    assert vectors[0] @ vectors[1] == pytest.approx(2 * 5 + 1)


def test_stars_of_many_edges_gain_no_more_than_products():
    star = gq.Graph(np.zeros(6), [(0, r) for r in range(1, 6)], np.arange(1.0, 6.0)[:, None])
    X = gq.GraphCollection([star])
    vectors = star_vectors(prepare(X))
    assert vectors[0] @ vectors[0] == pytest.approx(55.0)
    assert vectors[0] @ vectors[3] == pytest.approx(15.0)


def test_any_number_of_threads():
    graphs = prepare(make_letters(3, random_state=0).graphs)
    whole = product_bounds(graphs)
    for n_threads in (2, 5, 100):
        assert (product_bounds(graphs, n_threads) == whole).all()


def test_no_graphs():
    assert product_bounds(prepare(make_letters(1).graphs[:0])).shape == (0, 0)


def test_graphs_of_more_nodes_than_are_taken_at_once():
    rng = np.random.default_rng(0)
    X = gq.as_collection([gq.Graph(rng.random((n, 2)), []) for n in (700, 3, 600, 1)])
    found = product_bounds(prepare(X))
    exact = gq.pairwise_distances(X, matcher="frank-wolfe")
    assert (found <= exact + 1e-5).all()
    gains = np.maximum(X[1].node_attrs @ X[0].node_attrs.T, 0.0).max(axis=1).sum()
    norms = (X[0].node_attrs ** 2).sum() + (X[1].node_attrs ** 2).sum()
    assert found[0, 1] == pytest.approx(np.sqrt(norms - 2 * gains))
