"""Parquet: reading against GXL, the memory for a million graphs, the bytes of a packed graph.

Run ``python -m benchmarks.bench_parquet``. The graphs are made by numpy and have the shape of the letters of
the IAM database: 4.7 nodes with two attributes, 3.1 edges with one.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import graphquant as gq
from graphquant.io import FileContent, read_file, write_file

REPEATS = 5
N_PARQUET = 100_000
N_GXL = 1_000
N_MEMORY = 1_000_000


def letter_like(n_graphs: int, seed: int = 0) -> gq.GraphCollection:
    """Paths of 3 to 7 nodes, some with one edge more, at random points of the plane."""
    rng = np.random.default_rng(seed)
    orders = rng.choice([3, 4, 5, 6, 7], n_graphs, p=[0.1, 0.4, 0.3, 0.1, 0.1])
    n_edges = np.minimum(orders - 1, rng.choice([3, 4], n_graphs, p=[0.6, 0.4]))
    node_offsets, edge_offsets = (np.concatenate([[0], np.cumsum(counts)]) for counts in (orders, n_edges))
    start = np.arange(edge_offsets[-1]) - np.repeat(edge_offsets[:-1], n_edges)
    return gq.GraphCollection.from_arrays(
        node_offsets,
        rng.normal(size=(node_offsets[-1], 2)),
        edge_offsets,
        np.column_stack([start, start + 1]),
    )


def cpu_seconds(job: Callable[[], Any]) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


def bench_reading(n_parquet: int = N_PARQUET, n_gxl: int = N_GXL, repeats: int = REPEATS) -> dict[str, Any]:
    """CPU seconds a graph from Parquet and from zipped GXL, best of several runs taken in turns."""
    with tempfile.TemporaryDirectory() as folder:
        parquet, gxl = Path(folder, "letters.parquet"), Path(folder, "letters.zip")
        write_file(FileContent(letter_like(n_parquet)), parquet)
        write_file(FileContent(letter_like(n_gxl)), gxl, format="gxl")
        parquet_seconds, gxl_seconds = [], []
        for _ in range(repeats):
            parquet_seconds.append(cpu_seconds(lambda: read_file(parquet)))
            gxl_seconds.append(cpu_seconds(lambda: read_file(gxl)))
    each_parquet, each_gxl = min(parquet_seconds) / n_parquet, min(gxl_seconds) / n_gxl
    return {
        "benchmark": "read Parquet against GXL",
        "graphs": n_parquet,
        "parquet_microseconds_per_graph": each_parquet * 1e6,
        "gxl_microseconds_per_graph": each_gxl * 1e6,
        "ratio": each_gxl / each_parquet,
        "limit": 20.0,
    }


def bench_bytes(n_graphs: int = N_PARQUET) -> dict[str, Any]:
    graphs = letter_like(n_graphs)
    return {"benchmark": "bytes of a packed graph", "bytes": graphs.nbytes / len(graphs), "limit": 400.0}


def bench_memory(n_graphs: int = N_MEMORY) -> dict[str, Any]:
    """Peak memory of a process that makes, writes and reads back ``n_graphs`` graphs."""
    command = [sys.executable, "-m", "benchmarks.bench_parquet", "memory", str(n_graphs)]
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    seconds, peak = map(float, done.stdout.split())
    return {
        "benchmark": "make, write and read back",
        "graphs": n_graphs,
        "seconds": seconds,
        "peak_gib": peak,
        "limit": 2.0,
    }


def round_trip(n_graphs: int) -> None:
    """Job of the process of :func:`bench_memory`: print seconds and peak memory in GiB."""
    start = time.perf_counter()
    graphs = letter_like(n_graphs).with_names(tuple(f"letter {i}" for i in range(n_graphs)))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "letters.parquet")
        write_file(FileContent(graphs), file)
        if read_file(file).graphs != graphs:
            raise AssertionError("what was read differs from what was written")
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**30
    print(time.perf_counter() - start, peak)


def run() -> list[dict[str, Any]]:
    """Measure, print and return one record a claim."""
    records = [bench_reading(), bench_bytes(), bench_memory()]
    for record in records:
        print(", ".join(f"{k}: {v:.3g}" if isinstance(v, float) else f"{k}: {v}" for k, v in record.items()))
    return records


if __name__ == "__main__":
    if sys.argv[1:2] == ["memory"]:
        round_trip(int(sys.argv[2]))
    else:
        run()
