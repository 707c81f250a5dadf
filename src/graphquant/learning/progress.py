"""The progress of a fit: a bar on a terminal, lines in a log."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from graphquant._progress import LogLines, draws_bars
from graphquant.learning.history import Cycle


@contextmanager
def cycle_progress(
    n_cycles: int, show: bool, number: int
) -> Iterator[Callable[[Sequence[Cycle], float], None]]:
    """Show cycles, distortion and matchings on stderr.

    Yields a function to call after each cycle, or within a cycle with the finished share of it.
    """
    # If several runs work in parallel, the first is shown: two bars cannot share a line.
    if not show or number > 0:
        yield lambda cycles, share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not draws_bars(console):
        lines = LogLines("Learning", n_cycles, "cycles")
        yield lambda cycles, share: lines.update(len(cycles) + share, _note(cycles))
        return
    columns = (
        TextColumn("Learning"),
        BarColumn(bar_width=24),
        TextColumn("{task.completed:.3g}/{task.total}"),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Learning", total=n_cycles, note="")
        yield lambda cycles, share: bar.update(task, completed=len(cycles) + share, note=_note(cycles))


def _note(cycles: Sequence[Cycle]) -> str:
    if not cycles:
        return ""
    return f"distortion <= {cycles[-1].distortion:.4g}, {cycles[-1].share:.1%} of all matchings"


__all__ = ["cycle_progress"]
