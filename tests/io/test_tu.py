import json
import re
import zipfile

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import FileFormatError, GraphQuantWarning, InvalidParameterError
from graphquant.graphs import Column, RawGraphs
from graphquant.io import FileContent, read_file, tu, write_file

# Two graphs: a path of three nodes, and a pair.
GOOD = {
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
    "graph_indicator": "1\n1\n1\n2\n2\n",
    "graph_labels": "1\n-1\n",
    "node_labels": "0\n7\n0\n10\n7\n",
    "edge_labels": "1\n1\n2\n2\n1\n1\n",
    "node_attributes": "0.5, 1\n1.5, 2\n2.5, 3\n3.5, nan\n-4.5, 5\n",
    "edge_attributes": "0.1\n0.1\n0.2\n0.2\n0.3\n0.3\n",
}


def save(folder, files, name="DS"):
    for what, text in files.items():
        (folder / f"{name}_{what}.txt").write_text(text)
    return folder


def test_a_collection_as_it_is_published(tmp_path):
    content = read_file(save(tmp_path, GOOD | {"graph_attributes": "1\n2\n"}))
    raw = content.graphs
    assert content.targets == ("1", "-1")
    assert content.description == "TU collection DS; DS_graph_attributes.txt was left out"
    assert not raw.directed
    assert raw.names is None
    assert raw.edges.tolist() == [[0, 1], [1, 2], [0, 1]]
    assert raw.node_columns["label"].to_list() == ["0", "7", "0", "10", "7"]
    assert raw.node_columns["label"].categories == ("0", "10", "7")
    assert raw.node_columns["a0"].to_list() == [0.5, 1.5, 2.5, 3.5, -4.5]
    assert raw.node_columns["a1"].to_list() == [1.0, 2.0, 3.0, None, 5.0]
    assert raw.edge_columns["label"].to_list() == ["1", "2", "1"]
    assert raw.edge_columns["a0"].to_list() == [0.1, 0.2, 0.3]


@pytest.mark.parametrize(
    "change",
    [
        {"A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n3, 1\n"},
        {"edge_labels": "1\n2\n2\n2\n1\n1\n"},
        {"edge_attributes": "0.1\n0.1\n0.2\n0.2\n0.3\n0.4\n"},
    ],
    ids=["one way", "labels differ", "attributes differ"],
)
def test_edges_that_differ_by_direction_make_it_directed(change, tmp_path):
    raw = read_file(save(tmp_path, GOOD | change)).graphs
    assert raw.directed
    assert raw.n_edges.sum() == 6


def test_edges_need_not_stand_in_the_order_of_the_graphs(tmp_path):
    shuffled = {
        "A": "4, 5\n2, 3\n1, 2\n5, 4\n2, 1\n3, 2\n",
        "edge_attributes": "0.3\n0.2\n0.1\n0.3\n0.1\n0.2\n",
    }
    (tmp_path / "plain").mkdir()
    (tmp_path / "shuffled").mkdir()
    plain = {key: text for key, text in GOOD.items() if key != "edge_labels"}
    assert (
        read_file(save(tmp_path / "shuffled", plain | shuffled)).graphs
        == read_file(save(tmp_path / "plain", plain)).graphs
    )


def test_several_labels_are_several_columns(tmp_path):
    raw = read_file(save(tmp_path, GOOD | {"node_labels": "0, 1\n7, 1\n0, 1\n3, 2\n7, 2\n"})).graphs
    assert raw.node_columns["label1"].to_list() == ["1", "1", "1", "2", "2"]


@pytest.mark.parametrize("text", ["", "\n"])
def test_no_edges_at_all(text, tmp_path):
    raw = read_file(save(tmp_path, {"A": text, "graph_indicator": "1\n2\n"})).graphs
    assert raw.orders.tolist() == [1, 1]
    assert raw.n_edges.tolist() == [0, 0]


