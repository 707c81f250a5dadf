"""Lower bounds of the distance, from the graphs alone: no matching is run."""

import math
from typing import Literal, get_args

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_choice
from graphquant.bounds._prepare import check_comparable, check_pairs, class_capacity, prepare, summaries
from graphquant.graphs import Graph, GraphCollection
from graphquant.kernels import bounds as kernels
from graphquant.kernels.workspace import pair_buffers

Bound = Literal["norms", "sorted", "spectra", "nodes", "star"]
"""The bounds in order of cost; each stage includes those before it."""


def lower_bound(x: Graph, y: Graph, *, order: int | None = None, kind: Bound = "star") -> float:
    """Return a number that the distance of two graphs is never below.

    Parameters
    ----------
    x, y : Graph
    order : int, optional
        Order of the graph space; by default that of the larger graph.
    kind : {"norms", "sorted", "spectra", "nodes", "star"}, default="star"
        The most expensive bound to use; the best of it and all cheaper ones is returned.

        - norms: norms of the channels, nodes and edges apart;
        - sorted: each channel sorted on its own;
        - spectra: eigenvalues of each edge channel (Hoffman and Wielandt);
        - nodes: the best assignment of the nodes alone;
        - star: each node with its edges against each other (Gilmore and Lawler).

    Returns
    -------
    float
        Lowered by a rounding margin of 2e-12 of the squared norms, so that it holds in float64.

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
    """Lower bounds of many pairs; a pair is done as soon as a cheap bound reaches ``threshold``."""
    last = get_args(Bound).index(check_choice("kind", kind, get_args(Bound)))
    check_comparable(X, Y)
    numbers = check_pairs(pairs, len(X), len(Y))
    prepared = prepare(X), prepare(Y)
    spectra = last >= kernels.SPECTRA
    tables = [
        summaries(graphs, arrays, spectra=spectra) for graphs, arrays in zip((X, Y), prepared, strict=True)
    ]
    out = np.empty(len(numbers))
    size = max(X.max_order, Y.max_order)
    kernels.cascade_pairs(
        prepared[0],
        tables[0],
        prepared[1],
        tables[1],
        numbers,
        class_capacity(X, Y, order=order) if capacity is None else capacity,
        float(threshold) ** 2,
        last,
        pair_buffers(size),
        out,
    )
    return np.sqrt(out)


__all__ = ["Bound", "lower_bound", "lower_bounds"]
