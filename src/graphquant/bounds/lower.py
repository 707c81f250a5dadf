"""Lower bounds of the distance, from the graphs alone, without matching."""

import math
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from graphquant._core.bounds import SPECTRA, GraphSummaries, bound_pairs, most_gains
from graphquant._core.calls import Scratch, StopFlag
from graphquant._core.graphs import PreparedGraphs
from graphquant._core.matching import ROUNDING
from graphquant._threads import in_threads
from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_choice
from graphquant.bounds.checks import check_comparable, check_pairs, class_capacity
from graphquant.bounds.prepare import prepare, summaries
from graphquant.graphs import Graph, GraphCollection

Bound = Literal["norms", "sorted", "spectra", "nodes", "star"]
"""The bounds in order of cost; each stage includes those before it."""

# A bound costs about the square of (a constant plus the order); less than this in total is done at once, in
# the calling thread: it takes less time than a reaction to Ctrl-C, and threads would not pay.
_SMALL, _QUICK = 20, 2e6
# This many of the largest edge values of a channel have an entry each; the others share one for their norm.
_RANKS = 2


def lower_bound(x: Graph, y: Graph, *, order: int | None = None, kind: Bound = "star") -> float:
    """Return a lower bound of the distance between two graphs.

    Parameters
    ----------
    x, y : Graph
    order : int, optional
        Order of the graph space; by default that of the larger graph.
    kind : {"norms", "sorted", "spectra", "nodes", "star"}, default="star"
        The most expensive bound to use; the best of it and all cheaper ones is returned.

        - norms: norms of the channels, separately for nodes and edges;
        - sorted: each channel sorted separately;
        - spectra: eigenvalues of each edge channel (Hoffman and Wielandt);
        - nodes: the best assignment of the nodes alone;
        - star: each node with its edges against each other (Gilmore and Lawler).

    Returns
    -------
    float
        Reduced by a rounding margin of 2e-12 of the squared norms, so that it holds in float64.

    Examples
    --------
    >>> import graphquant as gq
    >>> x = gq.Graph([0.0, 3.0], [(0, 1)])
    >>> y = gq.Graph([0.0, 0.0], [])
    >>> round(gq.lower_bound(x, y), 6)  # 3 for the node, sqrt(2) for the edge, which counts twice
    3.316625
    """
    pair = GraphCollection([x]), GraphCollection([y])
    return float(lower_bounds(*pair, np.array([[0, 0]]), order=order, kind=kind)[0])


def lower_bounds(
    X: GraphCollection,
    Y: GraphCollection,
    pairs: IntArray,
    *,
    order: int | None = None,
    capacity: IntArray | None = None,
    kind: Bound = "star",
    threshold: float = math.inf,
) -> FloatArray:
    """Lower bounds of many pairs; a pair is finished as soon as a cheap bound reaches ``threshold``."""
    check_choice("kind", kind, get_args(Bound))
    check_comparable(X, Y)
    numbers = check_pairs(pairs, len(X), len(Y))
    left, right = prepare(X), prepare(Y)
    spectra = get_args(Bound).index(kind) >= SPECTRA
    return prepared_bounds(
        left,
        right,
        class_capacity(X, Y, order=order) if capacity is None else capacity,
        numbers,
        tables=(summaries(X, left, spectra=spectra), summaries(Y, right, spectra=spectra)),
        kind=kind,
        threshold=threshold,
    )


def prepared_bounds(
    X: PreparedGraphs,
    Y: PreparedGraphs,
    capacity: IntArray,
    pairs: IntArray,
    *,
    tables: tuple[GraphSummaries, GraphSummaries] | None = None,
    kind: Bound = "star",
    threshold: float = math.inf,
    n_threads: int = 1,
) -> FloatArray:
    """Lower bounds of pairs of prepared graphs; without tables, only star bounds."""
    squared, stop = np.empty(len(pairs)), StopFlag()
    pairs = np.ascontiguousarray(pairs, dtype=np.int64)

    def work(part: slice) -> None:
        bound_pairs(
            X,
            Y,
            capacity,
            pairs[part],
            summaries=tables,
            threshold_sq=float(threshold) ** 2,
            last=get_args(Bound).index(kind),
            sq_lower=squared[part],
            stop=stop,
            scratch=Scratch(),
        )

    size = int(max(X.orders.max(initial=0), Y.orders.max(initial=0)))
    if len(pairs) * (_SMALL + size) ** 2 < _QUICK:
        work(slice(None))
    else:
        cuts = np.linspace(0, len(pairs), n_threads + 1).astype(int).tolist()
        in_threads(work, [slice(a, b) for a, b in pairwise(cuts)], n_threads, stop)
    return np.sqrt(squared)


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


__all__ = ["Bound", "lower_bound", "lower_bounds", "prepared_bounds", "product_bounds", "star_vectors"]
