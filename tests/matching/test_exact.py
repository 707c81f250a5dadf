"""The exact matcher against all permutations (orders up to 7) and against a MILP (8 to 10)."""

import numpy as np
import pytest
from hypothesis import given

import graphquant as gq
from graphquant.matching import matcher_for_learning
from graphquant.matching.exact import without_proofs
from tests.reference.brute_force import (
    brute_force_distance,
    class_sizes,
    dense,
    mapping_distance,
    milp_distance,
)
from tests.reference.pairs import graph_tuples
from tests.reference.random_graphs import KINDS, UNGROUPED, Kind, random_pairs, relabelled

# Squares this close, relative to |x|^2 + |y|^2, are equal to the exact matcher, which says so.
PROVEN = 1e-11
# Small pairs have a search of their own; with a limit they are searched as larger ones are.
MATCHERS = ("exact", gq.ExactMatcher(node_limit=10**9))


def norms(x, y):
    return sum(dense(graph, class_sizes(graph)).norm for graph in (x, y))


def check_batch(collection, pairs, order=None):
    """Every pair: as near as all permutations come, proven, and by the mapping that is returned."""
    sizes = class_sizes(*collection, order=order)
    all_found = [
        gq.match_all(collection, collection, pairs, matcher, order, 1, mappings=True) for matcher in MATCHERS
    ]
    for k, (i, j) in enumerate(pairs.tolist()):
        x, y = collection[i], collection[j]
        expected = brute_force_distance(x, y, sizes=sizes)
        tolerance = 1e-9 * (1.0 + norms(x, y))
        for found in all_found:
            assert found.distance[k] == pytest.approx(expected, abs=tolerance), (i, j)
            mapped = mapping_distance(x, y, found.mapping[k, : x.order], sizes=sizes)
            assert found.distance[k] == pytest.approx(mapped, abs=tolerance), (i, j)
            assert found.lower_bound[k] <= expected, (i, j)
            assert found.proven[k], (i, j)


@pytest.mark.parametrize("name", KINDS)
def test_equals_brute_force(name):
    rng = np.random.default_rng(21)
    # Each class has as many positions as any graph needs: three classes of 3 are as large as one of 6.
    max_order = {0: 6, 2: 4, 3: 3}[KINDS[name].n_groups]
    collection = KINDS[name].collection(rng, 60, 0, max_order)
    check_batch(collection, random_pairs(rng, 60, 180))


@pytest.mark.parametrize("name", UNGROUPED)
def test_equals_brute_force_with_zero_nodes(name):
    rng = np.random.default_rng(22)
    collection = KINDS[name].collection(rng, 40, 0, 4)
    for order in (5, 6):
        check_batch(collection, random_pairs(rng, 40, 60), order)


@pytest.mark.parametrize("name", KINDS)
def test_equals_brute_force_of_single_pairs(name):
    # One pair has a graph space of its own: classes with as many positions as the larger graph needs.
    rng = np.random.default_rng(23)
    for _ in range(25):
        x, y = (KINDS[name].graph(rng, int(rng.integers(0, 6))) for _ in range(2))
        found = gq.match(x, y, matcher="exact")
        assert found.distance == pytest.approx(brute_force_distance(x, y), abs=1e-9 * (1.0 + norms(x, y)))
        assert found.distance == pytest.approx(mapping_distance(x, y, found.mapping), rel=1e-12, abs=1e-12)
        assert found.proven


@pytest.mark.parametrize("name", UNGROUPED)
def test_equals_brute_force_at_order_seven(name):
    rng = np.random.default_rng(24)
    collection = KINDS[name].collection(rng, 12, 5, 7)
    check_batch(collection, random_pairs(rng, 12, 12), 7)


def test_a_small_pair_that_takes_long_is_searched_again():
    # Complete graphs without attributes of nodes: cheap bounds tell mappings apart only when most is decided.
    rng = np.random.default_rng(29)
    pairs = np.array([(i, i + 1) for i in range(0, 12, 2)])
    collection = gq.GraphCollection(
        [
            gq.Graph(
                np.zeros((order, 1)), Kind(density=1.0).graph(rng, order).edges, rng.random((n_edges, 1))
            )
            for order, n_edges in 2 * [(6, 15), (7, 21), (7, 21)] + 6 * [(7, 21)]
        ]
    )
    check_batch(collection, pairs)


def test_many_classes():
    rng = np.random.default_rng(25)
    for n_groups in (3, 4, 6):
        collection = Kind(density=0.7, q=2, n_groups=n_groups).collection(rng, 20, 2, 5)
        for i, j in random_pairs(rng, 20, 60).tolist():
            x, y = collection[i], collection[j]
            assert gq.distance(x, y, "exact") == pytest.approx(brute_force_distance(x, y), abs=1e-9)


@pytest.mark.property
@given(graph_tuples(max_order=5))
def test_equals_brute_force_of_any_graphs(pair):
    (x, y), order = pair
    found = gq.match(x, y, matcher="exact", order=order)
    expected = brute_force_distance(x, y, order)
    scale = norms(x, y) ** 2
    assert found.proven
    assert found.distance**2 == pytest.approx(expected**2, rel=1e-12, abs=PROVEN * scale)
    mapped = mapping_distance(x, y, found.mapping, order)
    assert found.distance**2 == pytest.approx(mapped**2, rel=1e-12, abs=1e-12 * scale)
    assert found.lower_bound <= expected


