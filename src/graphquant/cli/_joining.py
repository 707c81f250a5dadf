"""Several DATA as one: named attributes are joined, then encoded together; vectors must be of one schema."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from graphquant.cli._loaded import LoadedData
from graphquant.cli._output import print_note
from graphquant.exceptions import EncodingError, InvalidGraphError
from graphquant.graphs import GraphCollection, RawGraphs
from graphquant.io import Skipped

_SHOWN = 3


def joined(parts: Sequence[LoadedData], name: str | None = None) -> LoadedData:
    """Join what was loaded, in this order; graphs keep their names and classes."""
    if len(parts) == 1:
        return parts[0] if name is None else replace(parts[0], name=name)
    _check_directions(parts)
    raw = [part.graphs for part in parts if isinstance(part.graphs, RawGraphs)]
    if raw and len(raw) != len(parts):
        raise _mixed(parts)
    graphs: RawGraphs | GraphCollection
    if raw:
        graphs = RawGraphs.concatenate(raw)
    else:
        _check_one_encoder(parts)
        graphs = GraphCollection.concatenate(
            [part.graphs for part in parts if isinstance(part.graphs, GraphCollection)]
        )
    return replace(
        parts[0],
        name=name or _name(parts),
        graphs=_named(graphs, parts),
        labels=_labels(parts),
        description=f"{len(parts)} files",
        skipped=tuple(chain.from_iterable(located(part).skipped for part in parts)),
        repaired=tuple(chain.from_iterable(part.repaired for part in parts)),
        columns=_columns(parts),
    )


def located(part: LoadedData) -> LoadedData:
    """Prefix the names of skipped graphs with the name of their file."""
    skipped = (Skipped(f"{part.name}: {item.name}", item.reason) for item in part.skipped)
    return replace(part, skipped=tuple(skipped))


def _name(parts: Sequence[LoadedData]) -> str:
    shown = ", ".join(part.name for part in parts[:_SHOWN])
    return shown if len(parts) <= _SHOWN else f"{shown} and {len(parts) - _SHOWN} more"


def _named(graphs: RawGraphs | GraphCollection, parts: Sequence[LoadedData]) -> RawGraphs | GraphCollection:
    """Keep the names of those parts that have any; other graphs are named by their number."""
    if graphs.names is not None or all(part.graphs.names is None for part in parts):
        return graphs
    names: list[str] = []
    for part in parts:
        names += part.graphs.names or [str(len(names) + i) for i in range(len(part.graphs))]
    return renamed(graphs, names)


def renamed(graphs: RawGraphs | GraphCollection, names: Sequence[str]) -> RawGraphs | GraphCollection:
    """Return the same graphs with other names."""
    if isinstance(graphs, GraphCollection):
        return graphs.with_names(names)
    return RawGraphs(
        graphs.node_offsets,
        graphs.edge_offsets,
        graphs.edges,
        graphs.node_columns,
        graphs.edge_columns,
        directed=graphs.directed,
        groups=graphs.groups,
        names=names,
    )


def _labels(parts: Sequence[LoadedData]) -> tuple[str, ...] | None:
    labels = [part.labels for part in parts if part.labels is not None]
    if labels and len(labels) != len(parts):
        without = next(part.name for part in parts if part.labels is None)
        print_note(f"classes are dropped: {without} has none", label="note")
        return None
    return tuple(chain.from_iterable(labels)) if labels else None


def _columns(parts: Sequence[LoadedData]) -> dict[str, tuple[str | None, ...]]:
    names = dict.fromkeys(chain.from_iterable(part.columns for part in parts))
    return {
        name: tuple(chain.from_iterable(part.columns.get(name, (None,) * len(part.graphs)) for part in parts))
        for name in names
    }


def _check_directions(parts: Sequence[LoadedData]) -> None:
    first = parts[0]
    other = next((part for part in parts if part.graphs.directed is not first.graphs.directed), None)
    if other is not None:
        kinds = [("directed" if part.graphs.directed else "undirected") for part in (first, other)]
        raise InvalidGraphError(
            f"The graphs of {first.name} are {kinds[0]}, those of {other.name} {kinds[1]}.",
            "Use only directed or only undirected graphs: an undirected edge is two directed ones.",
        )


def _mixed(parts: Sequence[LoadedData]) -> EncodingError:
    raw = next(part for part in parts if isinstance(part.graphs, RawGraphs))
    vectors = next(part for part in parts if isinstance(part.graphs, GraphCollection))
    message = f"{raw.name} contains named attributes, {vectors.name} contains vectors."
    if vectors.encoder is None:
        return EncodingError(message, "Use only files with attributes, or only files with vectors.")
    out = Path(raw.name).with_suffix(".parquet").name
    return EncodingError(
        message, f"Encode it the same way first: graphquant convert {raw.name} {out} --encoder {vectors.name}"
    )


def _check_one_encoder(parts: Sequence[LoadedData]) -> None:
    from graphquant.cli._encoding import same_encoder

    first = parts[0]
    for part in parts[1:]:
        if not same_encoder(first.encoder, part.encoder):
            raise EncodingError(
                f"The vectors of {part.name} were made by another encoder than those of {first.name}.",
                "Use the files that they were made from, which are then encoded together; or make equal "
                f"vectors: graphquant convert FILE OUT.parquet --encoder {first.name}",
            )


__all__ = ["joined", "located", "renamed"]
