import json
import re
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphquant as gq
from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.graphs import Column, RawGraphs
from graphquant.io import FileContent, parquet, read_file, write_file
from tests.strategies import collections

PAIR = gq.Graph([[0.0, 1.0], [2.0, 3.0]], [(0, 1)], [[0.5]])
GRAPHS = gq.GraphCollection([PAIR, gq.Graph([[4.0, 5.0]], [], np.empty((0, 1))), PAIR], ["a", "b", "c"])
CONTENT = FileContent(GRAPHS, ("x", "y", "x"), {"encoder": {"scale": 2}}, "three")


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "x.parquet"
    write_file(CONTENT, file)
    return file


def rewrite(path, change):
    """Write the file again with another table or other metadata."""
    table = change(pq.read_table(path))
    pq.write_table(table, path)


def with_header(**changes):
    def change(table):
        header = json.loads(table.schema.metadata[b"graphquant"]) | changes
        return table.replace_schema_metadata({b"graphquant": json.dumps(header)})

    return change


def with_column(name, values, kind=None):
    def change(table):
        return table.set_column(table.column_names.index(name), name, pa.array(values, kind))

    return change


BAD_FILES = {
    "foreign": (lambda t: t.replace_schema_metadata(None), "a Parquet file, but not a collection of graphs"),
    "newer": (
        with_header(version=2),
        "written by a newer graphquant (version 2 of the format, not 1). Upgrade",
    ),
    "unknown kind": (with_header(kind="tensor"), "the metadata 'graphquant' are not those of a collection"),
    "no channels": (with_header(n_node_attrs=0), "not those of a collection"),
    "no json": (lambda t: t.replace_schema_metadata({b"graphquant": b"{"}), "not those of a collection"),
    "a list": (lambda t: t.replace_schema_metadata({b"graphquant": b"[]"}), "not those of a collection"),
    "column missing": (lambda t: t.drop(["edges"]), "the column 'edges' is missing"),
    "wrong type": (
        with_column("edges", ["0 1", "", "0 1"]),
        "column 'edges' has the type string, expected list of int32",
    ),
    "wrong type of name": (
        with_column("name", [1, 2, 3]),
        "column 'name' has the type int64, expected string",
    ),
    "wrong type of nodes": (with_column("n_nodes", [2.0, 1.0, 2.0]), "has the type double, expected int32"),
    "wrong type of attributes": (
        with_column("node_attrs", [["a"], ["b"], ["c"]]),
        "column 'node_attrs' has the type list<element: string>, expected list of double",
    ),
}


@pytest.mark.parametrize(("change", "message"), BAD_FILES.values(), ids=BAD_FILES)
@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_a_file_that_is_no_collection(change, message, on_error, path):
    rewrite(path, change)
    with pytest.raises(FileFormatError, match=re.escape(f"{path}: ") + ".*" + re.escape(message)):
        read_file(path, on_error=on_error)


BAD_ROWS = {
    "odd edges": (
        with_column("edges", [[0, 1], [], [0, 1, 1]]),
        "column 'edges' holds 3 values, expected pairs",
    ),
    "no edges": (with_column("edges", [[0, 1], [], None]), "column 'edges' holds no list (null)"),
    "too few attributes": (
        with_column("node_attrs", [[0.0, 1, 2, 3], [4.0, 5], [0.0, 1, 2]]),
        "column 'node_attrs' holds 3 values, expected 4 (2 nodes x 2)",
    ),
    "no edge attributes": (
        with_column("edge_attrs", [[0.5], [], []], pa.list_(pa.float64())),
        "column 'edge_attrs' holds 0 values, expected 1 (1 edges x 1)",
    ),
    "negative": (with_column("n_nodes", [2, 1, -2]), "column 'n_nodes' is not a number of nodes, 0 or more"),
    "null": (with_column("n_nodes", [2, 1, None]), "column 'n_nodes' is not a number of nodes, 0 or more"),
    "no target": (with_column("target", ["x", "y", None]), "column 'target' is empty (null)"),
}


