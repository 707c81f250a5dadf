"""Matching at molecule size: fits, proofs and distances of graphs of 15 to 60 nodes, and what others find.

Run ``python -m benchmarks large``, or one part of it, as in ``python -m benchmarks large:pairs``. Molecules
are those of the IAM graph database with hydrogens as nodes, hydrocarbons and dense graphs are made;
``benchmarks/large`` has all parts. Times are CPU seconds of one thread. The training split of Mutagenicity
and seed 0 served to choose budgets and limits; the test split and other seeds judge. Each part also runs
with the commit that ``GRAPHQUANT_OLD`` names, right after the current one.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.large import PARTS
from benchmarks.versus._sides import ROOT, install_old

MEASURE = Path(__file__).with_name("large") / "measure.py"
Record = dict[str, Any]

# What is promised, by the beginning of a benchmark's name; of several the first one counts.
AT_MOST = {
    "fit of 1,000 Mutagenicity graphs (train), defaults, k = 2": 3.0,
    "fit of 1,000 Mutagenicity graphs (train), defaults, k = 10": 3.0,
    "fit of 1,000 Mutagenicity graphs (train), defaults, k = 30": 4.0,
    "fit of 1,000 Mutagenicity graphs (test), defaults, k = 2": 3.0,
    "fit of 1,000 Mutagenicity graphs (test), defaults, k = 10": 3.0,
    "fit of 1,000 Mutagenicity graphs (test), defaults, k = 30": 4.0,
    "fit of 1,000 Mutagenicity graphs (train), lossless, k = 2": 8.0,
    "fit of 1,000 Mutagenicity graphs (train), lossless, k = 10": 8.0,
    "fit of 1,000 Mutagenicity graphs (train), lossless, k = 30": 10.0,
    "paper's molecules, seed 1: auto": 4.0,
    "Mutagenicity, train: auto": 5.0,
    "Mutagenicity, test: auto": 5.0,
    "paper's molecules: auto without search above the best known": 0.4,
    "isomorphic copies of all-carbon graphs: wrong": 0.0,
    "isomorphic copies of all-carbon graphs: auto": 1.0,
    "paper's molecules, auto: distances that change": 1.0,
    "Mutagenicity, auto: distances that change": 1.0,
}
AT_LEAST = {
    "paper's molecules, seed 1: proven by auto": 88.0,
    "Mutagenicity, train: proven by auto": 75.0,
    "Mutagenicity, test: proven by auto": 75.0,
    "paper's molecules: proven by exact within 100 ms": 98.0,
    "paper's molecules: proven by exact within 1000 ms": 99.5,
    "Mutagenicity up to 60 nodes: proven by exact within 100 ms": 96.0,
    "Mutagenicity up to 60 nodes: proven by exact within 1000 ms": 99.5,
    "benzenoids: proven by exact within 100 ms": 97.0,
    "benzenoids: proven by exact within 1000 ms": 99.5,
    "benzenoids: proven by auto": 60.0,
    "rings of 5 to 7: proven by auto": 60.0,
    "dense graphs of 20 to 40 nodes": 85.0,
    "grec: proven by auto": 99.5,
    "encodings of 500 Mutagenicity graphs": 40.0,
    "paper's molecules, 150 cycles, k = 2: lossless": 1.5,
    "paper's molecules, 150 cycles, k = 6: lossless": 1.5,
    "paper's molecules, 150 cycles, k = 10: lossless": 1.5,
    "paper's molecules, 150 cycles, k = 2: fast": 8.0,
    "paper's molecules, 150 cycles, k = 6: fast": 8.0,
    "paper's molecules, 150 cycles, k = 10: fast": 8.0,
}


def promised(name: str) -> Record:
    """Return the promise about a benchmark, if there is one."""
    for key, promises in (("at_most", AT_MOST), ("at_least", AT_LEAST)):
        for beginning, value in promises.items():
            # Not "k = 30" for "k = 3".
            if name.startswith(beginning) and not name[len(beginning) :][:1].isdigit():
                return {key: value}
    return {}


def measure(python: Path | str, part: str, data: Path, environ: dict[str, str]) -> list[Record]:
    """Let a Python measure a part; a fresh process each time, with a peak of memory of its own."""
    done = subprocess.run(
        [python, MEASURE, part, data], stdout=subprocess.PIPE, text=True, check=True, env=environ
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def run_part(part: str, data: Path | None) -> list[Record]:
    """Measure one part, with the old commit too if one is named."""
    if data is None:
        return []
    records = measure(sys.executable, part, data, dict(os.environ))
    old: dict[str, Record] = {}
    if commit := os.environ.get("GRAPHQUANT_OLD"):
        side = install_old(commit, ROOT / "build" / "versus")
        old = {found["benchmark"]: found for found in measure(side.python, part, data, side.environ)}
    for record in records:
        record |= promised(record["benchmark"])
        before = old.get(record["benchmark"], {})
        record |= {
            f"old_{name}": before[name] for name in ("measured", "distortion", "accuracy") if name in before
        }
    return records


RUNS: dict[str, Callable[[Path | None], list[Record]]] = {part: partial(run_part, part) for part in PARTS}


def run(data: Path | None) -> list[Record]:
    return [record for part in PARTS for record in run_part(part, data)]
