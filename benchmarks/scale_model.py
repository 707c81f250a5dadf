"""A cost model of learning in partitions: constants measured here, replayed against one and two workers.

Run ``python -m benchmarks.scale_model [GRAPHS]`` (100000 letters by default). It prints the
page ``docs/results/scale.md``:

1. what the model says about 10^8 graphs on 100 workers;
2. the seconds of the cycles of one and two Dask workers, as the model says and as they are, and the error;
3. the constants: microseconds per presentation in each cycle (CPU time of one core), the same for scanning
   and encoding, bytes of state per graph, bytes of a round to and from a partition, seconds that a task
   costs in addition to the work.
"""

import pickle
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

import graphquant as gq
from benchmarks.__main__ import machine
from benchmarks.bench_scale import N_CODES, N_CYCLES, in_a_process, write_letters
from graphquant.learning.driver import Run
from graphquant.learning.fitting import FirstCodes
from graphquant.learning.plan import Plan
from graphquant.matching import get_matcher
from graphquant.out_of_core.executor import LocalExecutor
from graphquant.out_of_core.partitioned import ROUNDS
from graphquant.out_of_core.sources import GraphsInFiles, look_through

INTRODUCTION = """# The cost of learning in partitions

How long a fit of files takes on your workers, by a model of a few constants: {claim}

The model beside runs of {n_graphs:,} letters, {n_codes} code graphs; the error is that of the model."""
METHOD = """## How it was measured

Printed by `python -m benchmarks.scale_model`; {date}, commit {commit}, {processor} ({cores} cores).
The letters are built in. [Many graphs](../scale.rst) explains the model: a presentation takes t, which falls
from cycle to cycle, and a task has the overhead h."""


@dataclass(frozen=True)
class Constants:
    """What the model needs to know."""

    cycle_us: tuple[float, ...]  # a presentation, in each cycle; later cycles as the last
    survey_us: float
    encode_us: float
    state_bytes: float  # a graph; of a measurement all of it
    partition_bytes: float  # a partition, whatever its graphs: snapshots of the code graphs
    round_bytes: int  # a partition, there and back
    task_seconds: float = 0.0  # beside the work, for a partition and a round


def measure(path: Path) -> Constants:
    """Learn in this process on one thread, by the CPU clock."""
    executor = LocalExecutor(1)
    clock = [time.process_time()]
    content = look_through(gq.scan(path), None, executor)
    n_graphs = int(content.sizes.sum())
    clock.append(time.process_time())
    rng = np.random.default_rng(0)
    training = GraphsInFiles(content, Plan(max_cycles=N_CYCLES), get_matcher("auto"), executor)
    run = training.new_run(training.start(FirstCodes("random", N_CODES, None, False), rng), None, rng)
    laps = [time.process_time()]

    def on_cycle(run: Run) -> None:
        laps.append(time.process_time())

    run.learn(on_cycle, lambda part: None)
    held = executor._store.held_bytes
    before = time.process_time()
    run.encode()
    encode_us = 1e6 * (time.process_time() - before) / n_graphs
    there_and_back = 2 * len(pickle.dumps(run.codes))
    cycle_us = tuple(1e6 * np.diff(laps) / n_graphs)
    survey_us = 1e6 * (clock[1] - clock[0]) / n_graphs
    return Constants(cycle_us, survey_us, encode_us, held, 0.0, there_and_back)


def cycle_seconds(constants: Constants, cycle: int, sizes: list[int], n_workers: int) -> float:
    """Replay a cycle: in each round every worker does its partitions, and all wait for the last one."""
    us = constants.cycle_us[min(cycle, len(constants.cycle_us) - 1)]
    work = np.zeros(n_workers)
    for number, size in enumerate(sizes):
        work[number % n_workers] += 1e-6 * us * size / ROUNDS + constants.task_seconds
    return ROUNDS * float(work.max())


def overhead(small: Path, n_parts: int) -> float:
    """Seconds a round of a run on one worker whose partitions have next to no graphs."""
    found = in_a_process("dask", small, 1, small)
    return min(found["cycle_seconds"]) / ROUNDS / n_parts


