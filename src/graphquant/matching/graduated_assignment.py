"""Graduated assignment: the paper's approximate matcher."""

from dataclasses import asdict, dataclass

from graphquant._core import structs
from graphquant.exceptions import InvalidParameterError
from graphquant.matching.base import CoreMatcher


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
        if not (self.beta_start > 0 and self.beta_rate > 1 and self.beta_end < 300):
            raise InvalidParameterError(
                f"beta from {self.beta_start} by {self.beta_rate} to {self.beta_end} is not a schedule.",
                "Give beta_start > 0, beta_rate > 1 and beta_end < 300.",
            )

    def options(self) -> structs.MatcherOptions:
        """Return what the core is told."""
        graduated = structs.Graduated(**asdict(self))
        return structs.MatcherOptions(kind=structs.MatcherOptions.GRADUATED, graduated=graduated)


__all__ = ["GraduatedAssignment"]
