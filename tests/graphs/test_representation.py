import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphquant as gq
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs import from_dense, lift, position_groups, to_dense
from tests.strategies import graphs, permutations


def test_undirected_edge_stands_in_both_halves():
    nodes, pairs = to_dense(gq.Graph([[1.0, 2.0], [3.0, 4.0]], [(0, 1)], [[5.0, 6.0]]), order=3)
    assert nodes.tolist() == [[1, 2], [3, 4], [0, 0]]
    assert pairs[0, 1].tolist() == pairs[1, 0].tolist() == [5, 6]
    assert np.count_nonzero(pairs) == 4


def test_directed_edge_stands_once():
    pairs = to_dense(gq.Graph([1.0, 1.0], [(1, 0)], [[7.0]], directed=True)).pairs
    assert pairs[:, :, 0].tolist() == [[0, 0], [7, 0]]


def test_lift_places_nodes_and_edges():
    nodes, pairs = lift(gq.Graph([1.0, 2.0, 3.0], [(0, 1)], [[4.0]]), [3, 0, 1], order=4)
    assert nodes[:, 0].tolist() == [2, 3, 0, 1]
    assert np.argwhere(pairs[:, :, 0]).tolist() == [[0, 3], [3, 0]]


def test_norm_is_that_of_the_distance():
    x, empty = gq.Graph([3.0, 1.0], [(0, 1)], [[2.0]]), gq.Graph(np.zeros((0, 1)), [], np.zeros((0, 1)))
    nodes, pairs = to_dense(x)
    assert gq.distance(x, empty) == pytest.approx(np.sqrt((nodes**2).sum() + (pairs**2).sum()))


@pytest.mark.parametrize("mapping", [[0], [0, 0], [0, 3], [-1, 0], [[0, 1]]])
def test_bad_mapping(mapping):
    with pytest.raises(InvalidGraphError, match=r"does not place 2 nodes on 3 positions.*from 0 to 2"):
        lift(gq.Graph([1.0, 2.0]), mapping, order=3)


def test_order_too_small():
    with pytest.raises(InvalidGraphError, match="does not place 2 nodes on 1 position"):
        to_dense(gq.Graph([1.0, 2.0]), order=1)


def test_only_zero_nodes_at_the_end_are_left_out():
    x = gq.Graph([0.0, 1.0, 0.0, 0.0, 0.0], [(0, 2)])
    assert from_dense(*to_dense(x), directed=False) == x.induced([0, 1, 2])
    assert from_dense(*to_dense(x), directed=False, trim=False) == x


def test_zero_edges_are_left_out():
    x = gq.Graph([1.0, 1.0], [(0, 1)], [[0.0, 0.0]])
    assert from_dense(*to_dense(x), directed=False).n_edges == 0


@pytest.mark.parametrize(
    ("groups", "kept"), [([0, 0, 1, 1], 1), ([0, 1, 0, 1], 2), ([2, 2, 1, 0], 3), ([1, 0, 0, 0], 1)]
)
def test_with_groups_zero_nodes_are_left_out_only_in_the_order_of_classes(groups, kept):
    x = gq.Graph([1.0, 0.0, 0.0, 0.0], groups=groups)
    assert from_dense(*to_dense(x), directed=False, groups=x.groups) == x.induced(range(kept))


def test_zero_nodes_left_out_keep_their_numbers_in_a_match():
    y = gq.Graph([9.0, 0.0, 0.0, 0.0], groups=[1, 0, 1, 1])
    trimmed = from_dense(*to_dense(y), directed=False, groups=y.groups)
    x = gq.Graph([-5.0, 9.0, -4.0], groups=[1, 1, 0])
    assert trimmed.order == 1
    assert gq.match(x, y).mapping.tolist() in ([2, 0, 1], [3, 0, 1])
    assert gq.match(x, trimmed).mapping.tolist() == [2, 0, 1]


def test_groups_of_another_length():
    x = gq.Graph([1.0, 2.0], groups=[0, 1])
    with pytest.raises(InvalidGraphError, match="2 classes for 3 positions"):
        from_dense(*to_dense(x, order=3), directed=False, groups=x.groups)


def test_results_share_no_memory():
    x = gq.Graph([1.0, 2.0], [(0, 1)], groups=[0, 1])
    nodes, pairs = to_dense(x)
    back = from_dense(nodes, pairs, False, x.groups)
    nodes[:] = 7.0
    pairs[:] = 7.0
    assert back == x
    assert not back.node_attrs.flags.writeable


def test_positions_class_by_class():
    assert position_groups([2, 0, 1]).tolist() == [0, 0, 2]


@pytest.mark.property
@given(st.data())
def test_round_trip(data):
    x = data.draw(graphs(groups=data.draw(st.booleans())))
    order = x.order + data.draw(st.integers(0, 3))
    groups = None if x.groups is None else np.append(x.groups, np.full(order - x.order, 2, dtype=np.int32))
    back = from_dense(*to_dense(x, order), x.directed, groups)
    dense = to_dense(back, order)
    assert all(np.array_equal(a, b) for a, b in zip(dense, to_dense(x, order), strict=True))
    # Rebuilding the graph checks every rule of the data model.
    rebuilt = gq.Graph(back.node_attrs, back.edges, back.edge_attrs, directed=x.directed, groups=back.groups)
    assert rebuilt == back


@pytest.mark.property
@given(st.data())
def test_lift_by_a_permutation_is_the_permuted_graph(data):
    x = data.draw(graphs())
    perm = data.draw(permutations(x.order))
    lifted, permuted = lift(x.permute(perm), perm, x.order), to_dense(x)
    assert all(np.array_equal(a, b) for a, b in zip(lifted, permuted, strict=True))
