"""The page ``docs/results/versus.md``."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._pages import filled
from benchmarks.versus._sides import ROOT

PAGES = ROOT / "docs" / "results"
INTRODUCTION = """# The native core beside the version before it

What an upgrade from it gains in time, and where it gains least or loses: a ratio below 1 is a loss.

{summary}
"""
METHOD = """## How it was measured

By `make bench-versus OLD={old} DATA=DIR`. Old is commit {old} (numba {numba}), new is {new} at its
fastest CPU level; {date}, {processor} ({cores} cores), {system}, Python {python}. Both sides are measured in
turns by one run. Times of matching and of fits are CPU seconds of one thread, the least of several runs after
one that compiles; other times are those of the clock. Other work on the machine makes times longer; ratios
suffer less, since both sides take turns.
"""
HEADINGS = {
    "matching": "## Matching, microseconds per pair",
    "fits": "## Fits with all parameters at their defaults",
    "starts": "## Whole processes",
    "forks": "## Forks",
    "home": "## Without a home folder",
    "interrupts": "## Ctrl-C: seconds until the process has ended",
}

Record = dict[str, Any]


def write_page(content: Record, folder: Path) -> Path:
    """Write the page from what was measured."""
    page = folder / "versus.md"
    parts, about = content["parts"], content["machine"]
    method = METHOD.format(
        old=content["old"],
        new=content["new"],
        numba=content["numba"],
        date=content["date"][:10],
        processor=about["processor"],
        cores=about["cores"],
        system=about["system"].partition("-")[0],
        python=about["python"],
    )
    sections = [f"{heading}\n\n{table(parts[name])}" for name, heading in HEADINGS.items() if name in parts]
    text = INTRODUCTION.format(summary=summary(parts))
    page.write_text("\n".join((text, *sections, method)), encoding="utf-8")
    return page


def mean_ratio(records: list[Record]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(math.log(record["ratio"]) for record in records) / len(records))


def summary(parts: dict[str, list[Record]]) -> str:
    """Return the table of what the reader gains, and of the worst case."""
    rows = []
    for name, words in (("matching", "matching a pair"), ("fits", "learning a codebook")):
        if records := [record for record in parts.get(name, []) if "ratio" in record]:
            worst, best = (
                choose(records, key=lambda record: float(record["ratio"])) for choose in (min, max)
            )
            span = f"{worst['ratio']:.2f} to {best['ratio']:.2f}, least on {worst['title']}"
            rows.append([f"{words}, mean", "", "", f"{mean_ratio(records):.2f} ({span})"])
    for record in parts.get("starts", []):
        if record["title"].startswith("first"):
            times = [f"{seconds(record[side])} s" for side in ("old", "new")]
            rows.append([f"{record['title']} after installation", *times, ""])
    return filled(["", "old", "new", "times faster"], rows)


def seconds(value: float | str | None) -> str:
    """Return a figure with about three digits."""
    if value is None:
        return "over before"
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def same(record: Record) -> str:
    """Say whether both sides found the same."""
    differing = [name for name in ("graphs", "digest", "standard") if record.get(f"same_{name}") is False]
    names = {"graphs": "encoded graphs", "digest": "results", "standard": "results of standard"}
    return "the same" if not differing else f"other {', '.join(names[name] for name in differing)}"


COLUMNS: dict[str, Callable[[Record], str]] = {
    "old": lambda record: seconds(record["old"]),
    "new": lambda record: seconds(record["new"]),
    "times faster": lambda record: f"{record['ratio']:.2f}" if "ratio" in record else "",
    "by medians": lambda record: f"{record['median_ratio']:.2f}" if "median_ratio" in record else "",
    "results": same,
}


def table(records: list[Record]) -> str:
    """Return a table with the columns that any of the records has."""
    keys = {
        "old": "old",
        "new": "new",
        "times faster": "ratio",
        "by medians": "ratio",
        "results": "same_digest",
    }
    names = [name for name, key in keys.items() if any(key in record for record in records)]
    lines = [f"| | {' | '.join(names)} |", f"|{'---|' * (1 + len(names))}"]
    lines += [
        f"| {record['title']} | {' | '.join(COLUMNS[name](record) for name in names)} |" for record in records
    ]
    return "\n".join(lines) + "\n"
