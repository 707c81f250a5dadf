"""Draw graphs, codebooks, matches, learning curves and maps; every plot takes ``ax=`` and returns it.

The ``plot_*`` functions need matplotlib (the extra ``plot``), the ``*_svg`` functions do not.
"""

from graphquant.plotting._curves import plot_history, plot_map
from graphquant.plotting._graphs import plot_codebook, plot_graph, plot_match
from graphquant.plotting._molecules import molecule_places, molecule_svg, molecules_svg
from graphquant.plotting._svg import codebook_svg, graph_svg, match_svg

__all__ = [
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
