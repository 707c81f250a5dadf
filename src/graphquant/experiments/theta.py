"""The paper's open question: the trade-off of the lifting threshold theta."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from graphquant.experiments._config import Job, Options
from graphquant.experiments._result import Result, markdown_table, plain_log_axis
from graphquant.experiments._statistics import spread
from graphquant.experiments._store import Notify, Record, Store
from graphquant.plotting.palette import CATEGORIES

Row = dict[str, Any]
THETA_ALGORITHMS = ("accelerated",)
# As shares of the typical distance.
THETAS = (0.0, 0.1, 0.3, 1.0)
QUICK_THETAS = (0.0, 0.1)
THETA_RUNS = 2
_QUANTILES = (0.1, 0.5, 0.9)
# A theta is recommended if its mean distortion exceeds that for theta = 0 by at most this share.
_MOST_LOSS = 0.01

_METHOD = """
Theta is given as a share of the typical distance, the mean distance of random pairs of graphs of the set.
An alignment counts as up to date while its code graph moved by at most theta in a cycle: the paper's rule, of
the accelerated algorithm. All in the paper's setting.

Speed-up is in matchings, against k N in each cycle. The certified radius of an alignment is (d2 - d1) / 2,
half the gap between the best and the second-best alignment of a graph with its code graph: as long as the
code graph moves by less, the alignment is proven to stay optimal. It is a theta with a theorem, one for each
graph; lossless uses it. 0 means that the optimum was not proven, or that the second best is as good.
""".strip()


def run(options: Options, notify: Notify | None = None, store: Store | None = None) -> Result:
    """Run missing jobs; distortion, accuracy and matchings against theta.

    Examples
    --------
    >>> from graphquant.experiments import Options, theta
    >>> theta.run(Options(data="data/iam", output="results", quick=True)).rows  # doctest: +SKIP
    """
    store = Store(options, notify) if store is None else store
    store.complete(jobs(options))
    rows = [
        row
        for dataset in options.sets
        for algorithm in THETA_ALGORITHMS
        for row in _rows(options, store, dataset, algorithm)
    ]
    radii = {dataset: _radii(options, store, dataset) for dataset in options.sets}
    return Result(
        "theta",
        "Theta: quality against speed",
        rows,
        _markdown(rows, radii, options),
        plot=lambda figure: _draw(figure, rows, radii),
        method=_METHOD,
    )


def thetas(options: Options) -> tuple[float, ...]:
    """Return the values of theta, as shares of the typical distance."""
    return QUICK_THETAS if options.quick else THETAS


def jobs(options: Options) -> Iterator[Job]:
    """Yield all jobs; those of theta = 0 are also jobs of Table 2 or of the figure."""
    for number in range(min(options.n_runs, THETA_RUNS)):
        for dataset in options.sets:
            for algorithm in THETA_ALGORITHMS:
                for value in thetas(options):
                    yield _job(options, dataset, algorithm, value, number)
            if number == 0:
                yield _radii_job(options, dataset)


def _job(options: Options, dataset: str, algorithm: str, value: float, number: int = 0) -> Job:
    return options.job(dataset, "paper", algorithm, options.middle_code(dataset), number, theta=value)


def _radii_job(options: Options, dataset: str) -> Job:
    return options.job(dataset, "paper", "fast", options.middle_code(dataset), certify=True)


def _rows(options: Options, store: Store, dataset: str, algorithm: str) -> list[Row]:
    """Return the rows of one curve, all from the same runs: Table 2 may have more of theta = 0."""
    found = {value: store.runs(_job(options, dataset, algorithm, value)) for value in thetas(options)}
    common = min((len(runs) for runs in found.values() if runs), default=0)
    return [_row(options, dataset, algorithm, value, runs[:common]) for value, runs in found.items()]


def _row(options: Options, dataset: str, algorithm: str, value: float, runs: Sequence[Record]) -> Row:
    k = options.middle_code(dataset)
    row: Row = {"set": dataset, "k": k, "algorithm": algorithm, "theta": value, "runs": len(runs)}
    for name in ("error", "accuracy", "matchings"):
        row |= {f"{name}_{key}": found for key, found in spread([record[name] for record in runs]).items()}
    every = k * runs[0]["n_graphs"] * options.cycles if runs else 0
    return row | {"speedup": every / row["matchings_mean"] if runs else None}


def _radii(options: Options, store: Store, dataset: str) -> list[float]:
    runs = store.runs(_radii_job(options, dataset))
    return list(runs[0]["radii"]) if runs else []


def recommend(rows: Sequence[Row]) -> float | None:
    """Return the largest theta up to which the mean distortion stays within the tolerance.

    Examples
    --------
    >>> errors = {0.0: 10.0, 0.1: 10.05, 0.3: 11.0, 1.0: 10.0}
    >>> recommend([{"theta": theta, "error_mean": error} for theta, error in errors.items()])
    0.1
    """
    found = None
    for row in sorted(rows, key=lambda row: float(row["theta"])):
        error = row["error_mean"]
        if error is None:
            return None
        if found is None:
            reference = error
        elif error > (1.0 + _MOST_LOSS) * reference:
            break
        found = row["theta"]
    return found


def _series(rows: Sequence[Row], dataset: str, algorithm: str) -> list[Row]:
    return [row for row in rows if (row["set"], row["algorithm"]) == (dataset, algorithm)]


def _markdown(rows: Sequence[Row], radii: dict[str, list[float]], options: Options) -> str:
    parts = [_recommendation(rows, radii, options), "![theta](theta.svg)"]
    for dataset in options.sets:
        lines = [_line(row) for row in rows if row["set"] == dataset]
        columns = ("algorithm", "theta", "error", "accuracy, %", "matchings", "speed-up", "runs")
        heading = f"## {dataset}, k = {options.middle_code(dataset)}"
        parts.append(f"{heading}\n\n{markdown_table(columns, lines)}\n\n{_radii_line(radii[dataset])}")
    return "\n\n".join(parts)


def _recommendation(rows: Sequence[Row], radii: dict[str, list[float]], options: Options) -> str:
    lines, least = [], {}
    for algorithm in THETA_ALGORITHMS:
        found = {dataset: recommend(_series(rows, dataset, algorithm)) for dataset in options.sets}
        known = [value for value in found.values() if value is not None]
        least[algorithm] = min(known) if known else None
        shown = ["-" if found[dataset] is None else f"{found[dataset]:g}" for dataset in options.sets]
        lines.append([f"theta, {algorithm}", *shown])
    medians = [f"{np.median(radii[name]):.3g}" if radii[name] else "-" for name in options.sets]
    lines.append(["certified radius, median", *medians])
    advice = "; ".join(f"{name}: {value:g}" for name, value in least.items() if value is not None)
    return (
        "A lifting threshold theta above 0 saves matchings, at some cost in error. "
        f"The largest theta up to which the mean error stays within {_MOST_LOSS:.0%} of that for theta = 0, "
        f"as a share of the typical distance:\n\n{markdown_table(('', *options.sets), lines)}\n\n"
        f"Safe on all sets that were run, by this measure: {advice or 'not known'}."
    )


def _line(row: Row) -> list[str]:
    if not row["runs"]:
        return [row["algorithm"], f"{row['theta']:g}", "-", "-", "-", "-", "0"]
    error, accuracy = (_spread(row, name, factor) for name, factor in (("error", 1.0), ("accuracy", 100.0)))
    matchings, speed = f"{row['matchings_mean']:,.0f}", f"{row['speedup']:.1f}"
    return [row["algorithm"], f"{row['theta']:g}", error, accuracy, matchings, speed, str(row["runs"])]


def _spread(row: Row, name: str, factor: float) -> str:
    std = row[f"{name}_std"]
    mean = f"{factor * row[f'{name}_mean']:.2f}"
    return mean if std is None else f"{mean} ± {factor * std:.2f}"


def _radii_line(radii: Sequence[float]) -> str:
    if not radii:
        return "Certified radius: not measured."
    quantiles = " / ".join(f"{value:.3g}" for value in np.quantile(radii, _QUANTILES))
    positive = np.mean(np.asarray(radii) > 0.0)
    return (
        f"Certified radius, 10 / 50 / 90 % quantiles over {len(radii)} graphs: {quantiles} of the typical "
        f"distance; positive for {positive:.0%}."
    )


def _draw(figure: Any, rows: Sequence[Row], radii: dict[str, list[float]]) -> None:
    figure.set_size_inches(10.0, 7.2)
    datasets = list(radii)
    panels = figure.subplots(3, len(datasets), squeeze=False, sharex=True)
    for column, dataset in enumerate(datasets):
        top, middle, bottom = panels[:, column]
        for colour, algorithm in zip(CATEGORIES[2:], THETA_ALGORITHMS, strict=False):
            series = [row for row in _series(rows, dataset, algorithm) if row["runs"]]
            values = [row["theta"] for row in series]
            style = {"color": colour, "marker": "o", "label": algorithm}
            top.plot(values, [row["error_mean"] / series[0]["error_mean"] for row in series], **style)
            middle.plot(values, [100.0 * row["accuracy_mean"] for row in series], **style)
            bottom.plot(values, [row["speedup"] for row in series], **style)
        for ax in (top, middle, bottom):
            _shade_radii(ax, radii[dataset])
        top.set_title(dataset)
        bottom.set_xlabel("theta / typical distance")
        plain_log_axis(bottom)
    panels[0][0].set_ylabel("error / error at theta = 0")
    panels[1][0].set_ylabel("accuracy, %")
    panels[2][0].set_ylabel("speed-up in matchings")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)


def _shade_radii(ax: Any, radii: Sequence[float]) -> None:
    ax.set_xscale("symlog", linthresh=THETAS[1])
    ax.spines[["top", "right"]].set_visible(False)
    if radii:
        low, median, high = np.quantile(radii, _QUANTILES)
        ax.axvspan(low, high, color="#cbd5e1", alpha=0.5, label="certified radius, 10 to 90 %")
        ax.axvline(median, color="#64748b", linewidth=1.0, label="its median")


__all__ = ["QUICK_THETAS", "THETAS", "THETA_ALGORITHMS", "jobs", "recommend", "run", "thetas"]
