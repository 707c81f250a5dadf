"""One GXL document: from XML to lists of raw values, and back to XML.

Only what the data model can hold is read: nodes, edges, and attributes with one number or string each.
What belongs to a graph as a whole and has no place in GXL (see the flags in ``io/_base.py``; the name,
if it is not a file name; the class, if there is no CXL file) is kept in attributes of the graph.
"""

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from lxml import etree

from graphquant.exceptions import FileFormatError
from graphquant.io._repairs import FIRST_KEPT, FIX, LEFT_OUT, MISSING, Repairs
from graphquant.io._rows import GraphRows, Row
from graphquant.io._xml import escape, parse_xml
from graphquant.io.base import FLAGS
from graphquant.io.strict_json import parse_json

NUMBER_TAGS = frozenset({"int", "integer", "float", "double"})
BOOL_TAGS = frozenset({"bool", "boolean"})
SCALAR_TAGS = NUMBER_TAGS | BOOL_TAGS | {"string", "enum"}
# Our own graph attributes. Their text is JSON, which escapes characters that XML cannot hold.
_NAME, _TARGET = "graphquant.name", "graphquant.target"


@dataclass
class Cells:
    """The values of one attribute in one graph: which rows have it, as text, by which XML tags."""

    rows: Sequence[int]
    texts: Sequence[str]
    tags: set[str]


@dataclass
class GxlGraph:
    """One graph of a document: its structure checked and repaired, its values still text."""

    label: str
    name: str
    target: str | None
    order: int
    edges: list[tuple[int, int]]
    directed: bool
    node_cells: dict[str, Cells]
    edge_cells: dict[str, Cells]
    flags: dict[str, str]
    repaired: Sequence[str] = ()


def graph_elements(data: bytes, label: str, stem: str) -> list[tuple[etree._Element, str, str]]:
    """Find the graphs of a document: element, label for messages, and name.

    A single graph is called ``stem``; several are distinguished by their ids.
    """
    elements = parse_xml(data, label, "gxl").findall("graph")
    if not elements:
        raise FileFormatError(f"{label}: contains no <graph> element.", FIX)
    if len(elements) == 1:
        return [(elements[0], label, stem)]
    return [
        (element, f"{label}: graph {i}", f"{stem}#{element.get('id', str(i))}")
        for i, element in enumerate(elements)
    ]


def parse_graph(element: etree._Element, label: str, name: str, *, strict: bool) -> GxlGraph:
    """Read one graph and check its structure.

    Self-loops, repeated edges and repeated attributes are left out, unless ``strict`` refuses them.
    """
    repairs = Repairs(strict)
    nodes = element.findall("node")
    edges = element.findall("edge")
    if element.find("rel") is not None:
        raise FileFormatError(f"{label}: <rel> (a hyperedge) is not supported.", "Use nodes and edges only.")
    directed = _edge_mode(element, edges, label)
    about = {attr.get("name", ""): attr.findtext("*", "") for attr in element.iterfind("attr")}
    own_name = _own_text(about, _NAME, label)
    pairs, edges = _edge_pairs(edges, _node_positions(nodes, label), label, repairs, directed=directed)
    return GxlGraph(
        label=label,
        name=name if own_name is None else own_name,
        target=_own_text(about, _TARGET, label),
        order=len(nodes),
        edges=pairs,
        directed=directed,
        node_cells=_read_cells(nodes, "node", label, repairs),
        edge_cells=_read_cells(edges, "edge", label, repairs),
        flags={flag: about[flag] for flag in FLAGS if flag in about},
        repaired=tuple(repairs.lines()),
    )


def gxl_text(graphs: Iterator[GraphRows], exact: Collection[tuple[str, str]], label: str) -> str:
    """Write graphs as one GXL document.

    Parameters
    ----------
    graphs : iterator of GraphRows
        ``name`` and ``target`` are noted in the document if they are not None.
    exact : collection of (str, str)
        ``("node", name)`` or ``("edge", name)`` of string attributes that are written as ``<enum>``,
        whose text is read verbatim.
    label : str
        What errors call the document.
    """
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<gxl>\n']
    for number, graph in enumerate(graphs):
        parts.extend(_graph_text(graph, f"g{number}", exact, label))
    parts.append("</gxl>\n")
    return "".join(parts)


