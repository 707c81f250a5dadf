"""A soak: hours of predictions, fits and faults in one process; results and resources stay what they were.

``python -m tests.fuzz.soak MINUTES [--dask]`` prints one line of JSON and ends with 1 if anything was wrong.
Eight threads predict while others fit with checkpoints and write reports; with ``--dask`` workers of a local
cluster are killed in between, too. Every result must equal that of a quiet run, memory must not grow, and no
file may stay open.
"""

import argparse
import gc
import json
import os
import random
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import psutil

import graphquant as gq
from graphquant.io import FileContent, write_file
from graphquant.out_of_core import connected
from graphquant.report import write_report

N_PREDICTING = 8
SETTINGS = {"max_cycles": 3, "random_state": 0, "n_jobs": 2}


class Soak:
    """What is done, and what it must give."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.letters = gq.datasets.make_letters(4, random_state=0)
        self.q = gq.GraphQuantizer(6, **SETTINGS).fit(self.letters)
        self.expected = self.q.transform(self.letters)
        self.parts = self.folder / "parts.parquet"
        write_file(FileContent(self.letters.graphs), self.parts, row_group_size=15)
        self.in_parts = gq.GraphQuantizer(6, **SETTINGS).fit(self.parts).codebook_
        self.ends, self.faults, self.done = threading.Event(), [], {}
        self._lock = threading.Lock()

    def count(self, what, n=1):
        with self._lock:
            self.done[what] = self.done.get(what, 0) + n

    def forever(self, what, work):
        """Do some work until the end; what it raises is a fault."""
        number = 0
        while not self.ends.is_set():
            try:
                work(number)
            except Exception as err:
                self.faults.append(f"{what} {number}: {type(err).__name__}: {err}")
                return
            number += 1
            self.count(what)

    def predict(self, number):
        chosen = np.random.default_rng(number).integers(len(self.letters), size=20)
        found = self.q.transform(self.letters.graphs[chosen])
        assert np.array_equal(found, self.expected[chosen]), "another prediction"
        self.count("predictions", 20)

    def fit(self, number):
        folder = self.folder / f"run-{number % 3}"
        q = gq.GraphQuantizer(6, **SETTINGS, checkpoint=folder).fit(self.letters)
        assert q.codebook_ == self.q.codebook_, "another codebook"
        for snapshot in folder.glob("run-*.npz"):
            snapshot.unlink()

    def report(self, number):
        write_report(self.folder / "report.html", self.q, self.letters)
        self.q.save(self.folder / "codebook.parquet")
        assert gq.load(self.folder / "codebook.parquet").codebook_ == self.q.codebook_

    def fit_on_workers(self, number):
        with connected("local", n_workers=2) as executor:
            dice, pids = random.Random(number), list(executor.client.run(os.getpid).values())
            killer = threading.Timer(dice.uniform(0.0, 3.0), lambda: psutil.Process(dice.choice(pids)).kill())
            killer.start()
            try:
                q = gq.GraphQuantizer(6, **SETTINGS, executor=executor).fit(self.parts)
            finally:
                killer.cancel()
        assert q.codebook_ == self.in_parts, "another codebook on workers"


def resources():
    """Memory in MB, and open files, of this process."""
    gc.collect()
    me = psutil.Process()
    return me.memory_info().rss / 2**20, me.num_fds() if hasattr(me, "num_fds") else me.num_handles()


def soak(minutes, *, dask):
    with tempfile.TemporaryDirectory() as folder:
        it = Soak(folder)
        jobs = [("predict", it.predict)] * N_PREDICTING + [("fit", it.fit), ("report", it.report)]
        jobs += [("fit_on_workers", it.fit_on_workers)] if dask else []
        threads = [threading.Thread(target=it.forever, args=job, daemon=True) for job in jobs]
        for thread in threads:
            thread.start()
        samples, end = [], time.monotonic() + 60 * minutes
        while time.monotonic() < end and not it.faults:
            time.sleep(min(5.0, 60 * minutes / 12))
            samples.append(resources())
        it.ends.set()
        for thread in threads:
            thread.join(120)
        memory, files = (np.array(values) for values in zip(*samples, strict=True))
        # The first third warms up: threads, arenas and caches.
        warm = len(samples) // 3
        growth = float(memory[-warm:].mean() - memory[warm : 2 * warm].mean()) if warm else 0.0
        opened = int(np.median(files[-warm:]) - np.median(files[warm : 2 * warm])) if warm else 0
        return {
            "minutes": minutes,
            "done": it.done,
            "faults": it.faults,
            "memory_mb": [round(float(memory[0])), round(float(memory.max())), round(float(memory[-1]))],
            "memory_growth_mb": round(growth, 1),
            "open_files": [int(files[0]), int(files.max()), int(files[-1])],
            "fine": not it.faults and growth < 40.0 and (dask or opened <= 2),
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("minutes", type=float)
    parser.add_argument("--dask", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    result = soak(given.minutes, dask=given.dask)
    sys.stdout.write(json.dumps(result, indent=2) + "\n")
    return 0 if result["fine"] else 1


if __name__ == "__main__":
    sys.exit(main())
