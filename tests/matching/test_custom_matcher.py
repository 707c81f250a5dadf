"""A matcher of the user's own: any object with a method match(x, y, order)."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.matching import get_matcher
from tests.reference.brute_force import mapping_distance
from tests.reference.random_graphs import Kind


class InOrder:
    """Node i on position i."""

    def match(self, x, y, order):
        return np.arange(x.order)


class Returning:
    """The same answer to every question."""

    def __init__(self, answer):
        self.answer = answer

    def match(self, x, y, order):
        return self.answer


class Recording(InOrder):
    """Remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def match(self, x, y, order):
        self.asked.append((x.order, y.order, order))
        return super().match(x, y, order)


PATH = gq.Graph([1.0, 2.0, 3.0], [(0, 1), (1, 2)])
OTHER = gq.Graph([3.0, 2.0, 1.0], [(0, 1)])


def test_is_a_matcher():
    assert isinstance(InOrder(), gq.Matcher)
    matcher = InOrder()
    assert get_matcher(matcher) is matcher


def test_mapping_is_evaluated_by_the_library():
    found = gq.match(PATH, OTHER, InOrder())
    assert found.distance == pytest.approx(np.sqrt(4.0 + 4.0 + 2.0))
    np.testing.assert_array_equal(found.mapping, [0, 1, 2])
    assert found.n_search_nodes == 0
    assert gq.distance(PATH, OTHER, InOrder()) == found.distance


def test_bound_is_certified_by_the_library():
    rng = np.random.default_rng(51)
    collection = Kind().collection(rng, 20, 1, 6)
    pairs = rng.integers(20, size=(60, 2))
    exact = gq.match_all(collection, collection, pairs, "exact")
    found = gq.match_all(collection, collection, pairs, InOrder(), mappings=True)
    assert (found.lower_bound <= exact.distance).all()
    assert (exact.distance <= found.distance + 1e-12).all()
    assert (exact.distance[found.proven] >= found.distance[found.proven] - 1e-9).all()
    for k, (i, j) in enumerate(pairs.tolist()):
        x, y = collection[i], collection[j]
        assert found.distance[k] == pytest.approx(
            mapping_distance(x, y, found.mapping[k, : x.order], collection.max_order), rel=1e-12
        )


def test_a_right_mapping_is_proven():
    shuffled = PATH.permute([2, 0, 1])
    assert gq.match(PATH, shuffled, Returning([1, 2, 0])).proven
    assert not gq.match(PATH, shuffled, InOrder()).proven


@pytest.mark.parametrize("answer", [[1, 2, 0], (1, 2, 0), np.array([1, 2, 0], dtype=np.int32)])
def test_positions_may_be_any_sequence(answer):
    np.testing.assert_array_equal(gq.match(PATH, OTHER, Returning(answer)).mapping, [1, 2, 0])


def test_zero_nodes_are_positions():
    found = gq.match(PATH, OTHER, Returning([0, 4, 3]), order=5)
    np.testing.assert_array_equal(found.mapping, [0, 4, 3])
    assert found.distance == pytest.approx(mapping_distance(PATH, OTHER, [0, 4, 3], 5), rel=1e-12)


def test_is_asked_in_the_order_of_the_space():
    matcher = Recording()
    gq.pairwise_distances([PATH, gq.Graph([1.0]), OTHER], matcher=matcher, order=7)
    assert matcher.asked == [(3, 1, 7), (3, 3, 7), (1, 3, 7)]


def test_pairwise_distances():
    d = gq.pairwise_distances([PATH, OTHER], matcher=InOrder())
    assert d[0, 1] == d[1, 0] == pytest.approx(np.sqrt(10.0))


@pytest.mark.parametrize(
    "answer",
    [[0, 1], [0, 1, 2, 2], [0, 0, 1], [-1, 0, 1], [0, 1, 3], [[0, 1, 2]], []],
    ids=["short", "long", "twice", "negative", "beyond", "two-dimensional", "none"],
)
def test_wrong_mappings(answer):
    with pytest.raises(
        InvalidGraphError, match=r"Returning\.match returned .* for graphs of 3 and 3 nodes.*3 different"
    ):
        gq.match(PATH, OTHER, Returning(answer))


@pytest.mark.parametrize(
    "answer", [[0.5, 1.0, 2.0], ["a", "b", "c"], None], ids=["halves", "words", "nothing"]
)
def test_answers_that_are_no_positions(answer):
    with pytest.raises(InvalidGraphError, match=r"Returning\.match returned"):
        gq.match(PATH, OTHER, Returning(answer))


def test_a_node_of_another_class():
    x, y = gq.Graph([1.0, 2.0], groups=[0, 1]), gq.Graph([1.0, 2.0], groups=[1, 0])
    assert gq.distance(x, y, Returning([1, 0])) == pytest.approx(np.sqrt(2.0))
    with pytest.raises(InvalidGraphError, match=r"InOrder\.match maps a node to a node of another class"):
        gq.match(x, y, InOrder())


def test_a_zero_node_of_another_class():
    # Class 0 has one position, class 1 two: position 2 is the zero node of class 1.
    x, y = gq.Graph([1.0, 2.0], groups=[0, 1]), gq.Graph([3.0, 4.0], groups=[1, 1])
    np.testing.assert_array_equal(gq.match(x, y, Returning([2, 0])).mapping, [2, 0])
    z = gq.Graph([3.0], groups=[1])
    with pytest.raises(InvalidGraphError, match=r"Returning\.match maps a node to a node of another class"):
        # Position 1 is the zero node of class 0: node 1 of x, of class 1, may not be there.
        gq.match(x, z, Returning([0, 1]))
    with pytest.raises(InvalidGraphError, match=r"Returning\.match maps a node to a node of another class"):
        gq.match(gq.Graph([1.0, 2.0], groups=[0, 0]), gq.Graph([3.0, 4.0], groups=[1, 1]), Returning([2, 0]))


def test_errors_of_the_matcher_are_its_own():
    class Broken:
        def match(self, x, y, order):
            raise RuntimeError("out of patience")

    with pytest.raises(RuntimeError, match="out of patience"):
        gq.match(PATH, OTHER, Broken())


@pytest.mark.parametrize("matcher", [None, 3, object(), InOrder], ids=["None", "number", "object", "class"])
def test_no_matcher_at_all(matcher):
    with pytest.raises(
        InvalidParameterError, match=r"matcher=.* is not a matcher\. Give a name or an object"
    ):
        gq.match(PATH, OTHER, matcher)


def test_unknown_name():
    with pytest.raises(InvalidParameterError, match=r"Unknown matcher 'exakt'\. Did you mean 'exact'\?"):
        gq.match(PATH, OTHER, "exakt")
