"""Plan the runs and start their processes, a core for each."""

import os
import queue
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.peers._data import GROWTH, SETS, TaskSet
from benchmarks.peers._routes import Route
from benchmarks.peers._store import STRUCK, Setting, Store, describe, read, write
from benchmarks.peers._worker import Job

ROOT = Path(__file__).resolve().parents[2]
# Libraries that would start threads of their own.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB", "BLIS")}


@dataclass(frozen=True)
class Limits:
    """How much is run; times are CPU seconds."""

    n_seeds: int = 10
    min_seeds: int = 2
    cap: float = 150.0
    matrix_cap: float = 300.0
    growth_cap: float = 180.0
    budget: float = 15.0


@dataclass(frozen=True)
class Runner:
    """Runs routes on data sets, several processes at a time, each on a core of its own."""

    store: Store
    data: Path | None
    limits: Limits
    n_processes: int = 2
    quick: bool = False  # the first setting and the smallest k alone, to see that all routes work

    def run(self, sets: Iterable[TaskSet], routes: Sequence[Route]) -> None:
        """Do all that has no record yet."""
        write(limits_path(self.store), asdict(self.limits))
        cores: queue.Queue[int] = queue.Queue()
        for core in allowed_cores()[: self.n_processes]:
            cores.put(core)

        def on_a_core(task: TaskSet, family: list[Route]) -> None:
            core = cores.get()
            try:
                for route in family:
                    self._run_route(task, route, core)
            finally:
                cores.put(core)

        with ThreadPoolExecutor(self.n_processes) as pool:
            waiting = [
                pool.submit(on_a_core, task, family)
                for task in sets
                for family in _families(route for route in routes if _takes_part(route, task))
            ]
            try:
                for future in waiting:
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _run_route(self, task: TaskSet, route: Route, core: int) -> None:
        seeds = range(self._n_seeds(task))
        tasks = [(k, seed) for k in (task.ks[:1] if self.quick else task.ks) for seed in seeds]
        settings = self._settings(task, route)[: 1 if self.quick else None]
        if route.slow and len(settings) > 1:
            first = [(task.ks[0], 0)]
            for setting in settings:
                self._start(task, route, setting, first, core)
            settings = [self._best(task, route, settings)]
        for setting in settings:
            self._start(task, route, setting, tasks, core)
            first_run = self.store.run_path(task.name, route.name, setting, *tasks[0])
            if route.matrix is not None and read(first_run).get("status") in STRUCK:
                return  # settings are listed from the fastest on: the other matrices take no less

    def _n_seeds(self, task: TaskSet) -> int:
        """Large collections get one seed: clusters of so many graphs hardly depend on it."""
        large = task.n_per_class is not None and task.n_per_class > 1000
        return 1 if large else min(self.limits.n_seeds, 3) if task.is_growth else self.limits.n_seeds

    def _settings(self, task: TaskSet, route: Route) -> list[Setting]:
        settings = route.settings_for(task.name, task.has_coordinates)
        if task.is_growth and len(settings) > 1:
            # The growth is measured with what is best on real letters.
            return [self._best(SETS[0], route, settings)]
        return settings

    def _best(self, task: TaskSet, route: Route, settings: list[Setting]) -> Setting:
        """Return the setting of highest mean accuracy at the smallest k, the first one if none ended."""
        # All settings of a slow route have the first seed; the others of the chosen one must not change that.
        n_seeds = 1 if route.slow else self.limits.n_seeds

        def accuracy(setting: Setting) -> float:
            paths = (
                self.store.run_path(task.name, route.name, setting, task.ks[0], seed)
                for seed in range(n_seeds)
            )
            found = [record["accuracy"] for record in map(read, paths) if record.get("status") == "ok"]
            return float(np.mean(found)) if found else -1.0

        return max(settings, key=accuracy)

    def _start(
        self, task: TaskSet, route: Route, setting: Setting, tasks: list[tuple[int, int]], core: int
    ) -> None:
        """Run tasks in processes until none is left; what the cap ends is recorded, and the rest goes on."""
        job = self._job(task, route, setting, tasks, core)
        while job.open_tasks():
            print(f"{task.name:13} {route.name:19} {describe(setting)}", flush=True)
            code, errors = _run_worker(job)
            if code == 0:
                continue
            if code == -signal.SIGINT:
                raise KeyboardInterrupt
            status = "capped" if code == -signal.SIGXCPU else "failed"
            status = self._close_records(job, route, status, errors.strip()[-500:] or f"exit code {code}")
            print(f"{task.name:13} {route.name:19} {status} {errors.strip()[-200:]}", flush=True)
            if status == "failed":
                return

    def _job(
        self, task: TaskSet, route: Route, setting: Setting, tasks: list[tuple[int, int]], core: int
    ) -> Job:
        limits = self.limits
        return Job(
            task.name,
            route.name,
            setting,
            tasks,
            str(self.store.folder),
            str(self.data) if self.data else None,
            limits.growth_cap if task.is_growth else limits.cap,
            limits.growth_cap if task.is_growth else limits.matrix_cap,
            limits.budget,
            limits.min_seeds,
            core,
        )

    def _close_records(self, job: Job, route: Route, status: str, errors: str) -> str:
        """Say what became of the run or the matrix that a process died in; return the status."""
        paths = [job.path(*pair) for pair in job.tasks]
        if route.matrix is not None:
            paths += sorted(self.store.matrix_path(job.set_name, route.matrix, {}).parent.glob("*.json"))
        running = {path: record for path in paths if (record := read(path)).get("status") == "running"}
        if not running:
            status = "failed"
        if status == "failed":  # a run has to say so, even if it was not reached
            first = job.open_tasks()[0]
            running.setdefault(job.path(*first), job.head(*first) | {"cap": job.cap})
        for path, record in running.items():
            ended = {"status": status, "cpu": record["cap"]}
            write(path, record | ended | ({"error": errors} if status == "failed" else {}))
        return status


def allowed_cores() -> list[int]:
    """Return the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def limits_path(store: Store) -> Path:
    return store.folder / "limits.json"


def _takes_part(route: Route, task: TaskSet) -> bool:
    """On the largest collections there is no matrix to think of."""
    return not task.is_growth or (route.grows and (route.matrix is None or task is not GROWTH[-1]))


def _families(routes: Iterable[Route]) -> list[list[Route]]:
    """Put routes together that share a matrix: it is computed once."""
    families: dict[str, list[Route]] = {}
    for route in routes:
        families.setdefault(route.matrix or route.name, []).append(route)
    return list(families.values())


def _run_worker(job: Job) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.peers._worker", job.to_json()],
        cwd=ROOT,
        env=os.environ | ONE_THREAD,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr
