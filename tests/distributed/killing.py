"""Workers that are killed while a fit is on its way."""

import os
import signal
import threading
from contextlib import contextmanager


@contextmanager
def killer(cluster, pauses):
    """Kill a worker of a local cluster with SIGKILL after each pause; yields the processes killed so far."""
    stop, killed, n_workers = threading.Event(), [], len(cluster.workers)

    def work():
        for pause in pauses:
            # A worker that is killed before it has begun is given up by its nanny.
            while len(running(cluster)) < n_workers:
                if stop.wait(0.05):
                    return
            if stop.wait(pause):
                return
            pids = running(cluster)
            if pids:
                victim = pids[len(killed) % len(pids)]
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield killed
    finally:
        stop.set()
        thread.join()


def running(cluster):
    """Return the processes of the workers that the scheduler knows."""
    known = set(cluster.scheduler.workers)
    return sorted(
        nanny.pid for nanny in cluster.workers.values() if nanny.pid and nanny.worker_address in known
    )
