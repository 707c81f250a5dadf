"""Positions that a small graph has little use for are left out of approximate matching, and nothing else."""

import numpy as np
import pytest

import graphquant as gq
from tests.reference.brute_force import mapping_distance
from tests.reference.random_graphs import KINDS

LARGE, STRONG = 60, 10


def pair(name, seed, small=8, large=LARGE):
    rng = np.random.default_rng(seed)
    return KINDS[name].graph(rng, small), KINDS[name].graph(rng, large)


def faded(graph):
    """The same graph with all but the last nodes faint."""
    node_share = np.where(np.arange(graph.order) >= graph.order - STRONG, 1.0, 1e-3)
    edge_share = node_share[graph.edges].prod(axis=1)
    return gq.Graph(
        graph.node_attrs * node_share[:, None],
        graph.edges,
        graph.edge_attrs * edge_share[:, None],
        groups=graph.groups,
        directed=graph.directed,
    )


@pytest.mark.parametrize("room", [0, 5])
@pytest.mark.parametrize("name", KINDS)
def test_mappings_are_of_the_whole_graph(name, room):
    for seed in range(3):
        x, y = pair(name, seed)
        y = faded(y)
        order = None if x.groups is not None else LARGE + room
        found = gq.match(x, y, matcher="frank-wolfe", order=order)
        assert found.distance == pytest.approx(mapping_distance(x, y, found.mapping, order), rel=1e-9)
        assert found.lower_bound <= found.distance
        assert gq.match(y, x, matcher="frank-wolfe", order=order).distance == pytest.approx(found.distance)


def hidden(x, n, faint, seed):
    """A graph of n nodes that has x on random positions, and next to nothing elsewhere; and the positions."""
    rng = np.random.default_rng(seed)
    places = rng.permutation(n)[: x.order]
    nodes = faint * rng.random((n, x.node_attrs.shape[1]))
    nodes[places] = x.node_attrs
    ends = {(min(a, b), max(a, b)) for a, b in rng.integers(n, size=(4 * n, 2)) if a != b}
    values = {edge: faint * rng.random(x.edge_attrs.shape[1]) for edge in ends}
    for (a, b), value in zip(places[x.edges], x.edge_attrs, strict=True):
        values[min(a, b), max(a, b)] = value
    edges = sorted(values)
    return gq.Graph(nodes, edges, [values[edge] for edge in edges]), places


@pytest.mark.parametrize("seed", range(5))
def test_a_graph_is_found_in_a_large_one(seed):
    x, _ = pair("non-negative", seed, small=12)
    y, places = hidden(x, 200, 0.01, seed)
    found = gq.match(x, y, matcher="frank-wolfe")
    np.testing.assert_array_equal(found.mapping, places)


def test_faint_positions_make_next_to_no_difference():
    """A code graph keeps the positions of the largest graph that it has won; others are matched as before."""
    without, with_faint = [], []
    for seed in range(20):
        x, y = pair("sparse", seed, small=14, large=22)
        larger, _ = hidden(y, 150, 1e-4, seed)
        assert larger.order == 150
        without.append(gq.distance(x, y, matcher="frank-wolfe"))
        with_faint.append(gq.distance(x, larger, matcher="frank-wolfe"))
    assert np.mean(with_faint) <= 1.01 * np.mean(without)
