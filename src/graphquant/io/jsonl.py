"""networkx graphs as text: node-link JSON, one graph per line.

A line has the shape of ``networkx.node_link_data``: ``nodes`` with an ``id`` each, ``edges`` (or
``links``) with ``source`` and ``target``, ``directed``, and ``graph`` for what belongs to the graph as
a whole, here its ``name`` and ``target`` (the class). All other keys of nodes and edges are attributes:
numbers, strings, ``true`` and ``false`` (read as 1 and 0), or ``null`` (missing). A ``.json`` file holds
one such graph, or a list of them; ``.gz`` at the end compresses.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from graphquant.exceptions import FileFormatError
from graphquant.io._rows import Collector, GraphRows, Row, iter_rows, take_flags
from graphquant.io.base import FileContent, Format, atomic_path, errors_name
from graphquant.io.limits import open_packed
from graphquant.io.strict_json import check_text

_SUFFIXES = (".jsonl", ".ndjson", ".json")


def recognises(path: Path) -> bool:
    """Whether the file name is one of a JSON file, compressed or not."""
    return path.is_file() and path.name.lower().removesuffix(".gz").endswith(_SUFFIXES)


def read(path: Path, *, on_error: str = "raise", strict: bool = False) -> FileContent:
    """Read node-link JSON: one graph per line, or one graph (or a list) in a ``.json`` file.

    Parameters
    ----------
    path : Path
    on_error : {"raise", "skip"}, default="raise"
    strict : bool, default=False
        Refuse what is otherwise repaired and listed in ``FileContent.repaired``: NaN and infinity
        (missing), an attribute that is a number here and a string there (numbers if all strings read
        as such, else text), self-loops (left out) and repeated edges (the first is kept).

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> line = '{"nodes": [{"id": "a", "x": 1}, {"id": "b"}], "edges": [{"source": "a", "target": "b"}]}'
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "pair.jsonl")
    ...     _ = file.write_text(line)
    ...     read(file).graphs
    RawGraphs(1 graph, node attributes: x; edge attributes: none)
    """
    collector = Collector(path, on_error, strict=strict)
    try:
        with open_packed(path) as file:
            whole = path.name.lower().removesuffix(".gz").endswith(".json")
            for where, text in _members(file.read(), path, strict) if whole else _lines(file):
                with collector.graph(where):
                    collector.add(_graph(_parse(text, strict=strict)))
    except (EOFError, zlib.error, gzip.BadGzipFile) as err:
        raise FileFormatError(
            f"{path}: the compressed file is damaged or truncated ({err}).", "Download or write it again."
        ) from err
    return collector.content()


def write(content: FileContent, path: Path) -> None:
    """Write one graph per line; ``.json`` takes one graph only."""
    if path.name.lower().removesuffix(".gz").endswith(".json") and len(content.graphs) != 1:
        raise FileFormatError(
            f"{path}: a .json file holds one graph, and there are {len(content.graphs)}.",
            "Name the file .jsonl: one graph per line.",
        )
    graphs = iter_rows(content, "node-link JSON", reserved=("id", "source", "target", "key"))
    with atomic_path(path) as temporary, _create(temporary, zipped=_is_zipped(path)) as file:
        for graph in graphs:
            file.write(json.dumps(_node_link(graph), ensure_ascii=False, allow_nan=False).encode() + b"\n")


def _is_zipped(path: Path) -> bool:
    return path.suffix.lower() == ".gz"


@contextmanager
def _create(path: Path, *, zipped: bool) -> Iterator[IO[bytes]]:
    with path.open("wb") as file:
        if zipped:
            # Neither name nor time in the gzip header: equal content gives equal bytes.
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                yield packed  # type: ignore[misc]
        else:
            yield file


def _lines(file: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    for number, line in enumerate(file, start=1):
        if line.strip():
            yield f"line {number}", line


def _members(text: bytes, path: Path, strict: bool) -> Iterable[tuple[str, Any]]:
    """Graphs of a ``.json`` file; anything but a list is left to the reader of one graph."""
    if text.lstrip().startswith(b"["):
        with errors_name(path):
            return [(f"graph {i}", member) for i, member in enumerate(_parse(text, strict=strict))]
    return [("graph 0", text)]


def _parse(text: Any, *, strict: bool) -> Any:
    """Parse JSON, if strict without NaN and Infinity. Anything already parsed is returned unchanged."""
    if not isinstance(text, bytes):
        return text
    try:
        value = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant if strict else float)
        check_text(value, text)
        return value
    except FileFormatError:
        raise
    except json.JSONDecodeError as err:
        raise FileFormatError(
            f"not valid JSON ({err.msg} at column {err.colno}).", "Expected one node-link graph per line."
        ) from err
    except UnicodeEncodeError as err:
        raise FileFormatError("a text has half of a surrogate pair.", "Write whole characters.") from err
    except UnicodeDecodeError as err:
        raise FileFormatError(f"not UTF-8 text ({err.reason}).", "Save the file as UTF-8.") from err
    except RecursionError as err:
        raise FileFormatError(
            "the JSON is nested too deeply.", "Expected one node-link graph per line."
        ) from err
    except ValueError as err:  # Python refuses to convert integers with thousands of digits
        raise FileFormatError("a number is too long to be read.", "Give a finite number.") from err


def _refuse_constant(token: str) -> None:
    raise FileFormatError(f"{token} is not a finite number.", "Write null for a missing value.")


def _graph(data: Any) -> GraphRows:
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise FileFormatError(
            "not a node-link graph: no list 'nodes'.",
            'Expected {"nodes": [{"id": ...}], "edges": [{"source": ..., "target": ...}]}.',
        )
    links = data.get("edges", data.get("links", []))
    if not isinstance(links, list):
        raise FileFormatError("'edges' is not a list.", 'Expected [{"source": ..., "target": ...}].')
    position: dict[Any, int] = {}
    nodes = [_node(node, i, position) for i, node in enumerate(data["nodes"])]
    ends, rows = [], []
    for number, link in enumerate(links):
        row = _object(link, f"edge {number}")
        ends.append((_end(row, "source", number, position), _end(row, "target", number, position)))
        if data.get("multigraph"):
            row.pop("key", None)
        rows.append(row)
    about = _object(data.get("graph") or {}, "'graph'")
    flags = take_flags(about)
    return GraphRows(
        nodes=nodes,
        edges=ends,
        edge_rows=rows,
        directed=bool(data.get("directed")),
        name=_text(about, "name"),
        target=_text(about, "target"),
        flags=flags,
    )


def _node(node: Any, number: int, position: dict[Any, int]) -> Row:
    row = _object(node, f"node {number}")
    key = _key(row, "id", f"node {number}")
    if key in position:
        raise FileFormatError(
            f"node {number} has the id {key!r} of node {position[key]}.", "Give each node a unique id."
        )
    position[key] = number
    return row


def _end(row: Row, which: str, number: int, position: dict[Any, int]) -> int:
    key = _key(row, which, f"edge {number}")
    if key not in position:
        raise FileFormatError(
            f"edge {number}: {which} {key!r} is not the id of a node.", "Add the node or remove the edge."
        )
    return position[key]


def _key(row: Row, name: str, where: str) -> Any:
    key = row.pop(name, None)
    if isinstance(key, list):  # networkx writes nodes that are tuples this way
        key = json.dumps(key)
    if not isinstance(key, str | int | float):
        raise FileFormatError(
            f"{where} has no {name!r} that is a string or a number.", f"Give it a {name!r}."
        )
    return key


def _object(value: Any, where: str) -> Row:
    if not isinstance(value, dict):
        raise FileFormatError(f"{where} is not a JSON object.", 'Expected {"key": value, ...}.')
    return dict(value)


def _text(about: Row, name: str) -> str | None:
    value = about.get(name)
    return None if value is None else str(value)


def _node_link(graph: GraphRows) -> dict[str, Any]:
    named = {"name": graph.name, "target": graph.target}
    return {
        "directed": graph.directed,
        "multigraph": False,
        "graph": {key: text for key, text in named.items() if text is not None} | graph.flags,
        "nodes": [{"id": i, **row} for i, row in enumerate(graph.nodes)],
        "edges": [
            {"source": start, "target": end, **row}
            for (start, end), row in zip(graph.edges, graph.edge_rows, strict=True)
        ],
    }


FORMAT = Format(
    name="jsonl",
    description="networkx node-link JSON, one graph per line (.jsonl, .ndjson, .json; also .gz)",
    recognises=recognises,
    read=read,
    write=write,
)

__all__ = ["FORMAT", "read", "recognises", "write"]
