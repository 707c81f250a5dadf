"""Lists of GXL files (CXL): which of them to read, what they contain, and where their files are.

The lists of the IAM database are called ``.cxl`` and stand beside their files. Those of GEDLIB are called
``.xml``, and may be in another folder of the same archive: then a file is found by its name, if that
occurs only once.
"""

import posixpath
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.io._archive import Archive
from graphquant.io._repairs import FIX, Repairs
from graphquant.io._xml import parse_xml
from graphquant.io.base import Skipped

# The root element of a list starts within this many bytes.
_HEAD = 2000


class Entry(NamedTuple):
    """One line of a list: a GXL file and its class."""

    listed_in: str
    member: str
    target: str | None

    @property
    def stem(self) -> str:
        """Name of the graph."""
        return self.member.rpartition("/")[2].removesuffix(".gxl")


@dataclass
class Problems:
    """What to do about a bad graph: raise, or skip and list it; flaws are repaired unless ``strict``."""

    skip: bool
    strict: bool
    skipped: list[Skipped] = field(default_factory=list)
    repairs: Repairs = field(init=False)

    def __post_init__(self) -> None:
        self.repairs = Repairs(self.strict)

    @contextmanager
    def graph(self, name: str) -> Iterator[None]:
        """Handle one graph in this block."""
        try:
            yield
        except FileFormatError as err:
            if not self.skip:
                raise
            self.skipped.append(Skipped(name, err.message))


def has_suffix(name: str, *suffixes: str) -> bool:
    """Whether a name ends like this and is not one of the hidden files that some systems add to zips."""
    return name.lower().endswith(suffixes) and not posixpath.basename(name).startswith(".")


def is_list(path: Path) -> bool:
    """Whether a file is called ``.cxl``, or is XML that lists graphs as GEDLIB does."""
    if path.suffix.lower() != ".xml":
        return path.suffix.lower() == ".cxl"
    with path.open("rb") as file:
        return _lists_graphs(file.read(_HEAD))


def choose_lists(
    archive: Archive, names: Sequence[str], split: str | Sequence[str] | None, path: Path, repairs: Repairs
) -> list[str]:
    """Names of the lists to read."""
    lists = [
        name
        for name in names
        if has_suffix(name, ".cxl", ".xml")
        and (not name.lower().endswith(".xml") or _lists_graphs(archive.read(name)))
    ]
    if split is None:
        if len(lists) > 1:
            error = InvalidParameterError(f"{path}: contains {len(lists)} CXL files.", _choices(lists))
            if len({posixpath.dirname(name) for name in lists}) > 1:
                # Lists of one folder are parts of one collection; those of several are different ones.
                raise error
            listed = ", ".join(repr(name) for name in _short_names(lists))
            repairs.tell(error, f"all of them are read ({listed}); choose with split=")
        return lists
    if not lists:
        raise InvalidParameterError(
            f"{path}: has no CXL file, so split={split!r} has nothing to choose from.", "Omit split."
        )
    if split == "all":
        return lists
    return [_find_list(lists, part, path) for part in ([split] if isinstance(split, str) else split)]


def read_list(archive: Archive, name: str, problems: Problems) -> list[Entry]:
    """Read the entries of a list."""
    label = archive.label(name)
    elements = parse_xml(archive.read(name), label, "GraphCollection").iter("print", "graph")
    lines = [line for line in elements if line.tag == "print" or "file" in line.attrib]
    if not lines:
        raise FileFormatError(
            f"{label}: lists no graphs.", 'Expected elements like <print file="name.gxl" class="A"/>.'
        )
    needed = ("file", "class") if any("class" in line.attrib for line in lines) else ("file",)
    folder = posixpath.dirname(name)
    entries = []
    for number, line in enumerate(lines):
        with problems.graph(line.get("file", f"entry {number}")):
            for attribute in needed:
                if attribute not in line.attrib:
                    raise FileFormatError(f"{label}: entry {number} has no {attribute!r}.", FIX)
            file = line.get("file", "").strip().replace("\\", "/")
            member = posixpath.normpath(posixpath.join(folder, file))
            entries.append(Entry(label, member, line.get("class", "").strip() if "class" in needed else None))
    return entries


def distinct(entries: list[Entry], problems: Problems) -> Iterator[Entry]:
    """Skip entries that are listed again: the first one counts."""
    first: dict[str, Entry] = {}
    for entry in entries:
        before = first.setdefault(entry.member, entry)
        if before is entry:
            yield entry
            continue
        with problems.graph(entry.stem):
            alike = (before.listed_in, entry.listed_in) if before.target == entry.target else None
            done = "the first is kept" if alike else f"class {before.target!r} is kept"
            problems.repairs.tell(FileFormatError(_twice(before, entry), FIX), done, alike)


def locate(entries: Iterator[Entry], names: Sequence[str], problems: Problems) -> Iterator[Entry]:
    """Find the files that are not next to their list."""
    known = set(names)
    by_name: dict[str, list[str]] = {}
    for entry in entries:
        if entry.member in known:
            yield entry
            continue
        if not by_name:
            for name in names:
                by_name.setdefault(posixpath.basename(name), []).append(name)
        found = by_name.get(posixpath.basename(entry.member), [])
        if len(found) < 2:
            # If nothing is found, reading reports that there is no such file.
            yield entry._replace(member=found[0]) if found else entry
            continue
        with problems.graph(entry.stem):
            raise FileFormatError(
                f"{entry.listed_in}: names {entry.member!r}, which is not there; "
                f"{len(found)} files have this name: {', '.join(found[:3])}.",
                "Read a folder that contains the list and only one of them.",
            )


def _twice(before: Entry, entry: Entry) -> str:
    file = posixpath.basename(entry.member)
    classes = "" if before.target == entry.target else f" (classes {before.target!r}, {entry.target!r})"
    if before.listed_in == entry.listed_in:
        return f"{entry.listed_in}: lists {file!r} twice{classes}."
    lists = _short_names([before.listed_in, entry.listed_in])
    return f"{entry.listed_in}: {file!r} is found twice: once in {lists[0]}, once in {lists[1]}{classes}."


def _lists_graphs(text: bytes) -> bool:
    return b"<GraphCollection" in text[:_HEAD]


def _find_list(lists: list[str], split: str, path: Path) -> str:
    ending = "/" + split.lower().removesuffix(".cxl").strip("/")
    found = [name for name in lists if ("/" + _stem(name).lower()).endswith(ending)]
    if len(found) == 1:
        return found[0]
    problem = "matches no CXL file" if not found else f"matches {len(found)} CXL files"
    raise InvalidParameterError(f"{path}: split={split!r} {problem}.", _choices(found or lists))


def _choices(lists: list[str]) -> str:
    listed = ", ".join(repr(_stem(name)) for name in _short_names(lists))
    return f'Choose with split= one of {listed}, or "all".'


def _stem(name: str) -> str:
    return name.removesuffix(".cxl").removesuffix(".xml")


def _short_names(names: Sequence[str]) -> list[str]:
    """Names without the folders that they share."""
    folder = posixpath.commonpath([posixpath.dirname(name) for name in names])
    return [posixpath.relpath(name, folder or ".") for name in names]


__all__ = [
    "Entry",
    "Problems",
    "choose_lists",
    "distinct",
    "has_suffix",
    "is_list",
    "locate",
    "read_list",
]
