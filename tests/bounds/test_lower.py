"""Every lower bound is one, whatever the graphs; each stage is no worse than the one before it."""

from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given

import graphquant as gq
from graphquant.bounds import Bound, lower_bounds
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from tests.reference.brute_force import brute_force_distance, class_sizes
from tests.reference.pairs import graph_tuples
from tests.reference.random_graphs import KINDS, UNGROUPED, random_pairs, relabelled

BOUNDS = get_args(Bound)
# Bounds are lowered by this share of |x|^2 + |y|^2 (as squares) before they are returned.
MARGIN = 2e-12
# Spectra come from LAPACK, whose last digits change with where an array lies in memory.
LAST_DIGITS = 1.0 + 1e-12


def sample(name, *, size=40, n_pairs=60, max_order=5):
    """Random graphs of a kind, pairs of them, and an order that leaves room for zero nodes."""
    rng = np.random.default_rng(11)
    max_order = min(max_order, 4) if KINDS[name].n_groups else max_order
    return KINDS[name].collection(rng, size, 0, max_order), random_pairs(rng, size, n_pairs)


def squared_scale(x, y):
    """|x|^2 + |y|^2 in the matrix representation."""
    return sum(
        (g.node_attrs**2).sum() + (1.0 if g.directed else 2.0) * (g.edge_attrs**2).sum() for g in (x, y)
    )


def orders_for(name):
    return (None,) if KINDS[name].n_groups else (None, 6)


@pytest.mark.parametrize("name", KINDS)
def test_never_above_the_distance(name):
    collection, pairs = sample(name)
    for order in orders_for(name):
        sizes = class_sizes(*collection, order=order)
        exact = np.array(
            [brute_force_distance(collection[i], collection[j], sizes=sizes) for i, j in pairs.tolist()]
        )
        for kind in BOUNDS:
            bound = lower_bounds(collection, collection, pairs, order=order, kind=kind)
            assert (bound >= 0.0).all()
            # No tolerance: the margin is there so that rounding cannot lift a bound above the distance.
            assert (bound <= exact).all(), kind


@pytest.mark.parametrize("name", KINDS)
def test_no_stage_is_worse_than_the_one_before(name):
    collection, pairs = sample(name, n_pairs=200)
    for order in orders_for(name):
        stages = [lower_bounds(collection, collection, pairs, order=order, kind=kind) for kind in BOUNDS]
        for cheap, dear in pairwise(stages):
            assert (cheap <= dear * LAST_DIGITS).all()


@pytest.mark.parametrize("name", UNGROUPED)
def test_a_larger_order_never_raises_a_bound(name):
    collection, pairs = sample(name, n_pairs=200)
    for kind in BOUNDS:
        tight, roomy = (
            lower_bounds(collection, collection, pairs, order=order, kind=kind) for order in (None, 12)
        )
        assert (roomy <= tight + 1e-12).all()


@pytest.mark.parametrize("name", KINDS)
def test_relabelling_changes_nothing(name):
    rng = np.random.default_rng(12)
    collection, pairs = sample(name)
    shuffled = gq.GraphCollection([relabelled(rng, graph) for graph in collection])
    for kind in BOUNDS:
        np.testing.assert_allclose(
            lower_bounds(shuffled, collection, pairs, kind=kind) ** 2,
            lower_bounds(collection, collection, pairs, kind=kind) ** 2,
            rtol=1e-9,
            atol=1e-9,
        )


@pytest.mark.parametrize("name", KINDS)
def test_either_graph_may_come_first(name):
    collection, pairs = sample(name)
    for kind in BOUNDS:
        np.testing.assert_allclose(
            lower_bounds(collection, collection, pairs, kind=kind) ** 2,
            lower_bounds(collection, collection, pairs[:, ::-1], kind=kind) ** 2,
            rtol=1e-9,
            atol=1e-9,
        )


@pytest.mark.parametrize("name", KINDS)
def test_threshold_stops_early_and_stays_valid(name):
    collection, pairs = sample(name, n_pairs=200)
    full = lower_bounds(collection, collection, pairs)
    stages = np.array([lower_bounds(collection, collection, pairs, kind=kind) for kind in BOUNDS])
    for threshold in (0.1, 0.5, 2.0, 4.0, np.inf):
        stopped = lower_bounds(collection, collection, pairs, threshold=threshold)
        assert (stopped <= full * LAST_DIGITS).all()
        # Each value is that of the first stage that reaches the threshold, or of the last one.
        reached = stages >= threshold
        first = np.where(reached.any(axis=0), reached.argmax(axis=0), len(BOUNDS) - 1)
        np.testing.assert_allclose(stopped, stages[first, np.arange(len(pairs))], rtol=0.0, atol=1e-7)
        np.testing.assert_array_equal(stopped >= threshold, full >= threshold)


@pytest.mark.parametrize("kind", BOUNDS)
def test_one_pair_is_as_many(kind):
    collection, pairs = sample("vector-edges", n_pairs=20)
    many = lower_bounds(collection, collection, pairs, kind=kind)
    for k, (i, j) in enumerate(pairs.tolist()):
        x, y = collection[i], collection[j]
        assert gq.lower_bound(x, y, order=5, kind=kind) == pytest.approx(many[k], rel=1e-12)


