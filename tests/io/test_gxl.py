"""GXL and CXL: what is read, what is refused and how, what comes back after writing."""

import os
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import collections

import graphquant as gq
from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.graphs import Column, RawGraphs
from graphquant.io import FileContent, gxl
from graphquant.io._gxl_document import graph_elements, parse_graph
from graphquant.io._gxl_fast import parse_plain

DOCTYPE = '<!DOCTYPE gxl SYSTEM "http://www.gupro.de/GXL/gxl-1.0.dtd">'
NODES = '<node id="a"/><node id="b"/><node id="c"/>'


def attr(name, value, tag="float"):
    return f'<attr name="{name}"><{tag}>{value}</{tag}></attr>'


def document(body, *, mode="undirected", head=""):
    return f'<?xml version="1.0"?>{head}<gxl><graph id="g" edgemode="{mode}">{body}</graph></gxl>'


def listing(*entries):
    lines = "".join(f'<print file="{file}" class="{target}"/>' for file, target in entries)
    return f"<GraphCollection><!-- made by hand --><letters>{lines}</letters></GraphCollection>"


def put(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def read_text(folder, text, **options):
    return gxl.read(put(folder, {"one.gxl": text}) / "one.gxl", **options)


GOOD = document('<node id="a">' + attr("x", 0.5) + '</node><node id="b">' + attr("x", -1) + "</node>")


# What is read


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
        (None, r"S\.zip: holds 4 CXL files\. Choose with split= one of 'LOW/test', 'LOW/train', 'MED/test'"),
        ("valid", r"split='valid' fits no CXL file\. Choose with split= one of 'LOW/test'"),
        ("est", r"split='est' fits no CXL file"),
        ("test", r"split='test' fits 2 CXL files\. Choose with split= one of 'LOW/test', 'MED/test', or"),
    ],
)
def test_bad_split(splits, split, message):
    with pytest.raises(InvalidParameterError, match=message):
        gxl.read(splits, split=split)


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
    column = read_text(tmp_path, document(body), repair=True).graphs.node_columns["v"]
    assert column.is_numeric == (numeric and tag == "string")


# What is refused

