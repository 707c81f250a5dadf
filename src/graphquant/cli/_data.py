"""DATA on the command line: files, folders, stdin, a built-in set, a subset of the IAM database."""

import difflib
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graphquant.cli import _stdin
from graphquant.cli._joining import joined, located
from graphquant.cli._loaded import LoadedData, print_flaws
from graphquant.cli._options import BUILT_IN, IAM_NAMES, Reading
from graphquant.cli._output import print_note
from graphquant.exceptions import FileFormatError, GraphQuantError, InvalidParameterError

if TYPE_CHECKING:
    from graphquant.datasets import Dataset
    from graphquant.io import FileContent


def load_data(name: str, reading: Reading) -> LoadedData:
    """Find and read one DATA.

    Names take precedence over paths: a name means the same in every folder; ``./letters`` is always a path.
    """
    if name in BUILT_IN + IAM_NAMES:
        _check_needed(name, reading)
        skips = reading.on_error.value == "skip"
        return replace(_from_dataset(name, _named(name, reading)), skips=skips)
    parts = [_read(place, reading) for place in _places(name, reading)]
    return joined(parts, parts[0].name if name == "-" else name)


def load_blocks(names: Sequence[str], reading: Reading, size: int) -> Iterator[LoadedData]:
    """Read DATA in blocks of graphs; those of a Parquet file are never all in memory."""
    for name in names:
        if name in BUILT_IN + IAM_NAMES:
            yield from _cut(reading.load(name), size)
            continue
        places = _places(name, reading)
        for block in chain.from_iterable(_blocks(place, reading, size) for place in places):
            print_flaws(block if len(names) == len(places) == 1 else located(block))
            yield block


def _blocks(place: "_Place", reading: Reading, size: int) -> Iterator[LoadedData]:
    from graphquant.io import parquet

    if reading.input_format not in (None, "parquet") or not parquet.recognises(place.path):
        yield from _cut(_read(place, reading), size)
        return
    check_options("parquet", place.name, reading)
    with _called(place):
        for content in parquet.iter_batches(place.path, size, on_error=reading.on_error.value):
            yield _from_content(place, content, reading)


class _Place(NamedTuple):
    """A file, folder or zip that is one collection, and its name in messages."""

    path: Path
    name: str


def _places(name: str, reading: Reading) -> list[_Place]:
    """Return what to read for one DATA: itself, stdin, or the files of a folder."""
    _check_no_folder_of_iam(name, reading)
    if name == "-":
        has_columns = reading.smiles is not None or reading.name is not None
        return [_Place(_stdin.spooled(reading.input_format, has_columns=has_columns), _stdin.NAME)]
    path = Path(name)
    if not path.exists():
        raise _unknown(name)
    files = _files_of(path, reading.input_format) if path.is_dir() else None
    return [_Place(path, name)] if files is None else [_Place(file, str(file)) for file in files]


def _files_of(folder: Path, input_format: str | None) -> list[Path] | None:
    """Return the files of a folder that are joined; None if the folder itself is one collection."""
    from graphquant.io import format_names, get_format

    if input_format is None:
        if any(get_format(name).recognises(folder) for name in format_names()):
            return None
    elif input_format in ("gxl", "tu", "graphml"):
        return None
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    found: dict[str, list[Path]] = {}
    for file in files:
        known = next((name for name in format_names() if get_format(name).recognises(file)), None)
        if known is not None:
            found.setdefault(known, []).append(file)
    chosen = {name: paths for name, paths in found.items() if input_format in (None, name)}
    if not chosen:
        return None
    if len(chosen) > 1:
        counts = ", ".join(f"{name}: {len(paths)}" for name, paths in chosen.items())
        raise FileFormatError(
            f"{folder}: contains files of several formats ({counts}).",
            "Choose one with --input-format, or name the files.",
        )
    ((name, members),) = chosen.items()
    others = len(files) - len(members)
    print_note(
        f"{folder}: {len(members)} file{'' if len(members) == 1 else 's'} of the format {name}, in the order "
        f"of their names{f'; others ignored: {others}' if others else ''}"
    )
    return members


def _read(place: _Place, reading: Reading) -> LoadedData:
    from graphquant import io
    from graphquant.io.registry import check_readable, format_of

    with _called(place):
        check_readable(place.path)
        chosen = reading.input_format or format_of(place.path)
    options = check_options(chosen, place.name, reading)
    if options.pop("repair", False):
        print_note("--repair will be removed in version 3.0: files are repaired without it", label="warning")
    with _called(place), warnings.catch_warnings():
        # All repaired flaws are listed here, so the library's warning about the first of them is redundant.
        warnings.filterwarnings("ignore", r".* flaws? (was|were) repaired")
        content = io.read_file(place.path, format=chosen, on_error=reading.on_error.value, **options)
    return _from_content(place, content, reading)


