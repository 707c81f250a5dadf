"""Graphs, codebooks and matches drawn with matplotlib."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_positive_int, import_optional
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import Graph, GraphCollection, as_collection
from graphquant.plotting._edges import LINE, are_one_way, arrow, strokes
from graphquant.plotting.appearance import Appearance, Look
from graphquant.plotting.palette import INK, LINK, category_colour, opacity, ramp_colour

if TYPE_CHECKING:
    from graphquant.matching import Match
    from graphquant.preprocessing import GraphEncoder


def plot_graph(
    graph: Graph,
    *,
    positions: Any = None,
    encoder: "GraphEncoder | None" = None,
    title: str | None = None,
    ax: Any = None,
) -> Any:
    """Draw a graph.

    Parameters
    ----------
    graph : Graph
    positions : array-like of shape (n, 2) or pair of int, optional
        Where to draw the nodes, or the numbers of the node channels that hold the positions. By default the
        attributes called x and y of the encoder, else a layout.
    encoder : AttributeEncoder, optional
        The encoder that made the vectors; it names the channels.
    title : str, optional
    ax : matplotlib Axes, optional
        Where to draw; by default new axes.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import graphquant as gq
    >>> ax = gq.plotting.plot_graph(gq.Graph([1.0, 2.0, 3.0], [(0, 1), (1, 2)]))
    """
    given = None if positions is None else np.asarray(positions)
    channels = given.tolist() if given is not None and given.ndim == 1 else None
    appearance = Appearance.of(GraphCollection([graph]), encoder, channels)
    look = appearance.look(graph, positions=None if channels is not None else given)
    ax = _blank_axes(ax, (3.0, 3.0))
    _draw(ax, look, look.positions)
    if title is not None:
        ax.set_title(title)
    return ax


def plot_codebook(
    codebook: Any,
    *,
    encoder: "GraphEncoder | None" = None,
    n_columns: int | None = None,
    ax: Any = None,
) -> Any:
    """Draw all graphs of a codebook side by side; weak nodes and edges of means are faint.

    Parameters
    ----------
    codebook : fitted GraphQuantizer, or collection of graphs
    encoder : AttributeEncoder, optional
    n_columns : int, optional
        By default about twice as many columns as rows.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import graphquant as gq
    >>> letters = gq.datasets.make_letters(1)
    >>> ax = gq.plotting.plot_codebook(letters.graphs, encoder=letters.encoder)
    """
    graphs = as_collection(getattr(codebook, "codebook_", codebook))
    columns = math.ceil(math.sqrt(2 * len(graphs))) if n_columns is None else n_columns
    columns = min(check_positive_int("n_columns", columns), max(len(graphs), 1))
    rows = math.ceil(len(graphs) / columns)
    ax = _blank_axes(ax, (1.3 * columns, 1.5 * rows))
    appearance = Appearance.of(graphs, encoder)
    for i, graph in enumerate(graphs):
        row, column = divmod(i, columns)
        look = appearance.look(graph)
        _draw(ax, look, _unit_box(look.positions) + np.array([1.25 * column, -1.45 * row]), unit=0.5)
        label = str(i) if graphs.names is None else graphs.names[i]
        ax.text(1.25 * column, -1.45 * row - 0.68, label, ha="center", va="center", fontsize=8, color=INK)
    ax.set_xlim(-0.6, 1.25 * (columns - 1) + 0.6)
    ax.set_ylim(-1.45 * (rows - 1) - 0.8, 0.6)
    return ax


def plot_match(
    x: Graph,
    y: Graph,
    match: "Match | None" = None,
    *,
    encoder: "GraphEncoder | None" = None,
    ax: Any = None,
) -> Any:
    """Draw two graphs side by side, with matched nodes linked.

    Parameters
    ----------
    x, y : Graph
    match : Match, optional
        By default ``graphquant.match(x, y)``.
    encoder : AttributeEncoder, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import graphquant as gq
    >>> letters = gq.datasets.make_letters(2)
    >>> x, y = letters.graphs[0], letters.graphs[1]
    >>> ax = gq.plotting.plot_match(x, y, encoder=letters.encoder)
    """
    if match is None:
        from graphquant.matching import match as find_match

        match = find_match(x, y)
    if match.mapping.shape != (x.order,):
        raise InvalidParameterError(
            f"The match maps {len(match.mapping)} nodes, but x has {x.order}.", "Pass x, y and their match."
        )
    appearance = Appearance.of(GraphCollection([x, y]), encoder)
    second = appearance.look(y)
    first = appearance.look(x, positions=appearance.place_like(x, match.mapping, second.positions))
    left, right = _unit_box(first.positions), _unit_box(second.positions) + np.array([1.5, 0.0])
    ax = _blank_axes(ax, (5.0, 2.4))
    matched = np.flatnonzero(match.mapping < y.order)
    segments = np.stack([left[matched], right[match.mapping[matched]]], axis=1)
    lines = import_optional("matplotlib.collections", "plot", "Drawing").LineCollection(
        segments, colors=LINK, linewidths=0.9, alpha=0.6, zorder=1
    )
    ax.add_collection(lines)
    _draw(ax, first, left, unit=0.8)
    _draw(ax, second, right, unit=0.8)
    ax.set_title(f"distance {match.distance:.4g}{'' if match.proven else ' (not proven)'}", fontsize=9)
    ax.set_xlim(-0.6, 2.1)
    ax.set_ylim(-0.6, 0.6)
    return ax


def new_axes(ax: Any, size: tuple[float, float]) -> Any:
    """Return the given axes, or those of a new figure of the given size in inches."""
    if ax is not None:
        return ax
    pyplot = import_optional("matplotlib.pyplot", "plot", "Drawing")
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def _blank_axes(ax: Any, size: tuple[float, float]) -> Any:
    ax = new_axes(ax, size)
    ax.set_aspect("equal", adjustable="box")
    ax.set_axis_off()
    ax.margins(0.12)
    return ax


def _unit_box(positions: FloatArray) -> FloatArray:
    """Centre positions and scale them into a box of side 1, keeping their proportions."""
    if len(positions) == 0:
        return positions
    low, high = positions.min(axis=0), positions.max(axis=0)
    boxed: FloatArray = (positions - 0.5 * (low + high)) / (float((high - low).max()) or 1.0)
    return boxed


def _draw(ax: Any, look: Look, places: FloatArray, unit: float = 1.0) -> None:
    """Draw one graph at the given places; weak edges first, nodes on top."""
    collections = import_optional("matplotlib.collections", "plot", "Drawing")
    order = np.argsort(look.edge_strength, kind="stable")
    strength = look.edge_strength[order]
    width = np.full(len(order), 1.6) if look.edge_size is None else 0.8 + 2.4 * look.edge_size[order]
    width = unit * width * (0.5 + 0.5 * strength)
    colours = _colours(look.edge_category, look.edge_colour, look.edge_strength, order)
    drawn = [(row, points) for row, i in enumerate(order.tolist()) for points in _strokes(look, i, places)]
    ax.add_collection(
        collections.LineCollection(
            [points for _, points in drawn],
            colors=[colours[row] for row, _ in drawn],
            linewidths=[width[row] for row, _ in drawn],
            capstyle="round",
            zorder=2,
        )
    )
    if are_one_way(look.edges, look.directed):
        extent = float(np.ptp(places, axis=0).max())
        arrows = [arrow(places[a], places[b], 0.055 * extent) for a, b in look.edges[order]]
        ax.add_collection(collections.PolyCollection(arrows, facecolors=colours, linewidths=0, zorder=2))
    area = 42.0 if look.node_size is None else 16.0 + 90.0 * look.node_size
    everything = np.arange(len(places))
    ax.scatter(
        *places.T,
        s=unit**2 * area,
        c=_colours(look.node_category, look.node_colour, look.node_strength, everything) or None,
        linewidths=0,
        zorder=3,
    )
    ax.autoscale_view()


def _strokes(look: Look, i: int, places: FloatArray) -> list[FloatArray]:
    """Return the points of the lines and arcs of an edge."""
    start, end = places[look.edges[i]]
    form = LINE if look.edge_form is None else int(look.edge_form[i])
    t = np.linspace(0.0, 1.0, 17)[:, None]
    return [
        np.stack([start, end])
        if control is None
        else (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
        for control in strokes(start, end, places.mean(axis=0), form)
    ]


def _colours(
    category: IntArray | None, share: FloatArray | None, strength: FloatArray, order: IntArray
) -> list[tuple[float, ...]]:
    """Colours with opacity, in drawing order."""
    to_rgba = import_optional("matplotlib.colors", "plot", "Drawing").to_rgba
    colours = []
    for i in order.tolist():
        colour = INK
        if category is not None and category[i] > 0:
            colour = category_colour(int(category[i]))
        elif share is not None:
            colour = ramp_colour(float(share[i]))
        colours.append(to_rgba(colour, opacity(float(strength[i]))))
    return colours


__all__ = ["new_axes", "plot_codebook", "plot_graph", "plot_match"]
