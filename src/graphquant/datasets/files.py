"""``gq.read`` and ``gq.write``: files and encoders combined."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from graphquant import io
from graphquant._typing import AnyArray
from graphquant.datasets._assemble import dataset_from_content
from graphquant.datasets._dataset import Dataset
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import GraphCollection, RawGraphs

if TYPE_CHECKING:
    from graphquant.preprocessing import GraphEncoder

# The format that holds vectors together with the encoder that made them.
_VECTOR_SUFFIXES = (".parquet", ".pq")


def read(
    path: str | PathLike[str],
    *,
    encoder: "GraphEncoder | Literal['auto']" = "auto",
    format: str | None = None,
    on_error: Literal["raise", "skip"] = "raise",
    **options: Any,
) -> Dataset:
    """Read graphs from a file, a folder or a zip, as vectors.

    Parameters
    ----------
    path : str or path
    encoder : AttributeEncoder or "auto", default="auto"
        How raw attributes become vectors. ``"auto"``: a fresh ``AttributeEncoder()``
        (for molecules ``MoleculeEncoder()``), fitted on
        this file. An unfitted encoder: a copy of it, fitted on this file. A fitted encoder: as it
        is, so that new graphs have the channels of those it was fitted on. A file that holds
        vectors keeps them, and the encoder that made them is restored.
    format : str, optional
        One of :func:`graphquant.io.format_names`; by default found from the name and the content.
    on_error : {"raise", "skip"}, default="raise"
        What to do about a graph that cannot be read: raise, or leave it out, warn once, and list
        it in ``Dataset.skipped``.
    **options
        Passed to the reader of the format, for example ``split="test"``.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import graphquant as gq
    >>> letters = gq.datasets.make_letters(n_per_class=2)
    >>> with TemporaryDirectory() as folder:
    ...     gq.write(letters, Path(folder, "letters.parquet"))
    ...     again = gq.read(Path(folder, "letters.parquet"))
    >>> again.graphs == letters.graphs
    True
    >>> again.encoder.node_channels_
    ('cos x', 'sin x', 'cos2 x', 'sin2 x', 'cos y', 'sin y', 'cos2 y', 'sin2 y')
    """
    content = io.read_file(Path(path), format=format, on_error=on_error, **options)
    return dataset_from_content(content, encoder)


def write(
    graphs: Dataset | GraphCollection | RawGraphs,
    path: str | PathLike[str],
    *,
    targets: Sequence[Any] | AnyArray | None = None,
    format: str | None = None,
) -> None:
    """Write graphs to a file: all of them or nothing.

    Parameters
    ----------
    graphs : Dataset, GraphCollection or RawGraphs
        Parquet gets the vectors, the encoder and the classes of a data set. Other formats get attributes
        with the user's own names: the raw ones, or the result of the encoder's ``inverse_transform``;
        vectors made by hand are written unchanged.
    path : str or path
        The suffix determines the format.
    targets : sequence of str or int, optional
        Class of each graph; by default those of the data set.
    format : str, optional
        One of :func:`graphquant.io.format_names`; needed for folders and zips.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import graphquant as gq
    >>> dot = gq.GraphCollection([gq.Graph([1.0])])
    >>> with TemporaryDirectory() as folder:
    ...     gq.write(dot, Path(folder, "dot.parquet"), targets=["dot"])
    ...     gq.read(Path(folder, "dot.parquet")).target_names
    ('dot',)
    """
    path = Path(path)
    if not isinstance(graphs, Dataset | GraphCollection | RawGraphs):
        raise InvalidParameterError(
            f"A {type(graphs).__name__} cannot be written.",
            "Pass a Dataset, a GraphCollection or RawGraphs; as_collection converts a list of graphs.",
        )
    if isinstance(graphs, Dataset):
        content = _content_of(graphs, raw=not _holds_vectors(path, format))
    else:
        content = io.FileContent(graphs, metadata=_metadata_of(graphs))
    if targets is not None:
        content = replace(content, targets=_class_names(targets, len(content.graphs)))
    io.write_file(content_to_write(content, path, format), path, format=format)


def content_to_write(content: io.FileContent, path: Path, format: str | None = None) -> io.FileContent:
    """Return what to write: attributes instead of vectors, except in the format that stores encoders."""
    graphs = content.graphs
    if isinstance(graphs, RawGraphs) or _holds_vectors(path, format):
        return content
    if graphs.schema is None or graphs.schema.encoder is None:
        return content
    return replace(content, graphs=graphs.schema.encoder.inverse_transform(graphs), metadata={})


def _content_of(dataset: Dataset, *, raw: bool) -> io.FileContent:
    if raw and dataset.raw is not None:
        return io.FileContent(
            dataset.raw, dataset.labels, description=dataset.description, columns=dataset.columns
        )
    metadata = _metadata_of(dataset.graphs, dataset.encoder)
    return io.FileContent(
        dataset.graphs, dataset.labels, metadata, dataset.description, columns=dataset.columns
    )


def _metadata_of(
    graphs: GraphCollection | RawGraphs, encoder: "GraphEncoder | None" = None
) -> dict[str, Any]:
    """Return the metadata of vectors: the encoder that made them, preferably the one in their schema."""
    schema = graphs.schema if isinstance(graphs, GraphCollection) else None
    if schema is not None and schema.encoder is not None:
        encoder = schema.encoder
    return {} if encoder is None else {"encoder": encoder.to_json()}


def _holds_vectors(path: Path, format: str | None) -> bool:
    return format == "parquet" or (format is None and path.suffix.lower() in _VECTOR_SUFFIXES)


def _class_names(targets: Sequence[Any] | AnyArray, n_graphs: int) -> tuple[str, ...]:
    if len(targets) != n_graphs:
        raise InvalidParameterError(
            f"{len(targets)} targets for {n_graphs} graphs.", "Give one class for each graph."
        )
    return tuple(str(target) for target in targets)


__all__ = ["content_to_write", "read", "write"]
