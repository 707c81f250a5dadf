"""How unlike anything in the training graphs a graph is."""

from dataclasses import dataclass

from graphquant._equality import ByContent
from graphquant._typing import FloatArray, IntArray
from graphquant.graphs.checks import plural


@dataclass(frozen=True, eq=False, repr=False)
class Novelty(ByContent):
    """Distances to the nearest code graphs against those of the training graphs, one entry for each graph.

    Attributes
    ----------
    distance : ndarray
        Distance to the nearest code graph.
    lower_bound : ndarray
        A certified lower bound of the true distance to every code graph.
    quantile : ndarray
        Share of the training graphs that are not further from their code graphs; 1 if none was further away.
        The codebook was made for these: new graphs of the same kind tend to lie a little higher.
    label : ndarray of int
        Number of the nearest code graph.

    Examples
    --------
    >>> import graphquant as gq
    >>> q = gq.GraphQuantizer(1, random_state=0).fit([gq.Graph([value]) for value in (0.0, 1.0, 2.0)])
    >>> q.novelty([gq.Graph([1.0]), gq.Graph([9.0])]).quantile.tolist()[1]
    1.0
    """

    distance: FloatArray
    lower_bound: FloatArray
    quantile: FloatArray
    label: IntArray

    def __len__(self) -> int:
        return len(self.distance)

    def __repr__(self) -> str:
        beyond = int((self.quantile >= 1.0).sum())
        return f"Novelty({plural(len(self), 'graph')}, {beyond} further away than any training graph)"


__all__ = ["Novelty"]
