"""Parquet: one row per graph, list columns, metadata as JSON. The format of collections and codebooks.

======================== ==================================================================
``name``                 string, if the graphs have names
``target``               string, if they have classes
``n_nodes``              int32
``edges``                list of int32: the node pairs, one after the other
``groups``               list of int32, if the graphs have groups
``node_attrs``           list of double, n_nodes x p, row by row (kind "vectors")
``edge_attrs``           list of double, edges x q, row by row (kind "vectors")
``node:NAME``            list of double or string, one for each node (kind "raw")
``edge:NAME``            list of double or string, one for each edge (kind "raw")
``about:NAME``           string: what else is known about each graph, such as its SMILES
======================== ==================================================================

The schema metadata has a key ``graphquant`` with JSON: format, version, kind, directed, numbers of
channels, their names and the digest of the encoder that made them (``schema``, if known), metadata of the
caller (an encoder, parameters), description. The key ``graphquant.checksums`` has digests of the header
and of the columns of each row group, which are verified on reading. Row groups are the partitions
for distributed work: :func:`row_group_sizes`, ``read(path, row_groups=[...])``, :func:`iter_batches`.
Lists become flat arrays with offsets, which is what a collection is: there is no loop over graphs.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._typing import AnyArray, IntArray
from graphquant._validation import check_choice, check_positive_int
from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.graphs import Column, GraphCollection, Schema
from graphquant.io._checksums import KEY, Checksums, checksums_of
from graphquant.io._parquet_rows import ABOUT, Header, content_of_rows
from graphquant.io.address import is_url, open_file
from graphquant.io.base import FileContent, Format, atomic_path, json_text
from graphquant.io.limits import check_attributes
from graphquant.io.strict_json import parse_json

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_VERSION = 1
ROW_GROUP_SIZE = 65536
# Columns whose names begin so belong to the library, and are read only when they are asked for.
OWN_PREFIX = "graphquant."
_KEY = b"graphquant"
_FORMAT_NAME = "graphquant-collection"


def recognises(path: Path) -> bool:
    """Whether the file starts like Parquet, or is named like it."""
    if not path.is_file():
        return False
    if path.suffix.lower() in (".parquet", ".pq"):
        return True
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def read(
    path: Path | str,
    *,
    on_error: str = "raise",
    columns: Sequence[str] | None = None,
    row_groups: Sequence[int] | None = None,
) -> FileContent:
    """Read a collection.

    Parameters
    ----------
    path : Path, or str
        A string may be an address on another file system, such as ``s3://bucket/letters.parquet``.
    on_error : {"raise", "skip"}
    columns : sequence of str, optional
        Of the optional columns (``name``, ``target``, ``groups``, those of raw attributes such as
        ``node:x``, and ``about:NAME``), read only these. By default all.
    row_groups : sequence of int, optional
        Read only these partitions of the file. By default all.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import graphquant as gq
    >>> from graphquant.io import FileContent
    >>> pair = gq.GraphCollection([gq.Graph([1.0, 2.0], [(0, 1)])])
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "pair.parquet")
    ...     write(FileContent(pair), file)
    ...     read(file).graphs == pair
    True
    """
    with _open(path) as file:
        header, checksums = _header(file, path)
        wanted = _wanted(file, header, columns, path)
        groups = _row_groups(file, row_groups, path)
        with _damage_named(path):
            table = file.read_row_groups(groups, columns=wanted).select(wanted)
            if checksums is not None:
                sizes = [file.metadata.row_group(i).num_rows for i in groups]
                checksums.verify(_cut(table, sizes), groups, path)
        first_row = sum(file.metadata.row_group(i).num_rows for i in range(groups[0])) if groups else 0
    with _damage_named(path):
        return content_of_rows(table, header, path, on_error, first_row)


def iter_batches(
    path: Path, batch_size: int = ROW_GROUP_SIZE, *, on_error: str = "raise"
) -> Iterator[FileContent]:
    """Read a collection in pieces of at most ``batch_size`` graphs, which need not fit in memory together."""
    check_positive_int("batch_size", batch_size)
    with _open(path) as file:
        header, checksums = _header(file, path)
        wanted = _wanted(file, header, None, path)
        first_row = 0
        for table in _pieces(file, wanted, checksums, batch_size, path):
            with _damage_named(path):
                content = content_of_rows(table, header, path, on_error, first_row)
            yield content
            first_row += len(table)


def _pieces(
    file: "pq.ParquetFile", wanted: list[str], checksums: Checksums | None, size: int, path: Path
) -> "Iterator[pa.Table]":
    """Cut a file into tables of at most ``size`` rows, each verified before it is given out."""
    import pyarrow as pa

    if checksums is None:
        batches = file.iter_batches(size, columns=wanted)
        while True:
            with _damage_named(path):
                batch = next(batches, None)
            if batch is None:
                return
            yield pa.Table.from_batches([batch]).select(wanted)
    for number in range(file.num_row_groups):
        with _damage_named(path):
            table = file.read_row_group(number, columns=wanted).select(wanted)
            checksums.verify([table], [number], path)
        yield from (table.slice(at, size) for at in range(0, len(table), size))


def _cut(table: "pa.Table", sizes: Sequence[int]) -> "Iterator[pa.Table]":
    """Yield the row groups of a table."""
    at = 0
    for size in sizes:
        yield table.slice(at, size)
        at += size


def row_group_sizes(path: Path | str) -> list[int]:
    """Count the graphs of each partition of a file."""
    return read_header(path)[1]


def read_header(path: Path | str) -> tuple[Header, list[int]]:
    """Return the header of a file, and the number of graphs in each partition."""
    with _open(path) as file:
        header, _ = _header(file, path)
        return header, [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]


def write(content: FileContent, path: Path, *, row_group_size: int = ROW_GROUP_SIZE) -> None:
    """Write a collection, ``row_group_size`` graphs per partition."""
    import pyarrow.parquet as pq

    check_positive_int("row_group_size", row_group_size)
    graphs = content.graphs.packed() if isinstance(content.graphs, GraphCollection) else content.graphs
    content = replace(content, graphs=graphs, skipped=())
    header = _header_json(content)
    schema = _chunk(content, 0, 0).schema.with_metadata({_KEY: header})
    checksums = Checksums.of(header)
    bounds = [*range(0, len(graphs), row_group_size), len(graphs)]
    with (
        atomic_path(path) as temporary,
        # Smaller than snappy, and as quick to read within the noise of the measurement.
        pq.ParquetWriter(temporary, schema, compression="zstd", write_page_checksum=True) as writer,
    ):
        for start, stop in pairwise(bounds):
            table = _chunk(content, start, stop).cast(schema)
            writer.write_table(table, row_group_size=row_group_size)
            checksums.add(table)
        writer.add_key_value_metadata({KEY: checksums.to_json()})


# Writing


def _header_json(content: FileContent) -> bytes:
    graphs = content.graphs
    channels = (
        (graphs.node_attrs.shape[1], graphs.edge_attrs.shape[1])
        if isinstance(graphs, GraphCollection)
        else None
    )
    header = {
        "format": _FORMAT_NAME,
        "version": _VERSION,
        "kind": "raw" if channels is None else "vectors",
        "directed": graphs.directed,
        "n_node_attrs": channels[0] if channels else 0,
        "n_edge_attrs": channels[1] if channels else 0,
        "metadata": dict(content.metadata),
        "description": content.description,
    }
    if isinstance(graphs, GraphCollection) and graphs.schema is not None:
        schema = graphs.schema
        header["schema"] = {"node": list(schema.node), "edge": list(schema.edge), "digest": schema.digest}
    return json_text(header, "metadata").encode()


def _chunk(content: FileContent, start: int, stop: int) -> "pa.Table":
    """Rows ``start`` to ``stop`` as a table that shares the arrays of the collection where it can."""
    import pyarrow as pa

    graphs = content.graphs
    nodes, edges = graphs.node_offsets[start : stop + 1], graphs.edge_offsets[start : stop + 1]
    columns: dict[str, Any] = {}
    if graphs.names is not None:
        columns["name"] = pa.array(graphs.names[start:stop], pa.string())
    if content.targets is not None:
        columns["target"] = pa.array(content.targets[start:stop], pa.string())
    columns["n_nodes"] = pa.array(np.diff(nodes).astype(np.int32))
    columns["edges"] = _lists(graphs.edges, edges)
    if graphs.groups is not None:
        columns["groups"] = _lists(graphs.groups, nodes)
    if isinstance(graphs, GraphCollection):
        columns["node_attrs"] = _lists(graphs.node_attrs, nodes)
        columns["edge_attrs"] = _lists(graphs.edge_attrs, edges)
    else:
        for name, column in graphs.node_columns.items():
            columns[f"node:{name}"] = _column_lists(column, nodes)
        for name, column in graphs.edge_columns.items():
            columns[f"edge:{name}"] = _column_lists(column, edges)
    for name, values in content.columns.items():
        texts = [None if value is None else str(value) for value in values[start:stop]]
        columns[f"{ABOUT}{name}"] = pa.array(texts, pa.string())
    return pa.table(columns)


def _lists(values: AnyArray, offsets: IntArray) -> "pa.Array":
    """One list for each graph, of its rows one after the other; 64-bit offsets never overflow."""
    import pyarrow as pa

    width = values.shape[1] if values.ndim == 2 else 1
    flat = values[offsets[0] : offsets[-1]].reshape(-1)
    return pa.LargeListArray.from_arrays(pa.array((offsets - offsets[0]) * width), pa.array(flat))


def _column_lists(column: Column, offsets: IntArray) -> "pa.Array":
    import pyarrow as pa

    if column.categories is None:
        return _lists(column.values, offsets)
    codes = column.values[offsets[0] : offsets[-1]]
    # Parquet deduplicates repeated strings itself; a dictionary inside a list would not survive.
    strings = pa.DictionaryArray.from_arrays(
        pa.array(codes, mask=np.less(codes, 0)), pa.array(column.categories, pa.string())
    ).cast(pa.string())
    return pa.LargeListArray.from_arrays(pa.array(offsets - offsets[0]), strings)


# Reading: what the file is


@contextmanager
def _open(path: Path | str) -> "Iterator[pq.ParquetFile]":
    import pyarrow as pa
    import pyarrow.parquet as pq

    with ExitStack() as stack:
        # pyarrow closes only files that it has opened itself.
        source = stack.enter_context(open_file(path)) if is_url(path) else path
        try:
            file = stack.enter_context(pq.ParquetFile(source, page_checksum_verification=True))
            # Names that are not UTF-8 show here.
            file.schema_arrow.names  # noqa: B018
        except (pa.ArrowException, OSError, UnicodeDecodeError) as err:
            raise FileFormatError(
                f"{path}: not a Parquet file, or damaged or truncated ({_first_line(err)}).",
                "Download or write it again.",
            ) from err
        yield file


@contextmanager
def _damage_named(path: Path | str) -> Iterator[None]:
    """Name the file when its pages turn out to be damaged."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as err:
        raise FileFormatError(
            f"{path}: the file is damaged ({_first_line(err)}).", "Download or write it again."
        ) from err


