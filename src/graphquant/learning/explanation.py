"""Why a graph is as far from a code graph as it is: the differences, and what each of them contributes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from graphquant._equality import ByContent
from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.edit import Edit
from graphquant.graphs import Graph
from graphquant.graphs.checks import plural
from graphquant.learning.words import Words, said, words_of

_SHOWN = 8
# Numbers that differ by less are not worth a word.
_ALIKE = 0.05


@dataclass(frozen=True)
class Difference:
    """A node or an edge in which a graph differs from a code graph.

    Attributes
    ----------
    kind : {"node", "edge"}
    change : {"changed", "extra", "missing"}
        Whether both have it, only the graph, or only the code graph.
    place : tuple of int or None
        Its node in the graph, or the two ends of the edge; None if it is missing.
    code_place : tuple of int or None
        The same in the code graph; None if it is extra.
    value, code_value : dict
        Attributes in the user's own names; those of an average are the likeliest.
    contribution : float
        What it adds to the squared distance. An undirected edge counts twice, as in the distance.
    share : float
        Its share of the squared distance.

    Examples
    --------
    >>> import graphquant as gq
    >>> q = gq.GraphQuantizer(1, random_state=0).fit([gq.Graph([1.0])])
    >>> q.explain(gq.Graph([1.0, 2.0])).parts[0].change
    'extra'
    """

    kind: Literal["node", "edge"]
    change: Literal["changed", "extra", "missing"]
    place: tuple[int, ...] | None
    code_place: tuple[int, ...] | None
    value: Mapping[str, Any]
    code_value: Mapping[str, Any]
    contribution: float
    share: float

    def __str__(self) -> str:
        where = self.code_place if self.place is None else self.place
        assert where is not None
        name = f"{self.kind} {'-'.join(map(str, where))}"
        if self.change == "extra":
            text = _with(f"{name} is extra", self.value)
        elif self.change == "missing":
            text = _with(f"{name} of the code graph is missing", self.code_value)
        else:
            text = f"{name}: {_contrast(self.value, self.code_value)}"
        return f"{text} ({100 * self.share:.1f} %)"


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(ByContent):
    """How a graph differs from a code graph, the largest contributions first.

    Attributes
    ----------
    code : int
        Number of the code graph.
    distance, lower_bound : float
        Distance under the mapping, and a certified lower bound of the true distance.
    proven : bool
        Whether the two meet.
    mapping : ndarray of int
        Node of the code graph of each node; its order and above stand for none.
    parts : tuple of Difference
        Their contributions add up to the square of the distance.
    medoid : str or None
        With ``EditCosts``: the name, or number, of the medoid that the edits start from.
    edits : tuple of Edit or None
        The edits that turn this medoid, a training graph, into the graph: an average has none. Nodes have
        their numbers in the medoid. None with other encoders, and where two code graphs are compared.

    Examples
    --------
    >>> import networkx as nx
    >>> import graphquant as gq
    >>> def path(*labels):
    ...     graph = nx.path_graph(len(labels))
    ...     nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
    ...     return graph
    >>> q = gq.GraphQuantizer(1, random_state=0).fit([path("a", "b"), path("a", "b"), path("c")])
    >>> found = q.explain(path("a", "c"))
    >>> found.parts[0].value, found.parts[0].change
    ({'label': 'c'}, 'changed')
    """

    code: int
    distance: float
    lower_bound: float
    proven: bool
    mapping: IntArray
    parts: tuple[Difference, ...]
    medoid: str | None = None
    edits: tuple[Edit, ...] | None = None

    def __str__(self) -> str:
        status = "proven" if self.proven else f"not proven, at least {self.lower_bound:.4g}"
        lines = [f"distance {self.distance:.4g} to code graph {self.code} ({status})"]
        lines += [f"  {part}" for part in self.parts[:_SHOWN]]
        rest = self.parts[_SHOWN:]
        if rest:
            share = sum(part.share for part in rest)
            lines.append(f"  {plural(len(rest), 'smaller difference')} ({100 * share:.1f} %)")
        if self.edits is not None:
            lines.append(f"edits from its medoid {self.medoid}:{'' if self.edits else ' none'}")
            lines += [f"  {edit}" for edit in self.edits]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"Explanation(code {self.code}, distance {self.distance:.6g}, "
            f"{plural(len(self.parts), 'difference')})"
        )


def differences(x: Graph, y: Graph, mapping: AnyArray, encoder: Any = None) -> tuple[Difference, ...]:
    """Return where x differs from the code graph y under a mapping, the largest contributions first."""
    place = np.asarray(mapping[: x.order], dtype=np.int64)
    mine, theirs = words_of(x, encoder), words_of(y, encoder)
    found = _nodes(x, y, place, (mine, theirs)) + _edges(x, y, place, (mine, theirs))
    total = sum(part[-1] for part in found) or 1.0
    parts = [Difference(*part, share=part[-1] / total) for part in found if part[-1] > 1e-15 * total]  # type: ignore[arg-type]
    return tuple(sorted(parts, key=lambda part: -part.contribution))


_Part = tuple[
    str, str, tuple[int, ...] | None, tuple[int, ...] | None, Mapping[str, Any], Mapping[str, Any], float
]


def _nodes(x: Graph, y: Graph, place: IntArray, words: tuple[Words, Words]) -> list[_Part]:
    found: list[_Part] = []
    for node, position in enumerate(place.tolist()):
        value = words[0].nodes[node]
        if position >= y.order:
            found.append(("node", "extra", (node,), None, value, {}, _squared(x.node_attrs[node])))
            continue
        squared = _squared(x.node_attrs[node] - y.node_attrs[position])
        found.append(("node", "changed", (node,), (position,), value, words[1].nodes[position], squared))
    for position in np.setdiff1d(np.arange(y.order), place).tolist():
        value = words[1].nodes[position]
        found.append(("node", "missing", None, (position,), {}, value, _squared(y.node_attrs[position])))
    return found


def _edges(x: Graph, y: Graph, place: IntArray, words: tuple[Words, Words]) -> list[_Part]:
    weight = 1.0 if x.directed else 2.0
    known = {_key(ends, y.directed): row for row, ends in enumerate(y.edges.tolist())}
    found: list[_Part] = []
    for row, ends in enumerate(x.edges.tolist()):
        other = known.pop(_key(place[ends].tolist(), x.directed), None)
        value, attrs = words[0].edges[row], x.edge_attrs[row]
        if other is None:
            found.append(("edge", "extra", tuple(ends), None, value, {}, weight * _squared(attrs)))
            continue
        squared = weight * _squared(attrs - y.edge_attrs[other])
        code_place = tuple(y.edges[other].tolist())
        found.append(("edge", "changed", tuple(ends), code_place, value, words[1].edges[other], squared))
    for ends, row in known.items():
        squared = weight * _squared(y.edge_attrs[row])
        found.append(("edge", "missing", None, ends, {}, words[1].edges[row], squared))
    return found


def _key(ends: list[int], directed: bool) -> tuple[int, int]:
    start, end = ends
    return (start, end) if directed or start < end else (end, start)


def _squared(vector: FloatArray) -> float:
    return float(vector @ vector)


def _is_like(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= _ALIKE * max(abs(one), abs(other))
    return bool(one == other)


def _with(text: str, value: Mapping[str, Any]) -> str:
    return f"{text}: {said(value)}" if value else text


def _contrast(value: Mapping[str, Any], code_value: Mapping[str, Any]) -> str:
    """Return only the attributes that differ; where the likeliest ones agree, what both are.

    Atoms are told whole, as chemists write them.
    """
    if "symbol" in value and "symbol" in code_value:
        mine, theirs = said(value), said(code_value)
        return f"{mine}, less common in the code graph" if mine == theirs else f"{mine} instead of {theirs}"
    names = [name for name in {**value, **code_value} if not _is_like(value.get(name), code_value.get(name))]
    if not names:
        return f"{said(value)}, less common in the code graph".removeprefix(", ")
    mine, theirs = (
        said({name: side[name] for name in names if name in side}) for side in (value, code_value)
    )
    return f"{mine} instead of {theirs}"


__all__ = ["Difference", "Explanation", "differences"]