def _own_text(about: Mapping[str, str], name: str, label: str) -> str | None:
    if name not in about:
        return None
    try:
        text = parse_json(about[name])
    except ValueError:
        text = None
    if not isinstance(text, str):
        raise FileFormatError(f"{label}: graph attribute {name!r} is not a JSON string.", FIX)
    return text


def _edge_mode(element: etree._Element, edges: list[etree._Element], label: str) -> bool:
    mode = element.get("edgemode", "undirected")
    if mode not in ("directed", "undirected", "defaultdirected", "defaultundirected"):
        raise FileFormatError(f"{label}: edgemode={mode!r}, expected 'directed' or 'undirected'.", FIX)
    directed = not mode.endswith("undirected")
    expected = "true" if directed else "false"
    for number, edge in enumerate(edges):
        if edge.get("isdirected", expected) != expected:
            raise FileFormatError(
                f"{label}: edge {number} has isdirected={edge.get('isdirected')!r} in a graph with "
                f"edgemode={mode!r}; directed and undirected edges are mixed.",
                "Make all edges directed or all undirected: an undirected edge is two directed ones.",
            )
    return directed


def _node_positions(nodes: list[etree._Element], label: str) -> dict[str, int]:
    positions: dict[str, int] = {}
    for number, node in enumerate(nodes):
        name = node.get("id")
        if name is None:
            raise FileFormatError(f"{label}: node {number} has no id.", FIX)
        if positions.setdefault(name, number) != number:
            raise FileFormatError(
                f"{label}: node {number} has the id {name!r} of node {positions[name]}.", FIX
            )
    return positions


def _edge_pairs(
    edges: list[etree._Element],
    positions: dict[str, int],
    label: str,
    repairs: Repairs,
    *,
    directed: bool,
) -> tuple[list[tuple[int, int]], list[etree._Element]]:
    """Return the edges by node numbers, and their elements, without self-loops and repeated edges."""
    find = positions.get
    pairs, kept = [], []
    seen: dict[tuple[int, int], int] = {}
    for number, edge in enumerate(edges):
        start, end = find(edge.get("from", "")), find(edge.get("to", ""))
        if start is None or end is None:
            _raise_end_point(edge, positions, f"{label}: edge {number}")
        if start == end:
            error = FileFormatError(
                f"{label}: edge {number} is a self-loop at node {edge.get('from')!r}.",
                'Put what a self-loop says into the attributes of its node, or read with on_error="skip".',
            )
            repairs.tell(error, LEFT_OUT, "self-loop")
            continue
        key = (start, end) if directed or start < end else (end, start)
        if seen.setdefault(key, number) != number:
            error = FileFormatError(
                f"{label}: edge {number} repeats edge {seen[key]} "
                f"(nodes {edge.get('from')!r} and {edge.get('to')!r}).",
                'Merge them in the file, or read with on_error="skip".',
            )
            repairs.tell(error, FIRST_KEPT, "repeated edge")
            continue
        pairs.append((start, end))
        kept.append(edge)
    return pairs, kept


def _raise_end_point(edge: etree._Element, positions: dict[str, int], where: str) -> NoReturn:
    for side in ("from", "to"):
        if edge.get(side) is None:
            raise FileFormatError(f"{where} has no {side!r}.", FIX)
    missing = next(edge.get(side) for side in ("from", "to") if edge.get(side) not in positions)
    raise FileFormatError(f"{where} names the node {missing!r}, which is not in the graph.", FIX)


