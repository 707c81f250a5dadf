"""The progress bar of a fit."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from graphquant.quantizers._history import Cycle


@contextmanager
def cycle_progress(
    n_cycles: int, show: bool, number: int
) -> Iterator[Callable[[Sequence[Cycle], float], None]]:
    """Show cycles, distortion and matchings on stderr.

    Yields what is to be called after each cycle, or in mid-cycle with the share of it that is done.
    """
    # Of several runs at a time, the first is shown: two bars cannot share a line.
    if not show or number > 0:
        yield lambda cycles, share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("Learning"),
        BarColumn(bar_width=24),
        TextColumn("{task.completed:.3g}/{task.total}"),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Learning", total=n_cycles, note="")

        def advance(cycles: Sequence[Cycle], share: float) -> None:
            note = ""
            if cycles:
                last = cycles[-1]
                note = f"distortion <= {last.distortion:.4g}, {last.share:.1%} of all matchings"
            bar.update(task, completed=len(cycles) + share, note=note)

        yield advance


__all__ = ["cycle_progress"]
