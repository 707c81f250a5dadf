"""``graphquant convert DATA OUT``: from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from graphquant.cli import _options as opt
from graphquant.cli._output import print_note

EXAMPLES = (
    "graphquant convert letters letters.jsonl",
    "graphquant convert letters.jsonl letters.parquet",
    "graphquant convert letters vectors.parquet --node x,y --unit-norm",
)


def convert(
    data: opt.Data,
    out: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="A file (.parquet, .jsonl, .graphml, .gxl), or a folder or zip."),
    ],
    encode: Annotated[
        bool,
        typer.Option("--encode", help="Write vectors; so do the options of attributes. Else names are kept."),
    ] = False,
    output_format: Annotated[
        str | None, typer.Option(help="Format to write, for a folder or zip: gxl or tu.")
    ] = None,
    attributes: opt.Attributes = opt.ATTRIBUTES,
    reading: opt.Reading = opt.READING,
    quiet: opt.Quiet = False,
) -> None:
    """Write graphs in another format, with their names and classes."""
    from graphquant import io
    from graphquant.graphs import RawGraphs

    loaded = reading.load(data)
    graphs = loaded.graphs
    # An encoder belongs into a file with the vectors that it made.
    encoder = None if isinstance(graphs, RawGraphs) else loaded.encoder
    if encode or attributes.given:
        from graphquant.cli._encoding import encode_data

        dataset = encode_data(loaded, attributes)
        graphs, encoder = dataset.graphs, dataset.encoder
    metadata = {} if encoder is None else {"encoder": encoder.to_json()}
    content = io.FileContent(graphs, loaded.labels, metadata, loaded.description)
    io.write_file(content, out, format=output_format)
    print_note(f"wrote {out} ({len(graphs)} graphs)")


__all__ = ["EXAMPLES", "convert"]
