"""The text collections of TU Dortmund: ``DS_A.txt`` and its family, in a folder or a zip.

============================ ==========================================================
``DS_A.txt``                 edges ``from, to``; nodes numbered over all graphs, from 1
``DS_graph_indicator.txt``   graph of each node, from 1
``DS_graph_labels.txt``      class of each graph
``DS_node_labels.txt``       whole numbers: category columns ``label``, or ``label0``, ``label1``, ...
``DS_node_attributes.txt``   numbers: numeric columns ``a0``, ``a1``, ...
``DS_edge_labels.txt``       the same for edges, and ``DS_edge_attributes.txt``
============================ ==========================================================

A collection is undirected if each edge is listed in both directions with the same labels and attributes,
which is the convention, or if all edges are listed in one direction only, which is reported as a repair;
otherwise it is directed.
The format has no place for names, for what a label
means, and for graphs without nodes. Writing adds ``DS_graphquant.json`` with the first two, which other
readers ignore; a graph without nodes cannot be written.
"""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from graphquant._typing import AnyArray, IntArray
from graphquant.exceptions import FileFormatError, InvalidGraphError
from graphquant.graphs import Column, GraphCollection, RawGraphs
from graphquant.graphs.collection import flat_rows
from graphquant.io._archive import member_names, open_archive
from graphquant.io._repairs import Repairs
from graphquant.io._tu_columns import read_columns
from graphquant.io._tu_edges import find_direction, without_flaws
from graphquant.io._tu_files import SIDE_FILE, Labels, Side, TuFiles, collection_prefixes
from graphquant.io.base import (
    REPAIRED,
    FileContent,
    Format,
    Skipped,
    apply_flags,
    atomic_path,
    errors_name,
    flags_of,
    json_text,
    raw_from_vectors,
)


def recognises(path: Path) -> bool:
    """Whether a folder or zip holds a file ``..._A.txt``."""
    if not path.is_dir() and path.suffix.lower() != ".zip":
        return False
    return bool(collection_prefixes(member_names(path)))


def read(
    path: Path,
    *,
    on_error: str = "raise",
    strict: bool = False,
    name: str | None = None,
    directed: bool | None = None,
) -> FileContent:
    r"""Read a collection.

    Parameters
    ----------
    path : Path
        Folder or zip.
    on_error : {"raise", "skip"}
        Whether a graph that ``strict`` refuses is an error or left out. Files that do not fit
        each other are always an error.
    strict : bool, default=False
        Refuse what is otherwise repaired and listed in ``FileContent.repaired``: self-loops (left out),
        repeated edges (the first is kept), edges listed in one direction only (undirected),
        attributes that do not parse as numbers (missing if 90 % or more of the attribute are numbers,
        else text), labels that are not whole numbers (text).
    name : str, optional
        Name of the collection, where a folder holds several.
    directed : bool, optional
        Whether edges have a direction; by default determined as described above.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "DS_A.txt").write_text("1, 2\n2, 1\n")
    ...     _ = Path(folder, "DS_graph_indicator.txt").write_text("1\n1\n2\n")
    ...     read(Path(folder)).graphs
    RawGraphs(2 graphs, node attributes: none; edge attributes: none)
    """
    with open_archive(path) as archive:
        files = TuFiles(archive, path, name)
        side = files.side()
        if directed is not None:
            side = replace(side, directed=directed)
        repairs = Repairs(strict)
        parts = _Parts.parse(files, side, repairs)
        targets = _targets(files, len(parts), side)
        left_out = (
            f"; {files.name}_graph_attributes.txt was left out" if files.has("graph_attributes") else ""
        )
    with errors_name(path):
        raw, faults = parts.build(on_error)
        graphs = apply_flags(raw, side.flags)
    return FileContent(
        graphs,
        None if targets is None else tuple(t for i, t in enumerate(targets) if i not in faults),
        side.metadata | ({REPAIRED: tuple(repairs.lines())} if repairs.lines() else {}),
        (f"TU collection {files.name}" if side.description is None else side.description) + left_out,
        tuple(Skipped(f"graph {i + 1}", reason) for i, reason in faults.items()),
    )


