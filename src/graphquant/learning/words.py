"""Graphs in the user's own words: attributes by name, of averages the likeliest ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant._typing import FloatArray
from graphquant.graphs import Column, Graph, GraphCollection, RawGraphs
from graphquant.graphs.convert import channel_names

# Columns by which encoders say what an average has lost.
_OWN, _SHARE = "graphquant.", "graphquant.share "
_DIGITS = 4


@dataclass(frozen=True)
class Words:
    """A graph with named attributes.

    Attributes
    ----------
    raw : RawGraphs
        The graph alone.
    nodes, edges : tuple of dict
        The attributes of each node and edge.
    node_share, edge_share : ndarray
        The share of the likeliest categories, the least of them where a node has several; 1 without any.
    """

    raw: RawGraphs
    nodes: tuple[dict[str, Any], ...]
    edges: tuple[dict[str, Any], ...]
    node_share: FloatArray
    edge_share: FloatArray


def words_of(graph: Graph, encoder: Any = None) -> Words:
    """Return a graph in words; vectors without an encoder have their channels as attributes."""
    encoder = encoder or (None if graph.schema is None else graph.schema.encoder)
    raw = _channels(graph) if encoder is None else encoder.inverse_transform(graph)
    return Words(
        raw,
        _rows(raw.node_columns, graph.order),
        _rows(raw.edge_columns, graph.n_edges),
        _share(raw.node_columns, graph.order),
        _share(raw.edge_columns, graph.n_edges),
    )


def phrase(value: Mapping[str, Any]) -> str:
    """Return attributes as a phrase.

    Examples
    --------
    >>> phrase({"symbol": "C", "x": 1.234567}), phrase({})
    ('symbol C, x 1.235', '')
    """
    shown = [
        f"{name} {round(item, 9) + 0.0:.{_DIGITS}g}" if isinstance(item, float) else f"{name} {item}"
        for name, item in value.items()
    ]
    return ", ".join(shown)


def said(value: Mapping[str, Any], *, hydrogens: bool = True) -> str:
    """Return attributes as a phrase; atoms and bonds as chemists write them, of averages the likeliest.

    Examples
    --------
    >>> said({"symbol": "C", "charge": 0.1, "n_hydrogens": 2.9, "ring": 0.0}), said({"bond": "double"})
    ('CH3', 'double')
    >>> said({"symbol": "N", "charge": 1, "aromatic": 1}), said({"label": "a"})
    ('N, charge +1, aromatic', 'label a')
    """
    if "symbol" not in value and value.keys() != {"bond"}:
        return phrase(value)
    count = round(float(value.get("n_hydrogens", 0.0))) if hydrogens else 0
    parts = [str(value.get("symbol", value.get("bond"))) + ("H" * (count > 0)) + (str(count) * (count > 1))]
    charge = round(float(value.get("charge", 0.0)))
    if charge:
        parts.append(f"charge {charge:+d}")
    if float(value.get("aromatic", 0.0)) > 0.5:
        parts.append("aromatic")
    elif float(value.get("ring", 0.0)) > 0.5:
        parts.append("in a ring")
    known = {"symbol", "bond", "n_hydrogens", "charge", "aromatic", "ring"}
    others = phrase({name: item for name, item in value.items() if name not in known})
    return ", ".join([*parts, others] if others else parts)


def _rows(columns: Mapping[str, Column], n: int) -> tuple[dict[str, Any], ...]:
    lists = {name: column.to_list() for name, column in columns.items() if not name.startswith(_OWN)}
    return tuple(
        {name: values[i] for name, values in lists.items() if values[i] is not None} for i in range(n)
    )


def _share(columns: Mapping[str, Column], n: int) -> FloatArray:
    shares = [column.values for name, column in columns.items() if name.startswith(_SHARE)]
    return np.min([np.ones(n), *shares], axis=0) if n else np.ones(0)


def _channels(graph: Graph) -> RawGraphs:
    def columns(attrs: FloatArray, names: tuple[str, ...] | None, what: str) -> dict[str, Column]:
        return {
            name: Column(attrs[:, i]) for i, name in enumerate(channel_names(attrs.shape[1], names, what))
        }

    whole, schema = GraphCollection([graph]).packed(), graph.schema
    return RawGraphs(
        whole.node_offsets,
        whole.edge_offsets,
        whole.edges,
        columns(whole.node_attrs, None if schema is None else schema.node, "node_attrs"),
        columns(whole.edge_attrs, None if schema is None else schema.edge, "edge_attrs"),
        directed=whole.directed,
        groups=whole.groups,
    )


__all__ = ["Words", "phrase", "said", "words_of"]
