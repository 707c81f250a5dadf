"""The files of one TU collection as arrays, with errors that name the file and the line."""

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from graphquant._typing import AnyArray
from graphquant._validation import check_choice
from graphquant.exceptions import FileFormatError
from graphquant.io._archive import Archive
from graphquant.io.strict_json import parse_json

SIDE_FILE = "graphquant.json"


@dataclass(frozen=True)
class Labels:
    """Name of a column of labels, and the category of each code (None: plain numbers)."""

    name: str
    categories: list[str] | None


@dataclass(frozen=True)
class Side:
    """What the format has no place for, from the side file that our writer adds."""

    directed: bool | None = None
    names: list[str] | None = None
    targets: list[str] | None = None
    node_labels: list[Labels] | None = None
    edge_labels: list[Labels] | None = None
    node_attributes: list[str] | None = None
    edge_attributes: list[str] | None = None
    flags: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    description: str | None = None

    @classmethod
    def from_json(cls, text: str) -> "Side":
        """Parse the side file; TypeError or ValueError if it is not valid."""
        data = parse_json(text)
        if not isinstance(data, dict):
            raise TypeError("not a JSON object")
        for key in ("node_labels", "edge_labels"):
            data[key] = None if data.get(key) is None else [Labels(**entry) for entry in data[key]]
        side = cls(**data)
        labels = [*(side.node_labels or ()), *(side.edge_labels or ())]
        lists = (side.names, side.targets, side.node_attributes, side.edge_attributes)
        for texts in (*lists, *(label.categories for label in labels), [label.name for label in labels]):
            if texts is not None:
                _check_kind(texts, list)
                for text in texts:
                    _check_kind(text, str)
        for value, kind in ((side.directed, bool), (side.description, str)):
            if value is not None:
                _check_kind(value, kind)
        _check_kind(side.flags, dict)
        _check_kind(side.metadata, dict)
        return side


