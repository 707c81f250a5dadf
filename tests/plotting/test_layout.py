"""The layout of graphs without coordinates."""

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.plotting._layout import align, classical_mds, layout, layout_like, smacof


def graph_of(network):
    network = nx.convert_node_labels_to_integers(network)
    return gq.Graph(np.ones((len(network), 1)), np.array(network.edges).reshape(-1, 2))


def distances(points):
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def stress(points, goal):
    weights = np.where(goal > 0, np.maximum(goal, 1e-9) ** -2.0, 0.0)
    return (weights * (distances(points) - goal) ** 2).sum()


NETWORKS = {
    "path": nx.path_graph(6),
    "cycle": nx.cycle_graph(7),
    "grid": nx.grid_2d_graph(4, 4),
    "tree": nx.balanced_tree(2, 3),
    "star": nx.star_graph(6),
    "complete": nx.complete_graph(4),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_edges_have_about_one_length_and_nodes_do_not_meet(name):
    x = graph_of(NETWORKS[name])
    placed = layout(x)
    apart = distances(placed)
    lengths = apart[x.edges[:, 0], x.edges[:, 1]]
    assert np.all((lengths > 0.5) & (lengths < 1.6))
    assert apart[np.triu_indices(x.order, 1)].min() > 0.3


def crossings(points, edges):
    """How many pairs of edges cross."""

    def turn(a, b, c):
        return np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    count = 0
    for i, (a, b) in enumerate(edges.tolist()):
        for c, d in edges[i + 1 :].tolist():
            if {a, b} & {c, d}:
                continue
            pa, pb, pc, pd = points[[a, b, c, d]]
            count += turn(pa, pb, pc) != turn(pa, pb, pd) and turn(pc, pd, pa) != turn(pc, pd, pb)
    return count


@pytest.mark.parametrize("n_between", [1, 4, 9])
def test_rings_at_both_ends_of_a_chain_are_not_twisted(n_between):
    # In the plane alone, the long axis presses such rings flat, and they come out twisted.
    network = nx.disjoint_union(nx.cycle_graph(6), nx.cycle_graph(6))
    nx.add_path(network, [0, *range(12, 12 + n_between), 6])
    x = graph_of(network)
    assert crossings(layout(x), x.edges) == 0


def test_a_path_is_straight_and_horizontal():
    placed = layout(graph_of(nx.path_graph(6)))
    np.testing.assert_allclose(np.diff(np.sort(placed[:, 0])), 1.0, atol=0.05)
    np.testing.assert_allclose(placed[:, 1], 0.0, atol=0.1)


def test_the_same_every_time():
    x = graph_of(nx.petersen_graph())
    np.testing.assert_array_equal(layout(x), layout(x))


def test_components_are_kept_apart():
    x = graph_of(nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(4)))
    apart = distances(layout(x))
    assert apart[:5, 5:].min() > 1.0


def test_directed_edges_in_both_directions_count_once():
    pair = gq.Graph([1.0, 1.0], [(0, 1), (1, 0)], directed=True)
    assert distances(layout(pair))[0, 1] == pytest.approx(1.0, abs=1e-6)


def test_weak_edges_are_longer():
    x = graph_of(nx.path_graph(3))
    apart = distances(layout(x, np.array([1.0, 0.2])))
    assert apart[1, 2] > 1.7 * apart[0, 1]


def test_weak_edges_do_not_bend_the_strong_ones():
    ring = [(i, (i + 1) % 6) for i in range(6)]
    chords = [(0, 3), (1, 4), (2, 5)]
    x = gq.Graph(np.ones((6, 1)), ring + chords)
    strength = np.array([0.2 if tuple(edge) in chords else 1.0 for edge in x.edges.tolist()])
    placed = layout(x, strength)
    np.testing.assert_allclose(np.linalg.norm(placed, axis=1), 1.0, atol=0.15)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_few_nodes_without_edges(order):
    placed = layout(gq.Graph(np.ones((order, 1))))
    assert placed.shape == (order, 2)
    assert np.isfinite(placed).all()


def test_large_graphs_are_placed_in_time():
    placed = layout(graph_of(nx.path_graph(500)))
    assert np.isfinite(placed).all()
    assert len(np.unique(placed.round(6), axis=0)) == 500


def test_majorisation_lowers_the_stress():
    rng = np.random.default_rng(0)
    goal = distances(rng.normal(size=(12, 5)))
    start = rng.normal(size=(12, 2))
    values = [stress(smacof(goal, start, max_iter=n, tol=0.0), goal) for n in (0, 1, 2, 5, 20)]
    assert values == sorted(values, reverse=True)
    assert values[-1] < 0.5 * values[0]


def test_classical_scaling_finds_points_of_the_plane():
    points = np.random.default_rng(1).normal(size=(9, 2))
    np.testing.assert_allclose(distances(classical_mds(distances(points))), distances(points), atol=1e-9)


def test_alignment_undoes_turns_and_mirrors():
    points = np.random.default_rng(2).normal(size=(6, 2))
    turned = points @ np.array([[0.0, 1.0], [1.0, 0.0]]) + 5.0
    everything = np.arange(6)
    np.testing.assert_allclose(align(turned, everything, points), points, atol=1e-9)
    np.testing.assert_array_equal(align(turned, everything[:0], points[:0]), turned)


def test_a_matched_graph_is_drawn_alike():
    y = graph_of(nx.lollipop_graph(5, 4))
    permutation = np.random.default_rng(3).permutation(y.order)
    x = y.permute(permutation)
    upright = layout(y) @ np.array([[0.0, -1.0], [1.0, 0.0]])
    placed = layout_like(x, permutation, upright)
    assert np.abs(placed - upright[permutation]).max() < 0.6
