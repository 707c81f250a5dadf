"""A shortcut for plain GXL documents, several times faster than walking an XML tree.

Nearly all documents of a data set come from one program: ASCII, one graph, the same attributes in
the same order on all nodes and all edges. Such a document is read by a regular expression built for the
shape of its first node and edge. The shortcut never judges: for any other document, richer or
broken, it returns None, and the real parser reads it or says what is wrong.

Why a match is complete: each match holds a fixed number of ``<``. If they, with those before and
after the graph, add up to all the ``<`` of the document, there is no markup that was not understood;
so comments, CDATA and declarations fail. Entities (``&``), control characters and what is not ASCII
are left to the parser from the start.
"""

import re
from functools import lru_cache

from graphquant.io._gxl_document import SCALAR_TAGS, Cells, GxlGraph

# Possessive quantifiers (*+): long runs of blanks must not be tried in every possible split.
_HEAD = re.compile(
    r'(?:<\?xml version="1\.0"(?: encoding="(?:utf-8|UTF-8)")?\s*+\?>)?'
    r'\s*+(?:<!DOCTYPE gxl SYSTEM "[^"<>\[\]]*"\s*+>)?'
    r'\s*+<gxl(?: xmlns:xlink="[^"<>]*")?>'
    r'\s*+<graph id="[^"<>]*"(?: edgeids="(?:true|false)")?(?: edgemode="(directed|undirected)")?\s*+>'
)
_TAIL = re.compile(r"\s*</graph>\s*</gxl>\s*\Z")
_SPECIAL = b"&" + bytes({*range(0x20), *range(0x7F, 0x100)} - set(b"\t\n\r"))
# XML turns \r\n into \n, and in names blanks of any kind into spaces: such values are left to the parser.
_NAME = r'[^"<>\t\n\r]*'
_TEXT = r"[^<>\r]*"
_OPENING = {"node": rf'<node id="({_NAME})"', "edge": rf'<edge from="({_NAME})" to="({_NAME})"'}
_FIRST = {
    what: re.compile(rf"{opening}\s*(?:/>|>(?P<inside>.*?)</{what}>)", re.DOTALL)
    for what, opening in _OPENING.items()
}
_ATTRIBUTE = re.compile(rf'<attr name="({_NAME})">\s*<([A-Za-z]+)>')

Shape = tuple[tuple[str, str], ...]  # name and tag of each attribute
Elements = tuple[list[tuple[str, ...]], dict[str, Cells], int]


def parse_plain(data: bytes, label: str, name: str) -> GxlGraph | None:
    """Read the only graph of a plain document; None if the document is not plain."""
    if len(data.translate(None, _SPECIAL)) != len(data):
        return None
    text = data.decode("ascii")
    head = _HEAD.match(text)
    tail = _TAIL.search(text, max(len(text) - 100, 0))
    if head is None or tail is None:
        return None
    nodes = _read_elements(text, "node")
    edges = _read_elements(text, "edge")
    if nodes is None or edges is None:
        return None
    (ids,), node_cells, node_marks = nodes
    (starts, ends), edge_cells, edge_marks = edges
    marks = head.group().count("<") + node_marks + edge_marks + tail.group().count("<")
    directed = head.group(1) == "directed"
    pairs = _plain_pairs(ids, starts, ends, directed=directed)
    if pairs is None or marks != text.count("<") or marks != text.count(">"):
        return None
    return GxlGraph(
        label=label,
        name=name,
        target=None,
        order=len(ids),
        edges=pairs,
        directed=directed,
        node_cells=node_cells,
        edge_cells=edge_cells,
        flags={},
    )


def _read_elements(text: str, what: str) -> Elements | None:
    """Read all nodes (or edges) that have the shape of the first: identities, attributes, count of ``<``."""
    n_identities = 1 if what == "node" else 2
    start = text.find(f"<{what}")
    if start < 0:
        return [()] * n_identities, {}, 0
    first = _FIRST[what].match(text, start)
    if first is None:
        return None
    shape = tuple(_ATTRIBUTE.findall(first["inside"] or ""))
    names, tags = {name for name, _ in shape}, {tag.lower() for _, tag in shape}
    if len(names) != len(shape) or not tags <= SCALAR_TAGS:
        return None
    empty = first["inside"] is None
    found = _pattern(what, shape, empty=empty).findall(text)
    if not found:
        return None
    columns = list(zip(*found, strict=True))
    rows = range(len(found))
    cells = {
        name: Cells(rows, values, {tag.lower()})
        for (name, tag), values in zip(shape, columns[n_identities:-1], strict=True)
    }
    per_element = 1 if empty else 2 + 4 * len(shape)
    return columns[:n_identities], cells, per_element * len(found)


@lru_cache(maxsize=256)
def _pattern(what: str, shape: Shape, *, empty: bool) -> re.Pattern[str]:
    if empty:
        return re.compile(rf"{_OPENING[what]}\s*/>()")
    attributes = "".join(
        rf'\s*<attr name="{re.escape(name)}">\s*<{tag}>({_TEXT})</{tag}>\s*</attr>' for name, tag in shape
    )
    # The empty group at the end makes findall return tuples even if there is only one other.
    return re.compile(rf"{_OPENING[what]}\s*>{attributes}\s*</{what}>()")


def _plain_pairs(
    ids: tuple[str, ...], starts: tuple[str, ...], ends: tuple[str, ...], *, directed: bool
) -> list[tuple[int, int]] | None:
    """Return the edges by node number; None if anything about them is wrong."""
    position = {name: i for i, name in enumerate(ids)}
    try:
        pairs = [(position[start], position[end]) for start, end in zip(starts, ends, strict=True)]
    except KeyError:
        return None
    distinct = set(pairs)
    if not directed:
        distinct.update([(end, start) for start, end in pairs])
    # A self-loop is its own reverse, so it shows in the count of undirected edges, too.
    expected = len(pairs) if directed else 2 * len(pairs)
    if len(position) != len(ids) or len(distinct) != expected:
        return None
    if directed and any(start == end for start, end in pairs):
        return None
    return pairs


__all__ = ["parse_plain"]
