"""Random graphs of every kind that the matching engine promises to handle, from a numpy seed."""

from dataclasses import dataclass

import numpy as np

import graphquant as gq


@dataclass(frozen=True)
class Kind:
    """What random graphs look like."""

    density: float = 0.4
    directed: bool = False
    signed: bool = True
    p: int = 2
    q: int = 1
    n_groups: int = 0
    ties: bool = False  # small whole numbers: many equally good mappings

    def graph(self, rng, order):
        """One graph of the given order."""
        pairs = np.array([(i, j) for i in range(order) for j in range(order) if i != j], dtype=int)
        pairs = pairs.reshape(-1, 2)
        if not self.directed:
            pairs = pairs[pairs[:, 0] < pairs[:, 1]]
        edges = pairs[rng.random(len(pairs)) < self.density]
        return gq.Graph(
            self._values(rng, (order, self.p)),
            edges,
            self._values(rng, (len(edges), self.q)),
            directed=self.directed,
            groups=rng.integers(self.n_groups, size=order) if self.n_groups else None,
        )

    def _values(self, rng, shape):
        if self.ties:
            return rng.integers(-1 if self.signed else 0, 2, size=shape).astype(float)
        values = rng.normal(size=shape)
        return values if self.signed else np.abs(values)

    def collection(self, rng, size, min_order, max_order):
        """``size`` graphs of random orders."""
        orders = rng.integers(min_order, max_order + 1, size=size)
        return gq.GraphCollection([self.graph(rng, int(order)) for order in orders])


KINDS = {
    "sparse": Kind(density=0.25),
    "dense": Kind(density=0.9),
    "complete": Kind(density=1.0, p=1),
    "edgeless": Kind(density=0.0),
    "non-negative": Kind(signed=False),
    "non-negative-dense": Kind(density=0.8, signed=False, q=2),
    "vector-edges": Kind(q=3),
    "directed": Kind(directed=True),
    "directed-vectors": Kind(density=0.6, directed=True, q=2),
    "directed-non-negative": Kind(directed=True, signed=False),
    "ties": Kind(density=0.5, p=1, ties=True),
    "ties-non-negative": Kind(density=0.5, p=1, signed=False, ties=True),
    "ties-directed": Kind(density=0.5, directed=True, p=1, ties=True),
    "grouped": Kind(n_groups=2),
    "grouped-non-negative": Kind(signed=False, n_groups=3),
    "grouped-directed": Kind(directed=True, q=2, n_groups=2),
    "grouped-ties": Kind(density=0.6, p=1, n_groups=2, ties=True),
}
UNGROUPED = {name: kind for name, kind in KINDS.items() if not kind.n_groups}


def random_pairs(rng, size, n_pairs):
    """Numbers of two graphs each, of a collection of ``size``."""
    return rng.integers(size, size=(n_pairs, 2))


def relabelled(rng, graph):
    """The same graph with its nodes in another order."""
    return graph.permute(rng.permutation(graph.order))


def with_zero_nodes(graph, order):
    """The same graph with zero nodes of its own up to the order."""
    nodes = np.zeros((order, graph.node_attrs.shape[1]))
    nodes[: graph.order] = graph.node_attrs
    return gq.Graph(nodes, graph.edges, graph.edge_attrs, directed=graph.directed)
