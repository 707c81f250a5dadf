"""Graphs with coordinates drawn as text: braille dots, or # where the terminal has no braille."""

import sys
from typing import TYPE_CHECKING

import numpy as np

from graphquant._typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from graphquant.graphs import RawGraphs

# Unicode numbers the dots of a braille cell in this order, 4 rows by 2 columns.
_DOT_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
_BLANK = 0x2800


def draw_side_by_side(raw: "RawGraphs", indices: list[int], *, width: int = 9, height: int = 5) -> str:
    """Draw some graphs with node attributes ``x`` and ``y`` side by side.

    Parameters
    ----------
    raw : RawGraphs
    indices : list of int
        Graphs to draw.
    width, height : int
        Size of each drawing, in characters.
    """
    pictures = [_as_text(_dots(raw[i], (4 * height, 2 * width))) for i in indices]
    return "\n".join("  ".join(lines).rstrip() for lines in zip(*pictures, strict=True))


def _dots(raw: "RawGraphs", shape: tuple[int, int]) -> BoolArray:
    """Set the dots along the edges of one graph; row 0 is at the top."""
    points = np.stack([raw.node_columns["x"].values, raw.node_columns["y"].values], axis=1)
    rows, columns = shape
    # Letters fill a field of 3 x 3; points that are jittered out of it are moved to the border.
    size = np.array([columns - 1, rows - 1])
    places = np.clip(points / 3.0, 0.0, 1.0) * size
    dots = np.zeros(shape, dtype=bool)
    for start, end in [*raw.edges.tolist(), *((i, i) for i in range(len(points)))]:
        x, y = np.rint(_line(places[start], places[end])).astype(int).T
        dots[rows - 1 - y, x] = True
    return dots


def _line(start: FloatArray, end: FloatArray) -> FloatArray:
    steps = int(np.abs(end - start).max()) + 2
    return start + np.linspace(0.0, 1.0, steps)[:, None] * (end - start)


def _as_text(dots: BoolArray) -> list[str]:
    rows, columns = dots.shape[0] // 4, dots.shape[1] // 2
    cells = dots.reshape(rows, 4, columns, 2).transpose(0, 2, 1, 3)
    codes = (cells * _DOT_BITS).sum(axis=(2, 3))
    if _has_braille():
        return ["".join(chr(_BLANK + code) for code in row) for row in codes.tolist()]
    return ["".join("#" if code else " " for code in row) for row in codes.tolist()]


def _has_braille() -> bool:
    try:
        chr(_BLANK).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


__all__ = ["draw_side_by_side"]
