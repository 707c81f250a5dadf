"""What all file formats share: their result, their errors, atomic writing, how vectors are stored.

How a :class:`GraphCollection` is stored in a text format
-------------------------------------------------------
Channels become numeric attributes ``a0, a1, ...`` (:func:`raw_from_vectors`), groups the node
attribute ``group``. So that reading returns the same collection, without any encoder, each graph
carries the flags of :func:`flags_of` as attributes of its own:

====================== ==========================================================================
``graphquant.kind``        ``vectors``
``graphquant.node_attrs``  number of node channels (an empty graph has no node to show them)
``graphquant.edge_attrs``  number of edge channels
``graphquant.groups``      1 if the node attribute ``group`` holds the groups (also for raw graphs)
``graphquant.unnamed``     1 if the graph has no name, where the format forces one (a file name)
====================== ==========================================================================

A flag that does not apply is absent. In GXL a flag is an ``<attr>`` directly inside ``<graph>``, for
example ``<attr name="graphquant.kind"><string>vectors</string></attr>``; GraphML and node-link JSON
have graph attributes. A reader hands raw columns and flags to :func:`apply_flags`.
"""

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from graphquant._typing import AnyArray, FloatArray
from graphquant.exceptions import FileFormatError, InvalidGraphError
from graphquant.graphs import Column, GraphCollection, RawGraphs
from graphquant.graphs.convert import channel_names
from graphquant.io.limits import check_attributes

KIND = "graphquant.kind"
NODE_ATTRS = "graphquant.node_attrs"
EDGE_ATTRS = "graphquant.edge_attrs"
GROUPS = "graphquant.groups"
UNNAMED = "graphquant.unnamed"
FLAGS = (KIND, NODE_ATTRS, EDGE_ATTRS, GROUPS, UNNAMED)
# Key of the metadata: what a reader repaired.
REPAIRED = "repaired"


