"""What users already have: lists, networkx graphs, PyTorch Geometric data."""

import subprocess
import sys
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import GraphQuantWarning
from graphquant.graphs import raw_from_networkx
from graphquant.graphs.convert import channel_names
from tests.graphs.stand_ins import ArrayLike, InMemoryDataset, NAType, Tensor, batch_of, pyg

PAIR, DOT = gq.Graph([1.0, 2.0], [(0, 1)]), gq.Graph([3.0])


class TestAsCollection:
    def test_a_collection_is_itself(self):
        collection = gq.GraphCollection([PAIR, DOT])
        assert gq.as_collection(collection) is collection

    @pytest.mark.parametrize(
        "given",
        [
            [PAIR, DOT],
            (PAIR, DOT),
            (graph for graph in (PAIR, DOT)),
            np.array([PAIR, DOT], dtype=object),
            {"a": PAIR, "b": DOT}.values(),
        ],
        ids=["list", "tuple", "generator", "object array", "dict values"],
    )
    def test_graphs(self, given):
        assert gq.as_collection(given) == gq.GraphCollection([PAIR, DOT])

    def test_one_graph(self):
        assert gq.as_collection(PAIR) == gq.GraphCollection([PAIR])

    def test_one_networkx_graph(self):
        assert gq.as_collection(nx.path_graph(2)) == gq.GraphCollection([gq.Graph([1.0, 1.0], [(0, 1)])])

    def test_one_pyg_graph(self):
        assert gq.as_collection(pyg([[1.0], [2.0]], [[0, 1], [1, 0]])) == gq.GraphCollection([PAIR])


class TestNetworkxList:
    def test_attributes_are_taken_in_order_of_first_appearance(self):
        a, b = nx.Graph(), nx.Graph()
        a.add_node("u", y=1.0, x=2.0)
        b.add_node("v", x=3.0, y=4.0)
        assert gq.as_collection([a, b]).node_attrs.tolist() == [[1.0, 2.0], [4.0, 3.0]]

    def test_names_are_kept_if_all_have_one(self):
        graphs = [nx.path_graph(2), nx.path_graph(3)]
        graphs[0].name = "first"
        assert gq.as_collection(graphs).names is None
        graphs[1].name = "zweiter ü"
        assert gq.as_collection(graphs).names == ("first", "zweiter ü")

    def test_directed(self):
        collection = gq.as_collection([nx.DiGraph([(0, 1), (1, 0)]), nx.DiGraph([(0, 1)])])
        assert collection.directed
        assert collection.n_edges.tolist() == [2, 1]

    def test_empty_and_edgeless_graphs_have_the_channels_of_the_others(self):
        full, bare, empty = nx.Graph(), nx.Graph(), nx.Graph()
        full.add_nodes_from([(0, {"pos": (1.0, 2.0), "r": 3.0}), (1, {"pos": (4.0, 5.0), "r": 6.0})])
        full.add_edge(0, 1, v=(7.0, 8.0))
        bare.add_node(0, pos=np.array([1.0, 2.0]), r=3.0)
        collection = gq.as_collection([empty, bare, full])
        assert collection.orders.tolist() == [0, 1, 2]
        assert collection[2].node_attrs.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
        assert collection[2].edge_attrs.tolist() == [[7.0, 8.0]]


