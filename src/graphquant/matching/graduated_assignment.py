"""Graduated assignment: the paper's approximate matcher."""

import math
from dataclasses import asdict, dataclass

from graphquant._core import structs
from graphquant._validation import check_positive_int
from graphquant.exceptions import InvalidParameterError
from graphquant.matching.base import CoreMatcher

# More are never of use, and a file could ask for them.
_MOST_STEPS = 10_000


@dataclass(frozen=True)
class GraduatedAssignment(CoreMatcher):
    """Gold and Rangarajan's graduated assignment, with the published parameters.

    Pairs whose star assignment, the source of the lower bound, reaches that bound are not annealed:
    nothing can be better.

    Parameters
    ----------
    beta_start, beta_rate, beta_end : float, default=0.5, 1.075, 10
        The annealing schedule. Compatibilities are divided by the largest, so beta has no unit.
    max_inner : int, default=4
        Maximum number of steps at one beta.
    max_sinkhorn : int, default=30
        Maximum number of row and column normalisations in one step.
    tol_inner, tol_sinkhorn : float, default=0.5, 0.05
        Changes of the match matrix below which the two loops end.

    References
    ----------
    S. Gold and A. Rangarajan, A graduated assignment algorithm for graph matching, IEEE Transactions on
    Pattern Analysis and Machine Intelligence 18 (1996).

    Examples
    --------
    >>> import graphquant as gq
    >>> x = gq.Graph([1.0, 2.0], [(0, 1)])
    >>> gq.match(x, x.permute([1, 0]), matcher=gq.GraduatedAssignment(beta_end=20.0)).mapping.tolist()
    [1, 0]
    """

    beta_start: float = 0.5
    beta_rate: float = 1.075
    beta_end: float = 10.0
    max_inner: int = 4
    max_sinkhorn: int = 30
    tol_inner: float = 0.5
    tol_sinkhorn: float = 0.05

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise InvalidParameterError(
                    f"{name}={value!r} is not a number.", "Leave it out, or give one."
                )
        if not (self.beta_start > 0 and math.inf > self.beta_rate > 1 and self.beta_end < 300):
            raise InvalidParameterError(
                f"beta from {self.beta_start} by {self.beta_rate} to {self.beta_end} is not a schedule.",
                "Give beta_start > 0, beta_rate > 1 and beta_end < 300.",
            )

        steps = math.log(max(self.beta_end / self.beta_start, 1.0)) / math.log(self.beta_rate)
        for name, count in (("max_inner", self.max_inner), ("max_sinkhorn", self.max_sinkhorn)):
            if check_positive_int(name, count) > _MOST_STEPS:
                raise InvalidParameterError(
                    f"{name}={count} is more than {_MOST_STEPS}.", "Give a smaller one."
                )
        if steps > _MOST_STEPS:
            raise InvalidParameterError(
                f"beta from {self.beta_start} by {self.beta_rate} to {self.beta_end}: {steps:.0f} steps.",
                f"Give a larger beta_rate: there may be {_MOST_STEPS} steps.",
            )
        for name, tol in (("tol_inner", self.tol_inner), ("tol_sinkhorn", self.tol_sinkhorn)):
            if not tol >= 0:
                raise InvalidParameterError(
                    f"{name}={tol!r} is not a number of at least 0.", "Give 0 or more."
                )

    def options(self) -> structs.MatcherOptions:
        """Return what the core is told."""
        graduated = structs.Graduated(**asdict(self))
        return structs.MatcherOptions(kind=structs.MatcherOptions.GRADUATED, graduated=graduated)


__all__ = ["GraduatedAssignment"]
