"""Tables of molecules as text: the separator, the header if any, and the column that holds the SMILES.

The first lines decide. A separator is chosen if it gives these lines the same number of cells and one of
the columns holds SMILES; blanks are what remains. A column holds SMILES if its name says so, or if
most of its first cells are valid SMILES. Line 1 is a header if it names such a column, or if its cell
above the SMILES cannot be one.
"""

import codecs
import csv
import difflib
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from graphquant.exceptions import FileFormatError, GraphQuantError, InvalidParameterError
from graphquant.graphs.molecules import looks_like_smiles
from graphquant.io.limits import check_attributes, open_packed

# With equally many columns the first of these wins: a comma may also occur in numbers and names.
_SEPARATORS = ("\t", ";", "|", ",")
_SAMPLE = 50
_STRUCTURE_NAMES = ("structure", "molecule", "mol", "compound")
_SMILES_TOKENS = re.compile(r"(?:\[[^\]]*\]|Cl|Br|[BCNOPSFIbcnops]|[-=#$:/\\.()%0-9@+])+")


@dataclass(frozen=True)
class Options:
    """Columns that the user named, and the encoding of the text."""

    smiles: str | None = None
    name: str | None = None
    target: str | None = None
    encoding: str = "utf-8"


@dataclass(frozen=True)
class Layout:
    """How to read a table: cells, names of columns, and their roles."""

    separator: str | None  # None: blanks
    names: tuple[str, ...]
    has_header: bool
    smiles: int
    name: int | None = None
    target: int | None = None

    @property
    def others(self) -> list[int]:
        """All columns except those of names and targets."""
        return [i for i in range(len(self.names)) if i not in (self.name, self.target)]


@dataclass(frozen=True)
class MoleculeRow:
    """One molecule of a table; empty cells are None."""

    line: int
    cells: list[str | None]
    n_cells: int  # also those beyond the columns

    def cell(self, column: int | None) -> str | None:
        """Return a cell, None if there is no such column."""
        return None if column is None else self.cells[column]


def is_recognised(path: Path) -> bool:
    """Whether the suffix is one of SMILES files, or the first lines show a table with a column of SMILES."""
    return _is_smiles_file(path) or (
        _suffix(path) in (".csv", ".tsv", ".tab", ".txt") and _shows_smiles(path)
    )


def layout_of(path: Path, options: Options) -> Layout:
    """Find out how to read a table; an error if no column holds SMILES."""
    with _text(path, options.encoding) as file:
        sample = _sample(_Lines(file, path))
        layout = _layout(sample, path, options)
    if layout is None:
        raise _no_smiles(sample, path, options)
    return layout


def rows_of(path: Path, layout: Layout, encoding: str) -> Iterator[MoleculeRow]:
    """Iterate over the molecules; each has a cell for every column."""
    width = len(layout.names)
    with _text(path, encoding) as file:
        lines = _Lines(file, path)
        is_header = layout.has_header
        for row in _split(lines, layout.separator, width):
            cells = [cell.strip() or None for cell in row]
            if any(cells) and not is_header:
                n_cells = max(i for i, cell in enumerate(cells, start=1) if cell)
                padded = cells[:width] + [None] * (width - len(cells))
                yield MoleculeRow(lines.number, padded, n_cells)
            is_header = is_header and not any(cells)


class _Lines(Iterator[str]):
    """Lines of a file without comments, and the number of the last one."""

    def __init__(self, file: Iterable[str], path: Path) -> None:
        self._file = enumerate(file, start=1)
        self._comments = _is_free_text(path)
        self.number = 0

    def __next__(self) -> str:
        for number, line in self._file:
            self.number = number
            if not (self._comments and line.startswith("#")):
                return line
            if self.number == 1 and line[1:].lstrip().lower().startswith("smiles"):
                return line[1:].lstrip()  # a header, marked as a comment
        raise StopIteration


@contextmanager
def _text(path: Path, encoding: str, errors: str = "strict") -> Iterator[io.TextIOBase]:
    """Open a file as text, also a compressed one; errors say what is wrong with its bytes."""
    encoding = _known_encoding(encoding)
    try:
        with (
            open_packed(path) as binary,
            io.TextIOWrapper(binary, encoding=encoding, errors=errors, newline="") as file,
        ):
            yield file
    except UnicodeDecodeError as err:
        shown = "UTF-8" if encoding == "utf-8-sig" else encoding
        raise FileFormatError(
            f"{path}: not a text file in {shown} ({err}).",
            'Save it as UTF-8, or name its encoding, for example encoding="latin-1".',
        ) from err
    except csv.Error as err:
        raise FileFormatError(f"{path}: not a table ({err}).", "Check the quotes.") from err
    except (EOFError, zlib.error, gzip.BadGzipFile) as err:
        raise FileFormatError(
            f"{path}: the compressed file is damaged or truncated ({err}).", "Download it again."
        ) from err


