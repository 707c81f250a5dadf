"""A map of graphs and code graphs in the plane, from their distances."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphquant._equality import ByContent
from graphquant._typing import FloatArray, IntArray
from graphquant.graphs import GraphCollection
from graphquant.plotting._layout import classical_mds, smacof

if TYPE_CHECKING:
    from graphquant.matching import MatcherLike

_MAX_ITER = 60
# Drawn distance of a graph from its code graph, as a share of their distance.
_NEARNESS = 0.35
# More code graphs than this add little to a map, and each costs one matching per graph.
_MAX_LANDMARKS = 24
_SMALL_ORDER = 12


@dataclass(frozen=True, eq=False)
class Embedding(ByContent):
    """Points of the plane whose distances approximate those of graphs.

    Attributes
    ----------
    codes : ndarray of shape (k, 2)
    graphs : ndarray of shape (N, 2)
    error : float
        Size of the errors of the drawn distances of code graphs, as a share of the distances; 0 means an
        exact map.
    """

    codes: FloatArray
    graphs: FloatArray
    error: float


def map_graphs(
    codebook: GraphCollection, X: GraphCollection, labels: IntArray, distances: FloatArray
) -> Embedding:
    """Place graphs and code graphs in the plane.

    Parameters
    ----------
    codebook, X : GraphCollection
    labels, distances : arrays of shape (N,)
        Code graph of each graph, and the distance to it.

    Notes
    -----
    The other distances are matched quickly, not exactly: a map is a sketch. If the codebook is large,
    each graph is matched with its own code graph and a few code graphs that are far apart.

    Examples
    --------
    >>> import graphquant as gq
    >>> c = gq.GraphCollection([gq.Graph([0.0]), gq.Graph([4.0])])
    >>> found = map_graphs(c, c, np.array([0, 1]), np.zeros(2))
    >>> np.allclose(found.codes, found.graphs, atol=1e-2)
    True
    """
    from graphquant.matching import pairwise_distances

    matcher = _quick_matcher(X)
    between = pairwise_distances(codebook, matcher=matcher)
    landmarks = _far_apart(between, _MAX_LANDMARKS)
    known = np.full((len(X), len(codebook)), np.nan)
    known[:, landmarks] = pairwise_distances(X, codebook[landmarks], matcher=matcher)
    known[np.arange(len(X)), labels] = distances
    return embed(between, known)


def _quick_matcher(X: GraphCollection) -> "MatcherLike":
    """Return a matcher that finds good mappings of these graphs quickly, without proving them."""
    from graphquant.matching import AutoMatcher, FrankWolfe

    # One start of six: on molecules the map looks the same after a quarter of the time.
    return AutoMatcher(node_limit=20) if X.max_order <= _SMALL_ORDER else FrankWolfe(n_starts=1)


def embed(code_distances: FloatArray, graph_distances: FloatArray) -> Embedding:
    """Place code graphs by their distances, and every graph by its distances to the code graphs.

    Code graphs are placed by classical scaling, then relative stress is reduced. With them fixed, each
    graph starts where landmark scaling puts it (de Silva and Tenenbaum) and moves to reduce its own relative
    stress: small distances count most. A graph differs from all code graphs by features that only it has;
    the plane cannot show these, so most of that part is subtracted from all of its distances, and it is drawn
    next to its own code graph, on the side of those that it resembles.

    Parameters
    ----------
    code_distances : array of shape (k, k)
    graph_distances : array of shape (N, k)
        NaN where a distance is unknown.

    Examples
    --------
    >>> found = embed(np.array([[0.0, 4.0], [4.0, 0.0]]), np.array([[1.0, 4.0], [1.0, 3.5]]))
    >>> np.linalg.norm(found.codes[0] - found.graphs, axis=1).round(1).tolist()
    [0.3, 0.4]
    """
    if len(code_distances) == 1:
        return Embedding(np.zeros((1, 2)), _around(graph_distances[:, 0]), 0.0)
    between = 0.5 * (code_distances + code_distances.T)
    codes = smacof(between, classical_mds(between))
    start = _triangulate(codes, between, graph_distances)
    graphs = _settle(codes, _without_common_part(graph_distances), start)
    return Embedding(codes, graphs, _error(codes, between))


def _far_apart(distances: FloatArray, count: int) -> IntArray:
    """Choose code graphs one by one, each the furthest from those before it."""
    if len(distances) <= count:
        return np.arange(len(distances))
    chosen = [int(distances.sum(axis=1).argmin())]
    nearest = distances[chosen[0]].copy()
    while len(chosen) < count:
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, distances[chosen[-1]])
    return np.array(sorted(chosen))


def _triangulate(codes: FloatArray, between: FloatArray, graph_distances: FloatArray) -> FloatArray:
    """Landmark scaling: the linear map from squared distances to the plane of the code graphs."""
    landmarks = ~np.isnan(graph_distances).any(axis=0)
    centre = codes[landmarks].mean(axis=0)
    expected = (between[np.ix_(landmarks, landmarks)] ** 2).mean(axis=0)
    difference = graph_distances[:, landmarks] ** 2 - expected
    points: FloatArray = -0.5 * difference @ np.linalg.pinv(codes[landmarks] - centre).T + centre
    return points


def _without_common_part(graph_distances: FloatArray) -> FloatArray:
    nearest = np.nanmin(graph_distances, axis=1, keepdims=True)
    common = (1.0 - _NEARNESS**2) * nearest**2
    reduced: FloatArray = np.sqrt(graph_distances**2 - common)
    return reduced


def _settle(codes: FloatArray, graph_distances: FloatArray, points: FloatArray) -> FloatArray:
    """Reduce the relative stress of each graph by majorisation; code graphs stay fixed."""
    scale = float(np.nanmedian(graph_distances)) if graph_distances.size else 0.0
    smallest = 1e-3 * (scale or 1.0)
    goal = np.maximum(np.nan_to_num(graph_distances), smallest)
    weights = np.where(np.isnan(graph_distances), 0.0, goal**-4.0)
    weights /= weights.sum(axis=1, keepdims=True)
    for _ in range(_MAX_ITER):
        offset = points[:, None] - codes[None]
        length = np.maximum(np.linalg.norm(offset, axis=2), 1e-3 * smallest)
        pulled = codes[None] + offset * (goal / length)[:, :, None]
        points = (weights[:, :, None] * pulled).sum(axis=1)
    return points


def _error(points: FloatArray, distances: FloatArray) -> float:
    drawn = np.linalg.norm(points[:, None] - points[None], axis=2)
    total = float((distances**2).sum())
    return float(np.sqrt(((drawn - distances) ** 2).sum() / total)) if total else 0.0


def _around(radius: FloatArray) -> FloatArray:
    """With one code graph only the distance from it is known: spread the graphs around it."""
    angle = np.arange(len(radius)) * 2.399963  # the golden angle
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


__all__ = ["Embedding", "embed", "map_graphs"]
