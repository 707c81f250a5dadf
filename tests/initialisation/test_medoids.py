from itertools import combinations

import numpy as np
import pytest

import graphquant as gq
from graphquant._core.medoids import swap_medoids
from graphquant.datasets import load_iam, make_letters
from graphquant.initialisation import initialise, medoids
from graphquant.initialisation.distances import Distances
from graphquant.initialisation.medoids import pairs_within
from tests.initialisation import plain
from tests.reference.random_graphs import KINDS


def random_matrix(seed, n):
    values = np.random.default_rng(seed).normal(size=(n, 2))
    return np.linalg.norm(values[:, None] - values[None], axis=2)


def best_swap(D, chosen):
    """The least total that one swap reaches."""
    outside = [c for c in range(len(D)) if c not in chosen]
    swaps = [[*chosen[:m], c, *chosen[m + 1 :]] for m in range(len(chosen)) for c in outside]
    return min((plain.total(D, swap) for swap in swaps), default=np.inf)


# The swap search


@pytest.mark.parametrize("k", [1, 2, 5, 19, 20])
@pytest.mark.parametrize("seed", range(5))
def test_no_swap_improves_what_the_core_returns(seed, k):
    D = random_matrix(seed, 20)
    chosen = np.random.default_rng(seed).permutation(20)[:k]
    before = plain.total(D, chosen)
    chosen, total = swap_medoids(D, chosen, tol=1e-12)
    assert len(set(chosen.tolist())) == k
    assert total == pytest.approx(plain.total(D, chosen), abs=1e-12)
    assert total <= before + 1e-12
    assert best_swap(D, chosen.tolist()) >= total - 1e-9


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_swaps_with_candidates_alone(seed, k):
    D = random_matrix(seed, 20)[:8]
    chosen = np.random.default_rng(seed).permutation(8)[:k]
    chosen, total = swap_medoids(D, chosen, tol=1e-12)
    sets = [[*chosen[:m], c, *chosen[m + 1 :]] for m in range(k) for c in range(8) if c not in chosen]
    totals = [D[choice].min(axis=0).sum() for choice in sets]
    assert total == pytest.approx(D[chosen].min(axis=0).sum(), abs=1e-12)
    assert min(totals) >= total - 1e-9


def test_equal_objects_end_the_search():
    chosen = np.array([0, 1, 2])
    found, total = swap_medoids(np.zeros((6, 6)), chosen, tol=0.0)
    assert total == 0.0
    assert found.tolist() == [0, 1, 2]


@pytest.mark.parametrize("n_known", [0, 300, 600])
def test_pairs_within_a_limit(n_known):
    rng = np.random.default_rng(3)
    D, known = rng.random((40, 40)), np.zeros((40, 40), dtype=bool)
    known.flat[rng.choice(1600, n_known, replace=False)] = True
    for limit in (np.zeros(40), np.full(40, 0.1), rng.random(40), np.ones(40)):
        expected = [
            (c, o)
            for c, o in combinations(range(40), 2)
            if not known[c, o] and (D[c, o] <= limit[o] or D[c, o] <= limit[c])
        ]
        assert list(zip(*(side.tolist() for side in pairs_within(D, known, limit)), strict=True)) == expected


# On graphs


@pytest.mark.parametrize("matcher", ["exact", "frank-wolfe"])
@pytest.mark.parametrize("kind", ["sparse", "directed-vectors", "ties", "grouped", "non-negative"])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_no_swap_of_all_distances_improves_the_medoids(kind, matcher, k):
    X = KINDS[kind].collection(np.random.default_rng(4), 30, 1, 5)
    D = gq.pairwise_distances(X, matcher=matcher)
    chosen = initialise("medoids", X, k, matcher=matcher, random_state=0).chosen.tolist()
    assert best_swap(D, chosen) >= plain.total(D, chosen) * (1 - 1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_few_graphs_reach_the_best_of_all_choices(seed):
    X = KINDS["sparse"].collection(np.random.default_rng(seed), 12, 1, 4)
    D = gq.pairwise_distances(X)
    best = min(plain.total(D, choice) for choice in combinations(range(12), 3))
    chosen = initialise("medoids", X, 3, random_state=0).chosen
    assert plain.total(D, chosen) == pytest.approx(best)


def test_a_graph_and_code_that_were_matched_have_their_distance():
    X = make_letters(n_per_class=3, random_state=0).graphs
    start = initialise("medoids", X, 5, matcher="exact", random_state=0)
    D = gq.pairwise_distances(X, matcher="exact")[:, start.chosen]
    nearest = D.argmin(axis=1)
    rows = np.arange(len(X))
    assert start.lower[rows, nearest] == pytest.approx(D[rows, nearest])
    assert (start.lower[D > 0.0] > 0.0).all()


def test_of_many_graphs_a_sample_is_used(monkeypatch):
    X = make_letters(n_per_class=4, random_state=0).graphs
    monkeypatch.setattr(medoids, "sample_size", lambda mean_order, n_codes: 20)
    start = initialise("medoids", X, 5, random_state=0)
    assert start.n_matchings <= 20 * 19 / 2
    known = start.lower.any(axis=1)
    assert known.sum() <= 20
    assert known[start.chosen].all()
    assert set(initialise("medoids", X, 5, random_state=1).chosen) != set(start.chosen)


def test_large_graphs_get_a_small_sample():
    sizes = [medoids.sample_size(order, n_codes=25) for order in (0.0, 4.0, 10.0, 15.0, 40.0, 200.0)]
    assert sizes == [1000, 1000, 774, 344, 1000, 223]
    assert medoids.sample_size(200.0, n_codes=200) == 800


@pytest.mark.parametrize("order", [4.0, 12.0, 30.0])
def test_a_sample_has_graphs_for_all_codes(order):
    for n_codes in (1, 100, 2000):
        assert n_codes <= medoids.sample_size(order, n_codes)


def test_few_codes_get_a_small_sample():
    assert [medoids.sample_size(4.0, n_codes) for n_codes in (1, 2, 10, 26)] == [100, 100, 400, 1000]


def test_large_graphs_are_not_matched(monkeypatch):
    monkeypatch.setattr(medoids, "_MATCHED_UP_TO", 2.0)
    X = make_letters(n_per_class=3, random_state=0).graphs
    start = initialise("medoids", X, 5, random_state=0)
    assert start.n_matchings == 0
    exact = gq.pairwise_distances(X, X[start.chosen], matcher="exact")
    assert (start.lower <= exact + 1e-9).all()
    assert (start.lower[exact > 0.0] > 0.0).all()


def test_a_sample_is_matched_in_the_graph_space_of_all():
    """Nodes of opposite sign part company where a third graph makes room: 2 in its absence, else sqrt 2."""
    X = gq.as_collection([gq.Graph([1.0]), gq.Graph([-1.0]), gq.Graph([1.0, 1.0])])
    assert gq.distance(X[0], X[1]) == pytest.approx(2.0)
    sample = Distances(X, "exact", None).among(np.array([0, 1]))
    assert sample.match(np.array([0]), np.array([1])).distance == pytest.approx([np.sqrt(2.0)])
    assert sample.n_matchings == 1


def test_few_matchings_on_real_letters(iam_path):
    X = load_iam("letter", iam_path).graphs
    start = initialise("medoids", X, 30, matcher="frank-wolfe", random_state=0)
    assert start.n_matchings < len(X) * (len(X) - 1) / 2 / 5