def write(content: FileContent, path: Path) -> None:
    """Write a new folder, or a zip if the name ends in ``.zip``; the collection takes its name."""
    graphs = content.graphs
    raw = raw_from_vectors(graphs) if isinstance(graphs, GraphCollection) else graphs
    _check_writable(raw)
    name, zipped = path.stem if path.suffix else path.name, path.suffix.lower() == ".zip"
    with atomic_path(path, folder=not zipped) as temporary:
        if not zipped:
            for what, text in _texts(content, raw):
                (temporary / f"{name}_{what}").write_text(text, encoding="utf-8", newline="\n")
            return
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as file:
            for what, text in _texts(content, raw):
                # ZipInfo has a fixed date: equal content gives equal bytes.
                file.writestr(zipfile.ZipInfo(f"{name}/{name}_{what}"), text, zipfile.ZIP_DEFLATED)


# Reading


@dataclass(frozen=True)
class _Parts:
    """Arrays of all graphs, not yet checked as graphs."""

    node_offsets: IntArray
    edge_offsets: IntArray
    edges: IntArray  # numbered within each graph
    node_columns: Mapping[str, Column]
    edge_columns: Mapping[str, Column]
    directed: bool
    names: Sequence[str] | None

    @classmethod
    def parse(cls, files: TuFiles, side: Side, repairs: Repairs) -> "_Parts":
        """Read the files and fit them together."""
        graph_of_node = _indicator(files)
        edges = _edges(files, graph_of_node)
        columns = read_columns(
            files, "edge", len(edges), "A", side.edge_labels, side.edge_attributes, repairs
        )
        if not repairs.strict:
            lines = without_flaws(edges, graph_of_node, files.label("A"), repairs)
            if len(lines) < len(edges):
                edges, columns = edges[lines], {name: column.take(lines) for name, column in columns.items()}
        directed, kept = find_direction(edges, columns, side.directed, files, repairs)
        # Stable: the edges of a graph keep their order, and graphs need not be in order in the file.
        kept = kept[np.argsort(graph_of_node[edges[kept, 0]], kind="stable")]
        node_offsets = _offsets(np.bincount(graph_of_node))
        n_graphs = len(node_offsets) - 1
        if side.names is not None and len(side.names) != n_graphs:
            raise FileFormatError(
                f"{files.label('graph_indicator')}: {n_graphs} graphs, but {files.name}_{SIDE_FILE} "
                f"names {len(side.names)}.",
                "Write the collection again.",
            )
        graph_of_edge = graph_of_node[edges[kept, 0]]
        return cls(
            node_offsets=node_offsets,
            edge_offsets=_offsets(np.bincount(graph_of_edge, minlength=n_graphs)),
            edges=edges[kept] - node_offsets[graph_of_edge][:, None],
            node_columns=read_columns(
                files,
                "node",
                len(graph_of_node),
                "graph_indicator",
                side.node_labels,
                side.node_attributes,
                repairs,
            ),
            edge_columns={name: column.take(kept) for name, column in columns.items()},
            directed=directed,
            names=side.names,
        )

    def __len__(self) -> int:
        return len(self.node_offsets) - 1

    def build(self, on_error: str) -> tuple[RawGraphs, dict[int, str]]:
        """Build the graphs; those that the data model rejects raise, or are returned with the reason."""
        everything = np.arange(len(self))
        try:
            return self._select(everything), {}
        except InvalidGraphError:
            if on_error == "raise":
                raise
        faults = {}
        for i in range(len(self)):
            try:
                self._select(everything[i : i + 1])
            except InvalidGraphError as err:
                faults[i] = err.message.partition(": ")[2]
        return self._select(np.setdiff1d(everything, list(faults))), faults

    def _select(self, chosen: IntArray) -> RawGraphs:
        nodes, node_offsets = flat_rows(self.node_offsets, chosen)
        edges, edge_offsets = flat_rows(self.edge_offsets, chosen)
        return RawGraphs(
            node_offsets,
            edge_offsets,
            self.edges[edges],
            {name: column.take(nodes) for name, column in self.node_columns.items()},
            {name: column.take(edges) for name, column in self.edge_columns.items()},
            directed=self.directed,
            names=None if self.names is None else [self.names[i] for i in chosen],
        )


