"""What holds for every matcher of the registry, and the metric that the exact one gives."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphquant as gq
from graphquant.datasets import load_iam
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.matching import MATCHERS
from tests.reference.brute_force import brute_force_distance, class_sizes, mapping_distance
from tests.reference.pairs import graph_tuples
from tests.reference.random_graphs import (
    KINDS,
    UNGROUPED,
    Kind,
    random_pairs,
    relabelled,
    with_zero_nodes,
)

matchers = pytest.mark.parametrize("matcher", MATCHERS)
kinds = pytest.mark.parametrize("name", KINDS)


def sample(name, *, seed=31, size=24, n_pairs=40, min_order=0, max_order=9):
    rng = np.random.default_rng(seed)
    return KINDS[name].collection(rng, size, min_order, max_order), random_pairs(rng, size, n_pairs)


def scaled(graph, factor):
    return gq.Graph(
        factor * graph.node_attrs,
        graph.edges,
        factor * graph.edge_attrs,
        directed=graph.directed,
        groups=graph.groups,
    )


def assert_same(a, b):
    """Equal bit for bit."""
    np.testing.assert_array_equal(a.distance, b.distance)
    np.testing.assert_array_equal(a.lower_bound, b.lower_bound)
    np.testing.assert_array_equal(a.proven, b.proven)
    np.testing.assert_array_equal(a.mapping, b.mapping)
    np.testing.assert_array_equal(a.n_search_nodes, b.n_search_nodes)


@pytest.fixture(scope="module")
def letters(iam_path):
    return load_iam("letter", iam_path).graphs[:40]


@kinds
@matchers
def test_mapping_gives_the_distance(matcher, name):
    collection, pairs = sample(name)
    for order in (None,) if KINDS[name].n_groups else (None, 12):
        sizes = class_sizes(*collection, order=order)
        found = gq.match_all(collection, collection, pairs, matcher, order, 1, mappings=True)
        for k, (i, j) in enumerate(pairs.tolist()):
            x, y = collection[i], collection[j]
            # Also checks that positions are distinct, inside the space, and of the right class.
            mapped = mapping_distance(x, y, found.mapping[k, : x.order], sizes=sizes)
            assert found.distance[k] == pytest.approx(mapped, rel=1e-12, abs=1e-14)
            assert (found.mapping[k, x.order :] == -1).all()


@kinds
@matchers
def test_lower_bound_exact_distance_are_in_order(matcher, name):
    collection, pairs = sample(name)
    for order in (None,) if KINDS[name].n_groups else (None, 10):
        exact = gq.match_all(collection, collection, pairs, "exact", order, 1)
        found = gq.match_all(collection, collection, pairs, matcher, order, 1)
        assert exact.proven.all()
        assert (found.lower_bound <= exact.distance).all()
        assert (exact.distance <= found.distance + 1e-12).all()
        np.testing.assert_allclose(found.distance[found.proven], exact.distance[found.proven], rtol=1e-10)


@kinds
@matchers
def test_either_graph_may_come_first(matcher, name):
    collection, pairs = sample(name, max_order=8)
    found = gq.match_all(collection, collection, pairs, matcher, None, 1, mappings=True)
    turned = gq.match_all(collection, collection, pairs[:, ::-1], matcher, None, 1, mappings=True)
    np.testing.assert_array_equal(found.distance, turned.distance)
    np.testing.assert_array_equal(found.lower_bound, turned.lower_bound)
    np.testing.assert_array_equal(found.proven, turned.proven)
    for k, (i, j) in enumerate(pairs.tolist()):
        there, back = found.mapping[k, : collection[i].order], turned.mapping[k, : collection[j].order]
        for r, p in enumerate(there.tolist()):
            if p < collection[j].order:
                assert back[p] == r
        assert (back < collection[i].order).sum() == (there < collection[j].order).sum()


@kinds
@matchers
def test_a_matcher_is_a_function(matcher, name):
    collection, pairs = sample(name)
    first = gq.match_all(collection, collection, pairs, matcher, None, 1, mappings=True)
    assert_same(first, gq.match_all(collection, collection, pairs, matcher, None, 1, mappings=True))
    # Neither the number of threads, nor the pairs matched before, nor how collections are cut matters.
    assert_same(first, gq.match_all(collection, collection, pairs, matcher, None, 3, mappings=True))
    backwards = gq.match_all(collection, collection, pairs[::-1], matcher, None, 2, mappings=True)
    np.testing.assert_array_equal(first.distance, backwards.distance[::-1])
    np.testing.assert_array_equal(first.mapping, backwards.mapping[::-1])
    other = gq.GraphCollection(list(collection))
    assert_same(first, gq.match_all(collection, other, pairs, matcher, None, 1, mappings=True))
    if not KINDS[name].n_groups:
        for k, (i, j) in enumerate(pairs[:10].tolist()):
            alone = gq.match(collection[i], collection[j], matcher, order=collection.max_order)
            assert alone.distance == first.distance[k]
            np.testing.assert_array_equal(alone.mapping, first.mapping[k, : collection[i].order])


@kinds
@matchers
def test_zero_nodes_are_numbered_in_order(matcher, name):
    collection, pairs = sample(name)
    sizes = class_sizes(*collection)
    found = gq.match_all(collection, collection, pairs, matcher, None, 1, mappings=True)
    for k, (i, j) in enumerate(pairs.tolist()):
        x, y = collection[i], collection[j]
        classes = np.zeros(x.order, dtype=int) if x.groups is None else x.groups
        occupied = np.zeros(y.order, dtype=int) if y.groups is None else y.groups
        position = y.order
        for g, size in enumerate(sizes):
            on_zero = found.mapping[k, : x.order][(found.mapping[k, : x.order] >= y.order) & (classes == g)]
            np.testing.assert_array_equal(on_zero, position + np.arange(len(on_zero)))
            position += size - (occupied == g).sum()


@kinds
@matchers
def test_distance_to_itself_is_zero(matcher, name):
    collection, _ = sample(name, max_order=12)
    numbers = np.arange(len(collection))
    found = gq.match_all(
        collection, collection, np.column_stack([numbers, numbers]), matcher, None, 1, mappings=True
    )
    assert (found.distance == 0.0).all()
    assert (found.lower_bound == 0.0).all()
    assert found.proven.all()
    for graph, mapping in zip(collection, found.mapping, strict=True):
        np.testing.assert_array_equal(mapping[: graph.order], np.arange(graph.order))


@pytest.mark.property
@matchers
@given(pair=graph_tuples(max_order=5))
def test_any_pair(matcher, pair):
    (x, y), order = pair
    found, turned = gq.match(x, y, matcher, order), gq.match(y, x, matcher, order)
    assert found.distance == turned.distance
    assert found.lower_bound == turned.lower_bound
    exact = brute_force_distance(x, y, order)
    mapped = mapping_distance(x, y, found.mapping, order)
    assert found.distance == pytest.approx(mapped, rel=1e-12)
    assert found.lower_bound <= exact <= found.distance * (1.0 + 1e-12)


# The metric. Every claim is for a fixed order.


@kinds
def test_exact_distance_is_invariant_under_relabelling(name):
    rng = np.random.default_rng(32)
    collection, pairs = sample(name, max_order=8)
    shuffled = gq.GraphCollection([relabelled(rng, graph) for graph in collection])
    straight = gq.match_all(collection, collection, pairs, "exact")
    np.testing.assert_allclose(
        gq.match_all(shuffled, collection, pairs, "exact").distance,
        straight.distance,
        rtol=1e-10,
        atol=1e-12,
    )
    same = np.column_stack([np.arange(len(collection))] * 2)
    found = gq.match_all(collection, shuffled, same, "exact")
    assert (found.distance == 0.0).all()
    assert found.proven.all()


@pytest.mark.parametrize("name", UNGROUPED)
def test_exact_distance_is_invariant_under_zero_nodes(name):
    collection, pairs = sample(name, max_order=6, n_pairs=20)
    order = 8
    padded = gq.GraphCollection([with_zero_nodes(graph, order) for graph in collection])
    straight = gq.match_all(collection, collection, pairs, "exact", order).distance
    for left, right in ((padded, collection), (padded, padded)):
        found = gq.match_all(left, right, pairs, "exact", order)
        assert found.proven.all()
        np.testing.assert_allclose(found.distance, straight, rtol=1e-10, atol=1e-12)


def test_room_for_all_nodes_is_room_enough():
    # No mapping uses more zero nodes than there are nodes: a larger order changes nothing.
    collection, pairs = sample("vector-edges", max_order=5)
    enough, more = (
        gq.match_all(collection, collection, pairs, "exact", order).distance for order in (10, 99)
    )
    np.testing.assert_array_equal(enough, more)


def check_metric(distances):
    """Axioms for all triples of a distance matrix."""
    np.testing.assert_array_equal(distances, distances.T)
    assert (np.diag(distances) == 0.0).all()
    detours = (distances[:, :, None] + distances[None, :, :]).min(axis=1)
    assert (distances <= detours + 1e-9).all()


@kinds
def test_metric_axioms_of_random_graphs(name):
    # One graph space for all: pairwise_distances takes the order of the largest.
    collection, _ = sample(name, size=14, max_order=6)
    check_metric(gq.pairwise_distances(collection, matcher="exact"))
    if not KINDS[name].n_groups:
        check_metric(gq.pairwise_distances(collection, matcher="exact", order=9))


def test_metric_axioms_of_letters(letters):
    check_metric(gq.pairwise_distances(letters, matcher="exact"))


@pytest.mark.property
@given(graph_tuples(3, max_order=4))
def test_triangle_inequality(triple):
    (x, y, z), order = triple
    collection = gq.GraphCollection([x, y, z])
    d = gq.pairwise_distances(collection, matcher="exact", order=order)
    slack = 1e-6 * (1.0 + d.max())  # a distance near zero is known to the root of the squares' tolerance
    for a, b, c in ((0, 1, 2), (0, 2, 1), (1, 0, 2)):
        assert d[a, c] <= d[a, b] + d[b, c] + slack


def test_triangle_inequality_needs_a_fixed_order():
    # x and z alone have one position, and y makes it two: the way round is shorter than the straight one.
    x, y, z = gq.Graph([3.0]), gq.Graph([0.5, -0.5]), gq.Graph([-3.0])
    assert gq.distance(x, z) == 6.0
    assert gq.distance(x, y) + gq.distance(y, z) < 6.0
    assert gq.distance(x, z, order=2) == pytest.approx(np.sqrt(18.0))
    assert gq.distance(x, z, order=2) <= gq.distance(x, y, order=2) + gq.distance(y, z, order=2)


@matchers
def test_letters(matcher, letters):
    rng = np.random.default_rng(33)
    pairs = random_pairs(rng, len(letters), 200)
    exact = gq.match_all(letters, letters, pairs, "exact")
    found = gq.match_all(letters, letters, pairs, matcher, mappings=True)
    assert exact.proven.all()
    assert (found.lower_bound <= exact.distance).all()
    assert (exact.distance <= found.distance + 1e-12).all()
    sizes = class_sizes(*letters)
    for k, (i, j) in enumerate(pairs[:50].tolist()):
        mapping = found.mapping[k, : letters[i].order]
        assert found.distance[k] == pytest.approx(
            mapping_distance(letters[i], letters[j], mapping, sizes=sizes), rel=1e-12
        )


# Scales and sizes at the edge.


@kinds
@matchers
@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_scales_with_the_attributes(matcher, name, scale):
    collection, pairs = sample(name, n_pairs=10)
    other = gq.GraphCollection([scaled(graph, scale) for graph in collection])
    plain = gq.match_all(collection, collection, pairs, matcher, None, 1)
    found = gq.match_all(other, other, pairs, matcher, None, 1)
    assert np.isfinite(found.distance).all()
    if matcher == "exact":
        assert found.proven.all()
        np.testing.assert_allclose(found.distance / scale, plain.distance, rtol=1e-9, atol=1e-9)
    # A power of two changes no digit, hence no decision.
    power = 2.0 ** np.round(np.log2(scale))
    other = gq.GraphCollection([scaled(graph, power) for graph in collection])
    found = gq.match_all(other, other, pairs, matcher, None, 1)
    np.testing.assert_array_equal(found.distance / power, plain.distance)
    np.testing.assert_array_equal(found.proven, plain.proven)


@matchers
@pytest.mark.parametrize(
    ("graph", "what"),
    [
        (gq.Graph([1e200, 1.0], [(0, 1)]), "node attribute is 1e\\+200"),
        (gq.Graph([1.0, 1.0], [(0, 1)], [1e200]), "edge attribute is 1e\\+200"),
        (gq.Graph([1e-200, 0.0]), "node attribute is 1e-200"),
    ],
    ids=["huge node", "huge edge", "tiny nodes"],
)
def test_refuses_what_squares_cannot_hold(matcher, graph, what):
    with pytest.raises(InvalidGraphError, match=f"largest {what}.*Scale the attributes"):
        gq.match(graph, graph.permute([1, 0]), matcher)


@matchers
def test_empty_graphs(matcher):
    empty, dot = gq.Graph(np.empty((0, 2))), gq.Graph([[3.0, 4.0]])
    for order in (None, 3):
        for x, y in ((empty, dot), (dot, empty)):
            found = gq.match(x, y, matcher, order)
            assert found.distance == 5.0
            assert found.proven
            assert len(found.mapping) == x.order
        found = gq.match(empty, empty, matcher, order)
        assert (found.distance, found.lower_bound, found.proven) == (0.0, 0.0, True)
        assert found.mapping.shape == (0,)


@matchers
def test_single_nodes(matcher):
    found = gq.match(gq.Graph([[1.0, 2.0]]), gq.Graph([[1.0, -2.0]]), matcher)
    assert found.distance == 4.0
    assert found.proven
    assert found.mapping.tolist() == [0]
    roomy = gq.match(gq.Graph([[1.0, 2.0]]), gq.Graph([[1.0, -2.0]]), matcher, order=2)
    assert roomy.distance == pytest.approx(np.sqrt(10.0))
    assert roomy.mapping.tolist() == [1]


@matchers
def test_no_class_in_common(matcher):
    x, y = gq.Graph([1.0, 1.0], [(0, 1)], groups=[0, 1]), gq.Graph([1.0, 1.0], [(0, 1)], groups=[2, 3])
    found = gq.match(x, y, matcher)
    assert found.mapping.tolist() == [2, 3]
    assert found.distance == pytest.approx(np.sqrt(8.0))
    assert found.proven


@matchers
def test_classes_whose_nodes_do_not_compare(matcher):
    # Nothing to gain inside the classes, and a gain across them that is forbidden.
    x, y = gq.Graph([1.0, 1.0], groups=[0, 1]), gq.Graph([0.0, 0.0], groups=[1, 0])
    found = gq.match(x, y, matcher)
    assert found.mapping.tolist() == [1, 0]
    assert found.distance == pytest.approx(np.sqrt(2.0))


@matchers
def test_graphs_of_nothing_but_zeros(matcher):
    x, y = gq.Graph(np.zeros(3), [(0, 1)], [0.0]), gq.Graph(np.zeros(5), [(2, 3), (1, 4)], [0.0, 0.0])
    found = gq.match(x, y, matcher)
    assert found.distance == 0.0
    assert found.proven


@matchers
def test_complete_graphs_of_equal_labels(matcher):
    # 12! equally good mappings of x to itself; symmetry must not be searched through.
    edges = [(i, j) for i in range(12) for j in range(i)]
    x = gq.Graph(np.ones(12), edges)
    y = gq.Graph(np.ones(12), edges[:-3])
    found, turned = gq.match(x, y, matcher), gq.match(y, x, matcher)
    assert found.distance == turned.distance == pytest.approx(np.sqrt(6.0))
    assert found.lower_bound <= np.sqrt(6.0)
    assert (np.argsort(found.mapping) == turned.mapping).all()


@matchers
def test_large_graphs(matcher):
    rng = np.random.default_rng(34)
    kind = Kind(density=0.01)
    x, y = kind.graph(rng, 400), kind.graph(rng, 390)
    if matcher == "graduated-assignment":
        matcher = gq.GraduatedAssignment(beta_rate=1.5)  # fewer steps: each sees 400 x 390 entries
    found = gq.match(x, y, matcher)
    assert np.isfinite([found.distance, found.lower_bound]).all()
    assert 0.0 < found.lower_bound <= found.distance
    assert found.distance == pytest.approx(mapping_distance(x, y, found.mapping), rel=1e-12)


# Limits: the result is valid and says what it is.


def hard_pair(order=14, seed=35):
    """Two random graphs with equal labels: the bound stays far below the distance."""
    rng = np.random.default_rng(seed)
    kind = Kind(density=0.4, p=1, ties=True)
    return tuple(gq.Graph(np.ones(order), kind.graph(rng, order).edges) for _ in range(2))


LIMITS = {
    "no node": gq.ExactMatcher(node_limit=0),
    "one node": gq.ExactMatcher(node_limit=1),
    "ten nodes": gq.ExactMatcher(node_limit=10),
    "no time": gq.ExactMatcher(time_limit=0.0),
    "neither": gq.ExactMatcher(node_limit=0, time_limit=0.0),
    "auto with one node": gq.AutoMatcher(node_limit=1),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_leave_a_valid_bound(limit):
    x, y = hard_pair(10)
    exact = gq.match(x, y, "exact")
    found = gq.match(x, y, LIMITS[limit])
    assert exact.proven
    assert found.lower_bound <= exact.distance <= found.distance
    assert found.distance == pytest.approx(mapping_distance(x, y, found.mapping), rel=1e-12)


@pytest.mark.parametrize("limit", LIMITS)
def test_a_stopped_search_claims_no_proof(limit):
    x, y = hard_pair()
    found = gq.match(x, y, LIMITS[limit])
    assert not found.proven
    assert 0.0 < found.lower_bound < found.distance
    assert repr(found).startswith(f"Match(distance={found.distance:.6g}, not proven, at least")


@pytest.mark.parametrize("limit", LIMITS)
@kinds
def test_limits_on_every_kind(name, limit):
    collection, pairs = sample(name, max_order=8)
    exact = gq.match_all(collection, collection, pairs, "exact", None, 1)
    found = gq.match_all(collection, collection, pairs, LIMITS[limit], None, 1)
    assert (found.lower_bound <= exact.distance).all()
    assert (exact.distance <= found.distance + 1e-12).all()
    np.testing.assert_allclose(found.distance[found.proven], exact.distance[found.proven], rtol=1e-10)
    scale = found.distance**2 - found.lower_bound**2
    assert (scale[~found.proven] > 0.0).all()


def test_a_node_limit_is_kept():
    x, y = hard_pair()
    for limit in (0, 1, 10, 500):
        assert gq.match(x, y, gq.ExactMatcher(node_limit=limit)).n_search_nodes <= limit


def test_more_nodes_never_lower_the_bound():
    x, y = hard_pair()
    found = [gq.match(x, y, gq.ExactMatcher(node_limit=limit)) for limit in (0, 10, 100, 1000, 10_000)]
    for less, more in pairwise(found):
        assert less.lower_bound <= more.lower_bound
        assert more.distance <= less.distance


def test_a_time_limit_is_for_each_pair():
    x, y = hard_pair()
    easy = gq.Graph([1.0, 2.0], [(0, 1)])
    collection = gq.GraphCollection([x, y, easy])
    found = gq.match_all(collection, collection, [(0, 1), (0, 2), (2, 2)], gq.ExactMatcher(time_limit=0.05))
    assert found.proven.tolist() == [False, True, True]


@pytest.mark.parametrize("name", ["node_limit", "time_limit"])
def test_negative_limits(name):
    with pytest.raises(InvalidParameterError, match=f"{name}=-1 is negative"):
        gq.ExactMatcher(**{name: -1})


@matchers
@pytest.mark.parametrize("name", ["sparse", "ties", "directed", "grouped"])
def test_auto_and_exact_prove_relabelled_graphs(matcher, name):
    rng = np.random.default_rng(36)
    x = KINDS[name].graph(rng, 20)
    found = gq.match(x, relabelled(rng, x), matcher)
    if matcher in ("auto", "exact"):
        assert found.distance == 0.0
        assert found.proven
    assert found.lower_bound == 0.0


@pytest.mark.parametrize("order", [0, -1, 2.5, True])
def test_bad_order(order):
    x = gq.Graph([1.0])
    with pytest.raises(InvalidParameterError, match=f"order={order} is not a whole number of at least 1"):
        gq.match(x, x, order=order)


def test_an_order_below_the_graphs_is_theirs():
    x, y = gq.Graph([1.0, 2.0]), gq.Graph([3.0])
    assert gq.distance(x, y, order=1) == gq.distance(x, y)


@st.composite
def limited(draw):
    return gq.ExactMatcher(node_limit=draw(st.integers(0, 30)))


@pytest.mark.property
@given(graph_tuples(max_order=5), limited())
def test_any_limit_on_any_pair(pair, matcher):
    (x, y), order = pair
    found = gq.match(x, y, matcher, order)
    exact = brute_force_distance(x, y, order)
    assert found.lower_bound <= exact <= found.distance * (1.0 + 1e-12)
