"""Threads: how many, how to wait for them, and how to stop their work."""

import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, TypeVar

from graphquant._core.calls import StopFlag, Stopped
from graphquant._validation import check_positive_int

_Item = TypeVar("_Item")
_Found = TypeVar("_Found")

# Threads that are started at most.
_MOST, _MOST_OF_A_CORE = 16, 4
# Seconds after which the main thread looks up from waiting.
_PULSE = 0.1
# What ends the work of a thread, if anything.
_of_this_thread = threading.local()


def n_threads(n_jobs: int | None) -> int:
    """Return the number of threads: all cores that this process may use for None and -1, else as given.

    More threads than a few for each core gain nothing and take memory: there are never so many.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs is None or n_jobs == -1:
        return cores
    return min(check_positive_int("n_jobs", n_jobs), max(_MOST, _MOST_OF_A_CORE * cores))


@contextmanager
def ended_by(ending: threading.Event) -> Iterator[None]:
    """Raise KeyboardInterrupt from waits of this thread once another thread has set the event."""
    before = getattr(_of_this_thread, "ending", None)
    _of_this_thread.ending = ending
    try:
        yield
    finally:
        _of_this_thread.ending = before


def wait_awake(
    tasks: Sequence[Future[Any]], return_when: str = "ALL_COMPLETED", patience: float = math.inf
) -> None:
    """Wait until all tasks are done (or one has failed), and react to Ctrl-C meanwhile.

    After ``patience`` seconds it returns anyway. Threads but the main one are ended by :func:`ended_by`.

    The system may deliver a signal to another thread, often to one that is starting threads. Python then only
    sets a flag, which the main thread would not see while it sleeps.
    """
    end, ending = time.monotonic() + patience, getattr(_of_this_thread, "ending", None)
    while (left := end - time.monotonic()) > 0.0:
        if ending is not None and ending.is_set():
            raise KeyboardInterrupt
        done, open_tasks = wait(tasks, min(_PULSE, left), return_when)
        if not open_tasks or (return_when == FIRST_EXCEPTION and any(task.exception() for task in done)):
            return


def in_threads(
    work: Callable[[_Item], _Found], items: Iterable[_Item], n_threads: int, stop: StopFlag
) -> list[_Found]:
    """Return ``work(item)`` for all items, in order; the calling thread only waits.

    After an error or Ctrl-C the flag is set, so that work in the core ends soon and no new work starts.
    """
    tasks: list[Future[_Found]] = []
    all_done = False
    with ThreadPoolExecutor(n_threads) as pool:
        try:
            tasks.extend(pool.submit(work, item) for item in items)
            wait_awake(tasks, FIRST_EXCEPTION)
            all_done = all(task.done() for task in tasks)
        finally:
            # Also where work has only just begun, and its task is not known here yet.
            if not all_done:
                stop.set()
                pool.shutdown(cancel_futures=True)
    # The task that failed has the reason; the others were only told to stop.
    failed = [error for task in tasks if not task.cancelled() and (error := task.exception()) is not None]
    for error in sorted(failed, key=lambda error: isinstance(error, Stopped)):
        raise error
    return [task.result() for task in tasks]


def stoppable(work: Callable[[StopFlag], _Found]) -> _Found:
    """Return the result of some work of the core; Ctrl-C ends it quickly."""
    stop = StopFlag()
    return in_threads(work, [stop], 1, stop)[0]


def run_to_a_stop(
    work: Callable[[], None], interrupt: Callable[[], None], patience: float = math.inf
) -> None:
    """Do some work; on Ctrl-C, or after ``patience`` seconds, ask it to end, and wait until it has.

    Python raises KeyboardInterrupt between any two statements of the main thread, so the work is done in
    another thread, and the main one only waits.
    """
    driver = ThreadPoolExecutor(1)
    task: Future[None] | None = None
    try:
        task = driver.submit(work)
        wait_awake([task], patience=patience)
        if not task.done():
            interrupt()
        task.result()
    except KeyboardInterrupt:
        # Also if the work has only just begun and is not known here yet: nobody else would end it.
        interrupt()
        if task is None:
            raise
        task.result()
    finally:
        driver.shutdown()


__all__ = ["ended_by", "in_threads", "n_threads", "run_to_a_stop", "stoppable", "wait_awake"]
