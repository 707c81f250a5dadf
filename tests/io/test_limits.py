"""Bombs: what unpacks to much more than its size, or names more attributes than memory has room for."""

import gzip
import json
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphquant as gq
from graphquant.bounds import class_capacity
from graphquant.exceptions import FileFormatError, InvalidGraphError, InvalidParameterError
from graphquant.io import limits, read_file
from graphquant.io._archive import open_archive

LINE = b'{"nodes": [{"id": 0, "x": 1.0}], "edges": []}\n'
ZEROS = bytes(2**20)


@pytest.fixture
def small_limits(monkeypatch):
    """Bombs of megabytes instead of gigabytes."""
    monkeypatch.setattr(limits, "_ALWAYS_FINE", 2**20)
    monkeypatch.setattr(limits, "MAX_UNPACKED", 2**24)


def zip_with(path, *members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for i, content in enumerate(members):
            file.writestr(f"{i}.gxl", content)
    return path


def test_a_zip_bomb_is_refused(small_limits, tmp_path):
    path = zip_with(tmp_path / "a.zip", b"<gxl>" + ZEROS * 4)
    with pytest.raises(
        FileFormatError, match=r"a\.zip/0\.gxl: unpacks to 4 MiB or more, over 200 times its si"
    ):
        read_file(path)
    with pytest.raises(FileFormatError, match="not well-formed"):
        read_file(path, max_unpacked=2**30)


def test_many_members_count_together(small_limits, tmp_path):
    noise = np.random.default_rng(0)
    path = zip_with(tmp_path / "a.zip", *(noise.bytes(2**22) for _ in range(5)))

    def read_all():
        with open_archive(path) as archive:
            return [archive.read(name) for name in archive.names()]

    with pytest.raises(FileFormatError, match=r"a\.zip: unpacks to 20 MiB or more, over the limit of 16 MiB"):
        read_all()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl.gz", b"[" + b" " * 2**23),
        ("a.json.gz", b" " * 2**23),
        ("a.smi.gz", b"C" * 2**23),
        ("a.csv.gz", b"smiles\n" + b"C" * 2**23),
        ("a.sdf.gz", b"C" * 2**23),
    ],
)
def test_a_gzip_bomb_is_refused(name, content, small_limits, tmp_path):
    if name[2:5] in ("smi", "csv", "sdf"):
        pytest.importorskip("rdkit")
    (tmp_path / name).write_bytes(gzip.compress(content))
    with pytest.raises(
        FileFormatError, match=r"over 200 times its size, as no data of graphs do\. If you trust"
    ):
        read_file(tmp_path / name)


def test_a_bomb_of_graphs_is_refused_before_one_is_made(small_limits, tmp_path, monkeypatch):
    """Graphs take ten times the memory of their text, and a bomb may hold millions of them."""
    from graphquant.io import jsonl

    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LINE * 100_000))
    monkeypatch.setattr(jsonl, "_parse", lambda *_, **__: pytest.fail("a graph was made"))
    with pytest.raises(FileFormatError, match="over 200 times its size"):
        read_file(path)


def test_the_limit_can_be_raised_and_lowered(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LINE * 100))
    assert len(read_file(path).graphs) == 100
    assert len(gq.read(path, max_unpacked=len(LINE) * 100)) == 100
    with pytest.raises(
        FileFormatError, match=r"over the limit of 0 MiB.*GRAPHQUANT_MAX_UNPACKED, or by max_"
    ):
        gq.read(path, max_unpacked=1000)
    monkeypatch.setenv("GRAPHQUANT_MAX_UNPACKED", "1000")
    with pytest.raises(FileFormatError, match="over the limit"):
        gq.read(path)
    monkeypatch.setenv("GRAPHQUANT_MAX_UNPACKED", "much")
    with pytest.raises(
        InvalidParameterError, match="GRAPHQUANT_MAX_UNPACKED is not a number of bytes: 'much'"
    ):
        gq.read(path)
    with pytest.raises(InvalidParameterError, match="max_unpacked"):
        gq.read(path, max_unpacked=0)


def test_a_million_attributes_are_refused(tmp_path):
    node = {"id": 0} | {f"a{i}": i for i in range(10_001)}
    (tmp_path / "a.json").write_text(json.dumps({"nodes": [node], "edges": []}))
    with pytest.raises(FileFormatError, match="there are more than 10,000 attributes"):
        read_file(tmp_path / "a.json")
    table = pa.table({f"c{i}": [1] for i in range(10_001)})
    header = {"format": "graphquant-collection", "version": 1, "kind": "raw", "directed": False}
    header |= {"n_node_attrs": 0, "n_edge_attrs": 0, "metadata": {}, "description": ""}
    table = table.replace_schema_metadata({"graphquant": json.dumps(header)})
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(FileFormatError, match="there are more than 10,000 columns"):
        read_file(tmp_path / "a.parquet")


def test_a_table_with_a_million_columns_is_refused(tmp_path):
    pytest.importorskip("rdkit")
    (tmp_path / "a.csv").write_text("smiles" + "," * 10_001 + "\nC\n")
    with pytest.raises(FileFormatError, match="there are more than 10,000 columns"):
        read_file(tmp_path / "a.csv")


def test_attributes_of_a_few_nodes_each_are_refused(tmp_path, monkeypatch):
    """A table of all attributes and all nodes would take far more memory than the file."""
    monkeypatch.setattr(limits, "_MANY_CELLS", 10_000)
    nodes = [{"id": i, f"a{i}": i} for i in range(200)]
    (tmp_path / "a.json").write_text(json.dumps({"nodes": nodes, "edges": []}))
    with pytest.raises(
        FileFormatError, match=r"200 attributes of 200 nodes, and less than one in 100 has a v"
    ):
        read_file(tmp_path / "a.json")


def test_a_class_of_nodes_beyond_all_memory_is_refused():
    graph = gq.Graph([1.0, 2.0], [(0, 1)], groups=[0, 2**31 - 1])
    with pytest.raises(InvalidGraphError, match="group 2147483647, but there are 2 nodes in all"):
        class_capacity(gq.GraphCollection([graph]))
    with pytest.raises(InvalidGraphError, match="Number the classes of nodes from 0"):
        gq.distance(graph, graph)
    near = gq.Graph([1.0, 2.0], [(0, 1)], groups=[0, 1])
    q = gq.GraphQuantizer(1, max_cycles=1, init="random", random_state=0).fit([near])
    with pytest.raises(InvalidGraphError, match="group 2147483647"):
        q.predict([graph])


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("1e400", "1e400 is outside the range of float64"),
        ("NaN", "NaN is not a number of JSON"),
        ("-Infinity", "-Infinity is not a number of JSON"),
        ('"\\ud800"', "surrogates not allowed"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
    ],
)
def test_metadata_are_strict_json(value, named, tmp_path):
    path = tmp_path / "a.parquet"
    gq.write(gq.GraphCollection([gq.Graph([1.0])]), path)
    table = pq.read_table(path)
    text = table.schema.metadata[b"graphquant"].decode()
    text = text.replace('"metadata": {}', f'"metadata": {{"a": {value}}}')
    pq.write_table(table.replace_schema_metadata({"graphquant": text}), path)
    with pytest.raises(FileFormatError, match=f"the metadata 'graphquant' are not .*{named}"):
        read_file(path)
