"""Parquet: reading against GXL, the memory for a million graphs, the bytes of a packed graph.

Run ``python -m benchmarks parquet``. The graphs are built-in letters: on average 4.7 nodes with two
attributes, and 3.1 edges with one.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import graphquant as gq
from benchmarks._letters import letters_on_circles
from graphquant.io import FileContent, read_file, write_file

REPEATS = 5
N_PARQUET = 100_000
N_GXL = 1_000
N_MEMORY = 1_000_000
N_LETTERS = 15


def letters(n_graphs: int) -> gq.Dataset:
    """At least ``n_graphs`` letters, as many of each."""
    return letters_on_circles(-(-n_graphs // N_LETTERS))


def cpu_seconds(job: Callable[[], Any]) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


def bench_reading(n_parquet: int = N_PARQUET, n_gxl: int = N_GXL, repeats: int = REPEATS) -> dict[str, Any]:
    """CPU seconds a graph from Parquet and from zipped GXL, best of several runs taken in turns."""
    with tempfile.TemporaryDirectory() as folder:
        parquet, gxl = Path(folder, "letters.parquet"), Path(folder, "letters.zip")
        write_file(FileContent(letters(n_parquet).graphs), parquet)
        write_file(FileContent(letters(n_gxl).graphs), gxl, format="gxl")
        parquet_seconds, gxl_seconds = [], []
        for _ in range(repeats):
            parquet_seconds.append(cpu_seconds(lambda: read_file(parquet)))
            gxl_seconds.append(cpu_seconds(lambda: read_file(gxl)))
    each_parquet, each_gxl = min(parquet_seconds) / n_parquet, min(gxl_seconds) / n_gxl
    return {
        "benchmark": "read Parquet",
        "measured": each_gxl / each_parquet,
        "unit": "x faster a graph than GXL",
        "at_least": 20.0,
        "graphs": n_parquet,
        "parquet_microseconds": each_parquet * 1e6,
        "gxl_microseconds": each_gxl * 1e6,
    }


def bench_bytes(n_graphs: int = N_PARQUET) -> dict[str, Any]:
    graphs = letters(n_graphs).graphs
    return {
        "benchmark": "size of a packed graph",
        "measured": graphs.nbytes / len(graphs),
        "unit": "bytes",
        "at_most": 400.0,
    }


def bench_memory(n_graphs: int = N_MEMORY) -> dict[str, Any]:
    """Peak memory of a process that makes, writes and reads back at least ``n_graphs`` letters."""
    command = [sys.executable, "-m", "benchmarks.bench_parquet", str(n_graphs)]
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    seconds, peak = map(float, done.stdout.split())
    return {
        "benchmark": "make, write and read back",
        "measured": peak,
        "unit": "GiB at the peak",
        "at_most": 2.0,
        "graphs": n_graphs,
        "seconds": seconds,
    }


def round_trip(n_graphs: int) -> None:
    """Job of the process of :func:`bench_memory`: print seconds and peak memory in GiB."""
    start = time.perf_counter()
    made = letters(n_graphs)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "letters.parquet")
        gq.write(made, file)
        if gq.read(file).graphs != made.graphs:
            raise AssertionError("what was read differs from what was written")
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**30
    print(time.perf_counter() - start, peak)


def run(data: Path | None = None) -> list[dict[str, Any]]:
    """Measure; the graphs are synthetic, so that no data are needed."""
    return [bench_reading(), bench_bytes(), bench_memory()]


if __name__ == "__main__":
    round_trip(int(sys.argv[1]))
