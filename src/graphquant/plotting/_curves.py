"""Learning curves and maps drawn with matplotlib."""

from typing import Any

import numpy as np

from graphquant._validation import check_choice
from graphquant.graphs import as_collection
from graphquant.plotting._graphs import new_axes
from graphquant.plotting.embedding import map_graphs
from graphquant.plotting.palette import ACCENT, INK

# Fields of the record of a cycle, and their axis labels.
_CURVES = {
    "distortion": "distortion",
    "share": "matchings, share of kN",
    "n_matchings": "matchings",
    "n_bounds": "bounds computed",
    "shift": "movement of the codebook",
    "seconds": "seconds",
}


def plot_history(history: Any, *, curve: str = "distortion", ax: Any = None) -> Any:
    """Draw the course of learning, cycle by cycle.

    Parameters
    ----------
    history : fitted GraphQuantizer, or its ``history_``
    curve : {"distortion", "share", "n_matchings", "n_bounds", "shift", "seconds"}, default="distortion"
        What to draw. ``"share"`` is the number of matchings as a share of those of the standard
        algorithm, as in the paper's figure.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import graphquant as gq
    >>> records = [SimpleNamespace(cycle=1, distortion=9.0), SimpleNamespace(cycle=2, distortion=4.0)]
    >>> ax = gq.plotting.plot_history(records)
    """
    check_choice("curve", curve, _CURVES)
    records = list(getattr(history, "history_", history))
    ax = new_axes(ax, (4.6, 2.8))
    cycles = [record.cycle for record in records]
    ax.plot(cycles, [getattr(record, curve) for record in records], color=ACCENT, linewidth=1.6)
    ax.set_xlabel("cycle")
    ax.set_ylabel(_CURVES[curve])
    if curve == "share":
        ax.set_ylim(bottom=0.0)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_map(quantizer: Any, graphs: Any, *, targets: Any = None, ax: Any = None) -> Any:
    """Draw graphs and code graphs as points whose distances approximate those of the graphs.

    Parameters
    ----------
    quantizer : fitted GraphQuantizer
    graphs : collection of graphs, or Dataset
    targets : array-like of shape (n_graphs,), optional
        Classes that determine the colours; by default those of a data set, else the clusters.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import graphquant as gq
    >>> letters = gq.datasets.make_letters(5)
    >>> q = gq.GraphQuantizer(15, max_cycles=2, random_state=0).fit(letters)
    >>> ax = gq.plotting.plot_map(q, letters)
    """
    X = as_collection(getattr(graphs, "graphs", graphs))
    encoding = quantizer.match(X)
    found = map_graphs(quantizer.codebook_, X, encoding.label, encoding.distance)
    if targets is None:
        targets = getattr(graphs, "targets", None)
    colours = np.asarray(encoding.label if targets is None else targets)
    ax = new_axes(ax, (5.0, 4.4))
    _, numbers = np.unique(colours, return_inverse=True)
    ax.scatter(*found.graphs.T, c=numbers, cmap="tab20", s=14, alpha=0.75, linewidths=0)
    ax.scatter(*found.codes.T, marker="o", s=120, facecolors="white", edgecolors=INK, linewidths=1.0)
    for number, place in enumerate(found.codes):
        ax.annotate(str(number), place, ha="center", va="center", fontsize=7, color=INK)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_color("#cbd5e1")
    return ax


__all__ = ["plot_history", "plot_map"]