class TestFromNetworkx:
    @pytest.fixture
    def drawing(self):
        g = nx.Graph()
        g.add_node("b", x=1.0, y=2, kind="end", group=4)
        g.add_node("a", x=3.0, y=True, kind="corner", group=0)
        g.add_edge("b", "a", w=0.5, label="line")
        return g

    def test_chosen_attributes_in_the_given_order(self, drawing):
        x = gq.from_networkx(drawing, node_attrs=["y", "x"], edge_attrs=["w"])
        assert x == gq.Graph([[2.0, 1.0], [1.0, 3.0]], [(0, 1)], [0.5])

    def test_choosing_none_gives_ones(self, drawing):
        assert gq.from_networkx(drawing, node_attrs=[], edge_attrs=[]) == gq.Graph([1.0, 1.0], [(0, 1)])

    def test_groups(self, drawing):
        x = gq.from_networkx(drawing, node_attrs=["x"], edge_attrs=["w"], groups="group")
        assert x.groups.tolist() == [4, 0]

    def test_groups_are_no_attribute_by_default(self):
        g = nx.Graph()
        g.add_node(0, a0=1.0, group=3)
        assert gq.from_networkx(g, groups="group") == gq.Graph([1.0], groups=[3])
        assert gq.from_networkx(g).node_attrs.tolist() == [[1.0, 3.0]]

    def test_the_graph_is_left_alone(self, drawing):
        before = (dict(drawing.nodes(data=True)), list(drawing.edges(data=True)))
        gq.from_networkx(drawing, node_attrs=["x"], edge_attrs=["w"])
        assert (dict(drawing.nodes(data=True)), list(drawing.edges(data=True))) == before

    def test_works_without_importing_networkx(self):
        script = (
            "import sys, graphquant as gq; gq.as_collection([gq.Graph([1.0])]); gq.Graph([1.0]).permute([0]);"
            "print([m for m in ('networkx', 'torch', 'pyarrow', 'matplotlib') if m in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"


class TestToNetworkx:
    def test_undirected(self):
        g = gq.to_networkx(gq.Graph([[1.0, 2.0], [3.0, 4.0]], [(1, 0)], [5.0], groups=[1, 0]))
        assert type(g) is nx.Graph
        assert dict(g.nodes(data=True)) == {
            0: {"a0": 1.0, "a1": 2.0, "group": 1},
            1: {"a0": 3.0, "a1": 4.0, "group": 0},
        }
        assert list(g.edges(data=True)) == [(0, 1, {"a0": 5.0})]

    def test_directed(self):
        g = gq.to_networkx(gq.Graph([1.0, 2.0], [(1, 0)], directed=True))
        assert type(g) is nx.DiGraph
        assert list(g.edges) == [(1, 0)]

    def test_names(self):
        g = gq.Graph([[1.0, 2.0], [3.0, 4.0]], [(0, 1)]).to_networkx(["x", "y"], ["w"])
        assert g.nodes[1] == {"x": 3.0, "y": 4.0}
        assert g.edges[0, 1] == {"w": 1.0}

    def test_values_are_plain_numbers(self):
        g = gq.to_networkx(gq.Graph([1.0], groups=[2]))
        assert {type(value) for value in g.nodes[0].values()} == {float, int}

    def test_channel_names(self):
        assert channel_names(3, None, "node_attrs") == ["a0", "a1", "a2"]
        assert channel_names(2, ("x", "y"), "node_attrs") == ["x", "y"]


class TestPyg:
    @pytest.mark.parametrize("tensor", [np.asarray, ArrayLike, Tensor])
    def test_undirected_edges_stand_in_both_directions(self, tensor):
        data = pyg(
            [[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]],
            [[0, 2, 1, 0], [1, 0, 0, 2]],
            [[10.0], [20.0], [10.0], [20.0]],
            tensor=tensor,
        )
        expected = gq.Graph([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]], [(0, 1), (0, 2)], [10.0, 20.0])
        assert gq.as_collection([data]) == gq.GraphCollection([expected])

    @pytest.mark.parametrize(
        ("edge_index", "edge_attr"), [([[0], [1]], None), ([[0, 1], [1, 0]], [[1.0], [2.0]])]
    )
    def test_one_way_edges_or_attributes_make_all_graphs_directed(self, edge_index, edge_attr):
        both = pyg([[1.0], [2.0]], [[0, 1], [1, 0]])
        collection = gq.as_collection([both, pyg([[1.0], [2.0]], edge_index, edge_attr)])
        assert collection.directed
        assert collection.n_edges.tolist() == [2, len(edge_index[0])]

    @pytest.mark.parametrize(
        "edge_index", [None, np.empty((2, 0), dtype=np.int64), np.empty((2, 0)), np.empty(0)]
    )
    def test_no_edges(self, edge_index):
        assert gq.as_collection([pyg([[3.0]], edge_index)]) == gq.GraphCollection([DOT])

    def test_no_edges_keep_their_channels(self):
        data = pyg([[3.0]], np.empty((2, 0), dtype=np.int64), np.empty((0, 4)))
        assert gq.as_collection([data])[0].edge_attrs.shape == (0, 4)

    def test_no_node_attributes(self):
        data = pyg(None, [[0, 1], [1, 0]], num_nodes=3)
        assert gq.as_collection([data])[0] == gq.Graph([1.0, 1.0, 1.0], [(0, 1)])

    def test_number_of_nodes_may_be_unknown(self):
        data = SimpleNamespace(x=np.array([[3.0]]), edge_index=None, num_nodes=None)
        assert gq.as_collection([data])[0] == DOT

    def test_missing_edge_attr_member(self):
        data = SimpleNamespace(x=np.array([1.0, 2.0]), edge_index=np.array([[0, 1], [1, 0]]), num_nodes=2)
        assert gq.as_collection([data])[0] == PAIR

    def test_flat_attributes_are_one_channel(self):
        data = pyg([1.0, 2.0], [[0, 1], [1, 0]], [7.0, 7.0])
        assert gq.as_collection([data])[0] == gq.Graph([1.0, 2.0], [(0, 1)], [7.0])

    def test_a_batch_is_taken_apart(self):
        batch = pyg([[1.0], [2.0], [3.0]], [[0, 1], [1, 0]])
        batch.to_data_list = lambda: [pyg([[1.0], [2.0]], [[0, 1], [1, 0]]), pyg([[3.0]], np.empty((2, 0)))]
        assert gq.as_collection(batch) == gq.GraphCollection([PAIR, DOT])

    def test_a_data_set_is_not_one_graph(self):
        data_set = InMemoryDataset([pyg([[1.0], [2.0]], [[0, 1], [1, 0]]), pyg([[3.0]])])
        assert gq.as_collection(data_set) == gq.GraphCollection([PAIR, DOT])

    def test_a_loader_of_batches_is_taken_apart(self):
        parts = [pyg([[1.0], [2.0]], [[0, 1], [1, 0]]), pyg([[3.0]], np.empty((2, 0)))]
        assert gq.as_collection(iter([batch_of(*parts), batch_of(parts[1])])) == gq.GraphCollection(
            [PAIR, DOT, DOT]
        )

    def test_the_arrays_of_the_caller_stay_theirs(self):
        data = pyg(np.ones((2, 1)), np.array([[0, 1], [1, 0]]), np.ones((2, 1)))
        collection = gq.as_collection([data])
        assert data.x.flags.writeable
        assert not np.shares_memory(data.x, collection.node_attrs)


