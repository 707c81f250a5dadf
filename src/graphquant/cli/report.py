"""``graphquant report CODEBOOK DATA -o report.html``: one self-contained page."""

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from graphquant.cli import _options as opt
from graphquant.cli._edit import EDITING, Editing
from graphquant.cli._formats import check_page_file, is_stdout
from graphquant.cli._output import print_note

EXAMPLES = (
    "graphquant fit blobs -k 4 -o codebook.parquet",
    "graphquant report codebook.parquet blobs -o report.html",
)

# Number of graphs that are compared with those of training.
_TYPICAL_GRAPHS = 100


def report(
    codebook: opt.Codebook,
    data: opt.Data,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write (.html); - for stdout.")
    ] = Path("report.html"),
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Heading of the page.")] = None,
    max_graphs: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="If there are more graphs, the page shows a random sample."),
    ] = 1000,
    editing: Editing = EDITING,
    policies: opt.Policies = opt.POLICIES,
    reading: opt.Reading = opt.READING,
    seed: opt.Seed = 0,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
) -> None:
    """Write a page that shows code graphs, clusters and matches.

    It is one HTML file that needs no network.
    """
    check_page_file(output)

    from graphquant.cli._encoding import encode_like, load_codebook
    from graphquant.cli._notes import Distances
    from graphquant.report import write_report

    quantizer = load_codebook(codebook).set_params(n_jobs=jobs)
    policies.set_on(quantizer.encoder_, str(codebook))
    editing.check(quantizer.encoder_, str(codebook))
    dataset = encode_like(reading.load(data), quantizer.encoder_, quantizer.codebook_)
    distances = Distances(quantizer)
    # A sample is enough, and the page should not take twice the time.
    distances.add(quantizer.match(dataset.graphs[:: 1 + len(dataset) // _TYPICAL_GRAPHS]).distance)
    distances.note()
    with tempfile.TemporaryDirectory(prefix="graphquant-") as folder:
        page = Path(folder, "report.html") if is_stdout(output) else output
        title = title or f"{_called(data)}: {len(quantizer.codebook_)} groups"
        write_report(page, quantizer, dataset, title=title, max_graphs=max_graphs, random_state=seed)
        if is_stdout(output):
            sys.stdout.write(page.read_text(encoding="utf-8"))
            return
    print_note(f"wrote {output}; open it in a browser")


def _called(data: list[str]) -> str:
    """Return what a page calls its data: names of files without folders and suffixes."""
    names = [
        Path(name).name.removesuffix(".gz").rsplit(".", 1)[0] if name != "-" else "stdin" for name in data
    ]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


__all__ = ["EXAMPLES", "report"]
