import logging
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphquant as gq
from graphquant.datasets import make_letters
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError, InvalidParameterError
from graphquant.graphs import lift, to_dense
from tests.strategies import collections, permutations

small = st.integers(-40, 40).map(lambda number: number / 8)


def letters(n_per_class=4, **kwargs):
    return make_letters(n_per_class=n_per_class, random_state=0, **kwargs).graphs


def space_order(collection, found):
    """Number of positions that mappings speak of."""
    return max(int(found.mappings.max(initial=-1)) + 1, found.graph.order, collection.max_order)


def lifted_distances(collection, found):
    order = space_order(collection, found)
    target = to_dense(found.graph, order)
    result = []
    for x, mapping in zip(collection, found.mappings, strict=True):
        placed = lift(x, mapping[: x.order], order)
        squares = [((a - b) ** 2).sum() for a, b in zip(placed, target, strict=True)]
        result.append(np.sqrt(sum(squares)))
    return np.array(result)


def random_graph(rng, order, *, p=2, q=2, directed=False, groups=None):
    pairs = [(i, j) for i in range(order) for j in range(order) if (i != j if directed else i < j)]
    chosen = [pair for pair in pairs if rng.random() < 0.4]
    return gq.Graph(
        rng.normal(size=(order, p)),
        np.array(chosen, dtype=int).reshape(-1, 2),
        rng.normal(size=(len(chosen), q)),
        directed=directed,
        groups=groups,
    )


# Cases computed by hand


def test_two_graphs_by_hand():
    # Node 5 meets 3 and 1 meets 1; the edge is halved and counts twice:
    # each graph is at squared distance 1^2 + 2 * 0.5^2.
    found = gq.mean([gq.Graph([1.0, 5.0], [(0, 1)]), gq.Graph([3.0, 1.0])], random_state=0)
    assert sorted(found.graph.node_attrs[:, 0]) == [1.0, 4.0]
    assert found.graph.edge_attrs.tolist() == [[0.5]]
    assert found.variance == pytest.approx(1.5)
    assert found.distances == pytest.approx([np.sqrt(1.5)] * 2)
    assert found.proven.all()
    assert found.converged


def test_three_points_by_hand():
    found = gq.mean([gq.Graph([0.0]), gq.Graph([3.0]), gq.Graph([6.0])], random_state=0)
    assert found.graph == gq.Graph([3.0])
    assert found.variance == pytest.approx((9 + 0 + 9) / 3)
    assert found.mappings.tolist() == [[0], [0], [0]]


def test_directed_by_hand():
    # The two one-way edges agree once the nodes do.
    x = gq.Graph([1.0, 2.0], [(0, 1)], [[4.0]], directed=True)
    y = gq.Graph([2.0, 1.0], [(1, 0)], [[6.0]], directed=True)
    found = gq.mean([x, y], random_state=0)
    assert found.variance == pytest.approx(1.0)
    edge = found.graph.node_attrs[found.graph.edges[0], 0]
    assert edge.tolist() == [1.0, 2.0]
    assert found.graph.edge_attrs.tolist() == [[5.0]]


def test_signed_attributes_use_zero_nodes_up_to_the_order():
    points = [gq.Graph([3.0]), gq.Graph([-1.0])]
    assert gq.mean(points, random_state=0).variance == pytest.approx(4.0)  # one node at 1
    apart = gq.mean(points, order=2, random_state=0)  # two nodes, at 1.5 and -0.5
    assert apart.variance == pytest.approx(2.5)
    assert sorted(apart.graph.node_attrs[:, 0]) == [-0.5, 1.5]


def test_zero_nodes_of_the_mean_are_left_out_and_numbered_behind_its_nodes():
    # Class 0 cancels to a zero node, which stands first by its class.
    graphs = [gq.Graph([2.0, 5.0], groups=[0, 1]), gq.Graph([-2.0, 5.0], groups=[0, 1])]
    found = gq.mean(graphs, random_state=0)
    assert found.graph == gq.Graph([5.0], groups=[1])
    assert found.mappings.tolist() == [[1, 0], [1, 0]]
    assert found.variance == 4.0


