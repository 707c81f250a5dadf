"""Few, equal, empty, large graphs: right, or a clear error."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError
from tests.reference.brute_force import brute_force_distance
from tests.reference.random_graphs import KINDS, Kind

ALGORITHMS = ("standard", "accelerated", "lossless", "fast")


def quantizer(n_codes, algorithm="lossless", **changes):
    settings = {"max_cycles": 4, "random_state": 0, "init": "k-means++"} | changes
    return gq.GraphQuantizer(n_codes, algorithm=algorithm, **settings)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_one_code_is_a_mean(algorithm):
    """With one code and the rate 1 / n, one cycle gives the incremental mean."""
    points = gq.as_collection([gq.Graph([value]) for value in (1.0, 2.0, 6.0)])
    q = quantizer(1, algorithm, learning_rate="harmonic", max_cycles=1).fit(points)
    assert q.codebook_[0].node_attrs.item() == pytest.approx(3.0)
    assert q.distortion_ == pytest.approx(0.5 * (4 + 1 + 9))
    np.testing.assert_array_equal(q.labels_, [0, 0, 0])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_as_many_codes_as_graphs(algorithm):
    graphs = KINDS["sparse"].collection(np.random.default_rng(1), 6, 2, 5)
    for init in ("random", "furthest-first", "k-means++", "medoids"):
        q = quantizer(6, algorithm, init=init).fit(graphs)
        assert q.distortion_ == pytest.approx(0.0, abs=1e-20)
        assert sorted(q.labels_.tolist()) == list(range(6))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_identical_graphs(algorithm):
    """All codes are equal: ties go to the first, and the others never win."""
    rng = np.random.default_rng(2)
    # Whole numbers and halves: y stays what it is to the last bit.
    graph = gq.Graph([1.0, 2.0, 4.0, 4.0], [(0, 1), (1, 2), (0, 3)], [1.0, 3.0, 2.0])
    graphs = [graph.permute(rng.permutation(4)) for _ in range(8)]
    with pytest.warns(GraphQuantWarning, match="2 of 3 code graphs are not nearest to any training graph"):
        q = quantizer(3, algorithm, learning_rate=0.5).fit(graphs)
    assert q.distortion_ == 0.0
    np.testing.assert_array_equal(q.labels_, np.zeros(8))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_duplicates_in_the_training_set(algorithm):
    kind = KINDS["sparse"]
    rng = np.random.default_rng(3)
    once = kind.collection(rng, 5, 3, 4)
    graphs = gq.GraphCollection([*once, *once, *once])
    q = quantizer(3, algorithm).fit(graphs)
    np.testing.assert_array_equal(q.labels_[:5], q.labels_[5:10])
    np.testing.assert_array_equal(q.labels_[:5], q.labels_[10:])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_one_graph(algorithm):
    graph = gq.Graph([1.0, 2.0], [(0, 1)])
    q = quantizer(1, algorithm).fit([graph])
    assert gq.distance(q.codebook_[0], graph) == pytest.approx(0.0, abs=1e-15)
    assert q.labels_.tolist() == [0]


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_empty_collection_teaches_nothing(method):
    nothing = gq.as_collection([gq.Graph([1.0])])[:0]
    with pytest.raises(InvalidGraphError, match="There are no graphs to learn from"):
        getattr(quantizer(1), method)(nothing)
    with pytest.raises(InvalidGraphError, match="There are no graphs"):
        getattr(quantizer(1), method)([])


def test_empty_collection_is_encoded_as_nothing():
    graphs = gq.as_collection([gq.Graph([1.0]), gq.Graph([2.0])])
    q, nothing = quantizer(2).fit(graphs), graphs[:0]
    assert q.predict(nothing).shape == (0,)
    assert q.transform(nothing).shape == (0, 2)
    assert q.score(nothing) == 0.0
    assert len(q.quantize(nothing)) == 0
    found = q.match(nothing)
    assert len(found) == found.n_matchings == 0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_cycles_keeps_the_start(algorithm):
    graphs = KINDS["vector-edges"].collection(np.random.default_rng(4), 8, 2, 4)
    q = quantizer(3, algorithm, max_cycles=0, init=graphs[:3]).fit(graphs)
    assert q.n_cycles_ == q.n_matchings_ == len(q.history_) == 0
    assert q.labels_[:3].tolist() == [0, 1, 2]
    for start, code in zip(graphs[:3], q.codebook_, strict=True):
        assert gq.distance(start, code, order=q.order_) == 0.0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_graphs_without_nodes(algorithm):
    nothing = gq.Graph(np.zeros((0, 1)))
    graphs = [nothing, gq.Graph([4.0, 4.0]), nothing, gq.Graph([5.0, 4.0]), gq.Graph([4.0, 5.0])]
    q = quantizer(2, algorithm, init=[graphs[0], graphs[1]], learning_rate=0.1).fit(graphs)
    np.testing.assert_array_equal(q.labels_, [0, 1, 0, 1, 1])
    assert q.codebook_[0].order == 0
    assert q.predict([nothing]).tolist() == [0]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nothing_but_graphs_without_nodes(algorithm):
    graphs = [gq.Graph(np.zeros((0, 1)))] * 3
    q = quantizer(1, algorithm).fit(graphs)
    assert q.distortion_ == 0.0
    assert q.labels_.tolist() == [0, 0, 0]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_graphs_of_zeros_and_an_empty_graph(algorithm):
    graphs = [gq.Graph([0.0, 0.0]), gq.Graph(np.zeros((0, 1))), gq.Graph([0.0])]
    q = quantizer(1, algorithm).fit(graphs)
    assert q.distortion_ == 0.0


def test_graphs_larger_than_the_codebook_are_matched_in_their_order():
    rng = np.random.default_rng(5)
    q = quantizer(3).fit(KINDS["sparse"].collection(rng, 10, 2, 3))
    new = KINDS["sparse"].collection(rng, 8, 2, 5)
    expected = np.array(
        [[brute_force_distance(x, y, max(x.order, q.order_)) for y in q.codebook_] for x in new]
    )
    np.testing.assert_allclose(q.transform(new), expected, atol=1e-9)
    found = q.match(new)
    np.testing.assert_array_equal(found.label, expected.argmin(axis=1))
    np.testing.assert_allclose(found.distance, expected.min(axis=1), atol=1e-9)
    assert found.mapping.shape == (8, new.max_order)


def test_more_nodes_of_a_class_at_prediction():
    rng = np.random.default_rng(6)
    kind = Kind(n_groups=2)
    q = quantizer(3).fit(kind.collection(rng, 10, 2, 4))
    new = [*kind.collection(rng, 6, 2, 4), gq.Graph(rng.normal(size=(5, 2)), groups=[0, 1, 1, 1, 1])]
    expected = np.array([[brute_force_distance(x, y) for y in q.codebook_] for x in new])
    np.testing.assert_allclose(q.transform(new)[-1], expected[-1], atol=1e-9)
    np.testing.assert_array_equal(q.predict(new), q.transform(new).argmin(axis=1))


def test_class_that_training_did_not_have():
    q = quantizer(1).fit([gq.Graph([1.0, 2.0], groups=[0, 1])])
    assert q.transform([gq.Graph([1.0, 3.0], groups=[0, 2])]).item() == pytest.approx(np.sqrt(4.0 + 9.0))


def test_groups_on_one_side_only():
    q = quantizer(1).fit([gq.Graph([1.0, 2.0], groups=[0, 1])])
    with pytest.raises(InvalidGraphError, match="groups"):
        q.predict([gq.Graph([1.0, 2.0])])
    with pytest.raises(InvalidGraphError, match="groups"):
        quantizer(1).fit([gq.Graph([1.0])]).predict([gq.Graph([1.0], groups=[0])])


def test_complete_code_graphs_do_not_touch_their_neighbours():
    """Code graphs stand in one array: a complete one fills its room to the last slot."""
    rng = np.random.default_rng(7)
    graphs = Kind(density=1.0, directed=True).collection(rng, 12, 4, 4)
    q = quantizer(4, "standard", matcher="exact", init=graphs[:4], learning_rate=0.3).fit(graphs)
    distances = np.array([[brute_force_distance(x, y) for y in q.codebook_] for x in graphs])
    np.testing.assert_array_equal(q.labels_, distances.argmin(axis=1))
    assert q.distortion_ == pytest.approx(0.5 * (distances.min(axis=1) ** 2).sum(), rel=1e-9)


def test_rate_of_one_replaces_the_code():
    graphs = KINDS["vector-edges"].collection(np.random.default_rng(8), 5, 2, 4)
    q = quantizer(1, learning_rate=1.0, max_cycles=1).fit(graphs)
    assert min(gq.distance(x, q.codebook_[0], order=q.order_) for x in graphs) == 0.0


def test_huge_and_tiny_numbers():
    for scale in (1e-50, 1e50):
        graphs = [gq.Graph([scale * value, scale]) for value in (1.0, 2.0, 10.0, 11.0)]
        q = quantizer(2, init="furthest-first").fit(graphs)
        assert q.labels_[0] == q.labels_[1] != q.labels_[2] == q.labels_[3]
