"""Graphs that are never in memory together: partitions, and how each becomes vectors."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphquant.exceptions import EncodingError
from graphquant.graphs import GraphCollection, RawGraphs
from graphquant.io import FileContent
from graphquant.io.partitions import OnError, Partition, find_partitions

if TYPE_CHECKING:
    from graphquant.preprocessing import GraphEncoder


@dataclass(frozen=True)
class EncodedPartition:
    """A partition together with its encoder; small, and the same on every machine."""

    partition: Partition
    encoder: "GraphEncoder | None" = None

    def read(self) -> tuple[GraphCollection, FileContent]:
        """Return the graphs as vectors, and the other content of the partition."""
        content = self.partition.read()
        if not isinstance(content.graphs, RawGraphs):
            from graphquant.preprocessing.restore import made_by

            return made_by(content.graphs, self.encoder), content
        if self.encoder is None:
            raise raw_without_encoder(self.partition.address)
        return self.encoder.transform(content.graphs), content

    def __str__(self) -> str:
        return f"{self.partition.address}, row group {self.partition.row_group}"


@dataclass(frozen=True)
class GraphSource:
    """Graphs in Parquet files, read partition by partition; made by :func:`scan`.

    Attributes
    ----------
    address : str
        The scanned address.
    partitions : tuple of EncodedPartition
        The row groups, in the order of the files.
    encoder : AttributeEncoder or None
        The encoder that turned, or turns, attributes into vectors.
    is_raw : bool
        Whether the files hold named attributes, which need an encoder.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import graphquant as gq
    >>> with TemporaryDirectory() as folder:
    ...     gq.write(gq.datasets.make_letters(2), Path(folder, "letters.parquet"))
    ...     source = gq.scan(Path(folder, "letters.parquet"))
    ...     source.n_rows, [len(graphs) for graphs in source.collections()]
    (30, [30])
    """

    address: str
    partitions: tuple[EncodedPartition, ...]
    encoder: "GraphEncoder | None"
    is_raw: bool

    @property
    def n_rows(self) -> int:
        """Number of graphs in all partitions, including those that would be skipped."""
        return sum(part.partition.n_rows for part in self.partitions)

    def collections(self) -> Iterator[GraphCollection]:
        """Read one partition after another."""
        return (part.read()[0] for part in self.partitions)

    def encoded_by(self, encoder: "GraphEncoder | None") -> "GraphSource":
        """Return the same graphs; raw attributes are encoded by another encoder, vectors stay as they are."""
        if not self.is_raw or encoder is None:
            return self
        parts = tuple(replace(part, encoder=encoder) for part in self.partitions)
        return replace(self, partitions=parts, encoder=encoder)

    def __repr__(self) -> str:
        return f"GraphSource({self.address!r}, {self.n_rows} graphs in {len(self.partitions)} partitions)"


def scan(
    address: str | Path, *, on_error: OnError = "raise", encoder: "GraphEncoder | None" = None
) -> GraphSource:
    """List the partitions of Parquet files without reading them.

    Parameters
    ----------
    address : str or Path
        A Parquet file, a folder or a pattern (``data/*.parquet``) of such files, local or
        anywhere that fsspec can read (``s3://bucket/letters``).
    on_error : {"raise", "skip"}, default="raise"
        What to do about a graph that cannot be read: raise with file and row, or leave it out.
    encoder : AttributeEncoder, optional
        A fitted encoder, for files of named attributes.

    Returns
    -------
    GraphSource
        For ``GraphQuantizer.fit``, ``predict`` and the like, which read it partition by partition.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import graphquant as gq
    >>> with TemporaryDirectory() as folder:
    ...     gq.write(gq.datasets.make_letters(4), Path(folder, "letters.parquet"))
    ...     source = gq.scan(Path(folder, "letters.parquet"))
    ...     [len(graphs) for graphs in source.collections()]
    [60]
    """
    header, found = find_partitions(address, on_error)
    is_raw = header.kind == "raw"
    if not is_raw:
        from graphquant.preprocessing.restore import restore_encoder

        encoder = restore_encoder(header.metadata.get("encoder"))
    parts = tuple(EncodedPartition(part, encoder) for part in found)
    return GraphSource(str(address), parts, encoder, is_raw)


def raw_without_encoder(address: str) -> EncodingError:
    """Build the error for named attributes without an encoder."""
    return EncodingError(
        f"{address}: contains named attributes, which must be encoded as vectors before they are streamed.",
        "Fit an AttributeEncoder to a part of them and pass it: gq.scan(path, encoder=encoder).",
    )


__all__ = ["EncodedPartition", "GraphSource", "raw_without_encoder", "scan"]
