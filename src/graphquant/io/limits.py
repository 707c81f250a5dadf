"""How much a file may ask for: what it unpacks to, and how many attributes it names.

A file of three megabytes can unpack to thousands of times its size, and a table can name a million columns.
Both are refused before they take memory. Files that are not packed may be of any size.
"""

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO, cast

from graphquant._validation import check_positive_int
from graphquant.exceptions import FileFormatError, InvalidParameterError

# Bytes that one packed file may hold, all members of a zip together.
MAX_UNPACKED = 2**32
# Data of graphs are packed to a twentieth or so; a hundredfold is possible, a thousandfold is an attack.
MAX_RATIO = 200
# Up to so many bytes the ratio does not matter.
_ALWAYS_FINE = 2**26
# No deflated file unpacks to more than so many times its size.
_MOST_DEFLATED = 1032
# Attributes of nodes or of edges, and columns of a table.
MAX_ATTRIBUTES = 10_000
# Cells of a table of attributes of which hardly any has a value.
_MANY_CELLS, _SPARSE = 10**8, 100

_VARIABLE = "GRAPHQUANT_MAX_UNPACKED"
_limit: ContextVar[int | None] = ContextVar("max_unpacked", default=None)


@contextmanager
def unpacking_up_to(max_unpacked: int | None) -> Iterator[None]:
    """Let packed files that are read in this block hold so many bytes, however well they are packed.

    Examples
    --------
    >>> with unpacking_up_to(2**40):
    ...     check_unpacked("letters.zip", n_bytes=2**34, n_packed=2**20)
    """
    if max_unpacked is not None:
        check_positive_int("max_unpacked", max_unpacked)
    token = _limit.set(max_unpacked)
    try:
        yield
    finally:
        _limit.reset(token)


def check_unpacked(label: str | Path, n_bytes: int, n_packed: int) -> None:
    """Refuse what unpacks to too many bytes, or to a size that no data have.

    Raises
    ------
    FileFormatError
        Naming the limit and how to raise it.
    """
    own = _own_limit()
    if n_bytes <= (own or _ALWAYS_FINE):
        return
    if own is None and n_bytes <= MAX_UNPACKED and n_bytes <= MAX_RATIO * n_packed:
        return
    size = f"{n_bytes / 2**20:,.0f} MiB"
    if own is None and n_bytes > MAX_RATIO * n_packed:
        problem = f"unpacks to {size} or more, over {MAX_RATIO} times its size, as no data of graphs do"
    else:
        problem = f"unpacks to {size} or more, over the limit of {(own or MAX_UNPACKED) / 2**20:,.0f} MiB"
    raise FileFormatError(
        f"{label}: {problem}.",
        f"If you trust the file, allow more by the environment variable {_VARIABLE}, "
        "or by max_unpacked=BYTES.",
    )


@contextmanager
def open_packed(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, through gzip if it is called ``.gz``, and count what it unpacks to."""
    if path.suffix.lower() != ".gz":
        with path.open("rb") as plain:
            yield plain
        return
    _check_whole(path)
    with gzip.open(path) as packed, io.BufferedReader(_Counted(packed, path), 2**18) as counted:
        yield cast("IO[bytes]", counted)


def _check_whole(path: Path) -> None:
    """Count what a file unpacks to before anything is made of it: graphs take much more than their text."""
    if path.stat().st_size * _MOST_DEFLATED <= (_own_limit() or _ALWAYS_FINE):
        return
    # Whoever reads a damaged file says what is wrong with it, and where.
    with suppress(OSError, EOFError, zlib.error), gzip.open(path) as packed:
        counted, buffer = _Counted(packed, path), memoryview(bytearray(2**18))
        while counted.readinto(buffer):
            pass


class _Counted(io.RawIOBase):
    """Bytes of a packed file, up to the limit."""

    def __init__(self, packed: gzip.GzipFile, path: Path) -> None:
        self._packed, self._path = packed, path
        self._size, self._count = path.stat().st_size, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = self._packed.readinto(buffer)
        self._count += count
        check_unpacked(self._path, self._count, self._size)
        return count


def check_attributes(label: object, what: str, count: int) -> None:
    """Refuse more attributes of nodes or edges than data have."""
    if count > MAX_ATTRIBUTES:
        raise FileFormatError(
            f"{label}: there are more than {MAX_ATTRIBUTES:,} {what}.",
            "Leave out what you do not need; put long vectors into fewer attributes.",
        )


def check_cells(label: object, what: str, n_columns: int, n_rows: int, n_values: int) -> None:
    """Refuse attributes that hardly any node or edge has, where a table of them would take much memory."""
    cells = n_columns * n_rows
    if cells > _MANY_CELLS and cells > _SPARSE * n_values:
        raise FileFormatError(
            f"{label}: there are {n_columns:,} attributes of {n_rows:,} {what}s, "
            f"and less than one in {_SPARSE} has a value.",
            "Use one attribute with many values instead of one attribute for each value.",
        )


def _own_limit() -> int | None:
    """Return the limit that the user has set."""
    given = _limit.get()
    text = os.environ.get(_VARIABLE)
    if given is not None or not text:
        return given
    try:
        return check_positive_int(_VARIABLE, int(text))
    except ValueError as err:
        raise InvalidParameterError(
            f"The environment variable {_VARIABLE} is not a number of bytes: {text!r}.",
            "For example 8589934592.",
        ) from err


__all__ = [
    "MAX_ATTRIBUTES",
    "MAX_RATIO",
    "MAX_UNPACKED",
    "check_attributes",
    "check_cells",
    "check_unpacked",
    "open_packed",
    "unpacking_up_to",
]
