"""Graph edit distances with their edits, and common subgraphs: exact, with a certificate."""

from graphquant.edit.common import CommonSubgraph, common_subgraph
from graphquant.edit.distance import EditDistance, edit_distance
from graphquant.edit.given import given_graphs
from graphquant.edit.matching import check_threshold, edit_matcher, match_edits
from graphquant.edit.pairwise import EditDistances, pairwise_edit_distances
from graphquant.edit.script import Edit
from graphquant.edit.scripts import Script, scripts_from

__all__ = [
    "CommonSubgraph",
    "Edit",
    "EditDistance",
    "EditDistances",
    "Script",
    "check_threshold",
    "common_subgraph",
    "edit_distance",
    "edit_matcher",
    "given_graphs",
    "match_edits",
    "pairwise_edit_distances",
    "scripts_from",
]
