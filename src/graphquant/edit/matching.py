"""Encoded graphs matched in the edit distance: on the grid of attainable values, with a threshold."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphquant._core.calls import StopFlag
from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant.bounds import lower_bounds
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import GraphCollection
from graphquant.matching import AutoMatcher, ExactMatcher, FrankWolfe, Matcher, MatcherLike, get_matcher
from graphquant.matching.engine import Problem, run
from graphquant.preprocessing import EditCosts

# Squared distances are sums of costs up to rounding errors, which are far smaller than this.
_ROUNDING = 1e-6
_DENOMINATOR = 10_000
# No graphs are as far apart, and its quotient by a granularity is a number.
_BEYOND = 1e250
# By this share of the granularity a bound has to pass a threshold.
_SLACK = 1e-4


@dataclass(frozen=True)
class EditMatcher(AutoMatcher):
    """Exact up to a number of search nodes; pairs of up to 8 nodes to the end."""

    ascents: ClassVar[int] = 40

    def _limits(self) -> tuple[float, int]:
        return math.inf if self.node_limit is None else float(self.node_limit), self.free_order


@dataclass(frozen=True)
class _DecidingMatcher(EditMatcher):
    """The same where only a threshold counts: proofs matter more than good mappings."""

    starter: ClassVar[FrankWolfe] = FrankWolfe(n_starts=1)


def edit_matcher(matcher: MatcherLike, node_limit: int | None, time_limit: float | None) -> Matcher:
    """Return the matcher of a name with these limits."""
    if isinstance(matcher, str) and matcher == "auto":
        return EditMatcher(node_limit, time_limit)
    if isinstance(matcher, str) and matcher == "exact":
        return ExactMatcher(None, time_limit)
    return get_matcher(matcher)


@dataclass(frozen=True)
class Grid:
    """What distances may be: multiples of the granularity, at steps from each other for a pair."""

    granularity: float
    step: float

    @classmethod
    def of(cls, costs: EditCosts) -> "Grid":
        """Return the grid of fitted costs."""
        return cls(costs.granularity_, costs.step if costs.granularity_ else 0.0)

    def snapped(self, values: FloatArray) -> FloatArray:
        """Return distances exactly, without the errors of sums and roots."""
        if not self.granularity:
            return values
        unit = Fraction(self.granularity).limit_denominator(_DENOMINATOR)
        counts = np.round(values / self.granularity)
        # One division rounds once: 0.3, not 3 times 0.1.
        exact: FloatArray = counts * unit.numerator / unit.denominator
        return exact

    def raised(self, lower: FloatArray, distance: FloatArray, proven: BoolArray) -> FloatArray:
        """Return lower bounds rounded up to what distances may be."""
        if not self.step:
            # A gap of rounding errors is none; how large these are, the matcher knows.
            return np.where(proven, distance, lower)
        steps = np.floor((distance - lower) / self.step + _ROUNDING)
        return self.snapped(np.maximum(distance - steps * self.step, 0.0))

    def limit(self, threshold: float | None) -> tuple[float, float]:
        """Return the largest distance that is at most a threshold, and what is more by rounding errors only.

        A bound above the second shows that the distance is above the first.
        """
        if threshold is None or threshold > _BEYOND:
            return math.inf, math.inf
        if not self.granularity:
            return threshold, threshold + 1e-9 * max(threshold, 1.0)
        steps = math.floor(threshold / self.granularity + _ROUNDING)
        return steps * self.granularity, (steps + _SLACK) * self.granularity


@dataclass(frozen=True)
class Found:
    """Pairs in the edit distance, as arrays."""

    distance: FloatArray
    lower_bound: FloatArray
    proven: BoolArray
    mapping: IntArray | None
    is_within: FloatArray  # 1: at most the threshold, 0: more, NaN: not known, or no threshold


def check_threshold(threshold: Any) -> None:
    """Refuse what is not a distance."""
    if threshold is None:
        return
    is_number = isinstance(threshold, int | float | np.number) and not isinstance(threshold, bool)
    if not is_number or not threshold >= 0:
        raise InvalidParameterError(
            f"threshold={threshold!r} is not a distance.", "Give a number >= 0, or None."
        )


def match_edits(
    X: GraphCollection,
    Y: GraphCollection,
    pairs: IntArray,
    costs: EditCosts,
    matcher: Matcher,
    threshold: float | None,
    *,
    mappings: bool = False,
    n_jobs: int | None = 1,
    advance: Any = None,
    stop: StopFlag | None = None,
) -> Found:
    """Match pairs of graphs encoded by the same costs; whoever sets ``stop`` ends it with ``Stopped``.

    With a threshold bounds without search come first, and show for most pairs of different graphs that
    they are further apart.
    """
    grid = Grid.of(costs)
    within_limit, limit = grid.limit(threshold)
    problem = Problem(X, Y)
    n = len(pairs)
    undecided: IntArray = np.arange(n)
    lower = np.zeros(n)
    if threshold is not None and isinstance(matcher, EditMatcher):
        matcher = _DecidingMatcher(matcher.node_limit, matcher.time_limit)
    if threshold is not None and not mappings:
        lower = lower_bounds(X, Y, pairs, capacity=problem.capacity, threshold=math.sqrt(limit)) ** 2
        undecided = np.flatnonzero(lower < limit)
        if advance is not None:
            advance(n - len(undecided))
    found = run(
        matcher,
        problem,
        pairs[undecided],
        mappings=mappings,
        granularity=grid.step,
        threshold_sq=limit,
        n_jobs=n_jobs,
        on_progress=advance,
        stop=stop,
    )
    distance = np.full(n, np.inf)
    distance[undecided] = grid.snapped(found.distance**2)
    lower[undecided] = grid.raised(found.lower_bound**2, distance[undecided], found.proven)
    skipped = np.setdiff1d(np.arange(n), undecided)
    lower[skipped] = _least_above(lower[skipped], grid)
    within = np.full(n, np.nan)
    if threshold is not None:
        within[distance <= limit] = 1.0
        within[lower > 0.5 * (within_limit + limit)] = 0.0
    return Found(distance, lower, lower >= distance, found.mapping, within)


def _least_above(lower: FloatArray, grid: Grid) -> FloatArray:
    """Return bounds rounded up to the granularity: a pair's own values may lie further apart."""
    if not grid.granularity:
        return lower
    return grid.snapped(np.ceil(lower / grid.granularity - _ROUNDING) * grid.granularity)


__all__ = ["EditMatcher", "Found", "Grid", "check_threshold", "edit_matcher", "match_edits"]
