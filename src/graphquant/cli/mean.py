"""``graphquant mean DATA -o mean.gxl``: the sample mean of graphs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphquant.cli import _options as opt
from graphquant.cli._edit import EDITING, Editing
from graphquant.cli._formats import OutputFormat, check_graph_file
from graphquant.cli._output import print_note, print_record, wants_progress
from graphquant.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from graphquant.cli._loaded import LoadedData

EXAMPLES = (
    "graphquant mean letters --class A -o mean.gxl",
    "graphquant mean blobs --format json -o mean.parquet",
)


def mean(
    data: opt.Data,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The mean to write (.parquet, .jsonl, .graphml, .gxl); .parquet keeps the encoder too.",
        ),
    ],
    class_: Annotated[
        str | None, typer.Option("--class", metavar="NAME", help="Average the graphs of this class only.")
    ] = None,
    matcher: opt.Matcher = opt.MatcherName.AUTO,
    editing: Editing = EDITING,
    attributes: opt.Attributes = opt.ATTRIBUTES,
    reading: opt.Reading = opt.READING,
    seed: opt.Seed = 0,
    jobs: opt.Jobs = None,
    format: opt.Shown = OutputFormat.TABLE,
    quiet: opt.Quiet = False,
) -> None:
    """Compute the sample mean of graphs.

    It is the graph with the smallest mean squared distance to all of them.
    """
    check_graph_file(output)

    from graphquant import averaging, datasets
    from graphquant.cli._encoding import encode_data
    from graphquant.graphs import GraphCollection

    loaded = reading.load(data)
    dataset = encode_data(loaded if class_ is None else _of_class(loaded, class_), attributes, editing.read())
    found = averaging.mean(
        dataset.graphs, matcher=matcher.value, random_state=seed, n_jobs=jobs, progress=wants_progress()
    )
    graph = GraphCollection([found.graph], names=["mean"])
    datasets.write(
        datasets.Dataset(graph, encoder=dataset.encoder, description=f"mean of {loaded.name}"), output
    )
    print_note(f"wrote {output}")
    record = {
        "mean": str(output),
        "graphs": len(dataset),
        "nodes": found.graph.order,
        "edges": found.graph.n_edges,
        "variance": found.variance,
        "proven": float(found.proven.mean()),
        "converged": found.converged,
        "matchings": found.n_matchings,
    }
    print_record(record, format)


def _of_class(loaded: "LoadedData", name: str) -> "LoadedData":
    labels = loaded.labels or ()
    chosen = [i for i, label in enumerate(labels) if label == name]
    if not chosen:
        known = ", ".join(sorted(set(labels))) or "none"
        raise InvalidParameterError(f"{loaded.name}: has no class {name!r}.", f"Classes: {known}.")
    return loaded.take(chosen)


__all__ = ["EXAMPLES", "mean"]
