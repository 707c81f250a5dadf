"""Many graphs in flat arrays: selecting, sharing, comparing, shipping."""

import copy
import operator
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidGraphError

ARRAYS = ("node_offsets", "node_attrs", "edge_offsets", "edges", "edge_attrs", "groups")


def path(order, start=0.0):
    """A path graph whose node attributes count up from ``start``."""
    return gq.Graph(start + np.arange(order), [(i, i + 1) for i in range(order - 1)], groups=np.arange(order))


@pytest.fixture
def graphs():
    return [path(order, start=10.0 * i) for i, order in enumerate([3, 1, 4, 0, 2])]


@pytest.fixture
def collection(graphs):
    return gq.GraphCollection(graphs, names=["three", "one", "four", "none", "two"])


def letter_like(n_graphs, rng):
    """Graphs of the size of the paper's letters: 4.7 nodes x 2 and 3.1 edges x 1 on average."""
    orders = rng.integers(4, 6, n_graphs, endpoint=True)
    counts = rng.integers(2, 4, n_graphs, endpoint=True)
    node_offsets, edge_offsets = (np.concatenate([[0], np.cumsum(sizes)]) for sizes in (orders, counts))
    star = np.array([(0, 1), (0, 2), (0, 3), (1, 2)], dtype=np.int32)
    edges = np.concatenate([star[:count] for count in counts])
    return node_offsets, rng.normal(size=(node_offsets[-1], 2)), edge_offsets, edges, np.ones((len(edges), 1))


class TestConstruction:
    def test_flat_arrays(self):
        c = gq.GraphCollection([path(2), path(1), path(3, start=5.0)])
        assert c.node_offsets.tolist() == [0, 2, 3, 6]
        assert c.edge_offsets.tolist() == [0, 1, 1, 3]
        assert c.node_attrs.ravel().tolist() == [0.0, 1.0, 0.0, 5.0, 6.0, 7.0]
        assert c.edges.tolist() == [[0, 1], [0, 1], [1, 2]]
        assert c.groups.tolist() == [0, 1, 0, 0, 1, 2]

    def test_sizes(self, collection):
        assert collection.orders.tolist() == [3, 1, 4, 0, 2]
        assert collection.n_edges.tolist() == [2, 0, 3, 0, 1]
        assert collection.max_order == 4

    def test_takes_a_generator(self, graphs):
        assert gq.GraphCollection(graph for graph in graphs) == gq.GraphCollection(graphs)

    def test_arrays_are_read_only(self, collection):
        for name in ARRAYS:
            with pytest.raises(ValueError, match="read-only"):
                getattr(collection, name)[0] = 1

    def test_a_collection_of_one_does_not_share_with_the_graph(self):
        graph = path(3)
        assert not np.shares_memory(gq.GraphCollection([graph]).node_attrs, graph.node_attrs)

    def test_only_empty_graphs(self):
        c = gq.GraphCollection([gq.Graph(np.empty((0, 2)))] * 2)
        assert (len(c), c.max_order, c[1].node_attrs.shape) == (2, 0, (0, 2))

    def test_repr(self, collection):
        expected = "GraphCollection(5 graphs, on average 2.0 nodes x 1 attribute and 1.2 edges x 1 attribute)"
        assert repr(collection) == expected
        assert repr(collection[:0]) == "GraphCollection(0 graphs)"
        assert repr(gq.GraphCollection([gq.Graph([1.0], directed=True)])).endswith(", directed)")


class TestFromArrays:
    def test_equals_the_collection_of_its_graphs(self, collection, graphs):
        built = gq.GraphCollection.from_arrays(
            *(getattr(collection, name) for name in ARRAYS[:5]),
            groups=collection.groups,
            names=collection.names,
        )
        assert built == collection
        assert list(built) == graphs

    def test_edges_are_sorted_within_each_graph(self):
        c = gq.GraphCollection.from_arrays(
            [0, 3, 5], np.ones(5), [0, 2, 3], [(2, 1), (1, 0), (1, 0)], [21.0, 10.0, 1.0]
        )
        assert c.edges.tolist() == [[0, 1], [1, 2], [0, 1]]
        assert c.edge_attrs.ravel().tolist() == [10.0, 21.0, 1.0]

    def test_the_same_edge_in_two_graphs_is_no_repetition(self):
        # The second graph is out of order, so that the check of repeated edges is run.
        c = gq.GraphCollection.from_arrays([0, 2, 5], np.ones(5), [0, 1, 3], [(0, 1), (1, 2), (0, 1)])
        assert c[1].edges.tolist() == [[0, 1], [1, 2]]

    def test_no_graphs(self):
        c = gq.GraphCollection.from_arrays([0], np.empty((0, 2)), [0], [])
        assert len(c) == 0
        assert list(c) == []

    @pytest.mark.parametrize("in_order", [True, False])
    def test_the_arrays_of_the_caller_stay_theirs(self, in_order):
        edges = np.array([[0, 1], [1, 2]] if in_order else [[2, 1], [1, 0]], dtype=np.int32)
        given = [
            np.array([0, 3]),
            np.ones((3, 1)),
            np.array([0, 2]),
            edges,
            np.ones((2, 1)),
            np.zeros(3, np.int32),
        ]
        before = [array.copy() for array in given]
        c = gq.GraphCollection.from_arrays(*given[:5], groups=given[5])
        for name, array, old in zip(ARRAYS, given, before, strict=True):
            assert np.array_equal(array, old)
            assert array.flags.writeable
            assert not np.shares_memory(array, getattr(c, name))

    def test_letter_like_graphs_are_small(self):
        c = gq.GraphCollection.from_arrays(*letter_like(1000, np.random.default_rng(0)))
        assert c.nbytes / len(c) <= 400


