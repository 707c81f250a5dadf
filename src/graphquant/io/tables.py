"""Plain tables as Parquet with checksums: encodings and distances, which hold no graphs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graphquant.exceptions import FileFormatError
from graphquant.io._checksums import KEY, Checksums, checksums_of

if TYPE_CHECKING:
    import pyarrow as pa

_KEY = b"graphquant"


class TableWriter:
    """Writes a table in pieces, each a row group; :meth:`close` adds the checksums.

    Parameters
    ----------
    path : path
        Of a file that gets its name when it is whole, see :func:`graphquant.io.base.atomic_path`.
    schema : pyarrow.Schema
        With what the file says about itself under the key ``graphquant`` of its metadata, if anything.
    """

    def __init__(self, path: Path, schema: "pa.Schema") -> None:
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(path, schema, write_page_checksum=True)
        self._checksums = Checksums.of((schema.metadata or {}).get(_KEY, b""))

    def write(self, table: "pa.Table") -> None:
        """Write some rows."""
        if table.num_rows:
            self._writer.write_table(table, row_group_size=table.num_rows)
            self._checksums.add(table)

    def close(self) -> None:
        """Write what comes after the last row."""
        self._writer.add_key_value_metadata({KEY: self._checksums.to_json()})
        self._writer.close()


def read_table(path: Path) -> "pa.Table":
    """Read a table, and verify its checksums if it has any.

    Raises
    ------
    FileFormatError
        If the file is not Parquet, or damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _damage_named(path), pq.ParquetFile(path, page_checksum_verification=True) as file:
        metadata = file.metadata.metadata or {}
        header = metadata.get(_KEY, b"")
        checksums = checksums_of(metadata, header, path)
        if checksums is None:
            return file.read()
        checksums.verify_layout(file.schema_arrow.names, file.num_row_groups, path)
        numbers = range(file.num_row_groups)
        groups = [file.read_row_group(number) for number in numbers]
        checksums.verify(groups, numbers, path)
        table = pa.concat_tables(groups) if groups else file.read()
        # As verified: pyarrow takes the metadata of a table from a copy.
        return table.replace_schema_metadata({_KEY: header} if header else None)


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as err:
        reason = (str(err) or type(err).__name__).splitlines()[0].rstrip(".")
        raise FileFormatError(
            f"{path}: not a Parquet table, or damaged ({reason}).", "Write it again."
        ) from err


__all__ = ["TableWriter", "read_table"]
