"""How long reading GXL takes, against merely parsing the same XML with the standard library.

Run ``python -m benchmarks reading``; it needs the zips of the IAM graph database.
"""

import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from graphquant.io import gxl

REPEATS = 5
ARCHIVES = ("Mutagenicity", "Letter", "GREC", "Fingerprint")
# What is promised: reading Mutagenicity takes at most twice the time of the bare parse.
AT_MOST = {"Mutagenicity": 2.0}


def cpu_seconds(job: Callable[[], Any]) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


def listed_members(path: Path, stems: set[str]) -> list[str]:
    """GXL files of a zip that some CXL file lists; parsing others would flatter the ratio."""
    with zipfile.ZipFile(path) as file:
        return [name for name in file.namelist() if name.endswith(".gxl") and Path(name).stem in stems]


def parse_only(path: Path, members: list[str]) -> None:
    """Parse the files and drop each tree: the least that a reader must do."""
    with zipfile.ZipFile(path) as file:
        for name in members:
            ElementTree.fromstring(file.read(name))


def bench_gxl(path: Path, repeats: int = REPEATS) -> dict[str, Any]:
    """Best of several runs of both, taken in turns so that a busy machine hurts both alike."""
    graphs = gxl.read(path, split="all").graphs
    members = listed_members(path, set(graphs.names or ()))
    read_seconds, parse_seconds = [], []
    for _ in range(repeats):
        parse_seconds.append(cpu_seconds(lambda: parse_only(path, members)))
        read_seconds.append(cpu_seconds(lambda: gxl.read(path, split="all")))
    record = {
        "benchmark": f"read {path.name}",
        "measured": min(read_seconds) / min(parse_seconds),
        "unit": "x the time of the bare parse",
        "graphs": len(graphs),
        "read_seconds": min(read_seconds),
        "parse_seconds": min(parse_seconds),
        "microseconds": min(read_seconds) / len(graphs) * 1e6,
    }
    return record | ({"at_most": AT_MOST[path.stem]} if path.stem in AT_MOST else {})


def run(data: Path | None) -> list[dict[str, Any]]:
    """Measure one record a file; none without the data."""
    return [] if data is None else [bench_gxl(data / f"{name}.zip") for name in ARCHIVES]