def _first_line(err: Exception) -> str:
    return (str(err) or type(err).__name__).splitlines()[0].rstrip(".")


def _header(file: "pq.ParquetFile", path: Path | str) -> tuple[Header, Checksums | None]:
    """Return what a file says about itself, and the checksums of the rest."""
    metadata = file.metadata.metadata or {}
    text = metadata.get(_KEY)
    if text is None:
        raise FileFormatError(
            f"{path}: a Parquet file, but not a collection of graphs (no metadata 'graphquant').",
            "Write collections with graphquant.write.",
        )
    header = _parsed_header(text, path)
    checksums = checksums_of(metadata, text, path)
    if checksums is not None:
        checksums.verify_layout(file.schema_arrow.names, file.num_row_groups, path)
    return header, checksums


def _parsed_header(text: bytes, path: Path | str) -> Header:
    try:
        header = parse_json(text)
        version = int(header["version"])
        if version > _VERSION:
            raise FileFormatError(
                f"{path}: written by a newer graphquant (version {version} of the format, not {_VERSION}).",
                "Upgrade graphquant: pip install --upgrade graphquant",
            )
        kind = check_choice("kind", header["kind"], ("vectors", "raw"))
        channels = int(header["n_node_attrs"]), int(header["n_edge_attrs"])
        if kind == "vectors" and min(channels) < 1:
            raise InvalidParameterError(f"{channels} node and edge attributes.")
        check_attributes(path, "attributes", max(channels))
        return Header(
            kind=kind,
            directed=bool(header["directed"]),
            n_node_attrs=channels[0],
            n_edge_attrs=channels[1],
            metadata=dict(header["metadata"]),
            description=str(header["description"]),
            schema=_schema(header.get("schema"), *channels),
        )
    except FileFormatError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as err:
        raise FileFormatError(
            f"{path}: the metadata 'graphquant' are not those of a collection ({type(err).__name__}: {err}).",
            "Download or write the file again.",
        ) from err


