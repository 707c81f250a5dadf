"""What channels look like."""

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidParameterError
from graphquant.plotting.appearance import Appearance
from graphquant.preprocessing import AttributeEncoder, Numeric


def molecule():
    network = nx.Graph()
    for node, symbol in enumerate("HHHCCO"):
        network.add_node(node, symbol=symbol, charge=float(node))
    network.add_edge(0, 3, bond="single")
    network.add_edge(3, 4, bond="double")
    network.add_edge(4, 5, bond="single")
    return network


def encoded(*networks, **options):
    encoder = AttributeEncoder(**options)
    return encoder.fit_transform(list(networks)), encoder


def test_letters_stand_where_their_coordinates_are():
    letters = gq.datasets.make_letters(1)
    appearance = Appearance.of(letters.graphs, letters.encoder)
    assert appearance.has_coordinates
    raw = np.column_stack([letters.raw[3].node_columns[name].values for name in "xy"])
    np.testing.assert_allclose(appearance.place(letters.graphs[3]), raw)
    assert appearance.legend == ()


def test_coordinates_keep_their_proportion_whatever_the_scale():
    network = nx.Graph()
    for node, (x, y) in enumerate([(0, 0), (10, 1), (20, 2)]):
        network.add_node(node, y=float(y), other=1.0 * node**2, x=float(x))
    graphs, encoder = encoded(network, node=["y", "other", Numeric("x", weight=3.0)], scale="std")
    placed = Appearance.of(graphs, encoder).place(graphs[0])
    np.testing.assert_allclose(placed, [[0, 0], [10, 1], [20, 2]], atol=1e-9)


def test_channels_may_be_named_as_coordinates():
    x = gq.Graph([[1.0, 7.0, 2.0], [3.0, 7.0, 4.0]], [(0, 1)])
    graphs = gq.GraphCollection([x])
    assert not Appearance.of(graphs).has_coordinates
    assert Appearance.of(graphs, coordinates=(0, 2)).place(x).tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("coordinates", [(0,), (0, 3), (-1, 0), (0, 1, 2)])
def test_wrong_channels_are_refused(coordinates):
    graphs = gq.GraphCollection([gq.Graph([[1.0, 7.0, 2.0]])])
    with pytest.raises(InvalidParameterError, match="are not two of the 3 node channels"):
        Appearance.of(graphs, coordinates=coordinates)


def test_categories_are_numbered_by_frequency():
    graphs, encoder = encoded(molecule())
    appearance = Appearance.of(graphs, encoder)
    assert appearance.nodes.category_names == ("H", "C", "O")
    assert appearance.edges.category_names == ("single", "double")
    look = appearance.look(graphs[0])
    assert look.node_category.tolist() == [0, 0, 0, 1, 1, 2]
    assert look.edge_category.tolist() == [0, 1, 0]
    assert look.node_colour is None
    assert look.node_size.tolist() == sorted(look.node_size)


def test_the_legend_says_what_is_shown():
    graphs, encoder = encoded(molecule())
    items = Appearance.of(graphs, encoder).legend
    assert [(item.side, item.shown_by, item.name) for item in items] == [
        ("node", "colour", "symbol"),
        ("node", "size", "charge"),
        ("edge", "colour", "bond"),
    ]
    assert items[0].categories == ("H", "C", "O")
    # In the units of the attribute, without the most extreme values.
    np.testing.assert_allclose(items[1].limits, (0.1, 4.9))


def test_weak_nodes_and_edges_of_a_mean():
    whole, _ = encoded(molecule())
    half = gq.Graph(
        whole[0].node_attrs * [[1.0], [1.0], [0.5], [1.0], [1.0], [1.0]],
        whole[0].edges,
        whole[0].edge_attrs * [[1.0], [1.0], [0.25]],
    )
    _, encoder = encoded(molecule())
    look = Appearance.of(whole, encoder).look(half)
    np.testing.assert_allclose(look.node_strength, [1, 1, 0.5, 1, 1, 1])
    np.testing.assert_allclose(look.edge_strength, [1, 1, 0.25])


