"""What the members of each cluster have at the positions of their code graph: counts and sums."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.graphs import Graph, GraphCollection
from graphquant.io.strict_json import parse_json

# Graphs that are counted together: memory is for these, not for all.
_BLOCK = 4096


class Common(NamedTuple):
    """The mean of what members have, and the share of members that have it."""

    graph: Graph  # nodes are numbered as in the code graph
    node_share: FloatArray
    edge_share: FloatArray
    size: int


@dataclass(frozen=True)
class Members:
    """Sums over the members of all clusters, in sparse form.

    Rows of nodes are sorted by code graph and position, those of edges by code graph and both positions.
    Sums of parts of a collection add up to those of the whole.

    Attributes
    ----------
    size : ndarray of shape (n_codes,)
        Members of each cluster.
    node_at : ndarray of shape (n_rows, 2)
        Code graph and position.
    node_count, node_sum : ndarray
        How many members have a node there, and the sum of its attributes.
    edge_at : ndarray of shape (n_rows, 3)
        Code graph and two positions, the lower one first unless edges are directed.
    edge_count, edge_sum : ndarray
    """

    size: IntArray
    node_at: IntArray
    node_count: IntArray
    node_sum: FloatArray
    edge_at: IntArray
    edge_count: IntArray
    edge_sum: FloatArray

    @classmethod
    def of(
        cls, X: GraphCollection, label: IntArray, mapping: AnyArray, n_codes: int, order: int
    ) -> "Members":
        """Count the members of a collection; row i of ``mapping`` places graph i on code graph ``label[i]``.

        Nodes at ``order`` and above have no position that code graphs share, and are left out.
        """
        blocks = range(0, max(len(X), 1), _BLOCK)
        parts = (
            cls._of_block(X[i : i + _BLOCK], label[i : i + _BLOCK], mapping[i : i + _BLOCK], n_codes, order)
            for i in blocks
        )
        return reduce(add, parts)

    @classmethod
    def _of_block(
        cls, X: GraphCollection, label: IntArray, mapping: AnyArray, n_codes: int, order: int
    ) -> "Members":
        X = X.packed()
        graph = np.repeat(np.arange(len(X)), X.orders)
        place = mapping[graph, np.arange(len(graph)) - X.node_offsets[graph]].astype(np.int64)
        node_at = np.column_stack([label[graph], place])
        inside = place < order
        graph = np.repeat(np.arange(len(X)), X.n_edges)
        ends = place[X.edges + X.node_offsets[graph][:, None]]
        both = (ends < order).all(axis=1)
        if not X.directed:
            ends = np.sort(ends, axis=1)
        edge_at = np.column_stack([label[graph], ends])
        return cls(
            np.bincount(label, minlength=n_codes),
            *_summed(node_at[inside], np.ones(int(inside.sum()), dtype=np.int64), X.node_attrs[inside]),
            *_summed(edge_at[both], np.ones(int(both.sum()), dtype=np.int64), X.edge_attrs[both]),
        )

    def __add__(self, other: "Members") -> "Members":
        def both(name: str) -> AnyArray:
            return np.concatenate([getattr(self, name), getattr(other, name)])

        return Members(
            self.size + other.size,
            *_summed(both("node_at"), both("node_count"), both("node_sum")),
            *_summed(both("edge_at"), both("edge_count"), both("edge_sum")),
        )

    def moved(self, places: Sequence[IntArray]) -> "Members":
        """Return the same for renumbered positions: position r of code graph j becomes ``places[j][r]``."""
        starts = np.cumsum([0, *map(len, places)])[:-1]
        table = np.concatenate([np.zeros(0, dtype=np.int64), *places])

        def renumbered(at: IntArray) -> IntArray:
            return np.column_stack([at[:, 0], table[starts[at[:, :1]] + at[:, 1:]]])

        return Members(
            self.size,
            *_summed(renumbered(self.node_at), self.node_count, self.node_sum),
            *_summed(renumbered(self.edge_at), self.edge_count, self.edge_sum),
        )

    def common(self, j: int, code: Graph) -> Common:
        """Return what the members of cluster j have, numbered like the nodes of its code graph."""
        nodes, edges = _rows_of(self.node_at, j), _rows_of(self.edge_at, j)
        at, ends = self.node_at[nodes, 1], self.edge_at[edges, 1:]
        known, both = at < code.order, (ends < code.order).all(axis=1)
        n_members = max(int(self.size[j]), 1)
        attrs = np.zeros((code.order, self.node_sum.shape[1]))
        share = np.zeros(code.order)
        attrs[at[known]] = (self.node_sum[nodes] / self.node_count[nodes, None])[known]
        share[at[known]] = self.node_count[nodes][known] / n_members
        graph = Graph._from_valid(
            attrs,
            ends[both].astype(np.int32),
            (self.edge_sum[edges] / self.edge_count[edges, None])[both],
            code.groups,
            directed=code.directed,
            schema=code.schema,
        )
        return Common(graph, share, self.edge_count[edges][both] / n_members, int(self.size[j]))

    def to_texts(self) -> list[str]:
        """Return a line of JSON for each cluster."""
        return [json.dumps(self._row(j), separators=(",", ":")) for j in range(len(self.size))]

    def _row(self, j: int) -> dict[str, Any]:
        nodes, edges = _rows_of(self.node_at, j), _rows_of(self.edge_at, j)
        return {
            "size": int(self.size[j]),
            "nodes": self.node_at[nodes, 1].tolist(),
            "node_counts": self.node_count[nodes].tolist(),
            "node_sums": self.node_sum[nodes].tolist(),
            "edges": self.edge_at[edges, 1:].tolist(),
            "edge_counts": self.edge_count[edges].tolist(),
            "edge_sums": self.edge_sum[edges].tolist(),
        }

    @classmethod
    def from_texts(cls, texts: Sequence[str], n_node_attrs: int, n_edge_attrs: int) -> "Members":
        """Restore what :meth:`to_texts` returned."""
        rows = [parse_json(text) for text in texts]

        def side(at: str, counts: str, sums: str, n_at: int, width: int) -> tuple[AnyArray, ...]:
            where = [
                np.column_stack([np.full(len(row[at]), j), np.reshape(row[at], (-1, n_at))])
                for j, row in enumerate(rows)
            ]
            return (
                np.concatenate(where).astype(np.int64),
                np.concatenate([np.array(row[counts], dtype=np.int64) for row in rows]),
                np.concatenate([np.reshape(row[sums], (-1, width)) for row in rows]).astype(np.float64),
            )

        return cls(
            np.array([row["size"] for row in rows], dtype=np.int64),
            *side("nodes", "node_counts", "node_sums", 1, n_node_attrs),
            *side("edges", "edge_counts", "edge_sums", 2, n_edge_attrs),
        )


def _rows_of(at: IntArray, j: int) -> slice:
    first, last = np.searchsorted(at[:, 0], [j, j + 1])
    return slice(int(first), int(last))


def _summed(at: IntArray, counts: IntArray, values: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Add up the rows that stand for the same place, and sort them."""
    if not len(at):
        return at, counts, values
    rows = np.lexsort(at.T[::-1])
    at = at[rows]
    first = np.flatnonzero(np.concatenate([[True], (at[1:] != at[:-1]).any(axis=1)]))
    return at[first], np.add.reduceat(counts[rows], first), np.add.reduceat(values[rows], first, axis=0)


__all__ = ["Common", "Members"]
