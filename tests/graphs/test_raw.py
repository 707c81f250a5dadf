"""Graphs with named raw columns, as files have them."""

import copy
import pickle

import numpy as np
import pytest

from graphquant.exceptions import InvalidGraphError
from graphquant.graphs import Column, RawGraphs

DUPLICATES = [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]


@pytest.fixture
def raw():
    return RawGraphs(
        [0, 3, 4, 4, 6],
        [0, 2, 2, 2, 3],
        [(2, 1), (1, 0), (1, 0)],
        {
            "x": Column.from_numbers([0, 1, 2, 3, None, 5]),
            "s": Column.from_strings(["C", "O", "C", None, "N", "N"]),
        },
        {"w": Column.from_numbers([21, 10, 7])},
        groups=[0, 1, 2, 0, 0, 1],
        names=["path", "dot", "nothing", "pair"],
    )


def test_a_column_is_a_column():
    message = "node attribute 'x' is a list, expected a Column"
    with pytest.raises(InvalidGraphError, match=message):
        RawGraphs([0, 1], [0, 0], np.empty((0, 2), dtype=int), {"x": [1.0]}, {})


class TestColumn:
    def test_strings_are_coded_in_sorted_order(self):
        column = Column.from_strings(["O", "C", None, "O"])
        assert column.categories == ("C", "O")
        assert column.values.tolist() == [1, 0, -1, 1]
        assert column.values.dtype == np.int32
        assert not column.is_numeric

    def test_numbers(self):
        column = Column.from_numbers([1, None, 2.5])
        assert column.is_numeric
        assert column.categories is None
        assert column.values.dtype == np.float64
        assert column.missing.tolist() == [False, True, False]
        assert column.to_list() == [1.0, None, 2.5]

    def test_strings_back_and_forth(self):
        strings = ["ü", None, "", "a b", "ü"]
        column = Column.from_strings(strings)
        assert column.to_list() == strings
        assert column.missing.tolist() == [False, True, False, False, False]
        assert len(column) == 5

    def test_take(self):
        column = Column.from_strings(["a", "b", None])
        assert column.take([2, 1]).to_list() == [None, "b"]
        assert column.take(slice(1)).categories == ("a", "b")

    @pytest.mark.parametrize(
        ("column", "text"),
        [
            (Column.from_numbers([1.0, None]), "Column(2 values, numeric, 1 missing)"),
            (
                Column.from_strings("abcdefgh"),
                "Column(8 values, categories 'a', 'b', 'c', 'd', 'e', 'f', ...)",
            ),
            (Column.from_strings(["a"]), "Column(1 value, categories 'a')"),
        ],
    )
    def test_repr(self, column, text):
        assert repr(column) == text

    @pytest.mark.parametrize(
        ("values", "categories"), [(np.ones(3), None), (np.zeros(3, dtype=np.int32), ("a",))]
    )
    def test_the_array_of_the_caller_stays_theirs(self, values, categories):
        column = Column(values, categories)
        values[0] = 0
        assert values.flags.writeable
        assert not np.shares_memory(values, column.values)
        assert not column.values.flags.writeable

    @pytest.mark.parametrize("name", ["values", "categories", "other"])
    def test_attributes_cannot_be_set(self, name):
        with pytest.raises(AttributeError, match=name):
            setattr(Column.from_numbers([1.0]), name, None)

    def test_equality_is_that_of_the_values(self):
        assert Column.from_numbers([1, None]) == Column(np.array([1.0, np.nan]))
        assert Column(np.array([0, 1, -1]), ("a", "b")) == Column(np.array([2, 0, -1]), ("b", "unused", "a"))
        assert Column.from_strings([]) == Column(np.empty(0, dtype=int), ("unused",))

    @pytest.mark.parametrize(
        "other",
        [
            Column.from_strings(["a", "c"]),
            Column.from_strings(["a", None]),
            Column.from_strings(["a"]),
            Column.from_numbers([0, 1]),
            ["a", "b"],
        ],
    )
    def test_unequal(self, other):
        assert Column.from_strings(["a", "b"]) != other
        assert other != Column.from_strings(["a", "b"])

    def test_a_missing_value_is_not_an_unknown_category(self):
        assert Column(np.array([-1]), ("a",)) != Column.from_strings(["b"])

    @pytest.mark.parametrize("duplicate", DUPLICATES)
    @pytest.mark.parametrize("column", [Column.from_numbers([1, None]), Column.from_strings(["a", None])])
    def test_copies(self, column, duplicate):
        twin = duplicate(column)
        assert twin == column
        assert not twin.values.flags.writeable

    @pytest.mark.parametrize(
        ("values", "categories", "message"),
        [
            ([0, 2], ("a", "b"), r"codes from 0 to 2, expected whole numbers from -1 to 1\."),
            ([-2], ("a",), r"codes from -2 to -2, expected whole numbers from -1 to 0\."),
            ([0.0], ("a",), r"codes of type float64, expected whole numbers"),
            ([0], ("a", "a"), r"The categories \['a', 'a'\] of a column are not distinct\."),
            ([10**400], None, r"A numeric column contains a non-numeric value .*too large"),
            (["C"], None, r"A numeric column contains a non-numeric value .*'C'.*Column\.from_strings"),
            ([[1.0]], None, r"not values of shape \(1, 1\)\. Pass each channel as a separate column\."),
        ],
    )
    def test_bad_values(self, values, categories, message):
        with pytest.raises(InvalidGraphError, match=message):
            Column(values, categories)


