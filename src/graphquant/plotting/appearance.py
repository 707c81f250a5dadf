"""What the channels of graphs look like: place, colour, size, thickness, and how faint.

Everything that draws (matplotlib, SVG, the report) uses this, so that a graph looks the same everywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import Graph, GraphCollection
from graphquant.plotting._edges import NO_ARCS, Forms
from graphquant.plotting._layout import layout, layout_like
from graphquant.preprocessing import from_circle, from_curve

if TYPE_CHECKING:
    from graphquant.preprocessing import GraphEncoder

_COORDINATES = (("x", "y"), ("lon", "lat"), ("longitude", "latitude"))
# Number of channels of each kind of number.
_NUMBERS = {"numeric": 1, "circle": 2, "curve": 4}
_ROUND = ("circle", "curve")
# Averages of numbers on a curve are not drawn further out than this; nor are those on a circle.
_SHOWN_UNITS = (-6.0, 6.0)
# Full strength is that of most nodes or edges of the data. If no channel says how much of one is there,
# only those of a mean that are smaller than nearly all of the data are weak.
_FULL_PERCENTILE = {True: 90, False: 10}


class Value(NamedTuple):
    """A number that channels hold (two on a circle, four on a curve), and the range that is drawn."""

    channels: tuple[int, ...]
    name: str
    limits: tuple[float, float]  # minimum and maximum, in the units of the attribute
    center: float = 0.0
    scale: float = 1.0

    def of(self, attrs: FloatArray) -> FloatArray:
        """Return the values, in the units of the attribute."""
        own = attrs[:, list(self.channels)]
        if own.shape[1] == 1:
            units = own[:, 0]
        elif own.shape[1] == 2:
            units = from_circle(own[:, 0], own[:, 1])
        else:
            units = from_curve(own, _SHOWN_UNITS)
        return units * self.scale + self.center

    def share(self, attrs: FloatArray) -> FloatArray:
        """Return the places of the values in the range, from 0 to 1."""
        low, high = self.limits
        return np.clip((self.of(attrs) - low) / (high - low), 0.0, 1.0)


@dataclass(frozen=True)
class Side:
    """What the channels of nodes, or those of edges, mean."""

    unit: tuple[float, ...]  # extra weight of each channel: rare categories count more
    presence: tuple[int, ...]  # channels whose sum says how much of a node or edge is there; may be none
    by_norm: bool  # whether the norm says so, as it does for numbers on curves and circles
    full: float  # sum, or norm, of one that is fully there
    categories: tuple[int, ...]  # channels of one category attribute, the most frequent first
    category_name: str
    category_names: tuple[str, ...]
    colour: Value | None
    size: Value | None

    def strength(self, attrs: FloatArray) -> FloatArray:
        """Return how much of each is there, from 0 to 1; by the norm if no channel says so."""
        return np.clip(_amount(attrs / self.unit, self.presence) / self.full, 0.0, 1.0)

    @property
    def tells(self) -> bool:
        """Whether the channels say how much of a node or edge is there."""
        return self.by_norm or bool(self.presence)

    def category(self, attrs: FloatArray) -> IntArray | None:
        """Return the strongest category of each, numbered by frequency."""
        if not self.categories:
            return None
        strongest: IntArray = np.abs((attrs / self.unit)[:, list(self.categories)]).argmax(axis=1)
        return strongest


@dataclass(frozen=True)
class Look:
    """How one graph is drawn; numbers run from 0 to 1, y upwards, None where nothing is shown."""

    positions: FloatArray  # (n, 2)
    edges: IntArray  # (m, 2)
    directed: bool
    node_strength: FloatArray
    node_category: IntArray | None
    node_colour: FloatArray | None
    node_size: FloatArray | None
    edge_strength: FloatArray
    edge_category: IntArray | None
    edge_colour: FloatArray | None
    edge_size: FloatArray | None
    edge_form: IntArray | None = None  # a line, an arc, or two of them; None where all are lines


class LegendItem(NamedTuple):
    """One line of the legend: how an attribute is shown, and its categories or its range."""

    side: Literal["node", "edge"]
    shown_by: Literal["colour", "size", "thickness"]
    name: str
    categories: tuple[str, ...] = ()
    limits: tuple[float, float] | None = None


@dataclass(frozen=True)
class Appearance:
    """How the graphs of a collection are drawn.

    Examples
    --------
    >>> import graphquant as gq
    >>> letters = gq.datasets.make_letters(1)
    >>> appearance = Appearance.of(letters.graphs, letters.encoder)
    >>> appearance.has_coordinates
    True
    >>> appearance.look(letters.graphs[0]).positions.shape == (letters.graphs[0].order, 2)
    True
    """

    nodes: Side
    edges: Side
    coordinates: tuple[Value, Value] | None
    forms: Forms = NO_ARCS

    @classmethod
    def of(
        cls,
        graphs: GraphCollection,
        encoder: "GraphEncoder | None" = None,
        coordinates: Sequence[int] | None = None,
    ) -> "Appearance":
        """Decide the appearance from the channels of the encoder and the range of the values.

        Parameters
        ----------
        graphs : GraphCollection
            The graphs to draw, or the data that they represent.
        encoder : AttributeEncoder, optional
            The fitted encoder that made the vectors, by default the one in their schema. Attributes called x
            and y are coordinates.
        coordinates : pair of int, optional
            Node channels to use as coordinates, whatever their names.
        """
        own = graphs.packed()
        if encoder is None and own.schema is not None:
            encoder = own.schema.encoder
        nodes, edges = _parts(encoder, "node"), _parts(encoder, "edge")
        place = _find_coordinates(nodes, own.node_attrs, coordinates)
        taken = () if place is None else place[0].channels + place[1].channels
        node_side, edge_side = _side(nodes, own.node_attrs, taken), _side(edges, own.edge_attrs, ())
        return cls(node_side, edge_side, place, Forms.of(edges))

    @property
    def has_coordinates(self) -> bool:
        """Whether nodes are drawn at the coordinates in their attributes."""
        return self.coordinates is not None

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """What the coordinates are called, in lower case."""
        return tuple(value.name.lower() for value in self.coordinates or ())

    def shows(self, node: str, edge: str) -> bool:
        """Whether colours stand for these categories of nodes and edges."""
        return (self.nodes.category_name, self.edges.category_name) == (node, edge)

    def place(self, graph: Graph) -> FloatArray:
        """Return the positions of the nodes: their coordinates, or a layout."""
        if self.coordinates is None:
            return layout(graph, self.edges.strength(graph.edge_attrs))
        # In the units of the attributes, so that x and y keep their proportion.
        return np.column_stack([axis.of(graph.node_attrs) for axis in self.coordinates])

    def place_like(self, graph: Graph, mapping: IntArray, other: FloatArray) -> FloatArray:
        """Return the positions of the nodes; a layout follows that of the matched graph."""
        if self.coordinates is None:
            return layout_like(graph, mapping, other, self.edges.strength(graph.edge_attrs))
        return self.place(graph)

    def look(
        self, graph: Graph, *, positions: FloatArray | None = None, support: FloatArray | None = None
    ) -> Look:
        """Return how a graph is drawn.

        Parameters
        ----------
        graph : Graph
        positions : array of shape (n, 2), optional
            By default the result of :meth:`place`.
        support : array of shape (n,), optional
            Share of the members of a cluster that have each node of its code graph.
        """
        placed = self.place(graph) if positions is None else np.asarray(positions, dtype=np.float64)
        if placed.shape != (graph.order, 2):
            raise InvalidParameterError(
                f"positions has shape {placed.shape} for {graph.order} nodes.", "Give x and y of each node."
            )
        edge_strength = self.edges.strength(graph.edge_attrs)
        node, edge = self.nodes, self.edges
        return Look(
            positions=placed,
            edges=graph.edges.astype(np.int64),
            directed=graph.directed,
            node_strength=self._node_strength(graph, edge_strength)
            if support is None
            else np.clip(support, 0.0, 1.0),
            node_category=node.category(graph.node_attrs),
            node_colour=node.colour and node.colour.share(graph.node_attrs),
            node_size=node.size and node.size.share(graph.node_attrs),
            edge_strength=edge_strength,
            edge_category=edge.category(graph.edge_attrs),
            edge_colour=edge.colour and edge.colour.share(graph.edge_attrs),
            edge_size=edge.size and edge.size.share(graph.edge_attrs),
            edge_form=self.forms(graph.edge_attrs),
        )

    def _node_strength(self, graph: Graph, edge_strength: FloatArray) -> FloatArray:
        if self.nodes.tells:
            return self.nodes.strength(graph.node_attrs)
        strength = np.ones(graph.order)
        if self.edges.tells and graph.n_edges:
            # No channel distinguishes a weak node from one near zero, but a weak node has only weak edges.
            strongest = np.zeros(graph.order)
            np.maximum.at(strongest, graph.edges, edge_strength[:, None])
            strength = np.where(strongest > 0, strongest, 1.0)
        return strength

    @property
    def legend(self) -> tuple[LegendItem, ...]:
        """Meaning of colours, sizes and thickness."""
        sides: tuple[tuple[Literal["node", "edge"], Side], ...] = (("node", self.nodes), ("edge", self.edges))
        items = []
        for name, side in sides:
            if len(side.categories) > 1:
                items.append(LegendItem(name, "colour", side.category_name, side.category_names))
            if side.colour:
                items.append(LegendItem(name, "colour", side.colour.name, limits=side.colour.limits))
            if side.size:
                shown_by: Literal["size", "thickness"] = "size" if name == "node" else "thickness"
                items.append(LegendItem(name, shown_by, side.size.name, limits=side.size.limits))
        return tuple(items)


def _parts(encoder: "GraphEncoder | None", side: Literal["node", "edge"]) -> list[Mapping[str, Any]] | None:
    """Fitted parts of an encoder with their channels, or None if nothing is known about them."""
    if encoder is None or not encoder.is_fitted:
        return None
    parts: list[Mapping[str, Any]] = []
    start = 0
    for part in encoder.parts(side):
        if part["kind"] == "one-hot" and part["other"] is not None:
            part = {
                **part,
                "categories": [*part["categories"], "other"],
                "weights": [*part["weights"], part["other"]],
            }
        stop = start + _NUMBERS.get(part["kind"], len(part.get("categories", (0,))))
        parts.append({**part, "channels": tuple(range(start, stop))})
        start = stop
    return parts


def _side(parts: list[Mapping[str, Any]] | None, attrs: FloatArray, taken: tuple[int, ...]) -> Side:
    if parts is None:
        return _unnamed_side(attrs, taken)
    one_hot = next((part for part in parts if part["kind"] == "one-hot" and len(part["categories"])), None)
    presence = next((part["channels"] for part in parts if part["kind"] == "presence"), None)
    if presence is None:
        presence = () if one_hot is None else one_hot["channels"]
    numbers = [
        _value(part["channels"], attrs, part)
        for part in parts
        if part["kind"] in _NUMBERS and part["channels"][0] not in taken
    ]
    categories: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    unit = np.ones(attrs.shape[1])
    if one_hot is not None:
        unit[list(one_hot["channels"])] = one_hot["weights"]
        frequency = np.abs((attrs / unit)[:, list(one_hot["channels"])]).sum(axis=0)
        ranked = np.argsort(-frequency, kind="stable")
        ranked = ranked[frequency[ranked] > 0] if frequency.any() else ranked[:1]
        categories = tuple(one_hot["channels"][i] for i in ranked)
        names = tuple(one_hot["categories"][i] for i in ranked)
    name = "" if one_hot is None else str(one_hot["name"])
    by_norm = not presence and any(part["kind"] in _ROUND for part in parts)
    return _finish(attrs, unit, presence, by_norm, categories, name, names, numbers)


def _unnamed_side(attrs: FloatArray, taken: tuple[int, ...]) -> Side:
    """Decide by the values alone: a single channel of at most 1 says how much is there."""
    single = attrs.shape[1] == 1 and not taken and bool(((attrs > 0) & (attrs <= 1)).all())
    numbers = [_value((i,), attrs, {"name": f"a{i}"}) for i in range(attrs.shape[1]) if i not in taken]
    unit = np.ones(attrs.shape[1])
    return _finish(attrs, unit, (0,) if single else (), False, (), "", (), [] if single else numbers)


def _finish(
    attrs: FloatArray,
    unit: FloatArray,
    presence: tuple[int, ...],
    by_norm: bool,
    categories: tuple[int, ...],
    category_name: str,
    category_names: tuple[str, ...],
    numbers: list[Value],
) -> Side:
    shown = [value for value in numbers if value.limits[1] > value.limits[0]]
    # Colour shows more than size, unless categories already use it.
    colour = None if categories else next(iter(shown), None)
    size = next((value for value in shown if value is not colour), None)
    amount = _amount(attrs / unit, presence)
    told = by_norm or bool(presence)
    full = float(np.percentile(amount, _FULL_PERCENTILE[told])) if len(amount) else 0.0
    return Side(
        unit=tuple(unit.tolist()),
        presence=tuple(presence),
        by_norm=by_norm,
        full=full or 1.0,
        categories=categories,
        category_name=category_name,
        category_names=category_names,
        colour=colour,
        size=size,
    )


def _amount(attrs: FloatArray, presence: tuple[int, ...]) -> FloatArray:
    if presence:
        summed: FloatArray = np.abs(attrs[:, list(presence)].sum(axis=1))
        return summed
    norms: FloatArray = np.linalg.norm(attrs, axis=1)
    return norms


def _value(channels: tuple[int, ...], attrs: FloatArray, part: Mapping[str, Any]) -> Value:
    scale = float(part.get("scale", 1.0))
    if len(channels) == 1:
        # An angle does not depend on the weight; a number on a line does.
        scale /= float(part.get("weight", 1.0)) or 1.0
    value = Value(channels, str(part["name"]), (0.0, 0.0), float(part.get("center", 0.0)), scale)
    if len(attrs) == 0:
        return value
    # A few extreme values would make all others look the same.
    limits = np.percentile(value.of(attrs), (2, 98))
    # Rounding errors of zero would show up in a legend.
    limits[np.abs(limits) < 1e-9 * np.abs(limits).max()] = 0.0
    return value._replace(limits=(float(limits[0]), float(limits[1])))


def _find_coordinates(
    parts: list[Mapping[str, Any]] | None, attrs: FloatArray, coordinates: Sequence[int] | None
) -> tuple[Value, Value] | None:
    if coordinates is not None:
        channels = [int(channel) for channel in coordinates]
        if len(channels) != 2 or not all(0 <= channel < attrs.shape[1] for channel in channels):
            raise InvalidParameterError(
                f"coordinates={coordinates!r} are not two of the {attrs.shape[1]} node channels.",
                "Give the numbers of the channels of x and y, for example (0, 1).",
            )
        x, y = (_value((channel,), attrs, {"name": f"a{channel}"}) for channel in channels)
        return x, y
    numeric = {str(part["name"]).lower(): part for part in parts or () if part["kind"] in _NUMBERS}
    for pair in _COORDINATES:
        if all(name in numeric for name in pair):
            x, y = (_value(numeric[name]["channels"], attrs, numeric[name]) for name in pair)
            return x, y
    return None


__all__ = ["Appearance", "LegendItem", "Look", "Side", "Value"]
