"""``graphquant convert DATA OUT``: from one format to another."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphquant.cli import _options as opt
from graphquant.cli._formats import CODEBOOK_SUFFIXES, check_graph_file
from graphquant.cli._output import print_note
from graphquant.exceptions import EncodingError, FileFormatError

if TYPE_CHECKING:
    from graphquant.cli._loaded import LoadedData
    from graphquant.datasets import Dataset

EXAMPLES = (
    "graphquant convert letters letters.jsonl",
    "graphquant convert letters.jsonl letters.parquet",
    "graphquant convert letters vectors.parquet --node x,y --unit-norm",
    "graphquant convert letters:high high.parquet --encoder vectors.parquet",
)


def convert(
    data: opt.Data,
    out: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="A file (.parquet, .jsonl, .graphml, .gxl), or a folder or zip."),
    ],
    encode: Annotated[
        bool,
        typer.Option(
            "--encode",
            help="Write vectors; so do the attribute options. Otherwise named attributes are kept.",
        ),
    ] = False,
    encoder: Annotated[
        Path | None,
        typer.Option(
            metavar="FROM",
            help="Write vectors (.parquet) that are encoded like those of this codebook or encoded file.",
        ),
    ] = None,
    output_format: Annotated[
        str | None, typer.Option(metavar="FORMAT", help="Format to write, for a folder or zip: gxl or tu.")
    ] = None,
    attributes: opt.Attributes = opt.ATTRIBUTES,
    reading: opt.Reading = opt.READING,
    quiet: opt.Quiet = False,
) -> None:
    """Write graphs in another format, with their names and classes."""
    _check_out(out, output_format, encoder, attributes)

    from graphquant import io
    from graphquant.datasets.files import content_to_write
    from graphquant.graphs import GraphCollection, RawGraphs

    loaded = reading.load(data)
    graphs: RawGraphs | GraphCollection
    dataset = None
    if encoder is not None:
        dataset = _encoded_like(loaded, encoder, attributes.policies)
    elif encode or attributes.given:
        from graphquant.cli._encoding import encode_data

        dataset = encode_data(loaded, attributes)
    if dataset is not None:
        graphs, labels, fitted = dataset.graphs, dataset.labels, dataset.encoder
    else:
        # An encoder is stored only in a file with the vectors that it made.
        graphs, labels = loaded.graphs, loaded.labels
        fitted = None if isinstance(graphs, RawGraphs) else loaded.encoder
    metadata = {} if fitted is None else {"encoder": fitted.to_json()}
    content = io.FileContent(graphs, labels, metadata, loaded.description, columns=loaded.columns)
    io.write_file(content_to_write(content, out, output_format), out, format=output_format)
    print_note(f"wrote {out} ({len(graphs)} graphs)")


def _check_out(
    out: Path, output_format: str | None, encoder: Path | None, attributes: opt.Attributes
) -> None:
    """Check before the work whether the request can be written."""
    check_graph_file(out, output_format, has_format=True)
    if encoder is None:
        return
    if out.suffix.lower() not in CODEBOOK_SUFFIXES:
        raise FileFormatError(
            f"{out}: only Parquet keeps vectors with the encoder that made them.",
            f"Name it {out.with_suffix('.parquet')}, or omit --encoder.",
        )
    if attributes.chooses:
        raise EncodingError(
            f"{encoder}: its encoder already determines the attributes.",
            "Omit the attribute options, or --encoder.",
        )


def _encoded_like(loaded: "LoadedData", source: Path, policies: opt.Policies) -> "Dataset":
    """Encode like the vectors of another file."""
    from graphquant import io
    from graphquant.cli._encoding import encode_like
    from graphquant.graphs import GraphCollection
    from graphquant.preprocessing.restore import restore_encoder

    model = io.read_file(source)
    encoder = restore_encoder(model.metadata.get("encoder"))
    if encoder is None or not isinstance(model.graphs, GraphCollection):
        raise EncodingError(
            f"{source}: contains no encoder.",
            "Name a codebook of graphquant fit, or a Parquet file that graphquant convert --encode wrote.",
        )
    policies.set_on(encoder, str(source))
    dataset = encode_like(loaded, encoder, model.graphs, owner=str(source))
    if isinstance(loaded.graphs, GraphCollection):
        print_note(f"{loaded.name}: already contains vectors of this encoder", label="note")
    return dataset


__all__ = ["EXAMPLES", "convert"]