def _schema(saved: Any, n_node: int, n_edge: int) -> Schema | None:
    """Return the schema of vectors; files of version 1.0 have none."""
    if saved is None:
        return None
    digest = saved["digest"]
    if not (digest is None or isinstance(digest, str)):
        raise TypeError(f"digest {digest!r}")
    schema = Schema(tuple(saved["node"]), tuple(saved["edge"]), digest)
    schema.check_widths(n_node, n_edge)
    return schema


def _row_groups(file: "pq.ParquetFile", chosen: Sequence[int] | None, path: Path | str) -> list[int]:
    known = range(file.num_row_groups)
    if chosen is None:
        return list(known)
    for number in chosen:
        if number not in known:
            raise InvalidParameterError(
                f"{path}: row group {number!r} does not exist; there are {len(known)}.",
                "Row groups start at 0; row_group_sizes(path) lists them.",
            )
    return list(chosen)


def _wanted(
    file: "pq.ParquetFile", header: Header, chosen: Sequence[str] | None, path: Path | str
) -> list[str]:
    """Names of the columns to read, in the order of the file, their types checked."""
    schema = file.schema_arrow
    check_attributes(path, "columns", len(schema.names))
    required = ["n_nodes", "edges", *(("node_attrs", "edge_attrs") if header.kind == "vectors" else ())]
    optional = [
        name
        for name in schema.names
        if name in ("name", "target", "groups")
        or name.startswith(ABOUT)
        or (header.kind == "raw" and name.startswith(("node:", "edge:")))
    ]
    for name in required:
        if name not in schema.names:
            raise FileFormatError(
                f"{path}: the column {name!r} is missing.", "Download or write the file again."
            )
    if chosen is None:
        # What a codebook keeps of its training graphs says nothing about its code graphs.
        optional = [name for name in optional if not name.startswith(f"{ABOUT}{OWN_PREFIX}")]
    else:
        for name in chosen:
            check_choice("column", name, [*required, *optional])
        optional = [name for name in optional if name in chosen]
    wanted = [name for name in schema.names if name in required or name in optional]
    for name in wanted:
        _check_type(name, schema.field(name).type, path)
    return wanted


