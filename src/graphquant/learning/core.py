"""What the members of a cluster have in common: a part of the code graph, in the user's words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphquant._equality import ByContent
from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant.graphs import Graph, RawGraphs, to_networkx
from graphquant.graphs.checks import plural
from graphquant.graphs.molecules import has_rdkit
from graphquant.graphs.to_molecules import is_molecular, smarts_of
from graphquant.learning.members import Common
from graphquant.learning.words import said, words_of

# Shares are quotients of counts.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Core(ByContent):
    """The nodes and edges that most members of a cluster have.

    A member has a node of the code graph if one of its own is matched to it and has the same categories; it
    has an edge if two such nodes are joined by one of the same category. Numbers may differ: they are means.

    Attributes
    ----------
    code : int
        Number of the code graph.
    graph : Graph
        The core; ``graphquant.to_networkx(core.graph)`` has attributes in the user's own names, and so
        has ``core.raw``.
    nodes : ndarray of int
        Number in the code graph of each node of the core.
    node_support, edge_support : ndarray
        Share of members that have the node or the edge.
    size : int
        Members that were counted.
    support : float
        The share that was asked for.
    smarts : str or None
        For molecules the largest connected part of the core as a SMARTS query, without hydrogens; None if
        the core is empty, not a molecule, or RDKit is not installed.
    smarts_share : float or None
        Share of members in which RDKit finds the query; None if no members were given.
    raw : RawGraphs
        The core with named attributes.

    Examples
    --------
    >>> import networkx as nx
    >>> import graphquant as gq
    >>> def path(*labels):
    ...     graph = nx.path_graph(len(labels))
    ...     nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
    ...     return graph
    >>> paths = [path("a", "b"), path("a", "b", "c"), path("a", "b", "d")]
    >>> q = gq.GraphQuantizer(1, random_state=0).fit(paths)
    >>> print(q.core(0).describe())
    2 nodes and 1 edge that at least 80 % of 3 members have
      node 0: label a (100 %)
      node 1: label b (100 %)
      edge 0-1 (100 %)
    """

    code: int
    graph: Graph
    nodes: IntArray
    node_support: FloatArray
    edge_support: FloatArray
    size: int
    support: float
    smarts: str | None
    smarts_share: float | None = None
    raw: RawGraphs = field(kw_only=True, compare=False)

    def to_networkx(self) -> Any:
        """Return the core as a networkx graph with named attributes, and ``support`` on nodes and edges."""
        graph = to_networkx(self.graph)
        for node, support in enumerate(self.node_support.tolist()):
            graph.nodes[node]["support"] = support
        for (start, end), support in zip(self.graph.edges.tolist(), self.edge_support.tolist(), strict=True):
            graph.edges[start, end]["support"] = support
        return graph

    def describe(self) -> str:
        """Return the core as text, a line for each node and edge."""
        words = words_of(self.graph)
        members = f"{100 * self.support:.0f} % of {plural(self.size, 'member')}"
        lines = [f"{_counted(self.graph)} that at least {members} have"]
        for node, value, share in zip(self.nodes, words.nodes, self.node_support, strict=True):
            lines.append(_line(f"node {node}", value, share))
        arrow = ">" if self.graph.directed else "-"
        for ends, value, share in zip(self.graph.edges, words.edges, self.edge_support, strict=True):
            start, end = self.nodes[ends]
            lines.append(_line(f"edge {start}{arrow}{end}", value, share))
        if self.smarts is not None:
            found = "" if self.smarts_share is None else f" (in {100 * self.smarts_share:.0f} % of members)"
            lines.append(f"  SMARTS {self.smarts}{found}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        tail = "" if self.smarts is None else f", {self.smarts}"
        return (
            f"Core(code {self.code}: {_counted(self.graph)} in {100 * self.support:.0f} % of "
            f"{plural(self.size, 'member')}{tail})"
        )


def core_of(code: int, common: Common, support: float, encoder: Any = None) -> Core:
    """Return the part of what members have that at least a share of them has."""
    words = words_of(common.graph, encoder)
    node_support, edge_support = (
        common.node_share * words.node_share,
        common.edge_share * words.edge_share,
    )
    kept: BoolArray = node_support >= support - _ROUNDING
    edges = common.graph.edges
    joined: BoolArray = (edge_support >= support - _ROUNDING) & kept[edges].all(axis=1)
    nodes = np.flatnonzero(kept)
    graph = Graph._from_valid(
        common.graph.node_attrs[nodes],
        (np.cumsum(kept) - 1)[edges[joined]].astype(np.int32),
        common.graph.edge_attrs[joined],
        None if common.graph.groups is None else common.graph.groups[nodes],
        directed=common.graph.directed,
        schema=common.graph.schema,
    )
    raw = words_of(graph, encoder).raw
    return Core(
        code=code,
        graph=graph,
        nodes=nodes,
        node_support=node_support[kept],
        edge_support=edge_support[joined],
        size=common.size,
        support=support,
        smarts=smarts_of(raw) if is_molecular(raw) and has_rdkit() else None,
        raw=raw,
    )


def part_in_core(graph: Graph, mapping: IntArray, core: Core) -> tuple[IntArray, IntArray]:
    """Return the nodes and the edges (pairs of nodes) of a graph that belong to a core, by its mapping."""
    places = mapping[: graph.order]
    ends = core.nodes[core.graph.edges]
    joined = {*map(tuple, ends.tolist())}
    if not graph.directed:
        joined |= {(b, a) for a, b in joined}
    has_edge = [pair in joined for pair in map(tuple, places[graph.edges].tolist())]
    edges = graph.edges[np.array(has_edge, dtype=np.bool_)].astype(np.int64)
    return np.flatnonzero(np.isin(places, core.nodes)), edges


def _line(name: str, value: Mapping[str, Any], share: float) -> str:
    words = said(value, hydrogens=False)
    return f"  {name}{': ' if words else ''}{words} ({100 * share:.0f} %)"


def _counted(graph: Graph) -> str:
    return f"{plural(graph.order, 'node')} and {plural(graph.n_edges, 'edge')}"


__all__ = ["Core", "core_of", "part_in_core"]
