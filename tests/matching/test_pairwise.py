"""Distances of many pairs."""

import logging

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from tests.reference.random_graphs import KINDS, Kind


@pytest.fixture
def collection():
    return Kind(density=0.5).collection(np.random.default_rng(61), 9, 0, 5)


@pytest.mark.parametrize("name", ["sparse", "directed", "grouped", "ties"])
def test_each_entry_is_the_distance_of_its_pair(name):
    graphs = KINDS[name].collection(np.random.default_rng(62), 6, 0, 5)
    matrix = gq.pairwise_distances(graphs, matcher="exact")
    if KINDS[name].n_groups:  # the classes of all graphs together give the positions
        found = gq.match_all(graphs, graphs, [(i, j) for i in range(6) for j in range(6)], "exact").distance
        np.testing.assert_array_equal(matrix, found.reshape(6, 6))
        return
    for i, x in enumerate(graphs):
        for j, y in enumerate(graphs):
            assert matrix[i, j] == gq.distance(x, y, "exact", order=graphs.max_order)


def test_symmetric_case(collection):
    matrix = gq.pairwise_distances(collection)
    assert matrix.shape == (9, 9)
    np.testing.assert_array_equal(matrix, matrix.T)
    assert (np.diag(matrix) == 0.0).all()
    np.testing.assert_array_equal(matrix, gq.pairwise_distances(collection, collection))
    np.testing.assert_array_equal(matrix, gq.pairwise_distances(list(collection)))


def test_two_collections(collection):
    other = Kind(density=0.5).collection(np.random.default_rng(63), 4, 0, 5)
    matrix = gq.pairwise_distances(collection, other)
    assert matrix.shape == (9, 4)
    np.testing.assert_array_equal(matrix, gq.pairwise_distances(other, collection).T)


def test_parts_of_a_collection(collection):
    # A slice is a view of the same arrays: it must be read from where it starts.
    order = collection.max_order
    whole = gq.pairwise_distances(collection, order=order)
    np.testing.assert_array_equal(gq.pairwise_distances(collection[2:7], order=order), whole[2:7, 2:7])
    np.testing.assert_array_equal(
        gq.pairwise_distances(collection[5:], collection[1:4], order=order), whole[5:, 1:4]
    )
    chosen = [6, 0, 3]
    np.testing.assert_array_equal(
        gq.pairwise_distances(collection[chosen], order=order), whole[np.ix_(chosen, chosen)]
    )


@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
def test_threads_change_nothing(matcher, collection):
    expected = gq.pairwise_distances(collection, matcher=matcher, n_jobs=1)
    for n_jobs in (None, -1, 2, 3, 50):
        np.testing.assert_array_equal(
            gq.pairwise_distances(collection, matcher=matcher, n_jobs=n_jobs), expected
        )


