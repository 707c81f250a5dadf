"""GXL and CXL: what is refused, by strict=True or always, and how; what can be skipped."""

import pytest

from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.io import gxl
from tests.io.gxl_documents import DOCTYPE, GOOD, NODES, attr, document, listing, put, read_text

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
    "no graph": ("<gxl></gxl>", "contains no <graph> element"),
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
        "edge 1 names the node 'z', which is not in the graph",
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
        "node 0 contains <graph>, expected <attr>",
    ),
    "deep mark": (
        document(attr("graphquant.name", "[" * 100_000, "string")),
        "graph attribute 'graphquant.name' is not a JSON string",
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
        gxl.read(tmp_path, strict=True)
    assert info.value.hint
    put(tmp_path, {"all.cxl": listing(("bad.gxl", "B"), ("good.gxl", "G"))})
    content = gxl.read(tmp_path, on_error="skip", strict=True)
    assert content.graphs.names == ("good",)
    assert content.targets == ("G",)
    assert [item.name for item in content.skipped] == ["bad"]
    assert content.skipped[0].reason in str(info.value)


BAD_FOLDERS = {
    "missing file": (listing(("good.gxl", "A"), ("gone.gxl", "B")), r"has no file 'gone\.gxl'", "gone"),
    "outside": (listing(("good.gxl", "A"), ("../x.gxl", "B")), "points outside the data", "x"),
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
        gxl.read(tmp_path, strict=True)
    content = gxl.read(tmp_path, on_error="skip", strict=True)
    assert content.graphs.names == ("good",)
    assert content.targets == ("A",)
    assert [item.name for item in content.skipped] == [name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<GraphCollection/>", r"all\.cxl: lists no graphs\. Expected elements like <print"),
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
    with pytest.raises(FileFormatError, match=r"contains no GXL file\. Check that"):
        gxl.read(tmp_path)
    with pytest.raises(FileFormatError, match="no such file or folder"):
        gxl.read(tmp_path / "absent.cxl")
    with pytest.raises(InvalidParameterError, match="Unknown on_error 'ignore'"):
        gxl.read(tmp_path, on_error="ignore")


def test_all_graphs_skipped(tmp_path):
    content = read_text(tmp_path, "broken", on_error="skip")
    assert len(content.graphs) == 0
    assert len(content.skipped) == 1


def test_the_real_angle_that_is_no_number(iam_path):
    path = iam_path / "GREC.zip"
    message = (
        r"image22_40\.gxl: edge 4, attribute 'angle0': '\ufffd' is not a number\. Fix the file, or read with"
    )
    with pytest.raises(FileFormatError, match=message):
        gxl.read(path, split="test", strict=True)
    content = gxl.read(path, split="test", strict=True, on_error="skip")
    assert len(content.graphs) == 527
    assert [item.name for item in content.skipped] == ["image22_40"]
    assert content.graphs.edge_columns["angle0"].is_numeric


def test_the_real_file_that_is_listed_twice(iam_path):
    path = iam_path / "Fingerprint.zip"
    with pytest.raises(
        FileFormatError, match=r"test\.cxl: lists 'f1003_04\.gxl' twice \(classes 'L', 'TR'\)"
    ):
        gxl.read(path, split="test", strict=True)
    skipped = gxl.read(path, split="test", strict=True, on_error="skip").skipped
    assert [item.name for item in skipped] == ["f1003_04"]