class TestRawFromNetworkx:
    def test_columns_of_any_kind(self):
        a, b = nx.Graph(name="a"), nx.Graph(name="b")
        a.add_node("u", symbol="C", charge=1)
        a.add_node("v", symbol="O", flag=True)
        a.add_edge("v", "u", order=2)
        b.add_node("w", charge=np.float32(0.5), flag=np.bool_(False))
        raw = raw_from_networkx([a, b], names=["first", "second"])
        assert raw.names == ("first", "second")
        assert raw.orders.tolist() == [2, 1]
        assert raw.edges.tolist() == [[0, 1]]
        assert raw.node_columns["symbol"].to_list() == ["C", "O", None]
        assert raw.node_columns["charge"].to_list() == [1.0, None, 0.5]
        assert raw.node_columns["flag"].to_list() == [None, 1.0, 0.0]
        assert raw.edge_columns["order"].to_list() == [2.0]

    def test_edge_columns_follow_the_canonical_order(self):
        g = nx.Graph()
        g.add_nodes_from([0, 1, 2])
        g.add_edge(2, 1, name="late")
        g.add_edge(1, 0, name="early")
        assert raw_from_networkx([g]).edge_columns["name"].to_list() == ["early", "late"]

    def test_directed(self):
        assert raw_from_networkx([nx.DiGraph([(1, 0)])]).directed

    def test_no_attributes_and_no_graphs(self):
        assert dict(raw_from_networkx([nx.path_graph(2)]).node_columns) == {}
        assert len(raw_from_networkx([])) == 0

    def test_takes_a_generator(self):
        assert len(raw_from_networkx(nx.path_graph(n) for n in (1, 2))) == 2

    def test_vectors_become_columns(self):
        g = nx.Graph()
        g.add_node("u", pos=(1.0, 2.0), size=np.array([3]))
        g.add_node("v", pos=Tensor([4, 5]), size=6.0)
        g.add_node("w", pos=None)
        g.add_edge("u", "v", way=[True, False])
        raw = raw_from_networkx([g])
        assert list(raw.node_columns) == ["pos0", "pos1", "size"]
        assert raw.node_columns["pos0"].to_list() == [1.0, 4.0, None]
        assert raw.node_columns["pos1"].to_list() == [2.0, 5.0, None]
        assert raw.node_columns["size"].to_list() == [3.0, 6.0, None]
        assert raw.edge_columns["way0"].to_list() == [1.0]

    def test_numbers_among_strings_become_text_and_that_is_told_once(self):
        g = nx.Graph()
        for node, code in enumerate(["C", 6, 7.0, 0.5, True, None, np.nan, NAType()]):
            g.add_node(f"n{node}", code=code)
        with pytest.warns(GraphQuantWarning, match="is read as text") as told:
            raw = raw_from_networkx([nx.Graph(), g], names=["empty", "mixed"])
        assert raw.node_columns["code"].to_list() == ["C", "6", "7", "0.5", "True", None, None, None]
        assert [str(warning.message) for warning in told] == [
            "Graph 1 ('mixed'): node 'n1', attribute 'code' is the number 6, while other values are strings. "
            "The attribute is read as text."
        ]

    def test_a_missing_value_does_not_make_strings_mixed(self):
        g = nx.Graph()
        g.add_edge(0, 1, kind="single")
        g.add_edge(1, 2, kind=float("nan"))
        assert raw_from_networkx([g]).edge_columns["kind"].to_list() == ["single", None]
