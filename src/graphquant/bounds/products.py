"""Star vectors of nodes, and the lower bounds from their products."""

from itertools import pairwise

import numpy as np

from graphquant._core.bounds import most_gains
from graphquant._core.calls import StopFlag
from graphquant._core.graphs import PreparedGraphs
from graphquant._core.matching import ROUNDING
from graphquant._threads import in_threads
from graphquant._typing import FloatArray

# This many of the largest edge values of a channel have an entry each; the others share one for their norm.
_RANKS = 2


def star_vectors(graphs: PreparedGraphs) -> FloatArray:
    """Return a vector for each node; the product of two is at least the gain of one star on the other.

    It equals the gain (``cpp/bounds/star.hpp``) for up to two edges; further edges count by their norms.
    Positive and negative values of a channel never gain on each other: they have separate entries.
    """
    n_nodes = len(graphs.node_attr)
    degrees = np.diff(graphs.adj_ptr)
    owner = np.repeat(np.arange(n_nodes), degrees)
    rank = np.arange(len(owner)) - graphs.adj_ptr[owner]
    parts = [graphs.node_attr]
    # Half of the gain of an edge at each of its ends: the square root on both sides of the product.
    share = np.sqrt(0.5 * graphs.pair_weight)
    for values, place in ((graphs.adj_sorted, rank), (-graphs.adj_sorted, degrees[owner] - 1 - rank)):
        own = share * np.maximum(values, 0.0)
        if not own.any():
            continue
        for at in range(_RANKS):
            part = np.zeros((n_nodes, own.shape[1]))
            part[owner[place == at]] = own[place == at]
            parts.append(part)
        others = place >= _RANKS
        squares = [np.bincount(owner[others], channel, n_nodes) for channel in own[others].T ** 2]
        parts.append(np.sqrt(np.column_stack(squares)))
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def product_bounds(graphs: PreparedGraphs, n_threads: int = 1) -> FloatArray:
    """Return lower bounds of the distances of all pairs of graphs, as a square matrix.

    Node classes are ignored: the bounds hold for any.
    """
    vectors, n_graphs = star_vectors(graphs), len(graphs.sq_norm)
    columns = np.ascontiguousarray(vectors.T)
    most = np.empty((n_graphs, n_graphs))

    stop = StopFlag()

    def sum_up(part: tuple[int, int]) -> None:
        begin, end = part
        most_gains(vectors, columns, graphs.node_ptr, begin, end, out=most[begin:end], stop=stop)

    cuts = np.linspace(0, n_graphs, n_threads + 1).astype(int).tolist()
    in_threads(sum_up, pairwise(cuts), n_threads, stop)
    # The bound holds in both directions: the sharper one counts.
    squared = np.minimum(most, most.T)
    squared *= -2.0
    squared += (1.0 - 2.0 * ROUNDING) * graphs.sq_norm[:, None]
    squared += (1.0 - 2.0 * ROUNDING) * graphs.sq_norm
    np.maximum(squared, 0.0, out=squared)
    return np.sqrt(squared, out=squared)


__all__ = ["product_bounds", "star_vectors"]
