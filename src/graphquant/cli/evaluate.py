"""``graphquant evaluate CODEBOOK DATA``: how well a codebook represents graphs."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphquant.cli import _options as opt
from graphquant.cli._exit import interrupts_raised
from graphquant.cli._formats import record_format
from graphquant.cli._output import print_record, stdout_to, wants_progress
from graphquant.cli._partitions import Scheduler, executor_of, open_source

if TYPE_CHECKING:
    from graphquant._typing import IntArray
    from graphquant.datasets import Dataset, GraphSource
    from graphquant.learning import Encoding, GraphQuantizer

EXAMPLES = (
    "graphquant fit blobs -k 4 -o codebook.parquet",
    "graphquant evaluate codebook.parquet blobs",
    "graphquant evaluate codebook.parquet blobs --silhouette --format json",
)


def evaluate(
    codebook: opt.Codebook,
    data: opt.Data,
    silhouette: Annotated[
        bool,
        typer.Option("--silhouette", help="Also match the graphs with each other, which is slow."),
    ] = False,
    max_graphs: Annotated[
        int,
        typer.Option(
            min=2, metavar="N", help="If there are more graphs, the silhouette uses a random sample."
        ),
    ] = 1000,
    scheduler: Scheduler = None,
    policies: opt.Policies = opt.POLICIES,
    reading: opt.Reading = opt.READING,
    seed: opt.Seed = 0,
    jobs: opt.Jobs = None,
    format: opt.Format = None,
    output: opt.Output = None,
    quiet: opt.Quiet = False,
) -> None:
    """Measure how well a codebook represents graphs.

    The measures are distortion (half the sum of squared distances), mean distance, the share of proven
    matches, accuracy if there are classes (of the majority class of each cluster), and the silhouette on
    request.
    """
    chosen = record_format(output, format)

    from graphquant.cli._encoding import encode_like, load_codebook
    from graphquant.cli._notes import Distances

    with stdout_to(output):
        quantizer = load_codebook(codebook).set_params(n_jobs=jobs, progress=wants_progress())
        policies.set_on(quantizer.encoder_, str(codebook))
        distances = Distances(quantizer)
        source = None if silhouette else open_source(data, reading, scheduler)
        if source is not None:
            with interrupts_raised(), executor_of(scheduler, jobs) as executor:
                found = quantizer.set_params(executor=executor).match(source)
            distances.add(found.distance)
            distances.note()
            print_record(measures(quantizer, targets_of(source), found), chosen)
            return
        dataset = encode_like(reading.load(data), quantizer.encoder_, quantizer.codebook_)
        with interrupts_raised():
            found = quantizer.match(dataset.graphs)
        distances.add(found.distance)
        distances.note()
        record = measures(quantizer, dataset.targets, found)
        if silhouette:
            record |= silhouette_of(quantizer, dataset, found, max_graphs, seed)
        print_record(record, chosen)


def targets_of(source: "GraphSource") -> "IntArray | None":
    """Return the classes of graphs in files, if they have any."""
    from graphquant.datasets import number_classes

    found = [part.read()[1].targets for part in source.partitions]
    if any(targets is None for targets in found):
        return None
    return number_classes([name for targets in found for name in targets or ()])[0]


def measures(quantizer: "GraphQuantizer", targets: "IntArray | None", found: "Encoding") -> dict[str, Any]:
    """Return the measures that need no further matchings."""
    from graphquant import metrics

    record: dict[str, Any] = {
        "graphs": len(found),
        "codes": len(quantizer.codebook_),
        "distortion": metrics.distortion(found.distance),
        "mean_distance": metrics.mean_distance(found.distance),
        "proven": float(found.proven.mean()),
        "matchings": found.n_matchings,
    }
    if targets is not None:
        record["accuracy"] = metrics.majority_accuracy(labels=found.label, targets=targets)
    return record


def silhouette_of(
    quantizer: "GraphQuantizer", dataset: "Dataset", found: "Encoding", max_graphs: int, seed: int
) -> dict[str, Any]:
    """Return the silhouette index of the clusters, from a sample of the graphs if there are many."""
    import numpy as np

    from graphquant.matching import pairwise_distances
    from graphquant.metrics import silhouette_index

    chosen = np.arange(len(dataset))
    if len(chosen) > max_graphs:
        chosen = np.sort(np.random.default_rng(seed).choice(chosen, max_graphs, replace=False))
    distances = pairwise_distances(
        dataset.graphs[chosen],
        matcher=quantizer.matcher,
        n_jobs=quantizer.n_jobs,
        progress=quantizer.progress,
    )
    return {
        "silhouette": silhouette_index(distances, found.label[chosen]),
        "silhouette_graphs": len(chosen),
    }


__all__ = ["EXAMPLES", "evaluate", "measures", "silhouette_of"]
