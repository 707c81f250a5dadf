"""Write ``speed.md`` and ``large.md`` of ``docs/results`` from the last results of the benchmarks.

Run ``python -m benchmarks.page``. Results are what ``python -m benchmarks`` left in ``benchmarks/results``
(``--results DIR``); benchmarks without any are left out, and so are pages. ``--pages DIR`` writes them there.
"""

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

from benchmarks.__main__ import HERE, RESULTS, is_kept, promise, show

FOLDER = HERE.parent / "docs" / "results"
INTRODUCTION = """# {title}

What `make bench` measured, beside what is promised. Each part is one run of one benchmark, on the machine and
the day that it names; made into this page by `python -m benchmarks.page`.
"""
# The title and the benchmarks of each page.
PAGES = {
    "speed.md": ("Speed and memory", ("matching", "learning", "scale", "reading", "parquet")),
    "large.md": ("Graphs as large as molecules", ("large",)),
}

Record = dict[str, Any]


def rows(records: list[Record]) -> list[str]:
    """Return the lines of a table; what is not promised has an empty column."""
    verdict = {True: "kept", False: "**broken**", None: ""}
    lines = ["| | measured | promised | |", "|---|---|---|---|"]
    for record in records:
        cells = (
            record["benchmark"],
            f"{show(record['measured'])} {record['unit']}".strip(),
            promise(record),
            verdict[is_kept(record)],
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def section(name: str, content: dict[str, Any]) -> str:
    """Return the part of one benchmark: how it measures, where, and the table."""
    module = importlib.import_module(f"benchmarks.bench_{name}")
    title, _, how = (module.__doc__ or "").partition("\n\n")
    machine = content["machine"]
    packages = ", ".join(f"{package} {number}" for package, number in machine["packages"].items())
    where = (
        f"{content['date'][:10]}, commit {machine['commit']}, "
        f"{machine['processor']} ({machine['cores']} cores), {machine['system'].partition('-')[0]}; "
        f"Python {machine['python']}, {packages}."
    )
    # The documentation of a module is written for Sphinx, this page is Markdown.
    how = how.strip().replace("``", "`").replace("::\n", ":\n")
    parts = (f"## {title.rstrip('.')}", how, where, "\n".join(rows(content["records"])))
    return "\n\n".join(parts) + "\n"


def main() -> list[Path]:
    """Write the pages."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.page", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="where records are")
    parser.add_argument("--pages", type=Path, default=FOLDER, metavar="DIR", help="where pages go")
    given = parser.parse_args()
    written = []
    for name, (title, benchmarks) in PAGES.items():
        files = {benchmark: given.results / f"{benchmark}.json" for benchmark in benchmarks}
        found = {
            benchmark: json.loads(file.read_text()) for benchmark, file in files.items() if file.exists()
        }
        if found:
            sections = [section(benchmark, content) for benchmark, content in found.items()]
            page: Path = given.pages / name
            page.write_text("\n".join((INTRODUCTION.format(title=title), *sections)), encoding="utf-8")
            written.append(page)
    return written


if __name__ == "__main__":
    print(f"written to {', '.join(map(str, main()))}")
