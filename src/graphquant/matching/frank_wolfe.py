"""Frank-Wolfe matching: the best cheap matcher."""

from dataclasses import dataclass

from graphquant._core import structs
from graphquant._validation import check_positive_int
from graphquant.exceptions import InvalidParameterError
from graphquant.matching.base import CoreMatcher

# More are never of use, and a file could ask for them.
_MOST_STEPS = 10_000


@dataclass(frozen=True)
class FrankWolfe(CoreMatcher):
    """Frank-Wolfe with exact line search from several starts, then local search by exchanges and chains.

    Parameters
    ----------
    max_iter : int, default=8
        Maximum number of steps from one start.
    n_starts : int, optional
        Number of starts: the assignment of the star bound, the flat one, then assignments by increasingly
        wide neighbourhoods. By default 3 up to 13 nodes of the smaller graph, rising to 6 from 16 nodes on.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.distance(gq.Graph([1.0, 2.0]), gq.Graph([2.0, 1.0]), matcher=gq.FrankWolfe())
    0.0
    """

    max_iter: int = 8
    n_starts: int | None = None

    def __post_init__(self) -> None:
        for name, count in (("max_iter", self.max_iter), ("n_starts", self.n_starts or 1)):
            if check_positive_int(name, count) > _MOST_STEPS:
                raise InvalidParameterError(
                    f"{name}={count} is more than {_MOST_STEPS}.", "Give a smaller one."
                )

    def options(self) -> structs.MatcherOptions:
        """Return what the core is told."""
        return structs.MatcherOptions(kind=structs.MatcherOptions.FRANK_WOLFE, frank_wolfe=self.limits())

    def limits(self) -> structs.FrankWolfe:
        """Return the maximum number of steps from a start, and the number of starts (0: by order)."""
        return structs.FrankWolfe(max_iter=self.max_iter, n_starts=self.n_starts or 0)


__all__ = ["FrankWolfe"]
