import re
import zipfile

import networkx as nx
import pytest

from graphquant.exceptions import FileFormatError, GraphQuantWarning
from graphquant.io import graphml, read_file

KEYS = (
    '<key id="x" for="node" attr.name="x" attr.type="double"/>'
    '<key id="b" for="all" attr.name="flag" attr.type="boolean"/>'
    '<key id="n" for="graph" attr.name="name" attr.type="string"/>'
)


def document(*graphs, keys=KEYS, head=""):
    return f'<?xml version="1.0"?>{head}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}{"".join(graphs)}</graphml>'


def graph(body, default="undirected"):
    return f'<graph edgedefault="{default}">{body}</graph>'


GOOD = graph('<node id="a"><data key="x">1.5</data></node><node id="b"/><edge source="a" target="b"/>')

BAD_GRAPHS = {
    "not a number": (
        graph('<node id="a"><data key="x">1,5</data></node>'),
        "node 'a', attribute 'x': '1,5' is not a number",
    ),
    "infinity": (
        graph('<node id="a"><data key="x">inf</data></node>'),
        "node 'a', attribute 'x': 'inf' is not a finite",
    ),
    "not a boolean": (
        graph('<node id="a"><data key="b">yes</data></node>'),
        "node 'a', attribute 'flag': 'yes' is not a boolean",
    ),
    "undeclared": (
        graph('<node id="a"><data key="zzz">1</data></node>'),
        "node 'a': no <key> declares the attribute 'zzz' for a node",
    ),
    "node without id": (graph("<node/>"), "node 0 has no id of its own (None)"),
    "same id": (graph('<node id="a"/><node id="a"/>'), "node 1 has no id of its own ('a')"),
    "edge to nowhere": (
        graph('<node id="a"/><edge source="a" target="z"/>'),
        "edge 0: target 'z' is not the id of a node",
    ),
    "self-loop": (graph('<node id="a"/><edge source="a" target="a"/>'), "edge 0 is a self-loop at node 0"),
    "repeated": (
        graph('<node id="a"/><node id="b"/><edge source="a" target="b"/><edge source="b" target="a"/>'),
        "edge 1 repeats edge 0",
    ),
    "mixed in a graph": (
        graph('<node id="a"/><node id="b"/><edge source="a" target="b" directed="true"/>'),
        "edge 0 is directed in a graph that is undirected",
    ),
    "mixed in a file": (
        graph('<node id="a"/>', "directed"),
        "the graph is directed, those before it are undirected",
    ),
    "edgedefault": (graph("", "both"), "edgedefault='both' is neither 'directed' nor 'undirected'"),
    "hyperedge": (graph("<hyperedge/>"), "the graph contains a <hyperedge>"),
    "nested": (
        graph('<node id="a"><graph edgedefault="directed"/></node>'),
        "the graph contains a <graph>",
    ),
}


@pytest.mark.parametrize(("bad", "message"), BAD_GRAPHS.values(), ids=BAD_GRAPHS)
def test_a_bad_graph_is_named_or_skipped(bad, message, tmp_path):
    path = tmp_path / "x.graphml"
    path.write_text(document(GOOD, bad))
    with pytest.raises(FileFormatError, match=re.escape(f"{path}: graph 1: {message}")):
        read_file(path, strict=True)
    content = read_file(path, on_error="skip", strict=True)
    assert len(content.graphs) == 1
    assert [(skipped.name, skipped.reason[:10]) for skipped in content.skipped] == [("graph 1", message[:10])]


def numbers(*texts):
    return graph(
        "".join(f'<node id="{i}"><data key="x">{text}</data></node>' for i, text in enumerate(texts))
    )


REPAIRED = {
    "one of many": (
        numbers(*["1"] * 9, "1,5"),
        [1.5, None, *[1.0] * 9, None],
        ["graph 1: node 9, attribute 'x': '1,5' is not a number: read as missing."],
    ),
    "says nothing": (
        numbers("?", "NaN"),
        [1.5, None, None, None],
        [
            "graph 1: node 1, attribute 'x': nan is not a finite number: read as missing.",
            "graph 1: node 0, attribute 'x': '?' is not a number: read as missing.",
        ],
    ),
    "many": (
        numbers("C", "O", "2"),
        ["1.5", None, "C", "O", "2"],
        [
            "graph 1: node 0, attribute 'x': 'C' is not a number: the attribute is read as text "
            "(2 of its 4 values are not numbers)."
        ],
    ),
}


@pytest.mark.parametrize(("more", "values", "told"), REPAIRED.values(), ids=REPAIRED)
def test_what_is_not_the_number_that_is_declared(more, values, told, tmp_path):
    path = tmp_path / "x.graphml"
    path.write_text(document(GOOD, more))
    content = graphml.read(path)
    assert content.graphs.node_columns["x"].to_list() == values
    assert content.repaired == tuple(f"{path}: {text}" for text in told)


