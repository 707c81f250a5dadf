"""d(X, Y): matchers for one pair and for many."""

from graphquant.matching.base import CoreMatcher, Match, Matcher, Matches
from graphquant.matching.exact import AutoMatcher, ExactMatcher
from graphquant.matching.frank_wolfe import FrankWolfe
from graphquant.matching.graduated_assignment import GraduatedAssignment
from graphquant.matching.pair import distance, match, second_distance
from graphquant.matching.pairwise import match_all, pairwise_distances
from graphquant.matching.registry import MATCHERS, MatcherLike, get_matcher, matcher_for_learning

__all__ = [
    "MATCHERS",
    "AutoMatcher",
    "CoreMatcher",
    "ExactMatcher",
    "FrankWolfe",
    "GraduatedAssignment",
    "Match",
    "MatcherLike",
    "Matcher",
    "Matches",
    "distance",
    "get_matcher",
    "match",
    "match_all",
    "matcher_for_learning",
    "pairwise_distances",
    "second_distance",
]
