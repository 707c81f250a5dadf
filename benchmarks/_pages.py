"""What pages of benchmarks have in common: records by name, figures as people write them, folded parts."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.__main__ import HEADLINE, show

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "results"

Record = dict[str, Any]


class Records:
    """The records of some benchmarks, of whole runs or of their parts, by name."""

    def __init__(self, folder: Path, benchmarks: Iterable[str]) -> None:
        self.contents: dict[str, Record] = {}
        for name in benchmarks:
            whole = folder / f"{name}.json"
            files = [whole] if whole.exists() else sorted(folder.glob(f"{name}-*.json"))
            self.contents |= {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
        self.by_name: dict[str, Record] = {
            record["benchmark"]: record for content in self.contents.values() for record in content["records"]
        }

    def __bool__(self) -> bool:
        return bool(self.by_name)

    def get(self, name: str, key: str = "measured") -> float | None:
        """Return a figure of a record; None where it was not measured."""
        return self.by_name.get(name, {}).get(key)

    def matching(self, beginning: str = "", ending: str = "") -> Iterator[tuple[str, Record]]:
        """Yield what is between beginning and ending of names, and the records."""
        for name, record in self.by_name.items():
            if name.startswith(beginning) and name.endswith(ending):
                yield name[len(beginning) : len(name) - len(ending)], record

    def origins(self) -> str:
        """Say when, from which commit and where the records are; once, if they are all of one run."""
        by_origin: dict[str, list[str]] = {}
        for name, content in self.contents.items():
            by_origin.setdefault(_origin(content), []).append(name)
        if len(by_origin) == 1:
            return next(iter(by_origin))
        return "\n".join(f"- {', '.join(names)}: {origin}" for origin, names in by_origin.items())

    def everything(self) -> str:
        """Return all records, folded."""
        parts = []
        for name, content in self.contents.items():
            rows = [[each["benchmark"], _headline(each), _details(each)] for each in content["records"]]
            parts.append(f"**{name}**\n\n{table(['', 'measured', 'details'], rows)}")
        return folded("Everything that was measured", "\n\n".join(parts))


def _origin(content: Record) -> str:
    machine = content["machine"]
    packages = ", ".join(f"{package} {number}" for package, number in machine["packages"].items())
    place = f"{machine['processor']} ({machine['cores']} cores), {machine['system'].partition('-')[0]}"
    origin = f"{content['date'][:10]}, commit {machine['commit']}"
    return f"{origin}, {place}; Python {machine['python']}, {packages}."


def _headline(record: Record) -> str:
    return f"{show(record['measured'])} {record['unit']}".strip()


def _details(record: Record) -> str:
    told = ((key.replace("_", " "), value) for key, value in record.items() if key not in HEADLINE)
    return ", ".join(f"{key} {show(value)}" for key, value in told if not isinstance(value, list))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [list(head), ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def filled(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of the rows that say anything; nothing if there are none."""
    some = [row for row in rows if any(row[1:])]
    return table(head, some) if some else ""


def folded(summary: str, text: str) -> str:
    """Return a part that a reader opens; it must not have headings, which would end it in the built site."""
    return f"<details>\n<summary>{summary}</summary>\n\n{text.strip()}\n\n</details>"


def sections(parts: Iterable[tuple[str, str]]) -> str:
    """Join headings and what stands below them; without anything below, a heading is left out."""
    return "\n\n".join(f"## {heading}\n\n{text}" for heading, text in parts if text)


def paragraphs(*parts: str) -> str:
    """Join what there is."""
    return "\n\n".join(part for part in parts if part)


def figure(value: float | None, unit: str = "") -> str:
    """Return about three digits; nothing for what was not measured."""
    if value is None:
        return ""
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}" if abs(value) >= 0.005 else f"{value:.1g}"
    return f"{text} {unit}".strip()


def percent(value: float | None) -> str:
    """Return a share; what is not all is not rounded to all."""
    if value is None:
        return ""
    return f"{value if value in (0.0, 100.0) else min(value, 99.9):.3g} %"


def duration(microseconds: float | None) -> str:
    """Return a time with the unit that suits it."""
    if microseconds is None:
        return ""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= 0.9995 * size:
            return figure(microseconds / size, unit)
    return figure(microseconds, "µs")