BAD = {
    "no indicator": ({"graph_indicator": None}, "DS_graph_indicator.txt: the file is missing"),
    "empty indicator": ({"graph_indicator": ""}, "DS_graph_indicator.txt: the file is empty"),
    "indicator goes back": (
        {"graph_indicator": "1\n1\n2\n1\n2\n"},
        "DS_graph_indicator.txt: line 4 goes back from graph 2 to 1",
    ),
    "indicator has a gap": (
        {"graph_indicator": "1\n1\n1\n3\n3\n"},
        "DS_graph_indicator.txt: line 4 starts graph 3; graph 2 has no node",
    ),
    "indicator starts at 0": (
        {"graph_indicator": "0\n0\n0\n0\n0\n"},
        "DS_graph_indicator.txt: line 1 starts graph 0, expected 1",
    ),
    "node number too large": (
        {"A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 6\n5, 4\n"},
        "DS_A.txt: line 5 joins nodes 4 and 6, but the nodes are 1 to 5",
    ),
    "node number zero": (
        {"A": "0, 1\n1, 0\n2, 3\n3, 2\n4, 5\n5, 4\n"},
        "DS_A.txt: line 1 joins nodes 0 and 1",
    ),
    "edge across graphs": (
        {"A": "1, 2\n2, 1\n2, 4\n4, 2\n4, 5\n5, 4\n"},
        "DS_A.txt: line 3 joins node 2 of graph 1 and node 4 of graph 2",
    ),
    "three numbers in an edge": ({"A": "1, 2, 3\n"}, "DS_A.txt: 3 numbers per line, expected 2"),
    "no whole number": ({"A": "1, 2\n2, x\n"}, "DS_A.txt: line 2: 'x' is not a whole number"),
    "too few node labels": (
        {"node_labels": "0\n1\n"},
        "DS_node_labels.txt: 2 lines, but DS_graph_indicator.txt has 5",
    ),
    "too many edge attributes": (
        {"edge_attributes": GOOD["edge_attributes"] + "1\n"},
        "DS_edge_attributes.txt: 7 lines, but DS_A.txt has 6",
    ),
    "too few classes": (
        {"graph_labels": "1\n"},
        "DS_graph_labels.txt: 1 lines, but DS_graph_indicator.txt has 2",
    ),
    "ragged attributes": (
        {"node_attributes": "0.5, 1\n1.5\n2.5, 3\n3.5, 4\n4.5, 5\n"},
        "DS_node_attributes.txt: line 2 has 1 values, the lines before it have 2",
    ),
    "not a number": (
        {"node_attributes": "0.5, 1\n1.5, 2\n2.5, three\n3.5, 4\n4.5, 5\n"},
        "DS_node_attributes.txt: line 3: 'three' is not a number",
    ),
    "infinity": (
        {"edge_attributes": "0.1\n0.1\n0.2\ninf\n0.3\n0.3\n"},
        "DS_edge_attributes.txt: line 4 contains an infinite number",
    ),
    "a huge number": (
        {"node_labels": "1\n2\n3\n4\n99999999999999999999\n"},
        "some numbers cannot be stored",
    ),
}


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_files_that_do_not_fit(change, message, on_error, tmp_path):
    files = {what: text for what, text in (GOOD | change).items() if text is not None}
    with pytest.raises(FileFormatError, match=re.escape(message)):
        read_file(save(tmp_path, files), on_error=on_error, format="tu", strict=True)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ("1, 2\n2, 1\n2, 3\n3, 2\n5, 5\n5, 5\n", "edge 0 is a self-loop at node 1"),
        ("1, 2\n2, 1\n4, 5\n5, 4\n4, 5\n5, 4\n", "edge 1 repeats edge 0 (nodes 0 and 1)"),
    ],
    ids=["self-loop", "repeated"],
)
def test_a_graph_that_breaks_the_data_model(edges, message, tmp_path):
    files = GOOD | {"A": edges}
    del files["edge_labels"], files["edge_attributes"]
    save(tmp_path, files)
    with pytest.raises(FileFormatError, match=re.escape(f"{tmp_path}: Graph 1: {message}")):
        read_file(tmp_path, strict=True)
    content = read_file(tmp_path, on_error="skip", strict=True)
    assert len(content.graphs) == 1
    assert content.targets == ("1",)
    assert [(s.name, s.reason[: len(message)]) for s in content.skipped] == [("graph 2", message)]


