"""One view of a folder, a zip file or a single file: names of members, and their bytes.

Data sets come as folders or as zips of such folders. Readers ask an :class:`Archive` for
members by relative name (with ``/``) and need not know which of the two they read. Nothing is
unpacked to disk, and no name leads out of the archive.
"""

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from graphquant.exceptions import FileFormatError
from graphquant.io.limits import MAX_RATIO, check_unpacked

# What zipfile raises for damaged or unsupported members, depending on where the damage is.
# ValueError is for names that are not the UTF-8 that they claim to be.
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)


class Archive(Protocol):
    """Members by relative name."""

    def names(self) -> list[str]:
        """Relative names of all files, sorted, with ``/`` between folders."""

    def read(self, name: str) -> bytes:
        """Bytes of a member; if it cannot be read, the error names the archive and the member."""

    def label(self, name: str) -> str:
        """Name of a member in messages: ``Letter.zip/LOW/test.cxl``."""


@contextmanager
def open_archive(path: str | Path) -> Iterator[Archive]:
    """Open a folder, a zip file, or a single file as an archive with one member.

    Raises
    ------
    FileFormatError
        If there is nothing at ``path``, or a zip is damaged or has members outside its folder.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt").write_text("hello")
    ...     with open_archive(folder) as archive:
    ...         archive.names(), archive.read("a.txt")
    (['a.txt'], b'hello')
    """
    path = Path(path)
    if path.is_dir():
        yield _Folder(path)
    elif not path.exists():
        raise FileFormatError(f"{path}: no such file or folder.", "Check the path.")
    elif path.suffix.lower() == ".zip":
        with _open_zip(path) as file:
            yield _Zip(path, file)
    else:
        yield _SingleFile(path)


def member_names(path: Path) -> list[str]:
    """Return the names in a folder or zip; those of the last zip are cached, because every format asks."""
    if path.is_dir():
        with open_archive(path) as archive:
            return archive.names()
    try:
        status = path.stat()
    except OSError as err:
        raise _unreadable(str(path), err) from err
    return list(_names_in_zip(path, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=1)
def _names_in_zip(path: Path, changed: int, size: int) -> tuple[str, ...]:
    with open_archive(path) as archive:
        return tuple(archive.names())


def confined(name: str, label: str) -> str:
    """Return ``name`` in its simplest form, or raise if it leads out of the archive."""
    simple = posixpath.normpath(name.replace("\\", "/"))
    first = simple.split("/")[0]
    if first in ("", "..") or ":" in first:  # absolute, above, or on a Windows drive
        raise FileFormatError(
            f"{label}: the name {name!r} points outside the data.",
            "Get the data from a source that you trust; names must be relative and stay inside.",
        )
    return simple


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def names(self) -> list[str]:
        files = (file for file in self._path.rglob("*") if file.is_file())
        return sorted(file.relative_to(self._path).as_posix() for file in files)

    def read(self, name: str) -> bytes:
        return _read_file(self._path / confined(name, str(self._path)), self.label(name))

    def label(self, name: str) -> str:
        return str(self._path / name)


class _SingleFile:
    def __init__(self, path: Path) -> None:
        self._path = path

    def names(self) -> list[str]:
        return [self._path.name]

    def read(self, name: str) -> bytes:
        if name != self._path.name:
            raise _no_such_member(name, str(self._path))
        return _read_file(self._path, str(self._path))

    def label(self, name: str) -> str:
        return str(self._path.with_name(name))


class _Zip:
    def __init__(self, path: Path, file: zipfile.ZipFile) -> None:
        self._path = path
        self._file = file
        self._n_read = 0
        # Unlike is_dir(), this takes a name that is empty.
        self._members = {
            confined(info.filename, str(path)): info
            for info in file.infolist()
            if not info.filename.endswith("/")
        }

    def names(self) -> list[str]:
        return sorted(self._members)

    def read(self, name: str) -> bytes:
        info = self._members.get(name) or self._members.get(confined(name, str(self._path)))
        if info is None:
            raise _no_such_member(name, str(self._path))
        # As the directory of the zip says, which reading holds it to.
        check_unpacked(self.label(name), info.file_size, info.compress_size)
        self._n_read += info.file_size
        check_unpacked(self._path, self._n_read, max(self._path.stat().st_size, self._n_read // MAX_RATIO))
        try:
            return self._file.read(info)
        except _ZIP_ERRORS as err:
            raise FileFormatError(
                f"{self.label(name)}: cannot be unpacked ({err}).",
                "The zip is damaged or uses a feature that is not supported; get it again.",
            ) from err

    def label(self, name: str) -> str:
        return f"{self._path}/{name}"


@contextmanager
def _open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        file = zipfile.ZipFile(path)
    except OSError as err:
        raise _unreadable(str(path), err) from err
    except _ZIP_ERRORS as err:
        raise FileFormatError(
            f"{path}: is not a complete zip file ({err}).", "It may be truncated or damaged; get it again."
        ) from err
    with file:
        yield file


def _read_file(path: Path, label: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as err:
        raise _no_such_member(path.name, str(path.parent)) from err
    except OSError as err:
        raise _unreadable(label, err) from err


def _no_such_member(name: str, container: str) -> FileFormatError:
    return FileFormatError(f"{container}: has no file {name!r}.", "The data may be incomplete; get it again.")


def _unreadable(label: str, err: OSError) -> FileFormatError:
    return FileFormatError(
        f"{label}: cannot be read ({err.strerror or err}).", "Check that the file exists and may be read."
    )


__all__ = ["Archive", "confined", "member_names", "open_archive"]
