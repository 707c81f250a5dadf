"""Content of a report: graphs matched with their code graphs, clusters, drawings, a map."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from graphquant._random import RandomState, check_random_state
from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant._validation import check_positive_int
from graphquant.datasets import Dataset
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection
from graphquant.plotting.appearance import Appearance, Look
from graphquant.plotting.embedding import Embedding, map_graphs
from graphquant.preprocessing import EditCosts
from graphquant.preprocessing.vectors import encoded_like
from graphquant.report._edits import edit_columns
from graphquant.report._groups import (
    FlatMolecules,
    Group,
    Medoids,
    finding,
    flat_molecules,
    groups_of,
    medoids_of,
)

if TYPE_CHECKING:
    from graphquant.preprocessing import GraphEncoder

# Number of nodes and edges that a page of three megabytes can draw.
_MAX_DRAWN = 150_000


class Encoding(Protocol):
    """Graphs matched with their code graphs, as arrays with one entry per graph."""

    label: IntArray
    distance: FloatArray
    lower_bound: FloatArray
    proven: BoolArray
    mapping: IntArray


class Quantizer(Protocol):
    """What a report needs from a fitted quantizer; history and counters are shown if they exist."""

    codebook_: GraphCollection

    def match(self, X: GraphCollection) -> Any:
        """Match graphs with their nearest code graphs."""
        ...

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters."""
        ...


@dataclass(frozen=True)
class Sample:
    """The graphs that a report shows."""

    graphs: GraphCollection
    names: tuple[str, ...]
    targets: IntArray | None
    target_names: tuple[str, ...]
    encoder: "GraphEncoder | None"
    description: str
    n_total: int
    unlike_training: tuple[str, ...] = ()  # what the encoder found, in words
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # what else is known about each graph


@dataclass(frozen=True)
class Content:
    """Everything that a report shows about graphs and codebook."""

    sample: Sample
    encoding: Encoding
    appearance: Appearance
    code_looks: tuple[Look, ...]
    graph_looks: tuple[Look, ...]
    map: Embedding
    groups: tuple[Group, ...] = ()
    medoids: Medoids | None = None
    medoid_looks: tuple[Look, ...] = ()
    quantiles: FloatArray | None = None
    finding: tuple[str, ...] = ()
    molecules: FlatMolecules | None = None
    medoid_molecules: FlatMolecules | None = None

    @property
    def noun(self) -> str:
        """What the graphs are."""
        return "graph" if self.molecules is None else "molecule"


def gather(quantizer: Quantizer, data: Any, *, max_graphs: int, random_state: RandomState) -> Content:
    """Choose the graphs, match them, and decide how everything is drawn."""
    codebook = _check_fitted(quantizer)
    sample = _choose(data, quantizer, max_graphs, random_state)
    encoding: Encoding = quantizer.match(sample.graphs)
    medoids = medoids_of(quantizer, codebook, sample.encoder)
    if isinstance(sample.encoder, EditCosts):
        shown = (sample.graphs, sample.names, encoding.label, encoding.distance)
        told = edit_columns(*shown, sample.encoder, medoids)
        sample = replace(sample, columns={**sample.columns, **told})
    appearance = Appearance.of(sample.graphs, sample.encoder)
    support = node_support(sample.graphs, encoding.label, encoding.mapping, codebook.orders)
    flat = flat_molecules(sample.graphs, sample.encoder, appearance)
    of_medoids = None if medoids is None else flat_molecules(medoids.graphs, sample.encoder, appearance)
    code_looks = _draw_codes(appearance, codebook, sample.graphs, encoding, support)
    if medoids is not None and of_medoids is not None:
        code_looks = _like_medoids(appearance, code_looks, codebook, medoids, of_medoids.places)

    def look(graph: Any, mapping: IntArray, label: int, place: FloatArray | None) -> Look:
        if place is None:
            place = appearance.place_like(graph, mapping, code_looks[label].positions)
        return appearance.look(graph, positions=place)

    rows = list(_rows(sample.graphs, encoding))
    graph_looks = tuple(
        look(*row, place)
        for row, place in zip(rows, flat.places if flat else (None,) * len(rows), strict=True)
    )
    medoid_looks = (
        ()
        if medoids is None
        else tuple(
            look(
                graph,
                medoids.mapping[j, : graph.order],
                j,
                None if of_medoids is None else of_medoids.places[j],
            )
            for j, graph in enumerate(medoids.graphs)
        )
    )
    known = getattr(quantizer, "_clusters", None)
    quantiles = None if known is None else known.quantile(encoding.distance)
    orders = sample.graphs.orders
    return Content(
        sample=sample,
        encoding=encoding,
        appearance=appearance,
        code_looks=code_looks,
        graph_looks=graph_looks,
        map=map_graphs(codebook, sample.graphs, encoding.label, encoding.distance),
        groups=groups_of(codebook, sample.graphs, encoding, sample.encoder, appearance.coordinate_names),
        medoids=medoids,
        medoid_looks=medoid_looks,
        quantiles=quantiles,
        finding=finding(
            encoding.label, orders, quantiles, sample.targets, medoids, molecules=flat is not None
        ),
        molecules=flat,
        medoid_molecules=of_medoids,
    )