def test_positions_keep_their_class():
    graphs = [
        gq.Graph([1.0, 10.0, 2.0], [(0, 1)], groups=[0, 1, 0]),
        gq.Graph([12.0, 3.0], [(0, 1)], groups=[1, 0]),
        gq.Graph([2.0, 11.0], [(0, 1)], groups=[0, 1]),
    ]
    found = gq.mean(graphs, random_state=0)
    for x, mapping in zip(graphs, found.mappings, strict=True):
        assert np.array_equal(found.graph.groups[mapping[: x.order]], x.groups)
    assert np.bincount(found.graph.groups).tolist() == [2, 1]
    assert found.graph.node_attrs[found.graph.groups == 1].tolist() == [[11.0]]


# What holds for every mean


@pytest.mark.parametrize("matcher", ["auto", "exact", "frank-wolfe", "graduated-assignment"])
def test_mean_of_one_graph_is_that_graph(matcher):
    x = letters()[3]
    found = gq.mean([x], matcher=matcher)
    assert found.graph == x
    assert found.variance == 0.0
    assert found.mappings.tolist() == [list(range(x.order))]


def test_mean_of_identical_graphs_is_that_graph():
    x = letters()[7]
    found = gq.mean([x] * 5, random_state=1)
    assert found.variance == pytest.approx(0.0, abs=1e-28)
    assert gq.distance(found.graph, x) == pytest.approx(0.0, abs=1e-14)


def test_mean_of_relabelled_copies():
    rng = np.random.default_rng(0)
    x = random_graph(rng, 6)
    found = gq.mean([x.permute(rng.permutation(6)) for _ in range(20)], random_state=2)
    assert found.variance == pytest.approx(0.0, abs=1e-25)
    assert gq.distance(found.graph, x, matcher="exact") == pytest.approx(0.0, abs=1e-12)
    assert found.graph.n_edges == x.n_edges


@pytest.mark.parametrize("directed", [False, True])
def test_mean_of_two_graphs_lies_half_way(directed):
    rng = np.random.default_rng(1)
    for _ in range(10):
        x, y = random_graph(rng, 5, directed=directed), random_graph(rng, 4, directed=directed)
        found = gq.mean([x, y], matcher="exact", random_state=0)
        d = gq.distance(x, y, matcher="exact")
        assert found.variance == pytest.approx(d**2 / 4, rel=1e-12)
        assert found.distances == pytest.approx([d / 2, d / 2], rel=1e-9)


def test_distinct_groups_give_the_mean_of_vectors():
    rng = np.random.default_rng(2)
    members = [random_graph(rng, 5, groups=range(5)) for _ in range(12)]
    shuffled = [x.permute(rng.permutation(5)) for x in members]
    found = gq.mean(shuffled, random_state=0)
    dense = [to_dense(x) for x in members]
    nodes, pairs = (np.mean([point[part] for point in dense], axis=0) for part in range(2))
    assert found.graph.groups.tolist() == list(range(5))
    np.testing.assert_allclose(to_dense(found.graph).nodes, nodes, atol=1e-14)
    np.testing.assert_allclose(to_dense(found.graph).pairs, pairs, atol=1e-14)
    spread = [((p.nodes - nodes) ** 2).sum() + ((p.pairs - pairs) ** 2).sum() for p in dense]
    assert found.variance == pytest.approx(np.mean(spread), rel=1e-12)


@pytest.mark.parametrize("matcher", ["auto", "frank-wolfe", "graduated-assignment"])
@pytest.mark.parametrize("seed", range(3))
def test_variance_never_rises(matcher, seed):
    found = gq.mean(letters(distortion="high"), matcher=matcher, random_state=seed)
    assert (np.diff(found.history) <= 0.0).all()
    assert found.variance == found.history[-1]
    assert len(found.history) == found.n_iter
    assert found.converged


