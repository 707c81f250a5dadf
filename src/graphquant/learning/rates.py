"""Cycles and learning rates: from the parameters to a rate for each presentation of a cycle."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphquant._typing import FloatArray
from graphquant._validation import check_choice, check_positive_int
from graphquant.exceptions import InvalidParameterError

MOST_CYCLES, _USUAL_CYCLES, _LEAST_CYCLES = 20, 5, 3
# Presentations per code graph: fewer would not move it from a medoid to the mean, more reduced the
# distortion by at most half a percent.
_NEEDED_PRESENTATIONS, _ENOUGH_PRESENTATIONS = 100, 2000
# The time of a presentation grows about as the third power of the order. All cycles together should take
# about a minute of one core, which is this many presentations times the third power of the mean order.
_AFFORDABLE_WORK = 1.5e8
LINEAR = (0.1, 0.001)
# Medoids are already near the means of their clusters: larger steps would first lead away from them.
AFTER_MEDOIDS = (0.05, 0.001)
# Minimum of the initial rate times the expected number of wins of a code graph.
_LEAST_SUM = 5.0


class RateContext(NamedTuple):
    """The argument of a callable learning rate.

    Attributes
    ----------
    cycle, n_cycles : int
        Number of the cycle, from 0, and the total number of cycles.
    step, n_steps : int
        Number of the presentation over all cycles, from 0, and the total number of presentations.

    Examples
    --------
    >>> import graphquant as gq
    >>> def falling(now: gq.RateContext) -> float:
    ...     return 0.5 / (1 + now.cycle)
    >>> q = gq.GraphQuantizer(1, learning_rate=falling, max_cycles=2).fit([gq.Graph([1.0]), gq.Graph([2.0])])
    >>> q.n_cycles_
    2
    """

    cycle: int
    n_cycles: int
    step: int
    n_steps: int


LearningRate = str | float | tuple[float, float] | Callable[[RateContext], float]


def check_max_cycles(max_cycles: Any) -> int:
    """Return the number of cycles, for ``"auto"`` the largest possible one; raise if it is invalid."""
    if isinstance(max_cycles, str):
        check_choice("max_cycles", max_cycles, ("auto",))
        return MOST_CYCLES
    return check_positive_int("max_cycles", max_cycles, minimum=0)


def cycles_for(max_cycles: Any, n_codes: int, n_graphs: int, mean_order: float) -> int:
    """Return the number of cycles for this number and size of graphs.

    The more graphs there are, the more one cycle teaches; the larger they are, the longer it takes.

    Examples
    --------
    >>> [cycles_for("auto", n_codes=15, n_graphs=n, mean_order=5.0) for n in (30, 750, 5_000, 100_000)]
    [20, 5, 5, 3]
    >>> [cycles_for("auto", n_codes=15, n_graphs=1_000, mean_order=order) for order in (15.0, 30.0, 100.0)]
    [5, 5, 3]
    >>> cycles_for(150, n_codes=15, n_graphs=750, mean_order=5.0)
    150
    """
    if not isinstance(max_cycles, str):
        return check_max_cycles(max_cycles)
    needed, enough = (
        math.ceil(count * n_codes / max(n_graphs, 1))
        for count in (_NEEDED_PRESENTATIONS, _ENOUGH_PRESENTATIONS)
    )
    affordable = math.ceil(_AFFORDABLE_WORK / (max(n_graphs, 1) * max(mean_order, 1.0) ** 3))
    wanted = max(min(_USUAL_CYCLES, enough), min(needed, MOST_CYCLES))
    return max(min(wanted, affordable), _LEAST_CYCLES)


def check_learning_rate(rate: Any) -> LearningRate:
    """Return a learning rate unchanged; raise if it is invalid."""
    if callable(rate):
        return rate  # type: ignore[no-any-return]
    if isinstance(rate, str):
        return check_choice("learning_rate", rate, ("auto", "linear", "harmonic"))
    numbers = rate if isinstance(rate, list | tuple) else (rate,)
    valid = all(isinstance(value, int | float | np.number) and 0.0 <= value <= 1.0 for value in numbers)
    if not valid or len(numbers) > 2 or not numbers or isinstance(rate, bool):
        raise InvalidParameterError(
            f"learning_rate={rate!r} is not accepted.",
            "Give 'auto', 'linear', 'harmonic', a number from 0 to 1, a pair (start, end) of such, or a "
            "callable.",
        )
    return (float(rate[0]), float(rate[1])) if len(numbers) == 2 else float(numbers[0])


def rate_after(rate: LearningRate, init: Any, n_codes: int, n_graphs: int, n_cycles: int) -> LearningRate:
    """Return the learning rate, with ``"auto"`` resolved for a start.

    If few graphs move a code graph, each moves it further, up to the linear rate: otherwise it would not
    get from the medoid to the mean.

    Examples
    --------
    >>> rate_after("auto", "medoids", n_codes=15, n_graphs=750, n_cycles=10)
    (0.05, 0.001)
    >>> rate_after("auto", "medoids", n_codes=4, n_graphs=10, n_cycles=20)
    (0.1, 0.001)
    >>> rate_after("auto", "random", n_codes=15, n_graphs=750, n_cycles=10)
    'linear'
    """
    if rate != "auto":
        return rate
    if not (isinstance(init, str) and init in ("auto", "medoids")):
        return "linear"
    start, end = AFTER_MEDOIDS
    needed = _LEAST_SUM * n_codes / max(n_graphs * n_cycles, 1)
    return min(max(start, needed), LINEAR[0]), end


def cycle_rates(rate: LearningRate, cycle: int, n_cycles: int, n_graphs: int) -> FloatArray | None:
    """Return the rate of each presentation of a cycle; None for the harmonic rate, which depends on wins."""
    if rate == "harmonic":
        return None
    steps = cycle * n_graphs + np.arange(n_graphs)
    n_steps = n_cycles * n_graphs
    if callable(rate):
        rates = np.array([float(rate(RateContext(cycle, n_cycles, int(t), n_steps))) for t in steps])
        wrong = ~((rates >= 0.0) & (rates <= 1.0))
        if wrong.any():
            raise InvalidParameterError(
                f"learning_rate returned {rates[wrong][0]!r} in cycle {cycle}.", "Return numbers from 0 to 1."
            )
        return rates
    if isinstance(rate, float):
        return np.full(n_graphs, rate)
    start, end = LINEAR if isinstance(rate, str) else rate
    return start + (end - start) * steps / max(n_steps - 1, 1)


__all__ = [
    "LearningRate",
    "RateContext",
    "check_learning_rate",
    "check_max_cycles",
    "cycle_rates",
    "cycles_for",
    "rate_after",
]
