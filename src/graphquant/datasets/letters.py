"""Synthetic letters: our own straight-line drawings, distorted; no file needed."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from graphquant._random import RandomState, spawn_seeds
from graphquant._typing import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from graphquant._validation import check_choice, check_positive_int
from graphquant.datasets._dataset import Dataset
from graphquant.graphs import Column, RawGraphs


class _Drawing(NamedTuple):
    """End points of straight strokes on a field of 3 x 3, and the strokes that join them."""

    points: list[tuple[float, float]]
    strokes: list[tuple[int, int]]


# A bar that crosses a stroke is drawn separately, as a pen would draw it: the crossing is not a node.
_DRAWINGS = {
    "A": _Drawing(
        [(0.7, 0.4), (1.5, 2.8), (2.3, 0.4), (0.9, 1.2), (2.1, 1.2)],
        [(0, 1), (1, 2), (3, 4)],
    ),
    "E": _Drawing(
        [(2.2, 2.8), (0.7, 2.8), (0.7, 0.3), (2.2, 0.3), (0.7, 1.6), (1.9, 1.6)],
        [(0, 1), (1, 2), (2, 3), (4, 5)],
    ),
    "F": _Drawing(
        [(2.2, 2.8), (0.8, 2.8), (0.8, 0.3), (0.8, 1.5), (1.8, 1.5)],
        [(0, 1), (1, 2), (3, 4)],
    ),
    "H": _Drawing(
        [(0.7, 2.8), (0.7, 0.3), (2.2, 2.8), (2.2, 0.3), (0.7, 1.5), (2.2, 1.5)],
        [(0, 1), (2, 3), (4, 5)],
    ),
    "I": _Drawing([(1.5, 2.8), (1.5, 0.3)], [(0, 1)]),
    "K": _Drawing(
        [(0.8, 2.8), (0.8, 0.3), (2.2, 2.8), (0.8, 1.5), (2.2, 0.3)],
        [(0, 1), (2, 3), (3, 4)],
    ),
    "L": _Drawing([(0.8, 2.8), (0.8, 0.3), (2.2, 0.3)], [(0, 1), (1, 2)]),
    "M": _Drawing(
        [(0.5, 0.3), (0.5, 2.8), (1.5, 1.4), (2.5, 2.8), (2.5, 0.3)],
        [(0, 1), (1, 2), (2, 3), (3, 4)],
    ),
    "N": _Drawing([(0.7, 0.3), (0.7, 2.8), (2.3, 0.3), (2.3, 2.8)], [(0, 1), (1, 2), (2, 3)]),
    "T": _Drawing([(0.6, 2.8), (2.4, 2.8), (1.5, 2.8), (1.5, 0.3)], [(0, 1), (2, 3)]),
    "V": _Drawing([(0.7, 2.8), (1.5, 0.3), (2.3, 2.8)], [(0, 1), (1, 2)]),
    "W": _Drawing(
        [(0.4, 2.8), (1.0, 0.3), (1.5, 1.8), (2.0, 0.3), (2.6, 2.8)],
        [(0, 1), (1, 2), (2, 3), (3, 4)],
    ),
    "X": _Drawing([(0.6, 2.8), (2.4, 0.3), (0.6, 0.3), (2.4, 2.8)], [(0, 1), (2, 3)]),
    "Y": _Drawing([(0.6, 2.8), (1.5, 1.5), (2.4, 2.8), (1.5, 0.3)], [(0, 1), (1, 2), (1, 3)]),
    "Z": _Drawing([(0.6, 2.8), (2.3, 2.8), (0.6, 0.3), (2.3, 0.3)], [(0, 1), (1, 2), (2, 3)]),
}


@dataclass(frozen=True)
class _Level:
    """How much a drawing is distorted."""

    jitter: float  # standard deviation of each coordinate
    insert_nodes: tuple[float, ...]  # probability of 0, 1, 2, ... inserted nodes
    delete_node: float  # probability that one node is deleted, with its edges
    insert_edge: float  # probability that two nodes get a stroke they did not have
    delete_edge: float  # probability that one stroke is deleted


# Chosen so that sizes and spread match the levels of the IAM letters (see the tests).
_LEVELS = {
    "low": _Level(0.08, (0.66, 0.29, 0.05), 0.04, 0.02, 0.02),
    "med": _Level(0.20, (0.66, 0.28, 0.06), 0.06, 0.12, 0.06),
    "high": _Level(0.35, (0.60, 0.30, 0.10), 0.12, 0.45, 0.15),
}


class _Batch(NamedTuple):
    """Many distorted drawings of one letter, padded to ``capacity`` nodes; changed in place."""

    points: FloatArray  # (n, capacity, 2)
    alive: BoolArray  # (n, capacity)
    joined: BoolArray  # (n, capacity, capacity), upper triangle only


class _Flat(NamedTuple):
    """The same without padding."""

    points: FloatArray
    orders: IntArray
    edges: Int32Array
    n_edges: IntArray


def make_letters(
    n_per_class: int = 50,
    distortion: Literal["low", "med", "high"] = "low",
    random_state: RandomState = 0,
) -> Dataset:
    """Draw the 15 letters that consist of straight strokes, each time a little differently.

    Nodes are end points of strokes with coordinates ``x`` and ``y`` (about 0 to 3), edges are the
    strokes. A drawing is distorted by moving its points, inserting nodes (in a stroke, or at the
    end of a new one), deleting a node, and inserting and deleting strokes; its nodes are numbered
    at random.

    Parameters
    ----------
    n_per_class : int, default=50
        Number of drawings of each letter.
    distortion : {"low", "med", "high"}, default="low"
    random_state : int, Generator, RandomState or None, default=0

    Returns
    -------
    Dataset
        ``raw`` has the coordinates as drawn, ``graphs`` the vectors of a fitted
        ``AttributeEncoder()``; targets 0 to 14 are A to Z, names are ``A0000, A0001, ...``.

    Notes
    -----
    The drawings are our own. Their sizes follow the letters of the IAM graph database (Riesen and
    Bunke, 2008): 750 graphs with about 4.7 nodes and 3.1 edges each.

    Examples
    --------
    >>> from graphquant.datasets import make_letters
    >>> letters = make_letters()
    >>> letters.target_names
    ('A', 'E', 'F', 'H', 'I', 'K', 'L', 'M', 'N', 'T', 'V', 'W', 'X', 'Y', 'Z')
    >>> letters.graphs.max_order <= 9
    True
    """
    from graphquant.preprocessing import AttributeEncoder

    count = check_positive_int("n_per_class", n_per_class)
    level = _LEVELS[check_choice("distortion", distortion, _LEVELS)]
    # One generator per letter: its drawings do not depend on the other letters.
    seeds = spawn_seeds(random_state, len(_DRAWINGS))
    raw = _to_raw(
        [
            _distort(drawing, level, count, np.random.default_rng(seed))
            for drawing, seed in zip(_DRAWINGS.values(), seeds, strict=True)
        ],
        count,
    )
    encoder = AttributeEncoder().fit(raw)
    return Dataset(
        graphs=encoder.transform(raw),
        targets=np.repeat(np.arange(len(_DRAWINGS)), count),
        target_names=tuple(_DRAWINGS),
        encoder=encoder,
        description=f"{len(raw)} synthetic letters, {distortion} distortion",
        raw=raw,
    )


def _to_raw(letters: list[_Flat], count: int) -> RawGraphs:
    points = np.concatenate([letter.points for letter in letters])
    digits = max(4, len(str(count - 1)))
    return RawGraphs(
        np.concatenate([[0], np.cumsum(np.concatenate([letter.orders for letter in letters]))]),
        np.concatenate([[0], np.cumsum(np.concatenate([letter.n_edges for letter in letters]))]),
        np.concatenate([letter.edges for letter in letters]),
        {"x": Column(points[:, 0]), "y": Column(points[:, 1])},
        {},
        names=[f"{letter}{i:0{digits}d}" for letter in _DRAWINGS for i in range(count)],
    )


def _distort(drawing: _Drawing, level: _Level, count: int, rng: np.random.Generator) -> _Flat:
    n_points = len(drawing.points)
    batch = _padded(drawing, count, n_points + len(level.insert_nodes) - 1)
    n_inserted = rng.choice(len(level.insert_nodes), size=count, p=level.insert_nodes)
    for i in range(1, len(level.insert_nodes)):
        _insert_node(batch, n_points + i - 1, n_inserted >= i, rng)
    batch.points[:] += rng.normal(scale=level.jitter, size=batch.points.shape)
    _insert_edge(batch, rng.random(count) < level.insert_edge, rng)
    _delete_edge(batch, rng.random(count) < level.delete_edge, rng)
    _delete_node(batch, rng.random(count) < level.delete_node, rng)
    return _flatten(_shuffled(batch, rng))


def _padded(drawing: _Drawing, count: int, capacity: int) -> _Batch:
    n_points = len(drawing.points)
    points = np.zeros((count, capacity, 2))
    points[:, :n_points] = drawing.points
    alive = np.zeros((count, capacity), dtype=bool)
    alive[:, :n_points] = True
    joined = np.zeros((count, capacity, capacity), dtype=bool)
    for i, j in drawing.strokes:
        joined[:, min(i, j), max(i, j)] = True
    return _Batch(points, alive, joined)


def _insert_node(batch: _Batch, slot: int, rows: BoolArray, rng: np.random.Generator) -> None:
    """Put a node at ``slot``: half of the time in a stroke, else at the end of a new stroke."""
    splits = rng.random(len(rows)) < 0.5
    start, end, has_edge = _random_pair(batch.joined, rng)
    split = np.flatnonzero(rows & splits & has_edge)
    i, j = start[split], end[split]
    share = rng.uniform(0.25, 0.75, size=(len(split), 1))
    batch.points[split, slot] = (1 - share) * batch.points[split, i] + share * batch.points[split, j]
    batch.joined[split, i, j] = False
    # Slots come after all older nodes, so (older, slot) lies in the upper triangle.
    batch.joined[split, i, slot] = batch.joined[split, j, slot] = True

    spur = np.flatnonzero(rows & ~(splits & has_edge))
    anchor = _random_member(batch.alive, rng)[spur]
    batch.points[spur, slot] = rng.uniform(0.2, 2.9, size=(len(spur), 2))
    batch.joined[spur, anchor, slot] = True
    batch.alive[rows, slot] = True


def _insert_edge(batch: _Batch, rows: BoolArray, rng: np.random.Generator) -> None:
    both_alive = batch.alive[:, :, None] & batch.alive[:, None, :]
    start, end, possible = _random_pair(np.triu(both_alive & ~batch.joined, k=1), rng)
    chosen = np.flatnonzero(rows & possible)
    batch.joined[chosen, start[chosen], end[chosen]] = True


def _delete_edge(batch: _Batch, rows: BoolArray, rng: np.random.Generator) -> None:
    start, end, possible = _random_pair(batch.joined, rng)
    chosen = np.flatnonzero(rows & possible)
    batch.joined[chosen, start[chosen], end[chosen]] = False


def _delete_node(batch: _Batch, rows: BoolArray, rng: np.random.Generator) -> None:
    node = _random_member(batch.alive, rng)
    # A drawing keeps at least one point.
    chosen = np.flatnonzero(rows & (batch.alive.sum(axis=1) > 1))
    batch.alive[chosen, node[chosen]] = False
    batch.joined[chosen, node[chosen], :] = False
    batch.joined[chosen, :, node[chosen]] = False


def _random_member(mask: BoolArray, rng: np.random.Generator) -> IntArray:
    """In each row, the column of a random True."""
    keys = rng.random(mask.shape, dtype=np.float32)
    keys[~mask] = -1.0
    column: IntArray = np.argmax(keys, axis=1)
    return column


def _random_pair(mask: BoolArray, rng: np.random.Generator) -> tuple[IntArray, IntArray, BoolArray]:
    """In each matrix, row and column of a random True, and whether there is one."""
    capacity = mask.shape[1]
    cells: BoolArray = mask.reshape(len(mask), -1)
    member = _random_member(cells, rng)
    return member // capacity, member % capacity, np.logical_or.reduce(cells, axis=1)


def _shuffled(batch: _Batch, rng: np.random.Generator) -> _Batch:
    """Renumber the nodes at random, so that no method gains from the order in which we drew them."""
    order = np.argsort(rng.random(batch.alive.shape, dtype=np.float32), axis=1)
    symmetric = batch.joined | batch.joined.transpose(0, 2, 1)
    rows: AnyArray = np.arange(len(order))[:, None]
    joined = symmetric[rows[:, :, None], order[:, :, None], order[:, None, :]]
    return _Batch(batch.points[rows, order], batch.alive[rows, order], np.triu(joined, k=1))


def _flatten(batch: _Batch) -> _Flat:
    number = np.cumsum(batch.alive, axis=1, dtype=np.int32) - 1
    graph, start, end = np.nonzero(batch.joined)
    edges = np.stack([number[graph, start], number[graph, end]], axis=1).astype(np.int32)
    return _Flat(
        batch.points[batch.alive],
        batch.alive.sum(axis=1),
        edges,
        np.bincount(graph, minlength=len(batch.alive)),
    )


__all__ = ["make_letters"]
