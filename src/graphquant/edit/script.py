"""Edits with the names and values of the user's graphs: what turns one graph into the other."""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from graphquant.edit.given import Names
from graphquant.graphs import RawGraphs
from graphquant.preprocessing import EditCosts
from graphquant.preprocessing.edit_costs import Element

if TYPE_CHECKING:
    import networkx as nx

Operation = Literal["substitute", "delete", "insert"]
Kind = Literal["node", "edge"]
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Edit:
    """One edit of a graph.

    Attributes
    ----------
    operation : {"substitute", "delete", "insert"}
    kind : {"node", "edge"}
    target : hashable, or pair of them
        The node, or the two nodes of the edge, by the names of the graph that is edited. A node that is
        inserted has the name of the other graph, with primes if that is taken.
    before, after : dict or None
        Values of the attributes that are compared; None before an insertion and after a deletion. Missing
        values are None.
    cost : float
    directed : bool
        Whether an edge is one-way.

    Examples
    --------
    >>> from graphquant.edit import Edit
    >>> print(Edit("substitute", "node", "a", {"label": "C"}, {"label": "N"}, 1.0))
    substitute node a (C -> N)
    >>> print(Edit("insert", "edge", ("b", "c"), None, {"bond": "double"}, 1.0))
    insert edge b-c (double)
    """

    operation: Operation
    kind: Kind
    target: Any
    before: Values | None
    after: Values | None
    cost: float
    directed: bool = False

    def __str__(self) -> str:
        arrow = "->" if self.directed else "-"
        name = str(self.target) if self.kind == "node" else arrow.join(map(str, self.target))
        values = " -> ".join(_words(values) for values in (self.before, self.after) if values)
        return f"{self.operation} {self.kind} {name}" + (f" ({values})" if values else "")


def _words(values: Values) -> str:
    return ", ".join(
        "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        for value in values.values()
    )


class ScriptSide(NamedTuple):
    """One of the two graphs of a script."""

    names: Names
    nodes: Sequence[Element]
    node_values: Sequence[Values]
    edges: Mapping[tuple[int, int], tuple[Element, Values]]  # both directions of an undirected edge

    @classmethod
    def of(cls, raw: RawGraphs, costs: EditCosts, names: Names) -> "ScriptSide":
        """Look at a single graph."""
        elements = costs.elements(raw)
        values = {side: _values(raw, costs, side) for side in ("node", "edge")}
        edges = {}
        for (a, b), element, found in zip(raw.edges.tolist(), elements["edge"], values["edge"], strict=True):
            edges[a, b] = element, found
            if not raw.directed:
                edges[b, a] = element, found
        return cls(names, elements["node"], values["node"], edges)


def _values(raw: RawGraphs, costs: EditCosts, side: Any) -> list[Values]:
    columns = raw.node_columns if side == "node" else raw.edge_columns
    n_rows = int(raw.node_offsets[-1]) if side == "node" else len(raw.edges)
    names = costs.attributes(side)
    lists = [columns[name].to_list() if name in columns else [None] * n_rows for name in names]
    return (
        [dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True)] if names else [{}] * n_rows
    )


def edit_script(
    x: ScriptSide, y: ScriptSide, mapping: Sequence[int], costs: EditCosts, *, directed: bool
) -> tuple[Edit, ...]:
    """Return the edits that a mapping stands for, in an order in which they can be done.

    Edges are deleted before their nodes, and inserted after them.
    """
    return _Script(x, y, mapping, costs, directed).edits()