@pytest.mark.parametrize(("change", "message"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_a_row_that_does_not_fit(change, message, path):
    rewrite(path, change)
    with pytest.raises(FileFormatError, match=re.escape(f"{path}: graph 2 ('c'): {message}")):
        read_file(path)
    check_skipped(read_file(path, on_error="skip"), message)


BAD_GRAPHS = {
    "edge to nowhere": (with_column("edges", [[0, 1], [], [0, 5]]), "edge 0 joins nodes 0 and 5, but"),
    "null in edges": (with_column("edges", [[0, 1], [], [0, None]]), "edge 0 joins nodes 0 and -1, but"),
    "self-loop": (with_column("edges", [[0, 1], [], [1, 1]]), "edge 0 is a self-loop"),
    "NaN": (
        with_column("node_attrs", [[0.0, 1, 2, 3], [4.0, 5], [0.0, np.nan, 2, 3]]),
        "node 0, attribute 1 is nan, not a finite number",
    ),
    "infinity": (
        with_column("edge_attrs", [[0.5], [], [np.inf]]),
        "edge 0, attribute 0 is inf, not a finite number",
    ),
}


@pytest.mark.parametrize(("change", "message"), BAD_GRAPHS.values(), ids=BAD_GRAPHS)
def test_a_graph_that_breaks_the_data_model(change, message, path):
    rewrite(path, change)
    with pytest.raises(FileFormatError, match=re.escape(f"{path}: graph 2 ('c'): {message}")):
        read_file(path)
    check_skipped(read_file(path, on_error="skip"), message)


def check_skipped(content, message):
    assert content.graphs == GRAPHS[:2]
    assert content.targets == ("x", "y")
    assert [skipped.name for skipped in content.skipped] == ["graph 2 ('c')"]
    assert message in content.skipped[0].reason


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: b"no parquet at all",
        lambda data: data[:-4],
    ],
    ids=["half", "empty", "foreign", "tail"],
)
def test_damaged_files(damage, path):
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(FileFormatError, match=r"x\.parquet: not a Parquet file, or damaged or truncated"):
        read_file(path)


def test_a_damaged_page(tmp_path):
    path = tmp_path / "x.parquet"
    write_file(FileContent(gq.GraphCollection([PAIR] * 500)), path)
    data = bytearray(path.read_bytes())
    data[40:400] = b"\0" * 360
    path.write_bytes(data)
    with pytest.raises(FileFormatError, match=r"x\.parquet: the file is damaged"):
        read_file(path)


def test_null_names_become_numbers(path):
    rewrite(path, with_column("name", ["a", None, "c"]))
    assert read_file(path).graphs.names == ("a", "1", "c")


def test_columns_that_others_added_are_ignored(path):
    rewrite(path, lambda table: table.append_column("cluster", pa.array([0, 1, 0])))
    assert read_file(path).graphs == GRAPHS


def test_whole_numbers_are_numbers(path):
    rewrite(path, with_column("node_attrs", [[0, 1, 2, 3], [4, 5], [0, 1, 2, 3]]))
    assert read_file(path).graphs == GRAPHS


def test_an_empty_collection_is_kept(tmp_path):
    write_file(FileContent(GRAPHS[:0]), tmp_path / "x.parquet")
    back = read_file(tmp_path / "x.parquet").graphs
    assert len(back) == 0
    assert back.node_attrs.shape == (0, 2)
    assert back == GRAPHS[:0]


# Partitions


