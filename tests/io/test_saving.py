"""What is saved takes the place of a file whole or not at all, and changes nothing else about it."""

import errno
import os
import sys

import pytest

import graphquant as gq
from graphquant.cli._formats import check_writable
from graphquant.exceptions import FileFormatError
from graphquant.io.base import atomic_path

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX permissions and links")


def save(path, text):
    with atomic_path(path) as temporary:
        temporary.write_text(text)


@POSIX
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_permissions_are_kept(mode, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(mode)
    save(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == mode


@POSIX
def test_a_link_stays_one(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("deep/real.txt")
    (tmp_path / "new.txt").symlink_to("deep/new.txt")
    for name in ("link.txt", "new.txt"):
        save(tmp_path / name, "new")
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / name).read_text() == "new"
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["new.txt", "real.txt"]


@POSIX
def test_a_pipe_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileFormatError, match="is a device or a pipe, not a file"):
        save(tmp_path / "pipe", "new")
    assert (tmp_path / "pipe").is_fifo()


@POSIX
@pytest.mark.skipif(sys.platform != "win32" and os.geteuid() == 0, reason="root may write anything")
def test_a_protected_file_is_not_replaced(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "a.txt").chmod(0o444)
    with pytest.raises(FileFormatError, match="the file is write-protected"):
        save(tmp_path / "a.txt", "new")


def test_a_folder_that_cannot_be_written_leaves_nothing(tmp_path):
    def write():
        with atomic_path(tmp_path / "new", folder=True) as temporary:
            (temporary / "inner").mkdir()
            (temporary / "inner" / "file").write_text("text")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        write()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("moment", ["write", "fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(moment, tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    if moment != "write":
        monkeypatch.setattr(os, moment, fail)

    def save_half():
        with atomic_path(path) as temporary:
            temporary.write_text("half")
            if moment == "write":
                fail()

    with pytest.raises(FileFormatError, match=r"No space left on device\); what was there before is unch"):
        save_half()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_drive_that_vanished_is_named(tmp_path, monkeypatch):
    """Neither the temporary file nor the old one can be reached any more."""

    def gone(*args, **kwargs):
        raise OSError(errno.EIO, "Input/output error")

    def save_to_nowhere():
        with atomic_path(tmp_path / "a.txt"):
            monkeypatch.setattr("graphquant.io.base._remove", gone)
            gone()

    with pytest.raises(FileFormatError, match="Input/output error"):
        save_to_nowhere()


def test_the_check_before_the_work_touches_nothing(tmp_path):
    """Once, a file called as the probe was deleted."""
    for name in (".c.parquet.probe", "c.parquet"):
        (tmp_path / name).write_text("mine")
    check_writable(tmp_path / "c.parquet")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        ".c.parquet.probe": "mine",
        "c.parquet": "mine",
    }
    with pytest.raises(FileFormatError, match="cannot be written"):
        check_writable(tmp_path / "none" / "c.parquet")


@POSIX
def test_a_codebook_is_saved_through_a_link(tmp_path):
    q = gq.GraphQuantizer(1, max_cycles=1, init="random", random_state=0).fit([gq.Graph([1.0])])
    q.save(tmp_path / "real.parquet")
    (tmp_path / "real.parquet").chmod(0o600)
    (tmp_path / "link.parquet").symlink_to(tmp_path / "real.parquet")
    q.save(tmp_path / "link.parquet")
    assert gq.load(tmp_path / "link.parquet").codebook_ == q.codebook_
    assert (tmp_path / "link.parquet").is_symlink()
    assert (tmp_path / "real.parquet").stat().st_mode & 0o777 == 0o600
