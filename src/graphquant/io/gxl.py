"""The IAM graph database format: one GXL file per graph, CXL files that list them with their classes.

A CXL file is one split of a data set (``train.cxl``, ``test.cxl``). It names GXL files next to it::

    <GraphCollection><letters><print file="AP1_0100.gxl" class="A"/>...</letters></GraphCollection>

The lists of GEDLIB are called ``.xml``, have ``<graph file="..." class="..."/>``, and may be in another
folder than the graphs (see ``_gxl_lists.py``). The reader takes a folder or a zip of such files, one list,
or one ``.gxl``.
"""

import re
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from graphquant._validation import check_choice
from graphquant.exceptions import FileFormatError
from graphquant.graphs import GraphCollection, RawGraphs
from graphquant.io._archive import Archive, member_names, open_archive
from graphquant.io._gxl_columns import BadNumber, build_columns, looks_numeric
from graphquant.io._gxl_document import GxlGraph, graph_elements, gxl_text, parse_graph
from graphquant.io._gxl_fast import parse_plain
from graphquant.io._gxl_lists import (
    Entry,
    Problems,
    choose_lists,
    distinct,
    has_suffix,
    is_list,
    locate,
    read_list,
)
from graphquant.io._repairs import FIX
from graphquant.io._rows import GraphRows, iter_rows
from graphquant.io._xml import escape
from graphquant.io.base import REPAIRED, UNNAMED, FileContent, Format, apply_flags, atomic_path, errors_name

# Names that are valid file names on every system; all others are stored inside the file.
_SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}(?<!\.)")
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)


def recognises(path: Path) -> bool:
    """Whether ``path`` is a GXL or CXL file, or a folder or zip that contains such files."""
    if path.is_file() and (path.suffix.lower() == ".gxl" or is_list(path)):
        return True
    if not path.is_dir() and path.suffix.lower() != ".zip":
        return False
    try:
        return any(has_suffix(name, ".gxl", ".cxl") for name in member_names(path))
    except FileFormatError:
        # A damaged zip: reading it will report what is wrong.
        return path.exists()


def read(
    path: Path,
    *,
    split: str | Sequence[str] | None = None,
    on_error: str = "raise",
    strict: bool = False,
    repair: bool | None = None,
) -> FileContent:
    """Read graphs in the IAM format.

    Parameters
    ----------
    path : Path
        Folder or zip, one list (``.cxl``, or ``.xml`` as in GEDLIB), or one ``.gxl`` file.
    split : str or sequence of str, optional
        CXL files of a folder or zip to read: the end of their path, with or without
        ``.cxl`` (``"test"``, ``"LOW/test"``), several of them, or ``"all"``. By default all, with a
        warning if there are several. Without any CXL file, all GXL files are read, without classes.
    on_error : {"raise", "skip"}, default="raise"
        What to do about a graph that cannot be read; skipped ones are listed in the result.
    strict : bool, default=False
        Refuse what is otherwise repaired (see Notes) and listed in ``FileContent.repaired``.
    repair : bool, optional
        Deprecated: ``repair=True`` is the default now, ``repair=False`` is ``strict=True``.

    Returns
    -------
    FileContent
        Graphs in the order of the CXL file, named after their files; classes without surrounding blanks.

    Notes
    -----
    A graph without ``edgemode`` is undirected. Blanks around strings are dropped. An attribute that
    only some nodes have is missing at the others. A string attribute of which 90 % or more read as
    numbers is numeric.

    Repairs: a value that is declared a number and does not parse as one (missing if 90 % or more of
    the attribute parse as numbers, else the attribute is text), an attribute that is a number here and a
    string there (text), a graph that is listed twice (the first entry counts), a self-loop (left out),
    an edge or an attribute that is repeated (the first counts), and an attribute without a value or of
    an unknown type. An edge to a node that does not exist, a file that is listed but missing, and
    broken XML are errors.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> text = '<gxl><graph id="g"><node id="a"><attr name="x"><float>0.5</float></attr></node></graph></gxl>'
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "dot.gxl")
    ...     _ = file.write_text(text)
    ...     read(file).graphs
    RawGraphs(1 graph, node attributes: x; edge attributes: none)
    """
    path = Path(path)
    if repair is not None:
        warnings.warn(
            "repair= will be removed in version 3.0: repairing is the default, and strict=True turns it off.",
            DeprecationWarning,
            stacklevel=2,
        )
    skip = check_choice("on_error", on_error, ("raise", "skip")) == "skip"
    problems = Problems(skip, strict or repair is False)
    one_list = path.is_file() and is_list(path)
    with open_archive(path.parent if one_list else path) as archive:
        names = archive.names()
        lists = [path.name] if one_list else choose_lists(archive, names, split, path, problems.repairs)
        entries = [entry for name in lists for entry in read_list(archive, name, problems)]
        if not lists:
            entries = [Entry(str(path), name, None) for name in names if has_suffix(name, ".gxl")]
            if not entries:
                raise FileFormatError(f"{path}: contains no GXL file.", "Check that this is the right place.")
        graphs = _parse_entries(archive, locate(distinct(entries, problems), names, problems), problems)
    return _content(graphs, problems, path, lists)