@given(collections(min_size=3, max_size=7, groups=True), st.integers(1, 4))
def test_partitions_and_batches_are_slices(tmp_path_factory, graphs, size):
    path = tmp_path_factory.mktemp("partitions") / "x.parquet"
    parquet.write(FileContent(graphs), path, row_group_size=size)
    assert sum(parquet.row_group_sizes(path)) == len(graphs)
    assert max(parquet.row_group_sizes(path)) == min(size, len(graphs))
    assert parquet.read(path, row_groups=[1 if len(graphs) > size else 0]).graphs == (
        graphs[size : 2 * size] if len(graphs) > size else graphs
    )
    batches = list(parquet.iter_batches(path, batch_size=2))
    starts = np.cumsum([0, *(len(batch.graphs) for batch in batches)])
    assert starts[-1] == len(graphs)
    for start, batch in zip(starts, batches, strict=False):
        assert batch.graphs == graphs[start : start + len(batch.graphs)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"row_groups": [1]}, r"row group 1 does not exist; there are 1"),
        ({"columns": ["nam"]}, r"Unknown column 'nam'. Did you mean 'name'"),
    ],
)
def test_parts_that_do_not_exist(options, message, path):
    with pytest.raises(InvalidParameterError, match=message):
        read_file(path, **options)


def test_only_some_columns(tmp_path, path):
    assert read_file(path, columns=[]).graphs == GRAPHS.with_names(None)
    assert read_file(path, columns=["name"]).targets is None
    columns = {"a": Column.from_numbers([1.0]), "a.b": Column.from_strings(["C"])}
    raw = RawGraphs([0, 1], [0, 0], [], columns, {})
    write_file(FileContent(raw), tmp_path / "raw.parquet")
    assert list(read_file(tmp_path / "raw.parquet", columns=["node:a"]).graphs.node_columns) == ["a"]


@pytest.mark.parametrize("size", [0, 2.5])
def test_a_wrong_size(size, path):
    with pytest.raises(InvalidParameterError, match="row_group_size="):
        parquet.write(CONTENT, path, row_group_size=size)
    with pytest.raises(InvalidParameterError, match="batch_size="):
        next(parquet.iter_batches(path, size))


def test_metadata_must_be_json(tmp_path):
    with pytest.raises(FileFormatError, match="The metadata cannot be written as JSON"):
        write_file(FileContent(GRAPHS, metadata={"rate": np.nan}), tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


def test_raw_columns_keep_missing_values_and_kinds(tmp_path):
    columns = {"word": Column.from_strings([None, None]), "number": Column.from_numbers([None, None])}
    raw = RawGraphs([0, 2, 2], [0, 0, 0], [], columns, {"w": Column.from_strings([])})
    write_file(FileContent(raw), tmp_path / "x.parquet")
    back = read_file(tmp_path / "x.parquet").graphs
    assert back == raw
    assert not back.edge_columns["w"].is_numeric


def test_reading_loads_no_package_of_another_format(path):
    code = (
        "import sys; from graphquant.io import read_file; read_file(sys.argv[1]); "
        "print(*{'networkx', 'rdkit', 'lxml'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, path], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""


def test_pieces_are_verified(tmp_path):
    path = tmp_path / "x.parquet"
    write_file(FileContent(gq.GraphCollection([gq.Graph([1.0]), gq.Graph([2.0])])), path)
    metadata, table = pq.read_metadata(path).metadata, pq.read_table(path)
    swapped = table.take([1, 0]).replace_schema_metadata(metadata)
    pq.write_table(swapped, path)
    with pytest.raises(FileFormatError, match="damaged"):
        list(parquet.iter_batches(path, 1))


def test_checksums_are_of_all_texts(tmp_path):
    path = tmp_path / "x.parquet"
    write_file(FileContent(gq.GraphCollection([gq.Graph([1.0])] * 3, names=["a", "b", "c"])), path)
    metadata, table = pq.read_metadata(path).metadata, pq.read_table(path)
    at = table.schema.get_field_index("name")
    for names in (["x", "b", "c"], ["a", "x", "c"], ["a", "b", "x"]):
        forged = table.set_column(at, "name", pa.array(names, table.schema.field(at).type))
        pq.write_table(forged.replace_schema_metadata(metadata), path)
        with pytest.raises(FileFormatError, match="damaged"):
            read_file(path)