class TestNumbers:
    @pytest.mark.parametrize("index", [0, 2, -1, -5, np.int64(2), np.uint8(1), np.array(4)])
    def test_like_a_list(self, collection, graphs, index):
        assert collection[index] == graphs[operator.index(index)]

    @pytest.mark.parametrize("index", [5, -6])
    def test_out_of_range(self, collection, index):
        with pytest.raises(IndexError, match=f"graph {index} of a collection of 5"):
            collection[index]

    def test_a_member_shares_the_arrays_and_cannot_be_written(self, collection):
        member = collection[2]
        for name in ("node_attrs", "edges", "edge_attrs", "groups"):
            assert np.shares_memory(getattr(member, name), getattr(collection, name))
            assert not getattr(member, name).flags.writeable

    def test_iteration(self, collection, graphs):
        assert list(collection) == graphs
        assert list(reversed(collection)) == graphs[::-1]

    def test_sequence_methods(self, collection, graphs):
        assert graphs[3] in collection
        assert gq.Graph([99.0], groups=[0]) not in collection
        assert collection.index(graphs[4]) == 4
        assert collection.count(graphs[0]) == 1


class TestSlices:
    @pytest.mark.parametrize(
        "chosen",
        [slice(None), slice(1, 4), slice(-2, None), slice(3, 1), slice(0, 0), slice(9, 12), slice(None, -1)],
    )
    def test_a_slice_is_a_view(self, collection, graphs, chosen):
        view = collection[chosen]
        assert list(view) == graphs[chosen]
        assert list(view.names) == list(collection.names)[chosen]
        for name in ("node_attrs", "edges", "edge_attrs", "groups"):
            assert getattr(view, name) is getattr(collection, name)
        assert np.shares_memory(view.node_offsets, collection.node_offsets)

    def test_view_of_a_view(self, collection, graphs):
        assert list(collection[1:][1:3]) == graphs[2:4]

    @pytest.mark.parametrize(
        "chosen",
        [
            slice(None, None, 2),
            slice(None, None, -1),
            slice(4, 0, -2),
            slice(None, None, 2**63),
            slice(None, None, -(2**64)),
        ],
    )
    def test_other_steps_copy(self, collection, graphs, chosen):
        part = collection[chosen]
        assert list(part) == graphs[chosen]
        assert not np.shares_memory(part.node_attrs, collection.node_attrs)

    def test_sizes_of_a_view(self, collection):
        assert collection[2:4].orders.tolist() == [4, 0]
        assert collection[3:].max_order == 2
        assert collection[:0].max_order == 0


class TestLists:
    @pytest.mark.parametrize(
        "chosen", [[2, 0], (1,), [-1, -5, 2], [3, 3], np.array([4, 1], dtype=np.uint8), range(2), []]
    )
    def test_numbers(self, collection, graphs, chosen):
        part = collection[chosen]
        assert list(part) == [graphs[i] for i in chosen]
        assert part.names == tuple(collection.names[i] for i in chosen)

    def test_numbers_of_a_view(self, collection, graphs):
        assert list(collection[2:][[-1, 0]]) == [graphs[4], graphs[2]]

    @pytest.mark.parametrize("kind", [list, np.array])
    def test_mask(self, collection, graphs, kind):
        assert list(collection[kind([True, False, False, True, True])]) == [graphs[0], graphs[3], graphs[4]]

    def test_mask_of_nothing(self, collection):
        assert len(collection[[False] * 5]) == 0

    def test_selection_of_nothing_keeps_the_channels(self, collection):
        assert collection[[]].node_attrs.shape == (0, 1)

    def test_result_is_read_only(self, collection):
        assert not any(getattr(collection[[0]], name).flags.writeable for name in ARRAYS)

    @pytest.mark.parametrize(("chosen", "odd"), [([0, 5], 5), ([-6, 0], -6)])
    def test_out_of_range(self, collection, chosen, odd):
        with pytest.raises(IndexError, match=f"graph {odd} of a collection of 5"):
            collection[chosen]

    def test_mask_of_other_length(self, collection):
        with pytest.raises(IndexError, match=r"a mask of shape \(2,\) for 5 graphs"):
            collection[[True, False]]

    @pytest.mark.parametrize("chosen", [[0.5], "three", ["three"], None, [[0, 1]], 1.0])
    def test_not_a_selection(self, collection, chosen):
        with pytest.raises(
            TypeError, match="graphs are selected by a number, a slice, a mask or a list of numbers"
        ):
            collection[chosen]


