"""Work in threads ends when the thread that waits for it is interrupted."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphquant import _threads
from graphquant._core.calls import StopFlag


class InterruptedPool(ThreadPoolExecutor):
    """Ctrl-C comes while a thread starts: its work has begun, and nobody knows its task yet."""

    def submit(self, *arguments, **options):
        super().submit(*arguments, **options)
        raise KeyboardInterrupt


def test_interrupt_while_a_thread_starts_stops_its_work(monkeypatch):
    stop, ended = StopFlag(), []

    def work(item):
        patience = time.monotonic() + 5.0
        while not stop.is_set() and time.monotonic() < patience:
            time.sleep(0.001)
        ended.append(stop.is_set())

    monkeypatch.setattr(_threads, "ThreadPoolExecutor", InterruptedPool)
    with pytest.raises(KeyboardInterrupt):
        _threads.in_threads(work, [0], 1, stop)
    assert ended == [True]