BOMB = '<!DOCTYPE gxl [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
FILE_ENTITY = '<!DOCTYPE gxl [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
PARAMETER_ENTITY = '<!DOCTYPE gxl [<!ENTITY % x SYSTEM "http://localhost/x.dtd"> %x;]>'
BAD_DOCUMENTS = {
    "empty": ("", "the file is empty"),
    "blank": (" \n", "the file is empty"),
    "not XML": ("PK\x03\x04 junk", "is not well-formed XML"),
    "truncated": (GOOD[:90], "is not well-formed XML"),
    "truncated after the graph": (GOOD[:-6], "is not well-formed XML"),
    "wrong root": ("<graphml/>", "the root element is <graphml>, expected <gxl>"),
    "no graph": ("<gxl></gxl>", "holds no <graph> element"),
    "bad bytes": (b"<gxl><graph id='\xff'/></gxl>", "is not well-formed XML"),
    "entity bomb": (document(NODES, head=BOMB), "declares XML entities, which are refused"),
    "entity bomb in UTF-16": (
        document(NODES, head=BOMB).encode("utf-16"),
        "declares XML entities, which are refused",
    ),
    "external entity": (document(NODES, head=FILE_ENTITY), "declares XML entities, which are refused"),
    "parameter entity": (document(NODES, head=PARAMETER_ENTITY), "declares XML entities"),
    "unknown entity": (
        document(f'<node id="a">{attr("s", "&x;", "string")}</node>', head=DOCTYPE),
        "the entity &x; is not declared",
    ),
    "unknown edge mode": (document(NODES, mode="both"), "edgemode='both', expected 'directed' or"),
    "mixed edges": (
        document(NODES + '<edge from="a" to="b" isdirected="true"/>'),
        "edge 0 has isdirected='true' in a graph with edgemode='undirected'",
    ),
    "hyperedge": (document(NODES + "<rel/>"), "<rel> .* is not supported"),
    "node without id": (document('<node id="a"/><node/>'), "node 1 has no id"),
    "duplicate node": (document(NODES + '<node id="b"/>'), "node 3 has the id 'b' of node 1"),
    "edge to nowhere": (
        document(NODES + '<edge from="a" to="b"/><edge from="b" to="z"/>'),
        "edge 1 names the node 'z', which the graph does not have",
    ),
    "edge from nowhere": (document(NODES + '<edge from="y" to="z"/>'), "edge 0 names the node 'y'"),
    "edge without from": (document(NODES + '<edge to="b"/>'), "edge 0 has no 'from'"),
    "edge without to": (document(NODES + '<edge from="b"/>'), "edge 0 has no 'to'"),
    "self-loop": (document(NODES + '<edge from="b" to="b"/>'), "edge 0 is a self-loop at node 'b'"),
    "directed self-loop": (document(NODES + '<edge from="b" to="b"/>', mode="directed"), "is a self-loop"),
    "duplicate edge": (
        document(NODES + '<edge from="a" to="b"/><edge from="a" to="b"/>', mode="directed"),
        r"edge 1 repeats edge 0 \(nodes 'a' and 'b'\)",
    ),
    "duplicate edge, reversed": (
        document(NODES + '<edge from="a" to="b"/><edge from="b" to="a"/>'),
        r"edge 1 repeats edge 0 \(nodes 'b' and 'a'\)",
    ),
    "no number": (
        document(f'<node id="a">{attr("x", "1")}</node><node id="b">{attr("x", "1,5")}</node>'),
        "node 1, attribute 'x': '1,5' is not a number",
    ),
    "empty number": (document(f'<node id="a">{attr("x", "")}</node>'), "attribute 'x': '' is not a number"),
    "infinity": (document(f'<node id="a">{attr("x", "inf")}</node>'), "'inf' is not a number"),
    "NaN": (document(f'<node id="a">{attr("x", "nan")}</node>'), "'nan' is not a number"),
    "underscore": (document(f'<node id="a">{attr("x", "1_0", "int")}</node>'), "'1_0' is not a number"),
    "no bool": (document(f'<node id="a">{attr("x", "yes", "bool")}</node>'), "'yes' is not a number"),
    "edge value": (
        document(NODES + f'<edge from="a" to="b">{attr("w", "?", "int")}</edge>'),
        "edge 0, attribute 'w': '\\?' is not a number",
    ),
    "attribute twice": (
        document(f'<node id="a">{attr("x", 1)}{attr("x", 2)}</node>'),
        "node 0 has the attribute 'x' twice",
    ),
    "attribute without value": (
        document('<node id="a"><attr name="x"/></node>'),
        "node 0, attribute 'x': expected one value",
    ),
    "nested value": (
        document(f'<node id="a">{attr("x", "<float>1</float>", "seq")}</node>'),
        "node 0, attribute 'x': expected one value",
    ),
    "foreign type": (
        document(f'<node id="a">{attr("x", "1", "locator")}</node>'),
        "node attribute 'x' has values of type <locator>, expected int, float",
    ),
    "nested graph": (
        document('<node id="a"><graph id="h"/></node>'),
        "node 0 holds <graph>, expected <attr>",
    ),
    "damaged mark": (
        document(attr("graphquant.name", "no json", "string")),
        "graph attribute 'graphquant.name' is not a JSON string",
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD_DOCUMENTS.values(), ids=BAD_DOCUMENTS)
def test_bad_document(tmp_path, text, message):
    put(tmp_path, {"bad.gxl": text, "good.gxl": GOOD})
    with pytest.raises(FileFormatError, match=rf"bad\.gxl: .*{message}") as info:
        gxl.read(tmp_path)
    assert info.value.hint
    put(tmp_path, {"all.cxl": listing(("bad.gxl", "B"), ("good.gxl", "G"))})
    content = gxl.read(tmp_path, on_error="skip")
    assert content.graphs.names == ("good",)
    assert content.targets == ("G",)
    assert [item.name for item in content.skipped] == ["bad"]
    assert content.skipped[0].reason in str(info.value)


BAD_FOLDERS = {
    "missing file": (listing(("good.gxl", "A"), ("gone.gxl", "B")), r"has no file 'gone\.gxl'", "gone"),
    "outside": (listing(("good.gxl", "A"), ("../x.gxl", "B")), "leads outside of the data", "x"),
    "twice": (listing(("good.gxl", "A"), ("good.gxl", "A")), r"all\.cxl: lists 'good\.gxl' twice\.", "good"),
    "two classes": (
        listing(("good.gxl", "A"), ("good.gxl", "B")),
        r"all\.cxl: lists 'good\.gxl' twice \(classes 'A', 'B'\)",
        "good",
    ),
    "no class": (
        listing(("good.gxl", "A")).replace("</letters>", '<print file="x.gxl"/></letters>'),
        r"all\.cxl: entry 1 has no 'class'",
        "x.gxl",
    ),
    "no file": (
        listing(("good.gxl", "A")).replace("</letters>", '<print class="B"/></letters>'),
        r"all\.cxl: entry 1 has no 'file'",
        "entry 1",
    ),
    "directed": (
        listing(("good.gxl", "A"), ("arrow.gxl", "B")),
        r"arrow\.gxl: the graph is directed, those before it are undirected",
        "arrow",
    ),
    "marked": (
        listing(("good.gxl", "A"), ("marked.gxl", "B")),
        r"marked\.gxl: the graph is marked .*vectors.*, those before it as raw",
        "marked",
    ),
}


@pytest.mark.parametrize(("text", "message", "name"), BAD_FOLDERS.values(), ids=BAD_FOLDERS)
def test_bad_folder(tmp_path, text, message, name):
    arrow = document(NODES, mode="directed")
    marked = document(attr("graphquant.kind", "vectors", "string") + NODES)
    put(tmp_path, {"all.cxl": text, "good.gxl": GOOD, "arrow.gxl": arrow, "marked.gxl": marked})
    with pytest.raises(FileFormatError, match=message):
        gxl.read(tmp_path)
    content = gxl.read(tmp_path, on_error="skip")
    assert content.graphs.names == ("good",)
    assert content.targets == ("A",)
    assert [item.name for item in content.skipped] == [name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<GraphCollection/>", r"all\.cxl: lists no graph\. Expected elements like <print"),
        ("<gxl/>", r"all\.cxl: the root element is <gxl>, expected <GraphCollection>"),
        ("<GraphCollection><print", r"all\.cxl: is not well-formed XML"),
        (f"{BOMB}<GraphCollection/>", r"all\.cxl: declares XML entities"),
    ],
)
@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_a_bad_list_is_always_an_error(tmp_path, text, message, on_error):
    put(tmp_path, {"all.cxl": text, "good.gxl": GOOD})
    with pytest.raises(FileFormatError, match=message):
        gxl.read(tmp_path, on_error=on_error)


