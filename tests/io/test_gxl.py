"""GXL and CXL: what is read."""

import zipfile

import pytest

from graphquant.exceptions import InvalidParameterError
from graphquant.io import gxl
from tests.io.gxl_documents import DOCTYPE, GOOD, NODES, attr, document, listing, put, read_text


def test_one_file(tmp_path):
    text = document(
        f'<node id="_7">{attr("x", "1.5")}{attr("kind", " corner ", "String")}</node>'
        f'<node id="_3">{attr("x", "-2")}{attr("kind", "end", "enum")}{attr("on", "true", "bool")}</node>'
        f'<node id="_5">{attr("n", "7", "Integer")}</node>'
        f'<edge from="_5" to="_7">{attr("w", "1e-3", "double")}</edge><edge from="_3" to="_7"/>',
        head=DOCTYPE,
    )
    content = read_text(tmp_path, text)
    graphs = content.graphs
    assert graphs.names == ("one",)
    assert not graphs.directed
    assert graphs.edges.tolist() == [[0, 1], [0, 2]]
    assert graphs.edge_columns["w"].to_list() == [None, 0.001]
    assert {name: column.to_list() for name, column in graphs.node_columns.items()} == {
        "x": [1.5, -2.0, None],
        "kind": [" corner ", "end", None],
        "on": [None, 1.0, None],
        "n": [None, None, 7.0],
    }
    assert content.targets is None


def test_a_folder_with_a_list_keeps_its_order_names_and_classes(tmp_path):
    put(tmp_path, {"d/b.gxl": GOOD, "d/a.gxl": GOOD, "d/unlisted.gxl": "broken"})
    put(tmp_path, {"d/test.cxl": listing(("b.gxl", "L "), ("a.gxl", " R"))})
    for path in (tmp_path, tmp_path / "d", tmp_path / "d" / "test.cxl"):
        content = gxl.read(path)
        assert content.graphs.names == ("b", "a")
        assert content.targets == ("L", "R")


def test_a_folder_without_a_list_is_read_whole(tmp_path):
    content = gxl.read(put(tmp_path, {"b.gxl": GOOD, "a/c.gxl": GOOD, "._b.gxl": "junk", "note.txt": "hi"}))
    assert content.graphs.names == ("c", "b")
    assert content.targets is None


def test_a_list_without_classes(tmp_path):
    text = '<GraphCollection><print file="a.gxl"/></GraphCollection>'
    assert gxl.read(put(tmp_path, {"a.gxl": GOOD, "all.cxl": text})).targets is None


@pytest.fixture
def splits(tmp_path):
    files = {f"S/{level}/{part}.gxl": GOOD for level in ("LOW", "MED") for part in ("test", "train")}
    lists = {name.replace("gxl", "cxl"): listing((name.split("/")[-1], "A")) for name in files}
    path = tmp_path / "S.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name, text in (files | lists).items():
            file.writestr(name, text)
    return path


@pytest.mark.parametrize(
    ("split", "names"),
    [
        ("LOW/test", ["test"]),
        ("S/MED/train.cxl", ["train"]),
        (["LOW/train", "LOW/test"], ["train", "test"]),
        ("all", ["test", "train", "test", "train"]),
    ],
)
def test_split(splits, split, names):
    assert list(gxl.read(splits, split=split).graphs.names) == names


@pytest.mark.parametrize(
    ("split", "message"),
    [
        (
            None,
            r"S\.zip: contains 4 CXL files\. Choose with split= one of 'LOW/test', 'LOW/train', 'MED/test'",
        ),
        ("valid", r"split='valid' matches no CXL file\. Choose with split= one of 'LOW/test'"),
        ("est", r"split='est' matches no CXL file"),
        ("test", r"split='test' matches 2 CXL files\. Choose with split= one of 'LOW/test', 'MED/test', or"),
    ],
)
def test_bad_split(splits, split, message):
    with pytest.raises(InvalidParameterError, match=message):
        gxl.read(splits, split=split, strict=True)


def test_lists_of_several_folders_are_a_choice(splits):
    """They are different collections, LOW and MED, which nobody wants in one by accident."""
    with pytest.raises(InvalidParameterError, match=r"contains 4 CXL files\. Choose with split= one"):
        gxl.read(splits)


