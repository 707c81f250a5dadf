"""Code graphs in dense form, and their graph space."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.averaging import Space
from graphquant.bounds import check_comparable, class_capacity
from graphquant.graphs import Dense, Graph, GraphCollection, join_schemas, lift, position_groups


@dataclass(frozen=True)
class Codes:
    """Dense code graphs, and how often each has won."""

    nodes: FloatArray  # (k, n, p)
    pairs: FloatArray  # (k, n, n, q)  a directed pair has both vectors, the outgoing one first
    wins: IntArray  # (k,)

    def copy(self) -> "Codes":
        """Return copies of the arrays."""
        return Codes(self.nodes.copy(), self.pairs.copy(), self.wins.copy())

    def __len__(self) -> int:
        return len(self.wins)

    def in_use(self) -> list[Dense]:
        """Return copies of the positions of each code graph up to the last one that is not zero.

        One graph that is much larger than the others makes room for many positions that hardly any code
        graph uses: all of them would take many times the memory.
        """
        parts = []
        for nodes, pairs in zip(self.nodes, self.pairs, strict=True):
            used = np.flatnonzero(nodes.any(axis=1) | pairs.any(axis=(1, 2)))
            n = int(used[-1]) + 1 if len(used) else 0
            parts.append(Dense(nodes[:n].copy(), pairs[:n, :n].copy()))
        return parts


@dataclass(frozen=True)
class CodeSpace:
    """The positions of code graphs, and how graphs are placed on them.

    Attributes
    ----------
    capacity : ndarray of int
        Positions of each node class.
    space : Space
    edge_channels : int
        Edge channels of a graph; a directed pair in dense form has twice as many.
    """

    capacity: IntArray
    space: Space
    edge_channels: int

    @classmethod
    def of(
        cls,
        X: GraphCollection,
        codes: GraphCollection,
        order: int | None = None,
        *,
        capacity: IntArray | None = None,
    ) -> "CodeSpace":
        """Return the space of training graphs and code graphs, or the one with a given capacity."""
        check_comparable(X, codes)
        room = class_capacity(X, codes, order=order) if capacity is None else capacity
        groups = None if X.groups is None else position_groups(room)
        space = Space(max(int(room.sum()), 1), groups, X.directed, join_schemas(X.schema, codes.schema))
        return cls(room, space, X.edge_attrs.shape[1])

    @property
    def order(self) -> int:
        """Total number of positions of all classes."""
        return self.space.order

    @property
    def pair_weight(self) -> float:
        """How often the square of a pair counts."""
        return 1.0 if self.space.directed else 2.0

    def place(self, codes: GraphCollection) -> Codes:
        """Return graphs on the first positions of their classes."""
        channels = self.edge_channels * (2 if self.space.directed else 1)
        nodes = np.zeros((len(codes), self.order, codes.node_attrs.shape[1]))
        pairs = np.zeros((len(codes), self.order, self.order, channels))
        for j, code in enumerate(codes):
            mapping = self.space.first_mapping(code)
            # Positions beyond those in use stay untouched: one very large graph makes most memory of them.
            n = int(mapping.max(initial=-1)) + 1
            nodes[j, :n], outgoing = lift(code, mapping, n)
            pairs[j, :n, :n, : self.edge_channels] = outgoing
            if self.space.directed:
                pairs[j, :n, :n, self.edge_channels :] = outgoing.transpose(1, 0, 2)
        return Codes(nodes, pairs, np.zeros(len(codes), dtype=np.int64))

    def graph(self, codes: Codes, j: int) -> Graph:
        """Return code graph j."""
        outgoing = np.ascontiguousarray(codes.pairs[j, :, :, : self.edge_channels])
        return self.space.target(Dense(codes.nodes[j], outgoing))

    def graphs(self, codes: Codes) -> GraphCollection:
        """Return all code graphs."""
        return GraphCollection([self.graph(codes, j) for j in range(len(codes))])

    def largest_shift(self, now: Sequence[Dense], before: Sequence[Dense]) -> float:
        """Return the largest Euclidean movement of a code graph."""
        return max((self._shift(a, b) for a, b in zip(now, before, strict=True)), default=0.0)

    def _shift(self, now: Dense, before: Dense) -> float:
        n = max(len(now.nodes), len(before.nodes))
        nodes, pairs = np.zeros((n, *now.nodes.shape[1:])), np.zeros((n, n, *now.pairs.shape[2:]))
        for sign, part in ((1.0, now), (-1.0, before)):
            m = len(part.nodes)
            nodes[:m] += sign * part.nodes
            pairs[:m, :m] += sign * part.pairs
        return float(np.sqrt((nodes**2).sum() + 0.5 * self.pair_weight * (pairs**2).sum()))


__all__ = ["CodeSpace", "Codes"]
