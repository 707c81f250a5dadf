"""One graph: what it keeps, what it never changes, and how it is renumbered."""

import copy
import pickle

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidGraphError

COPIES = {
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "pickle protocol 2": lambda x: pickle.loads(pickle.dumps(x, protocol=2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def arrays_of(graph):
    arrays = [graph.node_attrs, graph.edges, graph.edge_attrs]
    return arrays if graph.groups is None else [*arrays, graph.groups]


@pytest.fixture
def triangle():
    return gq.Graph(
        [[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]],
        [(2, 1), (0, 1), (2, 0)],
        [[21.0], [1.0], [20.0]],
        groups=[0, 0, 3],
    )


class TestContent:
    def test_attributes_are_float64_and_edges_int32(self):
        x = gq.Graph([[1], [2]], np.array([[0, 1]], dtype=np.uint8), np.array([[3]], dtype=np.float32))
        assert [array.dtype for array in arrays_of(x)] == [np.float64, np.int32, np.float64]

    def test_counts(self, triangle):
        assert (triangle.order, triangle.n_edges, triangle.directed) == (3, 3, False)

    def test_undirected_edges_are_sorted_with_their_attributes(self, triangle):
        assert triangle.edges.tolist() == [[0, 1], [0, 2], [1, 2]]
        assert triangle.edge_attrs.tolist() == [[1.0], [20.0], [21.0]]

    def test_directed_edges_keep_their_direction(self):
        x = gq.Graph([1.0, 2.0], [(1, 0), (0, 1)], [10.0, 1.0], directed=True)
        assert x.edges.tolist() == [[0, 1], [1, 0]]
        assert x.edge_attrs.tolist() == [[1.0], [10.0]]

    def test_edges_already_in_order_are_kept(self):
        x = gq.Graph(np.ones(3), [(0, 1), (0, 2), (1, 2)], [1.0, 2.0, 3.0])
        assert x.edge_attrs.tolist() == [[1.0], [2.0], [3.0]]

    @pytest.mark.parametrize("edges", [[(1, 0)], [(2, 1), (1, 0)], [(0, 1), (1, 2)]])
    def test_arrays_are_contiguous(self, edges):
        x = gq.Graph(np.ones((3, 2), order="F"), edges, np.ones((len(edges), 2))[:, ::-1])
        assert all(array.flags.c_contiguous for array in arrays_of(x))

    def test_edge_attributes_default_to_ones(self):
        assert gq.Graph([1.0, 2.0], [(0, 1)]).edge_attrs.tolist() == [[1.0]]

    def test_a_list_of_numbers_is_one_channel(self):
        assert gq.Graph([1.0, 2.0], [(0, 1)], [5]).edge_attrs.shape == (1, 1)

    def test_booleans_are_numbers(self):
        assert gq.Graph([True, False]).node_attrs.tolist() == [[1.0], [0.0]]

    @pytest.mark.parametrize("edges", [[], (), np.empty((0, 2)), np.empty((0, 2), dtype=int)])
    def test_edgeless(self, edges):
        x = gq.Graph([1.0, 2.0], edges)
        assert x.edges.shape == (0, 2)
        assert x.edge_attrs.shape == (0, 1)

    def test_isolated_node(self):
        assert gq.Graph([1.0, 2.0, 3.0], [(2, 0)]).order == 3

    def test_single_node(self):
        assert gq.Graph([[1.0, 2.0]]).node_attrs.tolist() == [[1.0, 2.0]]

    def test_empty_graph_keeps_its_number_of_channels(self):
        x = gq.Graph(np.empty((0, 3)), [], np.empty((0, 2)), groups=[])
        assert (x.order, x.node_attrs.shape, x.edge_attrs.shape, x.groups.shape) == (0, (0, 3), (0, 2), (0,))

    def test_groups(self, triangle):
        assert triangle.groups.tolist() == [0, 0, 3]
        assert triangle.groups.dtype == np.int32


class TestImmutability:
    def test_arrays_are_read_only(self, triangle):
        for array in arrays_of(triangle):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 7

    @pytest.mark.parametrize(
        "name", ["order", "node_attrs", "edges", "edge_attrs", "directed", "groups", "other"]
    )
    def test_attributes_cannot_be_set(self, triangle, name):
        with pytest.raises(AttributeError, match=name):
            setattr(triangle, name, None)

    @pytest.mark.parametrize("in_order", [True, False])
    def test_the_arrays_of_the_caller_stay_theirs(self, in_order):
        edges = np.array([[0, 1], [1, 2]] if in_order else [[2, 1], [1, 0]], dtype=np.int32)
        given = [np.ones((3, 2)), edges, np.ones((2, 1)), np.zeros(3, dtype=np.int32)]
        before = [array.copy() for array in given]
        x = gq.Graph(*given[:3], groups=given[3])
        for array, old, kept in zip(given, before, arrays_of(x), strict=True):
            assert np.array_equal(array, old)
            assert array.flags.writeable
            assert not np.shares_memory(array, kept)

    def test_permute_and_induced_leave_the_graph_alone(self, triangle):
        before = copy.deepcopy(triangle)
        triangle.permute([2, 0, 1])
        triangle.induced([1])
        assert triangle == before


class TestEquality:
    def test_edge_order_and_direction_do_not_matter(self):
        a = gq.Graph(np.ones(3), [(0, 1), (1, 2)], [1.0, 2.0])
        b = gq.Graph(np.ones(3), [(2, 1), (1, 0)], [2.0, 1.0])
        assert a == b
        assert hash(a) == hash(b)

    def test_negative_zero_equals_zero(self):
        a, b = (gq.Graph([zero, 1.0], [(0, 1)], [zero]) for zero in (0.0, -0.0))
        assert a == b
        assert hash(a) == hash(b)

    @pytest.mark.parametrize(
        "other",
        [
            gq.Graph([1.0, 2.5], [(0, 1)]),
            gq.Graph([1.0, 2.0]),
            gq.Graph([1.0, 2.0], [(0, 1)], [2.0]),
            gq.Graph([1.0, 2.0], [(0, 1)], [[1.0, 1.0]]),
            gq.Graph([1.0, 2.0], [(0, 1)], directed=True),
            gq.Graph([1.0, 2.0], [(0, 1)], groups=[0, 0]),
            gq.Graph([1.0, 2.0, 0.0], [(0, 1)]),
            "a graph",
        ],
    )
    def test_unequal(self, other):
        assert gq.Graph([1.0, 2.0], [(0, 1)]) != other

    def test_empty_graphs_differ_by_their_channels(self):
        assert gq.Graph(np.empty((0, 1))) != gq.Graph(np.empty((0, 2)))

    def test_different_groups_differ(self):
        assert gq.Graph([1.0], groups=[0]) != gq.Graph([1.0], groups=[1])

    def test_graphs_go_into_sets(self):
        assert len({gq.Graph([1.0]), gq.Graph([1.0]), gq.Graph([2.0])}) == 2


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        (gq.Graph([1.0]), "Graph(1 node x 1 attribute, 0 edges x 1 attribute)"),
        (gq.Graph([[1.0, 2.0]] * 2, [(0, 1)]), "Graph(2 nodes x 2 attributes, 1 edge x 1 attribute)"),
        (gq.Graph([]), "Graph(0 nodes x 1 attribute, 0 edges x 1 attribute)"),
        (
            gq.Graph([1.0, 1.0], [(1, 0)], directed=True, groups=[4, 4]),
            "Graph(2 nodes x 1 attribute, 1 edge x 1 attribute, directed, 1 group)",
        ),
    ],
)
def test_repr(graph, text):
    assert repr(graph) == text


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES.keys())
class TestCopies:
    def test_copy_is_equal_and_read_only(self, triangle, duplicate):
        twin = duplicate(triangle)
        assert twin == triangle
        assert not any(array.flags.writeable for array in arrays_of(twin))

    def test_member_of_a_collection(self, triangle, duplicate):
        member = gq.GraphCollection([triangle] * 50)[7]
        assert duplicate(member) == triangle