class TestRawGraphs:
    def test_edges_are_sorted_with_their_columns(self, raw):
        assert raw.edges.tolist() == [[0, 1], [1, 2], [0, 1]]
        assert raw.edge_columns["w"].to_list() == [10.0, 21.0, 7.0]

    def test_sizes(self, raw):
        assert len(raw) == 4
        assert raw.orders.tolist() == [3, 1, 0, 2]
        assert raw.n_edges.tolist() == [2, 0, 0, 1]

    def test_nothing_can_be_written(self, raw):
        arrays = [raw.node_offsets, raw.edge_offsets, raw.edges, raw.groups, raw.node_columns["x"].values]
        assert not any(array.flags.writeable for array in arrays)
        with pytest.raises(TypeError, match="item assignment"):
            raw.node_columns["x"] = None

    def test_the_arrays_of_the_caller_stay_theirs(self):
        given = [np.array([0, 2]), np.array([0, 1]), np.array([[0, 1]], dtype=np.int32)]
        groups, columns = np.array([0, 1], dtype=np.int32), {"x": Column.from_numbers([1, 2])}
        raw = RawGraphs(*given, columns, {}, groups=groups)
        columns["y"] = None
        assert all(array.flags.writeable for array in [*given, groups])
        assert list(raw.node_columns) == ["x"]
        kept = [raw.node_offsets, raw.edge_offsets, raw.edges, raw.groups]
        assert not any(np.shares_memory(a, b) for a, b in zip([*given, groups], kept, strict=True))

    def test_labels(self, raw):
        assert raw.label(1) == "Graph 1 ('dot')"
        assert raw.locate("node", 3) == "Graph 1 ('dot'): node 0"
        assert raw.locate("node", 5) == "Graph 3 ('pair'): node 1"
        assert raw.locate("edge", 1) == "Graph 0 ('path'): edge 1"

    def test_repr(self, raw):
        assert repr(raw) == "RawGraphs(4 graphs, node attributes: x, s; edge attributes: w)"
        assert repr(RawGraphs([0, 1], [0, 0], [], {}, {})) == (
            "RawGraphs(1 graph, node attributes: none; edge attributes: none)"
        )

    def test_no_graphs(self):
        assert len(RawGraphs([0], [0], [], {}, {})) == 0

    @pytest.mark.parametrize("duplicate", DUPLICATES)
    def test_copies(self, raw, duplicate):
        twin = duplicate(raw)
        assert twin == raw
        assert not twin.edges.flags.writeable

    def test_not_hashable(self, raw):
        with pytest.raises(TypeError, match="unhashable"):
            hash(raw)


class TestSelection:
    @pytest.mark.parametrize(
        ("index", "chosen"),
        [
            (1, [1]),
            (-1, [3]),
            (np.int64(2), [2]),
            (slice(1, None), [1, 2, 3]),
            (slice(None, None, -2), [3, 1]),
            ([3, 0], [3, 0]),
            ([-4], [0]),
            (np.array([True, False, False, True]), [0, 3]),
            ([], []),
        ],
    )
    def test_by_number_slice_list_and_mask(self, raw, index, chosen):
        part = raw[index]
        assert part.names == tuple(raw.names[i] for i in chosen)
        assert part.orders.tolist() == raw.orders[chosen].tolist()
        assert part.n_edges.tolist() == raw.n_edges[chosen].tolist()
        for i, j in enumerate(chosen):
            assert part[i] == raw[j]

    def test_columns_and_groups_follow(self, raw):
        part = raw[[3, 0]]
        assert part.node_columns["x"].to_list() == [None, 5.0, 0.0, 1.0, 2.0]
        assert part.node_columns["s"].to_list() == ["N", "N", "C", "O", "C"]
        assert part.edge_columns["w"].to_list() == [7.0, 10.0, 21.0]
        assert part.groups.tolist() == [0, 1, 0, 1, 2]

    def test_iteration(self, raw):
        assert [part.names for part in raw] == [("path",), ("dot",), ("nothing",), ("pair",)]

    @pytest.mark.parametrize("index", [4, -5, [0, 4]])
    def test_out_of_range(self, raw, index):
        with pytest.raises(IndexError, match=r"graph (4|-5) of a collection of 4"):
            raw[index]

    @pytest.mark.parametrize("index", [[0.5], "path", None])
    def test_not_a_selection(self, raw, index):
        with pytest.raises(TypeError, match="graphs are selected by a number, a slice, a mask or a list"):
            raw[index]


