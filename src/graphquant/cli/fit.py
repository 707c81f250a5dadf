"""``graphquant fit DATA -k K -o codebook.parquet``: learn a codebook."""

import shlex
import time
import warnings
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphquant.cli import _options as opt
from graphquant.cli._edit import EDITING, Editing
from graphquant.cli._exit import InterruptedWorkError, interrupts_raised
from graphquant.cli._formats import OutputFormat, check_codebook_file
from graphquant.cli._output import print_note, print_record, wants_progress
from graphquant.cli._partitions import Scheduler, executor_of, open_source
from graphquant.exceptions import FileFormatError

if TYPE_CHECKING:
    from graphquant.datasets import Dataset, GraphSource
    from graphquant.learning import GraphQuantizer

EXAMPLES = (
    "graphquant fit letters -k 30 -o codebook.parquet",
    "graphquant fit blobs -k 4 --algorithm fast --cycles 20 --format json -o blobs.parquet",
)


class AlgorithmName(StrEnum):
    """How winners are found."""

    AUTO = "auto"
    LOSSLESS = "lossless"
    STANDARD = "standard"
    ACCELERATED = "accelerated"
    FAST = "fast"


class InitName(StrEnum):
    """How the first code graphs are chosen."""

    AUTO = "auto"
    MEDOIDS = "medoids"
    FURTHEST_FIRST = "furthest-first"
    PLUSPLUS = "k-means++"
    RANDOM = "random"


def _rate(text: str) -> Any:
    """Read a learning rate: a name, a number, or two numbers with a comma."""
    if text in ("auto", "linear", "harmonic"):
        return text
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) not in (1, 2) or not all(0.0 <= number <= 1.0 for number in numbers):
        raise typer.BadParameter(
            f"{text!r} is not auto, linear, harmonic, a number from 0 to 1, or two such as 0.1,0.001."
        )
    return numbers[0] if len(numbers) == 1 else numbers


def fit(
    ctx: typer.Context,
    data: opt.Data,
    n_codes: Annotated[int, typer.Option("--codes", "-k", min=1, metavar="K", help="Size of the codebook.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The codebook to write (.parquet).")
    ],
    algorithm: Annotated[
        AlgorithmName,
        typer.Option(
            help="lossless learns what standard learns, fast has the fewest matchings; auto chooses by size."
        ),
    ] = AlgorithmName.AUTO,
    matcher: opt.Matcher = opt.MatcherName.AUTO,
    cycles: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Passes through the graphs; by default 5, up to 20 for few graphs, down to 3 for many.",
        ),
    ] = None,
    rate: Annotated[
        Any,
        typer.Option(
            parser=_rate,
            metavar="RATE",
            help="Learning rate: auto, linear, harmonic, 0.05, or 0.1,0.001.",
        ),
    ] = "auto",
    init: Annotated[InitName, typer.Option(help="How the first code graphs are chosen.")] = InitName.AUTO,
    n_init: Annotated[int, typer.Option(min=1, metavar="N", help="Runs; the best one is kept.")] = 1,
    tol: Annotated[
        float, typer.Option(min=0.0, metavar="X", help="Stop when no code graph moves more than this.")
    ] = 0.0,
    theta: Annotated[
        float,
        typer.Option(min=0.0, metavar="X", help="Movement up to which an alignment is kept (accelerated)."),
    ] = 0.0,
    batch_size: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Graphs whose winners are found before the code graphs move."),
    ] = 1,
    relocate_idle: Annotated[
        bool, typer.Option("--relocate-idle", hidden=True, help="Deprecated: has no effect.")
    ] = False,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Save a snapshot after each cycle in this folder.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue from the snapshot in --checkpoint DIR.")
    ] = False,
    scheduler: Scheduler = None,
    editing: Editing = EDITING,
    attributes: opt.Attributes = opt.ATTRIBUTES,
    reading: opt.Reading = opt.READING,
    seed: opt.Seed = 0,
    jobs: opt.Jobs = None,
    format: opt.Shown = OutputFormat.TABLE,
    quiet: opt.Quiet = False,
) -> None:
    """Learn a codebook of K code graphs.

    Parquet files with several row groups, folders and patterns of such files, and URLs are learnt partition
    by partition, without loading them all into memory.
    """
    check_codebook_file(output)
    _check_checkpoint(checkpoint, resume)

    from graphquant.cli._encoding import encode_data
    from graphquant.learning import GraphQuantizer

    source = open_source(data, reading, scheduler, attributes)
    if source is not None:
        editing.check(source.encoder, " ".join(data))
    graphs = encode_data(reading.load(data), attributes, editing.read()) if source is None else source
    quantizer = GraphQuantizer(
        n_codes,
        algorithm=algorithm.value,
        matcher=matcher.value,
        init=init.value,
        n_init=n_init,
        learning_rate=rate,
        max_cycles="auto" if cycles is None else cycles,
        tol=tol,
        theta=theta,
        batch_size=batch_size,
        random_state=seed,
        n_jobs=jobs,
        checkpoint=checkpoint,
        progress=wants_progress(),
        relocate_idle=relocate_idle,
    )
    most = _most_cycles(quantizer, graphs)
    print_note(
        f"learning {n_codes} code graph{'' if n_codes == 1 else 's'} ({_algorithm(quantizer, graphs)}, "
        f"at most {most} cycle{'' if most == 1 else 's'}, seed {seed})"
    )
    if checkpoint is not None:
        _say_where_to_go_on(checkpoint, most)
    with executor_of(scheduler, jobs) as executor:
        seconds = _learn(quantizer.set_params(executor=executor), graphs, checkpoint, ctx.obj)
    quantizer.save(output)
    print_note(f"wrote {output}")
    print_record(_record(quantizer, output, seconds), format)


