"""Ctrl-C that ends a run between two of its steps, never within one."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

# Seconds after which the main thread looks up from waiting.
_PULSE = 0.1


def wait_awake(tasks: Sequence[Future[Any]]) -> None:
    """Wait until all tasks are done, and notice Ctrl-C meanwhile.

    The system may hand a signal to another thread, often to one that is starting threads. Python then only
    makes a note of it, which the main thread would not see while it sleeps.
    """
    while wait(tasks, timeout=_PULSE).not_done:
        pass


def run_to_a_stop(work: Callable[[], None], interrupt: Callable[[], None]) -> None:
    """Do some work; at Ctrl-C ask it to end, and wait until it has.

    Python raises Ctrl-C between any two statements of the main thread; so the work is done in another, and
    the main one only waits.
    """
    driver = ThreadPoolExecutor(1)
    task: Future[None] | None = None
    try:
        task = driver.submit(work)
        wait_awake([task])
        task.result()
    except KeyboardInterrupt:
        # Also where the work has only just begun, and is not known here yet: nobody else would end it.
        interrupt()
        if task is None:
            raise
        task.result()
    finally:
        driver.shutdown()


__all__ = ["run_to_a_stop", "wait_awake"]
