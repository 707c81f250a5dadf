"""Size of a collection, with the columns of the paper's Table 1."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphquant._typing import AnyArray, IntArray
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._raw import RawGraphs
from graphquant.graphs.checks import plural
from graphquant.graphs.collection import GraphCollection


@dataclass(frozen=True)
class CollectionStats:
    """How many graphs there are, and how large they are.

    Attributes
    ----------
    n_graphs : int
    n_classes : int or None
        Number of different targets; None if there are no targets.
    avg_nodes, max_nodes : float, int
    avg_edges, max_edges : float, int
        An undirected edge counts once. All of these are zero if there are no graphs.
    """

    n_graphs: int
    n_classes: int | None
    avg_nodes: float
    max_nodes: int
    avg_edges: float
    max_edges: int


def describe(
    graphs: GraphCollection | RawGraphs, targets: Sequence[object] | AnyArray | None = None
) -> CollectionStats:
    """Count graphs, classes, nodes and edges.

    Parameters
    ----------
    graphs : GraphCollection or RawGraphs
    targets : sequence of length n_graphs, optional
        Class of each graph, as numbers or names.

    Returns
    -------
    CollectionStats

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.graphs import describe
    >>> pair, dot = gq.Graph([1.0, 2.0], [(0, 1)]), gq.Graph([3.0])
    >>> describe(gq.GraphCollection([pair, dot]), targets=["a", "a"])
    CollectionStats(n_graphs=2, n_classes=1, avg_nodes=1.5, max_nodes=2, avg_edges=0.5, max_edges=1)
    """
    if targets is not None and len(targets) != len(graphs):
        raise InvalidGraphError(
            f"{plural(len(targets), 'target')} for {plural(len(graphs), 'graph')}.",
            "Give one class for each graph.",
        )
    return CollectionStats(
        n_graphs=len(graphs),
        n_classes=None if targets is None else len(set(targets)),
        avg_nodes=_mean(graphs.orders),
        max_nodes=int(graphs.orders.max(initial=0)),
        avg_edges=_mean(graphs.n_edges),
        max_edges=int(graphs.n_edges.max(initial=0)),
    )


def _mean(counts: IntArray) -> float:
    return float(counts.mean()) if len(counts) else 0.0


__all__ = ["CollectionStats", "describe"]