def _like_medoids(
    appearance: Appearance,
    looks: tuple[Look, ...],
    codebook: GraphCollection,
    medoids: Medoids,
    places: tuple[FloatArray, ...],
) -> tuple[Look, ...]:
    """Lay averages of molecules out like their medoids."""
    found = []
    for j, (look, code, place) in enumerate(zip(looks, codebook, places, strict=True)):
        to_medoid = np.full(code.order, len(place))
        mapping = medoids.mapping[j, : len(place)]
        inside = mapping < code.order
        to_medoid[mapping[inside]] = np.flatnonzero(inside)
        found.append(replace(look, positions=appearance.place_like(code, to_medoid, place)))
    return tuple(found)


def node_support(
    graphs: GraphCollection, labels: IntArray, mappings: IntArray, orders: IntArray
) -> tuple[FloatArray, ...]:
    """Return, for each node of each code graph, the share of members that have it.

    Examples
    --------
    >>> import graphquant as gq
    >>> c = gq.GraphCollection([gq.Graph([1.0, 2.0]), gq.Graph([1.0])])
    >>> node_support(c, np.array([0, 0]), np.array([[1, 0], [0, -1]]), np.array([2]))[0].tolist()
    [1.0, 0.5]
    """
    counts = tuple(np.zeros(order) for order in orders.tolist())
    sizes = np.bincount(labels, minlength=len(orders))
    for label, mapping, order in zip(labels.tolist(), mappings, graphs.orders.tolist(), strict=True):
        positions = mapping[:order]
        counts[label][positions[positions < orders[label]]] += 1.0
    return tuple(
        count / size if size else np.ones_like(count)
        for count, size in zip(counts, sizes.tolist(), strict=True)
    )


def _draw_codes(
    appearance: Appearance,
    codebook: GraphCollection,
    graphs: GraphCollection,
    encoding: Encoding,
    support: tuple[FloatArray, ...],
) -> tuple[Look, ...]:
    places = [appearance.place(code) for code in codebook]
    if appearance.has_coordinates:
        _move_to_members(places, appearance, graphs, encoding)
    # Channels that say how much of a node is there are more accurate than the members shown.
    told = appearance.nodes.tells
    return tuple(
        appearance.look(code, positions=place, support=None if told else share)
        for code, place, share in zip(codebook, places, support, strict=True)
    )


def _move_to_members(
    places: list[FloatArray], appearance: Appearance, graphs: GraphCollection, encoding: Encoding
) -> None:
    """Draw each node of a code graph where its members have it.

    A node that half of the members have is averaged with zero for the others: its coordinates are half-way
    to the origin, where no member has a node.
    """
    total = [np.zeros_like(place) for place in places]
    count = [np.zeros(len(place)) for place in places]
    for graph, mapping, label in _rows(graphs, encoding):
        matched = np.flatnonzero(mapping < len(places[label]))
        total[label][mapping[matched]] += appearance.place(graph)[matched]
        count[label][mapping[matched]] += 1.0
    for place, added, number in zip(places, total, count, strict=True):
        place[number > 0] = added[number > 0] / number[number > 0, None]


def _rows(graphs: GraphCollection, encoding: Encoding) -> Iterable[tuple[Any, IntArray, int]]:
    for graph, mapping, label in zip(graphs, encoding.mapping, encoding.label.tolist(), strict=True):
        yield graph, mapping[: graph.order], label


def _check_fitted(quantizer: Quantizer) -> GraphCollection:
    if not hasattr(quantizer, "codebook_"):
        raise InvalidParameterError("The quantizer has no codebook yet.", "Call fit first.")
    return quantizer.codebook_


def _choose(data: Any, quantizer: Quantizer, max_graphs: int, random_state: RandomState) -> Sample:
    """Select all graphs, or a random sample that fits on a page."""
    given = data if isinstance(data, Dataset) else Dataset(quantizer.codebook_[:0])
    # Raw attributes are encoded like those of the codebook.
    graphs, notes = encoded_like(data, quantizer.codebook_.schema, getattr(quantizer, "encoder_", None))
    if len(graphs) == 0:
        raise InvalidGraphError("There are no graphs to report on.", "Pass at least one graph.")
    encoder = getattr(quantizer, "encoder_", None)
    if given.raw is not None and encoder is not None and not notes.attributes:
        notes = encoder.encode(given.raw).notes
    limit = check_positive_int("max_graphs", max_graphs)
    mean_size = float((graphs.orders + graphs.n_edges).mean())
    codebook = quantizer.codebook_
    room = _MAX_DRAWN - int((codebook.orders + codebook.n_edges).sum())
    limit = min(limit, max(1, int(room / max(mean_size, 1.0))))
    chosen = np.arange(len(graphs))
    if len(graphs) > limit:
        chosen = np.sort(check_random_state(random_state).choice(len(graphs), size=limit, replace=False))
    names = graphs.names
    return Sample(
        graphs=graphs if len(chosen) == len(graphs) else graphs[chosen],
        names=tuple(f"graph {i}" if names is None else names[i] for i in chosen.tolist()),
        targets=None if given.targets is None else given.targets[chosen],
        target_names=given.target_names,
        encoder=encoder or given.encoder,
        description=given.description,
        n_total=len(graphs),
        unlike_training=tuple(notes.summary()),
        columns={name: [values[i] for i in chosen.tolist()] for name, values in given.columns.items()},
    )


__all__ = ["Content", "Encoding", "Quantizer", "Sample", "gather", "node_support"]
