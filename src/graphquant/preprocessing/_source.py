"""What transformers accept, in one form: structure plus named columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from graphquant._typing import FloatArray, Int32Array, IntArray
from graphquant.graphs import Column, GraphCollection, RawGraphs, Schema, as_graphs, raw_from_networkx
from graphquant.graphs.checks import PackedArrays
from graphquant.graphs.convert import channel_names, is_networkx

Side = Literal["node", "edge"]
SIDES: tuple[Side, Side] = ("node", "edge")


@dataclass(frozen=True)
class Source:
    """Valid graphs with flat named columns; arrays are shared with the source."""

    columns: Mapping[Side, Mapping[str, Column]]
    offsets: Mapping[Side, IntArray]
    edges: Int32Array
    groups: Int32Array | None
    directed: bool
    names: tuple[str, ...] | None
    is_vectors: bool = False
    schema: Schema | None = None  # of vectors

    def n_rows(self, side: Side) -> int:
        """Count all nodes, or all edges."""
        return int(self.offsets[side][-1])

    def locate(self, side: Side, row: int) -> str:
        """Name of a flat row in messages: ``Graph 17 ('mol_017'): node 3``."""
        offsets = self.offsets[side]
        graph = int(np.searchsorted(offsets, row, side="right")) - 1
        name = "" if self.names is None else f" ({self.names[graph]!r})"
        return f"Graph {graph}{name}: {side} {row - offsets[graph]}"

    def with_vectors(self, node_attrs: FloatArray, edge_attrs: FloatArray) -> GraphCollection:
        """Make a collection of the same graphs with these finite vectors, sharing the structure."""
        packed = PackedArrays(
            node_offsets=self.offsets["node"],
            node_attrs=node_attrs,
            edge_offsets=self.offsets["edge"],
            edges=self.edges,
            edge_attrs=edge_attrs,
            groups=self.groups,
        )
        return GraphCollection._from_valid(packed, directed=self.directed, names=self.names, schema=None)


def as_source(X: Any) -> Source:
    """Accept raw graphs, collections, and lists of graphs from users and cross-validation."""
    if hasattr(X, "graphs") and hasattr(X, "raw"):  # a data set
        X = X.graphs if X.raw is None else X.raw
    if isinstance(X, RawGraphs):
        return _from_raw(X)
    if isinstance(X, GraphCollection):
        return _from_collection(X)
    if is_networkx(X) or (isinstance(X, list) and X and all(map(is_networkx, X))):
        graphs = [X] if is_networkx(X) else X
        names = [str(graph.name) for graph in graphs] if all(graph.name for graph in graphs) else None
        return _from_raw(raw_from_networkx(graphs, names))
    found = as_graphs(X)
    return _from_raw(found) if isinstance(found, RawGraphs) else _from_collection(found)


def _from_raw(raw: RawGraphs) -> Source:
    return Source(
        columns={"node": raw.node_columns, "edge": raw.edge_columns},
        offsets={"node": raw.node_offsets, "edge": raw.edge_offsets},
        edges=raw.edges,
        groups=raw.groups,
        directed=raw.directed,
        names=raw.names,
    )


def _from_collection(collection: GraphCollection) -> Source:
    whole = collection.packed()
    return Source(
        columns={"node": _channels(whole.node_attrs), "edge": _channels(whole.edge_attrs)},
        offsets={"node": whole.node_offsets, "edge": whole.edge_offsets},
        edges=whole.edges,
        groups=whole.groups,
        directed=whole.directed,
        names=whole.names,
        is_vectors=True,
        schema=whole.schema,
    )


def _channels(attrs: FloatArray) -> dict[str, Column]:
    names = channel_names(attrs.shape[1], None, "attrs")
    return {name: Column(attrs[:, i]) for i, name in enumerate(names)}


__all__ = ["SIDES", "Side", "Source", "as_source"]