@dataclass(frozen=True)
class Skipped:
    """A graph that was left out by ``on_error="skip"``, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class FileContent:
    """Content of a file: graphs, the class name of each, metadata, and what was skipped.

    ``columns`` are further texts about each graph, for example the SMILES and the properties of a
    table of molecules; None where a graph has none.
    """

    graphs: RawGraphs | GraphCollection
    targets: tuple[str, ...] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    skipped: tuple[Skipped, ...] = ()
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def repaired(self) -> tuple[str, ...]:
        """What the reader repaired, one line per repair; ``metadata["repaired"]``."""
        return tuple(self.metadata.get(REPAIRED, ()))


@dataclass(frozen=True)
class Format:
    """One file format: how to recognise, read and write it.

    ``read(path, on_error=..., **options)`` returns :class:`FileContent`; it takes ``strict=`` if it
    repairs anything. ``write(content, path, **options)`` writes all of it or nothing.
    """

    name: str
    description: str
    recognises: Callable[[Path], bool]
    read: Callable[..., FileContent]
    write: Callable[..., None] | None = None


@contextmanager
def atomic_path(path: Path, *, folder: bool = False) -> Iterator[Path]:
    """Yield a temporary path next to ``path`` that replaces it when the block succeeds.

    An error or an interruption inside the block leaves what stood at ``path`` untouched and
    removes the temporary file. Permissions of a file that is replaced are kept, and links are followed.
    With ``folder=True`` the temporary path is a new folder, and an existing folder is only replaced
    if it is empty.
    """
    # A link stays one: what it leads to is replaced.
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        _check_replaceable(path, target, folder=folder)
        if folder:
            temporary.mkdir()
        else:
            temporary.touch()
    except OSError as err:
        raise FileFormatError(
            f"{path}: cannot be written ({err.strerror or err}).",
            "Choose a folder that exists and that you may write to.",
        ) from err
    try:
        yield temporary
        if folder and target.is_dir():
            target.rmdir()
        if not folder:
            _finish(temporary, target)
        os.replace(temporary, target)
    except OSError as err:
        raise FileFormatError(
            f"{path}: writing failed ({err.strerror or err}); what was there before is unchanged.",
            "Free some space or choose another place.",
        ) from err
    finally:
        # A drive that has vanished hides no other error.
        with suppress(OSError):
            _remove(temporary)


def _check_replaceable(path: Path, target: Path, *, folder: bool) -> None:
    """Refuse to put a file in the place of something else, or of one that is not to be written."""
    if folder and target.is_dir() and any(target.iterdir()):
        raise FileFormatError(f"{path}: the folder is not empty.", "Choose a new folder, or empty this one.")
    if not folder and target.is_dir():
        raise FileFormatError(f"{path}: is a folder, expected a file name.", "Add a file name.")
    if target.exists() and not target.is_dir() and not target.is_file():
        raise FileFormatError(f"{path}: is a device or a pipe, not a file.", "Name a file.")
    if target.is_file() and not os.access(target, os.W_OK):
        raise FileFormatError(
            f"{path}: cannot be written (the file is write-protected).", "Choose another file name."
        )


def _finish(temporary: Path, target: Path) -> None:
    """Bring a file to the disk, with the permissions of the one that it replaces."""
    with temporary.open("rb+") as file:
        os.fsync(file.fileno())
    if target.exists():
        shutil.copymode(target, temporary)


def _remove(path: Path) -> None:
    if path.is_dir():
        for child in path.iterdir():
            _remove(child)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def number_or_error(text: str, where: str) -> float:
    """Return ``text`` as a number, or raise an error that names ``where`` it is."""
    try:
        return float(text)
    except ValueError as err:
        raise not_a_number(text, where) from err


def not_a_number(text: str, where: str) -> FileFormatError:
    """Build the error for a value that should be a number."""
    return FileFormatError(
        f"{where}: {text!r} is not a number.", 'Fix the file, or read with on_error="skip".'
    )


def names_or_numbers(names: Sequence[str] | None, count: int) -> list[str]:
    """Names of the graphs; their numbers if they have none."""
    return list(names) if names is not None else [str(i) for i in range(count)]


def flags_of(graphs: RawGraphs | GraphCollection) -> dict[str, str | int]:
    """Return the flags that a text format stores with each graph; see the docstring of this module."""
    flags: dict[str, str | int] = {}
    if isinstance(graphs, GraphCollection):
        flags[KIND] = "vectors"
        flags[NODE_ATTRS] = graphs.node_attrs.shape[1]
        flags[EDGE_ATTRS] = graphs.edge_attrs.shape[1]
    if graphs.groups is not None:
        flags[GROUPS] = 1
    return flags


def raw_from_vectors(collection: GraphCollection) -> RawGraphs:
    """Name the channels of encoded graphs ``a0, a1, ...``, as text formats store them."""
    whole = collection.packed()
    return RawGraphs(
        whole.node_offsets,
        whole.edge_offsets,
        whole.edges,
        _channels(whole.node_attrs),
        _channels(whole.edge_attrs),
        directed=whole.directed,
        groups=whole.groups,
        names=whole.names,
    )


def vectors_from_raw(
    raw: RawGraphs, n_node_attrs: int | None = None, n_edge_attrs: int | None = None
) -> GraphCollection:
    """Stack the columns ``a0, a1, ...`` back into vectors: the inverse of :func:`raw_from_vectors`.

    The numbers of channels are needed where there is no node or no edge to show them; by default
    there are as many as columns.
    """
    return GraphCollection.from_arrays(
        raw.node_offsets,
        _stack(raw, "node", n_node_attrs),
        raw.edge_offsets,
        raw.edges,
        _stack(raw, "edge", n_edge_attrs),
        directed=raw.directed,
        groups=raw.groups,
        names=raw.names,
    )


def apply_flags(raw: RawGraphs, flags: Mapping[str, Any]) -> RawGraphs | GraphCollection:
    """Turn the content of a text format into what was written: restore groups, names and vectors."""
    node_columns, groups, names = dict(raw.node_columns), raw.groups, raw.names
    if _number(flags, GROUPS):
        groups = _groups(node_columns.pop("group", Column(np.empty(0))), raw)
    if _number(flags, UNNAMED):
        names = None
    restored = RawGraphs(
        raw.node_offsets,
        raw.edge_offsets,
        raw.edges,
        node_columns,
        raw.edge_columns,
        directed=raw.directed,
        groups=groups,
        names=names,
    )
    if flags.get(KIND) != "vectors":
        return restored
    return vectors_from_raw(restored, _number(flags, NODE_ATTRS), _number(flags, EDGE_ATTRS))


def json_text(value: Any, what: str) -> str:
    """Return strict JSON, or raise an error that says that ``what`` cannot be stored."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as err:
        raise FileFormatError(
            f"The {what} cannot be written as JSON ({err}).",
            "Use strings, finite numbers, lists and dictionaries only.",
        ) from err