def _known_encoding(encoding: str) -> str:
    """Return the usual name of an encoding; the one for UTF-8 accepts a byte order mark."""
    try:
        name = codecs.lookup(encoding).name
    except LookupError as err:
        raise InvalidParameterError(f"encoding={encoding!r} is not known.", 'Try "latin-1".') from err
    return "utf-8-sig" if name == "utf-8" else name


def _suffix(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _is_smiles_file(path: Path) -> bool:
    return _suffix(path) in (".smi", ".smiles")


def _is_free_text(path: Path) -> bool:
    """Whether lines that are not a table are ``SMILES name``, and may be comments."""
    return _is_smiles_file(path) or _suffix(path) == ".txt"


def _shows_smiles(path: Path) -> bool:
    with _text(path, "utf-8", errors="replace") as file:
        return _layout(_sample(_Lines(file, path)), path, Options()) is not None


def _no_smiles(sample: Sequence[str], path: Path, options: Options) -> GraphQuantError:
    """Build the error for a table in which nothing looks like SMILES."""
    if not sample:
        return FileFormatError(f"{path}: is empty.", "Check that this is the right file.")
    names = max((_cells(sample, separator)[0] for separator in _SEPARATORS), key=len)
    if options.smiles is not None:
        return _unknown_column(options.smiles, names, path)
    return FileFormatError(
        f"{path}: no column of SMILES found. Line 1 has the cells {', '.join(map(repr, names))}.",
        "Name the column with smiles=.",
    )


def _sample(lines: Iterator[str]) -> list[str]:
    return [line for line in islice(lines, _SAMPLE) if line.strip(" \t\r\n,;|")]


def _split(lines: Iterable[str], separator: str | None, width: int) -> Iterator[list[str]]:
    if separator is not None:
        return csv.reader(lines, delimiter=separator, skipinitialspace=True)
    return (line.split(maxsplit=width - 1) for line in lines)


def _cells(sample: Sequence[str], separator: str | None) -> list[list[str]]:
    """Cells of the first lines; with blanks, the header tells how many, or there are two."""
    if separator is not None:
        return [[cell.strip() for cell in row] for row in _split(sample, separator, 0)]
    words = sample[0].split() if sample else []
    width = max(2, len(words)) if _names_smiles(words) else 2
    return [[cell.strip() for cell in row] for row in _split(sample, None, width)]


def _layout(sample: Sequence[str], path: Path, options: Options) -> Layout | None:
    """Try all separators and choose the one that gives the most columns, one of them SMILES."""
    cells = {separator: _cells(sample, separator) for separator in _SEPARATORS}
    regular = [separator for separator in _SEPARATORS if _is_regular(cells[separator])]
    by_width = sorted(regular, key=lambda separator: -len(cells[separator][0]))
    # What remains is a single column, with quotes perhaps, or words between blanks.
    for separator in (*by_width, *(() if _is_free_text(path) else (",",)), None):
        layout = _layout_of_rows(_cells(sample, separator), separator, path, options)
        if layout is not None:
            return layout
    return None


def _is_regular(rows: list[list[str]]) -> bool:
    """Whether line 1 has several cells and nearly all other lines have as many."""
    if not rows or len(rows[0]) < 2:
        return False
    return sum(len(row) != len(rows[0]) for row in rows) * 10 <= len(rows)


def _layout_of_rows(
    rows: list[list[str]], separator: str | None, path: Path, options: Options
) -> Layout | None:
    """Name the columns and find the one of the SMILES; None if there is none."""
    if not rows:
        return Layout(None, ("smiles", "name"), False, 0, 1) if _is_smiles_file(path) else None
    check_attributes(path, "columns", max(map(len, rows)))
    named = _named_column(rows, options.smiles)
    chosen = [name for name in (options.smiles, options.name, options.target) if name is not None]
    has_header = named is not None or any(_position(name, rows[0]) is not None for name in chosen)
    smiles = named
    if smiles is None and not (has_header and options.smiles is not None):
        smiles = _column_by_content(rows[1:] or rows)
    if smiles is None and separator is None and _is_smiles_file(path):
        smiles = 0
    if smiles is None:
        return None
    if not has_header and not _is_smiles_file(path):
        has_header = _SMILES_TOKENS.fullmatch(_cell(rows[0], smiles)) is None
    names = _names(rows[0], smiles, has_header=has_header, second=separator is None or _is_free_text(path))
    layout = Layout(separator, names, has_header, smiles)
    return _with_roles(layout, rows[has_header:], path, options)


def _named_column(rows: list[list[str]], name: str | None) -> int | None:
    """Find the column of SMILES by its name: the one that the user gave, or a usual one."""
    header = rows[0]
    if name is not None:
        return _position(name, header)
    if _names_smiles(header):
        says = [i for i, cell in enumerate(header) if "smiles" in cell.lower()]
        return next((i for i in says if header[i].lower() == "smiles"), says[0])
    for i, cell in enumerate(header):
        if cell.lower() in _STRUCTURE_NAMES and _are_smiles(_column(rows[1:], i)):
            return i
    return None


def _names_smiles(cells: list[str]) -> bool:
    """Whether a cell is the usual name of such a column; after a SMILES it is the name of a molecule."""
    return any("smiles" in cell.lower() for cell in cells) and not _SMILES_TOKENS.fullmatch(cells[0])


def _column_by_content(rows: list[list[str]]) -> int | None:
    """Of the columns that parse as SMILES, the one with the longest: classes may be called C and N."""
    width = max(map(len, rows))
    columns = {i: _column(rows, i) for i in range(width)}
    valid = {i: sum(map(len, cells)) for i, cells in columns.items() if _are_smiles(cells)}
    return max(valid, key=lambda i: valid[i]) if valid else None


def _are_smiles(cells: list[str]) -> bool:
    return find_spec("rdkit") is not None and looks_like_smiles(cells)


def _column(rows: list[list[str]], column: int) -> list[str]:
    return [cell for cell in (_cell(row, column) for row in rows) if cell]


def _cell(row: list[str], column: int) -> str:
    return row[column] if column < len(row) else ""


def _names(header: list[str], smiles: int, *, has_header: bool, second: bool) -> tuple[str, ...]:
    """Names of the columns; numbers from 1 where a name is missing or repeated."""
    names = list(header) if has_header else ["smiles" if i == smiles else "" for i in range(len(header))]
    if second and len(names) == 1:
        names.append("name")
    if second and not has_header and smiles + 1 < len(names):
        names[smiles + 1] = "name"
    taken: set[str] = set()
    for i, name in enumerate(names):
        names[i] = name if name and name not in taken else str(i + 1)
        taken.add(names[i])
    return tuple(names)


def _with_roles(layout: Layout, rows: list[list[str]], path: Path, options: Options) -> Layout:
    """Find the columns of names and targets: those that the user named, or those with the usual names."""
    for given in (options.smiles, options.name, options.target):
        if given is not None and _position(given, layout.names) is None:
            raise _unknown_column(given, layout.names, path)
    name = _position(options.name or "name", layout.names)
    if name is None and _is_free_text(path) and len(layout.names) == 2:
        name = 1 - layout.smiles  # "SMILES ID": the cell next to a SMILES is its name
    target = _position(options.target or "target", layout.names)
    if options.target is None and target is not None and not _column(rows, target):
        target = None  # a column whose values are still to come
    if name == target:
        name = None if options.name is None else name
    return replace(layout, name=name, target=target)


def _unknown_column(name: str, names: Sequence[str], path: Path) -> InvalidParameterError:
    by_lower = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1)
    suggestion = f"Did you mean {by_lower[near[0]]!r}? " if near else ""
    return InvalidParameterError(
        f"Unknown column of {path.name}: {name!r}.", f"{suggestion}Known: {', '.join(map(repr, names))}."
    )


def _position(name: str, names: Sequence[str]) -> int | None:
    """Find a column by its name; if there is none with this exact name, ignoring case."""
    if name in names:
        return list(names).index(name)
    lower = [known.lower() for known in names]
    return lower.index(name.lower()) if name.lower() in lower else None


__all__ = ["Layout", "MoleculeRow", "Options", "is_recognised", "layout_of", "rows_of"]
