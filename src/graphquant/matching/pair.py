"""One pair of graphs: match, distance."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from graphquant._core.calls import Scratch, StopFlag
from graphquant._core.matching import second_sq_distance
from graphquant._threads import stoppable
from graphquant._typing import IntArray
from graphquant.graphs import Graph, GraphCollection
from graphquant.matching.base import Match
from graphquant.matching.engine import Problem, match_pair
from graphquant.matching.exact import ASCENTS
from graphquant.matching.given import one_pair
from graphquant.matching.mappings import check_mapping
from graphquant.matching.registry import MatcherLike, get_matcher


def match(
    x: Any,
    y: Any,
    matcher: MatcherLike = "auto",
    order: int | None = None,
    *,
    start: Sequence[int] | IntArray | None = None,
) -> Match:
    """Match two graphs: the mapping of x's nodes to y's positions with the smallest Euclidean distance.

    Parameters
    ----------
    x, y : Graph, or one graph in any other form: networkx, a molecule, a slice of a data set
        Named attributes of both are encoded the same way; vectors must have the same channels.
    matcher : {"auto", "exact", "frank-wolfe", "graduated-assignment"} or Matcher, default="auto"
        How to search. ``"auto"`` is exact within a budget of search nodes.
    order : int, optional
        Order of the graph space: graphs are padded with zero nodes up to it, and a node may be mapped
        to a zero node if that is nearer. By default that of the larger graph.
    start : sequence of int, optional
        A known mapping, for example from a similar pair. It speeds up the proof of an
        exact matcher and changes nothing else: a proven match does not depend on the start.

    Returns
    -------
    Match
        With the distance, a certified lower bound, and whether they meet.

    Examples
    --------
    >>> import graphquant as gq
    >>> path = gq.Graph([1.0, 2.0, 3.0], [(0, 1), (1, 2)])
    >>> gq.match(path, path.permute([2, 0, 1]))
    Match(distance=0, proven, mapping=[1, 2, 0])
    """
    problem = Problem(*one_pair(x, y), order)
    found = match_pair(get_matcher(matcher), problem, None if start is None else np.asarray(start))
    return replace(found, graphs=(problem.X[0], problem.Y[0]))


def distance(x: Any, y: Any, matcher: MatcherLike = "auto", order: int | None = None) -> float:
    """Return the distance between two graphs, as :func:`match` finds it.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.distance(gq.Graph([3.0]), gq.Graph([-1.0]))
    4.0
    >>> round(gq.distance(gq.Graph([3.0]), gq.Graph([-1.0]), order=2), 6)  # better on a zero node
    3.162278
    """
    return match(x, y, matcher, order).distance


def second_distance(
    x: Graph,
    y: Graph,
    mapping: Sequence[int] | IntArray,
    order: int | None = None,
    *,
    node_limit: int = 100_000,
) -> float:
    """Return the smallest distance under all mappings with a lift other than that of the given best one.

    Mappings that differ by exchanging equal nodes of x place the same vectors on the same positions of y:
    they have the same lift and do not count. If d2 is this value and d1 the distance of the best mapping,
    then that mapping remains the best one while y moves by at most (d2 - d1) / 2 in the
    representation space: the gap certificate.

    Parameters
    ----------
    x, y : Graph
    mapping : sequence of int of shape (x.order,)
        An optimal mapping, as from :func:`match` with ``proven=True``.
    order : int, optional
        Order of the graph space; by default that of the larger graph.
    node_limit : int, default=100_000
        Limit of search nodes; a search that reaches it returns a lower bound of the value.

    Examples
    --------
    >>> import graphquant as gq
    >>> x, y = gq.Graph([0.0, 3.0]), gq.Graph([0.0, 4.0])
    >>> best = gq.match(x, y)
    >>> best.distance, round(gq.second_distance(x, y, best.mapping), 6)
    (1.0, 5.0)
    """
    problem = Problem(GraphCollection([x]), GraphCollection([y]), order)
    known = check_mapping(mapping, x, y, problem.capacity, "mapping")

    def search(stop: StopFlag) -> float:
        return second_sq_distance(
            problem.graphs,
            0,
            problem.offset,
            known,
            problem.capacity,
            ascents=ASCENTS,
            node_limit=node_limit,
            stop=stop,
            scratch=Scratch(),
        )

    return math.sqrt(stoppable(search))


__all__ = ["distance", "match", "second_distance"]