def test_pickle_of_a_member_ships_that_member_only(triangle):
    assert len(pickle.dumps(gq.GraphCollection([triangle] * 1000)[7])) < 1000


class TestPermute:
    def test_by_hand(self):
        x = gq.Graph([10.0, 11.0, 12.0], [(0, 1), (1, 2)], [1.0, 2.0], groups=[0, 1, 2])
        y = x.permute([2, 0, 1])
        assert y.node_attrs.ravel().tolist() == [12.0, 10.0, 11.0]
        assert y.groups.tolist() == [2, 0, 1]
        # Old 0, 1, 2 are now 1, 2, 0: the edges are (1, 2) and (2, 0).
        assert y.edges.tolist() == [[0, 2], [1, 2]]
        assert y.edge_attrs.ravel().tolist() == [2.0, 1.0]

    def test_directed(self):
        x = gq.Graph([0.0, 1.0], [(0, 1)], directed=True)
        assert x.permute([1, 0]).edges.tolist() == [[1, 0]]
        assert x.permute([1, 0]).directed

    def test_accepts_any_sequence_of_ints(self, triangle):
        expected = triangle.permute([1, 2, 0])
        assert triangle.permute((1, 2, 0)) == expected
        assert triangle.permute(np.array([1, 2, 0], dtype=np.uint8)) == expected
        assert triangle.permute(range(3)) == triangle

    def test_empty_graph(self):
        assert gq.Graph([]).permute([]) == gq.Graph([])

    @pytest.mark.parametrize("perm", [[0, 1], [0, 1, 2, 2], [[0, 1, 2]], 3])
    def test_wrong_shape(self, triangle, perm):
        with pytest.raises(
            InvalidGraphError, match=r"perm has shape \(.*\) for 3 nodes\. Give each node number"
        ):
            triangle.permute(perm)

    @pytest.mark.parametrize("perm", [[0, 1, 1], [0, 1, 3], [-1, 0, 1], [0.0, 1.0, 2.0], [True, False, True]])
    def test_no_permutation(self, triangle, perm):
        with pytest.raises(
            InvalidGraphError, match=r"are not distinct node numbers of a graph with 3 nodes\."
        ):
            triangle.permute(perm)


class TestInduced:
    def test_keeps_edges_between_the_nodes(self, triangle):
        part = triangle.induced([2, 1])
        assert part == gq.Graph([[0.5, 1.0], [1.0, 0.0]], [(0, 1)], [21.0], groups=[3, 0])

    def test_no_nodes_keeps_the_channels(self, triangle):
        part = triangle.induced([])
        assert (part.node_attrs.shape, part.edge_attrs.shape) == ((0, 2), (0, 1))

    def test_result_is_read_only(self, triangle):
        assert not any(array.flags.writeable for array in arrays_of(triangle.induced([0, 1])))

    @pytest.mark.parametrize("nodes", [[0, 0], [3], [-1], [0.5], [True, False, True], [[0, 1]], "0", [None]])
    def test_bad_nodes(self, triangle, nodes):
        with pytest.raises(InvalidGraphError, match=r"Give each node at most once, as a whole number from 0"):
            triangle.induced(nodes)


def test_networkx_methods(triangle):
    assert gq.Graph.from_networkx(triangle.to_networkx(), groups="group") == triangle
