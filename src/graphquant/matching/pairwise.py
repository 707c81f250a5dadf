"""Distances of many pairs, in blocks over threads."""

import logging
from typing import Any

import numpy as np

from graphquant._progress import progress_bar
from graphquant._typing import FloatArray
from graphquant.bounds import check_pairs
from graphquant.matching.base import Matches
from graphquant.matching.engine import Problem, run
from graphquant.matching.given import together
from graphquant.matching.registry import MatcherLike, get_matcher

logger = logging.getLogger("graphquant")


def pairwise_distances(
    X: Any,
    Y: Any = None,
    *,
    matcher: MatcherLike = "auto",
    order: int | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> FloatArray:
    """Return the matrix of distances between the graphs of X and those of Y (or of X again).

    Parameters
    ----------
    X, Y : collections of graphs in any form: data sets, vectors, networkx, molecules
        Without Y each pair of X is matched once, and the matrix is symmetric. Named attributes are encoded,
        those of Y like those of X.
    matcher : str or Matcher, default="auto"
    order : int, optional
        Order of the graph space; by default that of the largest graph of X and Y.
    n_jobs : int, optional
        Threads; by default all cores. The result does not depend on it.
    progress : bool, default=False
        Show progress on stderr: a bar on a terminal, else an occasional line.

    Returns
    -------
    ndarray of shape (len(X), len(Y))

    Notes
    -----
    The share of proven distances is logged at level INFO; :func:`match_all` returns it for each pair.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.pairwise_distances([gq.Graph([0.0]), gq.Graph([3.0]), gq.Graph([5.0])]).tolist()
    [[0.0, 3.0, 5.0], [3.0, 0.0, 2.0], [5.0, 2.0, 0.0]]
    """
    left, right = together(X, Y)
    if right is None:
        rows, columns = np.triu_indices(len(left), k=1)
        found = match_all(left, left, np.column_stack([rows, columns]), matcher, order, n_jobs, progress)
        result = np.zeros((len(left), len(left)))
        result[rows, columns] = found.distance
        result[columns, rows] = found.distance
    else:
        rows, columns = np.divmod(np.arange(len(left) * len(right)), max(len(right), 1))
        found = match_all(left, right, np.column_stack([rows, columns]), matcher, order, n_jobs, progress)
        result = found.distance.reshape(len(left), len(right))
    logger.info(
        "%d distances, %.1f %% proven", len(found), 100.0 * found.proven.mean() if len(found) else 100.0
    )
    return result


def match_all(
    X: Any,
    Y: Any,
    pairs: Any,
    matcher: MatcherLike = "auto",
    order: int | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
    *,
    mappings: bool = False,
) -> Matches:
    """Match the given pairs of graph numbers and return distances, bounds and proofs as arrays.

    Examples
    --------
    >>> import graphquant as gq
    >>> c = gq.GraphCollection([gq.Graph([0.0]), gq.Graph([3.0])])
    >>> gq.match_all(c, c, [(0, 1), (1, 1)]).distance.tolist()
    [3.0, 0.0]
    """
    left, right = together(X, None if X is Y else Y)
    problem = Problem(left, left if right is None else right, order)
    numbers = check_pairs(pairs, len(problem.X), len(problem.Y))
    with progress_bar(len(numbers), progress) as advance:
        return run(
            get_matcher(matcher), problem, numbers, mappings=mappings, n_jobs=n_jobs, on_progress=advance
        )


__all__ = ["match_all", "pairwise_distances", "progress_bar"]