def _read_cells(elements: list[etree._Element], what: str, label: str, repairs: Repairs) -> dict[str, Cells]:
    found: dict[str, tuple[list[int], list[str], set[str]]] = {}
    for row, element in enumerate(elements):
        for attr in element:
            if attr.tag == "type":  # names a schema, says nothing about the graph
                continue
            value = _value_of(attr, f"{label}: {what} {row}", repairs)
            if value is None:
                continue
            name = attr.get("name", "")
            rows, texts, tags = found.setdefault(name, ([], [], set()))
            if rows and rows[-1] == row:
                error = FileFormatError(f"{label}: {what} {row} has the attribute {name!r} twice.", FIX)
                repairs.tell(error, FIRST_KEPT, (what, name, "twice"))
                continue
            tag, text = value
            rows.append(row)
            texts.append(text)
            tags.add(tag)
    for name, (_, _, tags) in found.items():
        _check_tags(tags, f"{label}: {what} attribute {name!r}", repairs)
    return {name: Cells(*cell) for name, cell in found.items()}


def _value_of(attr: etree._Element, where: str, repairs: Repairs) -> tuple[str, str] | None:
    """Return the type and the text of an attribute; None if it has no value."""
    if attr.tag != "attr":
        raise FileFormatError(f"{where} contains <{attr.tag}>, expected <attr> only.", FIX)
    if len(attr) == 1 and not len(attr[0]):
        return attr[0].tag.lower(), attr[0].text or ""
    name = attr.get("name")
    error = FileFormatError(
        f"{where}, attribute {name!r}: expected one value, as in <float>0.5</float>.",
        "Split a vector into one attribute per number.",
    )
    if len(attr):
        raise error
    text = (attr.text or "").strip()
    repairs.tell(error, f"{text!r} is read as text" if text else MISSING, (where.split()[-2], name, "bare"))
    return ("string", text) if text else None


def _check_tags(tags: set[str], where: str, repairs: Repairs) -> None:
    """Treat values of an unknown type as strings."""
    unknown = tags - SCALAR_TAGS
    if unknown:
        error = FileFormatError(
            f"{where} has values of type <{min(unknown)}>, expected int, float, bool, string or enum.", FIX
        )
        repairs.tell(error, "read as text")
        tags -= unknown
        tags.add("string")


def _graph_text(
    graph: GraphRows, identity: str, exact: Collection[tuple[str, str]], label: str
) -> Iterator[str]:
    mode = "directed" if graph.directed else "undirected"
    yield f'<graph id="{identity}" edgeids="false" edgemode="{mode}">\n'
    about = dict(graph.flags)
    for name, text in ((_NAME, graph.name), (_TARGET, graph.target)):
        if text is not None:
            about[name] = json.dumps(text)
    yield from _attributes_text(about, "graph", (), label)
    for number, row in enumerate(graph.nodes):
        yield f'<node id="{number}">'
        yield from _attributes_text(row, "node", exact, label)
        yield "</node>\n"
    for (start, end), row in zip(graph.edges, graph.edge_rows, strict=True):
        yield f'<edge from="{start}" to="{end}">'
        yield from _attributes_text(row, "edge", exact, label)
        yield "</edge>\n"
    yield "</graph>\n"


def _attributes_text(row: Row, what: str, exact: Collection[tuple[str, str]], label: str) -> Iterator[str]:
    for name, value in row.items():
        where = f"{label}: {what} attribute {name!r}"
        if isinstance(value, str):
            tag, text = "enum" if (what, name) in exact else "string", escape(value, where)
        else:
            tag, text = "int" if isinstance(value, int) else "float", _number_text(value, where)
        yield f'<attr name="{escape(name, where)}"><{tag}>{text}</{tag}></attr>'


def _number_text(value: float, where: str) -> str:
    if not math.isfinite(value):
        raise FileFormatError(f"{where}: {value} is not a finite number.", "Leave it out, or replace it.")
    # The shortest text that reads back as the same number.
    return repr(value)


__all__ = [
    "BOOL_TAGS",
    "NUMBER_TAGS",
    "SCALAR_TAGS",
    "Cells",
    "GxlGraph",
    "graph_elements",
    "gxl_text",
    "parse_graph",
]
