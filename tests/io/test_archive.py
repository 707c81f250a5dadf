"""Folders, zips and single files look alike, and no name leads out of them."""

import zipfile
from pathlib import Path

import pytest

from graphquant.exceptions import FileFormatError
from graphquant.io._archive import open_archive

FILES = {"a.txt": b"first", "sub/b.txt": b"second"}


@pytest.fixture
def folder(tmp_path):
    for name, data in FILES.items():
        file = tmp_path / "data" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return tmp_path / "data"


@pytest.fixture
def zipped(tmp_path):
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.mkdir("sub")
        for name, data in FILES.items():
            file.writestr(name, data)
    return path


@pytest.fixture(params=["folder", "zipped"])
def path(request):
    return request.getfixturevalue(request.param)


def test_members_are_listed_and_read(path):
    with open_archive(path) as archive:
        assert archive.names() == sorted(FILES)
        assert {name: archive.read(name) for name in archive.names()} == FILES
        assert archive.read("sub/../a.txt") == b"first"
        assert Path(archive.label("sub/b.txt")) == path / "sub/b.txt"


def test_a_single_file_is_an_archive_of_one(folder):
    with open_archive(folder / "a.txt") as archive:
        assert archive.names() == ["a.txt"]
        assert archive.read("a.txt") == b"first"
        assert archive.label("a.txt") == str(folder / "a.txt")
        with pytest.raises(FileFormatError, match=r"a\.txt: has no file 'b\.txt'"):
            archive.read("b.txt")


def test_a_missing_member_is_named(path):
    with (
        open_archive(path) as archive,
        pytest.raises(FileFormatError, match=r"has no file 'c\.txt'\. The data"),
    ):
        archive.read("c.txt")


def test_a_folder_is_not_a_member(folder):
    with open_archive(folder) as archive, pytest.raises(FileFormatError, match="sub: cannot be read"):
        archive.read("sub")


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "sub/../../secret", "..\\secret", "C:\\secret"])
def test_no_name_leads_out(path, name):
    with open_archive(path) as archive, pytest.raises(FileFormatError, match="points outside the data"):
        archive.read(name)


@pytest.mark.parametrize("name", ["../evil.txt", "/evil.txt", "a/../../evil.txt", "c:/evil.txt"])
def test_a_zip_with_members_outside_is_refused(tmp_path, name):
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("good.txt", "fine")
        file.writestr(name, "evil")
    with pytest.raises(FileFormatError, match=r"evil\.zip: the name .* points outside"), open_archive(path):
        pass


def test_a_name_may_start_with_dots(tmp_path):
    (tmp_path / "..a").write_bytes(b"odd")
    with open_archive(tmp_path) as archive:
        assert archive.read("..a") == b"odd"


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.9])
def test_a_truncated_zip_is_reported(zipped, keep):
    data = zipped.read_bytes()
    zipped.write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(FileFormatError, match=r"data\.zip: is not a complete zip file"), open_archive(zipped):
        pass


def test_a_zip_of_a_later_version_is_reported(zipped):
    data = zipped.read_bytes()
    at = data.index(b"PK\x01\x02") + 6
    zipped.write_bytes(data[:at] + b"\xf8" + data[at + 1 :])
    with pytest.raises(FileFormatError, match=r"data\.zip: .*zip file version 24\.8"), open_archive(zipped):
        pass


def test_a_member_may_have_no_name(tmp_path):
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as file:
        file.writestr("a.txt", b"first")
        file.writestr(zipfile.ZipInfo(""), b"second")
    with open_archive(tmp_path / "data.zip") as archive:
        assert archive.read("a.txt") == b"first"


def test_a_name_that_is_not_utf_8_is_reported(tmp_path):
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("\u00e9.txt", b"first")
    path.write_bytes(path.read_bytes().replace("\u00e9".encode(), b"\x80\x80"))
    with pytest.raises(FileFormatError, match=r"data\.zip: is not a complete zip file"), open_archive(path):
        pass


def test_a_damaged_member_is_reported(tmp_path):
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.txt", b"first" * 20)
    path.write_bytes(path.read_bytes().replace(b"firstfirst", b"worstworst", 1))
    with open_archive(path) as archive, pytest.raises(FileFormatError, match=r"a\.txt: cannot be unpacked"):
        archive.read("a.txt")


def test_nothing_there(tmp_path):
    with (
        pytest.raises(FileFormatError, match=r"absent: no such file or folder\. Check the path"),
        open_archive(tmp_path / "absent"),
    ):
        pass
