"""DATA that is processed partition by partition: Parquet files of any size, locally or on a cluster."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphquant.cli._options import BUILT_IN, IAM_NAMES, Attributes, Reading
from graphquant.cli._output import print_note
from graphquant.exceptions import EncodingError, InvalidParameterError

if TYPE_CHECKING:
    from graphquant.datasets import GraphSource

Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on a Dask cluster, such as tcp://10.0.0.1:8786; 'local' starts worker processes here.",
    ),
]


def open_source(
    names: Sequence[str], reading: Reading, scheduler: str | None, attributes: Attributes | None = None
) -> "GraphSource | None":
    """Return DATA as partitions, if it has several, or if a cluster is to process it."""
    if len(names) > 1:
        if scheduler is not None:
            raise InvalidParameterError(
                "A cluster works on one file, folder, pattern or URL.",
                "Put the files into one folder, or name them by a pattern such as 'data/*.parquet'.",
            )
        return None

    from graphquant.cli._data import check_options
    from graphquant.datasets import scan

    (name,) = names
    if name in BUILT_IN + IAM_NAMES or not _is_parquet(name, reading):
        if scheduler is not None:
            raise InvalidParameterError(
                f"{name}: a cluster works on Parquet files.",
                f"Write one first: graphquant convert {name} data.parquet",
            )
        return None
    check_options("parquet", name, reading)
    source = scan(name, on_error=reading.on_error.value)
    if scheduler is None and (len(source.partitions) == 1 or (source.is_raw and Path(name).exists())):
        return None
    if source.is_raw:
        raise EncodingError(
            f"{name}: contains named attributes; partitions must contain vectors.",
            f"Write vectors first: graphquant convert {name} vectors.parquet --encode",
        )
    if attributes is not None and attributes.given:
        raise EncodingError(f"{name}: already contains vectors.", "Omit the attribute options.")
    where = "" if scheduler is None else f", on the cluster {scheduler}"
    print_note(f"{name}: {source.n_rows} graphs in {len(source.partitions)} partitions{where}")
    return source


def _is_parquet(name: str, reading: Reading) -> bool:
    from graphquant.io import parquet
    from graphquant.io.address import is_url

    if reading.input_format not in (None, "parquet"):
        return False
    path = Path(name)
    if path.is_dir():
        return any(path.glob("**/*.parquet"))
    return is_url(name) or parquet.recognises(path) or ("*" in name and not path.exists())


@contextmanager
def executor_of(scheduler: str | None, jobs: int | None) -> Iterator[Any]:
    """Yield the executor of a scheduler, or None: this process."""
    if scheduler is None:
        yield None
        return
    from graphquant.out_of_core import connected

    with connected(scheduler, jobs) as executor:
        yield executor


__all__ = ["Scheduler", "executor_of", "open_source"]
