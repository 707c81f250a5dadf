"""Representatives of clusters: the real graphs that are nearest to the code graphs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.bounds import lower_bounds
from graphquant.graphs import GraphCollection
from graphquant.matching import Matcher, match_all

# Pairs that are matched before the bounds are looked at again.
_BLOCK = 64


class Nearest(NamedTuple):
    """The nearest graph of each of some code graphs: its row, -1 for none, and its distance."""

    row: IntArray
    distance: FloatArray

    def or_nearer(self, other: "Nearest") -> "Nearest":
        """Return the nearer one of each; these where both are as near."""
        takes = (other.row >= 0) & ((self.row < 0) | (other.distance < self.distance))
        return Nearest(np.where(takes, other.row, self.row), np.where(takes, other.distance, self.distance))


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


__all__ = ["Nearest", "nearest_graphs", "nearest_members", "ranked_members"]
