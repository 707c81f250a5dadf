"""Special structure that needs no search: point patterns, sequences, parts, equal graphs."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import graphquant as gq
from tests.reference.brute_force import brute_force_distance
from tests.reference.random_graphs import KINDS, Kind, relabelled


def assignment_distance(x, y):
    """Distance of two point patterns: one assignment problem of squared distances."""
    size = max(len(x), len(y))
    left, right = (np.pad(points, [(0, size - len(points)), (0, 0)]) for points in (x, y))
    squares = ((left[:, None, :] - right[None, :, :]) ** 2).sum(axis=2)
    rows, columns = linear_sum_assignment(squares)
    return float(np.sqrt(squares[rows, columns].sum()))


@pytest.mark.parametrize("matcher", ["auto", "exact", "frank-wolfe"])
@pytest.mark.parametrize("orders", [(1, 1), (5, 5), (12, 30), (60, 60), (50, 80)])
def test_edgeless_graphs_are_one_assignment_problem(matcher, orders):
    rng = np.random.default_rng(41)
    x, y = (rng.normal(size=(order, 3)) for order in orders)
    found = gq.match(gq.Graph(x), gq.Graph(y), matcher)
    assert found.distance == pytest.approx(assignment_distance(x, y), rel=1e-12)
    assert found.proven
    assert found.n_search_nodes == 0


def test_edgeless_graphs_with_ties():
    rng = np.random.default_rng(42)
    for _ in range(20):
        x, y = (rng.integers(-1, 2, size=(15, 2)).astype(float) for _ in range(2))
        found = gq.match(gq.Graph(x), gq.Graph(y), "exact")
        assert found.distance == pytest.approx(assignment_distance(x, y), rel=1e-12)
        assert found.proven


def test_all_distinct_groups_are_plain_vectors():
    # Sequences: position i of one is matched with position i of the other, and a search has one path.
    rng = np.random.default_rng(43)
    for order in (1, 4, 30):
        series = rng.normal(size=(2, order, 2))
        edges = [(i, i + 1) for i in range(order - 1)]
        weights = rng.normal(size=(2, order - 1))
        x, y = (gq.Graph(series[k], edges, weights[k], groups=np.arange(order)) for k in range(2))
        nodes, links = series[0] - series[1], weights[0] - weights[1]
        expected = np.sqrt((nodes**2).sum() + 2.0 * (links**2).sum())
        for matcher in gq.matching.MATCHERS:
            found = gq.match(x, y, matcher)
            assert found.distance == pytest.approx(expected, rel=1e-12)
            np.testing.assert_array_equal(found.mapping, np.arange(order))
        exact = gq.match(x, y, "exact")
        assert exact.proven
        assert exact.n_search_nodes <= order


def test_distinct_groups_of_unequal_lengths():
    long, short = gq.Graph([1.0, 2.0, 5.0], groups=[0, 1, 2]), gq.Graph([1.0, 2.0], groups=[0, 1])
    assert gq.distance(long, short) == 5.0
    assert gq.match(short, long).mapping.tolist() == [0, 1]
    assert gq.match(long, short).mapping.tolist() == [0, 1, 2]


def test_hypergraphs_keep_nodes_and_hyperedges_apart():
    # Two classes: nodes (0) and hyperedges (1), joined by membership.
    x = gq.Graph([1.0, 1.0, 1.0, 1.0], [(0, 3), (1, 3), (2, 3)], groups=[0, 0, 0, 1])
    y = gq.Graph([1.0, 1.0, 1.0, 1.0], [(0, 1), (0, 2), (0, 3)], groups=[1, 0, 0, 0])
    found = gq.match(x, y, "exact")
    assert found.distance == 0.0
    assert found.mapping[3] == 0


def disjoint_union(graphs):
    """Several graphs as the parts of one."""
    starts = np.cumsum([0, *(graph.order for graph in graphs[:-1])])
    return gq.Graph(
        np.concatenate([graph.node_attrs for graph in graphs]),
        np.concatenate([graph.edges + start for graph, start in zip(graphs, starts, strict=True)]),
        np.concatenate([graph.edge_attrs for graph in graphs]),
        directed=graphs[0].directed,
    )


@pytest.mark.parametrize("directed", [False, True])
def test_disconnected_parts(directed):
    rng = np.random.default_rng(44)
    kind = Kind(density=0.7, directed=directed)
    for _ in range(20):
        x, y = (disjoint_union([kind.graph(rng, 3) for _ in range(2)]) for _ in range(2))
        found = gq.match(x, y, "exact")
        assert found.distance == pytest.approx(brute_force_distance(x, y), abs=1e-9)
        assert found.proven


def test_shuffled_parts_are_found_again():
    rng = np.random.default_rng(45)
    parts = [Kind(density=0.6).graph(rng, 4) for _ in range(6)]
    x = disjoint_union(parts)
    y = disjoint_union([parts[k] for k in rng.permutation(len(parts))])
    found = gq.match(x, y, "exact")
    assert found.distance == 0.0
    assert found.proven


def test_isolated_nodes_beside_edges():
    rng = np.random.default_rng(46)
    for _ in range(20):
        x, y = (
            gq.Graph(rng.normal(size=6), [(0, 1), (1, 2)], rng.normal(size=2)).permute(rng.permutation(6))
            for _ in range(2)
        )
        assert gq.distance(x, y, "exact") == pytest.approx(brute_force_distance(x, y), abs=1e-9)


@pytest.mark.parametrize("name", KINDS)
def test_equal_graphs_are_cheap(name):
    rng = np.random.default_rng(47)
    x = KINDS[name].graph(rng, 40)
    assert gq.match(x, x, "exact").n_search_nodes == 0
    found = gq.match(x, relabelled(rng, x), "exact")
    assert found.distance == 0.0
    assert found.proven


@pytest.mark.parametrize("matcher", ["auto", "exact"])
def test_twins_are_not_searched_through(matcher):
    # Stars whose leaves are all alike: 14! mappings, one of each kind to look at.
    star = gq.Graph(np.ones(15), [(0, i) for i in range(1, 15)])
    other = gq.Graph(np.ones(15), [(7, i) for i in range(15) if i != 7][:-2])
    found = gq.match(star, other, matcher)
    assert found.distance == pytest.approx(2.0)  # two edges of one, each counted twice
    assert found.proven
    assert found.n_search_nodes < 1000
