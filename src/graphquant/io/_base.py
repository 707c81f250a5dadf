"""What all file formats share: their result, their errors, atomic writing."""

import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphquant.exceptions import FileFormatError
from graphquant.graphs import GraphCollection, RawGraphs


@dataclass(frozen=True)
class Skipped:
    """A graph that was left out by ``on_error="skip"``, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class FileContent:
    """What a file holds: graphs, the class name of each, metadata, and what was skipped."""

    graphs: RawGraphs | GraphCollection
    targets: tuple[str, ...] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class Format:
    """One file format: how to recognise, read and write it.

    ``read(path, on_error=..., **options)`` returns :class:`FileContent`;
    ``write(content, path)`` writes it whole or not at all.
    """

    name: str
    description: str
    recognises: Callable[[Path], bool]
    read: Callable[..., FileContent]
    write: Callable[[FileContent, Path], None] | None = None


@contextmanager
def atomic_path(path: Path, *, folder: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that takes its place when the block ends well.

    An error or an interruption inside the block leaves what stood at ``path`` untouched and
    removes the temporary file. With ``folder=True`` the temporary path is a new folder, and an
    existing folder is only replaced if it is empty.
    """
    path = Path(path)
    if folder and path.is_dir() and any(path.iterdir()):
        raise FileFormatError(f"{path}: the folder is not empty.", "Choose a new folder, or empty this one.")
    if not folder and path.is_dir():
        raise FileFormatError(f"{path}: is a folder, expected a file name.", "Add a file name.")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        if folder:
            temporary.mkdir()
        else:
            temporary.touch()
    except OSError as err:
        raise FileFormatError(
            f"{path}: cannot be written ({err.strerror}).", "Choose a folder that exists and that you may write to."
        ) from err
    try:
        yield temporary
        if folder and path.is_dir():
            path.rmdir()
        os.replace(temporary, path)
    except OSError as err:
        raise FileFormatError(
            f"{path}: writing failed ({err.strerror}); what stood there before is unchanged.",
            "Free some space or choose another place.",
        ) from err
    finally:
        _remove(temporary)


def _remove(path: Path) -> None:
    if path.is_dir():
        for child in path.iterdir():
            _remove(child)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def number_or_error(text: str, where: str) -> float:
    """Return ``text`` as a number, or raise naming ``where`` it stands."""
    try:
        return float(text)
    except ValueError as err:
        raise not_a_number(text, where) from err


def not_a_number(text: str, where: str) -> FileFormatError:
    """Build the error for a value that should be a number."""
    return FileFormatError(f"{where}: {text!r} is not a number.", 'Mend the file, or read with on_error="skip".')


def names_or_numbers(names: Sequence[str] | None, count: int) -> list[str]:
    """Names of the graphs; their numbers if they have none."""
    return list(names) if names is not None else [str(i) for i in range(count)]


__all__ = [
    "FileContent",
    "Format",
    "Skipped",
    "atomic_path",
    "names_or_numbers",
    "not_a_number",
    "number_or_error",
]