class TestConcatenate:
    def test_the_parts_make_the_whole(self, raw):
        assert RawGraphs.concatenate([raw[:1], raw[1:3], raw[3:]]) == raw

    def test_missing_columns_are_missing_values(self):
        a = RawGraphs([0, 1], [0, 0], [], {"x": Column.from_numbers([1])}, {})
        b = RawGraphs(
            [0, 2], [0, 1], [(0, 1)], {"s": Column.from_strings("CO")}, {"w": Column.from_numbers([2])}
        )
        joined = RawGraphs.concatenate([a, b])
        assert joined.node_columns["x"].to_list() == [1.0, None, None]
        assert joined.node_columns["s"].to_list() == [None, "C", "O"]
        assert joined.edge_columns["w"].to_list() == [2.0]

    def test_categories_are_merged_and_sorted(self):
        a, b = (
            RawGraphs([0, 2], [0, 0], [], {"s": Column.from_strings(strings)}, {})
            for strings in ("OC", ["N", None])
        )
        merged = RawGraphs.concatenate([a, b]).node_columns["s"]
        assert merged.categories == ("C", "N", "O")
        assert merged.to_list() == ["O", "C", "N", None]

    def test_unused_categories_are_dropped(self):
        part = RawGraphs([0, 1, 2], [0, 0, 0], [], {"s": Column.from_strings("ab")}, {})[:1]
        assert RawGraphs.concatenate([part, part]).node_columns["s"].categories == ("a",)

    def test_names_only_if_all_have_them(self, raw):
        nameless = RawGraphs([0, 1], [0, 0], [], {}, {}, groups=[0])
        assert RawGraphs.concatenate([raw, nameless]).names is None

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                {"directed": True},
                r"Directed and undirected graphs cannot be joined\. Make all of them directed or",
            ),
            (
                {"groups": [0]},
                r"Some graphs have groups and some have none\. Give all graphs groups, or none\.",
            ),
        ],
    )
    def test_mixed(self, change, message):
        plain = RawGraphs([0, 1], [0, 0], [], {}, {})
        with pytest.raises(InvalidGraphError, match=message):
            RawGraphs.concatenate([plain, RawGraphs([0, 1], [0, 0], [], {}, {}, **change)])

    def test_numbers_and_strings(self):
        parts = [
            RawGraphs([0, 1], [0, 0], [], {"x": column}, {})
            for column in (Column.from_numbers([1]), Column.from_strings(["1"]))
        ]
        with pytest.raises(
            InvalidGraphError, match=r"node attribute 'x' is a number in some graphs and a string"
        ):
            RawGraphs.concatenate(parts)

    def test_nothing(self):
        with pytest.raises(InvalidGraphError, match=r"Nothing to join\. Pass at least one RawGraphs\."):
            RawGraphs.concatenate([])


class TestEquality:
    @pytest.mark.parametrize(
        "change",
        [
            {"node_offsets": [0, 1, 2], "edge_offsets": [0, 0, 0], "edges": [], "edge_columns": {}},
            {"edges": [(1, 0)], "directed": True},
            {"node_columns": {"x": Column.from_numbers([1, 3])}},
            {"node_columns": {"y": Column.from_numbers([1, 2])}},
            {"edge_columns": {"w": Column.from_strings(["5"])}},
            {"groups": [0, 0]},
            {"names": ["a"]},
        ],
    )
    def test_unequal(self, change):
        plain = {
            "node_offsets": [0, 2],
            "edge_offsets": [0, 1],
            "edges": [(0, 1)],
            "node_columns": {"x": Column.from_numbers([1, 2])},
            "edge_columns": {"w": Column.from_numbers([5])},
        }
        assert RawGraphs(**plain) != RawGraphs(**(plain | change))

    def test_other_types(self, raw):
        assert raw != "graphs"
