"""The records of a run, one per cycle, and its progress on a terminal."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from typing import Any, overload

from graphquant._progress import LogLines, draws_bars
from graphquant._validation import import_optional


@dataclass(frozen=True)
class Cycle:
    """One pass through the training set.

    Attributes
    ----------
    cycle : int
        Number of the cycle, from 1.
    n_matchings : int
        Matchings for winners and lifts.
    n_shift_matchings : int
        Matchings for the movement of code graphs (``"accelerated"`` only).
    n_bounds : int
        Star bounds, each instead of a matching unless it is too low; cheaper bounds are not counted.
    share : float
        Matchings as a share of those of the standard algorithm, k * N.
    n_proven : int
        Matchings that were proven optimal.
    shift : float
        Largest movement of a code graph over the cycle, as the Euclidean distance of its representations.
    distortion : float
        Half the sum of squared distances of the graphs to their last winners under their stored lifts: an
        upper bound of the distortion that needs no matching.
    n_idle : int
        Code graphs that did not win.
    seconds : float
    algorithm : str
        How winners were found; never ``"auto"``, but what it chose. Empty in files of version 1.

    Examples
    --------
    >>> import graphquant as gq
    >>> q = gq.GraphQuantizer(1, algorithm="standard", max_cycles=3, init="random", random_state=0)
    >>> last = q.fit([gq.Graph([0.0]), gq.Graph([2.0])]).history_[-1]
    >>> last.cycle, last.n_matchings
    (3, 2)
    """

    cycle: int
    n_matchings: int
    n_shift_matchings: int
    n_bounds: int
    share: float
    n_proven: int
    shift: float
    distortion: float
    n_idle: int
    seconds: float
    algorithm: str = ""


def cycle_from_record(record: Mapping[str, Any]) -> Cycle:
    """Return a cycle from what a file says, refusing numbers that no run records.

    Raises
    ------
    TypeError, ValueError
        Naming what is wrong.
    """
    cycle = Cycle(**record)
    if not isinstance(cycle.algorithm, str):
        raise ValueError(f"algorithm of a cycle is {cycle.algorithm!r}")
    for field in fields(Cycle):
        if field.name == "algorithm":
            continue
        value = getattr(cycle, field.name)
        kind = int if field.type is int else (int, float)
        if not isinstance(value, kind) or isinstance(value, bool) or not 0 <= value < math.inf:
            raise ValueError(f"{field.name} of a cycle is {value!r}")
    return cycle


class History(Sequence[Cycle]):
    """The cycles of a run, in order.

    Examples
    --------
    >>> import graphquant as gq
    >>> q = gq.GraphQuantizer(1, algorithm="standard", max_cycles=3, init="random", random_state=0)
    >>> q.fit([gq.Graph([0.0]), gq.Graph([2.0])]).history_
    History(3 cycles, 6 matchings, 100.0% of the standard algorithm's)
    """

    def __init__(self, cycles: Sequence[Cycle]) -> None:
        self._cycles = tuple(cycles)

    @overload
    def __getitem__(self, index: int) -> Cycle: ...
    @overload
    def __getitem__(self, index: slice) -> "History": ...
    def __getitem__(self, index: int | slice) -> "Cycle | History":
        return History(self._cycles[index]) if isinstance(index, slice) else self._cycles[index]

    def __len__(self) -> int:
        return len(self._cycles)

    def __iter__(self) -> Iterator[Cycle]:
        return iter(self._cycles)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and self._cycles == other._cycles

    __hash__ = None  # type: ignore[assignment]

    @property
    def n_matchings(self) -> int:
        """Matchings of all cycles."""
        return sum(cycle.n_matchings for cycle in self)

    @property
    def share(self) -> float:
        """Matchings as a share of those of the standard algorithm."""
        return sum(cycle.share for cycle in self) / len(self) if len(self) else 0.0

    def to_records(self) -> list[dict[str, Any]]:
        """Return the cycles as dictionaries."""
        return [asdict(cycle) for cycle in self]

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame with one row per cycle."""
        pandas = import_optional("pandas", "pandas", "A table of the history")
        return pandas.DataFrame(self.to_records())

    def __repr__(self) -> str:
        return (
            f"History({len(self)} cycles, {self.n_matchings} matchings, {self.share:.1%} of the standard "
            "algorithm's)"
        )


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


__all__ = ["Cycle", "History"]