@contextmanager
def _called(place: _Place) -> Iterator[None]:
    """Let errors use the name that the user knows."""
    try:
        yield
    except GraphQuantError as err:
        path = str(place.path)
        if path == place.name or path not in f"{err.message}{err.hint}":
            raise
        hint = err.hint and err.hint.replace(path, place.name)
        raise type(err)(err.message.replace(path, place.name), hint) from err


def _cut(loaded: LoadedData, size: int) -> Iterator[LoadedData]:
    """Yield blocks; skipped graphs and repairs are reported with the first."""
    for start in range(0, max(len(loaded.graphs), 1), size):
        yield loaded.take(slice(start, start + size))
        loaded = replace(loaded, skipped=(), repaired=())


def _options(reading: Reading) -> dict[str, Any]:
    """Return the reader options that were given."""
    given = {
        "split": reading.split,
        "repair": reading.repair or None,
        "smiles": reading.smiles,
        "name": reading.name,
        "target": reading.target,
        "hydrogens": reading.hydrogens or None,
        "strict": reading.strict or None,
    }
    return {name: value for name, value in given.items() if value is not None}


def check_options(format: str, name: str, reading: Reading) -> dict[str, Any]:
    """Return the options for the reader of a format; refuse unknown ones."""
    from graphquant.io import get_format
    from graphquant.io.registry import check_options as check

    options = _options(reading)
    reader = get_format(format).read
    for option, value in options.items():
        if option == "strict":  # formats without repairs are always strict
            continue
        try:
            check(format, reader, {option: value})
        except InvalidParameterError as err:
            raise InvalidParameterError(
                f"{name}: the format {format} has no --{option}.",
                "Omit it, or name the format with --input-format if this is the wrong one.",
            ) from err
    return options


def _check_no_folder_of_iam(name: str, reading: Reading) -> None:
    if reading.folder is not None:
        raise InvalidParameterError(f"--data is for {', '.join(IAM_NAMES)}, not for {name}.", "Omit --data.")


def _check_needed(name: str, reading: Reading) -> None:
    """Reject options that would have no effect on a data set, since the user expects one."""
    if name in BUILT_IN:
        _check_no_folder_of_iam(name, reading)
    of_files = {"input-format": reading.input_format, **_options(reading)}
    useful = ("split",) if name in IAM_NAMES else ()
    useless = [option for option, value in of_files.items() if value is not None and option not in useful]
    if useless:
        raise InvalidParameterError(
            f"--{useless[0]} is for files; {name} is the name of a data set.",
            f"Omit it, or write ./{name} if you mean a file or folder.",
        )


def _named(name: str, reading: Reading) -> "Dataset":
    """Return a built-in data set, or a subset of the IAM database."""
    from graphquant import datasets

    if name in IAM_NAMES:
        return datasets.load_iam(name, reading.folder, split=reading.split)  # type: ignore[arg-type]
    kind, _, level = name.partition(":")
    if kind == "blobs":
        return datasets.make_graph_blobs()
    return datasets.make_letters(distortion=level or "low")  # type: ignore[arg-type]


def _from_dataset(name: str, dataset: "Dataset") -> LoadedData:
    graphs = dataset.graphs if dataset.raw is None else dataset.raw
    return LoadedData(
        name=name,
        graphs=graphs,
        labels=dataset.labels,
        description=dataset.description,
        skipped=dataset.skipped,
        encoder=dataset.encoder,
    )


def _from_content(place: _Place, content: "FileContent", reading: Reading) -> LoadedData:
    from graphquant.graphs import GraphCollection
    from graphquant.io import Skipped
    from graphquant.preprocessing.restore import made_by, restore_encoder

    def called(text: str) -> str:
        return text.replace(str(place.path), place.name)

    graphs, encoder = content.graphs, restore_encoder(content.metadata.get("encoder"))
    return LoadedData(
        name=place.name,
        graphs=made_by(graphs, encoder) if isinstance(graphs, GraphCollection) else graphs,
        labels=content.targets,
        description=called(content.description),
        skipped=tuple(Skipped(called(item.name), called(item.reason)) for item in content.skipped),
        encoder=encoder,
        repaired=tuple(called(line) for line in content.metadata.get("repaired", ())),
        skips=reading.on_error.value == "skip",
        columns=getattr(content, "columns", {}),
    )


def _unknown(name: str) -> InvalidParameterError:
    known = [*BUILT_IN, *IAM_NAMES]
    near = difflib.get_close_matches(name, known, n=1)
    return InvalidParameterError(
        f"{name}: no such file or folder, and no data set of this name.",
        f"{f'Did you mean {near[0]}? ' if near else ''}Built in: {', '.join(BUILT_IN)}; "
        f"with --data DIR: {', '.join(IAM_NAMES)}; - for stdin.",
    )


__all__ = ["check_options", "load_blocks", "load_data"]
