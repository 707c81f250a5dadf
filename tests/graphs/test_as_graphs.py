"""Whatever a user has, as vectors or as raw graphs."""

import subprocess
import sys

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

import graphquant as gq
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError
from graphquant.graphs import as_graphs, raw_from_networkx
from tests.graphs.bad_input import check
from tests.graphs.stand_ins import Frame, InMemoryDataset, NAType, Series, Tensor, batch_of, pyg

BOTH_WAYS = [[0, 1], [1, 0]]
PAIR, DOT = gq.Graph([1.0, 2.0], [(0, 1)]), gq.Graph([3.0])


def ethanol():
    g = nx.Graph()
    g.add_nodes_from([(0, {"symbol": "C"}), (1, {"symbol": "C"}), (2, {"symbol": "O"})])
    g.add_edges_from([(0, 1), (1, 2)])
    return g


class TestVectors:
    def test_a_collection_is_itself(self):
        collection = gq.GraphCollection([PAIR, DOT])
        assert as_graphs(collection) is collection

    @pytest.mark.parametrize("given", [[PAIR, DOT], Series([PAIR, DOT]), iter([PAIR, DOT])])
    def test_graphs(self, given):
        assert as_graphs(given) == gq.GraphCollection([PAIR, DOT])

    def test_one_graph(self):
        assert as_graphs(DOT) == gq.GraphCollection([DOT])

    def test_networkx_graphs_without_attributes_have_ones(self):
        graphs = [nx.path_graph(2), nx.Graph()]
        assert as_graphs(graphs) == gq.as_collection(graphs)


class TestRaw:
    def test_raw_graphs_are_themselves(self):
        raw = raw_from_networkx([ethanol()])
        assert as_graphs(raw) is raw

    def test_a_list_of_raw_graphs_is_joined(self):
        raw = raw_from_networkx([ethanol(), ethanol()])
        assert as_graphs([raw[0], raw[1]]) == raw

    def test_networkx(self):
        assert as_graphs(ethanol()) == raw_from_networkx([ethanol()])
        column = np.empty(2, dtype=object)
        column[:] = [ethanol(), ethanol()]
        assert as_graphs(column) == raw_from_networkx([ethanol(), ethanol()])

    def test_attributes_on_edges_alone(self):
        g = nx.path_graph(2)
        g.edges[0, 1]["kind"] = "single"
        assert list(as_graphs([nx.Graph(), g]).edge_columns) == ["kind"]

    def test_names_are_kept_if_all_networkx_graphs_have_one(self):
        graphs = [ethanol(), ethanol()]
        graphs[0].name = "first"
        assert as_graphs(graphs).names is None
        graphs[1].name = "second"
        assert as_graphs(graphs).names == ("first", "second")

    def test_mixed_values_name_the_graph(self):
        g = ethanol()
        g.nodes[2]["symbol"] = 8
        with pytest.warns(GraphQuantWarning, match=r"^Graph 1: node 2, attribute 'symbol' is the number 8"):
            assert as_graphs([ethanol(), g]).node_columns["symbol"].to_list() == [
                "C",
                "C",
                "O",
                "C",
                "C",
                "8",
            ]