def write(content: FileContent, path: Path) -> None:
    """Write graphs in the IAM format.

    A ``.gxl`` path becomes one file with all graphs; a ``.zip`` path or any other becomes a zip or a
    folder with one GXL file per graph and a CXL file of the same name as ``path`` that lists them.

    Notes
    -----
    Numbers are stored exactly. Files are named after their graphs if all names are different and
    valid file names, else by number. Blanks around class names are lost.
    """
    path = Path(path)
    if path.suffix.lower() == ".cxl":
        raise FileFormatError(
            f"{path}: a CXL file alone contains no graphs.", "Name a folder, a .zip file, or one .gxl file."
        )
    exact = _exact_strings(content)
    graphs = map(_mark_unnamed, iter_rows(content, "GXL"))
    if path.suffix.lower() == ".gxl":
        with atomic_path(path) as temporary:
            _write_text(temporary, gxl_text(graphs, exact, str(path)))
        return
    zipped = path.suffix.lower() == ".zip"
    with atomic_path(path, folder=not zipped) as temporary, _sink(temporary, zipped=zipped) as put:
        stems = _file_stems(content.graphs.names, len(content.graphs))
        lines = []
        for stem, graph in zip(stems, graphs, strict=True):
            lines.append(_list_line(stem, graph.target, str(path)))
            put(f"{stem}.gxl", gxl_text(iter([_for_own_file(graph, stem)]), exact, f"{path}/{stem}.gxl"))
        put(f"{path.stem}.cxl", _list_text(lines))


def _parse_entries(archive: Archive, entries: Iterator[Entry], problems: Problems) -> list[GxlGraph]:
    graphs: list[GxlGraph] = []
    for entry in entries:
        with problems.graph(entry.stem):
            for parse, name in _graph_parsers(archive, entry, strict=problems.strict):
                with problems.graph(name):
                    graph = parse()
                    if entry.target is not None:
                        graph.target = entry.target
                    _check_alike(graph, graphs[0] if graphs else graph)
                    graphs.append(graph)
    return graphs


def _graph_parsers(
    archive: Archive, entry: Entry, *, strict: bool
) -> list[tuple[Callable[[], GxlGraph], str]]:
    """Return, for each graph of a file, a function that parses it and the name of the graph.

    Graphs are parsed one by one so that a broken one does not take others in the file with it.
    """
    data, label = archive.read(entry.member), archive.label(entry.member)
    plain = parse_plain(data, label, entry.stem)
    if plain is not None:
        return [(lambda: plain, entry.stem)]
    elements = graph_elements(data, label, entry.stem)
    return [(partial(parse_graph, *element, strict=strict), element[2]) for element in elements]


def _check_alike(graph: GxlGraph, first: GxlGraph) -> None:
    if graph.directed != first.directed:
        kinds = ("undirected", "directed")
        raise FileFormatError(
            f"{graph.label}: the graph is {kinds[graph.directed]}, "
            f"those before it are {kinds[first.directed]}.",
            "Make all of them directed or all undirected: an undirected edge is two directed ones.",
        )
    if graph.flags != first.flags:
        raise FileFormatError(
            f"{graph.label}: the graph is marked {graph.flags or 'as raw'}, "
            f"those before it {first.flags or 'as raw'}.",
            "Keep encoded and raw graphs in separate folders.",
        )
    if (graph.target is None) != (first.target is None):
        has = "no class" if graph.target is None else "a class"
        raise FileFormatError(f"{graph.label}: the graph has {has}, unlike those before it.", FIX)