class Fickle:
    """A matcher that is good at first and bad later: the mean must not follow it."""

    def __init__(self, n_good):
        self.n_left = n_good

    def match(self, x, y, order):
        self.n_left -= 1
        if self.n_left >= 0:
            return gq.match(x, y, matcher="frank-wolfe", order=order).mapping
        return np.arange(x.order)[::-1] + order - x.order


def test_variance_does_not_rise_with_a_bad_matcher():
    X = letters(3)
    n = len(X)
    found = gq.mean(X, matcher=Fickle(2 * n - 1), random_state=0)
    assert (np.diff(found.history) <= 0.0).all()
    assert found.n_iter == 2  # the second alignment found nothing better than the first
    assert found.n_matchings == 3 * n - 1
    assert lifted_distances(X, found) == pytest.approx(found.distances)


@pytest.mark.parametrize("matcher", ["exact", "frank-wolfe"])
def test_distances_are_those_of_the_matcher(matcher):
    X = letters()
    found = gq.mean(X, matcher=matcher, random_state=0)
    again = gq.pairwise_distances(X, [found.graph], matcher=matcher)[:, 0]
    if matcher == "exact":
        np.testing.assert_allclose(found.distances, again, rtol=1e-9)
    assert found.variance <= np.mean(again**2) * (1 + 1e-12)
    assert found.variance == pytest.approx(np.mean(found.distances**2))


def test_mean_is_better_than_any_member():
    X = letters(8)[:8]  # one letter
    squares = gq.pairwise_distances(X, matcher="exact") ** 2
    assert gq.mean(X, matcher="exact", random_state=0).variance < squares.mean(axis=0).min()


def test_reproducible():
    X = letters()
    one = gq.mean(X, random_state=5, n_jobs=1)
    two = gq.mean(X, random_state=5, n_jobs=2)
    assert one.graph == two.graph
    assert one.variance == two.variance
    assert np.array_equal(one.mappings, two.mappings)
    assert one.n_matchings == two.n_matchings


def test_random_state_decides_the_start():
    X = letters(distortion="high")
    starts = {gq.mean(X, random_state=seed, matcher="frank-wolfe").history[0] for seed in range(4)}
    assert len(starts) > 1


def test_inputs_are_left_as_they_are():
    X = letters()
    before = pickle.dumps(X)
    gq.mean(X, random_state=0)
    assert pickle.dumps(X) == before


def test_slices_and_lists_are_collections_too():
    X = letters()
    part = gq.mean(X[10:20], random_state=0)
    assert part.graph == gq.mean(list(X[10:20]), random_state=0).graph


def test_counts_matchings():
    X = letters()
    found = gq.mean(X, random_state=0)
    assert found.n_matchings == len(X) - 1 + found.n_iter * len(X)


def test_graphs_without_nodes():
    empty = gq.Graph(np.zeros((0, 1)), [], np.zeros((0, 1)))
    assert gq.mean([empty, empty], random_state=0).graph == empty
    found = gq.mean([empty, gq.Graph([2.0]), empty, gq.Graph([4.0])], random_state=0)
    assert found.graph == gq.Graph([1.5])
    assert found.variance == pytest.approx((1.5**2 + 0.5**2 + 1.5**2 + 2.5**2) / 4)


def test_max_iter_warns():
    with pytest.warns(GraphQuantWarning, match="stopped at max_iter=1.*Raise max_iter or tol"):
        found = gq.mean(letters(distortion="high"), max_iter=1, matcher="frank-wolfe", random_state=0)
    assert not found.converged
    assert found.n_iter == 1
    assert "not converged" in repr(found)


def test_logs_each_alignment(caplog):
    with caplog.at_level(logging.INFO, logger="graphquant"):
        found = gq.mean([gq.Graph([1.0]), gq.Graph([2.0])], random_state=0)
    lines = [record.message for record in caplog.records if record.message.startswith("mean: variance")]
    assert len(lines) == found.n_iter
    assert "100.0 % proven" in lines[-1]


