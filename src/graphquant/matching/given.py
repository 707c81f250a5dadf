"""Graphs as users pass them, converted to comparable vectors."""

from typing import Any

from graphquant.exceptions import InvalidGraphError
from graphquant.graphs import Graph, GraphCollection
from graphquant.graphs.checks import plural


def together(X: Any, Y: Any = None) -> tuple[GraphCollection, GraphCollection | None]:
    """Return vectors of X, and of Y if it is given; raw attributes of both are encoded the same way."""
    if isinstance(X, GraphCollection) and (Y is None or isinstance(Y, GraphCollection)):
        return X, Y
    # Imported here: encoders bring scikit-learn with them, which vectors do not need.
    from graphquant.preprocessing.vectors import vectors_of, vectors_together

    return (vectors_of(X), None) if Y is None else vectors_together(X, Y)


def one_pair(x: Any, y: Any) -> tuple[GraphCollection, GraphCollection]:
    """Return two single graphs in any form as collections of one graph each."""
    if isinstance(x, Graph) and isinstance(y, Graph):
        return GraphCollection([x]), GraphCollection([y])
    left, right = together(x, y)
    assert right is not None
    for name, side in (("x", left), ("y", right)):
        if len(side) != 1:
            raise InvalidGraphError(
                f"{name} contains {plural(len(side), 'graph')}, expected one.",
                "Pass a single graph, such as dataset[3:4]; pairwise_distances takes many.",
            )
    return left, right


__all__ = ["one_pair", "together"]
