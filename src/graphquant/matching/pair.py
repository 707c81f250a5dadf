"""One pair of graphs: match, distance."""

from graphquant._validation import check_positive_int
from graphquant.graphs import Graph, GraphCollection
from graphquant.matching._base import Match
from graphquant.matching._engine import Problem, match_pair
from graphquant.matching.registry import MatcherLike, get_matcher


def match(x: Graph, y: Graph, matcher: MatcherLike = "auto", order: int | None = None) -> Match:
    """Match two graphs: the mapping of x's nodes to y's positions of least Euclidean distance.

    Parameters
    ----------
    x, y : Graph
        With as many node and edge attributes.
    matcher : {"auto", "exact", "frank-wolfe", "graduated-assignment"} or Matcher, default="auto"
        How to search. ``"auto"`` is exact within a budget of search nodes.
    order : int, optional
        Order of the graph space: graphs are padded with zero nodes up to it, and a node may be mapped
        to a zero node where that is nearer. By default that of the larger graph.

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
    if order is not None:
        check_positive_int("order", order)
    problem = Problem(GraphCollection([x]), GraphCollection([y]), order)
    return match_pair(get_matcher(matcher), problem, 0, 0)


def distance(x: Graph, y: Graph, matcher: MatcherLike = "auto", order: int | None = None) -> float:
    """Return the distance of two graphs as :func:`match` finds it.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.distance(gq.Graph([3.0]), gq.Graph([-1.0]))
    4.0
    >>> round(gq.distance(gq.Graph([3.0]), gq.Graph([-1.0]), order=2), 6)  # better on a zero node
    3.162278
    """
    return match(x, y, matcher, order).distance


__all__ = ["distance", "match"]
