"""Shared by the drawings of the guide: graphs of two nodes with one number each are points of a plane."""

import matplotlib.pyplot as plt
import numpy as np

from graphquant.plotting.palette import ACCENT, INK, LINK

PALE = "#e2f1ef"
GREY = "#94a3b8"


def plane(ax, high=6.0):
    """Draw the plane of graphs with two nodes, and the diagonal at which renumbering mirrors it."""
    ax.fill_between([0, high], [0, high], high, color=PALE, linewidth=0)
    ax.plot([0, high], [0, high], color=GREY, linestyle="--", linewidth=1)
    ax.set(xlim=(0, high), ylim=(0, high), aspect="equal", xticks=[], yticks=[])
    ax.set_xlabel("attribute of the first node")
    ax.set_ylabel("attribute of the second node")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def point(ax, place, label, *, colour=INK, hollow=False, offset=(8, 4)):
    """Draw a labelled point."""
    face = "white" if hollow else colour
    ax.scatter(*place, s=52, facecolors=face, edgecolors=colour, zorder=3)
    ax.annotate(label, place, xytext=offset, textcoords="offset points", color=colour, fontsize=11)


def line(ax, start, end, **style):
    """Join two points."""
    ax.plot(*np.transpose([start, end]), **{"color": LINK, "linewidth": 2, "zorder": 2, **style})


def mirrored(place):
    """Return the same graph with its nodes numbered the other way."""
    return place[1], place[0]


__all__ = ["ACCENT", "GREY", "INK", "LINK", "PALE", "line", "mirrored", "plane", "plt", "point"]
