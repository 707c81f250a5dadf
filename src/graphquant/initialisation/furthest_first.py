"""Furthest-first: each code is the training graph that the previous codes represent worst."""

import numpy as np

from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant.averaging import mean
from graphquant.bounds import class_capacity, lower_bounds
from graphquant.graphs import Graph, GraphCollection
from graphquant.initialisation.distances import AT_ONCE, Distances
from graphquant.initialisation.start import Start
from graphquant.initialisation.table import OPEN, Table
from graphquant.matching.engine import Problem, run
from graphquant.matching.pairwise import progress_bar

# If there are more graphs than this, the sample mean is that of a random sample.
MEAN_SAMPLE = 1000
# The mean only has to show which graph is in the middle.
_MEAN_TOL = 1e-2
# Pairs matched together: at least this many, and more for many graphs, where bookkeeping costs more.
_BATCH, _BATCH_SHARE = 8, 256
_NEAREST_BATCH = 64


def choose_furthest_first(distances: Distances, n_codes: int, rng: np.random.Generator) -> Start:
    """Choose the graph nearest to the sample mean, then always argmax_X min_Y d(X, Y).

    Ties go to the lowest index. Distances are evaluated only if they can matter: the smallest known distance
    of a graph is an upper bound of min_Y d, and a graph whose upper bound is below another graph's minimum
    cannot be the furthest one. Lower bounds avoid most of the rest. The codes are the same as with all
    distances.
    """
    table = Table(distances, n_codes)
    first = table.add(_most_central(distances, rng))
    others = np.flatnonzero(~table.is_chosen)
    if n_codes > 1:
        table.match(others, np.full(len(others), first))
    with progress_bar(n_codes - 1, distances.progress, "Choosing codes") as advance:
        for _ in range(1, n_codes):
            table.add(_furthest(table))
            if advance is not None:
                advance(1)
    return table.start()


def _furthest(table: Table) -> int:
    """Return the training graph with the largest min_Y d."""
    size = max(_BATCH, len(table.nearest) // _BATCH_SHARE)
    while True:
        rows = _largest(np.where(table.is_chosen, -1.0, table.nearest), size)
        _bound_open_pairs(table, rows)
        undecided = table.undecided(rows)
        decided: BoolArray = np.logical_not(undecided.any(axis=1))
        if decided[0]:
            return int(rows[0])
        # Graphs after a decided one are nearer than it: their minimum does not matter.
        ahead = int(decided.argmax()) if decided.any() else len(rows)
        rows, undecided = rows[:ahead], undecided[:ahead]
        bounds = np.where(undecided, table.lower[rows, : len(table.chosen)], np.inf)
        table.match(rows, bounds.argmin(axis=1))


def _bound_open_pairs(table: Table, rows: IntArray) -> None:
    is_open = table.undecided(rows) & (table.state[rows, : len(table.chosen)] == OPEN)
    at, codes = np.nonzero(is_open)
    table.bound(rows[at], codes)


def _largest(values: FloatArray, size: int) -> IntArray:
    """Return the indices of the largest values, largest first, ties to the lowest index."""
    if size < len(values):
        # All values equal to the last of the largest ones are needed to break ties by index.
        limit = np.partition(values, len(values) - size)[len(values) - size]
        candidates = np.flatnonzero(values >= limit)
    else:
        candidates = np.arange(len(values))
    by_value = np.argsort(-values[candidates], kind="stable")[:size]
    chosen: IntArray = candidates[by_value]
    return chosen


def _most_central(distances: Distances, rng: np.random.Generator) -> int:
    """Return the training graph nearest to the sample mean."""
    X = distances.X
    sampled = np.arange(len(X))
    if len(X) > MEAN_SAMPLE:
        sampled = np.sort(rng.choice(len(X), MEAN_SAMPLE, replace=False))
    centre = mean(
        X[sampled],
        matcher=distances.matcher,
        tol=_MEAN_TOL,
        order=distances.order,
        random_state=rng,
        n_jobs=distances.n_jobs,
        progress=distances.progress,
    )
    distances.n_matchings += centre.n_matchings
    if len(sampled) == len(X):
        return int(centre.distances.argmin())
    known = np.full(len(X), np.inf)
    known[sampled] = centre.distances
    return _nearest(distances, centre.graph, known)


def _nearest(distances: Distances, target: Graph, known: FloatArray) -> int:
    """Return the training graph nearest to a graph, given some distances to it (inf: unknown)."""
    X, targets = distances.X, GraphCollection([target])
    capacity = class_capacity(X, targets, order=distances.order)
    open_rows = np.flatnonzero(np.isinf(known))
    threshold = float(known.min(initial=np.inf))
    bounds = np.empty(len(open_rows))
    for first in range(0, len(open_rows), AT_ONCE):
        part = X[open_rows[first : first + AT_ONCE]]
        bounds[first : first + AT_ONCE] = lower_bounds(
            part, targets, _pairs_with_first(part), capacity=capacity, threshold=threshold
        )
    by_bound = np.argsort(bounds, kind="stable")
    at = 0
    # A bound equal to the smallest distance may belong to a graph with a lower index at that distance.
    while at < len(by_bound) and bounds[by_bound[at]] <= known.min():
        batch = open_rows[by_bound[at : at + _NEAREST_BATCH]]
        problem = Problem(X[batch], targets, capacity=capacity)
        found = run(distances.matcher, problem, _pairs_with_first(problem.X), n_jobs=distances.n_jobs)
        distances.n_matchings += len(batch)
        known[batch] = found.distance
        at += len(batch)
    return int(known.argmin())


def _pairs_with_first(X: GraphCollection) -> IntArray:
    """Return pairs of every graph with the first one of the other side."""
    rows = np.arange(len(X))
    return np.column_stack([rows, np.zeros_like(rows)])


__all__ = ["choose_furthest_first"]
