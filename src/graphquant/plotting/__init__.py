"""Draw graphs, codebooks, matches, learning curves and maps; every plot takes ``ax=`` and returns it.

The ``plot_*`` functions need matplotlib (the extra ``plot``); the others do not, and return text that
notebooks show as a picture.
"""

from graphquant.plotting._cards import cluster_cards
from graphquant.plotting._curves import plot_history, plot_map
from graphquant.plotting._drawing import Drawing
from graphquant.plotting._graphs import plot_codebook, plot_graph, plot_match
from graphquant.plotting._molecules import molecule_places, molecule_svg, molecules_svg
from graphquant.plotting._svg import codebook_svg, graph_svg, match_svg

__all__ = [
    "Drawing",
    "cluster_cards",
    "codebook_svg",
    "graph_svg",
    "match_svg",
    "molecule_places",
    "molecule_svg",
    "molecules_svg",
    "plot_codebook",
    "plot_graph",
    "plot_history",
    "plot_map",
    "plot_match",
]