def _offsets(counts: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(counts)])


def _indicator(files: TuFiles) -> IntArray:
    """Graph of each node, from 0."""
    graphs: IntArray = files.numbers("graph_indicator", np.int64, 1).reshape(-1)
    where = files.label("graph_indicator")
    if len(graphs) == 0:
        raise FileFormatError(f"{where}: the file is empty.", "Download the collection again.")
    if graphs[0] < 1:
        raise FileFormatError(
            f"{where}: line 1 starts graph {graphs[0]}, expected 1.", "Number the graphs from 1 without gaps."
        )
    steps = np.diff(graphs, prepend=0)
    if (steps < 0).any():
        line = int(np.argmax(steps < 0))
        raise FileFormatError(
            f"{where}: line {line + 1} goes back from graph {graphs[line - 1]} to {graphs[line]}.",
            "The nodes of a graph must stand together, the graphs in order.",
        )
    if (steps > 1).any():
        line = int(np.argmax(steps > 1))
        raise FileFormatError(
            f"{where}: line {line + 1} starts graph {graphs[line]}; graph {graphs[line] - 1} has no node.",
            "Number the graphs from 1 without gaps; the format cannot hold a graph without nodes.",
        )
    return graphs - 1


def _edges(files: TuFiles, graph_of_node: IntArray) -> IntArray:
    """Edges in node numbers over all graphs, from 0."""
    edges: IntArray = files.numbers("A", np.int64, 2)
    outside = ((edges < 1) | (edges > len(graph_of_node))).any(axis=1)
    if outside.any():
        line = int(np.argmax(outside))
        raise FileFormatError(
            f"{files.label('A')}: line {line + 1} joins nodes {edges[line, 0]} and {edges[line, 1]}, "
            f"but the nodes are 1 to {len(graph_of_node)}.",
            "Download the collection again.",
        )
    start, end = graph_of_node[edges - 1].T
    across = start != end
    if across.any():
        line = int(np.argmax(across))
        raise FileFormatError(
            f"{files.label('A')}: line {line + 1} joins node {edges[line, 0]} of graph {start[line] + 1} "
            f"and node {edges[line, 1]} of graph {end[line] + 1}.",
            "An edge must join nodes of one graph; download the collection again.",
        )
    return edges - 1


def _targets(files: TuFiles, count: int, side: Side) -> list[str] | None:
    if not files.has("graph_labels"):
        return None
    labels = [line.strip() for line in files.text("graph_labels").splitlines() if line.strip()]
    if len(labels) != count:
        raise FileFormatError(
            f"{files.label('graph_labels')}: {len(labels)} lines, but {files.name}_graph_indicator.txt "
            f"has {count} graphs.",
            "Give one class for each graph; download the collection again.",
        )
    if side.targets is None:
        return labels
    class_of = {str(code): name for code, name in enumerate(side.targets)}
    where = files.label("graph_labels")
    for line, label in enumerate(labels, start=1):
        if label not in class_of:
            raise FileFormatError(
                f"{where}: line {line}: {label!r} is not a code from 0 to {len(class_of) - 1}.",
                "Write the collection again.",
            )
    return [class_of[label] for label in labels]


# Writing


def _check_writable(raw: RawGraphs) -> None:
    if len(raw) == 0:
        raise FileFormatError(
            "There are no graphs to write, and a TU collection cannot be empty.", "Write it to Parquet."
        )
    if (raw.orders == 0).any():
        raise FileFormatError(
            f"{raw.label(int(np.argmax(raw.orders == 0)))} has no nodes, which a TU collection cannot hold.",
            "Leave it out, or write to Parquet.",
        )
    if raw.groups is not None and "group" in raw.node_columns:
        raise FileFormatError(
            "The node attribute 'group' clashes with the groups.", "Rename it, or write to Parquet."
        )


