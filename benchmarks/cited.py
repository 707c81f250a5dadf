"""Tables that the README and the page of results cite, from the records: ``python -m benchmarks.cited``.

A table stands between the lines ``<!-- cited: NAME -->`` and ``<!-- end -->``, and is replaced there. A test
compares, so no number of these tables is ever typed by hand.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from graphquant.experiments._agreement import count, numbers

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "results"
CITING = (ROOT / "README.md", RESULTS / "README.md")
BLOCK = re.compile(r"(<!-- cited: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

SETS = ("letter", "grec", "fingerprint", "molecules")
# Routes as the README names them; ours with k and a seed alone, the others with their best settings.
ROUTES = {
    "graphquant": "graphquant, plain defaults",
    "graphquant-medoids": "k-medoids on our exact pairwise distances",
    "networkx-medoids": "k-medoids on networkx edit distances",
    "pot-barycenters": "POT, Gromov-Wasserstein barycenters",
    "grakel-spectral": "GraKeL, Weisfeiler-Lehman, spectral clustering",
    "codewords": "bag of node codewords, k-means (no structure)",
}
COLUMNS = {
    ("letter", 15): "letters",
    ("letter-med", 15): "letters, more distorted",
    ("grec", 22): "GREC",
    ("fingerprint", 15): "fingerprints",
    ("mutagenicity", 10): "1,000 molecules",
}

Record = dict[str, Any]


def number(value: float) -> str:
    """Return two significant digits, or whole numbers."""
    return f"{value:.2g}" if value < 10 else f"{value:,.0f}"


def table(lines: list[list[str]]) -> str:
    """Return a Markdown table; the first line is its head."""
    head, *rest = (f"| {' | '.join(cells)} |" for cells in lines)
    return "\n".join([head, f"|{'---|' * len(lines[0])}", *rest])


def paper(results: Path = RESULTS) -> str:
    """Accuracies and speed-ups of the paper's Table 2 beside ours."""
    rows = json.loads((results / "table2.json").read_text(encoding="utf-8"))["rows"]

    def cells(show: Callable[[Record], str], setting: str, algorithm: str) -> Iterator[str]:
        for name in SETS:
            chosen = [
                row
                for row in rows
                if (row["set"], row["setting"], row["algorithm"]) == (name, setting, algorithm)
            ]
            yield " / ".join(show(row) for row in sorted(chosen, key=lambda row: row["k"]))

    def line(title: str, show: Callable[[Record], str], setting: str, algorithm: str) -> list[str]:
        return [title, *cells(show, setting, algorithm)]

    def best(row: Record) -> str:
        cell = (row["set"], row["k"])
        printed = (other["paper_accuracy"] for other in rows if (other["set"], other["k"]) == cell)
        return f"{max(value for value in printed if value is not None):.0f}"

    def accuracy(row: Record) -> str:
        return f"{100 * row['accuracy_mean']:.1f}"

    return table(
        [
            ["", *SETS],
            line("k", lambda row: str(row["k"]), "own", "lossless"),
            line("accuracy, paper (best run), %", best, "paper", "accelerated"),
            line("accuracy, ours (mean), %", accuracy, "own", "lossless"),
            line(
                "speed-up, as the paper prints it",
                lambda row: number(row["paper_speedup"]),
                "paper",
                "accelerated",
            ),
            line("speed-up here: `accelerated`", lambda row: number(row["speedup"]), "paper", "accelerated"),
            line(
                "`lossless`: same codebook as standard",
                lambda row: number(row["speedup"]),
                "paper",
                "lossless",
            ),
            line("`fast`, our settings", lambda row: number(row["speedup"]), "own", "fast"),
            line("the same by the clock", lambda row: number(row["clock_speedup"]), "own", "fast"),
        ]
    )


def agreement(results: Path = RESULTS) -> str:
    """How much of the paper's Table 2 is reproduced, and in how many runs."""
    rows = json.loads((results / "table2.json").read_text(encoding="utf-8"))["rows"]
    agreeing, total = count(list(numbers(rows)))
    spans = {}
    for setting in ("own", "paper"):
        runs = [row["runs"] for row in rows if (row["setting"], row["algorithm"]) == (setting, "lossless")]
        spans[setting] = f"{min(runs)} to {max(runs)}" if min(runs) < max(runs) else f"{max(runs)}"
    return (
        f"Means are over {spans['own']} runs. In the paper's setting, best of {spans['paper']} runs, "
        f"{agreeing} of the {total}\nnumbers of its table agree with ours "
        "(within 10 %, accuracies within 3 points)."
    )


def peers(results: Path = RESULTS) -> str:
    """Accuracy and CPU seconds of what else a user could pick."""
    rows = json.loads((results / "peers.json").read_text(encoding="utf-8"))["rows"]
    found = {(row["route"], row["set_name"], row["k"]): row for row in rows}

    def cell(route: str, key: tuple[str, int]) -> str:
        row = found.get((route, *key))
        if row is None or row["status"] != "ok":
            return "not in time"
        return f"{100 * row['mean']['accuracy']:.1f} %, {number(row['cpu'])} s"

    head = ["", *(f"{title}, k = {k}" for (_, k), title in COLUMNS.items())]
    return table(
        [head, *([title, *(cell(route, key) for key in COLUMNS)] for route, title in ROUTES.items())]
    )


TABLES: dict[str, Callable[[], str]] = {"paper": paper, "agreement": agreement, "peers": peers}


def with_tables(text: str) -> str:
    """Return a text with its tables as the records are now."""

    def made(block: re.Match[str]) -> str:
        return f"{block[1]}{TABLES[block['name']]()}\n{block[3]}"

    return BLOCK.sub(made, text)


def main() -> None:
    """Replace the tables."""
    for path in CITING:
        path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
