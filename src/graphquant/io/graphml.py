"""GraphML, as networkx, Gephi, yEd and igraph write it.

A file may hold several ``<graph>`` elements; a folder or a zip holds many files. Attributes are declared
by ``<key>`` with a type; numbers and booleans become numbers, strings stay strings, and an attribute
that is absent (and has no default) is missing. The graph attributes ``name`` and ``target`` (the class)
name the graph. Entities are refused, and nothing is ever fetched.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphquant.exceptions import FileFormatError
from graphquant.io._archive import member_names, open_archive
from graphquant.io._repairs import Unread
from graphquant.io._rows import Collector, GraphRows, Row, iter_rows, take_flags
from graphquant.io._xml import escape, parse_xml
from graphquant.io.base import FileContent, Format, atomic_path, errors_name, not_a_number

if TYPE_CHECKING:
    from lxml import etree

_SUFFIX = ".graphml"
_NUMBERS = ("int", "long", "float", "double", "integer")
_BOOLEANS = {"true": 1.0, "1": 1.0, "false": 0.0, "0": 0.0}


def recognises(path: Path) -> bool:
    """Whether this is a GraphML file, or a folder or zip that contains such files."""
    if _has_members(path):
        return any(name.lower().endswith(_SUFFIX) for name in member_names(path))
    return path.name.lower().endswith(_SUFFIX)


def read(path: Path, *, on_error: str = "raise", strict: bool = False) -> FileContent:
    """Read a GraphML file, or all those of a folder or zip (in the order of their names).

    Parameters
    ----------
    path : Path
    on_error : {"raise", "skip"}, default="raise"
    strict : bool, default=False
        Refuse what is otherwise repaired and listed in ``FileContent.repaired``: a value that is
        declared a number and does not parse as one (missing if 90 % or more of the attribute are
        numbers, else the attribute is text), NaN and infinity (missing), an attribute that is declared
        a number in one file and a string in another (text), self-loops (left out) and repeated edges
        (the first is kept).

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/></graph></graphml>'
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "pair.graphml")
    ...     _ = file.write_text(text)
    ...     read(file).graphs
    RawGraphs(1 graph, node attributes: none; edge attributes: none)
    """
    collector = Collector(path, on_error, strict=strict)
    with open_archive(path) as archive:
        if not _has_members(path):
            for where, graph, keys in _graphs(archive.read(path.name), str(path), strict=strict):
                with collector.graph(where):
                    collector.add(_graph(graph, keys))
            return collector.content()
        for member in archive.names():
            if member.lower().endswith(_SUFFIX):
                _add_member(collector, archive.read(member), member, strict=strict)
    return collector.content()


def _has_members(path: Path) -> bool:
    return path.is_dir() or path.suffix.lower() == ".zip"


def write(content: FileContent, path: Path) -> None:
    """Write all graphs into one file."""
    graphs = iter_rows(content, "GraphML")
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        declared = _Keys()
        body = [line for graph in graphs for line in _graph_lines(graph, declared)]
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        file.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        file.writelines(f"{line}\n" for line in declared.lines())
        file.writelines(f"{line}\n" for line in body)
        file.write("</graphml>\n")


# Reading


@dataclass(frozen=True)
class _Key:
    """Declaration of an attribute."""

    name: str
    type: str
    default: str | None
    strict: bool

    def value(self, text: str, where: str) -> float | str:
        """Convert the text of a value as the declaration says; a value that does not fit is Unread."""
        if self.type == "string":
            return text
        where = f"{where}, attribute {self.name!r}"
        if self.type == "boolean":
            found = _BOOLEANS.get(text.strip().lower())
            error = FileFormatError(f"{where}: {text!r} is not a boolean.", "Write true or false.")
        else:
            found = _float(text)
            error = not_a_number(text, where)
            if found is not None and not math.isfinite(found):
                error = FileFormatError(
                    f"{where}: {text!r} is not a finite number.", "Leave out a missing value."
                )
        if self.strict and (found is None or not math.isfinite(found)):
            raise error
        return Unread(text) if found is None else found


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


_KeyTable = dict[tuple[str, str], _Key]  # by (node, edge or graph; id)


def _add_member(collector: Collector, data: bytes, member: str, *, strict: bool) -> None:
    """Add the graphs of one file out of many; a graph without a name is named after its file."""
    graphs: list[tuple[str, etree._Element, _KeyTable]] = []
    with collector.graph(member):
        graphs = list(_graphs(data, member, strict=strict))
    for where, element, keys in graphs:
        with collector.graph(f"{member}: {where}"):
            graph = _graph(element, keys)
            graph.name = graph.name or Path(member).stem
            collector.add(graph)


def _graphs(data: bytes, label: str, *, strict: bool) -> Iterator[tuple[str, "etree._Element", _KeyTable]]:
    """Yield the graphs of a document, with their labels in messages and the declared attributes."""
    root = parse_xml(data, label, "graphml")
    with errors_name(label):
        keys = _keys(root, strict=strict)
    for number, element in enumerate(root.findall("graph")):
        name = element.get("id")
        yield f"graph {number}" if name is None else f"graph {number} ({name!r})", element, keys


def _keys(root: "etree._Element", *, strict: bool) -> _KeyTable:
    keys: _KeyTable = {}
    for element in root.findall("key"):
        if element.get("yfiles.type") is not None:
            continue  # drawing instructions of yEd
        identifier = element.get("id", "")
        kind = element.get("attr.type", "string")
        if kind not in ("string", "boolean", *_NUMBERS):
            raise FileFormatError(
                f"key {identifier!r} has the type {kind!r}.",
                f"Known types: string, boolean, {', '.join(_NUMBERS)}.",
            )
        key = _Key(element.get("attr.name", identifier), kind, element.findtext("default"), strict)
        scope = element.get("for", "all")
        for what in ("node", "edge", "graph") if scope == "all" else (scope,):
            keys[what, identifier] = key
    return keys


def _graph(element: "etree._Element", keys: _KeyTable) -> GraphRows:
    default = element.get("edgedefault", "undirected")
    if default not in ("directed", "undirected"):
        raise FileFormatError(
            f"edgedefault={default!r} is neither 'directed' nor 'undirected'.", "Write one of them."
        )
    for odd in ("hyperedge", "node/graph"):
        if element.find(odd) is not None:
            raise FileFormatError(
                f"the graph contains a <{odd.rpartition('/')[2]}>, which is not supported.",
                "Flatten the graph to nodes and edges.",
            )
    directed = default == "directed"
    position: dict[str, int] = {}
    nodes = [_node(node, keys, position) for node in element.findall("node")]
    ends, rows = [], []
    for number, edge in enumerate(element.findall("edge")):
        if edge.get("directed", str(directed)).lower() != str(directed).lower():
            raise FileFormatError(
                f"edge {number} is {'un' if directed else ''}directed in a graph that is {default}.",
                "Make all edges directed or all undirected: an undirected edge is two directed ones.",
            )
        ends.append((_end(edge, "source", number, position), _end(edge, "target", number, position)))
        rows.append(_attributes(edge, "edge", keys, f"edge {number}"))
    about = _attributes(element, "graph", keys, "the graph")
    flags = take_flags(about)
    name = about.get("name", element.get("id"))
    target = about.get("target")
    return GraphRows(
        nodes=nodes,
        edges=ends,
        edge_rows=rows,
        directed=directed,
        name=_text(name),
        target=_text(target),
        flags=flags,
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _node(element: "etree._Element", keys: _KeyTable, position: dict[str, int]) -> Row:
    identifier = element.get("id")
    if identifier is None or identifier in position:
        raise FileFormatError(
            f"node {len(position)} has no id of its own ({identifier!r}).", "Give each node a unique id."
        )
    position[identifier] = len(position)
    return _attributes(element, "node", keys, f"node {identifier!r}")


def _end(edge: "etree._Element", which: str, number: int, position: dict[str, int]) -> int:
    identifier = edge.get(which)
    if identifier not in position:
        raise FileFormatError(
            f"edge {number}: {which} {identifier!r} is not the id of a node.",
            "Add the node or remove the edge.",
        )
    return position[identifier]


def _attributes(element: "etree._Element", what: str, keys: _KeyTable, where: str) -> Row:
    row: Row = {
        key.name: key.value(key.default, where)
        for (scope, _), key in keys.items()
        if scope == what and key.default is not None
    }
    for data in element.findall("data"):
        identifier = data.get("key", "")
        key = keys.get((what, identifier))
        if key is not None:
            row[key.name] = key.value(data.text or "", where)
        elif len(data) == 0:  # with children: drawing instructions
            raise FileFormatError(
                f"{where}: no <key> declares the attribute {identifier!r} for a {what}.", "Add the <key>."
            )
    return row


# Writing


class _Keys:
    """Attributes seen so far, declared under short ids."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, str, str], str] = {}

    def data(self, what: str, row: Row, indent: str) -> Iterator[str]:
        """Yield the ``<data>`` lines of one row."""
        for name, value in row.items():
            kind = "string" if isinstance(value, str) else "long" if isinstance(value, int) else "double"
            key = self._ids.setdefault((what, name, kind), f"d{len(self._ids)}")
            text = escape(value, f"attribute {name!r}") if isinstance(value, str) else repr(value)
            yield f'{indent}<data key="{key}">{text}</data>'

    def lines(self) -> Iterator[str]:
        """Yield the ``<key>`` lines."""
        for (what, name, kind), key in self._ids.items():
            quoted = escape(name, "the name of an attribute")
            yield f'  <key id="{key}" for="{what}" attr.name="{quoted}" attr.type="{kind}"/>'


def _graph_lines(graph: GraphRows, keys: _Keys) -> Iterator[str]:
    about = {"name": graph.name, "target": graph.target}
    yield f'  <graph edgedefault="{"directed" if graph.directed else "undirected"}">'
    yield from keys.data("graph", {k: v for k, v in about.items() if v is not None} | graph.flags, "    ")
    for i, row in enumerate(graph.nodes):
        yield f'    <node id="n{i}">'
        yield from keys.data("node", row, "      ")
        yield "    </node>"
    for (start, end), row in zip(graph.edges, graph.edge_rows, strict=True):
        yield f'    <edge source="n{start}" target="n{end}">'
        yield from keys.data("edge", row, "      ")
        yield "    </edge>"
    yield "  </graph>"


FORMAT = Format(
    name="graphml",
    description="GraphML, one or more graphs per file, or a folder or zip of files (.graphml)",
    recognises=recognises,
    read=read,
    write=write,
)

__all__ = ["FORMAT", "read", "recognises", "write"]
