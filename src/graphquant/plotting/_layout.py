"""Where to draw nodes: a deterministic layout for graphs that have no coordinates.

Nodes are placed so that their distances in the plane approximate the lengths of the shortest paths
between them (Kamada and Kawai). The stress is reduced by majorisation (SMACOF), which never increases it.
"""

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.graphs import Graph

# An edge of full strength is one unit long; a faint one of a mean graph is longer, up to this.
_LONGEST_EDGE = 2.0
# Weaker edges count only where nothing else joins their nodes.
_STRONG = 0.5
# Gap between components, in edge lengths.
_GAP = 1.2
_MAX_ITER = 120
_POWER_ITER = 30
# A layout begins in space. After so many steps the third axis shrinks by a factor in each further one.
_FREE, _FLATTENING, _PRESSED = 6, 60, 0.93
# Stop when the stress decreases by less than this share of its value with all nodes on one point.
_TOLERANCE = 1e-6
# Beyond this order the start, from one eigenvalue problem, is the layout.
_MAX_REFINED = 400
# A layout that follows another may have this much more stress than an independent one.
_TANGLE = 1.15


def layout(graph: Graph, strength: FloatArray | None = None) -> FloatArray:
    """Place the nodes of a graph in the plane; an edge is about one unit long.

    Parameters
    ----------
    graph : Graph
    strength : array of shape (n_edges,), optional
        How much each edge counts, from 0 to 1; weak edges are drawn longer. By default all count fully.

    Returns
    -------
    ndarray of shape (n, 2)
        Centred on zero, the longest axis horizontal.

    Examples
    --------
    >>> import graphquant as gq
    >>> path = gq.Graph([1.0, 1.0, 1.0], [(0, 1), (1, 2)])
    >>> abs(layout(path)[:, 0].round(1)).tolist()
    [1.0, 0.0, 1.0]
    """
    if graph.order < 2:
        return np.zeros((graph.order, 2))
    lengths = _path_lengths(graph, strength)
    positions = _refined(
        lengths, _start(lengths) if len(lengths) <= _MAX_REFINED else _scaled(lengths)[:, :2]
    )
    return _turned(positions - positions.mean(axis=0))


def layout_like(
    graph: Graph, mapping: IntArray, other: FloatArray, strength: FloatArray | None = None
) -> FloatArray:
    """Place a graph like the one that it is matched with, so that they are easy to compare.

    Parameters
    ----------
    graph : Graph
    mapping : array of int of shape (n,)
        Position in the other graph of each node; beyond its nodes are zero nodes.
    other : array of shape (m, 2)
        Positions of the nodes of the other graph.
    strength : array of shape (n_edges,), optional

    Examples
    --------
    >>> import graphquant as gq
    >>> path = gq.Graph([1.0, 1.0, 1.0], [(0, 1), (1, 2)])
    >>> upright = np.array([[5.0, 0.0], [5.0, 1.0], [5.0, 2.0]])
    >>> np.allclose(layout_like(path, np.array([0, 1, 2]), upright), upright, atol=0.1)
    True
    """
    matched = np.flatnonzero(mapping < len(other))
    goal = other[mapping[matched]]
    placed = layout(graph, strength)
    if graph.order < 2 or len(matched) == 0:
        return align(placed, matched, goal)
    lengths = _path_lengths(graph, strength)
    start = align(placed, matched, goal)
    start[matched] = goal
    following = _refined(lengths, start + 0.01 * _spiral(graph.order))
    # With a poor match the layout of the other graph would tangle this one.
    if _stress(lengths, following) < _TANGLE * _stress(lengths, placed):
        placed = following
    return align(placed, matched, goal)


def align(positions: FloatArray, own: IntArray, other: FloatArray) -> FloatArray:
    """Rotate, mirror and move a layout so that the nodes ``own`` are close to the points ``other``.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    >>> np.allclose(align(-square, np.array([0, 1, 2]), square), square)
    True
    """
    if len(own) == 0:
        return positions
    centre, goal = positions[own].mean(axis=0), other.mean(axis=0)
    left, _, right = np.linalg.svd((positions[own] - centre).T @ (other - goal))
    moved: FloatArray = (positions - centre) @ (left @ right) + goal
    return moved