def _texts(content: FileContent, raw: RawGraphs) -> Iterator[tuple[str, str]]:
    """Yield the files: what follows ``NAME_``, and the text."""
    edges, rows = _directed_edges(raw)
    yield "A.txt", _text(edges)
    yield "graph_indicator.txt", _text(np.repeat(np.arange(len(raw)), raw.orders)[:, None] + 1)
    codes, classes = _classes(content.targets)
    if codes is not None:
        yield "graph_labels.txt", _text(codes[:, None])
    node_labels, node_attributes = _split(raw.node_columns)
    edge_labels, edge_attributes = _split(raw.edge_columns)
    if raw.groups is not None:
        node_labels["group"] = Column(raw.groups)
    everything = np.arange(int(raw.node_offsets[-1]))
    yield from _tables("node", node_labels, node_attributes, everything)
    yield from _tables("edge", edge_labels, edge_attributes, rows)
    side = Side(
        directed=raw.directed,
        names=None if raw.names is None else list(raw.names),
        targets=classes,
        node_labels=_label_names(node_labels),
        edge_labels=_label_names(edge_labels),
        node_attributes=list(node_attributes),
        edge_attributes=list(edge_attributes),
        flags=dict(flags_of(content.graphs)),
        metadata=dict(content.metadata),
        description=content.description,
    )
    yield SIDE_FILE, json_text(asdict(side), "metadata")


def _directed_edges(raw: RawGraphs) -> tuple[IntArray, IntArray]:
    """Edges in node numbers over all graphs, undirected ones in both directions, and the row of each."""
    edges = raw.edges + np.repeat(raw.node_offsets[:-1], raw.n_edges)[:, None] + 1
    rows = np.arange(len(edges))
    if raw.directed:
        return edges, rows
    return np.concatenate([edges, edges[:, ::-1]], axis=1).reshape(-1, 2), np.repeat(rows, 2)


def _classes(targets: Sequence[str] | None) -> tuple[IntArray | None, list[str] | None]:
    """Return the number of the class of each graph, and the classes if the numbers are not their names."""
    if targets is None:
        return None, None
    classes = sorted(set(targets))
    try:
        numbers = [int(name) for name in classes]
        if [str(number) for number in numbers] == classes:
            return np.array([int(target) for target in targets]), None
    except ValueError:
        pass
    code = {name: i for i, name in enumerate(classes)}
    return np.array([code[target] for target in targets]), classes


def _tables(
    what: str, labels: Mapping[str, Column], attributes: Mapping[str, Column], rows: IntArray
) -> Iterator[tuple[str, str]]:
    if labels:
        codes = np.column_stack([column.values[rows] for column in labels.values()])
        yield f"{what}_labels.txt", _text(codes.astype(np.int64))
    if attributes:
        yield (
            f"{what}_attributes.txt",
            _text(np.column_stack([column.values[rows] for column in attributes.values()])),
        )


def _split(columns: Mapping[str, Column]) -> tuple[dict[str, Column], dict[str, Column]]:
    """Category columns, which become labels, and numeric ones, which become attributes."""
    numeric = {name for name, column in columns.items() if column.is_numeric}
    return (
        {name: column for name, column in columns.items() if name not in numeric},
        {name: column for name, column in columns.items() if name in numeric},
    )


def _label_names(columns: Mapping[str, Column]) -> list[Labels]:
    return [
        Labels(name, None if column.categories is None else list(column.categories))
        for name, column in columns.items()
    ]


def _text(table: AnyArray) -> str:
    return "".join(", ".join(map(repr, row)) + "\n" for row in table.tolist())


FORMAT = Format(
    name="tu",
    description="TU Dortmund text collection, a folder or zip with DS_A.txt and its family",
    recognises=recognises,
    read=read,
    write=write,
)

__all__ = ["FORMAT", "read", "recognises", "write"]
