"""Matchers by name."""

from collections.abc import Callable

from graphquant._validation import check_choice
from graphquant.exceptions import InvalidParameterError
from graphquant.matching.base import CoreMatcher, Matcher
from graphquant.matching.exact import AutoMatcher, ExactMatcher, LearningMatcher
from graphquant.matching.frank_wolfe import FrankWolfe
from graphquant.matching.graduated_assignment import GraduatedAssignment

MATCHERS: dict[str, Callable[[], CoreMatcher]] = {
    "auto": AutoMatcher,
    "exact": ExactMatcher,
    "frank-wolfe": FrankWolfe,
    "graduated-assignment": GraduatedAssignment,
}

MatcherLike = str | Matcher


def get_matcher(matcher: MatcherLike) -> Matcher:
    """Return the matcher with a name, or the object itself if it is one."""
    if isinstance(matcher, str):
        return MATCHERS[check_choice("matcher", matcher, MATCHERS)]()
    if isinstance(matcher, Matcher) and not isinstance(matcher, type):
        return matcher
    raise InvalidParameterError(
        f"matcher={matcher!r} is not a matcher.",
        "Give a name or an object with a method match(x, y, order) that returns positions.",
    )


def matcher_for_learning(matcher: MatcherLike) -> Matcher:
    """Return the same, except that ``"auto"`` omits the most expensive proofs."""
    return LearningMatcher() if isinstance(matcher, str) and matcher == "auto" else get_matcher(matcher)


__all__ = ["MATCHERS", "MatcherLike", "get_matcher", "matcher_for_learning"]
