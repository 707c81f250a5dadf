"""Work in threads ends when the thread that waits for it is interrupted."""

import threading
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


def test_work_of_another_thread_is_ended_by_an_event():
    """Only the main thread gets signals: a fit in a pool, say, is told to end."""
    ending, begun, ended = threading.Event(), threading.Event(), []

    def work(stop):
        begun.set()
        patience = time.monotonic() + 30.0
        while not stop.is_set() and time.monotonic() < patience:
            time.sleep(0.001)
        ended.append(stop.is_set())

    def fit():
        with _threads.ended_by(ending):
            _threads.stoppable(work)

    with ThreadPoolExecutor(1) as pool:
        task = pool.submit(fit)
        assert begun.wait(30.0)
        ending.set()
        assert isinstance(task.exception(), KeyboardInterrupt)
    assert ended == [True]
