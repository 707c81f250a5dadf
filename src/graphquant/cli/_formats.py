"""Output formats of commands, from the suffix of a file or from an option; checked before the work."""

from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from graphquant.exceptions import FileFormatError

CODEBOOK_SUFFIXES = (".parquet", ".pq")


class OutputFormat(StrEnum):
    """How a result is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class RowFormat(StrEnum):
    """How rows are written, one per graph."""

    TABLE = "table"
    CSV = "csv"
    TSV = "tsv"
    JSON = "json"
    JSONL = "jsonl"
    PARQUET = "parquet"


RECORD_SUFFIXES: Mapping[str, OutputFormat] = {
    ".txt": OutputFormat.TABLE,
    ".json": OutputFormat.JSON,
    ".csv": OutputFormat.CSV,
}
ROW_SUFFIXES: Mapping[str, RowFormat] = {
    ".csv": RowFormat.CSV,
    ".tsv": RowFormat.TSV,
    ".json": RowFormat.JSON,
    ".jsonl": RowFormat.JSONL,
    ".ndjson": RowFormat.JSONL,
    ".parquet": RowFormat.PARQUET,
    ".pq": RowFormat.PARQUET,
    ".txt": RowFormat.TABLE,
}
_F = TypeVar("_F", bound=StrEnum)


def is_stdout(path: Path | None) -> bool:
    """Whether the output is stdout: no file was named, or ``-``."""
    return path is None or str(path) == "-"


def record_format(output: Path | None, given: OutputFormat | None) -> OutputFormat:
    """Return how to print or write a result, and refuse a file that cannot be written."""
    chosen = _chosen(output, given, RECORD_SUFFIXES) or OutputFormat.TABLE
    _check_file(output)
    return chosen


def row_format(output: Path | None, given: RowFormat | None) -> RowFormat:
    """Return how to print or write rows, and refuse a file that cannot be written.

    ``json`` is one array in a .json file, and one object per line where rows are a stream.
    """
    wanted = given
    suffix = "" if output is None else output.suffix.lower()
    if given is RowFormat.JSON and ROW_SUFFIXES.get(suffix) is not RowFormat.JSON:
        wanted = RowFormat.JSONL
    chosen = _chosen(output, wanted, ROW_SUFFIXES) or RowFormat.CSV
    if chosen is RowFormat.PARQUET and is_stdout(output):
        raise FileFormatError("Parquet is not written to stdout.", "Name a file: -o encodings.parquet")
    _check_file(output)
    return chosen


def _chosen(output: Path | None, given: _F | None, by_suffix: Mapping[str, _F]) -> _F | None:
    """Return the format on which suffix and option agree; None if there is neither."""
    suffix = "" if output is None or is_stdout(output) else output.suffix.lower()
    told = by_suffix.get(suffix)
    if told is None and suffix and given is None:
        raise FileFormatError(
            f"{output}: {output.suffix if output else ''} is not the suffix of an output format.",
            f"Name it {', '.join(by_suffix)}, or add --format.",
        )
    if told is not None and given is not None and told is not given:
        fitting = next(name for name, format in by_suffix.items() if format is given)
        assert output is not None
        raise FileFormatError(
            f"{output}: has the suffix of {told.value}, but --format says {given.value}.",
            f"Omit --format, or name the file {output.with_suffix(fitting)}.",
        )
    return told or given


def check_codebook_file(path: Path) -> None:
    """Refuse a codebook that could not be written, or not be recognised by its name."""
    if path.suffix.lower() not in CODEBOOK_SUFFIXES:
        raise FileFormatError(
            f"{path}: codebooks are Parquet files.", f"Name it {path.with_suffix('.parquet')}."
        )
    _check_file(path)


def check_page_file(path: Path) -> None:
    """Refuse a page that could not be written, or that no browser would recognise."""
    if is_stdout(path):
        return
    if path.suffix.lower() not in (".html", ".htm"):
        raise FileFormatError(
            f"{path}: the report is an HTML page.",
            f"Name it {path.with_suffix('.html')}, or give -o - for stdout.",
        )
    _check_file(path)


def check_graph_file(path: Path, format: str | None = None, *, has_format: bool = False) -> None:
    """Refuse a file, folder or zip of graphs that could not be written, or not in this format.

    ``has_format`` says whether the command has an option for the format.
    """
    from graphquant.io import format_names, get_format
    from graphquant.io.registry import SUFFIXES, suffix_format

    told = format or suffix_format(path)
    # Only the chosen format is checked: loading the others would take time.
    is_writable = told in format_names() and get_format(told).write is not None
    if not is_writable or path.suffix.lower() == ".cxl":
        writable = [name for name in format_names() if get_format(name).write is not None]
        suffixes = [suffix for suffix, name in SUFFIXES.items() if name in writable and suffix != ".cxl"]
        called = (
            f"the format {told} can be read, not written" if told else "its name does not say which format"
        )
        if path.suffix.lower() == ".cxl":
            called = "a CXL file alone contains no graphs"
        if format is not None and format not in format_names():
            called = f"there is no format {format}"
        option = ", or choose for a folder or zip with --output-format gxl or tu" if has_format else ""
        raise FileFormatError(f"{path}: {called}.", f"Name it {', '.join(suffixes)}{option}.")
    _check_file(path, folder=path.suffix == "" and told in ("gxl", "tu"))


def _check_file(path: Path | None, *, folder: bool = False) -> None:
    if path is not None and not is_stdout(path):
        check_writable(path, folder=folder)


def check_writable(path: Path, *, folder: bool = False) -> None:
    """Check before the work whether a file, or a new folder, can be written."""
    from graphquant.io.base import atomic_path

    # An existing folder shows what is wrong; otherwise create and remove a file next to the wanted one.
    is_there = path.is_dir()
    if is_there and folder and not any(path.iterdir()):
        return
    with suppress(_Enough), atomic_path(path, folder=is_there and folder):
        raise _Enough


class _Enough(Exception):  # noqa: N818
    """Ends what would replace a file, before it does."""


__all__ = [
    "CODEBOOK_SUFFIXES",
    "RECORD_SUFFIXES",
    "ROW_SUFFIXES",
    "OutputFormat",
    "RowFormat",
    "check_codebook_file",
    "check_graph_file",
    "check_page_file",
    "check_writable",
    "is_stdout",
    "record_format",
    "row_format",
]
