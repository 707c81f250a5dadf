"""``graphquant demo``: the main job on built-in letters; no file, no network."""

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphquant.cli import _options as opt
from graphquant.cli._exit import interrupts_raised
from graphquant.cli._formats import check_writable
from graphquant.cli._output import (
    print_heading,
    print_line,
    print_note,
    print_table,
    wants_progress,
)
from graphquant.exceptions import FileFormatError

if TYPE_CHECKING:
    from graphquant.datasets import Dataset
    from graphquant.learning import Encoding, GraphQuantizer

EXAMPLES = ("graphquant demo", "graphquant demo --output my-demo")

_CODES = 30
# The letters that the demo draws.
_SHOWN = "AHKTVXZ"
# Number of graphs for the silhouette: all of them would take as long as the rest of the demo.
_SILHOUETTE_GRAPHS = 300
# The files of the demo; a folder that contains only these is overwritten.
_FILES = {
    "codebook.parquet": "the 30 code graphs, ready to encode other letters",
    "encodings.csv": "the nearest code graph of each letter, and how near",
    "report.html": "all of this in pictures: open it in a browser",
}


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where to write.")] = Path(
        "graphquant-demo"
    ),
    seed: opt.Seed = 0,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
) -> None:
    """Learn 30 code graphs of built-in letters and show the result.

    Needs no files and no network. It ends with a page to open in a browser.
    """
    _make_folder(output)
    print_note("Loading ...")

    from graphquant.datasets import make_letters
    from graphquant.learning import GraphQuantizer

    letters = make_letters()
    _introduce(letters)
    quantizer = GraphQuantizer(_CODES, random_state=seed, n_jobs=jobs, progress=wants_progress())
    print_heading(f"Learning {_CODES} code graphs")
    began = time.perf_counter()
    with interrupts_raised():
        quantizer.fit(letters)
    _compare(quantizer, letters, time.perf_counter() - began)
    found = quantizer.match(letters)
    _evaluate(quantizer, letters, found, seed)
    _write(quantizer, letters, found, output)
    _close(output)


def _make_folder(folder: Path) -> None:
    """Make the folder, or reuse it if it contains only what an earlier demo wrote."""
    foreign = sorted({path.name for path in folder.iterdir()} - _FILES.keys()) if folder.is_dir() else []
    if foreign:
        raise FileFormatError(
            f"{folder}: contains files that are not from this demo, such as {foreign[0]}.",
            "Name another folder: graphquant demo --output DIR",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise FileFormatError(
            f"{folder}: cannot be created ({err.strerror}).",
            "Name another folder: graphquant demo --output DIR",
        ) from err
    for name in _FILES:
        check_writable(folder / name)


def _introduce(letters: "Dataset") -> None:
    from graphquant.cli._drawing import draw_side_by_side

    assert letters.raw is not None
    orders = letters.graphs.orders
    print_line(
        f"{len(letters)} letters of {len(letters.target_names)} classes, made of jittered lines: graphs of "
        f"{orders.min()} to {orders.max()} nodes"
    )
    per_class = len(letters) // len(letters.target_names)
    shown = [letters.target_names.index(letter) * per_class for letter in _SHOWN]
    print_line(draw_side_by_side(letters.raw, shown))


def _compare(quantizer: "GraphQuantizer", letters: "Dataset", seconds: float) -> None:
    """Compare the cost of learning with that of the standard algorithm."""
    from graphquant.matching import pairwise_distances

    n_cycles, start = quantizer.n_cycles_, quantizer.n_init_matchings_
    used, all_pairs = quantizer.n_matchings_, _CODES * len(letters) * n_cycles
    # A cycle of the standard algorithm matches all letters with all code graphs, one after another.
    began = time.perf_counter()
    pairwise_distances(letters.graphs, quantizer.codebook_, n_jobs=1)
    one_cycle = time.perf_counter() - began
    standard_seconds = seconds + n_cycles * one_cycle - sum(cycle.seconds for cycle in quantizer.history_)
    rows = [
        ("standard", f"{all_pairs:,}", f"{start:,}", f"about {standard_seconds:.0f} s"),
        ("lossless", f"{used:,}", f"{start:,}", f"{seconds:.1f} s"),
    ]
    columns = ("algorithm", "matchings to learn", "to start", "time")
    print_table(columns, rows, right=columns[1:])
    print_line(
        f"The same codebook with {used / all_pairs:.1%} of the matchings. Standard was not run: it matches\n"
        f"every letter with every code graph in each of the {n_cycles} cycles."
    )


def _evaluate(quantizer: "GraphQuantizer", letters: "Dataset", found: "Encoding", seed: int) -> None:
    from graphquant.cli.evaluate import measures, silhouette_of

    record = measures(quantizer, letters.targets, found)
    record |= silhouette_of(quantizer, letters, found, _SILHOUETTE_GRAPHS, seed)
    print_heading("How good they are")
    print_table(
        ("measure", "value", "meaning"),
        [
            ("distortion", f"{record['distortion']:.1f}", "half the sum of squared distances to code graphs"),
            ("mean distance", f"{record['mean_distance']:.3f}", "of a letter to its code graph"),
            ("accuracy", f"{record['accuracy']:.1%}", "letters in a cluster of their own class"),
            ("silhouette", f"{record['silhouette']:.3f}", f"1 is best; of {_SILHOUETTE_GRAPHS} letters"),
            ("proven", f"{record['proven']:.1%}", "matches proven to be the best"),
        ],
        right=("value",),
    )


def _write(quantizer: "GraphQuantizer", letters: "Dataset", found: "Encoding", folder: Path) -> None:
    from graphquant.cli._formats import RowFormat
    from graphquant.cli._loaded import LoadedData
    from graphquant.cli._rows import rows_to
    from graphquant.cli.encode import encoding_rows
    from graphquant.report import write_report

    quantizer.save(folder / "codebook.parquet")
    loaded = LoadedData("letters", letters.graphs, letters.labels, "")
    with rows_to(folder / "encodings.csv", RowFormat.CSV) as writer:
        writer.write(encoding_rows(loaded, letters, found, 0))
    write_report(folder / "report.html", quantizer, letters, title="Letters: a codebook of 30 graphs")


def _close(folder: Path) -> None:
    print_heading(f"Written to {folder}")
    width = max(map(len, _FILES))
    for name, what in _FILES.items():
        print_line(f"  {name:<{width}}  {what}")
    print_heading("Try next")
    program, codebook = _program(), folder / "codebook.parquet"
    for line in (
        f"{program} evaluate {codebook} letters:high",
        f"{program} fit letters:high -k 30 -o codebook.parquet",
        f"{program} fit --help",
    ):
        print_line(f"  {line}")


def _program() -> str:
    """How to call this program: by its name if the shell finds it, else the way it was started."""
    called = Path(sys.argv[0])
    if shutil.which("graphquant") is None and called.name == "graphquant":
        return str(called)
    return "graphquant"


__all__ = ["EXAMPLES", "demo"]
