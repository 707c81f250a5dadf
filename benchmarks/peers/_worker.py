"""One process of the benchmark: runs of one route on one data set, each timed and recorded.

``python -m benchmarks.peers._worker JOB`` with a job as JSON. A run that uses up its CPU seconds is ended by
the system (SIGXCPU); the record that says "running" then tells the parent process which one it was.
"""

import json
import math
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import _data, _routes, _scores
from benchmarks.peers._store import STRUCK, Record, Setting, Store, read, write

# A first run on few graphs: imports, caches.
N_WARM = 8
# CPU seconds of it, at most.
WARM_CAP = 600.0
# Then the time of a matrix is foreseen from matrices of this many graphs, twice as many, and so on, ...
N_PROBED = 40
# ... until one takes this many CPU seconds.
PROBE_SECONDS = 2.0
# What is foreseen to take more than this much memory, or longer than its cap, is not tried.
MAX_GIB = 8.0


@dataclass(frozen=True)
class Job:
    """What a worker is told. Caps are CPU seconds; ``budget`` ends the seeds of a k after ``min_seeds``."""

    set_name: str
    route: str
    setting: Setting
    tasks: list[tuple[int, int]]  # k and seed
    results: str
    data: str | None
    cap: float
    matrix_cap: float
    budget: float
    min_seeds: int
    core: int | None = None

    @property
    def store(self) -> Store:
        return Store(Path(self.results))

    def path(self, k: int, seed: int) -> Path:
        return self.store.run_path(self.set_name, self.route, self.setting, k, seed)

    def head(self, k: int, seed: int) -> Record:
        """Return what every record of a run begins with."""
        names = {"set": self.set_name, "route": self.route, "setting": self.setting}
        return names | {"k": k, "seed": seed}

    def open_tasks(self) -> list[tuple[int, int]]:
        """Return the tasks still to do: larger k are not tried once the cap struck, nor seeds for ever."""
        result = []
        for k in sorted({k for k, _ in self.tasks}):
            seeds = [seed for other, seed in self.tasks if other == k]
            records = [read(self.path(k, seed)) for seed in seeds]
            if any(record.get("status") in STRUCK for record in records):
                break
            spent = [record["cpu"] for record in records if record.get("status") == "ok"]
            wanted = len(seeds) if sum(spent) < self.budget else min(self.min_seeds, len(seeds))
            left = [seed for seed, record in zip(seeds, records, strict=True) if record.get("status") != "ok"]
            result += [(k, seed) for seed in left[: max(wanted - len(spent), 0)]]
        return result

    def foreseen(self, k: int) -> float:
        """CPU seconds of a run, if it takes time in proportion to k; 0 if no smaller k was run."""
        smaller = sorted({other for other, _ in self.tasks if other < k})
        records = [read(self.path(*task)) for task in self.tasks if smaller and task[0] == smaller[-1]]
        spent = [record["cpu"] for record in records if record.get("status") == "ok"]
        return sum(spent) / len(spent) * k / smaller[-1] if spent else 0.0

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def measured(job: Callable[[], Any], cap: float) -> tuple[Any, Record]:
    """Run under a cap; return the outcome, and its CPU and wall seconds and peak memory."""
    _reset_peak_memory()
    _limit_cpu(cap)
    cpu, wall = time.process_time(), time.perf_counter()
    try:
        outcome = job()
    finally:
        _limit_cpu(math.inf)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return outcome, {"cpu": cpu, "wall": wall, "peak_mib": _peak_memory()}


