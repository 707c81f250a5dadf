"""Graphs as small SVG pictures, without matplotlib: for notebooks and other HTML."""

import re
from collections.abc import Collection, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.graphs import Graph, GraphCollection
from graphquant.plotting._drawing import Drawing
from graphquant.plotting._edges import LINE, are_one_way, arrow, reach, strokes
from graphquant.plotting.appearance import Appearance, Look
from graphquant.plotting.palette import GLOW, LINK, category_colour, opacity, ramp_colour

if TYPE_CHECKING:
    from graphquant.matching import Match
    from graphquant.preprocessing import GraphEncoder

_MARGIN = 0.09  # of the side of a picture
_CAPTION = 18  # pixels below a drawing
# What XML cannot hold, however it is written; other control characters; marks of direction.
_NO_TEXT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def graph_svg(
    graph: Graph,
    *,
    size: int = 160,
    title: str | None = None,
    encoder: "GraphEncoder | None" = None,
    appearance: Appearance | None = None,
    highlight: Collection[int] = (),
    highlight_edges: Collection[tuple[int, int]] | None = None,
) -> Drawing:
    """Draw a graph as an SVG element.

    Parameters
    ----------
    graph : Graph
    size : int, default=160
        Width and height in pixels.
    title : str, optional
        Text for screen readers; by default the number of nodes and edges.
    encoder : AttributeEncoder, optional
        Provides the names of channels: coordinates, categories.
    appearance : Appearance, optional
        Shared by several drawings, so that colours and sizes are comparable.
    highlight : collection of int
        Nodes to highlight.
    highlight_edges : collection of pairs of int, optional
        Edges to highlight; by default those between these nodes.

    Returns
    -------
    Drawing
        A string, which notebooks show as a picture. Lines have the colour of the surrounding text, so the
        drawing fits light and dark pages.

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.plotting import graph_svg
    >>> svg = graph_svg(gq.Graph([1.0, 2.0], [(0, 1)]), title="a pair")
    >>> svg.startswith("<svg"), svg.count("<circle"), svg.count("<line")
    (True, 2, 1)
    """
    if appearance is None:
        appearance = Appearance.of(GraphCollection([graph]), encoder)
    look = appearance.look(graph)
    places = _fit(look, size, size)
    halo = _halo(look, places, size, set(highlight), highlight_edges)
    return _element(size, size, title or _summary(graph), halo + _drawing(look, places, size))


