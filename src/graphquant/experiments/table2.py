"""Table 2 of the paper: error, accuracy, silhouette, matchings and speed-up on four data sets.

Two blocks: the paper's setting, and our own. ``standard`` is run in full where that is affordable; elsewhere
its error, accuracy and silhouette are those of ``lossless``, which has the same winners and the same codebook
by proof and by test, and its matchings are k * N per cycle by definition.
"""

from collections.abc import Iterator
from typing import Any

from graphquant.experiments._config import CODES, SETTINGS, Job, Options
from graphquant.experiments._result import Claim, Result
from graphquant.experiments._statistics import summarise
from graphquant.experiments._store import Notify, Record, Store
from graphquant.experiments._table2_claims import claims
from graphquant.experiments._table2_page import draw, method, record, summary
from graphquant.experiments.expected import load_expected

BLOCKS = ("paper", "own")
_MEASURES = ("error", "accuracy", "silhouette", "matchings", "speedup")


def run(options: Options, notify: Notify | None = None, store: Store | None = None) -> Result:
    """Run missing jobs and make the table.

    Examples
    --------
    >>> from graphquant.experiments import Options, table2
    >>> table2.run(Options(data="data/iam", output="results", quick=True)).rows  # doctest: +SKIP
    """
    store = Store(options, notify) if store is None else store
    store.complete(jobs(options))
    rows = [
        row
        for block in BLOCKS
        for dataset in options.sets
        for n_codes in options.codes(dataset)
        for row in _cell_rows(options, store, block, dataset, n_codes)
    ]
    found: tuple[Claim, ...] = claims(rows, quick=options.quick)
    return Result(
        name="table2",
        title="Table 2: results",
        rows=rows,
        markdown=summary(rows, options),
        claims=found,
        plot=lambda f: draw(f, rows),
        method=method(),
        record=record(rows, options),
    )


def jobs(options: Options) -> Iterator[Job]:
    """Yield all jobs, the first run of every cell before the second of any."""
    for number in range(options.n_runs):
        for dataset in options.sets:
            for block in BLOCKS:
                for n_codes in options.codes(dataset):
                    for algorithm in SETTINGS[block].algorithms:
                        yield options.job(dataset, block, algorithm, n_codes, number)
                    if runs_standard(options, block, dataset, n_codes):
                        yield options.job(dataset, block, "standard", n_codes, number)
                if number == 0:
                    yield timing_job(options, block, dataset)


def runs_standard(options: Options, block: str, dataset: str, n_codes: int) -> bool:
    """Whether the standard algorithm is run in full."""
    return block == "paper" and (options.quick or (dataset, n_codes) == ("letter", 15))


def timing_job(options: Options, block: str, dataset: str) -> Job:
    """Return a run that measures the time of a matching: the standard algorithm, smallest codebook.

    One cycle of it, unless it is run in full anyway.
    """
    n_codes = CODES[dataset][0]
    cycles = None if runs_standard(options, block, dataset, n_codes) else 1
    return options.job(dataset, block, "standard", n_codes, cycles=cycles)


def _cell_rows(
    options: Options, store: Store, block: str, dataset: str, n_codes: int
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one codebook size: the standard algorithm first."""
    algorithms = SETTINGS[block].algorithms
    records = {
        algorithm: store.runs(options.job(dataset, block, algorithm, n_codes))
        for algorithm in ("standard", *algorithms)
    }
    timing = store.runs(timing_job(options, block, dataset))
    # After an interruption, means over different numbers of runs would be compared.
    measured = len(records["standard"]) >= max(len(records["lossless"]), 1)
    if not measured:
        records["standard"] = records["lossless"]
    for algorithm, runs in records.items():
        source = "run" if measured or algorithm != "standard" else "as lossless"
        distances = store.distances(dataset, block) if runs else None
        row = {
            "setting": block,
            "set": dataset,
            "k": n_codes,
            "algorithm": algorithm,
            "source": source,
            "cycles": options.cycles,
            **summarise(runs, distances),
        }
        yield row | _speed(row, runs, timing) | _printed(dataset, n_codes, algorithm)


def _speed(row: dict[str, Any], runs: list[Record], timing: list[Record]) -> dict[str, Any]:
    """Return matchings and CPU seconds relative to the standard algorithm, with k * N matchings per cycle."""
    if not runs:
        return {"speedup": None, "clock_speedup": None}
    every = row["k"] * runs[0]["n_graphs"] * row["cycles"]
    a_matching = timing[0]["cycle_cpu_seconds"] / timing[0]["matchings"] if timing else None
    if row["algorithm"] == "standard":
        # If runs of another algorithm stand in for it, the counters would be those of that algorithm.
        nothing: dict[str, Any] = {"shift_matchings": 0.0, "bounds": 0.0, "matchings": float(every)}
        if row["source"] != "run":
            nothing |= {"cycle_cpu_seconds": a_matching and a_matching * every, "cpu_seconds": None}
        return nothing | {"speedup": 1.0, "clock_speedup": 1.0}
    clock = None if a_matching is None else a_matching * every / row["cycle_cpu_seconds"]
    return {"speedup": every / row["matchings"], "clock_speedup": clock}


def _printed(dataset: str, n_codes: int, algorithm: str) -> dict[str, Any]:
    """Return the paper's numbers: std for algorithms equal to standard, acc for those that approximate it."""
    column = "std" if algorithm in ("standard", "lossless") else "acc"
    paper = load_expected("table2")[dataset][str(n_codes)][column]
    return {f"paper_{measure}": paper[measure] for measure in _MEASURES}


__all__ = ["BLOCKS", "jobs", "run", "runs_standard", "timing_job"]