def test_text_that_is_no_text(tmp_path):
    save(tmp_path, GOOD)
    (tmp_path / "DS_node_labels.txt").write_bytes(b"\xff\xfe\n")
    with pytest.raises(FileFormatError, match=r"DS_node_labels\.txt: not UTF-8 text"):
        read_file(tmp_path)


def test_no_collection(tmp_path):
    with pytest.raises(FileFormatError, match=r"no file is called \.\.\._A\.txt"):
        read_file(tmp_path, format="tu")


def test_several_collections(tmp_path):
    save(tmp_path, GOOD, "ONE")
    save(tmp_path, GOOD, "TWO")
    with pytest.raises(
        FileFormatError,
        match=r"several collections: ONE, TWO\. Give the folder of one of them, or",
    ):
        read_file(tmp_path)
    with pytest.raises(InvalidParameterError, match=r"Unknown collection 'TW'. Did you mean 'TWO'"):
        read_file(tmp_path, name="TW")
    assert read_file(tmp_path, name="TWO").description == "TU collection TWO"


def test_a_damaged_zip(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04 cut")
    with pytest.raises(FileFormatError, match=r"x\.zip"):
        read_file(tmp_path / "x.zip")


def test_a_zip_with_a_folder_inside(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        for what, text in GOOD.items():
            file.writestr(f"DS/DS_{what}.txt", text)
    assert read_file(tmp_path / "x.zip").graphs == read_file(save(tmp_path, GOOD)).graphs


# Repairs


def read_change(folder, **change):
    files = {what: text for what, text in (GOOD | change).items() if text is not None}
    content = tu.read(save(folder, files))
    with pytest.raises(FileFormatError, match=r"DS_|self-loop"):
        read_file(folder, strict=True)
    return content


@pytest.mark.parametrize("without", [None, "graph_labels", "node_labels", "edge_labels", "node_attributes"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n  \n", ",\n", " \r\n"])
def test_files_may_be_absent_and_end_as_they_like(without, end, tmp_path):
    files = {what: text.rstrip() + end for what, text in GOOD.items() if what != without}
    content = read_file(save(tmp_path, files), strict=True)
    (tmp_path / "clean").mkdir()
    clean = read_file(save(tmp_path / "clean", {what: GOOD[what] for what in files}))
    assert content.graphs == clean.graphs
    assert [t.strip(" ,") for t in content.targets or ()] == list(clean.targets or ())


def test_self_loops_and_repeated_edges_are_left_out(tmp_path):
    edges = "1, 2\n2, 1\n3, 3\n1, 2\n4, 5\n5, 4\n5, 5\n"
    content = read_change(
        tmp_path, A=edges, edge_labels="1\n1\n7\n8\n2\n2\n7\n", edge_attributes="1\n1\n7\n8\n2\n2\n7\n"
    )
    assert not content.graphs.directed
    assert content.graphs.edges.tolist() == [[0, 1], [0, 1]]
    assert content.graphs.edge_columns["label"].to_list() == ["1", "2"]
    assert content.graphs.edge_columns["a0"].to_list() == [1.0, 2.0]
    assert content.repaired == (
        f"{tmp_path}/DS_A.txt: line 3 is a self-loop (nodes 3 and 3, graph 1): left out (1 more like it).",
        f"{tmp_path}/DS_A.txt: line 4 repeats an edge (nodes 1 and 2, graph 1): the first is kept.",
    )


ONE_WAY = {"A": "1, 2\n3, 2\n4, 5\n", "edge_labels": "1\n2\n3\n", "edge_attributes": None}


def test_edges_in_one_direction_only_are_undirected(tmp_path):
    content = read_change(tmp_path, **ONE_WAY)
    assert not content.graphs.directed
    assert content.graphs.edges.tolist() == [[0, 1], [1, 2], [0, 1]]
    assert content.graphs.edge_columns["label"].to_list() == ["1", "2", "3"]
    assert content.repaired == (
        f"{tmp_path}/DS_A.txt: each edge is listed in one direction only: the graphs are read as undirected; "
        "directed=True reads them as directed.",
    )
    directed = read_file(tmp_path, directed=True)
    assert directed.graphs.directed
    assert directed.graphs.edges.tolist() == [[0, 1], [2, 1], [0, 1]]


def test_some_edges_in_one_direction_can_be_read_as_undirected(tmp_path):
    files = GOOD | {"A": "1, 2\n2, 1\n2, 3\n4, 5\n", "edge_labels": "1\n1\n2\n3\n"}
    del files["edge_attributes"]
    with pytest.warns(GraphQuantWarning, match="an edge is listed in one direction only"):
        content = read_file(save(tmp_path, files), directed=False)
    assert content.graphs.edges.tolist() == [[0, 1], [1, 2], [0, 1]]
    assert read_file(tmp_path).graphs.directed


@pytest.mark.parametrize(
    ("texts", "expected", "done"),
    [
        (
            ["?", "nan", "2", "inf", "4"],
            [None, None, 2.0, None, 4.0],
            "'?' is not a number: read as missing",
        ),
        (
            ["x", "1", "2", "y", "4"],
            ["x", "1", "2", "y", "4"],
            "'x' is not a number: the attribute is",
        ),
    ],
)
def test_attributes_that_are_not_numbers(texts, expected, done, tmp_path):
    rows = "".join(f"0.5, {text}\n" for text in texts)
    content = read_change(tmp_path, node_attributes=rows)
    assert content.graphs.node_columns["a0"].to_list() == [0.5] * 5
    assert content.graphs.node_columns["a1"].to_list() == expected
    (line,) = content.repaired
    assert line.startswith(f"{tmp_path}/DS_node_attributes.txt: line 1, attribute 'a1': {done}")


def test_attributes_that_only_some_nodes_have(tmp_path):
    content = read_change(tmp_path, node_attributes="1, 2\n\n3, 4\n5,\n7, 8\n")
    assert content.graphs.node_columns["a0"].to_list() == [1.0, None, 3.0, 5.0, 7.0]
    assert content.graphs.node_columns["a1"].to_list() == [2.0, None, 4.0, None, 8.0]


def test_labels_that_are_words(tmp_path):
    content = read_change(tmp_path, node_labels="C\nC\n\nO\n7\n")
    assert content.graphs.node_columns["label"].to_list() == ["C", "C", None, "O", "7"]
    assert content.repaired == (
        f"{tmp_path}/DS_node_labels.txt: line 1: 'C' is not a whole number: the labels are read as text.",
    )


# Writing


def test_a_graph_without_nodes_cannot_be_written(tmp_path):
    graphs = gq.GraphCollection([gq.Graph([1.0]), gq.Graph(np.empty((0, 1)))], names=["dot", "nothing"])
    with pytest.raises(FileFormatError, match=r"Graph 1 \('nothing'\) has no nodes, which a TU"):
        write_file(FileContent(graphs), tmp_path / "out", format="tu")
    assert list(tmp_path.iterdir()) == []


def test_what_others_see(tmp_path):
    raw = RawGraphs(
        [0, 2],
        [0, 1],
        [(0, 1)],
        {"symbol": Column.from_strings(["O", "C"]), "x": Column.from_numbers([0.5, None])},
        {},
        groups=[3, 4],
    )
    write_file(FileContent(raw, ("toxic",)), tmp_path / "DS", format="tu")
    texts = {file.name.removeprefix("DS_"): file.read_text() for file in (tmp_path / "DS").iterdir()}
    assert texts.pop("graphquant.json")
    assert texts == {
        "A.txt": "1, 2\n2, 1\n",
        "graph_indicator.txt": "1\n1\n",
        "graph_labels.txt": "0\n",
        "node_labels.txt": "1, 3\n0, 4\n",
        "node_attributes.txt": "0.5\nnan\n",
    }


def test_classes_that_are_numbers_stay(tmp_path):
    graphs = gq.GraphCollection([gq.Graph([1.0])] * 2)
    write_file(FileContent(graphs, ("10", "-1")), tmp_path / "DS", format="tu")
    assert (tmp_path / "DS" / "DS_graph_labels.txt").read_text() == "10\n-1\n"
    assert read_file(tmp_path / "DS").targets == ("10", "-1")


def test_a_column_without_any_value_keeps_its_kind(tmp_path):
    raw = RawGraphs([0, 1], [0, 0], [], {"word": Column.from_strings([None])}, {})
    write_file(FileContent(raw), tmp_path / "DS", format="tu")
    assert read_file(tmp_path / "DS").graphs == raw


SIDE = {
    "no json": ("{", "not the side file of a collection"),
    "a number for categories": (
        '{"node_labels": [{"name": "symbol", "categories": 1.5}]}',
        "not the side file of a collection (1.5 is not a list)",
    ),
    "a number for a category": (
        '{"node_labels": [{"name": "symbol", "categories": [1]}]}',
        "not the side file of a collection (1 is not a str)",
    ),
    "a number for a name": ('{"names": ["a", 2]}', "not the side file of a collection (2 is not a str)"),
    "a text for a truth value": (
        '{"directed": "no"}',
        "not the side file of a collection ('no' is not a bool)",
    ),
    "too deep": ("[" * 100_000, "not the side file of a collection (it is nested too deeply)"),
    "no finite number": ('{"metadata": {"a": 1e400}}', "1e400 is outside the range of float64"),
    "unknown key": ('{"colour": 1}', "not the side file of a collection"),
    "wrong type": ('{"flags": 3}', "not the side file of a collection"),
    "a list": ("[]", "not the side file of a collection"),
    "too many names": (
        '{"names": ["a", "b", "c"]}',
        "DS_graph_indicator.txt: 2 graphs, but DS_graphquant.json names 3",
    ),
    "too few names": ('{"names": ["a"]}', "2 graphs, but DS_graphquant.json names 1"),
    "unknown code": (
        '{"node_labels": [{"name": "symbol", "categories": ["C", "O"]}]}',
        "DS_node_labels.txt: 10 is not a code of the label 'symbol', which has 2 from 0",
    ),
    "unknown class": ('{"targets": ["x"]}', "DS_graph_labels.txt: line 1: '1' is not a code from 0 to 0"),
    "negative class": (
        '{"targets": ["x", "y"]}',
        "DS_graph_labels.txt: line 2: '-1' is not a code from 0 to 1",
    ),
    "columns": ('{"node_attributes": ["x"]}', "DS_node_attributes.txt: 2 numbers per line, expected 1"),
}


@pytest.mark.parametrize(("text", "message"), SIDE.values(), ids=SIDE)
def test_a_side_file_that_does_not_fit(text, message, tmp_path):
    save(tmp_path, GOOD)
    (tmp_path / "DS_graphquant.json").write_text(text)
    with pytest.raises(FileFormatError, match=re.escape(message)):
        read_file(tmp_path)


def test_undirected_graphs_with_one_way_edges(tmp_path):
    save(tmp_path, {"A": "1, 2\n", "graph_indicator": "1\n1\n"})
    (tmp_path / "DS_graphquant.json").write_text(json.dumps({"directed": False}))
    with pytest.raises(FileFormatError, match=r"DS_A\.txt: an edge is listed in one direction only"):
        read_file(tmp_path, strict=True)


@pytest.mark.parametrize("empty", [{}, {"edge_attributes": ""}, {"edge_attributes": "\n", "edge_labels": ""}])
def test_empty_files_of_graphs_without_edges_have_no_columns(empty, tmp_path):
    graphs = read_file(save(tmp_path, {"A": "", "graph_indicator": "1\n1\n2\n", **empty})).graphs
    assert graphs.node_offsets.tolist() == [0, 2, 3]
    assert (len(graphs.edges), graphs.edge_columns) == (0, {})


@pytest.mark.parametrize("what", ["node_labels", "node_attributes", "edge_labels", "edge_attributes"])
def test_empty_files_of_what_is_there_are_refused(what, tmp_path):
    save(tmp_path, GOOD | {what: "\n"})
    with pytest.raises(FileFormatError, match=f"DS_{what}.txt: 0 lines, but DS_.*txt has [56]"):
        read_file(tmp_path)
