"""Partitions: which files and row groups an address stands for."""

from pathlib import Path

import pytest

import graphquant as gq
from graphquant.exceptions import FileFormatError
from graphquant.io import FileContent, write_file
from graphquant.io.partitions import find_partitions

DOTS = gq.GraphCollection([gq.Graph([float(value)]) for value in range(5)])


def test_row_groups_of_a_file(tmp_path: Path):
    path = tmp_path / "dots.parquet"
    write_file(FileContent(DOTS), path, row_group_size=2)
    header, parts = find_partitions(path)
    assert header.kind == "vectors"
    assert [part.n_rows for part in parts] == [2, 2, 1]
    assert gq.GraphCollection.concatenate([part.read().graphs for part in parts]) == DOTS


def test_files_of_a_folder_are_sorted_and_others_left_alone(tmp_path: Path):
    for name in ("b.parquet", "a.pq", "sub/c.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_file(FileContent(DOTS), tmp_path / name)
    (tmp_path / "README.txt").write_text("not a collection")
    names = [Path(part.address).name for part in find_partitions(tmp_path)[1]]
    assert names == ["a.pq", "b.parquet", "c.parquet"]


def test_an_address_of_another_file_system(tmp_path: Path):
    fsspec = pytest.importorskip("fsspec")
    write_file(FileContent(DOTS), tmp_path / "dots.parquet", row_group_size=3)
    files = fsspec.filesystem("memory")
    files.pipe_file("/letters/dots.parquet", (tmp_path / "dots.parquet").read_bytes())
    for address in ("memory://letters/dots.parquet", "memory://letters", "memory://letters/*.parquet"):
        parts = find_partitions(address)[1]
        assert [part.n_rows for part in parts] == [3, 2]
        assert parts[1].read().graphs == DOTS[3:]
    source = gq.scan("memory://letters")
    assert repr(source) == "GraphSource('memory://letters', 5 graphs in 2 partitions)"


@pytest.mark.parametrize("address", ["nowhere.parquet", "memory://nowhere", "*.parquet"])
def test_nothing_there(address: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileFormatError, match=r"no such Parquet file|cannot be listed"):
        find_partitions(address)


def test_files_that_do_not_belong_together(tmp_path: Path):
    write_file(FileContent(DOTS), tmp_path / "a.parquet")
    directed = gq.GraphCollection([gq.Graph([1.0], [], directed=True)])
    write_file(FileContent(directed), tmp_path / "b.parquet")
    with pytest.raises(FileFormatError, match=r"b\.parquet: directed is True, but False in .*a\.parquet"):
        find_partitions(tmp_path)


def test_files_of_different_encoders(tmp_path: Path):
    for name in ("a", "b"):
        write_file(FileContent(DOTS, metadata={"encoder": {"name": name}}), tmp_path / f"{name}.parquet")
    with pytest.raises(FileFormatError, match="made by another encoder"):
        find_partitions(tmp_path)