def test_lists_of_one_folder_are_read_together_and_that_is_told(tmp_path):
    with zipfile.ZipFile(tmp_path / "S.zip", "w") as archive:
        for name in ("train", "test"):
            archive.writestr(f"data/{name}.gxl", GOOD)
            archive.writestr(f"data/{name}.cxl", listing((f"{name}.gxl", "A")))
    content = gxl.read(tmp_path / "S.zip")
    assert content.graphs.names == ("test", "train")
    (line,) = content.repaired
    assert line.endswith(
        "S.zip: contains 2 CXL files: all of them are read ('test.cxl', 'train.cxl'); choose with split=."
    )


def test_split_without_lists(tmp_path):
    with pytest.raises(
        InvalidParameterError, match=r"has no CXL file, so split='test' has nothing to choose"
    ):
        read_text(tmp_path, GOOD, split="test")


def test_several_graphs_in_one_file(tmp_path):
    text = f'<gxl><graph id="p">{NODES}</graph><graph id="q"><node id="a"/></graph></gxl>'
    assert read_text(tmp_path, text).graphs.names == ("one#p", "one#q")


def test_a_broken_graph_does_not_take_its_neighbours_with_it(tmp_path):
    text = '<gxl><graph id="p"><edge from="a" to="b"/></graph><graph id="q"><node id="a"/></graph></gxl>'
    content = read_text(tmp_path, text, on_error="skip")
    assert content.graphs.names == ("one#q",)
    assert [item.name for item in content.skipped] == ["one#p"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings(tmp_path, encoding):
    name = encoding.removesuffix("-sig")
    graph = f'<graph><node id="é">{attr("s", "ü", "string")}</node></graph>'
    text = f'<?xml version="1.0" encoding="{name}"?><gxl>{graph}</gxl>'
    assert read_text(tmp_path, text.encode(encoding)).graphs.node_columns["s"].to_list() == ["ü"]


def test_a_default_namespace_is_ignored(tmp_path):
    text = f'<gxl xmlns="http://www.gupro.de/GXL/gxl-1.0.dtd"><graph id="g">{NODES}</graph></gxl>'
    assert read_text(tmp_path, text).graphs.orders.tolist() == [3]


def test_comments_cdata_and_references_are_understood(tmp_path):
    value = "a<!-- no -->b<![CDATA[<c>]]>&amp;&#100;"
    text = document(f'<!-- first --><node id="a">{attr("s", value, "string")}<type/></node>')
    assert read_text(tmp_path, text).graphs.node_columns["s"].to_list() == ["ab<c>&d"]


@pytest.mark.parametrize(
    ("mode", "directed"),
    [("directed", True), ("undirected", False), ("defaultdirected", True), ("defaultundirected", False)],
)
def test_edge_mode(tmp_path, mode, directed):
    text = document(NODES + '<edge from="b" to="a"/>', mode=mode)
    graphs = read_text(tmp_path, text).graphs
    assert graphs.directed == directed
    assert graphs.edges.tolist() == [[1, 0] if directed else [0, 1]]


def test_a_directed_graph_may_have_both_directions(tmp_path):
    text = document(NODES + '<edge from="b" to="a"/><edge from="a" to="b"/>', mode="directed")
    assert read_text(tmp_path, text).graphs.n_edges.tolist() == [2]


@pytest.mark.parametrize("tag", ["string", "enum"])
@pytest.mark.parametrize(("n_words", "numeric"), [(0, True), (1, True), (2, False)])
def test_a_string_attribute_is_numeric_if_nine_of_ten_values_are(tmp_path, n_words, numeric, tag):
    values = ["-.5"] * (10 - n_words) + ["word"] * n_words
    body = "".join(f'<node id="{i}">{attr("v", value, tag)}</node>' for i, value in enumerate(values))
    column = read_text(tmp_path, document(body)).graphs.node_columns["v"]
    assert column.is_numeric == (numeric and tag == "string")


def test_recognises(tmp_path, splits):
    put(tmp_path, {"a.gxl": "", "b.CXL": "", "c.txt": "", "d/e/f.gxl": "", "g/h.txt": "", "cut.zip": "PK"})
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("x.txt", "hi")
    expected = {"a.gxl": True, "b.CXL": True, "c.txt": False, "d": True, "g": False}
    # A damaged zip may be ours; reading it says what is wrong.
    expected |= {"S.zip": True, "cut.zip": True, "other.zip": False, "absent.gxl": False, "absent.zip": False}
    assert {name: gxl.recognises(tmp_path / name) for name in expected} == expected
