"""Ctrl-C that ends a run between two of its steps, never within one."""

import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from graphquant._threads import wait_awake


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


__all__ = ["run_to_a_stop"]