def codebook_svg(
    codebook: GraphCollection,
    *,
    size: int = 96,
    max_codes: int = 24,
    n_columns: int = 8,
    encoder: "GraphEncoder | None" = None,
    labels: Sequence[str] | None = None,
) -> Drawing:
    """Draw the graphs of a codebook, or others, side by side, as an SVG element.

    Parameters
    ----------
    codebook : GraphCollection
    size : int, default=96
        Width of each drawing in pixels.
    max_codes : int, default=24
        Draw only the first ones.
    n_columns : int, default=8
    encoder : AttributeEncoder, optional
        By default the one that made the vectors, if it is known.
    labels : sequence of str, optional
        Captions of the graphs; by default their numbers.

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.plotting import codebook_svg
    >>> codebook_svg(gq.datasets.make_letters(1).graphs, max_codes=3).count("<text")
    3
    """
    shown = codebook[:max_codes]
    appearance = Appearance.of(codebook, encoder)
    columns = max(1, min(n_columns, len(shown)))
    pieces = []
    for i, graph in enumerate(shown):
        row, column = divmod(i, columns)
        look = appearance.look(graph)
        places = _fit(look, size, size) + np.array([column * size, row * (size + _CAPTION)])
        pieces.append(_drawing(look, places, size))
        pieces.append(
            f'<text x="{(column + 0.5) * size}" y="{(row + 1) * (size + _CAPTION) - 6}" fill="currentColor" '
            f'font-size="11" text-anchor="middle">{i if labels is None else xml_text(labels[i])}</text>'
        )
    height = -(-len(shown) // columns) * (size + _CAPTION)
    title = f"{'codebook of ' if labels is None else ''}{len(codebook)} graphs"
    return _element(columns * size, height, title, "".join(pieces))


def match_svg(
    x: Graph,
    y: Graph,
    match: "Match",
    *,
    size: int = 200,
    title: str | None = None,
    encoder: "GraphEncoder | None" = None,
) -> Drawing:
    """Draw two graphs side by side, with matched nodes linked, as an SVG element.

    Parameters
    ----------
    x, y : Graph
    match : Match
        As :func:`graphquant.match` returns it for x and y.
    size : int, default=200
        Height, and width of each graph, in pixels.
    title : str, optional
    encoder : AttributeEncoder, optional

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.plotting import match_svg
    >>> path = gq.Graph([1.0, 2.0, 3.0], [(0, 1), (1, 2)])
    >>> match_svg(path, path, gq.match(path, path)).count("<path")
    3
    """
    appearance = Appearance.of(GraphCollection([x, y]), encoder)
    second = appearance.look(y)
    first = appearance.look(x, positions=appearance.place_like(x, match.mapping, second.positions))
    looks = (first, second)
    left, right = (_fit(look, size, size) for look in looks)
    right = right + np.array([1.25 * size, 0.0])
    links = "".join(
        _link(left[node], right[position])
        for node, position in enumerate(match.mapping.tolist())
        if position < y.order
    )
    if title is None:
        title = f"{_summary(x)}, matched with {_summary(y)} at distance {match.distance:.4g}"
    body = links + _drawing(looks[0], left, size) + _drawing(looks[1], right, size)
    return _element(round(2.25 * size), size, title, body)


def _fit(look: Look, width: float, height: float) -> FloatArray:
    """Scale positions into a picture that holds the arcs too, keeping their proportions."""
    positions = look.positions
    if len(positions) == 0:
        return positions
    occupied = reach(positions, look.edges, look.edge_form)
    low, high = occupied.min(axis=0), occupied.max(axis=0)
    room = (1.0 - 2 * _MARGIN) * np.array([width, height])
    extent = np.maximum(high - low, 1e-12)
    scale = float((room / extent).min()) if (high > low).any() else 0.0
    placed: FloatArray = (positions - 0.5 * (low + high)) * scale
    placed = placed * np.array([1.0, -1.0]) + 0.5 * np.array([width, height])
    return placed


def is_highlighted(
    ends: tuple[int, int], nodes: Collection[int], edges: Collection[tuple[int, int]] | None
) -> bool:
    """Return whether an edge is to be set off: one of those named, or one between the nodes."""
    if edges is None:
        return ends[0] in nodes and ends[1] in nodes
    return ends in edges or ends[::-1] in edges


def _halo(
    look: Look,
    places: FloatArray,
    size: float,
    highlight: set[int],
    edges: Collection[tuple[int, int]] | None,
) -> str:
    """Return what lies below the nodes and edges that are set off, as a highlighter would leave it."""
    width = 8.0 * size / 100.0 * min(1.0, (25.0 / max(len(places), 1)) ** 0.5)
    lines = [
        f'<path d="M{places[a][0]:.1f} {places[a][1]:.1f}L{places[b][0]:.1f} {places[b][1]:.1f}" '
        f'stroke="{GLOW}" stroke-width="{width:.1f}" stroke-linecap="round"/>'
        for a, b in look.edges.tolist()
        if is_highlighted((a, b), highlight, edges)
    ]
    dots = [
        f'<circle cx="{places[i][0]:.1f}" cy="{places[i][1]:.1f}" r="{0.62 * width:.1f}" fill="{GLOW}"/>'
        for i in sorted(highlight)
    ]
    return "".join([*lines, *dots])


def _drawing(look: Look, places: FloatArray, size: float) -> str:
    unit = size / 100.0 * (1.0 if len(places) <= 25 else (25.0 / len(places)) ** 0.5)
    has_arrows = are_one_way(look.edges, look.directed)
    order = np.argsort(look.edge_strength, kind="stable").tolist()
    lines = (_edge(look, i, places, unit, has_arrows) for i in order)
    return "".join(lines) + "".join(_node(look, i, places[i], unit) for i in range(len(places)))


def _edge(look: Look, i: int, places: FloatArray, unit: float, has_arrow: bool) -> str:
    start, end = (places[node] for node in look.edges[i])
    strength = float(look.edge_strength[i])
    thickness = 1.4 if look.edge_size is None else 0.7 + 2.0 * float(look.edge_size[i])
    colour = _colour(look.edge_category, look.edge_colour, i)
    pen = (
        f'stroke="{colour}" stroke-width="{unit * thickness * (0.5 + 0.5 * strength):.2f}" '
        f'stroke-opacity="{opacity(strength):.2f}" stroke-linecap="round"'
    )
    form = LINE if look.edge_form is None else int(look.edge_form[i])
    drawn = [
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" {pen}/>'
        if control is None
        else f'<path d="M{start[0]:.1f} {start[1]:.1f}Q{control[0]:.1f} {control[1]:.1f} '
        f'{end[0]:.1f} {end[1]:.1f}" fill="none" {pen}/>'
        for control in strokes(start, end, places.mean(axis=0), form)
    ]
    if has_arrow:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in arrow(start, end, 6.0 * unit).tolist())
        drawn.append(f'<polygon points="{corners}" fill="{colour}" fill-opacity="{opacity(strength):.2f}"/>')
    return "".join(drawn)


def _node(look: Look, i: int, place: FloatArray, unit: float) -> str:
    strength = float(look.node_strength[i])
    radius = 3.0 if look.node_size is None else 1.8 + 2.8 * float(look.node_size[i])
    return (
        f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{unit * radius:.2f}" '
        f'fill="{_colour(look.node_category, look.node_colour, i)}" '
        f'fill-opacity="{opacity(strength):.2f}"/>'
    )


def _colour(category: IntArray | None, share: FloatArray | None, i: int) -> str:
    if category is not None and category[i] > 0:
        return category_colour(int(category[i]))
    return "currentColor" if share is None else ramp_colour(float(share[i]))


def _link(start: FloatArray, end: FloatArray) -> str:
    bend = 0.4 * (end[0] - start[0])
    return (
        f'<path d="M{start[0]:.1f} {start[1]:.1f}C{start[0] + bend:.1f} {start[1]:.1f} '
        f'{end[0] - bend:.1f} {end[1]:.1f} {end[0]:.1f} {end[1]:.1f}" '
        f'fill="none" stroke="{LINK}" stroke-width="1" stroke-opacity="0.55"/>'
    )


def _element(width: int, height: int, title: str, body: str) -> Drawing:
    return Drawing(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" style="max-width:100%;height:auto">'
        f"<title>{xml_text(title)}</title>{body}</svg>"
    )


def xml_text(text: str) -> str:
    r"""Return a text for XML and its attributes; characters that are no text as escapes.

    Examples
    --------
    >>> print(xml_text("a<b\x1b"))
    a&lt;b\x1b
    """
    return escape(_NO_TEXT.sub(lambda found: found[0].encode("unicode_escape").decode(), text), quote=True)


def _summary(graph: Graph) -> str:
    nodes = "1 node" if graph.order == 1 else f"{graph.order} nodes"
    edges = "1 edge" if graph.n_edges == 1 else f"{graph.n_edges} edges"
    return f"graph with {nodes} and {edges}"


__all__ = ["codebook_svg", "graph_svg", "match_svg", "xml_text"]