def _check_type(name: str, found: "pa.DataType", path: Path | str) -> None:
    import pyarrow.types as types

    def is_text(kind: "pa.DataType") -> bool:
        return bool(types.is_string(kind) or types.is_large_string(kind))

    def is_list(kind: "pa.DataType", *members: Callable[["pa.DataType"], bool]) -> bool:
        listed = types.is_list(kind) or types.is_large_list(kind)
        return listed and any(member(kind.value_type) for member in members)

    if name in ("name", "target") or name.startswith(ABOUT):
        good, expected = is_text(found), "string"
    elif name == "n_nodes":
        good, expected = types.is_integer(found), "int32"
    elif name in ("edges", "groups"):
        good, expected = is_list(found, types.is_integer), "list of int32"
    elif name in ("node_attrs", "edge_attrs"):
        good, expected = is_list(found, types.is_floating, types.is_integer), "list of double"
    else:
        good = is_list(found, types.is_floating, types.is_integer, is_text)
        expected = "list of double or list of string"
    if not good:
        raise FileFormatError(
            f"{path}: column {name!r} has the type {found}, expected {expected}.",
            "Write the file again with graphquant.write.",
        )


FORMAT = Format(
    name="parquet",
    description="Parquet, one row per graph: collections and codebooks (.parquet, .pq)",
    recognises=recognises,
    read=read,
    write=write,
)

__all__ = ["FORMAT", "iter_batches", "read", "read_header", "recognises", "row_group_sizes", "write"]