@pytest.mark.parametrize("kind", ["nodes", "star"])
@pytest.mark.parametrize("order", [None, 6])
def test_exact_for_edgeless_graphs(kind, order):
    collection, pairs = sample("edgeless")
    for i, j in pairs.tolist():
        x, y = collection[i], collection[j]
        exact = brute_force_distance(x, y, order)
        margin = MARGIN * squared_scale(x, y)
        assert gq.lower_bound(x, y, order=order, kind=kind) ** 2 >= exact**2 - 2.0 * margin


def test_sorted_is_exact_for_numbers_with_room_for_all():
    # One channel, no edges, and zero nodes enough for both graphs: the best match is by sorting.
    rng = np.random.default_rng(13)
    for _ in range(20):
        x, y = gq.Graph(rng.normal(size=3)), gq.Graph(rng.normal(size=3))
        exact = brute_force_distance(x, y, 6)
        assert gq.lower_bound(x, y, order=6, kind="sorted") == pytest.approx(exact, rel=1e-9)


def test_spectra_see_what_sorting_does_not():
    # A path and a star of four nodes: as many edges, other eigenvalues.
    path = gq.Graph(np.zeros(4), [(0, 1), (1, 2), (2, 3)])
    star = gq.Graph(np.zeros(4), [(0, 1), (0, 2), (0, 3)])
    by_sorting, by_spectra = (gq.lower_bound(path, star, kind=kind) for kind in ("sorted", "spectra"))
    assert by_sorting == 0.0
    expected = np.linalg.norm(
        np.sort([np.sqrt(3.0), 0.0, 0.0, -np.sqrt(3.0)])
        - np.sort(2.0 * np.cos(np.arange(1, 5) * np.pi / 5.0))
    )
    assert by_spectra == pytest.approx(expected, rel=1e-9)


def test_star_sees_degrees():
    # Every degree of the cycle is 2; the star has one node of degree 4 and four of degree 1.
    cycle = gq.Graph(np.zeros(5), [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])
    star = gq.Graph(np.zeros(5), [(0, 1), (0, 2), (0, 3), (0, 4)])
    # Stars share 2 + 4 * 1 slots of the 10 and 8: 10 + 8 - 2 * 6.
    assert gq.lower_bound(cycle, star) == pytest.approx(np.sqrt(6.0), rel=1e-9)


@pytest.mark.parametrize("kind", BOUNDS)
def test_exact_against_the_empty_graph(kind):
    x = gq.Graph([[3.0, 0.0], [0.0, 4.0]], [(0, 1)])
    empty = gq.Graph(np.empty((0, 2)))
    for pair in ((x, empty), (empty, x)):
        assert gq.lower_bound(*pair, kind=kind) == pytest.approx(np.sqrt(27.0), rel=1e-9)
    assert gq.lower_bound(empty, empty, kind=kind) == 0.0


@pytest.mark.parametrize("kind", BOUNDS)
@pytest.mark.parametrize("name", KINDS)
def test_zero_for_equal_graphs(name, kind):
    rng = np.random.default_rng(14)
    for graph in KINDS[name].collection(rng, 10, 0, 8):
        assert gq.lower_bound(graph, relabelled(rng, graph), kind=kind) == 0.0


def test_rounding_margin_is_as_documented():
    # A bound that is exact in real numbers comes out lower by the margin, and by no more.
    x, y = gq.Graph([1.0, 2.0]), gq.Graph([4.0, 6.0])
    exact_squared, scale = 25.0, 1.0 + 4.0 + 16.0 + 36.0
    bound = gq.lower_bound(x, y)
    assert bound < 5.0
    assert exact_squared - bound**2 == pytest.approx(MARGIN * scale, rel=1e-3)


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e6, 1e12])
@pytest.mark.parametrize("kind", BOUNDS)
def test_scales_with_the_attributes(kind, scale):
    collection, pairs = sample("directed-vectors", n_pairs=20)
    scaled = gq.GraphCollection(
        [gq.Graph(scale * g.node_attrs, g.edges, scale * g.edge_attrs, directed=True) for g in collection]
    )
    np.testing.assert_allclose(
        lower_bounds(scaled, scaled, pairs, kind=kind) ** 2 / scale**2,
        lower_bounds(collection, collection, pairs, kind=kind) ** 2,
        rtol=1e-9,
        atol=1e-10,
    )


def test_unknown_kind():
    x = gq.Graph([1.0])
    with pytest.raises(InvalidParameterError, match=r"Unknown kind 'stars'\. Did you mean 'star'\?"):
        gq.lower_bound(x, x, kind="stars")


def test_attributes_out_of_range():
    with pytest.raises(InvalidGraphError, match=r"largest node attribute is 1e\+200.*Scale the attributes"):
        gq.lower_bound(gq.Graph([1e200]), gq.Graph([1.0]))


def test_order_has_no_meaning_with_groups():
    x = gq.Graph([1.0, 2.0], groups=[0, 1])
    with pytest.raises(InvalidGraphError, match=r"order=3 does not apply to graphs with groups"):
        gq.lower_bound(x, x, order=3)


@pytest.mark.property
@given(graph_tuples())
def test_never_above_the_distance_of_any_graphs(pair):
    (x, y), order = pair
    exact = brute_force_distance(x, y, order)
    previous = 0.0
    for kind in BOUNDS:
        bound = gq.lower_bound(x, y, order=order, kind=kind)
        assert bound <= exact
        assert previous <= bound * LAST_DIGITS
        previous = bound
