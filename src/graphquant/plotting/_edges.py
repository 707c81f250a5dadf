"""What edges are besides straight lines: arcs of symbols, and arrows of directed graphs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant._typing import FloatArray, IntArray

# The category of an edge that is an arc, as symbols of technical drawings have them.
_ARC = "arc"
# Height of a drawn arc over its chord. What vectors hold of an arc is where it begins and ends.
_HEIGHT = 0.22
# Where the arrow lies on its edge.
_ARROW = 0.62
LINE, ARC, BOTH, TWO_ARCS = range(4)


@dataclass(frozen=True)
class Forms:
    """The attributes that say whether edges are lines or arcs: channels, weights, number of the arc."""

    parts: tuple[tuple[tuple[int, ...], tuple[float, ...], int], ...] = ()

    @classmethod
    def of(cls, parts: Sequence[Mapping[str, Any]] | None) -> "Forms":
        """Find them among the parts of an encoder: categories one of which is called arc."""
        found = []
        for part in parts or ():
            names = [str(name).lower() for name in part.get("categories", ())]
            if part["kind"] == "one-hot" and _ARC in names:
                found.append((tuple(part["channels"]), tuple(part["weights"]), names.index(_ARC)))
        return cls(tuple(found))

    def __call__(self, attrs: FloatArray) -> IntArray | None:
        """Return the form of each edge; None if all are lines."""
        lines, arcs = np.zeros(len(attrs), dtype=np.int64), np.zeros(len(attrs), dtype=np.int64)
        for channels, weights, arc in self.parts:
            share = np.abs(attrs[:, list(channels)] / weights)
            # Of a mean, a second line or arc counts if most members have it.
            is_there = share.max(axis=1) > 0.5 * max(float(share.max(initial=0.0)), 1e-12)
            is_arc = share.argmax(axis=1) == arc
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


__all__ = ["ARC", "BOTH", "LINE", "NO_ARCS", "TWO_ARCS", "Forms", "are_one_way", "arrow", "strokes"]
