"""The IAM graph database format: one GXL file a graph, CXL files that list them with their classes.

A CXL file is one split of a data set (``train.cxl``, ``test.cxl``). It names GXL files beside it::

    <GraphCollection><letters><print file="AP1_0100.gxl" class="A"/>...</letters></GraphCollection>

Reading takes a folder or a zip of such files, one ``.cxl``, or one ``.gxl``.
"""

import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from graphquant._validation import check_choice
from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.graphs import GraphCollection, RawGraphs
from graphquant.io._archive import Archive, open_archive
from graphquant.io._base import UNNAMED, FileContent, Format, Skipped, apply_flags, atomic_path, errors_name
from graphquant.io._gxl_columns import BadNumber, build_columns, looks_numeric
from graphquant.io._gxl_document import GxlGraph, graph_elements, gxl_text, parse_graph
from graphquant.io._gxl_fast import parse_plain
from graphquant.io._rows import GraphRows, iter_rows
from graphquant.io._xml import escape, parse_xml

# Names that are file names on every system; all others are kept inside the file.
_SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}(?<!\.)")
_MEND = 'Mend the file, or read with on_error="skip".'
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class _Entry:
    """One line of a CXL file: a GXL file and its class."""

    listed_in: str
    member: str
    target: str | None

    @property
    def stem(self) -> str:
        return posixpath.basename(self.member).removesuffix(".gxl")


@dataclass
class _Problems:
    """What to do about a bad graph: raise, or skip and list it; known flaws may be repaired."""

    skip: bool
    repair: bool
    skipped: list[Skipped] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)

    @contextmanager
    def graph(self, name: str) -> Iterator[None]:
        try:
            yield
        except FileFormatError as err:
            if not self.skip:
                raise
            self.skipped.append(Skipped(name, err.message))


def recognises(path: Path) -> bool:
    """Whether ``path`` is a GXL or CXL file, or a folder or zip that holds such files."""
    if path.suffix.lower() in (".gxl", ".cxl") and path.is_file():
        return True
    if not path.is_dir() and path.suffix.lower() != ".zip":
        return False
    try:
        with open_archive(path) as archive:
            return any(_has_suffix(name, ".gxl", ".cxl") for name in archive.names())
    except FileFormatError:
        # A damaged zip: reading it will say what is wrong.
        return path.exists()