class TestPyg:
    def test_columns(self):
        data = pyg([[0.5, 6], [1.5, 8]], BOTH_WAYS, [[7.0], [7.0]], tensor=Tensor)
        data.pos = Tensor([[1, 2, 3], [4, 5, 6]])
        raw = as_graphs(data)
        assert {name: column.to_list() for name, column in raw.node_columns.items()} == {
            "x0": [0.5, 1.5],
            "x1": [6.0, 8.0],
            "pos0": [1.0, 4.0],
            "pos1": [2.0, 5.0],
            "pos2": [3.0, 6.0],
        }
        assert raw.edge_columns["edge_attr"].to_list() == [7.0]
        assert not raw.directed
        assert raw.edges.tolist() == [[0, 1]]

    def test_one_hot_blocks_are_categories(self):
        one_hot = [[0, 1, 0], [1, 0, 0]]
        raw = as_graphs([pyg(one_hot, BOTH_WAYS, [[0, 1], [0, 1]]), pyg([[0.0, 0.0, 1.0]])])
        assert raw.node_columns["x"].to_list() == ["1", "0", "2"]
        assert raw.edge_columns["edge_attr"].to_list() == ["1"]

    @pytest.mark.parametrize(
        "block",
        [[[1, 1], [1, 0]], [[0, 0], [1, 0]], [[1, 0], [2, -1]], [[0.5, 0.5], [1, 0]]],
        ids=["two", "none", "sum", "parts"],
    )
    def test_blocks_that_are_not_one_hot_are_numbers(self, block):
        raw = as_graphs([pyg([[1, 0], [0, 1]]), pyg(block)])
        assert list(raw.node_columns) == ["x0", "x1"]
        assert raw.node_columns["x0"].is_numeric

    def test_codes_are_numbers(self):
        raw = as_graphs([pyg(np.array([[6, 1], [8, 0]])), pyg(np.array([[True, False]]))])
        assert raw.node_columns["x0"].to_list() == [6.0, 8.0, 1.0]

    @pytest.mark.parametrize("x", [[1, 1], [[1], [1]]])
    def test_a_single_column_keeps_the_name(self, x):
        assert as_graphs([pyg(x)]).node_columns["x"].to_list() == [1.0, 1.0]

    def test_the_columns_of_the_fit_decide_what_a_one_hot_block_is(self):
        numbers = as_graphs([pyg([[1, 0]])], node_names=["x0", "x1"])
        assert list(numbers.node_columns) == ["x0", "x1"]
        categories = as_graphs([pyg([[1, 0]])], node_names=["x"], edge_names=[])
        assert categories.node_columns["x"].to_list() == ["0"]
        with pytest.raises(
            InvalidGraphError, match=r"x is not one-hot.*in the graphs that the encoder was fitted"
        ):
            as_graphs([pyg([[1, 1]])], node_names=["x"])

    def test_nothing_but_structure(self):
        raw = as_graphs([pyg(None, [[0], [1]], num_nodes=3)])
        assert (raw.orders.tolist(), dict(raw.node_columns), dict(raw.edge_columns)) == ([3], {}, {})
        assert raw.directed

    def test_the_number_of_nodes_may_come_from_positions(self):
        data = pyg(None)
        data.pos = np.ones((4, 2))
        assert as_graphs(data).orders.tolist() == [4]

    def test_edgeless_graphs_need_no_edge_attr_and_may_have_edges_of_any_type(self):
        raw = as_graphs([pyg([1.0]), pyg([1.0], np.empty((2, 0))), pyg([1.0, 2.0], BOTH_WAYS, [5.0, 5.0])])
        assert raw.edge_columns["edge_attr"].to_list() == [5.0]
        assert raw.edges.dtype == np.int32

    def test_edge_attributes_follow_the_edges(self):
        edges = [[2, 1, 1, 0], [1, 2, 0, 1]]
        raw = as_graphs([pyg([1.0, 2.0, 3.0], edges, [21.0, 21.0, 10.0, 10.0])])
        assert raw.edges.tolist() == [[0, 1], [1, 2]]
        assert raw.edge_columns["edge_attr"].to_list() == [10.0, 21.0]

    def test_one_way_edges_make_all_directed(self):
        raw = as_graphs([pyg([1.0, 2.0], BOTH_WAYS), pyg([1.0, 2.0], [[1], [0]])])
        assert raw.directed
        assert raw.n_edges.tolist() == [2, 1]

    def test_batches_data_sets_and_loaders(self):
        parts = [pyg([[1.0], [2.0]], BOTH_WAYS), pyg([[3.0]]), pyg([[4.0]])]
        expected = as_graphs(parts)
        assert len(expected) == 3
        assert as_graphs(batch_of(*parts)) == expected
        assert as_graphs(InMemoryDataset(parts)) == expected
        assert as_graphs(iter([batch_of(*parts[:2]), batch_of(parts[2])])) == expected

    @pytest.mark.filterwarnings("ignore")  # theirs, at import
    def test_the_real_thing(self):
        reason = "torch and torch_geometric are not installed"
        torch = pytest.importorskip("torch", reason=reason)
        data = pytest.importorskip("torch_geometric.data", reason=reason)
        loader = pytest.importorskip("torch_geometric.loader", reason=reason)
        edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        chain = data.Data(x=torch.eye(3), edge_index=edges, edge_attr=torch.ones(4, 1), y=torch.tensor([1]))
        dots = data.Data(
            x=torch.eye(3)[[0, 0]],
            edge_index=torch.empty((2, 0), dtype=torch.long),
            edge_attr=torch.empty((0, 1)),
            y=torch.tensor([0]),
        )

        class Both(data.InMemoryDataset):
            def __init__(self):
                super().__init__(None)
                self.data, self.slices = self.collate([chain, dots])

        raw = as_graphs([chain, dots])
        assert raw.node_columns["x"].to_list() == ["0", "1", "2", "0", "0"]
        assert raw.edges.tolist() == [[0, 1], [1, 2]]
        assert as_graphs(data.Batch.from_data_list([chain, dots])) == raw
        assert as_graphs(Both()) == raw
        assert as_graphs(loader.DataLoader(Both(), batch_size=1)) == raw
        assert as_graphs(chain) == raw[0]


