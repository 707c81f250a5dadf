"""Collections in parts: Parquet files whose row groups are read one by one, on any machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from graphquant._validation import check_choice
from graphquant.exceptions import FileFormatError, SchemaError
from graphquant.graphs import check_same_schema
from graphquant.io import parquet
from graphquant.io._parquet_rows import Header
from graphquant.io.address import is_url, parquet_files
from graphquant.io.base import FileContent

OnError = Literal["raise", "skip"]


@dataclass(frozen=True)
class Partition:
    """A row group of a Parquet file: small enough to be read at once; every worker finds it by its address.

    Attributes
    ----------
    address : str
        Absolute path, or URL.
    row_group : int
    n_rows : int
        Number of graphs in it, including those that a reader would skip.
    on_error : {"raise", "skip"}
        What to do about a graph that cannot be read.
    """

    address: str
    row_group: int
    n_rows: int
    on_error: OnError = "raise"

    def read(self) -> FileContent:
        """Read the graphs; messages name the file and the row."""
        return parquet.read(self.address, on_error=self.on_error, row_groups=[self.row_group])


def find_partitions(address: str | Path, on_error: OnError = "raise") -> tuple[Header, list[Partition]]:
    """List the row groups of a Parquet file, a folder or a pattern of such files, in order.

    Parameters
    ----------
    address : str or Path
        A local path, or a URL that fsspec knows.
    on_error : {"raise", "skip"}, default="raise"

    Returns
    -------
    Header
        What the first file says about its graphs; all files must agree on what matters.
    list of Partition
    """
    check_choice("on_error", on_error, ("raise", "skip"))
    first: Header | None = None
    partitions: list[Partition] = []
    files = parquet_files(address)
    for file in files:
        known = file if is_url(file) else str(Path(file).resolve())
        header, sizes = parquet.read_header(known)
        first = first or header
        _check_alike(header, first, file, files)
        partitions += [Partition(known, i, size, on_error) for i, size in enumerate(sizes) if size]
    assert first is not None
    return first, partitions


def _check_alike(header: Header, first: Header, file: str, files: Sequence[str]) -> None:
    for what in ("kind", "directed", "n_node_attrs", "n_edge_attrs"):
        if getattr(header, what) != getattr(first, what):
            raise FileFormatError(
                f"{file}: {what} is {getattr(header, what)}, but {getattr(first, what)} in {files[0]}.",
                "Combine only files with the same kind of graphs.",
            )
    try:
        check_same_schema(first.schema, header.schema, (files[0], file))
    except SchemaError as err:
        raise SchemaError(
            f"{file}: {err.message}", "Encode all files with the same AttributeEncoder."
        ) from err
    if header.metadata.get("encoder") != first.metadata.get("encoder"):
        raise FileFormatError(
            f"{file}: its vectors were made by another encoder than those of {files[0]}.",
            "Encode all files with the same AttributeEncoder.",
        )


__all__ = ["OnError", "Partition", "find_partitions"]
