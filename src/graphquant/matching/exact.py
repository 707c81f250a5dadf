"""Exact matching: the paper's depth-first search with dual bounds."""

from dataclasses import dataclass

from graphquant.exceptions import InvalidParameterError
from graphquant.matching._base import EXACT, KernelMatcher


@dataclass(frozen=True)
class ExactMatcher(KernelMatcher):
    """Depth-first branch and bound with dual-ascent bounds; proves what it returns.

    Parameters
    ----------
    node_limit : int, optional
        Most nodes of the search tree for one pair. A pair that reaches it keeps its best mapping,
        with a valid lower bound and ``proven=False``.
    time_limit : float, optional
        The same in seconds for one pair; results then depend on the machine.

    Notes
    -----
    Graphs of more than 64 nodes are matched approximately: their search tables would not fit. They are
    proven only if the star bound reaches the mapping found.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.match(gq.Graph([1.0, 2.0], [(0, 1)]), gq.Graph([2.0, 1.0], []), matcher=gq.ExactMatcher())
    Match(distance=1.41421, proven, mapping=[1, 0])
    """

    node_limit: int | None = None
    time_limit: float | None = None

    method = EXACT

    def __post_init__(self) -> None:
        for name in ("node_limit", "time_limit"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise InvalidParameterError(f"{name}={value!r} is negative.", f"Give {name} >= 0, or None.")

    def options(self) -> list[float]:
        # Frank-Wolfe steps, ascent iterations, least share of the gap that an iteration must close.
        return [30.0, 40.0, 0.02, 0.0]


@dataclass(frozen=True)
class AutoMatcher(KernelMatcher):
    """Exact where it is affordable, else the best mapping found within a budget of search nodes.

    A budget counted in search nodes gives the same result on every machine.

    Parameters
    ----------
    node_limit : int, default=1000
        Search nodes for one pair; then the best mapping so far is returned with its bound.
    """

    node_limit: int | None = 1000
    time_limit: float | None = None

    method = EXACT

    def options(self) -> list[float]:
        return [30.0, 20.0, 0.02, 0.0]


__all__ = ["AutoMatcher", "ExactMatcher"]
