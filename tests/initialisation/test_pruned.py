"""Furthest-first and k-means++ choose what all distances would choose, and match far fewer pairs."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.datasets import load_iam, make_letters
from graphquant.initialisation import furthest_first, initialise, plusplus
from tests.initialisation import plain
from tests.reference.random_graphs import KINDS

MATCHERS = ["exact", "frank-wolfe", "graduated-assignment"]


def collection(kind, seed):
    if kind == "letters":
        return make_letters(n_per_class=4, random_state=seed).graphs
    return KINDS[kind].collection(np.random.default_rng(seed), 40, 0, 5)


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("kind", ["letters", *KINDS])
def test_furthest_first_equals_its_definition(kind, matcher):
    X = collection(kind, 1)
    start = initialise("furthest-first", X, 12, matcher=matcher, random_state=0)
    D = gq.pairwise_distances(X, matcher=matcher)
    assert start.chosen.tolist() == plain.furthest_first(D, start.chosen[0], 12)


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("kind", ["letters", *KINDS])
def test_plus_plus_equals_its_definition(kind, matcher):
    X = collection(kind, 2)
    D = gq.pairwise_distances(X, matcher=matcher)
    for seed in range(3):
        start = initialise("k-means++", X, 12, matcher=matcher, random_state=seed)
        assert start.chosen.tolist() == plain.plus_plus(D, 12, seed)


def test_batches_do_not_change_the_choice(monkeypatch):
    X = collection("letters", 3)
    expected = {name: initialise(name, X, 10, random_state=0) for name in ("furthest-first", "k-means++")}
    monkeypatch.setattr(furthest_first, "_BATCH", 1)
    monkeypatch.setattr(plusplus, "_PART", 5)
    for name, start in expected.items():
        again = initialise(name, X, 10, random_state=0)
        assert np.array_equal(again.chosen, start.chosen)
        assert again.n_matchings <= start.n_matchings


@pytest.mark.parametrize("matcher", ["auto", "frank-wolfe"])
def test_few_matchings_on_real_letters(iam_path, matcher):
    X, k = load_iam("letter", iam_path).graphs, 30
    start = initialise("furthest-first", X, k, matcher=matcher, random_state=0)
    pairs = np.column_stack([np.repeat(np.arange(len(X)), k), np.tile(start.chosen, len(X))])
    D = np.zeros((len(X), len(X)))
    D[:, start.chosen] = gq.match_all(X, X, pairs, matcher).distance.reshape(len(X), k)
    assert start.chosen.tolist() == plain.furthest_first(D, start.chosen[0], k)
    # The sample mean takes 3 N of these matchings, the first code N.
    assert start.n_matchings < len(X) * k / 5
    drawn = initialise("k-means++", X, k, matcher=matcher, random_state=0)
    all_pairs = len(X) * (1 + (k - 1) * plusplus.n_candidates(k))
    assert drawn.n_matchings < all_pairs / 8


# The first code of furthest-first


@pytest.mark.parametrize("limit", [1000, 10])
@pytest.mark.parametrize("kind", ["letters", "grouped", "ties"])
def test_the_first_code_is_nearest_to_the_sample_mean(monkeypatch, kind, limit):
    X = collection(kind, 0)
    means = []

    def recorded(*args, **kwargs):
        means.append(gq.mean(*args, **kwargs))
        return means[-1]

    monkeypatch.setattr(furthest_first, "mean", recorded)
    monkeypatch.setattr(furthest_first, "MEAN_SAMPLE", limit)
    start = initialise("furthest-first", X, 1, matcher="exact", random_state=0)
    to_mean = gq.pairwise_distances(X, [means[0].graph], matcher="exact")[:, 0]
    assert to_mean[start.chosen[0]] == pytest.approx(to_mean.min(), abs=1e-9)
    assert start.n_matchings <= means[0].n_matchings + len(X)


def test_furthest_first_by_hand():
    # The mean of 0, 1, 2, 10 is 3.25: nearest is 2; then 10 (distance 8); then 0 (2), 1 (1).
    X = [gq.Graph([value]) for value in (0.0, 1.0, 2.0, 10.0)]
    start = initialise("furthest-first", X, 4, random_state=0)
    assert start.chosen.tolist() == [2, 3, 0, 1]
    # Ties go to the lowest index: 1 and 3 are both at distance 1 of 2.
    tied = [gq.Graph([value]) for value in (2.0, 1.0, 3.0)]
    assert initialise("furthest-first", tied, 3, random_state=0).chosen.tolist() == [0, 1, 2]


# Drawing


def test_draws_follow_the_weights_and_leave_out_zeros():
    rng = np.random.default_rng(0)
    weights = np.array([0.0, 1.0, 0.0, 3.0, 0.0])
    drawn = plusplus.draw(weights, np.zeros(5, dtype=bool), 4000, rng)
    share = np.bincount(drawn, minlength=5) / 4000
    assert share == pytest.approx([0.0, 0.25, 0.0, 0.75, 0.0], abs=0.03)


def test_draws_without_weights_are_of_graphs_not_chosen():
    is_chosen = np.array([True, False, True, False])
    drawn = plusplus.draw(np.zeros(4), is_chosen, 50, np.random.default_rng(0))
    assert set(drawn.tolist()) == {1, 3}


def test_a_draw_at_the_very_end_keeps_to_the_weights():
    class AlmostOne:
        def random(self, size):
            return np.full(size, np.nextafter(1.0, 0.0))

    weights = np.array([1e-300, 1e16, 1.0, 0.0])
    assert plusplus.draw(weights, np.zeros(4, dtype=bool), 1, AlmostOne())[0] <= 2