def test_many_blocks_on_threads():
    graphs = Kind(density=0.5, p=1).collection(np.random.default_rng(64), 120, 2, 4)
    one, two = (gq.pairwise_distances(graphs, matcher="exact", n_jobs=n_jobs) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_order(collection):
    tight, roomy = gq.pairwise_distances(collection), gq.pairwise_distances(collection, order=12)
    assert (roomy <= tight + 1e-12).all()
    assert (roomy < tight - 1e-6).any()
    np.testing.assert_array_equal(tight, gq.pairwise_distances(collection, order=collection.max_order))


def test_other_sources_of_graphs(collection):
    graphs = [graph for graph in collection if graph.order and graph.n_edges]
    others = gq.as_collection([graph.to_networkx() for graph in graphs])
    np.testing.assert_array_equal(gq.pairwise_distances(others), gq.pairwise_distances(graphs))


def test_named_attributes_are_encoded_alike():
    graphs = [nx.Graph(name=name) for name in ("methane", "water", "ammonia")]
    for graph, symbol in zip(graphs, "CON", strict=True):
        graph.add_node(0, symbol=symbol)
    found = gq.pairwise_distances(graphs[:1], graphs)
    assert found[0, 0] == 0.0
    assert found[0, 1] == pytest.approx(found[0, 2])
    assert found[0, 1] > 0.5


def test_one_graph():
    assert gq.pairwise_distances([gq.Graph([1.0])]).tolist() == [[0.0]]


def test_collections_without_graphs(collection):
    none = collection[:0]
    assert gq.pairwise_distances(none).shape == (0, 0)
    assert gq.pairwise_distances(none, collection).shape == (0, 9)
    assert gq.pairwise_distances(collection, none).shape == (9, 0)
    found = gq.match_all(collection, collection, [], mappings=True)
    assert len(found) == 0
    assert repr(found) == "Matches(0 pairs, 100.0% proven)"


def test_graphs_without_nodes():
    empty = gq.Graph(np.empty((0, 2)))
    assert gq.pairwise_distances([empty, empty]).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_progress_goes_to_stderr(collection, capfd):
    plain = gq.pairwise_distances(collection)
    assert capfd.readouterr() == ("", "")
    shown = gq.pairwise_distances(collection, progress=True)
    assert capfd.readouterr().out == ""
    np.testing.assert_array_equal(plain, shown)


def test_progress_of_a_foreign_matcher(collection, capfd):
    class InOrder:
        def match(self, x, y, order):
            return range(x.order)

    gq.pairwise_distances(collection, matcher=InOrder(), progress=True)
    assert capfd.readouterr().out == ""


def test_share_of_proven_distances_is_logged(collection, caplog):
    with caplog.at_level(logging.INFO, logger="graphquant"):
        gq.pairwise_distances(collection, matcher="exact")
    assert "36 distances, 100.0 % proven" in caplog.text


def test_match_all(collection):
    pairs = [(0, 1), (3, 2), (3, 3)]
    found = gq.match_all(collection, collection, pairs, "exact")
    assert len(found) == 3
    assert found.mapping is None
    assert repr(found) == "Matches(3 pairs, 100.0% proven)"
    matrix = gq.pairwise_distances(collection, matcher="exact")
    np.testing.assert_array_equal(found.distance, [matrix[i, j] for i, j in pairs])
    mapped = gq.match_all(collection, collection, pairs, "exact", mappings=True)
    assert mapped.mapping.shape == (3, collection.max_order)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (gq.Graph([[1.0]], [], np.empty((0, 1))), "One side has 2 node attributes, the other 1"),
        (gq.Graph([[1.0, 2.0]], [], np.empty((0, 3))), "One side has 1 edge attributes, the other 3"),
        (gq.Graph([[1.0, 2.0]], directed=True), "One side is directed, the other is not"),
        (gq.Graph([[1.0, 2.0]], groups=[0]), "Some graphs have groups and some have none"),
    ],
    ids=["nodes", "edges", "directed", "groups"],
)
def test_graphs_that_do_not_compare(other, message):
    x = gq.Graph([[1.0, 2.0], [3.0, 4.0]], [(0, 1)])
    for call in (gq.match, lambda a, b: gq.pairwise_distances([a], [b]), gq.lower_bound):
        with pytest.raises(InvalidGraphError, match=message):
            call(x, other)


def test_order_has_no_meaning_with_groups():
    graph = gq.Graph([1.0, 2.0], groups=[0, 1])
    with pytest.raises(InvalidGraphError, match=r"order=4 does not apply to graphs with groups"):
        gq.pairwise_distances([graph], order=4)


def test_unknown_matcher(collection):
    with pytest.raises(
        InvalidParameterError,
        match=r"Unknown matcher 'frank-wolf'\. Did you mean 'frank-wolfe'\? Known: 'auto'",
    ):
        gq.pairwise_distances(collection, matcher="frank-wolf")


@pytest.mark.parametrize("n_jobs", [0, -2, 1.5, "two"])
def test_bad_number_of_threads(collection, n_jobs):
    with pytest.raises(InvalidParameterError, match=r"n_jobs=.* is not a whole number of at least 1"):
        gq.pairwise_distances(collection, n_jobs=n_jobs)


@pytest.mark.parametrize("order", [0, -3, 2.5])
def test_bad_order(collection, order):
    with pytest.raises(InvalidParameterError, match=f"order={order} is not a whole number of at least 1"):
        gq.pairwise_distances(collection, order=order)


@pytest.mark.parametrize("pairs", [[(0, 9)], [(-10, 0)], [(0, -1)]])
def test_pairs_of_graphs_that_are_not_there(collection, pairs):
    with pytest.raises(InvalidParameterError, match=r"pair"):
        gq.match_all(collection, collection, pairs)
