"""From named attributes to vectors: by options, by the encoder of the data, or by the one of a codebook."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from graphquant.cli._loaded import LoadedData, print_skipped
from graphquant.cli._notes import note_notes
from graphquant.cli._options import Attributes
from graphquant.cli._output import print_note
from graphquant.datasets import Dataset, number_classes
from graphquant.exceptions import EncodingError, FileFormatError
from graphquant.graphs import GraphCollection, RawGraphs
from graphquant.graphs.convert import channel_names
from graphquant.io import Skipped
from graphquant.preprocessing import AttributeEncoder, EditCosts, EncodingNotes, GraphEncoder
from graphquant.preprocessing.molecules import automatic_encoder

if TYPE_CHECKING:
    from graphquant.learning import GraphQuantizer

_SIDES = ("node", "edge")
# Start of messages about the only graph of a collection.
_ALONE = re.compile(r"^Graph 0(?: \(.*?\))?: ")


def load_codebook(path: Path) -> "GraphQuantizer":
    """Read a codebook with its encoder."""
    from graphquant.learning import load

    if not path.exists():
        raise FileFormatError(
            f"{path}: no such file.", f"Learn a codebook first: graphquant fit DATA -k 8 -o {path}"
        )
    return load(path)


def new_encoder(attributes: Attributes, raw: RawGraphs) -> AttributeEncoder:
    """Fit the encoder that options ask for, or the automatic one."""
    return _unfitted(attributes, raw).fit(raw)


def encode_data(loaded: LoadedData, attributes: Attributes, costs: EditCosts | None = None) -> Dataset:
    """Make vectors of what was loaded, in the edit distance of ``costs`` if given, and say on stderr how."""
    graphs, encoder = loaded.graphs, loaded.encoder
    if costs is not None and not (encoder is not None and isinstance(encoder, EditCosts)):
        dataset = _edit_vectors(loaded, attributes, costs)
    elif isinstance(graphs, RawGraphs):
        if attributes.given or encoder is None:
            loaded, encoder = _fitted(loaded, attributes)
        dataset = _transformed(loaded, encoder).dataset
    else:
        if attributes.given:
            raise EncodingError(
                f"{loaded.name}: already contains vectors ({_channels(loaded).listed()}).",
                "Omit the attribute options, or give the file that the vectors were made from.",
            )
        dataset = _dataset(loaded, graphs, encoder)
    _describe(loaded.name, dataset)
    return dataset


def _edit_vectors(loaded: LoadedData, attributes: Attributes, costs: EditCosts) -> Dataset:
    """Encode graphs by edit costs that know all their labels."""
    if attributes.given:
        raise EncodingError(
            "The edit costs already say which attributes count.",
            'Leave the options of attributes out, and name them in --costs FILE.json: {"node": ["symbol"]}.',
        )
    if not isinstance(loaded.graphs, RawGraphs):
        raise EncodingError(
            f"{loaded.name}: already contains vectors ({_channels(loaded).listed()}).",
            "Give the file that the vectors were made from.",
        )
    fitted = costs.unfitted().fit(loaded.graphs)
    return _dataset(loaded, fitted.transform(loaded.graphs), fitted)


def encode_like(
    loaded: LoadedData,
    encoder: GraphEncoder | None,
    codebook: GraphCollection,
    owner: str = "the codebook",
) -> Dataset:
    """Make vectors like those of a codebook or another ``owner``; refuse graphs with other attributes."""
    found = encode_rest(loaded, encoder, codebook, owner)
    note_notes(found.notes)
    return found.dataset


class Encoded(NamedTuple):
    """Vectors, their sources (the graphs that could be encoded), and what the encoder found."""

    loaded: LoadedData
    dataset: Dataset
    notes: EncodingNotes = EncodingNotes()


def encode_rest(
    loaded: LoadedData,
    encoder: GraphEncoder | None,
    codebook: GraphCollection,
    owner: str = "the codebook",
) -> Encoded:
    """Like :func:`encode_like`, but also return the encoded graphs: not all of them if some were skipped."""
    if isinstance(loaded.graphs, RawGraphs):
        if encoder is None or not _made(encoder, codebook) or _lacks(loaded, encoder):
            raise _other_attributes(loaded, encoder, codebook, owner)
        return _transformed(loaded, encoder)
    expected, found = _codebook_channels(encoder, codebook), _channels(loaded)
    if (expected.node, expected.edge) != (found.node, found.edge):
        raise _other_attributes(loaded, encoder, codebook, owner)
    if loaded.encoder is not None and encoder is not None and not same_encoder(loaded.encoder, encoder):
        raise EncodingError(
            f"{loaded.name}: its vectors have the attributes of {owner}, but other centres or scales.",
            f"Give the file that the vectors were made from: it is then encoded like {owner}.",
        )
    return Encoded(loaded, _dataset(loaded, loaded.graphs, encoder))


def same_encoder(one: GraphEncoder | None, other: GraphEncoder | None) -> bool:
    """Whether two encoders make the same vectors."""
    if one is None or other is None:
        return one is other
    return one.digest() == other.digest()


def _unfitted(attributes: Attributes, raw: Any) -> AttributeEncoder:
    specs = {side: attributes.specs(side) for side in _SIDES}
    if any(spec is not None for spec in specs.values()):
        encoder = AttributeEncoder(node=specs["node"], edge=specs["edge"], unit_norm=attributes.unit_norm)
    else:
        encoder = automatic_encoder(raw).set_params(unit_norm=attributes.unit_norm)
    encoder.set_params(**attributes.policies.given())
    return encoder


def _fitted(loaded: LoadedData, attributes: Attributes) -> tuple[LoadedData, AttributeEncoder]:
    """Fit the encoder that options ask for, to all graphs or, if so wanted, to those that it can encode."""
    encoder = _unfitted(attributes, loaded.graphs)
    try:
        return loaded, encoder.fit(loaded.graphs)
    except EncodingError:
        if not loaded.skips or encoder.missing != "error":
            raise
    # Fitted to all, whatever is missing, it finds the graphs that it cannot encode.
    probe = (
        _unfitted(attributes, loaded.graphs)
        .set_params(missing="mean")
        .fit(loaded.graphs)
        .set_params(missing="error")
    )
    loaded = _encodable(loaded, probe)
    return loaded, encoder.fit(loaded.graphs)


def _transformed(loaded: LoadedData, encoder: GraphEncoder) -> Encoded:
    """Encode named attributes; graphs that cannot be encoded are left out, if that is wanted."""
    try:
        found = encoder.encode(loaded.graphs)
        return Encoded(loaded, _dataset(loaded, found.graphs, encoder), found.notes)
    except EncodingError:
        if not loaded.skips:
            raise
    loaded = _encodable(loaded, encoder)
    found = encoder.encode(loaded.graphs)
    return Encoded(loaded, _dataset(loaded, found.graphs, encoder), found.notes)


def _encodable(loaded: LoadedData, encoder: GraphEncoder) -> LoadedData:
    """Leave out the graphs that cannot be encoded, and list them on stderr."""
    reasons = dict(_reasons(loaded.graphs, encoder, 0))
    kept = [number for number in range(len(loaded.graphs)) if number not in reasons]
    if not kept:
        raise EncodingError(
            f"{loaded.name}: none of the graphs can be encoded. The first: {next(iter(reasons.values()))}",
            "Change --unknown or --missing, or omit the attribute.",
        )
    names = loaded.graphs.names
    skipped = tuple(
        Skipped(f"{loaded.name}: graph {number if names is None else names[number]}", reason)
        for number, reason in reasons.items()
    )
    print_skipped(skipped)
    return replace(loaded.take(kept), skipped=loaded.skipped + skipped)


def _reasons(graphs: Any, encoder: GraphEncoder, first: int) -> Iterator[tuple[int, str]]:
    """Yield the graphs that cannot be encoded, by halving: few of many are found by few attempts."""
    try:
        encoder.transform(graphs)
    except EncodingError as err:
        if len(graphs) == 1:
            # Alone it is graph 0; its real number is put before the reason.
            yield first, _ALONE.sub("", err.message)
            return
        half = len(graphs) // 2
        yield from _reasons(graphs[:half], encoder, first)
        yield from _reasons(graphs[half:], encoder, first + half)


class _Channels(NamedTuple):
    """Attributes of nodes and edges, by name."""

    node: tuple[str, ...]
    edge: tuple[str, ...]

    def listed(self) -> str:
        return "; ".join(f"{side}s: {', '.join(getattr(self, side)) or 'none'}" for side in _SIDES)


def _dataset(loaded: LoadedData, vectors: GraphCollection, encoder: GraphEncoder | None) -> Dataset:
    targets, target_names = number_classes(loaded.labels)
    raw = loaded.graphs if isinstance(loaded.graphs, RawGraphs) else None
    return Dataset(
        graphs=vectors,
        targets=targets,
        target_names=target_names,
        encoder=encoder,
        description=loaded.description,
        raw=raw,
        skipped=loaded.skipped,
    )


def _describe(name: str, dataset: Dataset) -> None:
    n_classes = len(dataset.target_names)
    classes = f" in {n_classes} class{'' if n_classes == 1 else 'es'}" if n_classes else ""
    print_note(f"{name}: {len(dataset)} graph{'' if len(dataset) == 1 else 's'}{classes}")
    text = "attributes are already vectors" if dataset.encoder is None else dataset.encoder.describe()
    for line in text.splitlines():
        print_note(f"  {line}")


def _named(encoder: GraphEncoder, side: Literal["node", "edge"]) -> set[str]:
    """Return the attributes that an encoder reads."""
    return set(encoder.attributes(side))


def _lacks(loaded: LoadedData, encoder: GraphEncoder) -> bool:
    """Whether graphs lack attributes that an encoder needs; where values may be missing, all of a side."""
    raw = loaded.graphs
    assert isinstance(raw, RawGraphs)
    columns_of: dict[Literal["node", "edge"], Any] = {"node": raw.node_columns, "edge": raw.edge_columns}
    for side, columns in columns_of.items():
        needed = _named(encoder, side)
        present = needed & columns.keys()
        if needed and (not present if encoder.missing != "error" else present != needed):
            return True
    return False


def _channels(loaded: LoadedData) -> _Channels:
    graphs, encoder = loaded.graphs, loaded.encoder
    if isinstance(graphs, RawGraphs):
        return _Channels(tuple(graphs.node_columns), tuple(graphs.edge_columns))
    return _codebook_channels(encoder, graphs)


def _codebook_channels(encoder: GraphEncoder | None, graphs: GraphCollection) -> _Channels:
    if encoder is not None and _made(encoder, graphs):
        return _Channels(encoder.node_channels_, encoder.edge_channels_)
    return _Channels(
        tuple(channel_names(graphs.node_attrs.shape[1], None, "node_attrs")),
        tuple(channel_names(graphs.edge_attrs.shape[1], None, "edge_attrs")),
    )


def _made(encoder: GraphEncoder, graphs: GraphCollection) -> bool:
    """Whether an encoder may have made vectors, by the number of their channels."""
    found = graphs.node_attrs.shape[1], graphs.edge_attrs.shape[1]
    return found == (len(encoder.node_channels_), len(encoder.edge_channels_))


def _attributes(encoder: GraphEncoder | None, graphs: GraphCollection) -> _Channels:
    """Return the names that a user knows: those of the attributes, else those of the channels."""
    if encoder is None or not _made(encoder, graphs):
        return _codebook_channels(None, graphs)
    fitted = encoder.to_json()["fitted"]
    return _Channels(*(tuple(part.get("name", part["kind"]) for part in fitted[side]) for side in _SIDES))


def _other_attributes(
    loaded: LoadedData, encoder: GraphEncoder | None, codebook: GraphCollection, owner: str
) -> EncodingError:
    graphs = loaded.graphs
    found = _channels(loaded) if isinstance(graphs, RawGraphs) else _attributes(loaded.encoder, graphs)
    return EncodingError(
        f"{loaded.name}: has other attributes ({found.listed()}) than {owner} "
        f"({_attributes(encoder, codebook).listed()}).",
        f"Use graphs with the attributes of {owner}.",
    )


__all__ = [
    "Encoded",
    "encode_data",
    "encode_like",
    "encode_rest",
    "load_codebook",
    "new_encoder",
    "same_encoder",
]
