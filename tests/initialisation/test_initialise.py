import numpy as np
import pytest

import graphquant as gq
from graphquant.datasets import make_letters
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.initialisation import INITIALISATIONS, Start, initialise
from tests.reference.random_graphs import KINDS, relabelled

NAMES = sorted(INITIALISATIONS)


def letters(n_per_class=3):
    return make_letters(n_per_class=n_per_class, random_state=0).graphs


def points(*values):
    return gq.GraphCollection([gq.Graph([value]) for value in values])


class CountingMatcher:
    """A matcher of one's own that counts its calls."""

    def __init__(self):
        self.n_calls = 0

    def match(self, x, y, order):
        self.n_calls += 1
        return gq.match(x, y, matcher="frank-wolfe", order=order).mapping


# What holds for every initialisation


@pytest.mark.parametrize("init", NAMES)
@pytest.mark.parametrize("matcher", ["exact", "frank-wolfe", "graduated-assignment"])
@pytest.mark.parametrize("kind", ["sparse", "directed-vectors", "ties", "grouped"])
def test_codes_are_different_graphs_and_bounds_hold(init, matcher, kind):
    X = KINDS[kind].collection(np.random.default_rng(3), 24, 0, 4)
    start = initialise(init, X, 5, matcher=matcher, random_state=1)
    assert isinstance(start, Start)
    assert len(set(start.chosen.tolist())) == 5
    assert start.graphs == X[start.chosen]
    assert start.lower.shape == (24, 5)
    exact = gq.pairwise_distances(X, matcher="exact")[:, start.chosen]
    assert (start.lower <= exact + 1e-9).all()
    assert (start.lower >= 0.0).all()
    assert (start.lower[start.chosen, range(5)] == 0.0).all()


@pytest.mark.parametrize("init", NAMES)
def test_the_seed_decides_and_threads_do_not(init):
    X = letters()
    runs = [initialise(init, X, 6, random_state=7, n_jobs=jobs) for jobs in (1, 1, 2)]
    for run in runs[1:]:
        assert np.array_equal(run.chosen, runs[0].chosen)
        assert np.array_equal(run.lower, runs[0].lower)
        assert run.n_matchings == runs[0].n_matchings


@pytest.mark.parametrize("init", NAMES)
def test_every_matching_is_counted(init):
    matcher = CountingMatcher()
    start = initialise(init, letters(1), 4, matcher=matcher, random_state=0)
    assert start.n_matchings == matcher.n_calls


@pytest.mark.parametrize("init", NAMES)
@pytest.mark.parametrize("matcher", ["exact", "frank-wolfe"])
def test_equal_graphs_are_chosen_only_if_there_are_no_others(init, matcher):
    rng = np.random.default_rng(0)
    different = letters(1)[:4]
    X = gq.GraphCollection([relabelled(rng, different[i]) for i in (0, 0, 1, 0, 2, 1, 0, 3, 3)])
    classes = np.array([0, 0, 1, 0, 2, 1, 0, 3, 3])
    for seed in range(5):
        four = initialise(init, X, 4, matcher=matcher, random_state=seed)
        assert sorted(classes[four.chosen]) == [0, 1, 2, 3]
        six = initialise(init, X, 6, matcher=matcher, random_state=seed)
        assert len(set(six.chosen.tolist())) == 6
        assert set(classes[six.chosen]) == {0, 1, 2, 3}


@pytest.mark.parametrize("init", NAMES)
def test_one_code_all_graphs_one_graph(init):
    X = letters(1)[:6]
    assert len(initialise(init, X, 1, random_state=0).graphs) == 1
    assert sorted(initialise(init, X, 6, random_state=0).chosen) == [0, 1, 2, 3, 4, 5]
    assert initialise(init, X[:1], 1, random_state=0).chosen.tolist() == [0]


@pytest.mark.parametrize("init", NAMES)
def test_graphs_without_nodes(init):
    empty = gq.Graph(np.empty((0, 1)))
    start = initialise(init, [empty, empty, empty], 2, random_state=0)
    assert start.lower.tolist() == [[0.0, 0.0]] * 3


@pytest.mark.parametrize("init", NAMES)
def test_a_view_and_a_list_are_as_good_as_a_collection(init):
    X = letters()
    view = initialise(init, X[5:25], 4, random_state=0)
    listed = initialise(init, list(X[5:25]), 4, random_state=0)
    assert np.array_equal(view.chosen, listed.chosen)
    assert np.array_equal(view.lower, listed.lower)