def test_other_things_that_cannot_be_read(tmp_path):
    with pytest.raises(FileFormatError, match=r"holds no GXL file\. Check that"):
        gxl.read(tmp_path)
    with pytest.raises(FileFormatError, match="no such file or folder"):
        gxl.read(tmp_path / "absent.cxl")
    with pytest.raises(InvalidParameterError, match="Unknown on_error 'ignore'"):
        gxl.read(tmp_path, on_error="ignore")


def test_all_graphs_skipped(tmp_path):
    content = read_text(tmp_path, "broken", on_error="skip")
    assert len(content.graphs) == 0
    assert len(content.skipped) == 1


def test_repair(tmp_path):
    angles = ["1"] * 10 + ["\ufffd"]
    body = "".join(f'<node id="{i}">{attr("v", angle, "String")}</node>' for i, angle in enumerate(angles))
    files = {"bad.gxl": document(body), "all.cxl": listing(("bad.gxl", "A"), ("bad.gxl", "B"))}
    content = gxl.read(put(tmp_path, files), repair=True)
    assert content.targets == ("A",)
    assert content.graphs.node_columns["v"].to_list() == [1.0] * 10 + [None]
    assert content.skipped == ()
    twice, angle = content.metadata["repaired"]
    assert twice.endswith("all.cxl: lists 'bad.gxl' twice (classes 'A', 'B').")
    assert angle.endswith("bad.gxl: node 10, attribute 'v': '\ufffd' is not a number.")


# Real files


def test_the_real_angle_that_is_no_number(iam_path):
    path = iam_path / "GREC.zip"
    message = (
        r"image22_40\.gxl: edge 4, attribute 'angle0': '\ufffd' is not a number\. Mend the file, or read with"
    )
    with pytest.raises(FileFormatError, match=message):
        gxl.read(path, split="test")
    content = gxl.read(path, split="test", on_error="skip")
    assert len(content.graphs) == 527
    assert [item.name for item in content.skipped] == ["image22_40"]
    assert content.graphs.edge_columns["angle0"].is_numeric


def test_the_real_file_that_is_listed_twice(iam_path):
    path = iam_path / "Fingerprint.zip"
    with pytest.raises(
        FileFormatError, match=r"test\.cxl: lists 'f1003_04\.gxl' twice \(classes 'L', 'TR'\)"
    ):
        gxl.read(path, split="test")
    assert [item.name for item in gxl.read(path, split="test", on_error="skip").skipped] == ["f1003_04"]


# The short cut for plain documents


