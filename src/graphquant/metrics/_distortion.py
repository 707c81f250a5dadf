"""Distortion in its two forms, which are never mixed."""

from typing import Any

import numpy as np

from graphquant._typing import FloatArray
from graphquant.exceptions import InvalidParameterError


def distortion(distances: Any) -> float:
    r"""Half the sum of squared distances of graphs to their nearest code graphs.

    .. math:: \hat D = \frac{1}{2} \sum_{i=1}^N \min_{1 \le j \le k} d(X_i, Y_j)^2

    Parameters
    ----------
    distances : array-like of shape (n_graphs,) or (n_graphs, n_codes)
        Distances to the nearest code graphs, as in ``Encoding.distance``, or to all code graphs, as
        :meth:`graphquant.GraphQuantizer.transform` returns them.

    Returns
    -------
    float

    Notes
    -----
    The paper prints this formula without the square, but the numbers in the rows "error" of its Table 2
    are on the scale of the squared form. :func:`mean_distance` is the form without the square.

    Examples
    --------
    >>> from graphquant.metrics import distortion
    >>> distortion([3.0, 1.0])
    5.0
    >>> distortion([[3.0, 4.0], [2.0, 1.0]])  # 3 and 1 are the nearest
    5.0
    """
    nearest = _nearest(distances)
    return 0.5 * float(nearest @ nearest)


def mean_distance(distances: Any) -> float:
    r"""Return the mean distance of graphs to their nearest code graphs, in the unit of the attributes.

    .. math:: \frac{1}{N} \sum_{i=1}^N \min_{1 \le j \le k} d(X_i, Y_j)

    Parameters
    ----------
    distances : array-like of shape (n_graphs,) or (n_graphs, n_codes)
        As in :func:`distortion`.

    Returns
    -------
    float

    Examples
    --------
    >>> from graphquant.metrics import mean_distance
    >>> mean_distance([3.0, 1.0])
    2.0
    """
    return float(_nearest(distances).mean())


def _nearest(distances: Any) -> FloatArray:
    """Distances to the nearest code graphs, checked."""
    found = np.asarray(distances, dtype=np.float64)
    if found.ndim not in (1, 2) or found.size == 0 or not (found >= 0.0).all():
        raise InvalidParameterError(
            f"distances of shape {found.shape} are not accepted.",
            "Give numbers of at least 0, one per graph or one for each graph and code graph.",
        )
    return found if found.ndim == 1 else np.asarray(found.min(axis=1))


__all__ = ["distortion", "mean_distance"]
