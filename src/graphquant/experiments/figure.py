"""The figure of the paper: the share of kN matchings that each cycle takes."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from graphquant.experiments._config import Job, Options
from graphquant.experiments._result import Claim, Result, markdown_table, plain_log_axis
from graphquant.experiments._store import Notify, Store
from graphquant.experiments.expected import load_expected
from graphquant.plotting.palette import CATEGORIES

FIGURE_ALGORITHMS = ("accelerated", "lossless", "fast")
# Curves are smooth enough with few runs; those of Table 2 are reused where they exist.
FIGURE_RUNS = 3
_SHOWN_CYCLES = (1, 2, 5, 10, 20, 50, 100, 150)


def run(options: Options, notify: Notify | None = None, store: Store | None = None) -> Result:
    """Run missing jobs and draw the curves, in the paper's setting.

    Examples
    --------
    >>> from graphquant.experiments import Options, figure
    >>> figure.run(Options(data="data/iam", output="results", quick=True)).rows  # doctest: +SKIP
    """
    store = Store(options, notify) if store is None else store
    store.complete(jobs(options))
    curves = {
        (algorithm, dataset): _mean_share(options, store, algorithm, dataset)
        for algorithm in FIGURE_ALGORITHMS
        for dataset in options.sets
    }
    rows = [
        {
            "algorithm": algorithm,
            "set": dataset,
            "k": options.middle_code(dataset),
            "cycle": t,
            "share": share,
        }
        for (algorithm, dataset), curve in curves.items()
        for t, share in enumerate(curve, 1)
    ]
    title = "Figure: share of kN matchings in each cycle"
    page = _markdown(rows, options)
    method = "Mean over the runs of Table 2 in the paper's setting, and over at most three runs of fast."
    return Result(
        name="figure",
        title=title,
        rows=rows,
        markdown=page,
        claims=tuple(_claims(rows, options)),
        plot=lambda f: _draw(f, rows),
        method=method,
    )


def jobs(options: Options) -> Iterator[Job]:
    """Yield all jobs; all except those of fast are also jobs of Table 2."""
    for number in range(min(options.n_runs, FIGURE_RUNS)):
        for dataset in options.sets:
            for algorithm in FIGURE_ALGORITHMS:
                yield options.job(dataset, "paper", algorithm, options.middle_code(dataset), number)


def _mean_share(options: Options, store: Store, algorithm: str, dataset: str) -> list[float]:
    runs = store.runs(options.job(dataset, "paper", algorithm, options.middle_code(dataset)))
    if not runs:
        return []
    # Runs of a codebook that converged are shorter: nothing was matched after that.
    length = max(len(record["share"]) for record in runs)
    padded = [record["share"] + [0.0] * (length - len(record["share"])) for record in runs]
    return [float(share) for share in np.mean(padded, axis=0)]


def _markdown(rows: list[dict[str, Any]], options: Options) -> str:
    cycles = [t for t in _SHOWN_CYCLES if t <= options.cycles]
    lines = []
    for algorithm in FIGURE_ALGORITHMS:
        for dataset in options.sets:
            chosen = _curve(rows, algorithm, dataset)
            settled = _settled(chosen, load_expected("figure")["share_at_most"])
            shares = [f"{100 * chosen[t - 1]:.2f}" if t <= len(chosen) else "-" for t in cycles]
            lines.append([algorithm, f"{dataset} ({options.middle_code(dataset)})", settled, *shares])
    heads = ("algorithm", "data set (k)", "80 % saved after cycle", *(f"cycle {t}" for t in cycles))
    return (
        "After a few cycles most matchings can be left out. The table has the matchings of a cycle in "
        "percent of those of the standard algorithm, and the cycle after which none takes more than a fifth. "
        'The paper says for accelerated: "after a few cycles more than 80 % out of kN graph distance '
        'calculations can be avoided" on letter, grec and fingerprint.\n\n'
        f"![share of matchings](figure.svg)\n\n{markdown_table(heads, lines)}"
    )


def _settled(curve: Sequence[float], limit: float) -> str:
    if not curve:
        return "-"
    last = settles(curve, limit)
    return "never" if last == len(curve) else str(last)


def settles(curve: Sequence[float], limit: float) -> int:
    """Return the number of the last cycle whose share is above a limit.

    Examples
    --------
    >>> settles([1.0, 0.3, 0.1, 0.25, 0.2], 0.2)
    4
    """
    return max((t for t, share in enumerate(curve, 1) if share > limit), default=0)


def _curve(rows: list[dict[str, Any]], algorithm: str, dataset: str) -> list[float]:
    return [row["share"] for row in rows if (row["algorithm"], row["set"]) == (algorithm, dataset)]


def _claims(rows: list[dict[str, Any]], options: Options) -> Iterator[Claim]:
    expected = load_expected("figure")
    after, limit = expected["after_cycles"], expected["share_at_most"]
    for dataset in options.sets:
        if dataset in expected["sets"]:
            later = _curve(rows, "accelerated", dataset)[after:]
            got = f" (at most {max(later):.1%})" if later else ""
            yield Claim(
                f"{dataset}: accelerated takes at most {limit:.0%} of kN after {after} cycles{got}",
                max(later) <= limit if later else None,
            )


def _draw(figure: Any, rows: list[dict[str, Any]]) -> None:
    figure.set_size_inches(10.0, 3.6)
    panels = figure.subplots(1, len(FIGURE_ALGORITHMS), sharey=True)
    names = list(dict.fromkeys((row["set"], row["k"]) for row in rows))
    for ax, algorithm in zip(panels, FIGURE_ALGORITHMS, strict=True):
        for colour, (dataset, k) in zip(CATEGORIES[1:], names, strict=False):
            # A cycle without any matching has no place on a logarithmic axis: draw it at its foot.
            shares = [max(100 * share, 1e-3) for share in _curve(rows, algorithm, dataset)]
            ax.plot(range(1, len(shares) + 1), shares, color=colour, linewidth=1.2, label=f"{dataset} ({k})")
        ax.set_title(algorithm)
        ax.set_xlabel("cycle")
        plain_log_axis(ax)
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("matchings, % of kN")
    if names:
        panels[0].legend(frameon=False, fontsize="small")


__all__ = ["FIGURE_ALGORITHMS", "FIGURE_RUNS", "jobs", "run"]