def both_ways(data):
    """What the short cut and the parser make of a document; None where they refuse it."""
    try:
        slow = [parse_graph(*element) for element in graph_elements(data, "label", "stem")]
    except FileFormatError:
        slow = None
    return parse_plain(data, "label", "stem"), slow


def assert_same(fast, slow):
    # The parser keeps lists where the short cut keeps ranges and tuples.
    for cells in (fast.node_cells, fast.edge_cells):
        for cell in cells.values():
            cell.rows, cell.texts = list(cell.rows), list(cell.texts)
    assert [fast] == slow


@pytest.mark.parametrize("name", ["Letter", "GREC", "Fingerprint", "Mutagenicity"])
def test_short_cut_and_parser_agree_on_real_files(name, iam_path):
    with zipfile.ZipFile(iam_path / f"{name}.zip") as file:
        members = [member for member in file.namelist() if member.endswith(".gxl")][::20]
        results = [both_ways(file.read(member)) for member in members]
    taken = [(fast, slow) for fast, slow in results if fast is not None]
    assert len(taken) >= 0.7 * len(results)
    for fast, slow in taken:
        assert_same(fast, slow)


PLAIN = document(
    '<node id="a">' + attr("x", 1.5) + attr("s", "C", "string") + "</node>\n"
    '<node id="b">' + attr("x", 2.5) + attr("s", "N", "string") + "</node>\n"
    '<edge from="a" to="b"/>',
    head=DOCTYPE,
)
INSERTS = [
    "<",
    ">",
    "&",
    '"',
    " ",
    "\r",
    "\x00",
    "x",
    "a",
    "é",
    "<!-- -->",
    "&amp;",
    "<node id='a'/>",
    "]]>",
    "",
]
INSERTS += [
    "<![CDATA[x]]>",
    "<edge from='a' to='b'/>",
    "</node>",
    attr("x", 1),
    '<edge from="b" to="a"/>',
    "<type/>",
]


@given(st.integers(0, len(PLAIN)), st.integers(0, 12), st.sampled_from(INSERTS))
def test_short_cut_takes_nothing_that_the_parser_sees_otherwise(start, length, insert):
    text = PLAIN[:start] + insert + PLAIN[start + length :]
    fast, slow = both_ways(text.encode())
    if fast is not None:
        assert_same(fast, slow)


def test_short_cut_is_taken():
    assert parse_plain(PLAIN.encode(), "label", "stem") is not None
    assert parse_plain(document("").encode(), "label", "stem").order == 0


@pytest.mark.parametrize(
    "text",
    [
        " " * 200_000,
        "<gxl><graph id='g'>" + " " * 200_000,
        document('<node id="' * 50_000),
        document("<node" * 50_000),
    ],
)
def test_short_cut_gives_up_quickly(text):
    assert parse_plain(text.encode(), "label", "stem") is None


# Writing


def round_trip(graphs, file, targets=None):
    with TemporaryDirectory() as folder:
        path = Path(folder, file)
        gxl.write(FileContent(graphs, targets), path)
        return gxl.read(path)


@pytest.mark.parametrize("file", ["all.gxl", "all.zip", "all"])
@given(data=st.data())
def test_vectors_come_back(file, data):
    graphs = data.draw(collections(groups=data.draw(st.booleans())))
    targets = data.draw(st.sampled_from([None, tuple(f"<{i}>" for i in range(len(graphs)))]))
    content = round_trip(graphs, file, targets)
    assert content.graphs == graphs
    assert content.graphs.names == graphs.names
    assert content.targets == targets


WORDS = ["C", " C", "", " ", "1", "-2.5", "nan", "a\tb\r\nc", "<&\">'", "]]>", "ü\U0001f600", "1_0"]


@pytest.mark.parametrize("file", ["all.gxl", "all.zip", "all"])
@given(data=st.data())
def test_strings_come_back(file, data):
    words = data.draw(st.lists(st.sampled_from([*WORDS, None]), min_size=3, max_size=3))
    numbers = data.draw(
        st.lists(
            st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)), min_size=2, max_size=2
        )
    )
    nodes = {"a<b": Column.from_strings([*words, "C"])}
    edges = {"w": Column.from_numbers([*numbers, 0.5]), "s": Column.from_strings(words)}
    if words == [None] * 3:
        del edges["s"]  # a column without any value leaves no trace
    graphs = RawGraphs([0, 3, 4], [0, 3, 3], [(0, 1), (2, 1), (0, 2)], nodes, edges, names=["x/y", "X/Y"])
    assert round_trip(graphs, file).graphs == graphs


