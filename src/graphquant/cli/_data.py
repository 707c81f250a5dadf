"""DATA on the command line: a path, the name of a built-in set, or a subset of the IAM database."""

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from graphquant.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from graphquant.datasets import Dataset
    from graphquant.graphs import GraphCollection, RawGraphs
    from graphquant.io import Skipped
    from graphquant.preprocessing import AttributeEncoder

BUILT_IN = ("letters", "letters:low", "letters:med", "letters:high", "blobs")
IAM_NAMES = ("letter", "letter-med", "grec", "fingerprint", "molecules", "mutagenicity")


@dataclass(frozen=True)
class LoadedData:
    """Graphs as they were found: raw attributes if there are any, else vectors."""

    name: str
    graphs: "RawGraphs | GraphCollection"
    labels: tuple[str, ...] | None
    description: str
    skipped: "tuple[Skipped, ...]"
    encoder: "AttributeEncoder | None"
    repaired: tuple[str, ...] = ()


def load_data(
    name: str,
    *,
    folder: Path | None = None,
    file_format: str | None = None,
    on_error: Literal["raise", "skip"] = "raise",
    **options: Any,
) -> LoadedData:
    """Find and read what DATA names.

    Parameters
    ----------
    name : str
        A built-in name, an IAM subset, or a path; names go before paths, so that a name means the
        same in every folder (``./letters`` is always a path).
    folder : Path, optional
        Folder of the IAM zips, for IAM subsets.
    file_format, on_error, **options
        For the reader of a file; options that are None are not passed on.
    """
    given = {key: value for key, value in options.items() if value is not None}
    _check_options(name, folder, {"input-format": file_format, **given})
    if name in BUILT_IN:
        return _from_dataset(name, _built_in(name))
    if name in IAM_NAMES:
        from graphquant.datasets.iam import load_iam

        return _from_dataset(name, load_iam(name, folder, split=given.get("split")))
    if not Path(name).exists():
        raise _unknown(name)
    return _from_file(name, file_format, on_error, given)


def _check_options(name: str, folder: Path | None, of_files: dict[str, Any]) -> None:
    """Refuse options that would have no effect: who gives them expects one."""
    if folder is not None and name not in IAM_NAMES:
        raise InvalidParameterError(
            f"--data is for {', '.join(IAM_NAMES)}, not for {name}.", "Leave --data out."
        )
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


def _from_file(
    name: str, file_format: str | None, on_error: Literal["raise", "skip"], options: dict[str, Any]
) -> LoadedData:
    from graphquant import io
    from graphquant.preprocessing import AttributeEncoder

    content = io.read_file(Path(name), format=file_format, on_error=on_error, **options)
    stored = content.metadata.get("encoder")
    encoder = None if stored is None else AttributeEncoder.from_json(stored)
    repaired = tuple(content.metadata.get("repaired", ()))
    return LoadedData(
        name, content.graphs, content.targets, content.description, content.skipped, encoder, repaired
    )


def _unknown(name: str) -> InvalidParameterError:
    known = [*BUILT_IN, *IAM_NAMES]
    near = difflib.get_close_matches(name, known, n=1)
    return InvalidParameterError(
        f"{name}: no such file or folder, and no data set of this name.",
        f"{f'Did you mean {near[0]}? ' if near else ''}Built in: {', '.join(BUILT_IN)}; "
        f"with --data DIR: {', '.join(IAM_NAMES)}.",
    )


__all__ = ["BUILT_IN", "IAM_NAMES", "LoadedData", "load_data"]