@contextmanager
def errors_name(where: object) -> Iterator[None]:
    """Put ``where`` (a file, a line of it) in front of errors from the data model or a reader."""
    try:
        yield
    except (FileFormatError, InvalidGraphError) as err:
        raise FileFormatError(f"{where}: {err.message}", err.hint) from err


def _channels(attrs: FloatArray) -> dict[str, Column]:
    names = channel_names(attrs.shape[1], None, "")
    return {name: Column(attrs[:, i]) for i, name in enumerate(names)}


def _stack(raw: RawGraphs, what: str, count: int | None) -> FloatArray:
    columns = raw.node_columns if what == "node" else raw.edge_columns
    rows = int(raw.node_offsets[-1]) if what == "node" else len(raw.edges)
    count = len(columns) if count is None else count
    if count < 1:
        raise FileFormatError(
            f"The graphs are marked as vectors of {count} {what} attributes, expected 1 or more.",
            "Write the file again.",
        )
    if rows == 0:
        check_attributes("The graphs", f"{what} attributes", count)
        return np.empty((0, count))
    names = channel_names(min(count, len(columns) + 1), None, "")
    for name in names:
        if name not in columns or not columns[name].is_numeric:
            state = "missing" if name not in columns else "not numeric"
            raise FileFormatError(
                f"{what} attribute {name!r} is {state}, but the graphs are marked as vectors "
                f"of {count} {what} attributes.",
                "Write the file again, or remove its graphquant.* marks to read it as raw graphs.",
            )
    return np.column_stack([columns[name].values for name in names])


def _groups(column: Column, raw: RawGraphs) -> Any:
    n_nodes = int(raw.node_offsets[-1])
    values = column.values
    if not column.is_numeric or len(values) != n_nodes or not _are_groups(values):
        raise FileFormatError(
            f"node attribute 'group' is not a whole number for each of the {n_nodes} nodes, but the graphs "
            "are marked as having groups.",
            f"Write the file again, or remove its {GROUPS} mark.",
        )
    return values.astype(np.int64)


def _are_groups(values: AnyArray) -> bool:
    with np.errstate(invalid="ignore"):
        return bool(((values == np.floor(values)) & (values >= 0) & (values < 2**31)).all())


def _number(flags: Mapping[str, Any], name: str) -> int:
    try:
        return int(flags.get(name, 0))
    except (TypeError, ValueError, OverflowError) as err:
        raise FileFormatError(
            f"{name}={flags[name]!r} is not a whole number.", "Write the file again."
        ) from err


__all__ = [
    "EDGE_ATTRS",
    "FLAGS",
    "GROUPS",
    "KIND",
    "NODE_ATTRS",
    "REPAIRED",
    "UNNAMED",
    "FileContent",
    "Format",
    "Skipped",
    "apply_flags",
    "atomic_path",
    "errors_name",
    "flags_of",
    "json_text",
    "names_or_numbers",
    "not_a_number",
    "number_or_error",
    "raw_from_vectors",
    "vectors_from_raw",
]