def _check_kind(value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is not a {kind.__name__}")


class TuFiles:
    """The files of one collection in a folder or zip.

    Parameters
    ----------
    archive : Archive
    container : object
        What messages call the folder or zip.
    name : str, optional
        Name of the collection, if there are several.
    """

    def __init__(self, archive: Archive, container: object, name: str | None = None) -> None:
        prefixes = collection_prefixes(archive.names())
        if not prefixes:
            raise FileFormatError(
                f"{container}: no file is called ..._A.txt, which holds the edges of a TU collection.",
                "Give the folder or zip that contains the collection.",
            )
        if name is not None:
            check_choice("collection", name, prefixes)
        elif len(prefixes) > 1:
            raise FileFormatError(
                f"{container}: contains several collections: {', '.join(sorted(prefixes))}.",
                "Give the folder of one of them, or choose with name=.",
            )
        self.name = name or next(iter(prefixes))
        self._archive = archive
        self._prefix = prefixes[self.name]
        self._names = set(archive.names())

    def has(self, what: str) -> bool:
        """Whether there is a file ``NAME_what.txt``."""
        return self._file(what) in self._names

    def label(self, what: str) -> str:
        """Name of a file in messages."""
        return self._archive.label(self._file(what))

    def text(self, what: str) -> str:
        """Text of a file that must exist."""
        if not self.has(what):
            raise FileFormatError(
                f"{self.label(what)}: the file is missing.",
                f"A TU collection has at least {self.name}_A.txt and {self.name}_graph_indicator.txt.",
            )
        try:
            return self._archive.read(self._file(what)).decode("utf-8-sig")
        except UnicodeDecodeError as err:
            raise FileFormatError(
                f"{self.label(what)}: not UTF-8 text ({err.reason}).", "Download it again."
            ) from err

    def numbers(self, what: str, dtype: type[np.generic], columns: int | None = None) -> AnyArray:
        """Comma-separated numbers of a file, one row per line; ``columns`` of them, if that is known."""
        text = self.text(what)
        if not text.strip():
            return np.empty((0, columns or 0), dtype=dtype)
        try:
            table = _parse(text, dtype)
        except ValueError as err:
            raise self._complaint(what, text, dtype) from err
        self._check_width(what, table.shape[1], columns)
        if np.issubdtype(dtype, np.floating) and np.isinf(table).any():
            line = int(np.argwhere(np.isinf(table))[0, 0]) + 1
            raise FileFormatError(
                f"{self.label(what)}: line {line} contains an infinite number.", "Fix the file."
            )
        return table

    def cells(self, what: str, count: int, columns: int | None = None) -> list[list[str]]:
        """Texts of a file that holds more than numbers: one list of ``count`` values per column.

        An empty line is a row without values, if there are ``count`` lines including it.
        """
        lines = [line.strip() for line in self.text(what).splitlines()]
        while len(lines) > count and not lines[-1]:
            del lines[-1]
        if len(lines) != count:
            lines = [line for line in lines if line]
        rows = [[cell.strip() for cell in line.split(",")] for line in lines]
        width = max((len(row) for row in rows), default=0)
        rows = [row if any(row) else [""] * width for row in rows]
        if any(len(row) != width for row in rows):
            raise self._complaint(what, self.text(what), np.float64)
        self._check_width(what, width, columns)
        return [list(column) for column in zip(*rows, strict=True)]

    def _check_width(self, what: str, width: int, expected: int | None) -> None:
        if expected is not None and width != expected:
            raise FileFormatError(
                f"{self.label(what)}: {width} numbers per line, expected {expected}.", "Download it again."
            )

    def side(self) -> Side:
        """Content of the side file; all defaults if there is none."""
        file = f"{self._prefix}{SIDE_FILE}"
        if file not in self._names:
            return Side()
        try:
            return Side.from_json(self._archive.read(file).decode())
        except (TypeError, ValueError) as err:
            raise FileFormatError(
                f"{self._archive.label(file)}: not the side file of a collection ({err}).",
                "Write the collection again, or remove this file to read the plain TU collection.",
            ) from err

    def _file(self, what: str) -> str:
        return f"{self._prefix}{what}.txt"

    def _complaint(self, what: str, text: str, dtype: type[np.generic]) -> FileFormatError:
        """Find the line that numpy could not read."""
        kind, convert = ("whole number", int) if np.issubdtype(dtype, np.integer) else ("number", float)
        lines = [(i, line.split(",")) for i, line in enumerate(text.splitlines(), start=1) if line.strip()]
        width = len(lines[0][1])
        for number, values in lines:
            where = f"{self.label(what)}: line {number}"
            if len(values) != width:
                return FileFormatError(
                    f"{where} has {len(values)} values, the lines before it have {width}.",
                    "Put the same number of values on every line.",
                )
            for value in values:
                try:
                    convert(value)
                except ValueError:
                    return FileFormatError(f"{where}: {value.strip()!r} is not a {kind}.", "Fix the file.")
        return FileFormatError(f"{self.label(what)}: some numbers cannot be stored.", "Fix the file.")


def _parse(text: str, dtype: type[np.generic]) -> AnyArray:
    try:
        return np.loadtxt(io.StringIO(text), dtype=dtype, delimiter=",", comments=None, ndmin=2)
    except ValueError:
        # Lines of blanks, and commas or blanks at the end of lines.
        lines = [line.strip().removesuffix(",") for line in text.splitlines() if line.strip()]
        return np.loadtxt(lines, dtype=dtype, delimiter=",", comments=None, ndmin=2)


def collection_prefixes(names: Iterable[str]) -> dict[str, str]:
    """Map the name of each collection among files to the path before ``A.txt``."""
    edges = [PurePosixPath(name) for name in names if name.endswith("_A.txt")]
    return {path.name.removesuffix("_A.txt"): str(path).removesuffix("A.txt") for path in edges}


__all__ = ["SIDE_FILE", "Labels", "Side", "TuFiles", "collection_prefixes"]
