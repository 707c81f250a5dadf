"""``graphquant clusters CODEBOOK DATA``: one row per cluster, and files of members and drawings."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphquant.cli import _options as opt
from graphquant.cli._exit import interrupts_raised
from graphquant.cli._formats import RowFormat, row_format
from graphquant.cli._members import MembersFormat
from graphquant.cli._output import print_note, wants_progress

if TYPE_CHECKING:
    from graphquant.learning.summary import ClusterSummary

EXAMPLES = (
    "graphquant fit blobs -k 4 -o codebook.parquet",
    "graphquant clusters codebook.parquet blobs",
    "graphquant clusters codebook.parquet blobs --members members --drawings drawings",
)


def clusters(
    codebook: opt.Codebook,
    data: opt.Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the rows to a file: .csv, .tsv, .json, .jsonl, .parquet or .txt.",
        ),
    ] = None,
    format: Annotated[
        RowFormat | None, typer.Option(help="How to print; by default a table, or as FILE is named.")
    ] = None,
    formulas: opt.Formulas = False,
    members: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the members of each cluster to a file in DIR.")
    ] = None,
    members_format: Annotated[
        MembersFormat | None,
        typer.Option(help="Format of these files; by default smiles for molecules, else csv."),
    ] = None,
    drawings: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Draw the medoid and the nearest members of each cluster in DIR."),
    ] = None,
    support: Annotated[
        float, typer.Option(min=0.01, max=1.0, metavar="SHARE", help="Share of members that have the core.")
    ] = 0.8,
    policies: opt.Policies = opt.POLICIES,
    reading: opt.Reading = opt.READING,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
) -> None:
    """Describe clusters by size, classes, medoid and core.

    The medoid is the training graph nearest to the code graph. The core is what most members have in
    common; for molecules it is a SMARTS query, with the share of members that contain it. The largest
    clusters come first.
    """
    chosen = row_format(output, format or (RowFormat.TABLE if output is None else None))

    from graphquant.cli._encoding import encode_rest, load_codebook
    from graphquant.cli._members import write_drawings, write_members
    from graphquant.cli._notes import note_notes
    from graphquant.cli._rows import rows_to
    from graphquant.learning.summary import summaries

    quantizer = load_codebook(codebook).set_params(n_jobs=jobs, progress=wants_progress())
    policies.set_on(quantizer.encoder_, str(codebook))
    encoded = encode_rest(reading.load(data), quantizer.encoder_, quantizer.codebook_)
    note_notes(encoded.notes)
    with interrupts_raised():
        found = quantizer.match(encoded.dataset.graphs)
        summary = summaries(quantizer, encoded.dataset.graphs, found, encoded.loaded.labels, support=support)
    summary.sort(key=lambda cluster: (-cluster.size, cluster.code))
    if members is not None:
        count = write_members(members, summary, encoded, found, members_format, escapes_formulas=not formulas)
        print_note(f"wrote {count} files of members to {members}")
    if drawings is not None:
        count = write_drawings(drawings, summary, encoded)
        print_note(f"wrote {count} drawings to {drawings}")
    with rows_to(output, chosen, escapes_formulas=not formulas) as writer:
        has_classes = encoded.loaded.labels is not None
        writer.write([cluster_row(cluster, has_classes=has_classes) for cluster in summary])
    if output is not None:
        print_note(f"wrote {output} ({len(summary)} clusters)")


def cluster_row(cluster: "ClusterSummary", *, has_classes: bool) -> dict[str, Any]:
    """Return a cluster as plain values."""
    from graphquant.graphs.checks import plural

    row: dict[str, Any] = {"code": cluster.code, "size": cluster.size}
    if has_classes:
        row["classes"] = "; ".join(f"{name} ({count})" for name, count in cluster.classes.items())
    row["medoid"] = cluster.medoid_name
    if cluster.smiles is not None:
        row["smiles"] = cluster.smiles
    row |= {"mean_distance": cluster.mean_distance, "largest_distance": cluster.largest_distance}
    core = cluster.core
    shape = f"{plural(core.graph.order, 'node')}, {plural(core.graph.n_edges, 'edge')}"
    row["core"] = core.smarts or shape
    if core.smarts_share is not None:
        row["core_share"] = core.smarts_share
    return row


__all__ = ["EXAMPLES", "cluster_row", "clusters"]
