"""What is written is read back equal, in every format that writes; a failed write leaves no trace."""

import errno
import itertools
import json
import pkgutil
import tempfile
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import graphquant as gq
from graphquant.exceptions import FileFormatError
from graphquant.graphs import Column, RawGraphs
from graphquant.io import FileContent, read_file, write_file
from tests.strategies import collections, names

# File name, format (None: by the suffix), whether a graph without nodes can be kept.
TARGETS = [
    ("x.parquet", None, True),
    ("x.jsonl", None, True),
    ("x.jsonl.gz", None, True),
    ("x.graphml", None, True),
    ("x.zip", "gxl", True),
    ("folder", "gxl", True),
    ("x.zip", "tu", False),
    ("folder", "tu", False),
]
IDS = [f"{name}-{format or 'suffix'}" for name, format, _ in TARGETS]
every_target = pytest.mark.parametrize(("file", "format", "keeps_empty"), TARGETS, ids=IDS)


def is_xml_text(text):
    return not any(c in "\ufffe\uffff" for c in text)


def round_trip(content, file, format):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, file)
        write_file(content, path, format=format)
        return read_file(path, format=format)


@every_target
@given(data=st.data())
def test_vectors_come_back_as_they_were(file, format, keeps_empty, data):
    graphs = data.draw(collections(min_order=0 if keeps_empty else 1, groups=data.draw(st.booleans())))
    assume(graphs.names is None or all(map(is_xml_text, graphs.names)))
    content = FileContent(graphs, tuple(f"class {i % 2}" for i in range(len(graphs))))
    back = round_trip(content, file, format)
    assert isinstance(back.graphs, gq.GraphCollection)
    assert back.graphs == graphs
    assert back.targets == content.targets
    assert back.skipped == ()


@st.composite
def raw_graphs(draw):
    """Raw graphs with a numeric and a category column each, values missing here and there."""
    graphs = draw(collections(min_order=1, groups=draw(st.booleans()), max_size=3))
    text = st.one_of(st.none(), names.filter(is_xml_text))
    number = st.one_of(st.none(), st.floats(-1e6, 1e6))

    def columns(count):
        # The first value is given: a column without any value shows no kind in a text file.
        words = ["word", *(draw(text) for _ in range(count - 1))][:count]
        numbers = [0.5, *(draw(number) for _ in range(count - 1))][:count]
        return {"wört": Column.from_strings(words), "number": Column.from_numbers(numbers)} if count else {}

    return RawGraphs(
        graphs.node_offsets,
        graphs.edge_offsets,
        graphs.edges,
        columns(len(graphs.node_attrs)),
        columns(len(graphs.edges)),
        directed=graphs.directed,
        groups=graphs.groups,
        names=None if graphs.names is None else [f"graph {i} ü" for i in range(len(graphs))],
    )


@every_target
@given(graphs=raw_graphs())
def test_raw_graphs_come_back_as_they_were(file, format, keeps_empty, graphs):
    back = round_trip(FileContent(graphs), file, format)
    assert isinstance(back.graphs, RawGraphs)
    assert back.graphs == graphs
    assert back.targets is None


@pytest.mark.parametrize(("file", "format"), [("x.parquet", None), ("x.zip", "tu"), ("folder", "tu")])
def test_metadata_and_description_are_kept(file, format, tmp_path):
    content = FileContent(
        gq.GraphCollection([gq.Graph([1.0])]), metadata={"encoder": {"node": ["ä", 1.5]}}, description="Döts"
    )
    back = round_trip(content, file, format)
    assert back.metadata == content.metadata
    assert back.description == content.description


@pytest.mark.parametrize(("file", "format"), [("x.parquet", None), ("x.zip", "tu")])
def test_metadata_that_are_not_text_are_refused(file, format, tmp_path):
    """Half of a surrogate pair: escaped, it could be written, but readers refuse it."""
    content = FileContent(gq.GraphCollection([gq.Graph([1.0])]), metadata={"by": "\ud800"})
    with pytest.raises(FileFormatError, match=r"is not text that can be written \(surrogates not allowed\)"):
        write_file(content, tmp_path / file, format=format)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("file", ["x.jsonl", "x.graphml"])
def test_a_slice_is_written_without_its_neighbours(file):
    graphs = gq.GraphCollection([gq.Graph([float(i), 2.0], [(0, 1)], [[float(i)]]) for i in range(4)])
    assert round_trip(FileContent(graphs[1:3]), file, None).graphs == graphs[1:3]


@pytest.mark.parametrize("file", ["x.parquet", "x.jsonl", "x.graphml", "x.zip"])
def test_equal_content_gives_equal_bytes(file, tmp_path):
    graphs = gq.GraphCollection([gq.Graph([1.0, 2.0], [(0, 1)])], names=["pair"])
    format = "tu" if file.endswith(".zip") else None
    paths = [tmp_path / "a" / file, tmp_path / "b" / file]
    for path in paths:
        path.parent.mkdir()
        write_file(FileContent(graphs), path, format=format)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("file", ["x.jsonl", "x.graphml"])