def _learn(
    quantizer: "GraphQuantizer",
    graphs: "Dataset | GraphSource",
    checkpoint: Path | None,
    arguments: tuple[str, ...],
) -> float:
    """Fit, and return the seconds it took; on Ctrl-C say how to continue from these ``arguments``."""
    # The message for Ctrl-C is below, with the options of this program.
    warnings.filterwarnings("ignore", "Interrupted after")
    began = time.perf_counter()
    try:
        with interrupts_raised():
            quantizer.fit(graphs)
    except KeyboardInterrupt:
        raise _interrupted(checkpoint, arguments) from None
    return time.perf_counter() - began


def _record(quantizer: "GraphQuantizer", path: Path, seconds: float) -> dict[str, Any]:
    """Return the results and the cost of a fit, as plain values."""
    from graphquant.metrics import mean_distance

    n_graphs = len(quantizer.labels_)
    return {
        "codebook": str(path),
        "graphs": n_graphs,
        "codes": quantizer.n_codes,
        "algorithm": quantizer.history_[-1].algorithm if quantizer.n_cycles_ else None,
        "distortion": quantizer.distortion_,
        "mean_distance": mean_distance(quantizer.encoding_.distance),
        "cycles": quantizer.n_cycles_,
        "matchings": quantizer.n_matchings_,
        "standard_matchings": quantizer.n_codes * n_graphs * quantizer.n_cycles_,
        "init_matchings": quantizer.n_init_matchings_,
        "seconds": round(seconds, 3),
    }


def _most_cycles(quantizer: "GraphQuantizer", graphs: "Dataset | GraphSource") -> int:
    """Return how many cycles the library will run, unless the codebook converges first."""
    from graphquant.datasets import Dataset
    from graphquant.learning.rates import cycles_for

    if isinstance(graphs, Dataset):
        count, mean_order = len(graphs), float(graphs.graphs.orders.mean()) if len(graphs) else 0.0
    else:
        # The sizes of the graphs in partitions are not known yet: larger graphs only reduce the cycles.
        count, mean_order = graphs.n_rows, 0.0
    return cycles_for(quantizer.max_cycles, quantizer.n_codes, count, mean_order)


def _algorithm(quantizer: "GraphQuantizer", graphs: "Dataset | GraphSource") -> str:
    """Return the algorithm that the library will use."""
    from graphquant.datasets import Dataset
    from graphquant.learning.plan import algorithm_for
    from graphquant.matching import matcher_for_learning

    orders = graphs.graphs.orders if isinstance(graphs, Dataset) and len(graphs) else None
    return algorithm_for(quantizer.algorithm, matcher_for_learning(quantizer.matcher), orders)


def _say_where_to_go_on(folder: Path, most: int) -> None:
    from graphquant.learning.checkpoint import finished_cycles

    found = finished_cycles(folder)
    for number, done in found.items():
        run = f"run {number + 1}: " if len(found) > 1 else ""
        print_note(f"{run}continuing after cycle {done} of {most}")


def _check_checkpoint(folder: Path | None, resume: bool) -> None:
    if folder is None:
        if resume:
            raise typer.BadParameter("--resume needs --checkpoint DIR, the folder of the snapshot.")
        return
    found = sorted(folder.glob("run-*.npz")) if folder.is_dir() else []
    if found and not resume:
        raise FileFormatError(
            f"{folder}: already contains the checkpoint of a run.",
            "Add --resume to continue that run, or name another folder to start from scratch.",
        )
    if resume and not found:
        print_note(f"no checkpoint in {folder} yet: starting from scratch")


def _interrupted(checkpoint: Path | None, arguments: tuple[str, ...]) -> InterruptedWorkError:
    if checkpoint is None:
        return InterruptedWorkError(
            "interrupted; nothing was written.", "With --checkpoint DIR a run can be resumed."
        )
    if not any(checkpoint.glob("run-*.npz")):
        return InterruptedWorkError(
            "interrupted before the end of the first cycle; nothing was written.",
            "Run the same command again.",
        )
    again = [argument for argument in arguments if argument != "--resume"]
    return InterruptedWorkError(
        f"interrupted; the last finished cycle is in {checkpoint}.",
        f"Continue with: graphquant {shlex.join([*again, '--resume'])}",
    )


__all__ = ["EXAMPLES", "AlgorithmName", "InitName", "fit"]
