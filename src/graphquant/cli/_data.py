"""DATA on the command line: a path, the name of a built-in set, or a subset of the IAM database."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphquant.cli._options import BUILT_IN, IAM_NAMES, Reading
from graphquant.cli._output import print_note
from graphquant.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from graphquant.datasets import Dataset
    from graphquant.graphs import GraphCollection, RawGraphs
    from graphquant.io import FileContent, Skipped
    from graphquant.preprocessing import AttributeEncoder


@dataclass(frozen=True)
class LoadedData:
    """Graphs as they were found: raw attributes if there are any, else vectors."""

    name: str
    graphs: "RawGraphs | GraphCollection"
    labels: tuple[str, ...] | None
    description: str
    skipped: "tuple[Skipped, ...]" = ()
    encoder: "AttributeEncoder | None" = None
    repaired: tuple[str, ...] = ()

    def take(self, chosen: slice | list[int]) -> "LoadedData":
        """Return some of the graphs."""
        numbers = range(len(self.graphs))[chosen] if isinstance(chosen, slice) else chosen
        labels = None if self.labels is None else tuple(self.labels[i] for i in numbers)
        return replace(self, graphs=self.graphs[chosen], labels=labels)


def load_data(name: str, reading: Reading) -> LoadedData:
    """Find and read what DATA names.

    Names go before paths, so that a name means the same in every folder; ``./letters`` is always a path.
    """
    options = _reader_options(reading)
    _check_options(name, reading, options)
    if name in BUILT_IN:
        return _from_dataset(name, _built_in(name))
    if name in IAM_NAMES:
        from graphquant.datasets.iam import load_iam

        return _from_dataset(name, load_iam(name, reading.folder, split=options.get("split")))
    if not Path(name).exists():
        raise _unknown(name)
    from graphquant import io

    content = io.read_file(
        Path(name), format=reading.input_format, on_error=reading.on_error.value, **options
    )
    return _from_content(name, content)


def load_blocks(name: str, reading: Reading, size: int) -> Iterator[LoadedData]:
    """Read what DATA names in blocks of graphs; those of a Parquet file are never in memory together."""
    from graphquant.io import parquet

    path = Path(name)
    is_file = name not in BUILT_IN + IAM_NAMES and path.is_file()
    if is_file and reading.input_format in (None, "parquet") and parquet.recognises(path):
        _check_options(name, reading, _reader_options(reading))
        for content in parquet.iter_batches(path, size, on_error=reading.on_error.value):
            block = _from_content(name, content)
            print_flaws(block)
            yield block
        return
    loaded = reading.load(name)
    for start in range(0, len(loaded.graphs), size):
        yield loaded.take(slice(start, start + size))


def print_flaws(loaded: LoadedData) -> None:
    """Count and list on stderr what was skipped and repaired."""
    found = {
        "graphs skipped": [f"{item.name}: {item.reason}" for item in loaded.skipped],
        "flaws repaired": list(loaded.repaired),
    }
    for what, lines in found.items():
        if lines:
            print_note(f"{what}: {len(lines)}", label="warning")
        for line in lines:
            print_note(f"  {line}")


def _reader_options(reading: Reading) -> dict[str, Any]:
    given = {"split": reading.split, "repair": reading.repair or None}
    return {name: value for name, value in given.items() if value is not None}


def _check_options(name: str, reading: Reading, options: dict[str, Any]) -> None:
    """Refuse options that would have no effect: who gives them expects one."""
    if reading.folder is not None and name not in IAM_NAMES:
        raise InvalidParameterError(
            f"--data is for {', '.join(IAM_NAMES)}, not for {name}.", "Leave --data out."
        )
    of_files = {"input-format": reading.input_format, **options}
    useful = ("split",) if name in IAM_NAMES else ()
    useless = [option for option, value in of_files.items() if value is not None and option not in useful]
    if useless and name in BUILT_IN + IAM_NAMES:
        raise InvalidParameterError(
            f"--{useless[0]} is for files; {name} is the name of a data set.",
            f"Leave it out, or write ./{name} if you mean a file or folder.",
        )


def _built_in(name: str) -> "Dataset":
    from graphquant import datasets

    kind, _, level = name.partition(":")
    if kind == "blobs":
        return datasets.make_graph_blobs()
    return datasets.make_letters(distortion=level or "low")  # type: ignore[arg-type]


def _from_dataset(name: str, dataset: "Dataset") -> LoadedData:
    graphs = dataset.graphs if dataset.raw is None else dataset.raw
    return LoadedData(name, graphs, dataset.labels, dataset.description, dataset.skipped, dataset.encoder)


def _from_content(name: str, content: "FileContent") -> LoadedData:
    from graphquant.cli._encoding import encoder_from_json

    return LoadedData(
        name,
        content.graphs,
        content.targets,
        content.description,
        content.skipped,
        encoder_from_json(content.metadata.get("encoder")),
        tuple(content.metadata.get("repaired", ())),
    )


def _unknown(name: str) -> InvalidParameterError:
    known = [*BUILT_IN, *IAM_NAMES]
    near = difflib.get_close_matches(name, known, n=1)
    return InvalidParameterError(
        f"{name}: no such file or folder, and no data set of this name.",
        f"{f'Did you mean {near[0]}? ' if near else ''}Built in: {', '.join(BUILT_IN)}; "
        f"with --data DIR: {', '.join(IAM_NAMES)}.",
    )


__all__ = ["LoadedData", "load_blocks", "load_data", "print_flaws"]