ANY = (
    "Pass a list of Graph, networkx or PyTorch Geometric graphs, RDKit molecules or SMILES; read files with "
    "graphquant.read."
)
DROP = (
    "Leave missing rows out, for example with dropna(); RDKit returns None for a molecule that it "
    "cannot read."
)
NOT_A_COLUMN = "An object of type {} is a table, not a column of graphs. Its columns: {}."

REFUSED = {
    "nothing": (lambda: as_graphs([]), "There are no graphs.", "Pass at least one graph."),
    "a number": (lambda: as_graphs(3), "An object of type int is not a collection of graphs.", ANY),
    "an array of no dimension": (
        lambda: as_graphs(np.array(3)),
        "An object of type numpy.ndarray is not a collection of graphs.",
        ANY,
    ),
    "a single SMILES": (
        lambda: as_graphs("CCO"),
        "An object of type str is not a collection of graphs.",
        'Give a SMILES in a list, also a single one: ["CCO"]; read files with graphquant.read.',
    ),
    "mixed kinds": (
        lambda: as_graphs([DOT, "CCO"]),
        "Graphs of several kinds are mixed: graphquant.Graph, str.",
        "Convert all of them to one kind first.",
    ),
    "something else": (
        lambda: as_graphs(["CCO", 3]),
        "Graph 1 is of type int, expected a Graph, a networkx graph, PyTorch Geometric data, an RDKit "
        "molecule or a SMILES.",
        "Convert it first, or leave it out.",
    ),
    "None": (lambda: as_graphs(["C", None]), "Graph 1 is missing: row 1 holds None.", DROP),
    "NaN": (lambda: as_graphs(Series(["C", np.nan])), "Graph 1 is missing: row 1 holds nan.", DROP),
    "NA": (lambda: as_graphs([NAType(), "C"]), "Graph 0 is missing: row 0 holds <NA>.", DROP),
    "a null of Arrow": (
        lambda: as_graphs(pa.array(["C", None])),
        "Graph 1 is missing: row 1 holds None.",
        DROP,
    ),
    "a frame of something else": (
        lambda: as_graphs(Frame(a=[None], b=["hello"])),
        NOT_A_COLUMN.format("tests.Frame", "'a', 'b'"),
        "Pass the column that holds them, for example frame['a'].",
    ),
    "an empty frame": (
        lambda: as_graphs(Frame()),
        NOT_A_COLUMN.format("tests.Frame", "none"),
        "Pass a list.",
    ),
    "a table of Arrow": (
        lambda: as_graphs(pa.table({"id": [1], "s": ["CCO"]})),
        NOT_A_COLUMN.format("pyarrow.Table", "'id', 's'"),
        "Pass the column: frame['s'].",
    ),
    "a dictionary": (
        lambda: gq.as_collection({"smiles": ["CCO"], "note": "hello"}),
        NOT_A_COLUMN.format("dict", "'smiles', 'note'"),
        "Pass the column: frame['smiles'].",
    ),
    "PyG: widths that differ": (
        lambda: as_graphs([pyg([[1.0, 2.0]]), pyg([[1.0, 2.0, 3.0]])]),
        "Graph 1: x has 3 columns, that of graph 0 has 2.",
        "Give x the same number of columns in all graphs.",
    ),
    "PyG: x in some graphs only": (
        lambda: as_graphs([pyg(None, num_nodes=1), pyg([[1.0]])]),
        "Graph 0: has no x, unlike graph 1.",
        "Give all graphs x, or none.",
    ),
    "PyG: x of other length": (
        lambda: as_graphs(pyg([[1.0]], num_nodes=3)),
        "Graph 0: x has shape (1, 1) and type float64 for 3 nodes.",
        "Give one row of numbers in x for each node.",
    ),
    "PyG: unknown number of nodes": (
        lambda: as_graphs(pyg(None)),
        "Graph 0: has neither x nor num_nodes, so the number of nodes is unknown.",
        "Set num_nodes.",
    ),
}


@pytest.mark.parametrize(("make", "message", "hint"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(make, message, hint):
    check(make, message, hint)


def test_nothing_is_imported_that_is_not_needed():
    script = (
        "import sys, graphquant as gq; from graphquant.graphs import as_graphs; as_graphs([gq.Graph([1.0])]);"
        "print([m for m in ('networkx', 'torch', 'pyarrow', 'pandas', 'rdkit') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
