"""Workers that are killed while a fit is on its way."""

import os
import signal
import threading
from contextlib import contextmanager


@contextmanager
def killer(cluster, pauses):
    """Kill a worker of a local cluster with SIGKILL after each pause; yields the processes killed so far."""
    stop, killed = threading.Event(), []

    def work():
        for pause in pauses:
            if stop.wait(pause):
                return
            # As their nannies know them: a worker itself would answer too late.
            pids = sorted(nanny.pid for nanny in cluster.workers.values() if nanny.pid)
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
