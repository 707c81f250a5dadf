"""Many graphs: encoding and learning from Parquet, two Dask workers against one, the price of partitions.

Run ``python -m benchmarks scale``. Sizes come from the environment, with those of the promises as default::

    GRAPHQUANT_SCALE_PREDICT   graphs to encode and to learn from in one process (1000000)
    GRAPHQUANT_SCALE_DASK      graphs to learn from with one worker and with two (100000)

Graphs are the built-in letters (low distortion) in random order, in row groups of 1/8 of them, at most 65536.
Seconds are those of the wall. Memory is the most that the process ever had in RAM.
"""

import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import graphquant as gq
from benchmarks._letters import letters_on_circles
from graphquant.io import FileContent, write_file
from graphquant.out_of_core.executor import DEFAULT_MEMORY
from graphquant.out_of_core.partitioned import BOUND_BYTES

N_CODES, N_CYCLES = 45, 3
SEEDS = range(5)
Record = dict[str, Any]


def size(name: str, default: int) -> int:
    return int(os.environ.get(f"GRAPHQUANT_SCALE_{name}", default))


def write_letters(n_graphs: int, path: Path) -> Path:
    letters = letters_on_circles(-(-n_graphs // 15)).graphs
    chosen = np.random.default_rng(0).permutation(len(letters))[:n_graphs]
    rows = min(65536, -(-n_graphs // 8))
    write_file(FileContent(letters[chosen].with_names(None)), path, row_group_size=rows)
    return path


def in_a_process(job: str, *arguments: Any) -> Record:
    """Run a job of this module in a process of its own, whose memory is then its own."""
    command = [sys.executable, "-m", "benchmarks.bench_scale", job, *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: Record = json.loads(done.stdout.splitlines()[-1])
    return found


def peak_gib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def codebook_for(path: Path, folder: Path) -> Path:
    """Learn a codebook from the first of the letters, which are in random order, to encode all with."""
    small = gq.read(path).graphs[:3000]
    q = gq.GraphQuantizer(N_CODES, max_cycles=N_CYCLES, random_state=0).fit(small)
    q.save(folder / "codebook.parquet")
    return folder / "codebook.parquet"


def predict_job(path: str, codebook: str) -> Record:
    q = gq.load(codebook)
    q.predict(q.codebook_)
    began = time.perf_counter()
    found = q.match(path)
    seconds = time.perf_counter() - began
    return {
        "seconds": seconds,
        "peak_gib": peak_gib(),
        "graphs": len(found),
        "matchings_a_graph": found.n_matchings / len(found),
    }


def fit_job(path: str) -> Record:
    warnings.simplefilter("ignore", gq.exceptions.GraphQuantWarning)
    gq.GraphQuantizer(2, max_cycles=1, random_state=0).fit(gq.datasets.make_letters(1))
    began = time.perf_counter()
    q = gq.GraphQuantizer(N_CODES, max_cycles=N_CYCLES, random_state=0).fit(path)
    return {
        "seconds": time.perf_counter() - began,
        "peak_gib": peak_gib(),
        "cycle_seconds": [round(cycle.seconds, 1) for cycle in q.history_],
        "matchings_a_graph_and_cycle": [round(cycle.share * N_CODES, 2) for cycle in q.history_],
        "mean_distance": float(q.encoding_.distance.mean()),
    }


def dask_job(path: str, n_workers: int, small: str) -> Record:
    """Learn with worker processes; seconds of the cycles, and bytes that go to and from a partition."""
    from graphquant.out_of_core import connected

    warnings.simplefilter("ignore", gq.exceptions.GraphQuantWarning)
    with connected("local", n_workers) as executor:
        settings: Record = {"init": "random", "random_state": 0, "executor": executor}
        # Every worker loads the library.
        gq.GraphQuantizer(N_CODES, max_cycles=1, **settings).fit(small)
        counted = CountedExecutor(executor)
        settings["executor"] = counted
        began = time.perf_counter()
        q = gq.GraphQuantizer(N_CODES, max_cycles=N_CYCLES, **settings).fit(path)
        seconds = time.perf_counter() - began
    return {
        "seconds": seconds,
        "cycle_seconds": [cycle.seconds for cycle in q.history_],
        "bytes_a_round_and_partition": counted.bytes_of("learn"),
        "distortion": q.distortion_,
        "codebook": q.codebook_.node_attrs.tobytes().hex()[:64],
    }


class CountedExecutor:
    """Counts what goes to the partitions and comes back, as it is sent: pickled."""

    def __init__(self, executor: Any) -> None:
        self.executor = executor
        self.sent: dict[str, list[int]] = {}

    def map(self, work: Any, parts: Any, shared: Any, own: Any, on_done: Any = None) -> list[Any]:
        found: list[Any] = self.executor.map(work, parts, shared, own, on_done)
        there = len(pickle.dumps((shared, own[0])))
        back = len(pickle.dumps(found[0]))
        self.sent.setdefault(work.__name__, []).append(there + back)
        return found

    def bytes_of(self, name: str) -> int:
        return max(self.sent[name])

    def clear(self) -> None:
        self.executor.clear()

    def total_memory(self) -> int:
        memory: int = self.executor.total_memory()
        return memory


def bench_one_process(folder: Path) -> list[Record]:
    n_graphs = size("PREDICT", 1_000_000)
    share = n_graphs / 1_000_000
    path = write_letters(n_graphs, folder / "many.parquet")
    found = in_a_process("predict", path, codebook_for(path, folder))
    fitted = in_a_process("fit", path)
    name = f"{n_graphs} letters, k={N_CODES}"
    return [
        {"benchmark": f"{name}: predict", "measured": found["seconds"], "unit": "s", "at_most": 90.0 * share}
        | {"matchings_a_graph": found["matchings_a_graph"]},
        {"benchmark": f"{name}: predict, peak memory", "measured": found["peak_gib"], "unit": "GiB"}
        | {"at_most": 2.0},
        {"benchmark": f"{name}: fit of {N_CYCLES} cycles", "measured": fitted["seconds"], "unit": "s"}
        | {"at_most": 600.0 * share, **{key: fitted[key] for key in fitted if key != "seconds"}},
    ]


def bench_dask(folder: Path) -> list[Record]:
    n_graphs = size("DASK", 100_000)
    path, small = (write_letters(n, folder / f"{n}.parquet") for n in (n_graphs, min(20_000, n_graphs // 5)))
    one, two = (in_a_process("dask", path, workers, small) for workers in (1, 2))
    fewer = in_a_process("dask", small, 2, small)
    name = f"{n_graphs} letters, k={N_CODES}"
    cycles = [sum(found["cycle_seconds"]) for found in (one, two)]
    return [
        {
            "benchmark": f"{name}: cycles of one Dask worker over those of two",
            "measured": cycles[0] / cycles[1],
        }
        | {
            "unit": "x",
            "at_least": 1.7,
            "seconds": two["seconds"],
            "same_bits": one["codebook"] == two["codebook"],
        },
        {
            "benchmark": f"{name}: bytes a round and partition, over those for fewer graphs",
            "measured": two["bytes_a_round_and_partition"] / fewer["bytes_a_round_and_partition"],
            "unit": "x",
            "at_most": 1.01,
            "bytes": two["bytes_a_round_and_partition"],
        },
    ]


def bench_shared_bounds(folder: Path) -> Record:
    """What a tenth of the bounds costs: matchings and seconds, against a bound for each code graph."""
    n_graphs, n_codes = 10_000, 200
    path = write_letters(n_graphs, folder / "shared.parquet")
    little = 2 * BOUND_BYTES * n_graphs * (n_codes // 10)
    found = {}
    for memory in (DEFAULT_MEMORY, little):
        executor = gq.out_of_core.LocalExecutor(2, memory)
        q = gq.GraphQuantizer(n_codes, executor=executor, max_cycles=N_CYCLES, random_state=0).fit(path)
        found[memory] = q
    full, shared = found[DEFAULT_MEMORY], found[little]
    seconds = [sum(cycle.seconds for cycle in q.history_) for q in (full, shared)]
    return {
        "benchmark": f"{n_graphs} letters, k={n_codes}: matchings with 20 bounds a graph over those with 200",
        "measured": shared.n_matchings_ / full.n_matchings_,
        "unit": "x",
        "matchings_a_graph_and_cycle": shared.n_matchings_ / (n_graphs * N_CYCLES),
        "seconds": seconds[1],
        "seconds_with_all_bounds": seconds[0],
        "same_bits": shared.codebook_ == full.codebook_,
    }


def bench_quality(name: str, graphs: gq.GraphCollection, n_codes: int, n_cycles: int, folder: Path) -> Record:
    """Mean distortion over seeds of four partitions, against that of the run in memory."""
    graphs = graphs[np.random.default_rng(0).permutation(len(graphs))].with_names(None)
    path = folder / f"{name}.parquet"
    write_file(FileContent(graphs), path, row_group_size=-(-len(graphs) // 4))
    found: dict[str, list[float]] = {"memory": [], "parts": []}
    for seed in SEEDS:
        start = gq.initialisation.initialise("medoids", graphs, n_codes, random_state=seed).graphs
        settings: Record = {"init": start, "max_cycles": n_cycles, "random_state": seed}
        for where, X in (("memory", graphs), ("parts", path)):
            found[where].append(gq.GraphQuantizer(n_codes, **settings).fit(X).distortion_)
    mean = {where: float(np.mean(values)) for where, values in found.items()}
    return {
        "benchmark": f"{name} k={n_codes}: distortion of 4 partitions above memory's, {n_cycles} cycles",
        "measured": 100.0 * (mean["parts"] / mean["memory"] - 1.0),
        "unit": "%",
        "at_most": 1.0,
        "memory": mean["memory"],
        "spread_in_memory": float(np.std(found["memory"], ddof=1)),
        "seeds": len(SEEDS),
    }


def run(data: Path | None) -> list[Record]:
    """Measure; the quality only with the data."""
    warnings.simplefilter("ignore", gq.exceptions.GraphQuantWarning)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        records = []
        if data is not None:
            molecules = gq.datasets.load_iam("mutagenicity", data).graphs
            sample = np.random.default_rng(0).choice(len(molecules), 150, replace=False)
            records += [
                bench_quality("letter", gq.datasets.load_iam("letter", data).graphs, 30, 20, folder),
                bench_quality("grec", gq.datasets.load_iam("grec", data).graphs, 22, 5, folder),
                bench_quality("mutagenicity", molecules[sample], 6, 3, folder),
            ]
        records.append(bench_shared_bounds(folder))
        return records + bench_dask(folder) + bench_one_process(folder)


if __name__ == "__main__":
    job, *arguments = sys.argv[1:]
    if job == "dask":
        result = dask_job(arguments[0], int(arguments[1]), arguments[2])
    else:
        result = {"predict": predict_job, "fit": fit_job}[job](*arguments)
    print(json.dumps(result))