def read(
    path: Path,
    *,
    split: str | Sequence[str] | None = None,
    on_error: str = "raise",
    repair: bool = False,
) -> FileContent:
    """Read graphs in the IAM format.

    Parameters
    ----------
    path : Path
        Folder or zip, one ``.cxl`` file, or one ``.gxl`` file.
    split : str or sequence of str, optional
        Which CXL files of a folder or zip to read: the end of their path, with or without
        ``.cxl`` (``"test"``, ``"LOW/test"``), several of them, or ``"all"``. Not needed if there is
        only one. Without any CXL file, all GXL files are read, without classes.
    on_error : {"raise", "skip"}, default="raise"
        What to do about a graph that cannot be read; skipped ones are listed in the result.
    repair : bool, default=False
        Read a value that is no number as a missing value, and a file that is listed twice as it is
        listed first, instead of treating them as errors: the published data need that. What was
        repaired is listed in ``metadata["repaired"]``.

    Returns
    -------
    FileContent
        Graphs in the order of the CXL file, named by their files; classes without blanks around them.

    Notes
    -----
    A graph without ``edgemode`` is undirected. Blanks around strings are dropped. A string attribute
    of which 90 % or more read as numbers is numeric.

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
    problems = _Problems(check_choice("on_error", on_error, ("raise", "skip")) == "skip", repair)
    is_list = path.suffix.lower() == ".cxl" and path.is_file()
    with open_archive(path.parent if is_list else path) as archive:
        lists = [path.name] if is_list else _choose_lists(archive, split, path)
        entries = [entry for name in lists for entry in _read_list(archive, name, problems)]
        if not lists:
            entries = [_Entry(str(path), name, None) for name in archive.names() if _has_suffix(name, ".gxl")]
            if not entries:
                raise FileFormatError(f"{path}: holds no GXL file.", "Check that this is the right place.")
        graphs = _parse_entries(archive, _distinct(entries, problems), problems)
    return _content(graphs, problems, path, lists)


def write(content: FileContent, path: Path) -> None:
    """Write graphs in the IAM format.

    A ``.gxl`` path becomes one file with all graphs; a ``.zip`` path or any other becomes a zip or a
    folder of one GXL file a graph, with a CXL file of the same name as ``path`` that lists them.

    Notes
    -----
    Numbers are kept exactly. Files are named by their graphs where all names are different and
    good file names, else by number. Blanks around class names are not kept.
    """
    path = Path(path)
    if path.suffix.lower() == ".cxl":
        raise FileFormatError(
            f"{path}: a CXL file alone holds no graphs.", "Name a folder, a .zip file, or one .gxl file."
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


def _has_suffix(name: str, *suffixes: str) -> bool:
    """Whether a name ends so, and is not one of the hidden files that some systems add to zips."""
    return name.lower().endswith(suffixes) and not posixpath.basename(name).startswith(".")


def _choose_lists(archive: Archive, split: str | Sequence[str] | None, path: Path) -> list[str]:
    lists = [name for name in archive.names() if _has_suffix(name, ".cxl")]
    if split is None:
        if len(lists) > 1:
            raise InvalidParameterError(f"{path}: holds {len(lists)} CXL files.", _choices(lists))
        return lists
    if not lists:
        raise InvalidParameterError(
            f"{path}: has no CXL file, so split={split!r} has nothing to choose from.", "Leave split out."
        )
    if split == "all":
        return lists
    return [_find_list(lists, part, path) for part in ([split] if isinstance(split, str) else split)]


def _find_list(lists: list[str], split: str, path: Path) -> str:
    ending = "/" + split.lower().removesuffix(".cxl").strip("/")
    found = [name for name in lists if ("/" + name.lower().removesuffix(".cxl")).endswith(ending)]
    if len(found) == 1:
        return found[0]
    problem = "fits no CXL file" if not found else f"fits {len(found)} CXL files"
    raise InvalidParameterError(f"{path}: split={split!r} {problem}.", _choices(found or lists))


def _choices(lists: list[str]) -> str:
    names = [name.removesuffix(".cxl") for name in lists]
    folder = posixpath.commonpath([posixpath.dirname(name) for name in names])
    listed = ", ".join(repr(posixpath.relpath(name, folder or ".")) for name in names)
    return f'Choose with split= one of {listed}, or "all".'


def _read_list(archive: Archive, name: str, problems: _Problems) -> list[_Entry]:
    label = archive.label(name)
    lines = list(parse_xml(archive.read(name), label, "GraphCollection").iter("print"))
    if not lines:
        raise FileFormatError(
            f"{label}: lists no graph.", 'Expected elements like <print file="name.gxl" class="A"/>.'
        )
    needed = ("file", "class") if any("class" in line.attrib for line in lines) else ("file",)
    entries = []
    for number, line in enumerate(lines):
        with problems.graph(line.get("file", f"entry {number}")):
            for attribute in needed:
                if attribute not in line.attrib:
                    raise FileFormatError(f"{label}: entry {number} has no {attribute!r}.", _MEND)
            member = posixpath.normpath(posixpath.join(posixpath.dirname(name), line.get("file", "")))
            entries.append(
                _Entry(label, member, line.get("class", "").strip() if "class" in needed else None)
            )
    return entries


def _distinct(entries: list[_Entry], problems: _Problems) -> Iterator[_Entry]:
    """Leave out what is listed again: the first entry counts."""
    first: dict[str, _Entry] = {}
    for entry in entries:
        before = first.setdefault(entry.member, entry)
        if before is entry:
            yield entry
            continue
        classes = "" if before.target == entry.target else f" (classes {before.target!r}, {entry.target!r})"
        message = f"{entry.listed_in}: lists {posixpath.basename(entry.member)!r} twice{classes}."
        if problems.repair:
            problems.repaired.append(message)
        else:
            with problems.graph(entry.stem):
                raise FileFormatError(message, _MEND)


def _parse_entries(archive: Archive, entries: Iterator[_Entry], problems: _Problems) -> list[GxlGraph]:
    graphs: list[GxlGraph] = []
    for entry in entries:
        with problems.graph(entry.stem):
            for parse, name in _graph_parsers(archive, entry):
                with problems.graph(name):
                    graph = parse()
                    if entry.target is not None:
                        graph.target = entry.target
                    _check_alike(graph, graphs[0] if graphs else graph)
                    graphs.append(graph)
    return graphs


def _graph_parsers(archive: Archive, entry: _Entry) -> list[tuple[Callable[[], GxlGraph], str]]:
    """Return a function for each graph of a file that parses it, and the name of the graph.

    Graphs are parsed one by one so that a broken one does not take others in the file with it.
    """
    data, label = archive.read(entry.member), archive.label(entry.member)
    plain = parse_plain(data, label, entry.stem)
    if plain is not None:
        return [(lambda: plain, entry.stem)]
    elements = graph_elements(data, label, entry.stem)
    return [(partial(parse_graph, *element), element[2]) for element in elements]


def _check_alike(graph: GxlGraph, first: GxlGraph) -> None:
    if graph.directed != first.directed:
        kinds = ("undirected", "directed")
        raise FileFormatError(
            f"{graph.label}: the graph is {kinds[graph.directed]}, "
            f"those before it are {kinds[first.directed]}.",
            "Make all of them one kind: an undirected edge is two directed ones.",
        )
    if graph.flags != first.flags:
        raise FileFormatError(
            f"{graph.label}: the graph is marked {graph.flags or 'as raw'}, "
            f"those before it {first.flags or 'as raw'}.",
            "Keep encoded and raw graphs in folders of their own.",
        )
    if (graph.target is None) != (first.target is None):
        has = "no class" if graph.target is None else "a class"
        raise FileFormatError(f"{graph.label}: the graph has {has}, unlike those before it.", _MEND)


def _content(graphs: list[GxlGraph], problems: _Problems, path: Path, lists: list[str]) -> FileContent:
    n_edges = [len(graph.edges) for graph in graphs]
    orders = [graph.order for graph in graphs]
    node_columns, bad_nodes = build_columns([graph.node_cells for graph in graphs], orders)
    edge_columns, bad_edges = build_columns([graph.edge_cells for graph in graphs], n_edges)
    bad = [(number, "node") for number in bad_nodes] + [(number, "edge") for number in bad_edges]
    if bad and not problems.repair:
        return _content(_without_bad_numbers(graphs, bad, problems), problems, path, lists)
    problems.repaired.extend(number.error(graphs[number.graph].label, what).message for number, what in bad)
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
    return FileContent(
        restored,
        tuple(targets) if targets else None,
        metadata={"repaired": tuple(problems.repaired)} if problems.repaired else {},
        description=" ".join([str(path), *lists]),
        skipped=tuple(problems.skipped),
    )


def _without_bad_numbers(
    graphs: list[GxlGraph], bad: list[tuple[BadNumber, str]], problems: _Problems
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
    """Leave out what the file name and the CXL file say already."""
    return replace(graph, name=None if graph.name == stem else graph.name, target=None)


def _file_stems(names: Sequence[str] | None, count: int) -> list[str]:
    if names is not None:
        # Some file systems do not tell upper from lower case.
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
