"""A summary of a data set, as plain values."""

import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from graphquant.cli._loaded import LoadedData
from graphquant.exceptions import EncodingError, GraphQuantWarning
from graphquant.graphs import Column, GraphCollection, RawGraphs, describe
from graphquant.graphs.convert import channel_names

# Maximum number of categories listed; their number is always given.
_SHOWN_CATEGORIES = 12


@dataclass(frozen=True)
class AttributeSummary:
    """One attribute of the nodes or the edges."""

    of: str
    name: str
    kind: str
    missing: int
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    n_categories: int | None = None
    categories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Summary:
    """A data set: the columns of the paper's Table 1, attributes, classes, encoding."""

    data: str
    description: str
    graphs: int
    classes: int | None
    avg_nodes: float
    max_nodes: int
    avg_edges: float
    max_edges: int
    directed: bool
    attributes: tuple[AttributeSummary, ...]
    class_counts: dict[str, int]
    encoding: str
    skipped: tuple[dict[str, str], ...]
    repaired: tuple[str, ...]

    def table_row(self) -> dict[str, Any]:
        """Return the columns of Table 1."""
        keys = ("data", "graphs", "classes", "avg_nodes", "max_nodes", "avg_edges", "max_edges")
        return {key: getattr(self, key) for key in keys}

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def summarise(loaded: LoadedData) -> Summary:
    """Summarise loaded graphs."""
    stats = describe(loaded.graphs, loaded.labels)
    return Summary(
        data=loaded.name,
        description=loaded.description,
        graphs=stats.n_graphs,
        classes=stats.n_classes,
        avg_nodes=round(stats.avg_nodes, 4),
        max_nodes=stats.max_nodes,
        avg_edges=round(stats.avg_edges, 4),
        max_edges=stats.max_edges,
        directed=loaded.graphs.directed,
        attributes=_attributes(loaded),
        class_counts=_class_counts(loaded.labels),
        encoding=_encoding(loaded),
        skipped=tuple(asdict(item) for item in loaded.skipped),
        repaired=loaded.repaired,
    )


def _class_counts(labels: tuple[str, ...] | None) -> dict[str, int]:
    from graphquant.datasets import number_classes

    counts = Counter(labels or ())
    return {name: counts[name] for name in number_classes(labels)[1]}


def _attributes(loaded: LoadedData) -> tuple[AttributeSummary, ...]:
    graphs = loaded.graphs
    if isinstance(graphs, RawGraphs):
        sides: dict[str, Mapping[str, Column]] = {"node": graphs.node_columns, "edge": graphs.edge_columns}
    else:
        sides = _channel_columns(graphs.packed(), loaded)
    return tuple(
        _attribute(side, name, column) for side, columns in sides.items() for name, column in columns.items()
    )


def _channel_columns(graphs: GraphCollection, loaded: LoadedData) -> dict[str, Mapping[str, Column]]:
    """Channels of vectors as numeric columns, named by the encoder that made them if it is known."""
    encoder = loaded.encoder
    known = {
        "node": None if encoder is None else encoder.node_channels_,
        "edge": None if encoder is None else encoder.edge_channels_,
    }
    return {
        side: {
            name: Column(attrs[:, i])
            for i, name in enumerate(channel_names(attrs.shape[1], known[side], f"{side}_attrs"))
        }
        for side, attrs in (("node", graphs.node_attrs), ("edge", graphs.edge_attrs))
    }


def _attribute(side: str, name: str, column: Column) -> AttributeSummary:
    missing = int(column.missing.sum())
    if column.categories is not None:
        # Only categories that occur: a selection of graphs keeps the list of the whole.
        present = np.unique(column.values[~column.missing])
        names = tuple(column.categories[i] for i in present.tolist())
        return AttributeSummary(
            side, name, "string", missing, n_categories=len(names), categories=names[:_SHOWN_CATEGORIES]
        )
    given = column.values[np.isfinite(column.values)]
    if not len(given):
        return AttributeSummary(side, name, "numeric", missing)
    low, high, mean = float(given.min()), float(given.max()), float(given.mean())
    return AttributeSummary(side, name, "numeric", missing, min=low, max=high, mean=mean)


def _encoding(loaded: LoadedData) -> str:
    """Describe the encoder that made the vectors, or what the automatic one would choose."""
    from graphquant.preprocessing.molecules import automatic_encoder

    if loaded.encoder is not None:
        return loaded.encoder.describe()
    if isinstance(loaded.graphs, GraphCollection):
        return "none: the attributes are already vectors"
    try:
        with warnings.catch_warnings():
            # The table of attributes counts them.
            warnings.filterwarnings("ignore", r".* values are missing", GraphQuantWarning)
            return automatic_encoder(loaded.graphs).fit(loaded.graphs).describe()
    except EncodingError as err:
        return f"not possible: {err}"


__all__ = ["AttributeSummary", "Summary", "summarise"]
