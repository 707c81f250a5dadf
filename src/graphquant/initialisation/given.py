"""Graphs that the user passes as the first codes."""

from typing import Any

import numpy as np

from graphquant.bounds import check_comparable, class_capacity
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection, as_collection
from graphquant.graphs.checks import plural
from graphquant.initialisation.start import Start


def take_given(graphs: Any, X: GraphCollection, n_codes: int, order: int | None) -> Start:
    """Check given graphs against the training graphs; nothing is matched."""
    codes = as_collection(graphs)
    if len(codes) != n_codes:
        raise InvalidParameterError(
            f"init has {plural(len(codes), 'graph')}, but n_codes={n_codes}.", "Give one graph per code."
        )
    check_comparable(codes, X)
    _check_orders(codes, X, order)
    return Start(codes, None, np.zeros((len(X), n_codes)), 0)


def _check_orders(codes: GraphCollection, X: GraphCollection, order: int | None) -> None:
    """Refuse graphs that need more positions than the graph space has."""
    capacity = class_capacity(X, order=order)
    class_capacity(codes, X)  # refuses groups on only one side
    for i, graph in enumerate(codes):
        groups = np.zeros(graph.order, dtype=np.int64) if graph.groups is None else graph.groups
        used = np.bincount(groups, minlength=len(capacity))
        room = np.append(capacity, np.zeros(len(used) - len(capacity), dtype=np.int64))
        crowded = np.flatnonzero(used > room)
        if len(crowded):
            g = int(crowded[0])
            nodes, positions = plural(int(used[g]), "node"), plural(int(room[g]), "position")
            of_class = "" if graph.groups is None else f" of class {g}"
            raise InvalidGraphError(
                f"init: {codes.label(i)} has {nodes}{of_class}, but the graph space has {positions}"
                f"{of_class}.",
                "Give smaller graphs." if of_class else "Raise order, or give smaller graphs.",
            )


__all__ = ["take_given"]
