"""A soak: hours of predictions, fits and faults in one process; results and resources stay what they were.

``python -m tests.fuzz.soak MINUTES [--dask]`` prints one line of JSON and ends with 1 if anything was wrong.
Eight threads predict while others fit with checkpoints and write reports; fits in other processes end with
SIGTERM and are continued. With ``--dask`` workers of a local cluster are killed or run out of memory, and
schedulers are killed, too. Every result must equal that of a quiet run, memory must not grow, and no file may
stay open.
"""

import argparse
import gc
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil

import graphquant as gq
from graphquant.exceptions import GraphQuantError
from graphquant.io import FileContent, write_file
from graphquant.out_of_core import DaskExecutor, connected
from graphquant.report import write_report
from tests.out_of_core.killing import started

N_PREDICTING = 8
SETTINGS = {"max_cycles": 3, "random_state": 0, "n_jobs": 2}
FIT = f"""
import sys, graphquant as gq
gq.GraphQuantizer(6, **{SETTINGS}, checkpoint=sys.argv[2]).fit(sys.argv[1]).save(sys.argv[3])
"""
# Of a worker that runs out of memory: several times what it needs.
WORKER_MEMORY = "800MiB"


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
                traceback.print_exc()
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

    def fit_terminated(self, number):
        """Fits that end at random moments, as by a batch system, until one is done."""
        folder, codebook = self.folder / "terminated", self.folder / "terminated.parquet"
        dice, code, seconds = random.Random(number), None, 1.0
        while code != 0 and not self.ends.is_set():
            fit = subprocess.Popen([sys.executable, "-c", FIT, self.parts, folder, codebook])
            try:
                code = fit.wait(dice.uniform(0.0, seconds))
            except subprocess.TimeoutExpired:
                fit.terminate()
                code = fit.wait()
                self.count("terminated")
                seconds *= 1.5
            assert code in (0, -signal.SIGTERM), f"exit code {code}"
        if code == 0:
            assert gq.load(codebook).codebook_ == self.in_parts, "another codebook after SIGTERM"
        shutil.rmtree(folder, ignore_errors=True)

    def fit_on_workers(self, number):
        faults = (self.with_a_killed_worker, self.with_little_memory, self.with_a_lost_scheduler)
        fault = faults[number % len(faults)]
        fault(random.Random(number))
        self.count(fault.__name__)

    def with_a_killed_worker(self, dice):
        with connected("local", n_workers=2) as executor:
            pid = dice.choice(list(executor.client.run(os.getpid).values()))
            self.fit_with(executor, lambda: psutil.Process(pid).kill(), dice.uniform(0.0, 3.0))

    def with_little_memory(self, dice):
        from distributed import Client, LocalCluster

        settings = {"threads_per_worker": 1, "memory_limit": WORKER_MEMORY, "host": "127.0.0.1"}
        cluster = LocalCluster(2, dashboard_address="127.0.0.1:0", silence_logs=50, **settings)
        try:
            with Client(cluster) as client:
                worker = dice.choice(list(client.scheduler_info(n_workers=-1)["workers"]))
                self.fit_with(
                    DaskExecutor(client),
                    lambda: client.run(take_memory, workers=[worker], on_error="ignore"),
                    dice.uniform(0.0, 3.0),
                )
        finally:
            with suppress(TimeoutError):
                cluster.close()

    def fit_with(self, executor, fault, seconds):
        """Fit while something goes wrong."""
        failing = threading.Timer(seconds, fault)
        failing.start()
        try:
            q = gq.GraphQuantizer(6, **SETTINGS, executor=executor).fit(self.parts)
        finally:
            failing.cancel()
            failing.join()
        assert q.codebook_ == self.in_parts, f"another codebook after {fault}"

    def with_a_lost_scheduler(self, dice):
        """The scheduler is killed in the middle of a fit; another one goes on without it."""
        import dask
        from distributed import Client

        file, folder = self.folder / "scheduler.json", self.folder / "lost"
        scheduler = started("dask_scheduler", "--host", "127.0.0.1", "--port", 0, "--scheduler-file", file)
        worker = started("dask_worker", "--scheduler-file", file, "--no-nanny", "--nthreads", 1)
        try:
            while not file.exists():
                time.sleep(0.05)
            with (
                Client(json.loads(file.read_text())["address"], timeout=120) as client,
                # How long a lost scheduler is looked for.
                dask.config.set({"distributed.comm.timeouts.connect": "8s"}),
            ):
                failing = threading.Timer(dice.uniform(0.0, 8.0), scheduler.kill)
                failing.start()
                executor = DaskExecutor(client)
                with suppress(GraphQuantError):
                    gq.GraphQuantizer(6, **SETTINGS, checkpoint=folder, executor=executor).fit(self.parts)
                    self.count("ended before the scheduler")
                failing.join()
        finally:
            for process in (worker, scheduler):
                process.kill()
                process.wait()
            file.unlink(missing_ok=True)
        q = gq.GraphQuantizer(6, **SETTINGS, checkpoint=folder).fit(self.parts)
        assert q.codebook_ == self.in_parts, "another codebook without the scheduler"
        shutil.rmtree(folder)


def take_memory():
    """Take memory until the process is ended for it."""
    taken = []
    while True:
        taken.append(np.ones(2**22))
        time.sleep(0.02)


def resources():
    """Memory in MB, and open files, of this process."""
    gc.collect()
    me = psutil.Process()
    return me.memory_info().rss / 2**20, me.num_fds() if hasattr(me, "num_fds") else me.num_handles()


def soak(minutes, *, dask):
    with tempfile.TemporaryDirectory() as folder:
        it = Soak(folder)
        jobs = [("predict", it.predict)] * N_PREDICTING + [("fit", it.fit), ("report", it.report)]
        jobs += [("fit_terminated", it.fit_terminated)]
        jobs += [("fit_on_workers", it.fit_on_workers)] if dask else []
        threads = [threading.Thread(target=it.forever, args=job, daemon=True) for job in jobs]
        for thread in threads:
            thread.start()
        samples, end = [resources()], time.monotonic() + 60 * minutes
        while time.monotonic() < end and not it.faults:
            time.sleep(min(5.0, 60 * minutes / 12))
            samples.append(resources())
        it.ends.set()
        for thread in threads:
            thread.join(300)
        samples.append(resources())
        memory, files = (np.array(values) for values in zip(*samples, strict=True))
        # The first third warms up: threads, arenas and caches.
        warm = len(samples) // 3
        growth = float(memory[-warm:].mean() - memory[warm : 2 * warm].mean()) if warm else 0.0
        # What a cluster opens for good, once.
        opened = int(files[-1] - files[0])
        return {
            "minutes": minutes,
            "done": it.done,
            "faults": it.faults,
            "memory_mb": [round(float(memory[0])), round(float(memory.max())), round(float(memory[-1]))],
            "memory_growth_mb": round(growth, 1),
            "open_files": [int(files[0]), int(files.max()), int(files[-1])],
            "fine": not it.faults and growth < 40.0 and opened <= (12 if dask else 2),
        }


def main():
    # Processes of a busy machine take their time.
    os.environ.setdefault("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "120s")
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
