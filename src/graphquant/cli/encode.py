"""``graphquant encode CODEBOOK DATA``: the nearest code graph of each graph."""

import csv
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from graphquant.cli import _options as opt
from graphquant.cli._exit import InterruptedWorkError, interrupts_raised
from graphquant.cli._output import OutputFormat, counter, print_note
from graphquant.exceptions import FileFormatError

if TYPE_CHECKING:
    from graphquant.cli._data import LoadedData
    from graphquant.datasets import Dataset
    from graphquant.quantizers import Encoding

EXAMPLES = (
    "graphquant fit blobs -k 4 -o codebook.parquet",
    "graphquant encode codebook.parquet blobs",
    "graphquant encode codebook.parquet blobs --format json -o encodings.jsonl",
)

# Graphs that are encoded together; their rows are then printed, whatever happens to the rest.
BLOCK = 1024
_FORMAT_OF = {".csv": OutputFormat.CSV, ".json": OutputFormat.JSON, ".jsonl": OutputFormat.JSON}


def encode(
    codebook: opt.Codebook,
    data: opt.Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write to a file; until all is done, to FILE.part."
        ),
    ] = None,
    format: Annotated[
        OutputFormat | None,
        typer.Option(help="How to print; by default csv, or as FILE is named. json: an object a line."),
    ] = None,
    reading: opt.Reading = opt.READING,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
) -> None:
    """Find the nearest code graph of each graph.

    With it come the distance, a lower bound of it, and whether it is proven to be the least. Graphs are
    read, encoded and printed block by block: finished rows are never lost.
    """
    from graphquant.cli._data import load_blocks
    from graphquant.cli._encoding import encode_like, load_codebook

    quantizer = load_codebook(codebook).set_params(n_jobs=jobs)
    chosen = format or _FORMAT_OF.get("" if output is None else output.suffix.lower(), OutputFormat.CSV)
    done = 0
    with _rows_to(output) as file, counter("encoded", visible=output is None) as advance:
        writer = RowWriter(file, chosen)
        for block in load_blocks(data, reading, BLOCK):
            dataset = encode_like(block, quantizer.encoder_, quantizer.codebook_)
            with interrupts_raised():
                found = quantizer.match(dataset.graphs)
            writer.write(encoding_rows(block, dataset, found, done))
            done += len(dataset)
            advance(len(dataset))
    if output is not None:
        print_note(f"wrote {output} ({done} graphs)")


def encoding_rows(
    loaded: "LoadedData", dataset: "Dataset", encoding: "Encoding", first: int
) -> Iterator[dict[str, Any]]:
    """Yield one row a graph, plain values; graphs without names are called by their number."""
    names = dataset.names or tuple(str(first + i) for i in range(len(dataset)))
    for i, name in enumerate(names):
        row: dict[str, Any] = {"graph": name}
        if loaded.labels is not None:
            row["class"] = loaded.labels[i]
        yield row | {
            "code": int(encoding.label[i]),
            "distance": float(encoding.distance[i]),
            "lower_bound": float(encoding.lower_bound[i]),
            "proven": bool(encoding.proven[i]),
        }


class RowWriter:
    """Writes rows as they come, in one of the formats; each call ends with what it got on its way."""

    def __init__(self, file: IO[str], output: OutputFormat) -> None:
        self._file, self._format = file, output
        self._widths: dict[str, int] = {}
        self._begun = False

    def write(self, rows: Iterable[dict[str, Any]]) -> None:
        """Write some rows, all with the same keys as the first ever."""
        items = list(rows)
        if self._format is OutputFormat.JSON:
            self._file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in items)
        elif self._format is OutputFormat.CSV:
            self._write_csv(items)
        else:
            self._write_table(items)
        self._begun = True
        self._file.flush()

    def _write_csv(self, rows: list[dict[str, Any]]) -> None:
        writer = csv.DictWriter(self._file, list(rows[0]) if rows else [], lineterminator="\n")
        if not self._begun:
            writer.writeheader()
        writer.writerows(row | {"proven": str(row["proven"]).lower()} for row in rows)

    def _write_table(self, rows: list[dict[str, Any]]) -> None:
        cells = [{name: _cell(value) for name, value in row.items()} for row in rows]
        if not self._begun and cells:
            # Later blocks keep the columns of the first.
            self._widths = {name: max(len(name), *(len(row[name]) for row in cells)) for name in cells[0]}
            cells.insert(0, {name: name.replace("_", " ") for name in cells[0]})
        for row in cells:
            line = "  ".join(
                f"{cell:>{self._widths[name]}}" if name in _NUMBERS else f"{cell:<{self._widths[name]}}"
                for name, cell in row.items()
            )
            self._file.write(line.rstrip() + "\n")


_NUMBERS = ("code", "distance", "lower_bound")


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


@contextmanager
def _rows_to(path: Path | None) -> Iterator[IO[str]]:
    """Yield stdout, or a file that gets its name in the end; until then, and if it fails, it is a part."""
    if path is None:
        yield sys.stdout
        return
    part = path.with_name(f"{path.name}.part")
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "is a folder, expected a file name")
        file = part.open("w", encoding="utf-8", newline="")
    except OSError as err:
        raise FileFormatError(
            f"{path}: cannot be written ({err.strerror}).",
            "Choose a folder that exists and that you may write to.",
        ) from err
    try:
        with file:
            yield file
    except KeyboardInterrupt:
        raise InterruptedWorkError("interrupted.", f"The finished rows are in {part}.") from None
    except BaseException:
        # Nothing is lost but an empty file.
        if part.stat().st_size == 0:
            part.unlink()
        else:
            print_note(f"the finished rows are in {part}", label="note")
        raise
    os.replace(part, path)


__all__ = ["EXAMPLES", "RowWriter", "encode", "encoding_rows"]
