"""Graduated assignment: the paper's approximate matcher."""

from dataclasses import astuple, dataclass

import numpy as np

from graphquant._typing import FloatArray
from graphquant.exceptions import InvalidParameterError
from graphquant.kernels.pairs import match_graduated_pairs
from graphquant.matching._base import KernelMatcher


@dataclass(frozen=True)
class GraduatedAssignment(KernelMatcher):
    """Gold and Rangarajan's graduated assignment, with the published parameters.

    Pairs whose star assignment, which gives the lower bound, is as good as that bound are not annealed:
    nothing can be better.

    Parameters
    ----------
    beta_start, beta_rate, beta_end : float, default=0.5, 1.075, 10
        The annealing schedule. Compatibilities are divided by the largest, so beta has no unit.
    max_inner : int, default=4
        Steps at one beta.
    max_sinkhorn : int, default=30
        Row and column normalisations in one step.
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

    kernel = match_graduated_pairs

    def __post_init__(self) -> None:
        if not (self.beta_start > 0 and self.beta_rate > 1 and self.beta_end < 300):
            raise InvalidParameterError(
                f"beta from {self.beta_start} by {self.beta_rate} to {self.beta_end} is no schedule.",
                "Give beta_start > 0, beta_rate > 1 and beta_end < 300.",
            )

    def options(self) -> FloatArray:
        """Return the parameters in their order."""
        return np.array(astuple(self), dtype=np.float64)


__all__ = ["GraduatedAssignment"]