def test_a_mean_of_two_categories_shows_the_one_that_more_of_it_is():
    graphs, encoder = encoded(molecule())
    common, rare = graphs[0].node_attrs[0], graphs[0].node_attrs[5]
    mixed = gq.Graph([0.6 * common + 0.4 * rare, 0.4 * common + 0.6 * rare], [])
    assert Appearance.of(graphs, encoder).nodes.category(mixed.node_attrs).tolist() == [0, 2]


def test_a_node_with_weak_edges_only_is_weak_where_no_channel_tells():
    letters = gq.datasets.make_letters(1)
    encoder = AttributeEncoder(numeric="line", edge_weight=1.0)
    graphs = encoder.fit_transform(letters.raw)
    x = gq.Graph(np.ones((4, 2)), [(0, 1), (1, 2)], [[1.0], [0.3]])
    look = Appearance.of(graphs, encoder).look(x)
    np.testing.assert_allclose(look.node_strength, [1.0, 1.0, 0.3, 1.0])


def test_support_overrides():
    x = gq.Graph([1.0, 1.0], [(0, 1)])
    look = Appearance.of(gq.GraphCollection([x])).look(x, support=np.array([0.25, 2.0]))
    assert look.node_strength.tolist() == [0.25, 1.0]


def test_channels_without_names_become_colour_and_size():
    x = gq.Graph([[0.0, 5.0], [4.0, -5.0]], [(0, 1)], [[2.0]])
    appearance = Appearance.of(gq.GraphCollection([x]))
    look = appearance.look(x)
    assert look.node_colour.tolist() == [0.0, 1.0]
    assert look.node_size.tolist() == [1.0, 0.0]
    assert [item.name for item in appearance.legend] == ["a0", "a1"]


def test_a_constant_channel_shows_nothing():
    x = gq.Graph([1.0, 1.0], [(0, 1)])
    look = Appearance.of(gq.GraphCollection([x])).look(x)
    assert look.node_colour is None
    assert look.node_size is None
    assert look.edge_strength.tolist() == [1.0]


def test_graphs_without_nodes():
    empty = gq.Graph(np.empty((0, 2)))
    look = Appearance.of(gq.GraphCollection([empty])).look(empty)
    assert look.positions.shape == (0, 2)


def test_positions_of_a_wrong_shape_are_refused():
    x = gq.Graph([1.0, 1.0])
    with pytest.raises(InvalidParameterError, match=r"positions has shape \(3, 2\) for 2 nodes"):
        Appearance.of(gq.GraphCollection([x])).look(x, positions=np.zeros((3, 2)))


def test_weights_of_real_edges_are_not_weakness():
    weights = np.linspace(1.0, 20.0, 21)[:, None]
    x = gq.Graph(np.ones((22, 1)), [(i, i + 1) for i in range(21)], weights)
    appearance = Appearance.of(gq.GraphCollection([x]))
    assert (appearance.look(x).edge_strength[2:] == 1.0).all()
    mean = gq.Graph([1.0, 1.0], [(0, 1)], [[0.58]])
    np.testing.assert_allclose(appearance.look(mean).edge_strength, 0.2)


def test_a_mean_of_circles_is_drawn_where_its_members_are_and_as_faint_as_it_is():
    letters = gq.datasets.make_letters(1)
    x = letters.graphs[0]
    appearance = Appearance.of(letters.graphs, letters.encoder)
    columns = letters.raw[[0]].node_columns
    drawn = np.column_stack([columns["x"].values, columns["y"].values])
    np.testing.assert_allclose(appearance.place(x), drawn, atol=1e-9)
    half = gq.Graph(0.5 * x.node_attrs, x.edges, x.edge_attrs)
    np.testing.assert_allclose(appearance.place(half), drawn, atol=1e-9)
    np.testing.assert_allclose(appearance.look(half).node_strength, 0.5)


def test_limits_of_a_legend_are_not_rounding_errors():
    graphs = gq.graphs.as_graphs(
        ["CCO", "CCCO", "CC(C)O", "CCN", "CCCN", "CNC", "c1ccccc1", "Cc1ccccc1", "Oc1ccccc1"]
    )
    encoder = AttributeEncoder().fit(graphs)
    appearance = Appearance.of(encoder.transform(graphs), encoder)
    limits = [item.limits for item in appearance.legend if item.limits is not None]
    assert limits
    assert all(low == 0.0 or abs(low) > 1e-6 for low, _ in limits)
