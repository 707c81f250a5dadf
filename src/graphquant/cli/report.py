"""``graphquant report CODEBOOK DATA -o report.html``: one self-contained page."""

from pathlib import Path
from typing import Annotated

import typer

from graphquant.cli import _options as opt
from graphquant.cli._output import check_writable, print_note

EXAMPLES = (
    "graphquant fit blobs -k 4 -o codebook.parquet",
    "graphquant report codebook.parquet blobs -o report.html",
)


def report(
    codebook: opt.Codebook,
    data: opt.Data,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write.")] = Path(
        "report.html"
    ),
    title: Annotated[str | None, typer.Option(help="Heading of the page.")] = None,
    max_graphs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Of more graphs, the page shows a random sample.")
    ] = 1000,
    reading: opt.Reading = opt.READING,
    seed: opt.Seed = 0,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
) -> None:
    """Write a page that shows code graphs, clusters and matches.

    It is one HTML file that needs no network.
    """
    check_writable(output)

    from graphquant.cli._encoding import encode_like, load_codebook
    from graphquant.report import write_report

    quantizer = load_codebook(codebook).set_params(n_jobs=jobs)
    dataset = encode_like(reading.load(data), quantizer.encoder_, quantizer.codebook_)
    write_report(output, quantizer, dataset, title=title, max_graphs=max_graphs, random_state=seed)
    print_note(f"wrote {output}; open it in a browser")


__all__ = ["EXAMPLES", "report"]