# Kinds whose optimum HiGHS finds quickly.
MILP_KINDS = {
    "sparse": Kind(density=0.2),
    "sparse-non-negative": Kind(density=0.15, signed=False),
    "sparse-vectors": Kind(density=0.2, q=2),
    "sparse-directed": Kind(density=0.1, directed=True),
    "few-labels": Kind(density=0.2, p=1, ties=True),
    "grouped": Kind(density=0.25, n_groups=2),
}


@pytest.mark.parametrize("order", [8, 9, 10])
@pytest.mark.parametrize("name", MILP_KINDS)
def test_equals_milp(name, order):
    rng = np.random.default_rng(26)
    for smaller in (order, order - 1, order - 3):
        x, y = MILP_KINDS[name].graph(rng, smaller), MILP_KINDS[name].graph(rng, order)
        found = gq.match(x, y, matcher="exact")
        assert found.proven
        assert found.distance == pytest.approx(milp_distance(x, y), abs=1e-9 * (1.0 + norms(x, y)))


def test_milp_equals_brute_force():
    # The oracle of the larger orders is itself checked by that of the smaller ones.
    rng = np.random.default_rng(27)
    for name in ("sparse", "vector-edges", "directed", "ties", "grouped"):
        for _ in range(3):
            x, y = (KINDS[name].graph(rng, int(rng.integers(2, 6))) for _ in range(2))
            order = None if KINDS[name].n_groups else 6
            assert milp_distance(x, y, order) == pytest.approx(brute_force_distance(x, y, order), abs=1e-9)


@pytest.mark.parametrize("name", KINDS)
def test_finds_a_relabelled_graph_again(name):
    rng = np.random.default_rng(28)
    for order in (10, 20):
        x = KINDS[name].graph(rng, order)
        found = gq.match(x, relabelled(rng, x), matcher="exact")
        assert found.distance == 0.0
        assert found.proven
        assert found.lower_bound == 0.0


@pytest.mark.parametrize(
    ("matcher", "largest"),
    [(without_proofs(gq.AutoMatcher()), 8), (matcher_for_learning("auto"), 16)],
    ids=["choosing medoids", "learning"],
)
@pytest.mark.parametrize("name", KINDS)
def test_auto_with_fewer_proofs(name, matcher, largest):
    # Larger pairs keep the mapping of Frank-Wolfe and the star bound; smaller ones may have fewer search
    # nodes. No bound is false.
    rng = np.random.default_rng(29)
    # Searches of larger pairs take most of the time.
    X = KINDS[name].collection(rng, 12, largest - 2, largest + 4)
    pairs = random_pairs(rng, 12, 30 if largest <= 8 else 8)
    auto, quick = (gq.match_all(X, X, pairs, m) for m in ("auto", matcher))
    assert (quick.lower_bound <= auto.distance + 1e-9).all()
    is_searched = X.orders[pairs].min(axis=1) <= largest
    assert 0 < is_searched.sum() < len(pairs)
    approximate = gq.match_all(X, X, pairs, matcher.starter)
    np.testing.assert_array_equal(quick.distance[~is_searched], approximate.distance[~is_searched])
    assert (quick.distance <= approximate.distance).all()
    is_proven = quick.proven | (X.orders[pairs].min(axis=1) <= 8)
    np.testing.assert_allclose(quick.distance[is_proven], auto.distance[is_proven], rtol=1e-12)


def test_learning_proves_most_that_auto_proves():
    rng = np.random.default_rng(30)
    X, pairs = KINDS["sparse"].collection(rng, 30, 9, 12), random_pairs(rng, 30, 200)
    auto, learning = (
        gq.match_all(X, X, pairs, m).proven.sum() for m in ("auto", matcher_for_learning("auto"))
    )
    assert 0.5 * auto < learning <= auto


def test_only_auto_has_proofs_to_leave_out():
    for matcher in (gq.ExactMatcher(), gq.FrankWolfe(), gq.GraduatedAssignment()):
        assert without_proofs(matcher) is matcher
    for matcher in (gq.ExactMatcher(), gq.AutoMatcher(), gq.FrankWolfe()):
        assert matcher_for_learning(matcher) is matcher
    assert matcher_for_learning("exact") == gq.ExactMatcher()


@pytest.mark.parametrize("difference", [1e-4, 1e-6, 1e-8, 1e-10])
def test_labels_that_are_nearly_equal(difference):
    # Squares know differences of 1e-11 of the norms, hence distances near zero the root of it and no better.
    triangle = gq.Graph([1.0, 1.0 + difference, 1.0 - difference], [(0, 1), (1, 2), (0, 2)])
    for permutation in ([1, 0, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]):
        found = gq.match(triangle, triangle.permute(permutation), "exact")
        assert found.distance**2 <= PROVEN * norms(triangle, triangle) ** 2
        assert found.lower_bound == 0.0
        assert found.proven
