"""Rows as they come, one per graph: printed, or written to a file in one of the formats."""

import csv
import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from graphquant.cli._exit import InterruptedWorkError
from graphquant.cli._formats import RowFormat, is_stdout
from graphquant.cli._output import cells, print_note
from graphquant.cli._shown import shown, shown_json
from graphquant.exceptions import FileFormatError

if TYPE_CHECKING:
    import pyarrow as pa

Row = Mapping[str, Any]
_NUMBERS = (
    "code",
    "core_share",
    "distance",
    "largest_distance",
    "lower_bound",
    "mean_distance",
    "quantile",
    "size",
)
# What the system says without a name when a disk is full.
_NO_ROOM = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


class RowWriter(Protocol):
    """Accepts rows; the first ones determine the columns."""

    def write(self, rows: Iterable[Row]) -> None:
        """Write some rows, and flush them."""

    def close(self) -> None:
        """Write what comes after the last row."""


class _Lines:
    """JSON, an object per line."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, rows: Iterable[Row]) -> None:
        self._file.writelines(f"{_json(row, self._file)}\n" for row in rows)
        self._file.flush()

    def close(self) -> None:
        pass


class _Array:
    """One JSON array, an object per line."""

    def __init__(self, file: IO[str]) -> None:
        self._file, self._before = file, "[\n"

    def write(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._file.write(self._before + _json(row, self._file))
            self._before = ",\n"
        self._file.flush()

    def close(self) -> None:
        self._file.write("[]\n" if self._before == "[\n" else "\n]\n")


class _Separated:
    """CSV or TSV."""

    def __init__(self, file: IO[str], delimiter: str, escapes_formulas: bool) -> None:
        self._file, self._delimiter = file, delimiter
        self._escapes_formulas = escapes_formulas
        self._writer: csv.DictWriter[str] | None = None

    def write(self, rows: Iterable[Row]) -> None:
        for given in rows:
            row = cells(given, self._file, escapes_formulas=self._escapes_formulas)
            if self._writer is None:
                self._writer = csv.DictWriter(
                    self._file,
                    list(row),
                    delimiter=self._delimiter,
                    lineterminator="\n",
                    extrasaction="ignore",
                )
                self._writer.writeheader()
            self._writer.writerow({name: _plain(value) for name, value in row.items()})
        self._file.flush()

    def close(self) -> None:
        pass


class _Table:
    """Columns for people; later blocks keep the widths of the first."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._widths: dict[str, int] = {}

    def write(self, rows: Iterable[Row]) -> None:
        lines = [{shown(name): _cell(value) for name, value in row.items()} for row in rows]
        if not self._widths and lines:
            self._widths = {name: max(len(name), *(len(row[name]) for row in lines)) for name in lines[0]}
            lines.insert(0, {name: name.replace("_", " ") for name in lines[0]})
        for row in lines:
            line = "  ".join(self._aligned(name, row.get(name, "")) for name in self._widths)
            self._file.write(line.rstrip() + "\n")
        self._file.flush()

    def _aligned(self, name: str, cell: str) -> str:
        width = self._widths[name]
        return f"{cell:>{width}}" if name in _NUMBERS else f"{cell:<{width}}"

    def close(self) -> None:
        pass


class _Parquet:
    """A Parquet table."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None
        self._schema: pa.Schema | None = None

    def write(self, rows: Iterable[Row]) -> None:
        import pyarrow as pa

        items = list(rows)
        if self._writer is None:
            self._begin(items[0] if items else {})
        # Columns that only a later block has are dropped; columns that it lacks are null.
        self._writer.write(pa.Table.from_pylist(items, schema=self._schema))

    def _begin(self, first: Row) -> None:
        import pyarrow as pa

        from graphquant.io.tables import TableWriter

        types = {
            "code": pa.int64(),
            "distance": pa.float64(),
            "lower_bound": pa.float64(),
            "proven": pa.bool_(),
            "quantile": pa.float64(),
            "size": pa.int64(),
            "mean_distance": pa.float64(),
            "largest_distance": pa.float64(),
            "core_share": pa.float64(),
        }
        names = list(first) or ["graph", "code", "distance", "lower_bound", "proven"]
        self._schema = pa.schema([(name, types.get(name, pa.string())) for name in names])
        self._writer = TableWriter(self._path, self._schema)

    def close(self) -> None:
        if self._writer is None:
            self._begin({})
        self._writer.close()


def text_writer(file: IO[str], format: RowFormat, *, escapes_formulas: bool = True) -> RowWriter:
    """Return what writes rows as text; cells of CSV and TSV are no formulas unless that is allowed."""
    if format is RowFormat.JSONL:
        return _Lines(file)
    if format is RowFormat.JSON:
        return _Array(file)
    if format is RowFormat.TABLE:
        return _Table(file)
    return _Separated(file, "\t" if format is RowFormat.TSV else ",", escapes_formulas)


@contextmanager
def rows_to(path: Path | None, format: RowFormat, *, escapes_formulas: bool = True) -> Iterator[RowWriter]:
    """Yield what writes rows to stdout or a file, which gets its name when all rows are in it.

    Until then text is in ``FILE.part``, and stays there if the work fails: finished rows are never lost.
    Parquet is written completely or not at all.
    """
    if path is None or is_stdout(path):
        yield text_writer(sys.stdout, format, escapes_formulas=escapes_formulas)
        return
    if format is RowFormat.PARQUET:
        from graphquant.io.base import atomic_path

        with atomic_path(path) as temporary:
            table = _Parquet(temporary)
            yield table
            table.close()
        return
    with _part_of(path) as file:
        writer = text_writer(file, format, escapes_formulas=escapes_formulas)
        yield writer
        writer.close()


@contextmanager
def _part_of(path: Path) -> Iterator[IO[str]]:
    part = path.with_name(f"{path.name}.part")
    try:
        file = part.open("w", encoding="utf-8", newline="")
    except OSError as err:
        raise FileFormatError(
            f"{path}: cannot be written ({err.strerror}).",
            "Choose a folder that exists and that you may write to.",
        ) from err
    try:
        with file:
            yield file
    except KeyboardInterrupt:
        raise InterruptedWorkError("interrupted.", f"The finished rows are in {part}.") from None
    except BaseException as err:
        if isinstance(err, OSError) and err.errno in _NO_ROOM and err.filename is None:
            err.filename = str(part)
        # Only an empty file is lost.
        if part.stat().st_size == 0:
            part.unlink()
        else:
            print_note(f"the finished rows are in {part}", label="note")
        raise
    os.replace(part, path)


def _json(row: Row, file: IO[str]) -> str:
    text = json.dumps(row, ensure_ascii=False)
    return shown_json(text) if file.isatty() else text


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4f}" if isinstance(value, float) else shown(str(value))


__all__ = ["RowWriter", "rows_to", "text_writer"]
