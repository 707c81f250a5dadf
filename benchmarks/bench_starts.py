"""How long a process takes from its start to its first result.

Run ``python -m benchmarks starts``. Each measurement is a new process, so it includes Python itself and all
imports. The files are in the cache of the system: an earlier run of the same command has read them.
"""

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPEATS = 5
FIT = (
    "import graphquant as gq\n"
    "letters = gq.datasets.make_letters(10, random_state=0)\n"
    "gq.GraphQuantizer(15, random_state=0).fit(letters)"
)


@dataclass(frozen=True)
class Start:
    """One thing to start: arguments of Python, and the seconds that are promised, if any."""

    name: str
    arguments: tuple[str, ...]
    at_most: float | None = None

    @classmethod
    def code(cls, name: str, code: str, at_most: float | None = None) -> "Start":
        return cls(name, ("-c", code), at_most)

    @classmethod
    def command(cls, line: str, at_most: float | None = None) -> "Start":
        return cls(f"graphquant {line}", ("-m", "graphquant", *line.split()), at_most)


# What cannot be avoided comes first: compare the others with it.
STARTS = (
    Start.code("python", "pass"),
    Start.code("import numpy", "import numpy"),
    Start.code("import sklearn.base", "import sklearn.base"),
    Start.code("import graphquant", "import graphquant"),
    Start.code(
        "gq.distance of two graphs", "import graphquant as gq; gq.distance(gq.Graph([1]), gq.Graph([2]))"
    ),
    Start.code("first fit of 150 letters", FIT, at_most=1.6),
    Start.command("--version"),
    Start.command("--help"),
    Start.command("info letters", at_most=0.45),
    Start.command("distance letters:0 letters:1", at_most=0.45),
)


def seconds(start: Start) -> float:
    """Run it once in a process of its own."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *start.arguments], check=True, capture_output=True)
    return time.perf_counter() - began


def run(data: Path | None) -> list[dict[str, Any]]:
    """Take the best of several runs, in turns so that a busy machine hurts all alike; needs no data."""
    for start in STARTS:
        seconds(start)
    taken = [[seconds(start) for start in STARTS] for _ in range(REPEATS)]
    records = []
    for start, found in zip(STARTS, zip(*taken, strict=True), strict=True):
        promised = {} if start.at_most is None else {"at_most": start.at_most}
        records.append(
            {"benchmark": start.name, "measured": min(found), "unit": "s", **promised, "slowest": max(found)}
        )
    return records