def _limit_cpu(seconds: float) -> None:
    """Let the system end this process after so many more CPU seconds."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    limit = resource.RLIM_INFINITY if seconds == math.inf else math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))


def _reset_peak_memory() -> None:
    """Forget the peak so far; where the system cannot, the peak is that of the whole process."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def _peak_memory() -> float:
    """Most memory that was resident, in MiB: with interpreter, packages and data."""
    try:
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024
    except (OSError, IndexError, ValueError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Worker:
    """Runs of one route on one data set with one setting."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.route = _routes.BY_NAME[job.route]
        folder = Path(job.data) if job.data else None
        self.plain = _data.load(job.set_name, folder)
        self.graphs = _data.load(job.set_name, folder, raw=True).graphs if self.is_raw else self.plain.graphs

    @property
    def is_raw(self) -> bool:
        return bool(self.job.setting.get("raw"))

    def work(self) -> None:
        """Do all open tasks."""
        tasks = self.job.open_tasks()
        if not tasks:
            return
        # Should even few graphs, or the matrix, take too long, the record of the first run tells.
        running = {"status": "running", "cap": min(WARM_CAP, self.job.matrix_cap)}
        write(self.job.path(*tasks[0]), self.job.head(*tasks[0]) | running)
        extra: Record = {"warm_up": self._warm_up()}
        data: Any = self.graphs
        if self.route.matrix is not None:
            data, extra["matrix"] = self._matrix()
        if data is None:  # the matrix takes too long, whatever k is
            write(self.job.path(*tasks[0]), self.job.head(*tasks[0]) | extra["matrix"] | extra)
            return
        while tasks:
            k, seed = tasks[0]
            foreseen = self.job.foreseen(k)
            # The seeds that even slow runs get are to fit under one cap together.
            if foreseen * self.job.min_seeds > self.job.cap:
                struck = {"status": "foreseen", "cpu": foreseen, "cap": self.job.cap}
                write(self.job.path(k, seed), self.job.head(k, seed) | struck | extra)
            else:
                write(self.job.path(k, seed), self._run(data, k, seed) | extra)
            tasks = self.job.open_tasks()

    def _run(self, data: Any, k: int, seed: int) -> Record:
        head = self.job.head(k, seed)
        write(self.job.path(k, seed), head | {"status": "running", "cap": self.job.cap})
        (labels, codes), costs = measured(
            lambda: self.route.run(data, k, seed, self.job.setting), self.job.cap
        )
        # Mean graphs of other coordinates cannot be compared; and distortions take time, so few seeds do.
        is_comparable = not (self.is_raw and hasattr(codes, "orders")) and seed < self.job.min_seeds
        return (
            head
            | {"status": "ok"}
            | costs
            | _scores.score(labels, self.plain.targets)
            | {"distortion": _scores.distortion(self.plain.graphs, codes if is_comparable else None)}
        )

    def _warm_up(self) -> float:
        """Run the route once on few graphs; return wall seconds."""
        few = self._few(N_WARM)

        def small_run() -> None:
            data = few if self.route.matrix is None else self.route.run_matrix(few, self.job.setting)
            self.route.run(data, 2, 0, self.job.setting)

        return float(measured(small_run, WARM_CAP)[1]["wall"])

    def _few(self, size: int) -> Any:
        rng = np.random.default_rng(1)
        return self.graphs[np.sort(rng.choice(len(self.graphs), min(size, len(self.graphs)), replace=False))]

    def _matrix(self) -> tuple[Any, Record]:
        """Return the matrix and its costs, from disk or computed; None if it would take too long."""
        assert self.route.matrix is not None
        setting = self.route.matrix_setting(self.job.setting) | ({"raw": True} if self.is_raw else {})
        path = self.job.store.matrix_path(self.job.set_name, self.route.matrix, setting)
        record, stored = read(path), path.with_suffix(".npy")
        if record.get("status") == "ok" and stored.exists():
            return np.load(stored), record
        if record.get("status") in STRUCK:
            return None, record
        cap, gib = self.job.matrix_cap, 8.0 * len(self.graphs) ** 2 / 2**30
        foreseen = {"cpu": self._foresee_matrix(), "matrix_gib": gib, "cap": cap}
        if foreseen["cpu"] > cap or gib > MAX_GIB:
            record = {"status": "foreseen"} | foreseen
            write(path, record)
            return None, record
        write(path, {"status": "running"} | foreseen)
        matrix, costs = measured(lambda: self.route.run_matrix(self.graphs, self.job.setting), cap)
        record = {"status": "ok"} | costs
        np.save(stored, matrix)
        write(path, record)
        return matrix, record

    def _foresee_matrix(self) -> float:
        """CPU seconds of the whole matrix, from those of few graphs; only what grows with pairs grows."""
        sizes, seconds = [0], [0.0]
        while seconds[-1] < PROBE_SECONDS and sizes[-1] < len(self.graphs):
            size = min(max(N_PROBED, 2 * sizes[-1]), len(self.graphs))
            few = self._few(size)
            _, costs = measured(lambda few=few: self.route.run_matrix(few, self.job.setting), WARM_CAP)
            sizes.append(size)
            seconds.append(float(costs["cpu"]))
        a_pair = (seconds[-1] - seconds[-2]) / (sizes[-1] ** 2 - sizes[-2] ** 2)
        return seconds[-1] + a_pair * (len(self.graphs) ** 2 - sizes[-1] ** 2)


def main() -> None:
    job = Job(**json.loads(sys.argv[1]))
    if job.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {job.core})
    Worker(job).work()


if __name__ == "__main__":
    main()
