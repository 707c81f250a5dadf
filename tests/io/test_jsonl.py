import gzip
import json
import math
import re

import networkx as nx
import pytest

from graphquant.exceptions import FileFormatError
from graphquant.graphs import Column, RawGraphs
from graphquant.io import FileContent, jsonl, read_file, write_file

PAIR = '{"nodes": [{"id": "a", "x": 1}, {"id": "b", "x": 2}], "edges": [{"source": "a", "target": "b"}]}'


def nodes(*rows, edges="[]"):
    return f'{{"nodes": [{", ".join(rows)}], "edges": {edges}}}'


BAD_LINES = {
    "no json": ("{nodes}", "not valid JSON (Expecting property name enclosed in double quotes at column 2)"),
    "truncated": (PAIR[:-5], "not valid JSON"),
    "not a graph": ('{"vertices": []}', "not a node-link graph: no list 'nodes'"),
    "a number": ("3", "not a node-link graph"),
    "nested": ("[" * 100_000, "the JSON is nested too deeply"),
    "edges are no list": ('{"nodes": [], "edges": {}}', "'edges' is not a list"),
    "node is no object": ('{"nodes": [1]}', "node 0 is not a JSON object"),
    "node without id": ('{"nodes": [{"x": 1}]}', "node 0 has no 'id'"),
    "same id": (nodes('{"id": 1}', '{"id": 1}'), "node 1 has the id 1 of node 0"),
    "edge to nowhere": (
        nodes('{"id": 1}', edges='[{"source": 1, "target": 7}]'),
        "edge 0: target 7 is not the id of a node",
    ),
    "edge without source": (nodes('{"id": 1}', edges='[{"target": 1}]'), "edge 0 has no 'source'"),
    "self-loop": (
        nodes('{"id": 1}', edges='[{"source": 1, "target": 1}]'),
        "edge 0 is a self-loop at node 0",
    ),
    "repeated edge": (
        nodes('{"id": 1}', '{"id": 2}', edges='[{"source": 1, "target": 2}, {"source": 2, "target": 1}]'),
        "edge 1 repeats edge 0 (nodes 1 and 0)",
    ),
    "NaN": (nodes('{"id": 1, "x": NaN}'), "NaN is not a finite number. Write null"),
    "Infinity": (nodes('{"id": 1, "x": -Infinity}'), "-Infinity is not a finite number"),
    "too large": (nodes('{"id": 1, "x": 1e999}'), "node 0, attribute 'x': inf is not a finite number"),
    "too large an integer": (nodes(f'{{"id": 1, "x": 1{"0" * 400}}}'), "node 0, attribute 'x': 1000"),
    "a number without end": (nodes(f'{{"id": 1, "x": 1{"0" * 5000}}}'), "a number is too long"),
    "a vector": (
        nodes('{"id": 1, "x": [1, 2]}'),
        "node 0, attribute 'x': [1, 2] is neither a number nor a string",
    ),
    "mixed kinds": (
        nodes('{"id": 1, "x": 1}', '{"id": 2, "x": "C"}'),
        "node 1, attribute 'x': 'C' is not a number, as it was before",
    ),
    "not UTF-8": (b'{"nodes": [{"id": "\xff"}]}', "not UTF-8 text"),
}


