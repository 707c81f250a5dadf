"""Graph edit distances of many pairs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant._equality import ByContent
from graphquant._progress import progress_bar
from graphquant._typing import BoolArray, FloatArray
from graphquant.edit.given import check_costs, fitted_costs, given_graphs
from graphquant.edit.matching import Found, check_threshold, edit_matcher, match_edits
from graphquant.graphs import GraphCollection, RawGraphs
from graphquant.matching import MatcherLike
from graphquant.preprocessing import EditCosts

# Search nodes of one pair, of many.
NODE_LIMIT_OF_MANY = 10_000


@dataclass(frozen=True, eq=False)
class EditDistances(ByContent):
    """Graph edit distances of all pairs, as arrays of shape (len(X), len(Y)).

    Attributes
    ----------
    distances : ndarray
        The edit distance, or, where not proven, the cost of the edits found; inf where bounds show that
        it is more than the threshold, and no edits were looked for.
    lower_bounds : ndarray
        Certified lower bounds of the edit distances.
    proven : ndarray of bool
        Whether the two are equal.
    is_within : ndarray of float or None
        With a threshold: 1 where the edit distance is at most that, 0 where it is more, NaN where that is
        not known.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.pairwise_edit_distances(["CCO", "CCN", "CC"])
    EditDistances(3 x 3, 100.0% proven)
    """

    distances: FloatArray
    lower_bounds: FloatArray
    proven: BoolArray
    is_within: FloatArray | None = None

    def __repr__(self) -> str:
        n, m = self.distances.shape
        share = self.proven.mean() if self.proven.size else 1.0
        return f"EditDistances({n} x {m}, {share:.1%} proven)"


def pairwise_edit_distances(
    X: Any,
    Y: Any = None,
    costs: EditCosts | None = None,
    *,
    threshold: float | None = None,
    node_limit: int | None = NODE_LIMIT_OF_MANY,
    time_limit: float | None = None,
    matcher: MatcherLike = "auto",
    n_jobs: int | None = None,
    progress: bool = False,
) -> EditDistances:
    """Return the graph edit distances between the graphs of X and those of Y (or of X again).

    Parameters
    ----------
    X, Y : collections of graphs in any form
        Without Y each pair of X is matched once.
    costs : EditCosts, optional
        By default every edit costs 1.
    threshold : float, optional
        Only find out which distances are at most this.
    node_limit : int or None, default=10_000
        Most nodes in the search tree of a pair; pairs whose smaller graph has at most 8 nodes have no limit.
    time_limit : float, optional
        The same in seconds for one pair; results then depend on the machine.
    matcher : str or Matcher, default="auto"
    n_jobs : int, optional
        Threads; by default all cores. The result does not depend on it.
    progress : bool, default=False
        Show progress on stderr.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.pairwise_edit_distances(["CCO", "CCN"], ["CC", "CCC"]).distances.tolist()
    [[2.0, 1.0], [2.0, 1.0]]
    """
    check_threshold(threshold)
    left, right, fitted = encoded_together(X, Y, check_costs(costs))
    if right is None:
        rows, columns = np.triu_indices(len(left), k=1)
    else:
        rows, columns = np.divmod(np.arange(len(left) * len(right)), max(len(right), 1))
    with progress_bar(len(rows), progress) as advance:
        found = match_edits(
            left,
            left if right is None else right,
            np.column_stack([rows, columns]),
            fitted,
            edit_matcher(matcher, node_limit, time_limit),
            threshold,
            n_jobs=n_jobs,
            advance=advance,
        )
    if right is None:
        return _symmetric(found, rows, columns, len(left), threshold)
    shape = (len(left), len(right))
    within = None if threshold is None else found.is_within.reshape(shape)
    return EditDistances(
        found.distance.reshape(shape), found.lower_bound.reshape(shape), found.proven.reshape(shape), within
    )


def encoded_together(
    X: Any, Y: Any, costs: EditCosts
) -> tuple[GraphCollection, GraphCollection | None, EditCosts]:
    """Encode both sides by costs that know all their labels."""
    left = given_graphs(X).raw
    if Y is None:
        fitted = fitted_costs(costs, left)
        return fitted.transform(left), None, fitted
    right = given_graphs(Y).raw
    fitted = fitted_costs(costs, RawGraphs.concatenate([left, right]))
    return fitted.transform(left), fitted.transform(right), fitted


def _symmetric(found: Found, rows: Any, columns: Any, n: int, threshold: float | None) -> EditDistances:
    def square(values: Any, diagonal: float) -> Any:
        result = np.full((n, n), diagonal, dtype=values.dtype)
        result[rows, columns] = result[columns, rows] = values
        return result

    within = None if threshold is None else square(found.is_within, 1.0)
    return EditDistances(
        square(found.distance, 0.0), square(found.lower_bound, 0.0), square(found.proven, True), within
    )


__all__ = ["NODE_LIMIT_OF_MANY", "EditDistances", "encoded_together", "pairwise_edit_distances"]
