"""How long reading GXL takes, against merely parsing the same XML with the standard library.

Run ``python benchmarks/bench_reading.py FOLDER`` where FOLDER holds the zips of the IAM graph database.
"""

import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from graphquant.io import gxl

REPEATS = 5
# What is promised: reading Mutagenicity takes at most twice the time of the bare parse.
LIMITS = {"Mutagenicity": 2.0}


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
    graphs = gxl.read(path, split="all", repair=True).graphs
    members = listed_members(path, set(graphs.names or ()))
    read_seconds, parse_seconds = [], []
    for _ in range(repeats):
        parse_seconds.append(cpu_seconds(lambda: parse_only(path, members)))
        read_seconds.append(cpu_seconds(lambda: gxl.read(path, split="all", repair=True)))
    return {
        "benchmark": f"read {path.name}",
        "graphs": len(graphs),
        "read_seconds": min(read_seconds),
        "parse_seconds": min(parse_seconds),
        "ratio": min(read_seconds) / min(parse_seconds),
        "limit": LIMITS.get(path.stem),
        "microseconds_per_graph": min(read_seconds) / len(graphs) * 1e6,
    }


def run(data_folder: Path) -> list[dict[str, Any]]:
    """Measure, print and return one record a file."""
    records = []
    for name in ("Mutagenicity", "Letter", "GREC", "Fingerprint"):
        record = bench_gxl(Path(data_folder) / f"{name}.zip")
        records.append(record)
        print(
            f"{record['benchmark']}: {record['graphs']} graphs in {record['read_seconds']:.2f} s, "
            f"{record['ratio']:.2f}x the bare parse ({record['parse_seconds']:.2f} s)"
        )
    return records


if __name__ == "__main__":
    run(Path(sys.argv[1]))
