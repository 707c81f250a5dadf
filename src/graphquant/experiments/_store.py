"""Runs on disk, one JSON file each, so that an interrupted experiment can continue."""

import json
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from graphquant._typing import FloatArray
from graphquant.experiments._config import SETTINGS, Job, Options
from graphquant.experiments._work import distance_matrix, do_job

Record = dict[str, Any]
Notify = Callable[[str], None]


def write_text(path: Path, text: str) -> None:
    """Write a file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


class Store:
    """The runs of an output folder.

    Parameters
    ----------
    options : Options
        Without ``resume`` only runs of this object count.
    notify : callable, optional
        Called with one line for each finished run.
    """

    def __init__(self, options: Options, notify: Notify | None = None) -> None:
        self.options = options
        self.folder = Path(options.output) / "runs"
        self._notify: Notify = notify or (lambda line: None)
        self._records: dict[Job, Record] = {}
        self._matrices: dict[tuple[str, str], FloatArray] = {}
        if options.resume and self.folder.is_dir():
            for path in sorted(self.folder.glob("*.json")):
                record = _read(path)
                if record is not None:
                    self._records[Job(**record["job"])] = record

    def runs(self, cell: Job) -> list[Record]:
        """Return the runs of a cell, in order; also more than were requested now."""
        found = [job for job in self._records if job.cell == cell.cell]
        return [self._records[job] for job in sorted(found, key=lambda job: job.run)]

    def complete(self, jobs: Iterable[Job]) -> None:
        """Do all jobs that are not done yet, in parallel processes if requested."""
        wanted = dict.fromkeys(jobs)
        missing = [job for job in wanted if job not in self._records]
        if self.options.jobs == 1 or len(missing) < 2:
            for number, job in enumerate(missing, 1):
                self._keep(do_job(job, self.options.data), number, len(missing))
            return
        # Not forked: a fork inherits locks of threads that do not exist in it.
        pool = ProcessPoolExecutor(min(self.options.jobs, len(missing)), get_context("spawn"))
        try:
            tasks = [pool.submit(do_job, job, self.options.data) for job in missing]
            for number, task in enumerate(as_completed(tasks), 1):
                self._keep(task.result(), number, len(missing))
        finally:
            pool.shutdown(cancel_futures=True)

    def _keep(self, record: Record, number: int, total: int) -> None:
        job = Job(**record["job"])
        write_text(self.folder / f"{job.name}.json", json.dumps(record) + "\n")
        self._records[job] = record
        self._notify(f"{number}/{total} {job.name}: error {record['error']:.4g}, {record['seconds']:.1f} s")

    def distances(self, dataset: str, setting: str) -> FloatArray:
        """Return the distances between all graphs, from a file if one exists for this encoding."""
        encoding = SETTINGS[setting].on(dataset).encoding
        key = (dataset, encoding)
        if key in self._matrices:
            return self._matrices[key]
        per_class = self.options.per_class
        size = "all" if per_class is None else str(per_class)
        path = self.folder / f"distances-{encoding}-{dataset}-{size}.npy"
        if self.options.resume and path.exists():
            matrix: FloatArray = np.load(path, allow_pickle=False)
        else:
            self._notify(f"distances between all graphs of {dataset}, for the silhouette")
            matrix = distance_matrix(self.options.data, dataset, setting, per_class, self.options.jobs)
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{os.getpid()}.{path.name}")
            np.save(temporary, matrix)
            temporary.replace(path)
        self._matrices[key] = matrix
        return matrix


def _read(path: Path) -> Record | None:
    """Return a run, or None for a file that is not a run, or is one of another setting: it is rerun."""
    try:
        record: Record = json.loads(path.read_text(encoding="utf-8"))
        job = Job(**record["job"])
        is_current = record["setting"] == SETTINGS[job.setting].on(job.dataset).to_json()
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return record if is_current else None


__all__ = ["Notify", "Record", "Store", "write_text"]