@pytest.mark.parametrize("init", NAMES)
def test_the_order_of_the_space_is_that_of_the_distances(init):
    # In order 2 a node is better left on a zero node than on one of the other sign.
    X = points(3.0, -1.0, -4.0)
    start = initialise(init, X, 3, order=2, random_state=0)
    exact = gq.pairwise_distances(X, order=2)[:, start.chosen]
    assert (start.lower <= exact + 1e-12).all()


@pytest.mark.parametrize("init", NAMES)
def test_progress_goes_to_stderr(init, capsys):
    initialise(init, points(1.0, 2.0, 4.0), 2, random_state=0, progress=True)
    assert capsys.readouterr().out == ""


def test_auto_is_medoids():
    X = letters()
    auto, medoids = (initialise(init, X, 5, random_state=2) for init in ("auto", "medoids"))
    assert np.array_equal(auto.chosen, medoids.chosen)


def test_random_choices_are_spread_evenly():
    X = points(*range(6))
    counts = np.zeros(6)
    for seed in range(300):
        counts[initialise("random", X, 2, random_state=seed).chosen] += 1
    assert (np.abs(counts - 100) < 35).all()


def test_a_start_tells_what_it_is():
    assert repr(initialise("random", points(1.0, 5.0), 2)) == "Start(2 codes for 2 graphs, 0 matchings)"


# Given graphs


def test_given_graphs_are_taken_as_they_are():
    codes = [gq.Graph([2.0]), gq.Graph([5.0])]
    start = initialise(codes, points(1.0, 2.0, 3.0), 2)
    assert start.graphs == gq.GraphCollection(codes)
    assert start.chosen is None
    assert start.lower.tolist() == [[0.0, 0.0]] * 3
    assert start.n_matchings == 0


def test_given_graphs_may_be_larger_if_the_order_allows_it():
    pair = gq.Graph([1.0, 2.0])
    assert initialise([pair], points(1.0), 1, order=2).graphs[0] == pair
    message = r"init: Graph 1 has 2 nodes, but the graph space has 1 position\. Raise order, or"
    with pytest.raises(InvalidGraphError, match=message):
        initialise([gq.Graph([1.0]), pair], points(1.0), 2)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([0, 0], "init: Graph 0 has 2 nodes of class 0, but the graph space has 1 position of class 0"),
        ([0, 4], "init: Graph 0 has 1 node of class 4, but the graph space has 0 positions of class 4"),
    ],
)
def test_given_graphs_fit_class_by_class(groups, message):
    X = [gq.Graph([1.0, 2.0], groups=[0, 1])]
    with pytest.raises(InvalidGraphError, match=message):
        initialise([gq.Graph([1.0, 2.0], groups=groups)], X, 1)


def test_given_graphs_must_compare():
    X = points(1.0, 2.0)
    with pytest.raises(InvalidParameterError, match=r"init has 1 graph, but n_codes=2\. Give one graph per"):
        initialise([gq.Graph([1.0])], X, 2)
    with pytest.raises(InvalidGraphError, match="2 node attributes, the other 1"):
        initialise([gq.Graph([[1.0, 2.0]])], X, 1)
    with pytest.raises(InvalidGraphError, match="Some graphs have groups and some have none"):
        initialise([gq.Graph([1.0], groups=[0])], X, 1)


# Errors


def test_more_codes_than_graphs():
    message = "n_codes=12 is larger than the 9 graphs given. Lower n_codes or pass more graphs."
    for init in NAMES:
        with pytest.raises(InvalidParameterError, match=message):
            initialise(init, points(*range(9)), 12)


def test_unknown_names_and_numbers():
    X = points(1.0, 2.0)
    with pytest.raises(InvalidParameterError, match=r"Unknown init 'medoid'\. Did you mean 'medoids'"):
        initialise("medoid", X, 1)
    with pytest.raises(InvalidParameterError, match="n_codes=0 is not a whole number of at least 1"):
        initialise("random", X, 0)
    with pytest.raises(InvalidParameterError, match="Unknown matcher 'exakt'"):
        initialise("random", X, 1, matcher="exakt")
    with pytest.raises(InvalidGraphError, match="type int is not a collection of graphs"):
        initialise(17, X, 1)


@pytest.mark.parametrize("init", NAMES)
@pytest.mark.parametrize("kind", ["sparse", "grouped"])
def test_preparing_few_graphs_at_a_time_changes_nothing(init, kind, monkeypatch):
    X = KINDS[kind].collection(np.random.default_rng(5), 30, 0, 4)
    expected = initialise(init, X, 6, random_state=2)
    monkeypatch.setattr("graphquant.initialisation.distances.AT_ONCE", 8)
    found = initialise(init, X, 6, random_state=2)
    assert found.chosen.tolist() == expected.chosen.tolist()
    assert found.n_matchings == expected.n_matchings
    np.testing.assert_array_equal(found.lower, expected.lower)
