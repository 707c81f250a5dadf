"""Progress on stderr: a bar on a terminal, an occasional plain line if stderr is a log."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

# A log gets a line after a tenth of the work, but at most every half minute.
SHARE, SECONDS = 0.1, 30.0


class LogLines:
    """Lines about work in progress, at most one per tenth of the work and per half minute.

    Parameters
    ----------
    label : str
        Name of the work.
    total : float, optional
        How much there is to do; without it, only the time counts.
    unit : str
        What is counted.
    clock : callable, default=time.monotonic
        Seconds.

    Examples
    --------
    >>> LogLines("Matching", 12_000, "pairs").line(3_000)
    'Matching: 3,000 of 12,000 pairs (25%), 0 s'
    """

    def __init__(
        self,
        label: str,
        total: float | None,
        unit: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._label, self._total, self._unit, self._clock = label, total, unit, clock
        self._began = self._last_time = clock()
        self._last_done = 0.0

    def update(self, done: float, note: str = "") -> None:
        """Print a line if one is due."""
        now = self._clock()
        far_enough = self._total is None or done - self._last_done >= SHARE * self._total
        if far_enough and now - self._last_time >= SECONDS:
            self._last_done, self._last_time = done, now
            print(self.line(done, note), file=sys.stderr, flush=True)  # noqa: T201

    def line(self, done: float, note: str = "") -> str:
        """Return the line for this much work."""
        count = f"{int(done):,}"
        if self._total is not None:
            count += f" of {int(self._total):,}"
        share = f" ({done / self._total:.0%})" if self._total else ""
        seconds = f"{self._clock() - self._began:.0f} s"
        counted = " ".join(filter(None, (count, self._unit))) + share
        return f"{self._label}: " + ", ".join(filter(None, (counted, note, seconds)))


def draws_bars(console: "Console") -> bool:
    """Whether a moving bar is visible: on a terminal or in a notebook."""
    return console.is_terminal or console.is_jupyter


@contextmanager
def progress_bar(total: int, show: bool, label: str = "Matching") -> Iterator[Callable[[int], None] | None]:
    """Show progress on stderr and yield what advances it; yield None if nothing is to be shown."""
    if not show:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if not draws_bars(console):
        yield counting(LogLines(label, total))
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda count: bar.advance(task, count)


def counting(lines: LogLines) -> Callable[[int], None]:
    """Return a function that counts finished work, for lines."""
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        lines.update(done)

    return advance


__all__ = ["LogLines", "counting", "draws_bars", "progress_bar"]