def test_an_attribute_of_another_type_in_another_file(tmp_path):
    (tmp_path / "a.graphml").write_text(document(GOOD))
    (tmp_path / "b.graphml").write_text(document(numbers("C"), keys=KEYS.replace("double", "string")))
    with pytest.warns(
        GraphQuantWarning, match=r"1 flaw was repaired.*b\.graphml: graph 0: node 0, attribute 'x'"
    ):
        content = read_file(tmp_path)
    assert content.graphs.node_columns["x"].to_list() == ["1.5", None, "C"]


BOMB = '<!DOCTYPE graphml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
EXTERNAL = '<!DOCTYPE graphml [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
ENTITY_NODE = graph('<node id="a"><data key="n">&a;</data></node>')
BAD_FILES = {
    "entity bomb": (document(ENTITY_NODE, head=BOMB), "declares XML entities, which are refused"),
    "external entity": (document(ENTITY_NODE, head=EXTERNAL), "declares XML entities, which are refused"),
    "entity in UTF-16": (
        document(ENTITY_NODE, head=BOMB).replace("?>", ' encoding="UTF-16"?>', 1).encode("utf-16"),
        "declares XML entities, which are refused",
    ),
    "truncated": (document(GOOD)[:-20], "is not well-formed XML"),
    "empty": ("", "the file is empty"),
    "another root": ("<gxl/>", "the root element is <gxl>, expected <graphml>"),
    "no graph": (document(), "contains no graphs"),
    "unknown type": (
        document(GOOD, keys='<key id="x" for="node" attr.type="date"/>'),
        "key 'x' has the type 'date'. Known types: string",
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file(text, message, tmp_path):
    path = tmp_path / "x.graphml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(FileFormatError, match=re.escape(f"{path}: ") + ".*" + re.escape(message)):
        read_file(path)


def test_a_bad_file_among_good_ones(tmp_path):
    (tmp_path / "a.graphml").write_text(document(GOOD))
    (tmp_path / "b.graphml").write_text(document(GOOD)[:-20])
    (tmp_path / "c.graphml").write_text(document(GOOD, BAD_GRAPHS["edge to nowhere"][0]))
    with pytest.raises(FileFormatError, match=re.escape(f"{tmp_path}: b.graphml: is not well-formed XML")):
        read_file(tmp_path)
    content = read_file(tmp_path, on_error="skip")
    assert content.graphs.names == ("a", "c")
    assert [skipped.name for skipped in content.skipped] == ["b.graphml", "c.graphml: graph 1"]


def test_a_zip_of_files(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        file.writestr("graphs/one.graphml", document(GOOD))
        file.writestr("graphs/two.graphml", document(GOOD))
        file.writestr("README.txt", "not a graph")
    assert read_file(tmp_path / "x.zip").graphs.names == ("one", "two")


def test_values_defaults_and_drawing_instructions(tmp_path):
    path = tmp_path / "x.graphml"
    keys = (
        '<key id="d0" for="node" attr.name="size" attr.type="int"><default>7</default></key>'
        '<key id="d1" for="node" attr.name="word" attr.type="string"/>'
        '<key id="d2" for="node" attr.name="flag" attr.type="boolean"/>'
        '<key id="d3" for="node" yfiles.type="nodegraphics"/>'
    )
    body = (
        '<node id="a"><data key="d1">ü</data><data key="d2">true</data><data key="d3"><shape/></data></node>'
        '<node id="b"><data key="d0">1</data><data key="d2">false</data></node>'
    )
    path.write_text(document(graph(body), keys=keys), encoding="utf-8")
    columns = read_file(path).graphs.node_columns
    assert {name: column.to_list() for name, column in columns.items()} == {
        "size": [7.0, 1.0],
        "word": ["ü", None],
        "flag": [1.0, 0.0],
    }


def test_an_old_document_type_is_read_and_not_fetched(tmp_path):
    path = tmp_path / "x.graphml"
    head = '<!DOCTYPE graphml SYSTEM "http://graphml.invalid/dtds/graphml.dtd">'
    path.write_text(document(GOOD, head=head))
    assert len(read_file(path).graphs) == 1


def test_what_networkx_writes(tmp_path):
    theirs = nx.DiGraph(
        [("ä", "b", {"w": 1.5, "kind": "x"}), ("b", "c", {"w": 2.0})], name="trio", target="T"
    )
    nx.set_node_attributes(theirs, {"ä": 1, "b": 2, "c": 3}, "n")
    nx.write_graphml_xml(theirs, tmp_path / "x.graphml")
    content = read_file(tmp_path / "x.graphml")
    assert content.targets == ("T",)
    assert content.graphs.names == ("trio",)
    assert content.graphs.directed
    assert content.graphs.edges.tolist() == [[0, 1], [1, 2]]
    assert content.graphs.node_columns["n"].to_list() == [1.0, 2.0, 3.0]
    assert content.graphs.edge_columns["kind"].to_list() == ["x", None]