def test_networkx_reads_what_we_write(file, tmp_path):
    graphs = gq.GraphCollection(
        [gq.Graph([[1.5, -2.0], [0.0, 1.0], [2.0, 2.0]], [(0, 1)], [[0.25]])], ["trio"]
    )
    write_file(FileContent(graphs), tmp_path / file)
    if file == "x.graphml":
        theirs = nx.read_graphml(tmp_path / file)
    else:
        theirs = nx.node_link_graph(json.loads((tmp_path / file).read_text()), edges="edges")
    assert theirs.name == "trio"
    assert [data["a0"] for _, data in theirs.nodes(data=True)] == [1.5, 0.0, 2.0]
    assert [data["a0"] for *_, data in theirs.edges(data=True)] == [0.25]


# Writing that fails: file, format, and a function that the writer calls while its file is half written.
FAILING = [
    ("x.parquet", None, "parquet._chunk"),
    ("x.jsonl", None, "jsonl._node_link"),
    ("x.jsonl.gz", None, "jsonl._node_link"),
    ("x.graphml", None, "graphml._graph_lines"),
    ("x.zip", "tu", "tu._text"),
    ("x.zip", "gxl", "gxl.gxl_text"),
]
OLD = gq.GraphCollection([gq.Graph([1.0])], names=["old"])
MANY = gq.GraphCollection([gq.Graph([float(i)]) for i in range(2000)])


@pytest.fixture
def written(request, tmp_path):
    """A file of one graph, and its format; in the end it must be as it was, and alone in its folder."""
    file, format = request.param
    path = tmp_path / file
    write_file(FileContent(OLD), path, format=format)
    before = path.read_bytes()
    yield path, format
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [file]
    assert read_file(path, format=format).graphs == OLD


@pytest.mark.parametrize(
    ("written", "step"), [((file, format), step) for file, format, step in FAILING], indirect=["written"]
)
@pytest.mark.parametrize(
    ("failure", "raised", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), FileFormatError, "No space left.*is unchanged"),
        (KeyboardInterrupt("Ctrl-C"), KeyboardInterrupt, "Ctrl-C"),
    ],
    ids=["full disk", "interrupted"],
)
def test_a_write_that_fails_half_way_leaves_the_old_file(
    written, step, failure, raised, message, monkeypatch
):
    path, format = written
    target = f"graphquant.io.{step}"
    real, calls = pkgutil.resolve_name(target), itertools.count()

    def fails_at_the_second_call(*args, **kwargs):
        if next(calls) == 1:
            raise failure
        return real(*args, **kwargs)

    monkeypatch.setattr(target, fails_at_the_second_call)
    with pytest.raises(raised, match=message):
        write_file(FileContent(MANY), path, format=format)


@pytest.mark.parametrize("written", [(file, format) for file, format, _ in FAILING], indirect=True)
def test_a_system_that_takes_no_more_bytes_leaves_the_old_file(written):
    resource = pytest.importorskip("resource", reason="only POSIX limits the size of files")
    path, format = written
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(FileFormatError, match=r"writing failed \(.*is unchanged"):
            write_file(FileContent(MANY), path, format=format)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    ("path", "format", "message"),
    [
        ("no/such/folder/x.parquet", None, "cannot be written .*Choose a folder that exists"),
        ("taken", "tu", "taken: the folder is not empty. Choose a new folder"),
        ("taken.jsonl", None, "taken.jsonl: is a folder, expected a file name"),
    ],
)
def test_a_target_that_cannot_be_written(path, format, message, tmp_path):
    for folder in ("taken", "taken.jsonl"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").touch()
    with pytest.raises(FileFormatError, match=message):
        write_file(FileContent(OLD), tmp_path / path, format=format)


@pytest.mark.parametrize(("file", "format"), [("x.jsonl", None), ("x.graphml", None), ("x.zip", "tu")])
def test_a_text_format_cannot_keep_no_graph(file, format, tmp_path):
    with pytest.raises(FileFormatError, match=r"no graphs to write.*Parquet"):
        write_file(FileContent(OLD[:0]), tmp_path / file, format=format)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("file", "format"), [("x.jsonl", None), ("x.graphml", None), ("x.zip", "tu")])
def test_groups_need_their_name(file, format, tmp_path):
    column = Column.from_numbers([1.0])
    raw = RawGraphs([0, 1], [0, 0], np.empty((0, 2), dtype=int), {"group": column}, {}, groups=[0])
    with pytest.raises(FileFormatError, match=r"attribute 'group' (clashes with|cannot be kept)"):
        write_file(FileContent(raw), tmp_path / file, format=format)


def test_xml_cannot_keep_every_character(tmp_path):
    with pytest.raises(FileFormatError, match=r"'a\\x00b' contains the character .*Parquet"):
        write_file(FileContent(OLD.with_names(["a\0b"])), tmp_path / "x.graphml")
    assert list(tmp_path.iterdir()) == []
