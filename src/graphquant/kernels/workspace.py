"""Buffers that kernels work in: made once for a batch of pairs, sized for its largest graphs."""

from typing import Any, NamedTuple

import numpy as np

from graphquant.kernels._vectors import BLOCK
from graphquant.kernels.thinning import Thinned


class LapBuffers(NamedTuple):
    """Results and work space of the assignment kernel, ``lap.py``."""

    col_to_row: Any  # (nc,) int64  row of each column, -1 where it stays free
    u: Any  # (nr,)         cost[r, c] - u[r] - v[c] >= 0, = 0 where assigned
    v: Any  # (nc,)         v <= 0, = 0 where a column stays free
    open_v: Any  # (nc,)    of a search: v, or -inf where a column is settled
    dist: Any  # (nc,)
    back: Any  # (nc,) int64
    column_at: Any  # (nc,) int64  columns by rank: the settled ones first, in that order
    rank: Any  # (nc,) int64
    settled_at: Any  # (nr,)  distance at which columns were settled


class PairBuffers(NamedTuple):
    """Work space of one pair: rows are the nodes of X, columns the positions of Y and zero nodes.

    Matrices are square, as large as the larger graph, so that they can be held turned round; their rows have
    room for whole blocks (``_vectors.py``).
    """

    group_of: Any  # (width,) int32    class of each position
    gain: Any  # (nx, ny)          node gains
    star: Any  # (nx, ny)          star gains
    cost: Any  # (nx, width)       matrix of an assignment problem
    support: Any  # (nx, ny)       edge support of a doubly stochastic matrix
    trial_support: Any  # (nx, ny)
    best_support: Any  # (nx, ny)
    trial: Any  # (nx,) int64      a mapping
    candidate: Any  # (nx,) int64  a mapping
    best: Any  # (nx,) int64       the best mapping
    owner: Any  # (width,) int64   node on each position
    slot_of: Any  # (ny,) int64
    covered: Any  # (ny,) int64
    chain: Any  # (3, nx) int64     a chain of exchanges
    thin_x: Thinned
    thin_y: Thinned
    lap: LapBuffers


class DualBuffers(NamedTuple):
    """The reparametrised problem of the exact matcher; see ``dual.py``."""

    linear: Any  # (nx, labels)            cost of node r on label a
    pair: Any  # (edges, labels, labels)   cost of the edge (r, s) on labels (a, b)
    unused: Any  # (nx, labels, ny)        cost of r on a while no neighbour of r is on b
    edge_of: Any  # (slots,) int64         edge of each adjacency slot of X
    star_cost: Any  # (nx, labels)         matrix of a star's assignment problem
    base: Any  # (nx,)
    done: Any  # (nx,) bool


class SearchBuffers(NamedTuple):
    """The depth-first search of the exact matcher, resumable; see ``search.py``."""

    linear: Any  # (nx + 1, nx, labels)    costs at each level
    child_cost: Any  # (nx, labels)        cost of each child of the level above its bound
    order: Any  # (nx, labels) int64       children of each level, cheapest first
    n_children: Any  # (nx,) int64
    next_child: Any  # (nx,) int64
    row_at: Any  # (nx,) int64             node that each level decides
    bound: Any  # (nx + 1,)                lower bound at each level
    fixed: Any  # (nx + 1,)                cost of what is decided at each level
    label: Any  # (nx,) int64              label of each decided node, else -1
    column: Any  # (nx,) int64             position of each decided node
    free: Any  # (width,) bool
    rows: Any  # (nx,) int64
    columns: Any  # (width,) int64
    row_twin: Any  # (nx,) int64           first node with the same attributes and neighbours
    column_twin: Any  # (ny,) int64
    state: Any  # (2,) int64               level, search nodes
    value: Any  # (2,) float64             best cost, second-best cost


class Buffers(NamedTuple):
    """All that a matcher may need; what it does not use is small."""

    pair: PairBuffers
    dual: DualBuffers
    search: SearchBuffers


def lap_buffers(width: int) -> LapBuffers:
    """Buffers for assignment problems of up to ``width`` columns."""
    return LapBuffers(
        np.zeros(width, dtype=np.int64),
        *(np.zeros(width) for _ in range(4)),
        *(np.zeros(width, dtype=np.int64) for _ in range(3)),
        np.zeros(width),
    )


def pair_buffers(size: int, slots: int = 0, channels: int = 1, pair_weight: float = 2.0) -> PairBuffers:
    """Buffers for pairs of graphs of up to ``size`` nodes.

    Matchers need room for the adjacency of a graph, all else that the graphs have in common.
    """
    size = max(size, 1)
    side = -(-size // BLOCK) * BLOCK
    width = max(2 * size + 1, side)
    return PairBuffers(
        np.zeros(width, dtype=np.int32),
        *(np.zeros((side, side)) for _ in range(2)),
        np.zeros((size, width)),
        *(np.zeros((side, side)) for _ in range(3)),
        *(np.zeros(size, dtype=np.int64) for _ in range(3)),
        np.zeros(width, dtype=np.int64),
        *(np.zeros(size, dtype=np.int64) for _ in range(2)),
        np.zeros((3, size), dtype=np.int64),
        *(_thinned(size, slots, channels, pair_weight) for _ in range(2)),
        lap_buffers(width),
    )


def _thinned(size: int, slots: int, channels: int, pair_weight: float) -> Thinned:
    return Thinned(
        np.zeros(2, dtype=np.int64),
        np.zeros(size, dtype=np.int32),
        np.zeros(size + 1, dtype=np.int64),
        np.zeros(slots, dtype=np.int32),
        np.zeros((slots, channels)),
        pair_weight,
    )


def dual_buffers(rows: int, columns: int, slots: int) -> DualBuffers:
    """Buffers for the reparametrised problem; ``slots`` is the largest number of adjacency slots."""
    rows, columns, slots = max(rows, 1), max(columns, 1), max(slots, 2)
    labels = columns + 1
    return DualBuffers(
        np.zeros((rows, labels)),
        np.zeros((slots // 2, labels, labels)),
        np.zeros((rows, labels, columns)),
        np.zeros(slots, dtype=np.int64),
        np.zeros((rows, labels)),
        np.zeros(rows),
        np.zeros(rows, dtype=np.bool_),
    )


def search_buffers(rows: int, columns: int) -> SearchBuffers:
    """Buffers for the depth-first search."""
    rows, columns = max(rows, 1), max(columns, 1)
    labels, width = columns + 1, rows + columns + 1
    return SearchBuffers(
        np.zeros((rows + 1, rows, labels)),
        np.zeros((rows, labels)),
        np.zeros((rows, labels), dtype=np.int64),
        *(np.zeros(rows, dtype=np.int64) for _ in range(3)),
        *(np.zeros(rows + 1) for _ in range(2)),
        *(np.zeros(rows, dtype=np.int64) for _ in range(2)),
        np.zeros(width, dtype=np.bool_),
        np.zeros(rows, dtype=np.int64),
        np.zeros(width, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros(columns, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros(2),
    )
