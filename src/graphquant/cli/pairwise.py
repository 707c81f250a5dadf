"""``graphquant pairwise DATA --edit -o distances.parquet``: distances of all pairs, or of given ones."""

import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphquant.cli import _options as opt
from graphquant.cli._edit import EDITING, Editing
from graphquant.cli._exit import InterruptedWorkError, interrupts_raised
from graphquant.cli._formats import OutputFormat
from graphquant.cli._output import print_note, print_record, wants_progress
from graphquant.cli._partitions import Scheduler, executor_of
from graphquant.exceptions import FileFormatError, InvalidParameterError

if TYPE_CHECKING:
    from graphquant._typing import IntArray
    from graphquant.graphs import GraphCollection

EXAMPLES = ("graphquant pairwise blobs --costs networkx --threshold 3 -o near.parquet",)


def pairwise(
    data: opt.Data,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The table to write (.parquet).")
    ],
    editing: Editing = EDITING,
    threshold: Annotated[
        float | None,
        typer.Option(min=0.0, metavar="X", help="Write only pairs whose distance is at most this."),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A CSV or Parquet table whose first two columns name the pairs."),
    ] = None,
    node_limit: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Search nodes of a pair; pairs of up to 8 nodes have no limit."
        ),
    ] = 10_000,
    time_limit: opt.TimeLimit = None,
    scheduler: Scheduler = None,
    reading: opt.Reading = opt.READING,
    jobs: opt.Jobs = None,
    format: opt.Shown = OutputFormat.TABLE,
    quiet: opt.Quiet = False,
) -> None:
    """Compute the edit distances of all pairs of graphs.

    Give --edit, or --costs to say what edits cost: there is no other distance.

    The table has one row per pair: the numbers of both graphs, the distance, a lower bound, and whether
    they are equal. Finished blocks are kept in FILE.parts: if the work is interrupted, the same command
    continues it.
    """
    _check(output, editing)

    from graphquant._progress import progress_bar
    from graphquant._threads import n_threads
    from graphquant.edit import edit_matcher
    from graphquant.out_of_core.executor import LocalExecutor
    from graphquant.out_of_core.pairs import PairJob, blocks_of, tiles, write_distances

    costs = editing.read()
    assert costs is not None
    graphs = _encoded(reading.load(data), costs)
    assert graphs.schema is not None
    job = PairJob(graphs, graphs.schema.encoder, edit_matcher("auto", node_limit, time_limit), threshold)
    blocks = tiles(len(graphs)) if pairs is None else blocks_of(_pairs_in(pairs, graphs))
    total = sum(len(block.local()) for block in blocks)
    print_note(f"{total:,} pairs of {len(graphs):,} graphs in {len(blocks):,} blocks")
    workers = n_threads(jobs)
    with executor_of(scheduler, jobs) as remote, progress_bar(total, wants_progress(), "Pairs") as advance:
        executor = LocalExecutor(workers) if remote is None else remote
        try:
            with interrupts_raised():
                found = write_distances(job, blocks, output, executor, workers, on_done=advance)
        except KeyboardInterrupt:
            raise InterruptedWorkError(
                f"interrupted; finished blocks are in {output}.parts.", "Run it again to continue."
            ) from None
    print_note(f"wrote {output}")
    print_record(
        {
            "distances": str(output),
            "graphs": len(graphs),
            "pairs": found.n_pairs,
            "rows": found.n_rows,
            "proven": found.n_proven / found.n_rows if found.n_rows else 1.0,
        },
        format,
    )


def _check(output: Path, editing: Editing) -> None:
    if output.suffix.lower() not in (".parquet", ".pq"):
        raise FileFormatError(
            f"{output}: distances are written as Parquet.", f"Name it {output.with_suffix('.parquet')}."
        )
    if not editing.wanted:
        raise InvalidParameterError("pairwise computes edit distances.", "Add --edit, or --costs FILE.json.")


def _encoded(loaded: Any, costs: Any) -> "GraphCollection":
    """Encode all graphs by costs that know their labels, and say how."""
    from graphquant.edit import given_graphs

    raw = given_graphs(loaded.graphs).raw
    graphs: GraphCollection = costs.fit_transform(raw)
    print_note("edit costs:")
    for line in costs.describe().splitlines():
        print_note(f"  {line}")
    return graphs


def _pairs_in(path: Path, graphs: "GraphCollection") -> "IntArray":
    """Read pairs of graphs, by number or by name."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv

    from graphquant.io.limits import open_packed
    from graphquant.io.tables import read_table

    try:
        if path.suffix.lower() in (".parquet", ".pq"):
            table = read_table(path)
        else:
            with open_packed(path) as file:
                table = pyarrow.csv.read_csv(file)
    except (OSError, EOFError, zlib.error, pa.ArrowException) as err:
        raise FileFormatError(
            f"{path}: cannot be read as a table ({err}).", "Give CSV with a header."
        ) from err
    if table.num_columns < 2:
        raise FileFormatError(f"{path}: has {table.num_columns} column, pairs need two.", "Give two columns.")
    place = {name: i for i, name in enumerate(graphs.names or ())}
    columns = [
        [_number(cell, place, len(graphs), path) for cell in table.column(k).to_pylist()] for k in (0, 1)
    ]
    return np.array(columns, dtype=np.int64).T.reshape(-1, 2)


def _number(cell: Any, place: dict[str, int], count: int, path: Path) -> int:
    # A list or a date is told from a name by its text, too.
    if not isinstance(cell, int) and str(cell) in place:
        return place[str(cell)]
    if isinstance(cell, int) and not isinstance(cell, bool) and 0 <= cell < count:
        return cell
    raise InvalidParameterError(
        f"{path}: there is no graph {cell!r}.", f"Give names of graphs, or numbers from 0 to {count - 1}."
    )


__all__ = ["EXAMPLES", "pairwise"]