@pytest.mark.parametrize(
    ("names", "files"),
    [
        (["a", "b-1.x"], {"a.gxl", "b-1.x.gxl"}),
        (["a", "A"], {"0.gxl", "1.gxl"}),
        (["a", "../b"], {"0.gxl", "1.gxl"}),
        (["a", "ü"], {"0.gxl", "1.gxl"}),
        (None, {"0.gxl", "1.gxl"}),
    ],
)
def test_names_of_files(tmp_path, names, files):
    graphs = gq.GraphCollection([gq.Graph([1.0]), gq.Graph([2.0])], names)
    gxl.write(FileContent(graphs, ("A", "B")), tmp_path / "set")
    assert set(os.listdir(tmp_path / "set")) == files | {"set.cxl"}
    assert gxl.read(tmp_path / "set").graphs == graphs


def test_equal_content_gives_equal_bytes(tmp_path):
    graphs = gq.GraphCollection([gq.Graph([1.0, 2.0], [(0, 1)])])
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        gxl.write(FileContent(graphs), tmp_path / name / "x.zip")
    assert (tmp_path / "a" / "x.zip").read_bytes() == (tmp_path / "b" / "x.zip").read_bytes()


def one_node(**columns):
    return RawGraphs([0, 1], [0, 0], np.empty((0, 2), dtype=int), columns, {}, names=["g"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            FileContent(one_node(s=Column.from_strings(["\x01"]))),
            r"node attribute 's': '\\x01' holds the character",
        ),
        (
            FileContent(one_node(x=Column(np.array([np.inf])))),
            "node attribute 'x': inf is not a finite number",
        ),
        (
            FileContent(one_node(x=Column(np.array([1.0]))), ("\x02",)),
            "class of 'g': .* which XML cannot hold",
        ),
        (FileContent(one_node(**{"\x03": Column(np.array([1.0]))})), "holds the character '\\\\x03'"),
    ],
)
@pytest.mark.parametrize("file", ["old.zip", "new"])
def test_what_cannot_be_written_leaves_nothing_behind(tmp_path, content, message, file):
    gxl.write(FileContent(gq.GraphCollection([gq.Graph([1.0])])), tmp_path / "old.zip")
    before = (tmp_path / "old.zip").read_bytes()
    with pytest.raises(FileFormatError, match=message):
        gxl.write(content, tmp_path / file)
    assert os.listdir(tmp_path) == ["old.zip"]
    assert (tmp_path / "old.zip").read_bytes() == before


@pytest.mark.parametrize("file", ["old.gxl", "old.zip"])
@pytest.mark.parametrize("error", [KeyboardInterrupt("stop"), OSError(28, "No space left on device")])
def test_an_interrupted_write_keeps_the_old_file(tmp_path, monkeypatch, file, error):
    content = FileContent(gq.GraphCollection([gq.Graph([1.0])]))
    gxl.write(content, tmp_path / file)
    before = (tmp_path / file).read_bytes()

    def fail(*args):
        raise error

    monkeypatch.setattr(gxl, "gxl_text", fail)
    with pytest.raises((KeyboardInterrupt, FileFormatError), match=r"^stop$|writing failed \(No space left"):
        gxl.write(content, tmp_path / file)
    assert os.listdir(tmp_path) == [file]
    assert (tmp_path / file).read_bytes() == before


def test_bad_targets_of_writing(tmp_path):
    content = FileContent(gq.GraphCollection([gq.Graph([1.0])]))
    put(tmp_path, {"full/x.txt": "mine"})
    with pytest.raises(FileFormatError, match="the folder is not empty"):
        gxl.write(content, tmp_path / "full")
    with pytest.raises(FileFormatError, match="cannot be written"):
        gxl.write(content, tmp_path / "absent" / "x.gxl")
    with pytest.raises(FileFormatError, match=r"x\.cxl: a CXL file alone holds no graphs"):
        gxl.write(content, tmp_path / "x.cxl")


def test_recognises(tmp_path, splits):
    put(tmp_path, {"a.gxl": "", "b.CXL": "", "c.txt": "", "d/e/f.gxl": "", "g/h.txt": "", "cut.zip": "PK"})
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("x.txt", "hi")
    expected = {"a.gxl": True, "b.CXL": True, "c.txt": False, "d": True, "g": False}
    # A damaged zip may be ours; reading it says what is wrong.
    expected |= {"S.zip": True, "cut.zip": True, "other.zip": False, "absent.gxl": False, "absent.zip": False}
    assert {name: gxl.recognises(tmp_path / name) for name in expected} == expected
