"""The entry point for files: finding the format of a path, reading it, writing it.

Formats are loaded on first use, so that reading one does not import the packages
of the others.
"""

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from graphquant._validation import check_choice
from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.io._repairs import warn_repaired
from graphquant.io.base import REPAIRED, FileContent, Format
from graphquant.io.limits import unpacking_up_to

# The module of each format. Also the order in which they are asked whether they recognise a path.
_HOMES = {
    "parquet": ("parquet", "FORMAT"),
    "jsonl": ("jsonl", "FORMAT"),
    "smiles": ("molecules", "SMILES"),
    "sdf": ("molecules", "SDF"),
    "tu": ("tu", "FORMAT"),
    "graphml": ("graphml", "FORMAT"),
    "gxl": ("gxl", "FORMAT"),
}
SUFFIXES = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".smi": "smiles",
    ".smiles": "smiles",
    ".sdf": "sdf",
    ".graphml": "graphml",
    ".gxl": "gxl",
    ".cxl": "gxl",
}
_COMPRESSED = ("jsonl", "smiles", "sdf")  # the formats that read and write .gz


def format_names() -> list[str]:
    """Names of all formats, as ``format=`` takes them.

    Examples
    --------
    >>> format_names()
    ['parquet', 'jsonl', 'smiles', 'sdf', 'tu', 'graphml', 'gxl']
    """
    return list(_HOMES)


def get_format(name: str) -> Format:
    """Return a format by name.

    Examples
    --------
    >>> get_format("tu").name
    'tu'
    """
    module, attribute = _HOMES[check_choice("format", name, _HOMES)]
    found: Format = getattr(importlib.import_module(f"graphquant.io.{module}"), attribute)
    return found


def read_file(
    path: str | Path,
    *,
    format: str | None = None,
    on_error: Literal["raise", "skip"] = "raise",
    strict: bool = False,
    max_unpacked: int | None = None,
    **options: Any,
) -> FileContent:
    """Read graphs from a file, a folder or a zip.

    Common flaws of public collections are repaired: a value that is not what its file declares becomes
    missing or text, a graph that is listed twice counts once, self-loops and repeated edges are left
    out. One warning counts them and names the first; ``FileContent.repaired`` lists all.

    Parameters
    ----------
    path : str or Path
    format : str, optional
        One of :func:`format_names`; by default found from the name and the content.
    on_error : {"raise", "skip"}, default="raise"
        What to do about a graph that cannot be read: raise, or leave it out and list it in
        ``FileContent.skipped``. A file that cannot be read at all is always an error.
    strict : bool, default=False
        Whether flaws are errors instead of being repaired.
    max_unpacked : int, optional
        Bytes that a packed file (zip, ``.gz``) may hold. By default up to 4 GiB (2**32), and above 64 MiB no
        more than 200 times its size; the environment variable ``GRAPHQUANT_MAX_UNPACKED`` sets it, too.
    **options
        Passed to the reader of the format, for example ``hydrogens=True`` for molecules.

    Returns
    -------
    FileContent
        Encoded graphs (a :class:`GraphCollection`) if the file holds such, raw ones otherwise.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import graphquant as gq
    >>> dot = gq.GraphCollection([gq.Graph([1.0])], names=["dot"])
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "dot.jsonl")
    ...     write_file(FileContent(dot), file)
    ...     read_file(file).graphs == dot
    True
    """
    path = Path(path)
    check_choice("on_error", on_error, ("raise", "skip"))
    if format is not None:
        check_choice("format", format, _HOMES)
    check_readable(path)
    with unpacking_up_to(max_unpacked):
        chosen = get_format(format_of(path) if format is None else format)
        check_options(chosen.name, chosen.read, options)
        # The other formats have nothing to repair.
        repairs = "strict" in inspect.signature(chosen.read).parameters
        if repairs:
            options["strict"] = strict
        try:
            content = chosen.read(path, on_error=on_error, **options)
        except OSError as err:
            raise _unreadable(path, err) from err
    if repairs:
        warn_repaired(path, content.repaired)
    return content


def write_file(content: FileContent, path: str | Path, *, format: str | None = None, **options: Any) -> None:
    """Write all graphs or nothing; see :func:`read_file`.

    Parameters
    ----------
    content : FileContent
        All formats store graphs, names and targets; Parquet and TU also metadata and description.
    path : str or Path
    format : str, optional
        By default from the suffix. A folder or a zip can be one of several formats and needs it.
    **options
        Passed to the writer of the format, for example ``row_group_size=1000`` for Parquet.
    """
    path = Path(path)
    name = suffix_format(path) if format is None else check_choice("format", format, _HOMES)
    if name is None:
        raise FileFormatError(
            f"{path}: the suffix {path.suffix!r} does not say which format to write.",
            f"Use one of {', '.join(_writable_suffixes())}, or pass format= for a folder or zip: "
            f"{', '.join(map(repr, _writable()))}.",
        )
    chosen = get_format(name)
    if chosen.write is None:
        raise FileFormatError(
            f"{path}: the format {name!r} can be read but not written.",
            f"Formats to write: {', '.join(_writable())}.",
        )
    check_options(name, chosen.write, options)
    if content.targets is not None and len(content.targets) != len(content.graphs):
        raise InvalidParameterError(
            f"{len(content.targets)} targets for {len(content.graphs)} graphs.", "Give one for each graph."
        )
    # Repairs to the original file are not flaws of this one.
    metadata = {key: value for key, value in content.metadata.items() if key != REPAIRED}
    try:
        chosen.write(replace(content, metadata=metadata), path, **options)
    except UnicodeEncodeError as err:
        raise FileFormatError(
            f"{path}: {err.object!r} is not text that can be written ({err.reason}).", "Rename it."
        ) from err


def check_options(name: str, job: Callable[..., Any], options: Mapping[str, Any]) -> None:
    parameters = inspect.signature(job).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name not in ("on_error", "strict")]
    for option in options:
        check_choice(f"option of the format {name!r}:", option, known)


def suffix_format(path: Path) -> str | None:
    suffix = path.suffix.lower()
    if suffix != ".gz":
        return SUFFIXES.get(suffix)
    inner = SUFFIXES.get(Path(path.stem).suffix.lower())
    return inner if inner in _COMPRESSED else None


def format_of(path: Path) -> str:
    by_suffix = suffix_format(path)
    if by_suffix is not None and path.is_file():
        return by_suffix
    try:
        for name in _HOMES:
            if get_format(name).recognises(path):
                return name
    except OSError as err:
        raise _unreadable(path, err) from err
    known = "; ".join(f"{name}: {get_format(name).description}" for name in _HOMES)
    raise FileFormatError(
        f"{path}: not a format that graphquant knows.",
        f"Give the file the suffix of its format, or pass format=. {known}.",
    )


def check_readable(path: Path) -> None:
    try:
        exists = path.exists()
        if path.is_file():
            path.open("rb").close()
    except OSError as err:
        raise _unreadable(path, err) from err
    if not exists:
        raise FileFormatError(f"{path}: no such file or folder.", "Check the path.")


def _unreadable(path: Path, err: OSError) -> FileFormatError:
    return FileFormatError(f"{path}: cannot be read ({err.strerror or err}).", "Check that you may read it.")


def _writable() -> list[str]:
    return [name for name in _HOMES if get_format(name).write is not None]


def _writable_suffixes() -> list[str]:
    formats = _writable()
    # A list of graphs without the graphs cannot be written.
    return [suffix for suffix, name in SUFFIXES.items() if name in formats and suffix != ".cxl"]


__all__ = ["format_names", "get_format", "read_file", "write_file"]
