"""Whether clusters only part small graphs from large ones."""

from typing import Any

import numpy as np

from graphquant.exceptions import InvalidParameterError


def size_dependence(labels: Any, orders: Any) -> float:
    """Return how much of a clustering the sizes of the graphs alone explain.

    It is the mutual information of clusters and sizes as a share of the entropy of the clusters, adjusted
    for chance: 0 if clusters have nothing to do with size, 1 if size decides them. Above one half, the
    clusters are mostly a partition by size; an encoder with ``unit_norm=True`` compares graphs by
    their composition.

    Parameters
    ----------
    labels : array-like of shape (n_graphs,)
        Cluster of each graph, such as ``labels_`` of a quantizer.
    orders : array-like of int of shape (n_graphs,)
        Number of nodes of each graph, such as ``graphs.orders``.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> from graphquant.metrics import size_dependence
    >>> size_dependence([0, 0, 0, 1, 1, 1], [3, 4, 3, 8, 9, 8])
    1.0
    >>> size_dependence([0, 1, 0, 1], [3, 3, 8, 8])
    0.0
    """
    from scipy.stats import entropy
    from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

    clusters, sizes = np.asarray(labels), np.asarray(orders)
    if clusters.shape != sizes.shape or clusters.ndim != 1:
        raise InvalidParameterError(
            f"labels have the shape {clusters.shape}, orders {sizes.shape}.",
            "Give one of each for each graph.",
        )
    if len(np.unique(clusters)) < 2 or len(np.unique(sizes)) < 2:
        return 0.0
    table = contingency_matrix(clusters, sizes, sparse=True).astype(np.int64)
    expected = float(expected_mutual_information(table, len(clusters)))
    whole = float(entropy(np.asarray(table.sum(axis=1)).ravel()))
    known = whole + float(entropy(np.asarray(table.sum(axis=0)).ravel())) - float(entropy(table.data))
    room = whole - expected
    return float(np.clip((known - expected) / room, 0.0, 1.0)) if room > 1e-12 else 0.0


__all__ = ["size_dependence"]