class TestEquality:
    def test_view_and_packed_copy(self, collection):
        view = collection[1:4]
        assert view == view.packed()
        assert view == gq.GraphCollection(list(view), view.names)
        assert view != collection[0:3]

    def test_packed_holds_nothing_else(self, collection):
        packed = collection[2:4].packed()
        assert packed.node_offsets.tolist() == [0, 4, 4]
        assert len(packed.node_attrs) == 4
        assert not np.shares_memory(packed.node_attrs, collection.node_attrs)
        assert packed.nbytes < collection.nbytes

    def test_packed_of_a_whole_collection_is_itself(self, collection):
        assert collection.packed() is collection

    def test_packed_drops_what_only_edges_or_only_nodes_show(self):
        c = gq.GraphCollection([gq.Graph([1.0]), gq.Graph([1.0, 2.0], [(0, 1)])])
        assert c[:1].packed().edges.shape == (0, 2)
        assert c[1:].packed() == gq.GraphCollection([c[1]])

    @pytest.mark.parametrize(
        "other",
        [
            gq.GraphCollection([path(2)]),
            gq.GraphCollection([path(2), path(1, start=1.0)]),
            gq.GraphCollection([path(2), path(1)], names=["a", "b"]),
            gq.GraphCollection([gq.Graph([0.0, 1.0], [(0, 1)]), gq.Graph([0.0])]),
            gq.GraphCollection([gq.Graph([0.0, 1.0], [(0, 1)], directed=True, groups=[0, 1])] * 2),
            [path(2), path(1)],
        ],
    )
    def test_unequal(self, other):
        assert gq.GraphCollection([path(2), path(1)]) != other

    def test_boundaries_count(self):
        dots = gq.GraphCollection([gq.Graph([1.0]), gq.Graph([2.0, 3.0])])
        assert dots != gq.GraphCollection([gq.Graph([1.0, 2.0]), gq.Graph([3.0])])

    def test_not_hashable(self, collection):
        with pytest.raises(TypeError, match="unhashable"):
            hash(collection)


class TestNames:
    def test_become_plain_strings(self):
        c = gq.GraphCollection([path(1)] * 3, names=np.array(["a", "b", "c"]))
        assert c.names == ("a", "b", "c")
        assert {type(name) for name in c.names} == {str}
        assert gq.GraphCollection([path(1)] * 2, names=(1, 2)).names == ("1", "2")

    def test_label(self, collection):
        assert collection.label(2) == "Graph 2 ('four')"
        assert collection.with_names(None).label(2) == "Graph 2"
        assert collection[2:].label(0) == "Graph 0 ('four')"

    def test_with_names_shares_the_arrays(self, collection):
        other = collection.with_names("abcde"[i] for i in range(5))
        assert other.names == ("a", "b", "c", "d", "e")
        assert other.node_attrs is collection.node_attrs
        assert collection.names[0] == "three"


class TestShipping:
    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))])
    def test_copies_are_equal_and_read_only(self, collection, duplicate):
        for original in (collection, collection[1:4], collection[:0]):
            twin = duplicate(original)
            assert twin == original
            assert not any(getattr(twin, name).flags.writeable for name in ARRAYS)

    def test_pickle_of_a_view_ships_its_own_part_only(self):
        big = gq.GraphCollection.from_arrays(*letter_like(2000, np.random.default_rng(0)))
        assert len(pickle.dumps(big)) > 200_000
        assert len(pickle.dumps(big[7:9])) < 2000

    def test_unpickled_view_holds_nothing_else(self, collection):
        twin = pickle.loads(pickle.dumps(collection[1:3]))
        assert twin.packed() is twin


def test_threads_may_share_a_collection(collection, graphs):
    with ThreadPoolExecutor(8) as pool:
        results = list(
            pool.map(lambda i: (collection[i % 5], collection[: i % 5], list(collection)), range(200))
        )
    for i, (member, view, everything) in enumerate(results):
        assert member == graphs[i % 5]
        assert list(view) == graphs[: i % 5]
        assert everything == graphs


def test_constructor_refuses_a_single_graph():
    with pytest.raises(
        InvalidGraphError,
        match=r"type graphquant\.Graph is not a sequence of graphs\. Pass a list",
    ):
        gq.GraphCollection(path(2))