@pytest.mark.parametrize(("line", "message"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_named_or_skipped(line, message, tmp_path):
    path = tmp_path / "x.jsonl"
    line = line if isinstance(line, bytes) else line.encode()
    path.write_bytes(b"\n".join([PAIR.encode(), b"", line, PAIR.encode()]))
    with pytest.raises(FileFormatError, match=re.escape(f"{path}: line 3: ") + ".*" + re.escape(message)):
        read_file(path, strict=True)
    content = read_file(path, on_error="skip", strict=True)
    assert len(content.graphs) == 2
    assert [skipped.name for skipped in content.skipped] == ["line 3"]
    assert content.skipped[0].reason[:9] in message


UNLIKE = {
    "directed": ('{"directed": true, "nodes": []}', "the graph is directed, those before it are undirected"),
    "kind of attribute": ('{"nodes": [{"id": 1, "x": "C"}]}', "node 0, attribute 'x': 'C' is not a number"),
    "target": ('{"graph": {"target": "A"}, "nodes": []}', "the graph has a target, unlike those before it"),
    "vectors": (
        '{"graph": {"graphquant.kind": "vectors"}, "nodes": []}',
        "the graph is marked {'graphquant.kind'",
    ),
}


@pytest.mark.parametrize(("line", "message"), UNLIKE.values(), ids=UNLIKE)
def test_graphs_of_a_file_are_alike(line, message, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(f"{PAIR}\n{line}\n")
    with pytest.raises(FileFormatError, match=re.escape(f"line 2: {message}")):
        read_file(path, strict=True)
    assert len(read_file(path, on_error="skip", strict=True).graphs) == 1


REPAIRED = {
    "NaN and null": (
        nodes('{"id": 1, "x": NaN}', '{"id": 2, "x": null}', '{"id": 3, "x": 1e999}'),
        [1.0, 2.0, None, None, None],
        [
            "line 2: node 0, attribute 'x': nan is not a finite number: read as missing.",
            "line 2: node 2, attribute 'x': inf is not a finite number: read as missing.",
        ],
    ),
    "a string": (
        nodes('{"id": 1, "x": "C"}', '{"id": 2, "x": 1.5}', '{"id": 3}'),
        ["1", "2", "C", "1.5", None],
        [
            "line 2: node 0, attribute 'x': 'C' is not a number, as it was before: the attribute is read as "
            "text (1 of its 4 values are not numbers)."
        ],
    ),
    "a number as a string": (
        nodes('{"id": 1, "x": "6"}'),
        [1.0, 2.0, 6.0],
        [
            "line 2: node 0, attribute 'x': '6' is not a number, as it was before: "
            "all values are read as numbers."
        ],
    ),
    "self-loop": (
        nodes('{"id": 1}', '{"id": 2}', edges='[{"source": 1, "target": 1}, {"source": 1, "target": 2}]'),
        [1.0, 2.0, None, None],
        ["line 2: edge 0 is a self-loop at node 0: left out."],
    ),
    "repeated edge": (
        nodes('{"id": 1}', '{"id": 2}', edges='[{"source": 1, "target": 2}, {"source": 2, "target": 1}]'),
        [1.0, 2.0, None, None],
        ["line 2: edge 1 repeats edge 0 (nodes 1 and 0): the first is kept."],
    ),
}


@pytest.mark.parametrize(("line", "values", "told"), REPAIRED.values(), ids=REPAIRED)
def test_what_is_repaired(line, values, told, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(f"{PAIR}\n{line}\n")
    content = jsonl.read(path)
    assert content.graphs.node_columns["x"].to_list() == values
    assert content.graphs.n_edges.tolist() == [1, int("edge" in told[0])]
    assert content.repaired == tuple(f"{path}: {text}" for text in told)


def test_a_graph_that_is_skipped_decides_nothing(tmp_path):
    path = tmp_path / "x.jsonl"
    bad = nodes('{"id": 1, "x": "C"}', edges='[{"source": 1, "target": 1}, {"source": 1, "target": 9}]')
    path.write_text(f"{PAIR}\n{bad}\n")
    content = jsonl.read(path, on_error="skip")
    assert content.graphs.node_columns["x"].is_numeric
    assert content.repaired == ()


FLAGS = {
    "a channel is missing": (
        '"graphquant.kind": "vectors", "graphquant.node_attrs": 2, "graphquant.edge_attrs": 1',
        "attribute 'a1' is missing",
    ),
    "a channel is no number": (
        '"graphquant.kind": "vectors", "graphquant.node_attrs": "x"',
        "'x' is not a whole number",
    ),
    "no channels": ('"graphquant.kind": "vectors"', "vectors of 0 node attributes, expected 1 or more"),
    "too many channels": (
        '"graphquant.kind": "vectors", "graphquant.node_attrs": 1000000000000',
        "node attribute 'a1' is missing",
    ),
    "no group": (
        '"graphquant.groups": 1',
        "node attribute 'group' is not a whole number for each of the 1 nodes",
    ),
}


@pytest.mark.parametrize(("flags", "message"), FLAGS.values(), ids=FLAGS)
def test_marks_that_do_not_fit(flags, message, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"graph": {{{flags}}}, "nodes": [{{"id": 0, "a0": 1}}]}}')
    with pytest.raises(FileFormatError, match=re.escape(message)):
        read_file(path)


@pytest.mark.parametrize("group", [2**31, 3**21, -1, 0.5])
def test_a_group_that_is_none_is_refused(group, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"graph": {{"graphquant.groups": 1}}, "nodes": [{{"id": 0, "group": {group}}}]}}')
    with pytest.raises(FileFormatError, match=r"node attribute 'group' is not a whole number for each"):
        read_file(path)


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file(text, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=r"x\.jsonl: contains no graphs"):
        read_file(path)


@pytest.mark.parametrize("keep", [5, 40])
def test_damaged_gzip(keep, tmp_path):
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(PAIR.encode())[:keep])
    with pytest.raises(FileFormatError, match=r"x\.jsonl\.gz: the compressed file is damaged or truncated"):
        read_file(path)


def test_values_of_all_kinds(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(
        '\ufeff{"nodes": [{"id": 1, "n": 2, "s": "ü", "b": true}, {"id": [0, 1], "n": null, "b": false}],'
        ' "links": [{"source": 1, "target": [0, 1], "w": 0.5}], "graph": {"name": 7}}'
    )
    raw = read_file(path).graphs
    assert raw.names == ("7",)
    assert raw.node_columns["n"].to_list() == [2.0, None]
    assert raw.node_columns["s"].to_list() == ["ü", None]
    assert raw.node_columns["b"].to_list() == [1.0, 0.0]
    assert raw.edge_columns["w"].to_list() == [0.5]


def test_a_graph_without_name_among_named_ones_is_called_by_its_number(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"nodes": [], "graph": {"name": "first"}}\n{"nodes": []}')
    assert read_file(path).graphs.names == ("first", "1")


@pytest.mark.parametrize(
    "graph", [nx.path_graph(3), nx.MultiDiGraph([(0, 1), (1, 0)])], ids=["graph", "multigraph"]
)
def test_what_networkx_writes(graph, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(nx.node_link_data(graph, edges="links"), indent=2))
    raw = read_file(path).graphs
    assert raw.directed == graph.is_directed()
    assert sorted(map(tuple, raw.edges.tolist())) == sorted((i, j) for i, j, *_ in graph.edges)
    assert dict(raw.edge_columns) == {}


def test_a_list_in_a_json_file(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(f"[{PAIR}, {PAIR}]")
    assert len(read_file(path).graphs) == 2
    path.write_text(f"[{PAIR}, {{}}]")
    with pytest.raises(FileFormatError, match=r"x\.json: graph 1: not a node-link graph"):
        read_file(path)
    path.write_text(f"[{PAIR}, ")
    with pytest.raises(FileFormatError, match=r"x\.json: not valid JSON"):
        read_file(path)


def test_a_json_file_takes_one_graph(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(f"{PAIR}\n{PAIR}")
    content = read_file(path)
    with pytest.raises(FileFormatError, match=r"a \.json file holds one graph, and there are 2"):
        write_file(content, tmp_path / "x.json")
    write_file(FileContent(content.graphs[0]), tmp_path / "x.json")
    assert read_file(tmp_path / "x.json").graphs == content.graphs[0]


@pytest.mark.parametrize("name", ["id", "source"])
def test_a_name_that_the_format_needs(name, tmp_path):
    raw = RawGraphs([0, 1], [0, 0], [], {name: Column.from_numbers([1.0])}, {})
    with pytest.raises(
        FileFormatError, match=f"attribute '{name}' cannot be kept: node-link JSON uses this name"
    ):
        write_file(FileContent(raw), tmp_path / "x.jsonl")


def test_missing_values_are_left_out(tmp_path):
    raw = RawGraphs([0, 2], [0, 0], [], {"x": Column.from_numbers([1.0, math.nan])}, {})
    write_file(FileContent(raw), tmp_path / "x.jsonl")
    assert json.loads((tmp_path / "x.jsonl").read_text())["nodes"] == [{"id": 0, "x": 1.0}, {"id": 1}]


@pytest.mark.parametrize(("name", "known"), [("a.ndjson", True), ("a.JSON.gz", True), ("a.txt", False)])
def test_recognises_by_name(name, known, tmp_path):
    (tmp_path / name).touch()
    assert jsonl.recognises(tmp_path / name) == known


@pytest.mark.parametrize(
    "line", ['{"graph": {"name": "\\ud800"}, "nodes": []}', '{"nodes": [{"id": "\\udfff"}]}']
)
def test_half_of_a_character_is_refused(line, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(line)
    with pytest.raises(FileFormatError, match=r"line 1: a text has half of a surrogate pair\."):
        read_file(path)


def test_whole_pairs_are_characters(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"graph": {"name": "\\ud83d\\ude00"}, "nodes": [{"id": 0}]}')
    assert read_file(path).graphs.names == ("\U0001f600",)
