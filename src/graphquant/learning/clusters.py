"""What a codebook keeps of its training graphs: medoids, what members have in common, how far they are."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.bounds import lower_bounds
from graphquant.graphs import Graph, GraphCollection
from graphquant.io.strict_json import parse_json
from graphquant.learning.encoding import Encoding
from graphquant.learning.members import Members
from graphquant.matching import Matcher, match_all

# Pairs that are matched before the bounds are looked at again.
_BLOCK = 64
# Of more training distances, this many quantiles are kept.
MAX_QUANTILES = 1001
# Columns of the file of a codebook; readers of collections leave them alone.
MEDOID, MEMBERS = "graphquant.medoid", "graphquant.members"


class Nearest(NamedTuple):
    """The nearest graph of each of some code graphs: its row, -1 for none, and its distance."""

    row: IntArray
    distance: FloatArray

    def or_nearer(self, other: "Nearest") -> "Nearest":
        """Return the nearer one of each; these where both are as near."""
        takes = (other.row >= 0) & ((self.row < 0) | (other.distance < self.distance))
        return Nearest(np.where(takes, other.row, self.row), np.where(takes, other.distance, self.distance))


class TrainingGraphs(Protocol):
    """The graphs that a codebook was learnt from, wherever they are."""

    def members(self, encoding: Encoding) -> Members:
        """Return what members of the clusters have in common, for the last encoding."""
        ...

    def nearest(self, codes: GraphCollection, chosen: IntArray) -> Nearest:
        """Return the nearest of all graphs for some code graphs."""
        ...

    def take(self, indices: IntArray) -> GraphCollection:
        """Return some of the graphs."""
        ...


@dataclass(frozen=True)
class Clusters:
    """Medoids and statistics of the clusters of a codebook.

    Attributes
    ----------
    medoid_indices : ndarray of int of shape (n_codes,)
    medoid_distances : ndarray of shape (n_codes,)
    medoids : GraphCollection
    members : Members
    quantiles : ndarray
        Distances of the training graphs to their code graphs, sorted; of many only quantiles.
    n_graphs : int
        Training graphs, of all calls of ``partial_fit`` together.
    """

    medoid_indices: IntArray
    medoid_distances: FloatArray
    medoids: GraphCollection
    members: Members
    quantiles: FloatArray
    n_graphs: int

    @classmethod
    def of(
        cls,
        training: TrainingGraphs,
        encoding: Encoding,
        codes: GraphCollection,
        *,
        members_only: bool = False,
    ) -> "Clusters":
        """Gather them at the end of a fit.

        A medoid is the member that is nearest to the code graph; the nearest of all graphs if there is no
        member. With ``members_only`` such a code graph has the index -1, and no medoid that means anything.
        """
        found = nearest_members(encoding.label, encoding.distance, len(codes))
        idle = np.flatnonzero(found.row < 0)
        if len(idle) and not members_only:
            nearest = training.nearest(codes, idle)
            found.row[idle], found.distance[idle] = nearest
        return cls(
            medoid_indices=found.row,
            medoid_distances=found.distance,
            medoids=training.take(np.maximum(found.row, 0)),
            members=training.members(encoding),
            quantiles=quantiles_of(encoding.distance),
            n_graphs=len(encoding),
        )

    def followed_by(
        self, later: "Clusters", codes: GraphCollection, places: Sequence[IntArray], matcher: Matcher
    ) -> "Clusters":
        """Join these with what a further call of ``partial_fit`` found, which moved the code graphs.

        ``places`` are the present positions of the nodes of the former code graphs.
        """
        pairs = np.column_stack([np.arange(len(codes))] * 2)
        order = None if codes.groups is not None else max(codes.max_order, self.medoids.max_order)
        mine = Nearest(self.medoid_indices, match_all(self.medoids, codes, pairs, matcher, order).distance)
        there = later.medoid_indices >= 0
        indices = np.where(there, later.medoid_indices + self.n_graphs, -1)
        kept = mine.or_nearer(Nearest(indices, later.medoid_distances))
        takes = kept.row >= self.n_graphs
        names = [
            (_name(later, j) if takes[j] else _name(self, j)) or str(kept.row[j]) for j in range(len(codes))
        ]
        graphs = [later.medoids[j] if takes[j] else self.medoids[j] for j in range(len(codes))]
        has_names = self.medoids.names is not None or later.medoids.names is not None
        return replace(
            later,
            medoid_indices=kept.row,
            medoid_distances=kept.distance,
            medoids=GraphCollection(graphs, names if has_names else None),
            members=self.members.moved(places) + later.members,
            n_graphs=self.n_graphs + later.n_graphs,
        )

    def medoid_name(self, j: int) -> str:
        """Return the name of a medoid; one without a name is called by its index."""
        return _name(self, j) or str(self.medoid_indices[j])

    def quantile(self, distance: FloatArray) -> FloatArray:
        """Return the share of training graphs that are not further from their code graphs."""
        if self.n_graphs <= len(self.quantiles):
            return np.searchsorted(self.quantiles, distance, side="right") / max(len(self.quantiles), 1)
        return np.interp(distance, self.quantiles, np.linspace(0.0, 1.0, len(self.quantiles)))

    def to_json(self) -> dict[str, Any]:
        """Return what is not a column: plain values."""
        names = self.medoids.names
        return {
            "medoid_indices": self.medoid_indices.tolist(),
            "medoid_distances": self.medoid_distances.tolist(),
            "medoid_names": None if names is None else list(names),
            "quantiles": self.quantiles.tolist(),
            "n_graphs": self.n_graphs,
        }

    def to_columns(self) -> dict[str, tuple[str, ...]]:
        """Return the columns of a file, with a text for each code graph."""
        return {
            MEDOID: tuple(_graph_to_text(graph) for graph in self.medoids),
            MEMBERS: tuple(self.members.to_texts()),
        }

    @classmethod
    def from_file(
        cls, saved: Mapping[str, Any], columns: Mapping[str, Sequence[str]], codes: GraphCollection
    ) -> "Clusters":
        """Restore what :meth:`to_json` and :meth:`to_columns` returned; ValueError if they do not agree."""
        widths = codes.node_attrs.shape[1], codes.edge_attrs.shape[1]
        graphs = [_graph_from_text(text, codes, widths) for text in columns[MEDOID]]
        restored = cls(
            medoid_indices=np.array(saved["medoid_indices"], dtype=np.int64),
            medoid_distances=np.array(saved["medoid_distances"], dtype=np.float64),
            medoids=GraphCollection(graphs, saved["medoid_names"]),
            members=Members.from_texts(columns[MEMBERS], *widths),
            quantiles=np.array(saved["quantiles"], dtype=np.float64),
            n_graphs=int(saved["n_graphs"]),
        )
        for part in (restored.medoid_indices, restored.medoid_distances, restored.members.size):
            if part.shape != (len(codes),):
                raise ValueError(f"{part.shape} medoids or members of {len(codes)} code graphs")
        return restored


def quantiles_of(distance: FloatArray) -> FloatArray:
    """Return sorted distances, or quantiles at even steps if there are many."""
    if len(distance) <= MAX_QUANTILES:
        return np.sort(distance)
    return np.quantile(distance, np.linspace(0.0, 1.0, MAX_QUANTILES))


def _name(clusters: Clusters, j: int) -> str | None:
    return None if clusters.medoids.names is None else clusters.medoids.names[j]


def _graph_to_text(graph: Graph) -> str:
    content = {
        "nodes": graph.node_attrs.tolist(),
        "edges": graph.edges.tolist(),
        "edge_attrs": graph.edge_attrs.tolist(),
        "groups": None if graph.groups is None else graph.groups.tolist(),
    }
    return json.dumps(content, separators=(",", ":"))


def _graph_from_text(text: str, like: GraphCollection, widths: tuple[int, int]) -> Graph:
    content = parse_json(text)
    graph = Graph(
        np.reshape(content["nodes"], (-1, widths[0])),
        np.reshape(np.array(content["edges"], dtype=np.int64), (-1, 2)),
        np.reshape(content["edge_attrs"], (-1, widths[1])),
        directed=like.directed,
        groups=content["groups"],
    )
    return GraphCollection([graph]).with_schema(like.schema)[0]


def nearest_members(label: IntArray, distance: FloatArray, n_codes: int) -> Nearest:
    """Return the member of each cluster that is nearest to its code graph, the first of equally near ones.

    Examples
    --------
    >>> nearest_members(np.array([0, 2, 0, 0]), np.array([3.0, 1.0, 2.0, 2.0]), 3).row.tolist()
    [2, -1, 1]
    """
    first = ranked_members(label, distance, n_codes, 1)[:, 0]
    return Nearest(first, np.where(first < 0, np.inf, distance[first]))


def ranked_members(label: IntArray, distance: FloatArray, n_codes: int, n: int) -> IntArray:
    """Return the n nearest members of each cluster, the nearest first; -1 where it has fewer."""
    rows = np.lexsort((np.arange(len(label)), distance, label))
    starts = np.searchsorted(label[rows], np.arange(n_codes + 1))
    at = starts[:-1, None] + np.arange(n)
    inside = at < starts[1:, None]
    found = np.full((n_codes, n), -1, dtype=np.int64)
    found[inside] = rows[at[inside]]
    return found


def nearest_graphs(
    X: GraphCollection,
    codes: GraphCollection,
    chosen: Sequence[int] | IntArray,
    matcher: Matcher,
    order: int | None,
    n_threads: int = 1,
) -> Nearest:
    """Return the nearest of all graphs for some code graphs, matching only where bounds leave it open."""
    found = [_nearest(X, codes[int(j) : int(j) + 1], matcher, order, n_threads) for j in chosen]
    return Nearest(
        np.array([index for index, _ in found], dtype=np.int64), np.array([distance for _, distance in found])
    )


def _nearest(
    X: GraphCollection, code: GraphCollection, matcher: Matcher, order: int | None, n_threads: int
) -> tuple[int, float]:
    pairs = np.column_stack([np.arange(len(X)), np.zeros(len(X), dtype=np.int64)])
    lower = lower_bounds(X, code, pairs, order=order, kind="sorted")
    best, index = np.inf, -1
    rows = np.argsort(lower, kind="stable")
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        block = block[lower[block] <= best]
        if not len(block):
            break
        distance = match_all(X, code, pairs[block], matcher, order, n_threads).distance
        for i, d in zip(block.tolist(), distance.tolist(), strict=True):
            if (d, i) < (best, index if index >= 0 else len(X)):
                best, index = d, i
    return index, best


__all__ = ["MEDOID", "MEMBERS", "Clusters", "TrainingGraphs", "quantiles_of"]
