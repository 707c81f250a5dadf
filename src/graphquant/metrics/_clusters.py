"""Measures of clusters: agreement with known classes, and compactness."""

import warnings
from typing import Any

import numpy as np

from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.exceptions import InvalidParameterError


def majority_accuracy(*positional: Any, labels: Any = None, targets: Any = None) -> float:
    """Share of graphs that belong to the most frequent class of their cluster.

    Both are passed by name: if swapped, they would give a different number without an error.

    Each cluster represents the majority class of its members (the measure is also called purity). It grows
    with the number of clusters: compare it at equal numbers.

    Parameters
    ----------
    labels : array-like of shape (n_graphs,)
        Cluster of each graph, such as ``labels_`` of a quantizer.
    targets : array-like of shape (n_graphs,)
        Class of each graph: numbers or names.

    Returns
    -------
    float
        From 1 / n_graphs to 1.

    Examples
    --------
    >>> from graphquant.metrics import majority_accuracy
    >>> majority_accuracy(labels=[0, 0, 0, 1], targets=["A", "A", "B", "B"])
    0.75
    """
    if positional:
        labels, targets = _by_position(positional, labels, targets)
    cluster, class_ = _numbered("labels", labels), _numbered("targets", targets)
    if len(cluster) != len(class_):
        raise InvalidParameterError(
            f"There are {len(cluster)} labels but {len(class_)} targets.",
            "Give one label and one target for each graph.",
        )
    counts = np.zeros((int(cluster.max()) + 1, int(class_.max()) + 1), dtype=np.int64)
    np.add.at(counts, (cluster, class_), 1)
    return float(counts.max(axis=1).sum() / len(cluster))


def _by_position(positional: tuple[Any, ...], labels: Any, targets: Any) -> tuple[Any, Any]:
    """Accept arguments as version 1.0 did, with a deprecation warning."""
    if len(positional) > 2 or labels is not None or (len(positional) == 2 and targets is not None):
        raise InvalidParameterError(
            "majority_accuracy got more arguments than labels and targets.",
            "Write majority_accuracy(labels=..., targets=...).",
        )
    warnings.warn(
        "majority_accuracy takes its arguments by name: majority_accuracy(labels=..., targets=...). "
        "Passing them by position will be an error in version 3.",
        FutureWarning,
        stacklevel=3,
    )
    return positional[0], positional[1] if len(positional) == 2 else targets


def silhouette_index(distances: Any, labels: Any) -> float:
    r"""Mean silhouette of clusters, as in the paper's appendix.

    The width of graph :math:`X_i` compares its mean distance :math:`a_i` to the other members of its own
    cluster with the least mean distance :math:`b_i` to the members of another one:

    .. math:: s_i = \frac{b_i - a_i}{\max(a_i, b_i)}, \qquad
              S_j = \frac{1}{|C_j|} \sum_{X_i \in C_j} s_i, \qquad
              \mathfrak S = \frac{1}{k} \sum_{j=1}^k S_j

    Parameters
    ----------
    distances : array-like of shape (n_graphs, n_graphs)
        Distances between all graphs, as :func:`graphquant.pairwise_distances` returns them. The diagonal is
        ignored.
    labels : array-like of shape (n_graphs,)
        Cluster of each graph.

    Returns
    -------
    float
        From -1 to 1; near 1 for compact clusters that are well separated.

    Raises
    ------
    InvalidParameterError
        Also if all graphs are in one cluster: there is no other cluster to compare with.

    Notes
    -----
    What the appendix leaves open:

    - a graph alone in its cluster has no :math:`a_i`; its width is 0, as Rousseeuw (1987) and scikit-learn
      define it;
    - a graph with :math:`a_i = b_i = 0` has width 0;
    - an empty cluster has no silhouette: k is the number of clusters that have members.

    scikit-learn's ``silhouette_score`` is the mean over graphs instead of clusters; the two agree if all
    clusters have the same size.

    References
    ----------
    P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster
    analysis", J. Comput. Appl. Math. 20, 1987.

    Examples
    --------
    >>> from graphquant.metrics import silhouette_index
    >>> distances = [[0, 1, 4, 5], [1, 0, 3, 4], [4, 3, 0, 1], [5, 4, 1, 0]]  # points 0, 1, 4, 5
    >>> round(silhouette_index(distances, [0, 0, 1, 1]), 4)  # mean of 1 - 1 / 4.5 and 1 - 1 / 3.5
    0.746
    """
    cluster = _numbered("labels", labels)
    d = _square(distances, len(cluster))
    sizes = np.bincount(cluster)
    if len(sizes) < 2:
        raise InvalidParameterError(
            "All graphs are in one cluster, so there is no other cluster to compare with.",
            "The silhouette needs at least two clusters.",
        )
    widths = _widths(d, cluster, sizes)
    return float((np.bincount(cluster, weights=widths) / sizes).mean())


def _widths(d: FloatArray, cluster: IntArray, sizes: IntArray) -> FloatArray:
    """Return the silhouette width of each graph; d has zeros on its diagonal."""
    graphs = np.arange(len(cluster))
    members = np.zeros((len(cluster), len(sizes)))
    members[graphs, cluster] = 1.0
    total = d @ members
    mean = total / sizes
    mean[graphs, cluster] = np.inf
    others = sizes[cluster] - 1
    a = total[graphs, cluster] / np.maximum(others, 1)
    b = mean.min(axis=1)
    larger = np.maximum(a, b)
    defined = (others > 0) & (larger > 0.0)
    return np.where(defined, (b - a) / np.where(defined, larger, 1.0), 0.0)


def _square(distances: Any, n_graphs: int) -> FloatArray:
    d = np.array(distances, dtype=np.float64)
    if d.shape != (n_graphs, n_graphs) or not (d >= 0.0).all():
        raise InvalidParameterError(
            f"distances of shape {d.shape} do not fit {n_graphs} labels.",
            f"Give a matrix of {n_graphs} x {n_graphs} numbers of at least 0.",
        )
    np.fill_diagonal(d, 0.0)
    return d


def _numbered(name: str, values: Any) -> IntArray:
    """Replace distinct values by numbers from 0, without gaps."""
    given: AnyArray = np.asarray(values)
    if given.ndim != 1 or len(given) == 0:
        raise InvalidParameterError(
            f"{name} of shape {given.shape} are not accepted.",
            f"Give {name} as a list with one entry per graph.",
        )
    return np.unique(given, return_inverse=True)[1].astype(np.int64)


__all__ = ["majority_accuracy", "silhouette_index"]
