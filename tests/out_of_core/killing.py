"""Worker processes that are killed, and replaced, while a fit is on its way."""

import subprocess
import sys
import threading
from contextlib import contextmanager


def started(program, *options):
    """Start a program of Dask."""
    command = [sys.executable, "-m", f"distributed.cli.{program}", "--no-dashboard", *map(str, options)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Workers:
    """Processes without a nanny: who is killed is gone, and another one comes."""

    def __init__(self, scheduler, n_workers):
        self.scheduler = scheduler
        self.processes = [self._new() for _ in range(n_workers)]

    def _new(self):
        return started("dask_worker", self.scheduler.address, "--no-nanny", "--nthreads", 1)

    def are_there(self):
        """Whether the scheduler knows all of them."""
        return len(self.scheduler.workers) == len(self.processes)

    def kill(self, number):
        """Kill one with SIGKILL, and start another one in its place."""
        self.processes[number].kill()
        self.processes[number].wait()
        self.processes[number] = self._new()

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


@contextmanager
def killer(workers, pauses):
    """Kill a worker after each pause, when all are there; yields the numbers of those killed so far."""
    stop, killed = threading.Event(), []

    def work():
        for pause in pauses:
            while not workers.are_there():
                if stop.wait(0.1):
                    return
            if stop.wait(pause):
                return
            number = len(killed) % len(workers.processes)
            workers.kill(number)
            killed.append(number)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield killed
    finally:
        stop.set()
        thread.join()
