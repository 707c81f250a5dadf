"""GXL and CXL: what comes back after writing, and what is left behind if writing fails."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphquant as gq
from graphquant.exceptions import FileFormatError
from graphquant.graphs import Column, RawGraphs
from graphquant.io import FileContent, gxl
from tests.io.gxl_documents import put
from tests.strategies import collections


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
            r"node attribute 's': '\\x01' contains the character",
        ),
        (
            FileContent(one_node(x=Column(np.array([np.inf])))),
            "node attribute 'x': inf is not a finite number",
        ),
        (
            FileContent(one_node(x=Column(np.array([1.0]))), ("\x02",)),
            "class of 'g': .* which XML cannot represent",
        ),
        (FileContent(one_node(**{"\x03": Column(np.array([1.0]))})), "contains the character '\\\\x03'"),
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
    with pytest.raises(FileFormatError, match=r"x\.cxl: a CXL file alone contains no graphs"):
        gxl.write(content, tmp_path / "x.cxl")
