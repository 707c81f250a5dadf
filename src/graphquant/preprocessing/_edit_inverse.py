"""From vectors of edit costs back to labels and numbers; of averages the likeliest ones."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from graphquant._typing import AnyArray, FloatArray, Int32Array, IntArray
from graphquant.graphs import Column, GraphCollection, RawGraphs
from graphquant.preprocessing._edit_model import NO_LABEL
from graphquant.preprocessing._edit_settings import Spec
from graphquant.preprocessing._edit_side import FittedSide
from graphquant.preprocessing._edit_vectors import LabelVectors
from graphquant.preprocessing._one_hot import OTHER
from graphquant.preprocessing._source import Side

PRESENCE = "graphquant.presence"
# Less than this is missing of whatever is there as a whole.
_WHOLE = 1e-9


def inverse(
    graphs: GraphCollection,
    sides: Mapping[Side, FittedSide],
    chosen: Mapping[Side, Sequence[Spec]],
    *,
    common_edges: bool,
) -> RawGraphs:
    """Return graphs with the attributes that their vectors stand for."""
    graphs = graphs.packed()
    if common_edges:
        return _inverse_triples(graphs, sides["edge"], chosen)
    scale = 1.0 if graphs.directed else np.sqrt(2.0)
    node = _columns(graphs.node_attrs, sides["node"])
    edge = _columns(scale * graphs.edge_attrs, sides["edge"])
    return _raw(graphs, graphs.edges, graphs.edge_offsets, node, edge, directed=graphs.directed)


def _raw(
    graphs: GraphCollection,
    edges: Int32Array,
    edge_offsets: IntArray,
    node: Mapping[str, Column],
    edge: Mapping[str, Column],
    *,
    directed: bool,
) -> RawGraphs:
    return RawGraphs(
        graphs.node_offsets,
        edge_offsets,
        edges,
        node,
        edge,
        directed=directed,
        groups=graphs.groups,
        names=graphs.names,
    )


def _columns(vectors: FloatArray, side: FittedSide) -> dict[str, Column]:
    """Return the attributes of vectors, and how much of them is there where that is less than the whole."""
    found: dict[str, Column] = {}
    shares, at = [], 0
    constant = side.embedding.constant
    if side.channels[0] == "presence":
        if constant > 0.0:
            shares.append(vectors[:, 0] / np.sqrt(constant))
        at = 1
    for part in side.embedding.parts:
        width = part.vectors.shape[1]
        texts, share = _likeliest(vectors[:, at : at + width], part)
        at += width
        shares += [share] if width else []
        for name, column in zip(part.names, texts, strict=True):
            found[name] = Column.from_strings(column)
    presence = np.clip(np.max(shares, axis=0), 0.0, 1.0) if shares else np.ones(len(vectors))
    for number in side.costs.numbers:
        scaled = vectors[:, at] / np.where(presence > 0.0, presence, 1.0)
        found[number.name] = Column(
            scaled / np.sqrt(number.weight) + number.center if number.weight else scaled
        )
        at += 1
    if len(vectors) and presence.min() < 1.0 - _WHOLE:
        found[PRESENCE] = Column(presence)
    return found


def _likeliest(vectors: FloatArray, part: LabelVectors) -> tuple[list[list[str | None]], FloatArray]:
    """Return the texts of the nearest label of each row, attribute by attribute, and its share."""
    labels = [*part.labels, *([(OTHER,) * len(part.names)] if part.has_other else [])]
    if not labels or not part.vectors.shape[1]:
        return [[None] * len(vectors) for _ in part.names], np.zeros(len(vectors))
    products = vectors @ part.vectors.T
    norms = (part.vectors**2).sum(axis=1)
    nearest = np.argmin(norms[None, :] - 2.0 * products, axis=1)
    # A part of a label that stands alone is nearest to it, however small it is.
    alone = products.argmax(axis=1)
    nearest = np.where((vectors**2).sum(axis=1) < 0.25 * norms[nearest], alone, nearest)
    size = np.where(norms[nearest] > 0.0, norms[nearest], 1.0)
    share = products[np.arange(len(vectors)), nearest] / size
    texts = [
        [labels[row][i] if labels[row][i] != NO_LABEL else None for row in nearest.tolist()]
        for i in range(len(part.names))
    ]
    return texts, share


def _inverse_triples(
    graphs: GraphCollection, side: FittedSide, chosen: Mapping[Side, Sequence[Spec]]
) -> RawGraphs:
    """Return graphs whose nodes have the labels that their edges say; those without edges have none."""
    columns = _columns(graphs.edge_attrs, side)
    doubled = _come_in_pairs(graphs)
    if doubled:
        columns = _columns(np.sqrt(2.0) * graphs.edge_attrs, side)
    owner = np.repeat(np.arange(len(graphs)), np.diff(graphs.edge_offsets))
    ends = graphs.edges + graphs.node_offsets[owner][:, None]
    node = {
        str(spec): _labels_of_ends(
            columns[f"start {spec}"], columns[f"end {spec}"], ends, len(graphs.node_attrs)
        )
        for spec in chosen["node"]
    }
    kept: AnyArray = (
        graphs.edges[:, 0] < graphs.edges[:, 1] if doubled else np.ones(len(graphs.edges), dtype=bool)
    )
    names = [*(str(spec) for spec in chosen["edge"]), *([PRESENCE] if PRESENCE in columns else [])]
    edge = {name: columns[name].take(np.flatnonzero(kept)) for name in names}
    counts = [int(kept[a:b].sum()) for a, b in pairwise(graphs.edge_offsets.tolist())]
    offsets = np.concatenate([[0], np.cumsum(np.array(counts, dtype=np.int64))]).astype(np.int64)
    return _raw(graphs, graphs.edges[kept], offsets, node, edge, directed=not doubled)


def _come_in_pairs(graphs: GraphCollection) -> bool:
    """Whether every edge has its reverse: then they were undirected."""
    owner = np.repeat(np.arange(len(graphs)), np.diff(graphs.edge_offsets))
    forward = {(i, int(a), int(b)) for i, (a, b) in zip(owner.tolist(), graphs.edges, strict=True)}
    return all((i, b, a) in forward for i, a, b in forward)


def _labels_of_ends(start: Column, end: Column, ends: AnyArray, n_nodes: int) -> Column:
    labels: list[str | None] = [None] * n_nodes
    for texts, nodes in ((start.to_list(), ends[:, 0]), (end.to_list(), ends[:, 1])):
        for text, node in zip(texts, nodes.tolist(), strict=True):
            labels[node] = text if labels[node] is None else labels[node]
    return Column.from_strings(labels)


__all__ = ["PRESENCE", "inverse"]
