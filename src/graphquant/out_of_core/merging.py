"""Merging codebooks that parts of the training set have moved independently.

Learning y <- y + eta (x - y) with given winners and lifts is an affine map of y: a code graph that wins some
presentations becomes ``keep * y + pull``, where ``keep`` is the product of all 1 - eta. Two parts that start
from the same y are therefore merged by applying one map, then the other. This gives the same result as
presenting them one after another, except for winners and lifts that the first part would
have changed for the second. With the harmonic rate the result is the mean of all graphs won so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphquant._typing import BoolArray, FloatArray
from graphquant.learning.codes import Codes

# Rounding leaves numbers of this share of a code graph in place of zeros; they would look like edges.
RESIDUE = 1e-15


@dataclass(frozen=True)
class Moved:
    """How a part has moved the code graphs that it was given."""

    codes: Codes
    keep: FloatArray | None  # (k,)  share of the given code graph that is left; None: the mean of all won


def merge(start: Codes, found: Sequence[Moved]) -> Codes:
    """Return the code graphs after all parts, in the order given.

    Examples
    --------
    >>> import numpy as np
    >>> def point(value, wins):
    ...     return Codes(np.full((1, 1, 1), value), np.zeros((1, 1, 1, 1)), np.array([wins]))
    >>> halfway = [Moved(point(5.0, 1), np.array([0.5])), Moved(point(1.0, 1), np.array([0.5]))]
    >>> float(merge(point(0.0, 0), halfway).nodes[0, 0, 0])  # 0 -> 5 by a graph at 10, then half way to 2
    3.5
    """
    result = start.copy()
    touched = np.zeros(len(start.wins), dtype=np.bool_)
    for moved in found:
        won = moved.codes.wins > start.wins
        first = won & ~touched
        # Unchanged, bit for bit: the result of a single part is the result.
        result.nodes[first], result.pairs[first] = moved.codes.nodes[first], moved.codes.pairs[first]
        again = won & touched
        if again.any():
            _apply(result, start, moved, again)
        result.wins[:] += moved.codes.wins - start.wins
        touched |= won
    return result


def _apply(result: Codes, start: Codes, moved: Moved, again: BoolArray) -> None:
    """Apply the map of a part to code graphs (INOUT result) that another part has already moved."""
    before, own = result.wins[again], moved.codes.wins[again]
    base = start.wins[again]
    # result <- pulled * moved + kept * result - dropped * start
    if moved.keep is None:
        total = np.maximum(before + own - base, 1)
        pulled, kept, dropped = own / total, before / total, base / total
    else:
        pulled, kept, dropped = np.ones(len(before)), moved.keep[again], moved.keep[again]
    squares = np.zeros(len(before))
    for name in ("nodes", "pairs"):
        array, given, origin = (getattr(codes, name) for codes in (result, moved.codes, start))
        shape = (-1,) + (1,) * (array.ndim - 1)
        array[again] = (
            pulled.reshape(shape) * given[again]
            + kept.reshape(shape) * array[again]
            - dropped.reshape(shape) * origin[again]
        )
        squares += (array[again] ** 2).reshape(len(before), -1).sum(axis=1)
    for name in ("nodes", "pairs"):
        array = getattr(result, name)
        limit = RESIDUE * np.sqrt(squares).reshape((-1,) + (1,) * (array.ndim - 1))
        array[again] = np.where(np.abs(array[again]) > limit, array[again], 0.0)


__all__ = ["Moved", "merge"]