def _content(graphs: list[GxlGraph], problems: Problems, path: Path, lists: list[str]) -> FileContent:
    n_edges = [len(graph.edges) for graph in graphs]
    orders = [graph.order for graph in graphs]
    node_columns, bad_nodes = build_columns(
        [graph.node_cells for graph in graphs], orders, strict=problems.strict
    )
    edge_columns, bad_edges = build_columns(
        [graph.edge_cells for graph in graphs], n_edges, strict=problems.strict
    )
    bad = [(number, "node") for number in bad_nodes] + [(number, "edge") for number in bad_edges]
    if bad and problems.strict:
        return _content(_without_bad_numbers(graphs, bad, problems), problems, path, lists)
    for number, what in bad:
        problems.repairs.tell(number.error(graphs[number.graph].label, what), number.done)
    ends = chain.from_iterable(chain.from_iterable(graph.edges for graph in graphs))
    raw = RawGraphs(
        np.cumsum([0, *orders]),
        np.cumsum([0, *n_edges]),
        np.fromiter(ends, dtype=np.int32, count=2 * sum(n_edges)).reshape(-1, 2),
        node_columns,
        edge_columns,
        directed=bool(graphs) and graphs[0].directed,
        names=[graph.name for graph in graphs],
    )
    flags = graphs[0].flags if graphs else {}
    with errors_name(path):
        restored = apply_flags(raw, flags) if flags else raw
    targets = [graph.target for graph in graphs if graph.target is not None]
    repaired = [line for graph in graphs for line in graph.repaired] + problems.repairs.lines()
    return FileContent(
        restored,
        tuple(targets) if targets else None,
        metadata={REPAIRED: tuple(repaired)} if repaired else {},
        description=" ".join([str(path), *lists]),
        skipped=tuple(problems.skipped),
    )


def _without_bad_numbers(
    graphs: list[GxlGraph], bad: list[tuple[BadNumber, str]], problems: Problems
) -> list[GxlGraph]:
    dropped: set[int] = set()
    for number, what in bad:
        graph = graphs[number.graph]
        if number.graph not in dropped:
            with problems.graph(graph.name):
                raise number.error(graph.label, what)
        dropped.add(number.graph)
    return [graph for i, graph in enumerate(graphs) if i not in dropped]


def _exact_strings(content: FileContent) -> set[tuple[str, str]]:
    """Find string attributes that would change as ``<string>``: read as numbers, or without their blanks."""
    if isinstance(content.graphs, GraphCollection):
        return set()
    return {
        (what, name)
        for what, columns in (("node", content.graphs.node_columns), ("edge", content.graphs.edge_columns))
        for name, column in columns.items()
        if column.categories is not None
        and (
            any(text != text.strip() for text in column.categories)
            or looks_numeric(text for text in column.to_list() if text is not None)
        )
    }


def _mark_unnamed(graph: GraphRows) -> GraphRows:
    return replace(graph, flags={**graph.flags, UNNAMED: 1}) if graph.name is None else graph


def _for_own_file(graph: GraphRows, stem: str) -> GraphRows:
    """Omit what the file name and the CXL file already say."""
    return replace(graph, name=None if graph.name == stem else graph.name, target=None)


def _file_stems(names: Sequence[str] | None, count: int) -> list[str]:
    if names is not None:
        # Some file systems do not distinguish upper and lower case.
        different = len({name.lower() for name in names}) == len(names)
        if different and all(_SAFE_NAME.fullmatch(name) for name in names):
            return list(names)
    width = len(str(max(count - 1, 0)))
    return [f"{i:0{width}}" for i in range(count)]


def _list_line(stem: str, target: str | None, label: str) -> str:
    class_text = "" if target is None else f' class="{escape(target, f"{label}: class of {stem!r}")}"'
    return f'<print file="{stem}.gxl"{class_text}/>\n'


def _list_text(lines: list[str]) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<GraphCollection>\n'
        f'<graphs count="{len(lines)}">\n{"".join(lines)}</graphs>\n</GraphCollection>\n'
    )


@contextmanager
def _sink(path: Path, *, zipped: bool) -> Iterator[Callable[[str, str], None]]:
    """Yield a function that puts a text under a name into a folder or a zip."""
    if not zipped:
        yield lambda name, text: _write_text(path / name, text)
        return
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        # A fixed time: equal content gives equal bytes.
        yield lambda name, text: file.writestr(_zip_info(name), text)


def _zip_info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _FIXED_TIME)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


FORMAT = Format(
    name="gxl",
    description="IAM graph database: GXL files listed by CXL files, in a folder or zip, or one file",
    recognises=recognises,
    read=read,
    write=write,
)

__all__ = ["FORMAT", "read", "recognises", "write"]
