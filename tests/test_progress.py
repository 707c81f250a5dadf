"""Progress where nobody sees a bar move: plain lines, now and then."""

import pytest

import graphquant as gq
from graphquant import _progress
from graphquant._progress import LogLines, progress_bar
from graphquant.learning.history import cycle_progress


class Clock:
    """Seconds that only a test moves on."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("time.monotonic", clock)
    monkeypatch.setattr(LogLines.__init__, "__defaults__", ("", clock))
    return clock


@pytest.fixture
def log(capsys):
    return lambda: capsys.readouterr().err.splitlines()


def test_a_line_needs_a_tenth_of_the_work_and_half_a_minute(clock, log):
    lines = LogLines("Matching", 1000, "pairs", clock)
    clock.now = 29.0
    lines.update(500)
    assert log() == [], "too soon"
    clock.now = 31.0
    lines.update(99)
    assert log() == [], "too little"
    lines.update(100)
    assert log() == ["Matching: 100 of 1,000 pairs (10%), 31 s"]
    clock.now = 60.0
    lines.update(900)
    assert log() == [], "half a minute since the last line, not since the beginning"
    clock.now = 61.0
    lines.update(900, "almost there")
    assert log() == ["Matching: 900 of 1,000 pairs (90%), almost there, 61 s"]


def test_without_a_total_only_the_time_counts(clock, log):
    lines = LogLines("encoded", None, "graphs", clock)
    clock.now = 30.0
    lines.update(12_345)
    assert log() == ["encoded: 12,345 graphs, 30 s"]


def test_a_bar_becomes_lines(clock, log):
    with progress_bar(10, show=True, label="Encoding") as advance:
        advance(3)
        clock.now = 40.0
        advance(2)
    assert log() == ["Encoding: 5 of 10 (50%), 40 s"]


def test_cycles_become_lines(clock, log):
    points = [gq.Graph([value]) for value in (0.0, 1.0, 10.0, 11.0)]
    history = gq.GraphQuantizer(2, max_cycles=2, random_state=0).fit(points).history_
    with cycle_progress(4, show=True, number=0) as show:
        clock.now = 45.0
        show(history, 0.0)
    (line,) = log()
    assert line.startswith("Learning: 2 of 4 cycles (50%), distortion <= ")
    assert line.endswith(" of all matchings, 45 s")


@pytest.mark.parametrize(("show", "number"), [(False, 0), (True, 1)])
def test_nothing_is_shown_unasked_or_twice(clock, log, show, number):
    with cycle_progress(4, show=show, number=number) as advance:
        clock.now = 100.0
        advance([], 0.9)
    assert log() == []


def test_a_quick_fit_leaves_a_log_alone(log):
    points = [gq.Graph([value]) for value in (0.0, 1.0, 10.0, 11.0)]
    gq.GraphQuantizer(2, random_state=0, progress=True).fit(points)
    assert log() == []


def test_a_terminal_and_a_notebook_see_bars():
    from rich.console import Console

    assert _progress.draws_bars(Console(force_terminal=True))
    assert _progress.draws_bars(Console(force_jupyter=True))
    assert not _progress.draws_bars(Console(force_terminal=False, force_jupyter=False))
