"""The graph edit distance between two graphs, with the edits."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._typing import IntArray
from graphquant.edit.given import GivenGraphs, Names, check_costs, fitted_costs, one_graph
from graphquant.edit.matching import check_threshold, edit_matcher, match_edits
from graphquant.edit.script import Edit, ScriptSide, applied, edit_script
from graphquant.graphs import RawGraphs
from graphquant.matching import MatcherLike
from graphquant.preprocessing import EditCosts

if TYPE_CHECKING:
    import networkx as nx

# Search nodes of one pair: enough to prove nearly all pairs of 20 to 30 nodes.
NODE_LIMIT = 100_000


@dataclass(frozen=True)
class EditDistance:
    """The graph edit distance between two graphs, x and y.

    Attributes
    ----------
    distance : float
        The least cost of edits that turn x into y; if not proven, the cost of those found.
    lower_bound : float
        A certified lower bound of the edit distance.
    proven : bool
        Whether the two are equal.
    edits : tuple of Edit
        Operations that turn x into y, in an order in which they can be done. Their costs add up to the
        distance.
    mapping : dict
        The node of y for each node of x, None for nodes that are deleted.
    is_within : bool or None
        With ``threshold``: whether the edit distance is at most that; None if that is not known.
    costs : EditCosts
        Fitted to both graphs.

    Examples
    --------
    >>> import graphquant as gq
    >>> found = gq.edit_distance("CCO", "CN")
    >>> found.distance, found.proven
    (3.0, True)
    >>> for edit in found.edits:
    ...     print(edit)
    delete edge 1-2 (single)
    delete node 2 (O)
    substitute node 1 (C -> N)
    """

    distance: float
    lower_bound: float
    proven: bool
    edits: tuple[Edit, ...]
    mapping: Mapping[Hashable, Hashable | None]
    is_within: bool | None = None
    costs: EditCosts = field(default_factory=EditCosts, repr=False, compare=False)

    def apply(self, graph: "nx.Graph[Any]") -> "nx.Graph[Any]":
        """Return a networkx graph with the edits applied to x; its nodes keep their names.

        Examples
        --------
        >>> import networkx as nx
        >>> import graphquant as gq
        >>> x, y = nx.path_graph(4), nx.cycle_graph(4)
        >>> nx.is_isomorphic(gq.edit_distance(x, y).apply(x), y)
        True
        """
        return applied(self.edits, graph)

    def __repr__(self) -> str:
        status = "proven" if self.proven else f"not proven, at least {self.lower_bound:g}"
        count = len(self.edits)
        return f"EditDistance({self.distance:g}, {status}, {count} edit{'' if count == 1 else 's'})"


def edit_distance(
    x: Any,
    y: Any,
    costs: EditCosts | None = None,
    *,
    threshold: float | None = None,
    node_limit: int | None = NODE_LIMIT,
    time_limit: float | None = None,
    matcher: MatcherLike = "auto",
) -> EditDistance:
    """Return the graph edit distance between two graphs, exact if the search ends, and the edits.

    Parameters
    ----------
    x, y : graphs
        networkx graphs, RDKit molecules or SMILES, PyTorch Geometric data, raw graphs, or vectors that know
        what they were made of.
    costs : EditCosts, optional
        What edits cost; by default 1 each, see :class:`graphquant.preprocessing.EditCosts`.
    threshold : float, optional
        Stop as soon as it is certain whether the distance is at most this: ``is_within`` of the result.
    node_limit : int or None, default=100_000
        Most nodes in the search tree; pairs whose smaller graph has at most 8 nodes have no limit. A search
        that reaches it returns its best edits, with a lower bound.
    time_limit : float, optional
        The same in seconds; results then depend on the machine.
    matcher : str or Matcher, default="auto"
        ``"exact"`` searches without limit of nodes; ``"frank-wolfe"`` is approximate, and quick.

    Returns
    -------
    EditDistance

    Raises
    ------
    EncodingError
        If no vectors have these costs; the message names the labels that break them.

    Examples
    --------
    >>> import networkx as nx
    >>> import graphquant as gq
    >>> x, y = nx.Graph([("a", "b"), ("b", "c")]), nx.Graph([(1, 2)])
    >>> nx.set_node_attributes(x, {"a": "C", "b": "C", "c": "O"}, "label")
    >>> nx.set_node_attributes(y, {1: "C", 2: "O"}, "label")
    >>> found = gq.edit_distance(x, y)
    >>> found
    EditDistance(2, proven, 2 edits)
    >>> [str(edit) for edit in found.edits]
    ['delete edge a-b', 'delete node a (C)']
    """
    check_threshold(threshold)
    pair = PairInCosts.of(one_graph(x, "x"), one_graph(y, "y"), check_costs(costs))
    found = match_edits(
        pair.left,
        pair.right,
        np.array([[0, 0]]),
        pair.costs,
        edit_matcher(matcher, node_limit, time_limit),
        threshold,
        mappings=True,
    )
    assert found.mapping is not None
    mapping = found.mapping[0, : pair.left.orders[0]]
    edits = pair.script(mapping)
    total, distance = math.fsum(edit.cost for edit in edits), float(found.distance[0])
    assert abs(total - distance) <= 1e-6 * max(total, 1.0), "edits must add up to the distance"
    within = float(found.is_within[0])
    return EditDistance(
        distance=distance,
        lower_bound=float(found.lower_bound[0]),
        proven=bool(found.proven[0]),
        edits=edits,
        mapping=pair.named(mapping),
        is_within=None if math.isnan(within) else bool(within),
        costs=pair.costs,
    )


class PairInCosts:
    """Two graphs encoded by the same costs."""

    def __init__(self, x: RawGraphs, y: RawGraphs, names: tuple[Names, Names], costs: EditCosts) -> None:
        self.x, self.y, self.names, self.costs = x, y, names, costs
        vectors = costs.transform(RawGraphs.concatenate([x, y]))
        self.left, self.right = vectors[:1], vectors[1:]

    @classmethod
    def of(cls, x: GivenGraphs, y: GivenGraphs, costs: EditCosts) -> "PairInCosts":
        """Fit costs to both graphs."""
        both = RawGraphs.concatenate([x.raw, y.raw])
        return cls(both[0], both[1], (x.names_of(0), y.names_of(0)), fitted_costs(costs, both))

    def sides(self) -> tuple[ScriptSide, ScriptSide]:
        """Return both graphs as scripts need them."""
        return (
            ScriptSide.of(self.x, self.costs, self.names[0]),
            ScriptSide.of(self.y, self.costs, self.names[1]),
        )

    def script(self, mapping: IntArray) -> tuple[Edit, ...]:
        """Return the edits of a mapping."""
        return edit_script(*self.sides(), mapping.tolist(), self.costs, directed=self.x.directed)

    def named(self, mapping: IntArray) -> dict[Hashable, Hashable | None]:
        """Return a mapping by the users' names."""
        left, right = self.names
        return {left[r]: right[p] if p < len(right) else None for r, p in enumerate(mapping.tolist())}


__all__ = ["NODE_LIMIT", "EditDistance", "PairInCosts", "edit_distance"]
