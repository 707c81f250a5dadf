"""The matcher protocol, and the results of matching."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

from graphquant._core.structs import MatcherOptions
from graphquant._equality import ByContent
from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant.graphs import Graph


@dataclass(frozen=True, eq=False)
class Match(ByContent):
    """The outcome of matching two graphs.

    Attributes
    ----------
    distance : float
        Euclidean distance of the representations under the mapping: an upper bound of d(x, y).
    lower_bound : float
        A certified lower bound of d(x, y).
    proven : bool
        Whether the two meet: squared, they differ by at most 1e-11 of ``|x|^2 + |y|^2``. Then the
        distance is d(x, y).
    mapping : ndarray of int of shape (x.order,)
        Position in y of each node of x; ``y.order`` and above are zero nodes.
    n_search_nodes : int
        Number of search tree nodes that were visited.
    graphs : pair of Graph or None
        The matched graphs, x and y.

    Examples
    --------
    >>> import graphquant as gq
    >>> found = gq.match(gq.Graph([1.0, 2.0]), gq.Graph([2.0]))
    >>> found.distance, found.proven, found.mapping.tolist()  # node 0 goes to a zero node
    (1.0, True, [1, 0])
    """

    distance: float
    lower_bound: float
    proven: bool
    mapping: IntArray
    n_search_nodes: int
    graphs: tuple[Graph, Graph] | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        status = "proven" if self.proven else f"not proven, at least {self.lower_bound:.6g}"
        return f"Match(distance={self.distance:.6g}, {status}, mapping={self.mapping.tolist()})"

    def _repr_html_(self) -> str:
        """Return a drawing of both graphs with their links, and a table of the nodes, for notebooks."""
        drawing = ""
        if self.graphs is not None:
            # Drawings belong to a higher layer, which is loaded only when a notebook asks for one.
            drawing = importlib.import_module("graphquant.plotting").match_svg(*self.graphs, self)
        status = "proven" if self.proven else "not proven"
        images = "".join(f"<td>{position}</td>" for position in self.mapping.tolist())
        nodes = "".join(f"<th>{node}</th>" for node in range(len(self.mapping)))
        return (
            f"<p>distance {self.distance:.6g}, {status}, at least {self.lower_bound:.6g}</p>{drawing}"
            f"<table><tr><th>node of x</th>{nodes}</tr><tr><th>position in y</th>{images}</tr></table>"
        )


@dataclass(frozen=True, eq=False)
class Matches(ByContent):
    """The outcome of matching many pairs, as arrays with one entry per pair.

    Attributes
    ----------
    distance, lower_bound, proven, n_search_nodes : ndarray of shape (n_pairs,)
        As in :class:`Match`.
    mapping : ndarray of int of shape (n_pairs, largest order of X) or None
        Row i maps the nodes of the first graph of pair i, -1 beyond them; None unless asked for.

    Examples
    --------
    >>> import graphquant as gq
    >>> c = gq.GraphCollection([gq.Graph([0.0]), gq.Graph([3.0])])
    >>> gq.match_all(c, c, [(0, 1), (1, 1)])
    Matches(2 pairs, 100.0% proven)
    """

    distance: FloatArray
    lower_bound: FloatArray
    proven: BoolArray
    n_search_nodes: IntArray
    mapping: IntArray | None

    def __len__(self) -> int:
        return len(self.distance)

    def __repr__(self) -> str:
        share = self.proven.mean() if len(self) else 1.0
        return f"Matches({len(self)} pairs, {share:.1%} proven)"


@runtime_checkable
class Matcher(Protocol):
    """The interface of a user-defined matcher.

    It is a function of the pair: the same two graphs always give the same mapping. The library
    computes the distance of the mapping and a certified lower bound itself.

    Examples
    --------
    >>> import graphquant as gq
    >>> class InOrder:
    ...     def match(self, x, y, order):
    ...         return range(x.order)
    >>> gq.match(gq.Graph([1.0, 2.0]), gq.Graph([2.0, 1.0]), matcher=InOrder())
    Match(distance=1.41421, not proven, at least 0, mapping=[0, 1])
    """

    def match(self, x: Graph, y: Graph, order: int) -> Sequence[int] | IntArray:
        """Return the position in y of each node of x; ``y.order`` to ``order - 1`` are zero nodes."""
        ...


class CoreMatcher:
    """A matcher of the native core: the engine runs it on many pairs at once, the learner on single ones."""

    # Graphs of up to so many nodes are searched for a proof, not only approximated.
    proving_order: ClassVar[int] = 0

    def options(self) -> MatcherOptions:
        """Return the options for the core."""
        raise NotImplementedError

    def match(self, x: Graph, y: Graph, order: int) -> IntArray:
        """Match one pair; the :class:`Matcher` protocol."""
        from graphquant.matching.pair import match

        return match(x, y, matcher=self, order=order).mapping

    def __sklearn_clone__(self) -> Any:
        # Matchers are immutable values: a cloned estimator may share them.
        return self


__all__ = ["CoreMatcher", "Match", "Matcher", "Matches"]
