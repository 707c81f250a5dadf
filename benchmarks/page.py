"""Write ``docs/results/speed.md`` from the last results of the benchmarks: ``python -m benchmarks.page``.

Results are what ``python -m benchmarks`` left in ``benchmarks/results`` (``--results DIR``); benchmarks
without any are left out. ``--pages DIR`` writes the page there.
"""

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

from benchmarks.__main__ import HERE, RESULTS, is_kept, promise, show

PAGES = HERE.parent / "docs" / "results"
NAMES = ("matching", "learning", "scale", "reading", "parquet")
INTRODUCTION = """# Speed and memory

What `make bench` measured, beside what is promised. Each part is one run of one benchmark, on the machine and
the day that it names; made into this page by `python -m benchmarks.page`.
"""

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


def main() -> Path:
    """Write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.page", description=(__doc__ or "").partition(":")[0]
    )
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="where records are")
    parser.add_argument("--pages", type=Path, default=PAGES, metavar="DIR", help="where the page goes")
    given = parser.parse_args()
    files = {name: given.results / f"{name}.json" for name in NAMES}
    found = {name: json.loads(file.read_text()) for name, file in files.items() if file.exists()}
    sections = [section(name, content) for name, content in found.items()]
    page: Path = given.pages / "speed.md"
    page.write_text("\n".join((INTRODUCTION, *sections)), encoding="utf-8")
    return page


if __name__ == "__main__":
    print(f"written to {main()}")
