"""Random: training graphs with equal probability."""

import numpy as np

from graphquant._typing import IntArray
from graphquant.initialisation.distances import Distances
from graphquant.initialisation.start import Start
from graphquant.initialisation.table import CERTAIN, Table


def choose_random(distances: Distances, n_codes: int, rng: np.random.Generator) -> Start:
    """Choose distinct training graphs at random; equal ones only if there are not enough others.

    Two graphs with a positive lower bound differ. Only pairs with a bound of zero are matched.
    """
    table = Table(distances, n_codes)
    repeated = []
    for graph in rng.permutation(len(distances)).tolist():
        if len(table.chosen) == n_codes:
            break
        if _is_repeated(table, graph):
            repeated.append(graph)
        else:
            table.add(graph)
    for graph in repeated[: n_codes - len(table.chosen)]:
        table.add(graph)
    return table.start()


def _is_repeated(table: Table, graph: int) -> bool:
    """Return whether a training graph equals a code, whatever the numbering of its nodes."""
    codes = np.arange(len(table.chosen))
    rows: IntArray = np.full(len(codes), graph)
    table.lower[rows, codes] = table.distances.bound(rows, table.chosen)
    doubtful = np.flatnonzero(table.lower[graph, codes] == 0.0)
    found = table.distances.match(rows[doubtful], table.chosen[doubtful])
    table.lower[graph, doubtful] = np.where(found.proven, found.distance, found.lower_bound)
    table.state[graph, doubtful[found.proven]] = CERTAIN
    return bool((found.distance == 0.0).any())


__all__ = ["choose_random"]
