"""The result of every initialisation."""

from dataclasses import dataclass

from graphquant._equality import ByContent
from graphquant._typing import FloatArray, IntArray
from graphquant.graphs import GraphCollection


@dataclass(frozen=True, eq=False)
class Start(ByContent):
    """The first code graphs, and what was learnt about distances while choosing them.

    Attributes
    ----------
    graphs : GraphCollection
        One graph per code.
    chosen : ndarray of int of shape (n_codes,) or None
        Their numbers in the training set; None if they were given.
    lower : ndarray of shape (n_graphs, n_codes)
        Lower bounds of the distances between training graphs and codes: the distance itself if a match
        proved it, a certified bound if one is known, else 0.
    n_matchings : int
        Pairs that were matched.

    Examples
    --------
    >>> import graphquant as gq
    >>> graphs = [gq.Graph([0.0]), gq.Graph([1.0]), gq.Graph([5.0])]
    >>> gq.initialisation.initialise("random", graphs, 2, random_state=0).graphs
    GraphCollection(2 graphs, on average 1.0 nodes x 1 attribute and 0.0 edges x 1 attribute)
    """

    graphs: GraphCollection
    chosen: IntArray | None
    lower: FloatArray
    n_matchings: int

    def __repr__(self) -> str:
        return f"Start({len(self.graphs)} codes for {len(self.lower)} graphs, {self.n_matchings} matchings)"


__all__ = ["Start"]
