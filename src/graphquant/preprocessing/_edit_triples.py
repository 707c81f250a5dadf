"""Common edge subgraphs as vectors: each edge is labelled by its own label and those of its ends.

Each undirected edge stands in both directions, and each direction is labelled by (start, edge, end). With
unordered ends C-N-C would match N-C-N as if one end could serve both.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphquant.exceptions import EncodingError
from graphquant.graphs import Column
from graphquant.preprocessing._edit_model import Label, LabelCosts, SideCosts, label_text
from graphquant.preprocessing._edit_settings import Spec
from graphquant.preprocessing._source import Side, Source


@dataclass(frozen=True)
class TripleCosts(LabelCosts):
    """Costs of edges whose labels hold those of their ends; ``edges`` prices the middle part."""

    edges: tuple[LabelCosts, ...] = ()

    def remove(self, label: Label) -> float:
        """Return the weight of an edge."""
        if not self.edges:
            return self.indel
        n_ends = len(self.names) - sum(len(part.names) for part in self.edges)
        at, total = n_ends // 2, 0.0
        for part in self.edges:
            total += part.remove(label[at : at + len(part.names)])
            at += len(part.names)
        return total

    def change(self, a: Label, b: Label) -> float:
        """Return 0 for equal edges; others never match."""
        return 0.0 if a == b else math.inf


def triple_costs(chosen: Mapping[Side, Sequence[Spec]], edges: SideCosts) -> dict[Side, SideCosts]:
    """Return the costs of both sides: nodes cost nothing."""
    for side, specs in chosen.items():
        numbers = [spec for spec in specs if not isinstance(spec, str)]
        if numbers:
            raise EncodingError(
                f"Common edges need labels, but the {side} attribute {numbers[0].name!r} is a number.",
                f"Give its plain name, which makes each value a label, or leave it out: {side}=[].",
            )
    names = _names(chosen)
    indel = edges.base if not edges.parts else sum(part.indel for part in edges.parts)
    part = TripleCosts(names, math.inf, indel, edges=edges.parts)
    return {"node": SideCosts(()), "edge": SideCosts((part,), is_clamped=True)}


def free_nodes(models: Mapping[Side, SideCosts]) -> dict[Side, SideCosts]:
    """Return the same costs, but nodes cost nothing."""
    parts = tuple(replace(part, substitution=0.0, indel=0.0, table={}) for part in models["node"].parts)
    return {"node": replace(models["node"], parts=parts, base=0.0), "edge": models["edge"]}


def _names(chosen: Mapping[Side, Sequence[Spec]]) -> tuple[str, ...]:
    nodes, edges = (tuple(str(spec) for spec in chosen[side]) for side in ("node", "edge"))
    return (*(f"start {name}" for name in nodes), *edges, *(f"end {name}" for name in nodes))


def with_triples(source: Source, chosen: Mapping[Side, Sequence[Spec]]) -> Source:
    """Return directed graphs whose edges carry the labels of their ends; those of undirected ones come twice.

    Edges are sorted within each graph, as collections hold them.
    """
    edges, graph_of = source.edges, _owner(source.offsets["edge"])
    rows = np.arange(len(edges))
    if not source.directed:
        edges = np.concatenate([edges, edges[:, ::-1]])
        rows, graph_of = np.concatenate([rows, rows]), np.concatenate([graph_of, graph_of])
        order = np.lexsort((edges[:, 1], edges[:, 0], graph_of))
        edges, rows, graph_of = np.ascontiguousarray(edges[order]), rows[order], graph_of[order]
    columns: dict[str, Column] = {}
    ends = edges + source.offsets["node"][graph_of][:, None]
    for end, which in enumerate(("start", "end")):
        for spec in chosen["node"]:
            texts = _text_column(source.columns["node"].get(str(spec)), source.n_rows("node"))
            columns[f"{which} {spec}"] = texts.take(ends[:, end])
    for spec in chosen["edge"]:
        columns[str(spec)] = _text_column(source.columns["edge"].get(str(spec)), len(source.edges)).take(rows)
    counts = np.diff(source.offsets["edge"]) * (1 if source.directed else 2)
    offsets = {**source.offsets, "edge": np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)}
    return replace(source, columns={"node": {}, "edge": columns}, offsets=offsets, edges=edges, directed=True)


def _text_column(column: Column | None, n_rows: int) -> Column:
    if column is None:
        return Column.from_strings([None] * n_rows)
    if column.categories is not None:
        return column
    return Column.from_strings([label_text(value) for value in column.to_list()])


def _owner(
    offsets: "np.ndarray[tuple[int], np.dtype[np.int64]]",
) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


__all__ = ["TripleCosts", "free_nodes", "triple_costs", "with_triples"]