def replay(constants: Constants, path: Path, small: Path) -> Iterator[str]:
    """Yield the rows of a table: the cycles of one and two workers, as the model says and as they are."""
    sizes = [part.partition.n_rows for part in gq.scan(path).partitions]
    yield "| workers | cycle | model, s | run, s | error |"
    yield "|---|---|---|---|---|"
    for n_workers in (1, 2):
        seen = in_a_process("dask", path, n_workers, small)["cycle_seconds"]
        told = [cycle_seconds(constants, cycle, sizes, n_workers) for cycle in range(len(seen))]
        rows = [*zip(told, seen, strict=True), (sum(told), sum(seen))]
        for cycle, (model, real) in zip([*range(1, len(rows)), "all"], rows, strict=True):
            yield f"| {n_workers} | {cycle} | {model:.1f} | {real:.1f} | {model / real - 1.0:+.0%} |"


def extrapolate(constants: Constants, n_graphs: int = 10**8, n_workers: int = 100) -> str:
    """Return what the model says about many graphs on many workers."""
    rows = 65536
    n_parts = -(-n_graphs // rows)
    sizes = [rows] * n_parts
    cycles = [cycle_seconds(constants, cycle, sizes, n_workers) for cycle in range(N_CYCLES)]
    ends = 1e-6 * (constants.survey_us + constants.encode_us) * n_graphs / n_workers
    state = constants.state_bytes * n_graphs + constants.partition_bytes * n_parts
    traffic = constants.round_bytes * n_parts / 2**20
    return (
        f"{n_graphs:,} letters on {n_workers} workers with one core each take "
        f"cycles of {', '.join(f'{seconds:.0f}' for seconds in cycles)} s, {ends:.0f} s for scanning and "
        f"labelling, and {state / n_workers / 2**30:.2f} GiB of state per worker; a round sends "
        f"{traffic:.0f} MiB in total."
    )


def table(constants: Constants) -> Iterator[str]:
    """Yield the rows of a table of the constants."""
    yield "| constant | measured |"
    yield "|---|---|"
    cycles = ", ".join(f"{us:.0f}" for us in constants.cycle_us)
    yield f"| t in the first, second, third cycle | {cycles} microseconds |"
    yield f"| reading and scanning, for each graph | {constants.survey_us:.1f} microseconds |"
    yield f"| labelling at the end, for each graph | {constants.encode_us:.1f} microseconds |"
    yield f"| state of a graph | {constants.state_bytes:.0f} bytes |"
    yield f"| a round, to a partition and back | {constants.round_bytes / 1000:.0f} kB |"
    yield f"| overhead h of a task | {1000 * constants.task_seconds:.0f} milliseconds |"


def page(constants: Constants, path: Path, small: Path) -> str:
    """Return the page: what was measured, the model beside runs, and what it says about more."""
    about = machine()
    introduction = INTRODUCTION.format(
        claim=extrapolate(constants), n_graphs=gq.scan(path).n_rows, n_codes=N_CODES
    )
    method = METHOD.format(date=datetime.now(UTC).date(), **about)
    replayed = "\n".join(replay(constants, path, small))
    return "\n\n".join((introduction, replayed, method, "\n".join(table(constants))))


def main(n_graphs: int) -> None:
    warnings.simplefilter("ignore", gq.exceptions.GraphQuantWarning)
    with tempfile.TemporaryDirectory() as name:
        path = write_letters(n_graphs, Path(name, "many.parquet"))
        sample = write_letters(max(8000, n_graphs // 5), Path(name, "sample.parquet"))
        small = write_letters(360, Path(name, "small.parquet"))
        least, constants = measure(small), measure(sample)  # the first also pays for imports
        n_small, n_sample = (gq.scan(file).n_rows for file in (small, sample))
        slope = (constants.state_bytes - least.state_bytes) / (n_sample - n_small)
        fixed = (least.state_bytes - slope * n_small) / 8
        constants = replace(
            constants, state_bytes=slope, partition_bytes=fixed, task_seconds=overhead(small, 8)
        )
        print(page(constants, path, small))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
