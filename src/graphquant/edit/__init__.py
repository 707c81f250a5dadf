"""Graph edit distances with their edits, and common subgraphs: exact, with a certificate."""

from graphquant.edit.common import CommonSubgraph, common_subgraph
from graphquant.edit.distance import EditDistance, edit_distance
from graphquant.edit.pairwise import EditDistances, pairwise_edit_distances
from graphquant.edit.script import Edit

__all__ = [
    "CommonSubgraph",
    "Edit",
    "EditDistance",
    "EditDistances",
    "common_subgraph",
    "edit_distance",
    "pairwise_edit_distances",
]
