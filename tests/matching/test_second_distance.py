"""The second-best alignment (gap certificate) and warm starts, against all permutations."""

from itertools import permutations

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidGraphError
from tests.reference.brute_force import class_sizes, dense, permuted_distance, squared_distances
from tests.reference.random_graphs import KINDS

KIND_NAMES = ["sparse", "dense", "vector-edges", "directed-vectors", "non-negative", "ties"]


def lift(x, mapping):
    """Dense representation of x with its nodes (and zero nodes) laid on the mapped positions."""
    nodes, edges = np.zeros_like(x.nodes), np.zeros_like(x.edges)
    nodes[mapping] = x.nodes
    edges[np.ix_(mapping, mapping)] = x.edges
    return nodes, edges


def same_lift(a, b, index):
    """Whether two lifts are equal when the positions of the first are read in the given order."""
    return np.array_equal(a[0][index], b[0]) and np.array_equal(a[1][np.ix_(index, index)], b[1])


def second_by_definition(x, y, mapping, order):
    """Least distance over all permutations whose lift differs on more than the zero nodes of y."""
    sizes = class_sizes(x, y, order=order)
    a, b = dense(x, sizes), dense(y, sizes)
    n = a.order
    rest = [p for p in range(n) if p not in set(mapping.tolist())]
    best = lift(a, np.array([*mapping.tolist(), *rest]))
    seconds = []
    for permutation in permutations(range(n)):
        permutation = np.array(permutation)
        found = lift(a, permutation)
        same = any(
            np.array_equal(found[0][index], best[0])
            and np.array_equal(found[1][np.ix_(index, index)], best[1])
            for tail in permutations(range(y.order, n))
            for index in [[*range(y.order), *tail]]
        )
        if not same:
            seconds.append(permuted_distance(a, b, permutation))
    return min(seconds, default=np.inf)


@pytest.mark.parametrize("name", KIND_NAMES)
def test_second_distance_against_all_permutations(name):
    rng = np.random.default_rng(71)
    kind = KINDS[name]
    for _ in range(25):
        x, y = kind.graph(rng, int(rng.integers(1, 5))), kind.graph(rng, int(rng.integers(1, 5)))
        order = max(x.order, y.order) + int(rng.integers(0, 2))
        found = gq.match(x, y, matcher="exact", order=order)
        truth = second_by_definition(x, y, found.mapping, order)
        second = gq.second_distance(x, y, found.mapping, order=order)
        assert second >= found.distance - 1e-6
        assert second <= truth + 1e-6
        # A node of nothing but zeros is as good on any free position, which only costs certainty.
        if name != "ties" and np.isfinite(truth):
            assert second == pytest.approx(truth, abs=1e-6)


def test_second_distance_of_complete_graphs():
    # Weak bounds: the search of small pairs gives up, and the one of larger pairs takes over.
    rng = np.random.default_rng(74)
    for order in (4, 6, 7, 7, 7):
        edges = [(i, j) for i in range(order) for j in range(i)]
        x, y = (gq.Graph(np.zeros((order, 1)), edges, rng.random((len(edges), 1))) for _ in range(2))
        found = gq.match(x, y, matcher="exact")
        _, squared = squared_distances(*(dense(graph, class_sizes(graph)) for graph in (x, y)))
        first, second = np.sqrt(np.sort(squared)[:2])
        assert found.distance == pytest.approx(first, rel=1e-9)
        assert gq.second_distance(x, y, found.mapping) == pytest.approx(second, rel=1e-9)


def test_gap_certificate_holds_while_y_moves():
    rng = np.random.default_rng(72)
    for _ in range(30):
        x, y = KINDS["sparse"].graph(rng, 4), KINDS["dense"].graph(rng, 5)
        found = gq.match(x, y, matcher="exact")
        radius = (gq.second_distance(x, y, found.mapping) - found.distance) / 2
        step = rng.normal(size=y.node_attrs.shape)
        step *= 0.99 * radius / np.linalg.norm(step)
        moved = gq.Graph(y.node_attrs + step, y.edges, y.edge_attrs)
        again = gq.match(x, moved, matcher="exact")
        assert again.mapping.tolist() == found.mapping.tolist()


def test_twins_share_a_lift():
    star = gq.Graph([0.0, 1.0, 1.0], [(0, 1), (0, 2)])
    other = gq.Graph([0.0, 1.2, 1.1], [(0, 1), (0, 2)])
    found = gq.match(star, other)
    # Exchanging the two equal leaves changes nothing; the next lift moves the centre.
    assert gq.second_distance(star, other, found.mapping) > found.distance + 1.0


def test_equal_nodes_of_y_leave_no_gap():
    x = gq.Graph([0.0, 1.0, 1.5], [(0, 1), (0, 2)])
    y = gq.Graph([0.0, 1.0, 1.0], [(0, 1), (0, 2)])
    found = gq.match(x, y)
    assert gq.second_distance(x, y, found.mapping) == pytest.approx(found.distance, abs=1e-6)


@pytest.mark.parametrize("name", ["sparse", "dense", "ties", "directed", "grouped"])
def test_a_start_changes_nothing_that_is_proven(name):
    rng = np.random.default_rng(73)
    kind = KINDS[name]
    for _ in range(20):
        x, y = kind.graph(rng, 8), kind.graph(rng, 8)
        cold = gq.match(x, y, matcher="exact")
        for start in (cold.mapping, gq.match(x, y, matcher="frank-wolfe").mapping):
            warm = gq.match(x, y, matcher="exact", start=start)
            assert warm.proven
            assert warm.mapping.tolist() == cold.mapping.tolist()
            assert warm.distance == cold.distance
            assert warm.n_search_nodes <= cold.n_search_nodes


def test_a_start_must_be_a_mapping():
    x = gq.Graph([1.0, 2.0])
    with pytest.raises(
        InvalidGraphError, match=r"start returned .* Return 2 different positions from 0 to 1"
    ):
        gq.match(x, x, start=[0, 0])
