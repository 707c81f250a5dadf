import errno
import subprocess
import sys
from pathlib import Path

import pytest

import graphquant as gq
from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.io import FileContent, format_names, get_format, read_file, write_file
from graphquant.io.parquet import row_group_sizes

DOT = FileContent(gq.GraphCollection([gq.Graph([1.0])], names=["dot"]))


@pytest.mark.parametrize("name", format_names())
def test_every_format_can_be_had(name):
    format = get_format(name)
    assert format.name == name
    assert format.description


@pytest.mark.parametrize("name", format_names())
def test_no_format_claims_what_it_does_not_know(name, tmp_path):
    (tmp_path / "notes.txt").write_text("not a graph")
    assert not get_format(name).recognises(tmp_path / "notes.txt")
    assert not get_format(name).recognises(tmp_path)


@pytest.mark.parametrize(
    ("file", "format"),
    [
        ("x.parquet", None),
        ("x.pq", None),
        ("x.ndjson", None),
        ("x.graphml", None),
        ("x.zip", "tu"),
        ("x.zip", "gxl"),
        ("f", "tu"),
        ("f", "gxl"),
    ],
)
def test_a_format_is_found_again(file, format, tmp_path):
    write_file(DOT, str(tmp_path / file), format=format)
    assert read_file(str(tmp_path / file)).graphs == DOT.graphs


def test_parquet_is_found_by_its_content(tmp_path):
    write_file(DOT, tmp_path / "x.dat", format="parquet")
    assert read_file(tmp_path / "x.dat").graphs == DOT.graphs


@pytest.mark.parametrize(
    ("path", "options", "error", "message"),
    [
        ("missing.parquet", {}, FileFormatError, r"missing\.parquet: no such file or folder"),
        ("notes.txt", {}, FileFormatError, r"notes\.txt: not a format that graphquant knows\..*gxl: "),
        (".", {}, FileFormatError, "not a format that graphquant knows"),
        ("notes.txt", {"format": "tue"}, InvalidParameterError, "Unknown format 'tue'. Did you mean 'tu'"),
        (
            "notes.txt",
            {"on_error": "ignore"},
            InvalidParameterError,
            "Unknown on_error 'ignore'. Known: 'raise', 'skip'",
        ),
        (
            "x.parquet",
            {"row_group": 1},
            InvalidParameterError,
            "Unknown option of the format 'parquet': 'row_group'. Did you mean 'row_groups'",
        ),
    ],
)
def test_what_cannot_be_read(path, options, error, message, tmp_path):
    (tmp_path / "notes.txt").write_text("not a graph")
    write_file(DOT, tmp_path / "x.parquet")
    with pytest.raises(error, match=message):
        read_file(tmp_path / path, **options)


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    write_file(DOT, tmp_path / "x.parquet")

    def refuse(self, *args, **kwargs):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileFormatError, match=r"cannot be read \(Permission denied\)\. Check that you may"):
        read_file(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("file", "options", "error", "message"),
    [
        ("x.dat", {}, FileFormatError, r"the suffix '\.dat' does not say which format to write.*\.parquet"),
        ("x.zip", {}, FileFormatError, r"the suffix '\.zip' does not say which.*pass format= .*'tu'"),
        ("folder", {}, FileFormatError, "the suffix '' does not say which"),
        ("x.graphml.gz", {}, FileFormatError, r"the suffix '\.gz' does not say which"),
        ("x.parquet", {"level": 3}, InvalidParameterError, "Unknown option of the format 'parquet': 'level'"),
        (
            "x.dat",
            {"format": "parket"},
            InvalidParameterError,
            "Unknown format 'parket'. Did you mean 'parquet'",
        ),
    ],
)
def test_what_cannot_be_written(file, options, error, message, tmp_path):
    with pytest.raises(error, match=message):
        write_file(DOT, tmp_path / file, **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file", ["x.dat", "x.sdf.gz", "folder"])
def test_only_what_can_be_written_is_offered(file, tmp_path):
    with pytest.raises(FileFormatError, match=r"does not say which|not written") as info:
        write_file(DOT, tmp_path / file)
    for name in ("smi", "sdf", "cxl"):
        assert name not in info.value.hint
    assert "graphml" in info.value.hint


def test_what_was_repaired_is_not_a_flaw_of_the_file_that_is_written(tmp_path):
    content = FileContent(DOT.graphs, metadata={"repaired": ("a flaw",), "author": "me"})
    assert content.repaired == ("a flaw",)
    write_file(content, tmp_path / "x.parquet")
    assert read_file(tmp_path / "x.parquet").metadata == {"author": "me"}


def test_formats_that_repair_nothing_take_strict_too(tmp_path):
    write_file(DOT, tmp_path / "x.parquet")
    assert read_file(tmp_path / "x.parquet", strict=True).graphs == DOT.graphs


def test_one_target_for_each_graph(tmp_path):
    with pytest.raises(InvalidParameterError, match="2 targets for 1 graphs"):
        write_file(FileContent(DOT.graphs, ("a", "b")), tmp_path / "x.jsonl")


@pytest.mark.parametrize("file", ["x.parquet", "x.jsonl", "x.graphml"])
def test_a_name_that_is_no_text(file, tmp_path):
    with pytest.raises(FileFormatError, match=r"contains the character|is not text that can be written"):
        write_file(FileContent(DOT.graphs.with_names(["\udc80"])), tmp_path / file)
    assert list(tmp_path.iterdir()) == []


def test_options_reach_the_writer(tmp_path):
    write_file(
        FileContent(gq.GraphCollection([gq.Graph([1.0])] * 5)), tmp_path / "x.parquet", row_group_size=2
    )
    assert row_group_sizes(tmp_path / "x.parquet") == [2, 2, 1]


def test_the_front_door_loads_no_format():
    code = (
        "import sys, graphquant.io; "
        "print(*{'networkx', 'rdkit', 'lxml', 'pyarrow', 'pandas', 'graphquant.io.gxl'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""