class _Script:
    def __init__(
        self, x: ScriptSide, y: ScriptSide, mapping: Sequence[int], costs: EditCosts, directed: bool
    ) -> None:
        self.x, self.y, self.directed = x, y, directed
        self.image = {r: p for r, p in enumerate(mapping) if p < len(y.nodes)}
        self.costs, self.common_edges = costs, costs.common_edges
        self.name_in_x = self._names_of_y()

    def _names_of_y(self) -> dict[int, Hashable]:
        """Return what the nodes of y are called while x is edited."""
        found: dict[int, Hashable] = {p: self.x.names[r] for r, p in self.image.items()}
        taken = set(self.x.names)
        for p, name in enumerate(self.y.names):
            if p in found:
                continue
            while name in taken:
                name = f"{name}'"
            taken.add(name)
            found[p] = name
        return found

    def edits(self) -> tuple[Edit, ...]:
        nodes, edges = list(self._nodes()), list(self._edges())

        def of(found: Iterable[Edit], operation: Operation) -> list[Edit]:
            return [edit for edit in found if edit.operation == operation]

        return (
            *of(edges, "delete"),
            *of(nodes, "delete"),
            *of(nodes, "substitute"),
            *of(edges, "substitute"),
            *of(nodes, "insert"),
            *of(edges, "insert"),
        )

    def _nodes(self) -> Iterator[Edit]:
        x, y, prices = self.x, self.y, self.costs.prices("node")
        for r, element in enumerate(x.nodes):
            if r not in self.image:
                yield Edit(
                    operation="delete",
                    kind="node",
                    target=x.names[r],
                    before=x.node_values[r],
                    after=None,
                    cost=prices.remove(element),
                )
            elif element != y.nodes[self.image[r]]:
                other = self.image[r]
                cost = prices.edit(element, y.nodes[other])
                yield Edit(
                    operation="substitute",
                    kind="node",
                    target=x.names[r],
                    before=x.node_values[r],
                    after=y.node_values[other],
                    cost=cost,
                )
        for p in sorted(set(range(len(y.nodes))) - set(self.image.values())):
            cost = prices.remove(y.nodes[p])
            yield Edit(
                operation="insert",
                kind="node",
                target=self.name_in_x[p],
                before=None,
                after=y.node_values[p],
                cost=cost,
            )

    def _edges(self) -> Iterator[Edit]:
        prices, kept = self.costs.prices("edge"), set()
        for (r, s), (element, values) in self.x.edges.items():
            if not self.directed and r > s:
                continue
            target = (self.x.names[r], self.x.names[s])
            there = (self.image.get(r, -1), self.image.get(s, -1))
            if there in self.y.edges and self._stays(r, s, there):
                kept |= {there} if self.directed else {there, there[::-1]}
                other, other_values = self.y.edges[there]
                if element != other:
                    cost = prices.edit(element, other)
                    yield Edit(
                        operation="substitute",
                        kind="edge",
                        target=target,
                        before=values,
                        after=other_values,
                        cost=cost,
                        directed=self.directed,
                    )
            else:
                yield Edit(
                    operation="delete",
                    kind="edge",
                    target=target,
                    before=values,
                    after=None,
                    cost=prices.remove(element),
                    directed=self.directed,
                )
        for (p, t), (element, values) in self.y.edges.items():
            if (p, t) in kept or (not self.directed and p > t):
                continue
            target = (self.name_in_x[p], self.name_in_x[t])
            yield Edit(
                operation="insert",
                kind="edge",
                target=target,
                before=None,
                after=values,
                cost=prices.remove(element),
                directed=self.directed,
            )

    def _stays(self, r: int, s: int, there: tuple[int, int]) -> bool:
        """Whether an edge is kept or changed, and not deleted with another one inserted."""
        a, b = self.x.edges[r, s][0], self.y.edges[there][0]
        if self.common_edges:
            return (
                a == b
                and self.x.nodes[r] == self.y.nodes[there[0]]
                and self.x.nodes[s] == self.y.nodes[there[1]]
            )
        prices = self.costs.prices("edge")
        return prices.change(a, b) <= math.fsum([prices.remove(a), prices.remove(b)])

    def common_edges_of_x(self) -> list[tuple[int, int]]:
        """Return the edges of x that y has, too."""
        return [
            (r, s)
            for r, s in self.x.edges
            if (self.directed or r < s)
            and (self.image.get(r, -1), self.image.get(s, -1)) in self.y.edges
            and self._stays(r, s, (self.image[r], self.image[s]))
        ]


def common_edges(
    x: ScriptSide, y: ScriptSide, mapping: Sequence[int], costs: EditCosts, *, directed: bool
) -> list[tuple[int, int]]:
    """Return the edges of x that a mapping keeps, as node numbers."""
    return sorted(_Script(x, y, mapping, costs, directed).common_edges_of_x())


def applied(edits: Iterable[Edit], graph: Any) -> "nx.Graph[Any]":
    """Return a networkx graph after edits."""
    result: nx.Graph[Any] = graph.copy()
    for edit in edits:
        data = {name: value for name, value in (edit.after or {}).items() if value is not None}
        gone = [name for name, value in (edit.after or {}).items() if value is None]
        if edit.kind == "node":
            if edit.operation == "delete":
                result.remove_node(edit.target)
                continue
            result.add_node(edit.target, **data)
            attributes = result.nodes[edit.target]
        else:
            if edit.operation == "delete":
                result.remove_edge(*edit.target)
                continue
            result.add_edge(*edit.target, **data)
            attributes = result.edges[edit.target]
        for name in gone:
            attributes.pop(name, None)
    return result


__all__ = ["Edit", "ScriptSide", "applied", "common_edges", "edit_script"]