def classical_mds(distances: FloatArray, n_dims: int = 2) -> FloatArray:
    """Return points whose Euclidean distances approximate the given ones (Torgerson).

    Examples
    --------
    >>> points = classical_mds(np.array([[0.0, 2.0], [2.0, 0.0]]))
    >>> round(float(np.linalg.norm(points[0] - points[1])), 6)
    2.0
    """
    squared = distances**2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-0.5 * centred)
    points = np.zeros((len(distances), n_dims))
    used = min(n_dims, len(values))
    largest = values[::-1][:used]
    points[:, :used] = _fixed_signs(vectors[:, ::-1][:, :used]) * np.sqrt(np.maximum(largest, 0.0))
    return points


def smacof(
    distances: FloatArray, start: FloatArray, *, max_iter: int = _MAX_ITER, tol: float = _TOLERANCE
) -> FloatArray:
    """Reduce the stress ``sum (|p_i - p_j| / d_ij - 1)^2`` from a start until it hardly decreases.

    Examples
    --------
    >>> triangle = np.ones((3, 3)) - np.eye(3)
    >>> points = smacof(triangle, np.array([[0.0, 0.0], [1.0, 0.1], [2.0, 0.0]]))
    >>> round(float(np.linalg.norm(points[0] - points[1])), 2)
    1.0
    """
    weights = _weights(distances)
    if not weights.any():
        return start
    inverse, goal = _inverse_laplacian(weights), weights * distances
    # The stress if all points coincide.
    floor = float((goal * distances).sum())
    positions = start
    before = np.inf
    for _ in range(max_iter):
        current = _distances(positions)
        stress = floor + float((weights * current**2).sum() - 2.0 * (goal * current).sum())
        if before - stress <= tol * floor:
            break
        before = stress
        positions = _majorised(positions, inverse, goal, current)
    return positions


def _inverse_laplacian(weights: FloatArray) -> FloatArray:
    laplacian = np.diag(weights.sum(axis=1)) - weights
    # The constant vector spans the null space: shifting it away makes the matrix invertible.
    return np.asarray(np.linalg.inv(laplacian + 1.0 / len(weights)), dtype=np.float64)


def _majorised(
    positions: FloatArray, inverse: FloatArray, goal: FloatArray, current: FloatArray | None = None
) -> FloatArray:
    """Return the next positions of majorisation; ``goal`` is weights times distances."""
    ratio = goal / np.maximum(_distances(positions) if current is None else current, 1e-9)
    moved: FloatArray = inverse @ (ratio.sum(axis=1)[:, None] * positions - ratio @ positions)
    return moved


def _distances(points: FloatArray) -> FloatArray:
    norms = (points**2).sum(axis=1)
    squared = norms[:, None] + norms[None, :] - 2.0 * points @ points.T
    distances: FloatArray = np.sqrt(np.maximum(squared, 0.0))
    return distances


def _refined(lengths: FloatArray, start: FloatArray) -> FloatArray:
    return smacof(lengths, start) if len(lengths) <= _MAX_REFINED else start


def _stress(lengths: FloatArray, positions: FloatArray) -> float:
    # One node that is off by a tenth of an edge is not visible.
    return 0.01 + float((_weights(lengths) * (_distances(positions) - lengths) ** 2).sum())


def _weights(distances: FloatArray) -> FloatArray:
    """Relative errors count, and points without distance do not."""
    apart = distances > 0
    weights: FloatArray = np.where(apart, np.where(apart, distances, 1.0) ** -2.0, 0.0)
    return weights


def _start(lengths: FloatArray) -> FloatArray:
    """Place nodes in space, and press them flat while they find their places.

    In the plane a ring that is twisted stays so; in space it untwists.
    """
    weights = _weights(lengths)
    if not weights.any():
        return _scaled(lengths)[:, :2]
    inverse, goal = _inverse_laplacian(weights), weights * lengths
    positions = _scaled(lengths)
    for step in range(_FLATTENING):
        positions = _majorised(positions, inverse, goal)
        if step >= _FREE:
            positions[:, 2] *= _PRESSED
    return positions[:, :2]


