"""The paper, reproduced: one module for each table or figure, with frozen configurations.

:func:`reproduce` runs one or all of them and writes its results next to the numbers of the paper.
"""

from collections.abc import Iterator

from graphquant._validation import check_choice
from graphquant.experiments import figure, table1, table2, theta
from graphquant.experiments._config import CODES, SETTINGS, Options, Setting
from graphquant.experiments._result import Claim, Result
from graphquant.experiments._store import Notify, Store

NAMES = ("table1", "table2", "figure", "theta", "all")


def reproduce(name: str, options: Options, notify: Notify | None = None) -> Iterator[Result]:
    """Run an experiment, or all of them, and yield each result as soon as it is available.

    Parameters
    ----------
    name : {"table1", "table2", "figure", "theta", "all"}
    options : Options
    notify : callable, optional
        Called with one line for each finished run.

    Yields
    ------
    Result
        Call its ``write`` to write the files.

    Examples
    --------
    >>> from graphquant.experiments import Options, reproduce
    >>> options = Options("data/iam", "results", quick=True)
    >>> for result in reproduce("all", options):  # doctest: +SKIP
    ...     result.write(options)
    """
    check_choice("experiment", name, NAMES)
    chosen = NAMES[:-1] if name == "all" else (name,)
    # One store: experiments share runs.
    store = Store(options, notify)
    for one in chosen:
        if one == "table1":
            yield table1.run(options)
        else:
            module = {"table2": table2, "figure": figure, "theta": theta}[one]
            yield module.run(options, notify, store)


__all__ = [
    "CODES",
    "NAMES",
    "SETTINGS",
    "Claim",
    "Options",
    "Result",
    "Setting",
    "figure",
    "reproduce",
    "table1",
    "table2",
    "theta",
]
