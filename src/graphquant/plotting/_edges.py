"""What edges are besides straight lines: arcs of symbols, and arrows of directed graphs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from graphquant._typing import BoolArray, FloatArray, IntArray

# The category of an edge that is an arc, as symbols of technical drawings have them.
_ARC = "arc"
# Height of a drawn arc over its chord. What vectors hold of an arc is where it begins and ends.
_HEIGHT = 0.22
# Where the arrow lies on its edge.
_ARROW = 0.62
LINE, ARC, BOTH, TWO_ARCS = range(4)


class _Form(NamedTuple):
    """An attribute that says whether an edge is a line or an arc.

    ``shares`` are those of training, which stand for a missing value; none for the first attribute, which all
    edges have.
    """

    channels: tuple[int, ...]
    weights: tuple[float, ...]
    arc: int
    shares: tuple[float, ...]

    def is_missing(self, share: FloatArray) -> BoolArray:
        """Which edges have no value: their shares of the categories are mostly those of training."""
        known = [i for i, value in enumerate(self.shares) if value > 0]
        if len(known) < 2:
            return np.zeros(len(share), dtype=bool)
        whole = np.maximum(share.sum(axis=1, keepdims=True), 1e-12)
        # A value of its own leaves less of the other categories.
        left = (share[:, known] / whole / np.array(self.shares)[known]).min(axis=1)
        missing: BoolArray = left > 0.5
        return missing


@dataclass(frozen=True)
class Forms:
    """The attributes that say whether edges are lines or arcs."""

    parts: tuple[_Form, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[Mapping[str, Any]] | None) -> "Forms":
        """Find them among the parts of an encoder: categories one of which is called arc."""
        found: list[_Form] = []
        for part in parts or ():
            names = [str(name).lower() for name in part.get("categories", ())]
            if part["kind"] == "one-hot" and _ARC in names:
                shares = tuple(part["shares"]) if found else ()
                found.append(
                    _Form(tuple(part["channels"]), tuple(part["weights"]), names.index(_ARC), shares)
                )
        return cls(tuple(found))

    def __call__(self, attrs: FloatArray) -> IntArray | None:
        """Return the form of each edge; None if all are lines."""
        lines, arcs = np.zeros(len(attrs), dtype=np.int64), np.zeros(len(attrs), dtype=np.int64)
        for form in self.parts:
            share = np.abs(attrs[:, list(form.channels)] / form.weights)
            # Of a mean, a second line or arc counts if most members have it.
            is_there = share.max(axis=1) > 0.5 * max(float(share.max(initial=0.0)), 1e-12)
            is_there &= ~form.is_missing(share)
            is_arc = share.argmax(axis=1) == form.arc
            arcs += is_there & is_arc
            lines += is_there & ~is_arc
        if not arcs.any():
            return None
        return np.select([arcs > 1, (arcs == 1) & (lines > 0), arcs == 1], [TWO_ARCS, BOTH, ARC], LINE)


# Of graphs whose edges are all lines.
NO_ARCS = Forms()


def strokes(start: FloatArray, end: FloatArray, centre: FloatArray, form: int) -> list[FloatArray | None]:
    """Return what is drawn for an edge: None for a line, for an arc the control point of its curve.

    An arc bends away from the centre of the drawing; of two, one bends each way.

    Examples
    --------
    >>> origin = np.zeros(2)
    >>> [control.tolist() for control in strokes(np.array([1.0, -1.0]), np.array([1.0, 1.0]), origin, ARC)]
    [[1.88, 0.0]]
    """
    if form == LINE:
        return [None]
    middle, along = 0.5 * (start + end), end - start
    across = np.array([along[1], -along[0]])
    if across @ (middle - centre) < 0:
        across = -across
    outside, inside = middle + 2 * _HEIGHT * across, middle - 2 * _HEIGHT * across
    if form == BOTH:
        return [None, outside]
    return [outside, inside] if form == TWO_ARCS else [outside]


def reach(places: FloatArray, edges: IntArray, form: IntArray | None) -> FloatArray:
    """Return the places of the nodes and the tops of the arcs, which may lie outside of all nodes.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> reach(square, np.array([[0, 1], [1, 2]]), np.array([LINE, ARC]))[4:].tolist()
    [[1.22, 0.5]]
    """
    if form is None:
        return places
    centre = places.mean(axis=0)
    tops = [
        0.25 * (places[start] + places[end]) + 0.5 * control
        for (start, end), kind in zip(edges.tolist(), form.tolist(), strict=True)
        for control in strokes(places[start], places[end], centre, kind)
        if control is not None
    ]
    return np.vstack([places, *tops])


def are_one_way(edges: IntArray, directed: bool) -> bool:
    """Whether edges need arrows: those in both directions, as some files have them, do not.

    Examples
    --------
    >>> are_one_way(np.array([[0, 1], [1, 0]]), True), are_one_way(np.array([[0, 1]]), True)
    (False, True)
    """
    known = set(map(tuple, edges.tolist()))
    return directed and any((end, start) not in known for start, end in known)


def arrow(start: FloatArray, end: FloatArray, length: float) -> FloatArray:
    """Return the three corners of the arrow on an edge."""
    along = end - start
    along = along / (float(np.hypot(*along)) or 1.0)
    across = np.array([-along[1], along[0]])
    middle = start + _ARROW * (end - start)
    tail = middle - 0.5 * length * along
    return np.array(
        [middle + 0.5 * length * along, tail + 0.42 * length * across, tail - 0.42 * length * across]
    )


__all__ = ["ARC", "BOTH", "LINE", "NO_ARCS", "TWO_ARCS", "Forms", "are_one_way", "arrow", "reach", "strokes"]
