"""The largest subgraph that two graphs have in common, by its edges."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant._typing import IntArray
from graphquant.edit.distance import NODE_LIMIT, PairInCosts
from graphquant.edit.given import check_costs, one_graph
from graphquant.edit.matching import edit_matcher, match_edits
from graphquant.edit.script import common_edges
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import Graph, RawGraphs
from graphquant.graphs.molecules import fragment_smarts, is_molecule
from graphquant.matching import MatcherLike
from graphquant.preprocessing import EditCosts


@dataclass(frozen=True)
class CommonSubgraph:
    """A common edge subgraph of two graphs, x and y: not necessarily connected, nor induced.

    Attributes
    ----------
    graph : Graph
        The nodes with common edges and these edges; ``graph.to_networkx()`` has their labels.
    pairs : tuple of pairs
        The nodes of x and of y that are the same, by the users' names, in the order of the nodes of
        ``graph``.
    n_edges : int
        Number of common edges.
    upper_bound : float
        No common subgraph has more edges (with weights: edges of more weight).
    proven : bool
        Whether there is none that is larger.
    distance : float
        ``|E1| + |E2| - 2 |common|``; with weights their sums.
    smarts : str or None
        For molecules: the common bonds as SMARTS, with a dot between parts.

    Examples
    --------
    >>> import graphquant as gq
    >>> found = gq.common_subgraph("CCO", "CCN")
    >>> found.n_edges, found.proven, found.pairs, found.smarts
    (1, True, ((0, 0), (1, 1)), '[#6]-[#6]')
    """

    graph: Graph
    pairs: tuple[tuple[Hashable, Hashable], ...]
    n_edges: int
    upper_bound: float
    proven: bool
    distance: float
    smarts: str | None = None

    def __repr__(self) -> str:
        status = "proven" if self.proven else f"not proven, at most {self.upper_bound:g}"
        return f"CommonSubgraph({self.n_edges} edges, {len(self.pairs)} nodes, {status})"


def common_subgraph(
    x: Any,
    y: Any,
    costs: EditCosts | None = None,
    *,
    node_limit: int | None = NODE_LIMIT,
    time_limit: float | None = None,
    matcher: MatcherLike = "auto",
) -> CommonSubgraph:
    """Return the maximum common edge subgraph of two graphs.

    Edges are common if their labels and those of their ends are equal. The subgraph need not be
    connected, and a ring may match in part.

    Parameters
    ----------
    x, y : graphs
        As in :func:`edit_distance`.
    costs : EditCosts, optional
        ``EditCosts.mces()``, which may name attributes and weigh edges.
    node_limit, time_limit, matcher
        As in :func:`edit_distance`.

    Returns
    -------
    CommonSubgraph

    Examples
    --------
    >>> import networkx as nx
    >>> import graphquant as gq
    >>> gq.common_subgraph(nx.cycle_graph(5), nx.cycle_graph(6))
    CommonSubgraph(4 edges, 5 nodes, proven)
    """
    costs = EditCosts.mces() if costs is None else check_costs(costs)
    if not costs.common_edges:
        raise InvalidParameterError(
            f"costs={costs!r} also has costs for nodes.", "Give EditCosts.mces(...), or leave costs out."
        )
    pair = PairInCosts.of(one_graph(x, "x"), one_graph(y, "y"), costs)
    found = match_edits(
        pair.left,
        pair.right,
        np.array([[0, 0]]),
        pair.costs,
        edit_matcher(matcher, node_limit, time_limit),
        None,
        mappings=True,
    )
    assert found.mapping is not None
    mapping = found.mapping[0, : pair.left.orders[0]]
    edges = common_edges(*pair.sides(), mapping.tolist(), pair.costs, directed=pair.x.directed)
    nodes = sorted({node for edge in edges for node in edge})
    distance, lower = float(found.distance[0]), float(found.lower_bound[0])
    return CommonSubgraph(
        graph=_subgraph(pair.x, nodes, edges, pair.costs),
        pairs=tuple((pair.names[0][r], pair.names[1][int(mapping[r])]) for r in nodes),
        n_edges=len(edges),
        upper_bound=0.5 * (_weight(pair.x, pair.costs) + _weight(pair.y, pair.costs) - lower),
        proven=bool(found.proven[0]),
        distance=distance,
        smarts=_smarts(x, pair.names[0], nodes, edges),
    )


def _weight(raw: RawGraphs, costs: EditCosts) -> float:
    """Return what all edges of a graph count."""
    prices = costs.prices("edge")
    return math.fsum(prices.remove(element) for element in costs.elements(raw)["edge"])


def _subgraph(raw: RawGraphs, nodes: list[int], edges: list[tuple[int, int]], costs: EditCosts) -> Graph:
    """Return nodes and edges of a graph as a graph with their labels."""
    place = {node: i for i, node in enumerate(nodes)}
    row = {(a, b): i for i, (a, b) in enumerate(raw.edges.tolist())}
    rows: IntArray = np.array([row.get((a, b), row.get((b, a), -1)) for a, b in edges], dtype=np.int64)
    part = RawGraphs(
        [0, len(nodes)],
        [0, len(edges)],
        np.array([(place[a], place[b]) for a, b in edges], dtype=np.int32).reshape(-1, 2),
        {name: column.take(nodes) for name, column in raw.node_columns.items()},
        {name: column.take(rows) for name, column in raw.edge_columns.items()},
        directed=raw.directed,
    )
    labels = EditCosts(node=costs.attributes("node"), edge=costs.attributes("edge"))
    graph: Graph = labels.fit_transform(part)[0]
    return graph


def _smarts(x: Any, names: Any, nodes: list[int], edges: list[tuple[int, int]]) -> str | None:
    """Return the common bonds of molecules as SMARTS; None for other graphs."""
    member = x if isinstance(x, str) or is_molecule(x) else None
    if member is None:
        return None
    return fragment_smarts(member, [names[node] for node in nodes], [(names[a], names[b]) for a, b in edges])


__all__ = ["CommonSubgraph", "common_subgraph"]
