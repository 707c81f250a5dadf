"""``graphquant encode CODEBOOK DATA``: the nearest code graph of each graph."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphquant.cli import _options as opt
from graphquant.cli._edit import EDITING, Editing
from graphquant.cli._exit import interrupts_raised
from graphquant.cli._formats import RowFormat, is_stdout, row_format
from graphquant.cli._output import counter, print_note

if TYPE_CHECKING:
    from graphquant.cli._loaded import LoadedData
    from graphquant.datasets import Dataset
    from graphquant.learning import Encoding
    from graphquant.learning.clusters import Clusters

EXAMPLES = (
    "graphquant fit blobs -k 4 -o codebook.parquet",
    "graphquant encode codebook.parquet blobs",
    "graphquant encode codebook.parquet blobs -o encodings.parquet",
    "graphquant encode codebook.parquet blobs --format jsonl",
)

# Number of graphs encoded together; their rows are then printed, whatever happens to the rest.
BLOCK = 1024


def encode(
    codebook: opt.Codebook,
    data: opt.Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to a file: .csv, .tsv, .json, .jsonl, .parquet or .txt. Until all is done, text is "
            "in FILE.part.",
        ),
    ] = None,
    format: Annotated[
        RowFormat | None,
        typer.Option(
            help="How to print; by default csv, or by the suffix of FILE. json: one object per line, or "
            "one array in a file named .json."
        ),
    ] = None,
    formulas: opt.Formulas = False,
    editing: Editing = EDITING,
    policies: opt.Policies = opt.POLICIES,
    reading: opt.Reading = opt.READING,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
) -> None:
    """Find the nearest code graph of each graph.

    Each row also has the distance, a lower bound, whether the distance is proven, the training graph that
    stands for the cluster (medoid), and the share of training graphs that were no further away (quantile).
    Graphs are read, encoded and printed in blocks: finished rows are never lost.
    """
    chosen = row_format(output, format)

    from graphquant.cli._data import load_blocks
    from graphquant.cli._encoding import encode_rest, load_codebook
    from graphquant.cli._notes import Distances, note_notes
    from graphquant.cli._rows import rows_to
    from graphquant.preprocessing import EncodingNotes

    quantizer = load_codebook(codebook).set_params(n_jobs=jobs)
    policies.set_on(quantizer.encoder_, str(codebook))
    editing.check(quantizer.encoder_, str(codebook))
    distances = Distances(quantizer)
    notes, seen, done = EncodingNotes(), 0, 0
    with (
        rows_to(output, chosen, escapes_formulas=not formulas) as writer,
        counter("encoded", visible=is_stdout(output)) as advance,
    ):
        for block in load_blocks(data, reading, BLOCK):
            loaded, dataset, met = encode_rest(
                _numbered(block, seen), quantizer.encoder_, quantizer.codebook_
            )
            notes += met
            with interrupts_raised():
                found = quantizer.match(dataset.graphs)
            writer.write(encoding_rows(loaded, dataset, found, seen, quantizer._clusters))
            distances.add(found.distance)
            seen += len(block.graphs)
            done += len(dataset)
            advance(len(dataset))
    note_notes(notes)
    distances.note()
    if not is_stdout(output):
        print_note(f"wrote {output} ({done} graphs)")


def _numbered(block: "LoadedData", first: int) -> "LoadedData":
    """Name graphs without names by their number before some of them are skipped."""
    if not block.skips or block.graphs.names is not None:
        return block
    from graphquant.cli._joining import renamed

    names = [str(first + i) for i in range(len(block.graphs))]
    return replace(block, graphs=renamed(block.graphs, names))


def encoding_rows(
    loaded: "LoadedData",
    dataset: "Dataset",
    encoding: "Encoding",
    first: int,
    clusters: "Clusters | None" = None,
) -> Iterator[dict[str, Any]]:
    """Yield one row per graph, plain values; graphs without names are called by their number."""
    from graphquant.preprocessing import EditCosts

    names = dataset.names or tuple(str(first + i) for i in range(len(dataset)))
    quantiles = None if clusters is None else clusters.quantile(encoding.distance)
    for i, name in enumerate(names):
        row: dict[str, Any] = {"graph": name}
        if loaded.labels is not None:
            row["class"] = loaded.labels[i]
        found = {
            "code": int(encoding.label[i]),
            "distance": float(encoding.distance[i]),
            "lower_bound": float(encoding.lower_bound[i]),
            "proven": bool(encoding.proven[i]),
        }
        if isinstance(dataset.encoder, EditCosts):
            found["edits"] = float(encoding.edits[i])
        row |= found
        if clusters is not None and quantiles is not None:
            row |= {"medoid": clusters.medoid_name(int(encoding.label[i])), "quantile": float(quantiles[i])}
        # Columns of the file that are called like ours stay out.
        others = {column: values[i] for column, values in loaded.columns.items()}
        yield row | {column: value for column, value in others.items() if column not in row}


__all__ = ["EXAMPLES", "encode", "encoding_rows"]
