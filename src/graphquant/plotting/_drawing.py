"""Drawings as text that notebooks show."""

from typing import Self


class Drawing(str):
    """An SVG or HTML element: a text for files and pages, a picture in notebooks.

    Examples
    --------
    >>> import graphquant as gq
    >>> drawing = gq.plotting.graph_svg(gq.Graph([1.0, 2.0], [(0, 1)]))
    >>> drawing[:4], drawing._repr_html_() == drawing
    ('<svg', True)
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Take the element as text."""
        return super().__new__(cls, text)

    def _repr_html_(self) -> str:
        """Return itself, for notebooks."""
        return str(self)


__all__ = ["Drawing"]