def test_progress_goes_to_stderr(capsys):
    gq.mean([gq.Graph([1.0]), gq.Graph([2.0])], random_state=0, progress=True)
    assert capsys.readouterr().out == ""


def test_repr():
    found = gq.mean([gq.Graph([1.0]), gq.Graph([2.0])], random_state=0)
    assert repr(found) == (
        "Mean(Graph(1 node x 1 attribute, 0 edges x 1 attribute), variance=0.25, n_iter=2, converged)"
    )


# Bad input


def test_no_graph():
    with pytest.raises(InvalidGraphError, match="at least one graph"):
        gq.mean([])
    with pytest.raises(InvalidGraphError, match="no graphs to average"):
        gq.mean(letters()[:0])


def test_mixed_attributes():
    with pytest.raises(InvalidGraphError, match="Graph 1 has 2 node attributes, graph 0 has 1"):
        gq.mean([gq.Graph([1.0]), gq.Graph([[1.0, 2.0]])])


def test_order_with_groups():
    with pytest.raises(InvalidGraphError, match="order=3 has no meaning for graphs with groups"):
        gq.mean([gq.Graph([1.0], groups=[0])], order=3)


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ({"max_iter": 0}, "max_iter=0 is not a whole number"),
        ({"tol": -1.0}, r"tol=-1\.0 is not a share"),
        ({"tol": float("nan")}, "tol=nan is not a share"),
        ({"order": 0}, "order=0 is not a whole number"),
        ({"matcher": "exakt"}, "Did you mean 'exact'"),
        ({"random_state": -1}, "random_state=-1 is not accepted"),
    ],
)
def test_bad_parameters(parameter, message):
    with pytest.raises(InvalidParameterError, match=message):
        gq.mean([gq.Graph([1.0])], **parameter)


# Properties


@pytest.mark.property
@settings(max_examples=40)
@given(st.data())
def test_invariants(data):
    grouped = data.draw(st.booleans())
    X = data.draw(collections(max_order=4, groups=grouped, elements=small, with_names=False))
    order = None if grouped else data.draw(st.sampled_from([None, X.max_order + 2]))
    found = gq.mean(X, matcher="exact", order=order, random_state=0)
    scale = max(1.0, float((X.node_attrs**2).sum() + 2 * (X.edge_attrs**2).sum()))
    np.testing.assert_allclose(lifted_distances(X, found), found.distances, atol=1e-9 * scale)
    assert found.variance == pytest.approx(np.mean(found.distances**2))
    assert (np.diff(found.history) <= 0.0).all()
    if grouped:
        for x, mapping in zip(X, found.mappings, strict=True):
            on_nodes = mapping[: x.order] < found.graph.order
            assert np.array_equal(found.graph.groups[mapping[: x.order][on_nodes]], x.groups[on_nodes])
    # Zero is a graph of the space as well, and the mean is not worse.
    assert found.variance <= np.mean([sum((a**2).sum() for a in to_dense(x)) for x in X]) + 1e-9 * scale


@pytest.mark.property
@settings(max_examples=30)
@given(st.data())
def test_relabelling_and_scaling(data):
    X = data.draw(collections(min_size=2, max_size=2, max_order=4, elements=small, with_names=False))
    relabelled = [x.permute(data.draw(permutations(x.order))) for x in X]
    scaled = [gq.Graph(4.0 * x.node_attrs, x.edges, 4.0 * x.edge_attrs, directed=x.directed) for x in X]
    variance = gq.mean(X, matcher="exact", random_state=0).variance
    assert gq.mean(relabelled, matcher="exact", random_state=0).variance == pytest.approx(variance, abs=1e-9)
    assert gq.mean(scaled, matcher="exact", random_state=0).variance == pytest.approx(16 * variance, abs=1e-9)