def _scaled(lengths: FloatArray) -> FloatArray:
    """Classical scaling by a few power iterations; libraries for eigenvalues are slow on tiny matrices."""
    n = len(lengths)
    squared = lengths**2
    centred = -0.5 * (squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean())
    spiral = _spiral(n)
    # Nodes of a symmetric graph may coincide, and would never separate: majorisation moves them together.
    apart = np.column_stack([spiral, spiral[::-1, 0]])
    axes: FloatArray = apart.copy()
    for _ in range(_POWER_ITER):
        axes = centred @ axes
        longest = float(np.sqrt(axes[:, 0] @ axes[:, 0])) or 1.0
        for i in range(3):
            axes[:, i] -= axes[:, :i] @ (axes[:, :i].T @ axes[:, i])
            # On a line only rounding is left for the other axes.
            axes[:, i] /= max(float(np.sqrt(axes[:, i] @ axes[:, i])), 1e-9 * longest)
    scale = np.sqrt(np.maximum(np.einsum("id,ij,jd->d", axes, centred, axes), 0.0))
    placed: FloatArray = axes * scale + 0.01 * apart
    return placed


def _path_lengths(graph: Graph, strength: FloatArray | None) -> FloatArray:
    """Lengths of shortest paths; components keep a distance by their size."""
    from scipy.sparse.csgraph import csgraph_from_dense, shortest_path

    weight = np.ones(graph.n_edges) if strength is None else np.clip(strength, 0.0, 1.0)
    start, end = graph.edges.T
    # Both directions of a directed edge may be there: the stronger one counts.
    joined = np.zeros((graph.order, graph.order))
    np.maximum.at(joined, (start, end), weight)
    joined = np.maximum(joined, joined.T)
    if (weight < _STRONG).any():
        joined = _backbone(joined)
    length = np.where(joined > 0, np.minimum(1.0 / np.sqrt(np.maximum(joined, 1e-9)), _LONGEST_EDGE), np.inf)
    lengths: FloatArray = shortest_path(csgraph_from_dense(length, null_value=np.inf), directed=False)
    return _bridge_components(lengths)


def _backbone(joined: FloatArray) -> FloatArray:
    """Drop weak edges that connect nothing new: a mean has many, and they would make it a ball."""
    from scipy.sparse.csgraph import csgraph_from_dense, minimum_spanning_tree

    cost = np.where(joined > 0, 2.0 - joined, np.inf)
    tree = minimum_spanning_tree(csgraph_from_dense(cost, null_value=np.inf)).toarray() > 0
    kept: FloatArray = np.where((joined >= _STRONG) | tree | tree.T, joined, 0.0)
    return kept


def _bridge_components(lengths: FloatArray) -> FloatArray:
    apart = np.isinf(lengths)
    if not apart.any():
        return lengths
    radius = np.where(apart, 0.0, lengths).max(axis=1) / 2.0
    bridged = radius[:, None] + radius[None, :] + _GAP
    return np.where(apart, bridged, lengths)


def _turned(positions: FloatArray) -> FloatArray:
    """Rotate a layout so that its longest axis is horizontal."""
    _, vectors = np.linalg.eigh(positions.T @ positions)
    turned: FloatArray = positions @ _fixed_signs(vectors[:, ::-1])
    return turned


def _fixed_signs(vectors: FloatArray) -> FloatArray:
    """Flip eigenvectors so that their largest entry is positive: their sign depends on the machine."""
    largest = np.abs(np.round(vectors, 9)).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)


def _spiral(n: int) -> FloatArray:
    """Different points around zero, the same ones every time."""
    angle = np.arange(n) * 2.399963  # the golden angle
    radius = np.sqrt((np.arange(n) + 0.5) / n)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


__all__ = ["align", "classical_mds", "layout", "layout_like", "smacof"]
