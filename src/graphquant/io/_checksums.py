"""Checksums of what a Parquet file of graphs says, so that a damaged one is refused and never believed.

Parquet has checksums of pages, which graphquant writes and verifies, but none of what describes them: one
flipped bit there gives other numbers without a word. So the values themselves have digests: one for each
column of each row group, and one for the header, in the key ``graphquant.checksums`` of the metadata. They
are known by their key and by how they begin, so one fault cannot hide them. Files of version 1.0 have none,
nor have tables that another program has read and written again.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graphquant._typing import AnyArray
from graphquant.exceptions import FileFormatError

if TYPE_CHECKING:
    import pyarrow as pa

KEY = b"graphquant.checksums"
_MARK = "graphquant checksums"
# How the text begins.
_BEGINNING = f'{{"{_MARK}"'.encode()


@dataclass
class Checksums:
    """Digests of a header and of the columns of each row group."""

    header: str
    row_groups: list[Mapping[str, str]] = field(default_factory=list)

    @classmethod
    def of(cls, header: bytes) -> "Checksums":
        """Begin with the header of a file."""
        return cls(_digest([header]))

    def add(self, table: "pa.Table") -> None:
        """Add a row group."""
        self.row_groups.append({name: digest_of(table[name]) for name in table.column_names})

    def to_json(self) -> str:
        """Return the text that the file keeps."""
        return json.dumps({_MARK: 1, "header": self.header, "row_groups": self.row_groups})

    def verify_layout(self, names: Iterable[str], n_row_groups: int, path: Path | str) -> None:
        """Refuse a file whose columns or row groups are not those that were written."""
        if n_row_groups != len(self.row_groups):
            raise _damaged(
                path, f"{n_row_groups} row groups instead of {len(self.row_groups)} are there, so it is"
            )
        found = set(names)
        if any(set(group) != found for group in self.row_groups):
            raise _damaged(path, "the names of columns are")

    def verify(self, tables: Iterable["pa.Table"], numbers: Sequence[int], path: Path | str) -> None:
        """Refuse tables that are not what was written as the row groups of these numbers."""
        for number, table in zip(numbers, tables, strict=True):
            known = self.row_groups[number] if number < len(self.row_groups) else {}
            for name in table.column_names:
                if known.get(name) != digest_of(table[name]):
                    raise _damaged(path, f"the column {name!r} of row group {number} is")


def checksums_of(metadata: Mapping[bytes, bytes], header: bytes, path: Path | str) -> Checksums | None:
    """Return the checksums of a file, its header verified; None if it was written without any."""
    marked = (value for value in metadata.values() if value.startswith(_BEGINNING))
    text = metadata.get(KEY) or next(marked, None)
    if text is None:
        return None
    try:
        saved = json.loads(text)
        found = Checksums(str(saved["header"]), [dict(group) for group in saved["row_groups"]])
    except (ValueError, KeyError, TypeError, RecursionError) as err:
        raise _damaged(path, "the metadata 'graphquant.checksums' are") from err
    if found.header != _digest([header]):
        raise _damaged(path, "the metadata 'graphquant' are")
    return found


def digest_of(column: "pa.ChunkedArray") -> str:
    """Hash the values of a column, however they are cut into chunks and whatever width their type has."""
    return _digest(_pieces(column.combine_chunks()))


def _pieces(values: "pa.Array | pa.ChunkedArray") -> Iterable[bytes | AnyArray]:
    """Lengths of lists and texts (-1: null), then what is in them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], values.type)
    kind = values.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        yield _numbers(pc.list_value_length(values).cast(pa.int64()).fill_null(-1))
        yield from _pieces(values.flatten())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        yield _numbers(pc.binary_length(values).cast(pa.int64()).fill_null(-1))
        yield _text(values.drop_null().cast(pa.large_binary()))
    else:
        wide = pa.float64() if pa.types.is_floating(kind) else pa.int64()
        yield _numbers(values.is_null().cast(pa.int8()))
        yield _numbers(values.cast(wide).fill_null(0))


def _numbers(values: "pa.Array") -> AnyArray:
    numbers: AnyArray = values.to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(numbers)


def _text(values: "pa.Array") -> bytes | AnyArray:
    """Return the bytes of all texts, one after the other."""
    _, offsets, content = values.buffers()
    if content is None or not len(values):
        return b""
    ends = np.frombuffer(offsets, np.int64)[values.offset :][: len(values) + 1]
    return np.frombuffer(content, np.uint8)[ends[0] : ends[-1]]


def _digest(pieces: Iterable[bytes | AnyArray]) -> str:
    found = hashlib.sha256(usedforsecurity=False)
    for piece in pieces:
        found.update(piece)  # type: ignore[arg-type]
    return found.hexdigest()[:16]


def _damaged(path: Path | str, what: str) -> FileFormatError:
    return FileFormatError(
        f"{path}: {what} damaged: the checksum does not fit.",
        "Fetch or write the file again.",
    )


__all__ = ["KEY", "Checksums", "checksums_of", "digest_of"]
