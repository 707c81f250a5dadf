"""Table 2 as Markdown and as a plot."""

from collections.abc import Callable, Sequence
from typing import Any

from graphquant.experiments._agreement import Number, count, numbers
from graphquant.experiments._config import SETTINGS, Options, Setting
from graphquant.experiments._result import markdown_table, plain_log_axis
from graphquant.experiments.expected import load_expected
from graphquant.plotting.palette import CATEGORIES

Row = dict[str, Any]
_MISSING = "-"

_METHOD = """
Error is (1/2) sum d^2, and sum d on molecules in the paper's setting. A cell of the full record has the
best of the runs by error, which is what the paper prints, then the mean and standard deviation over the
runs. Speed-up compares k N matchings in each cycle, those of the standard algorithm, with the matchings of
an algorithm. Matchings of the start and (accelerated) for the movement of code graphs are counted apart,
see the CSV. Speed-up by the clock compares CPU seconds of all cycles; those of the standard algorithm come
from the time of a matching in one cycle of it, with the smallest codebook. CPU s per run includes the
start. Proven: share of training graphs whose distance to their code graph is proven. Silhouettes use exact
distances on letter and Frank-Wolfe's elsewhere.

Standard: where its source is "as lossless", its quality is taken from the runs of lossless, which has the
same winners and codebook by proof and by test, at a fraction of the cost; "run" means run in full.
""".strip()

_AGREEMENT = """
A number agrees if it is within 10 % of the printed one (accuracies: 3 points), or equal to the digits that
the paper prints. Compared are error, accuracy and silhouette of std and acc and the speed-up of acc, each
of the best run by error. **The settings were fitted**: the weights of attributes to the errors, on grec,
fingerprint and molecules also what "error" means; the learning rate to errors and speed-ups on letter. So
agreement of errors shows that a setting with these errors exists, and the other numbers check it. The
search is on its [own page](settings.md).
""".strip()


def summary(rows: Sequence[Row], options: Options) -> str:
    """Return what a reader gains, and how far the paper is reproduced."""
    parts = [_gains(rows)]
    if options.quick:
        parts.append(f"Quick: {options.cycles} cycles instead of 150; the paper's numbers are after 150.")
    parts += ["![accuracy and speed-up](table2.svg)", "## Does the paper's setting give the paper's numbers?"]
    found = list(numbers(rows))
    parts += [_agreement_text(found), _AGREEMENT, _agreement_table(found)]
    return "\n\n".join(parts)


def method() -> str:
    """Return how it was measured."""
    return _METHOD


def record(rows: Sequence[Row], options: Options) -> str:
    """Return all tables: for each setting, one for each data set."""
    parts = []
    for block in dict.fromkeys(row["setting"] for row in rows):
        setting = SETTINGS[block]
        parts.append(f"### {setting.title}")
        parts.append(f"Start: {setting.init}; learning rate: {setting.rate_text}; theta = 0.")
        for dataset in options.sets:
            parts.append(f"#### {dataset}, {setting.title[0].lower()}{setting.title[1:]}")
            parts.append(_describe(setting.on(dataset), dataset))
            chosen = [row for row in rows if (row["setting"], row["set"]) == (block, dataset)]
            parts.append(_table(chosen))
    return "\n\n".join(parts)


def _gains(rows: Sequence[Row]) -> str:
    by_cell = {(row["setting"], row["set"], row["k"], row["algorithm"]): row for row in rows}
    quality, speed = [], []
    better = known = 0
    for dataset, k in dict.fromkeys((row["set"], row["k"]) for row in rows):
        lossless, fast = (by_cell["own", dataset, k, name] for name in ("lossless", "fast"))
        standard, paper = (by_cell["paper", dataset, k, name] for name in ("standard", "accelerated"))
        printed = max(paper["paper_accuracy"], standard["paper_accuracy"])
        if lossless["accuracy_mean"] is not None:
            known += 1
            better += 100.0 * lossless["accuracy_mean"] >= printed
        accuracies = [_percent(row["accuracy_mean"]) for row in (paper, lossless, fast)]
        quality.append([f"{dataset}, {k}", f"{printed:.0f}", *accuracies, _percent(lossless["proven"])])
        gains = [f"{_plain(r['speedup'])} / {_plain(r['clock_speedup'])}" for r in (paper, lossless, fast)]
        seconds = [_plain(row["cpu_seconds"]) for row in (lossless, fast)]
        speed.append([f"{dataset}, {k}", f"{paper['paper_speedup']:.1f}", *gains, *seconds])
    runs = [row["runs"] for row in rows if row["setting"] == "own"]
    span = f"{min(runs)}" if min(runs) == max(runs) else f"{min(runs)} to {max(runs)}"
    return (
        f"In our own setting the mean accuracy of {span} runs is at least the best that the paper prints in "
        f"{better} of {known} columns of its Table 2. `lossless` has the codebook of the standard algorithm; "
        "`fast` may differ from it.\n\n"
        f"{markdown_table(_QUALITY_COLUMNS, quality)}\n\n"
        "Speed-ups are against the standard algorithm: in matchings, as the paper counts them, and by the "
        "clock. By the clock they are smaller where bounds and bookkeeping take their time, and larger where "
        f"expensive pairs are left out.\n\n{markdown_table(_SPEED_COLUMNS, speed)}"
    )


_QUALITY_COLUMNS = (
    "accuracy, %",
    "paper's best",
    "its setting here",
    "own, lossless",
    "own, fast",
    "distances proven, %",
)
_SPEED_COLUMNS = (
    "speed-up, matchings / clock",
    "paper",
    "its setting here",
    "own, lossless",
    "own, fast",
    "CPU s per run, lossless",
    "fast",
)


def _percent(value: float | None) -> str:
    return _MISSING if value is None else f"{100.0 * value:.1f}"


def _plain(value: float | None) -> str:
    if value is None:
        return _MISSING
    return f"{value:.1f}" if value < 100.0 else f"{value:,.0f}"


def _agreement_text(found: Sequence[Number]) -> str:
    agreeing, total = count(found)
    parts = []
    for measure, name in _MEASURE_NAMES.items():
        some, of = count([number for number in found if number.measure == measure])
        parts.append(f"{some} of {of} {name}")
    missing = sum(number.found is None for number in found)
    tail = f" {missing} were not measured." if missing else ""
    return f"**{agreeing} of {total} numbers agree**: {', '.join(parts)}.{tail}"


_MEASURE_NAMES = {
    "error": "errors",
    "accuracy": "accuracies",
    "silhouette": "silhouettes",
    "speedup": "speed-ups",
}


def _agreement_table(found: Sequence[Number]) -> str:
    """List printed and found numbers of each cell; those that agree are marked."""
    lines = []
    columns = list(dict.fromkeys((number.measure, number.column) for number in found))
    columns.sort(key=lambda column: (list(_MEASURE_NAMES).index(column[0]), column[1] == "acc"))
    for cell in dict.fromkeys((number.dataset, number.k) for number in found):
        shown = {(n.measure, n.column): n for n in found if (n.dataset, n.k) == cell}
        marked = [f"{shown[column].text}{' ✓' if shown[column].agrees else ''}" for column in columns]
        agreeing, total = count(list(shown.values()))
        lines.append([f"{cell[0]}, {cell[1]}", *marked, f"{agreeing} of {total}"])
    heads = [f"{'speed-up' if measure == 'speedup' else measure} {column}" for measure, column in columns]
    return (
        f"Printed → here; ✓ marks those that agree.\n\n{markdown_table(('set, k', *heads, 'agree'), lines)}"
    )


def _describe(setting: Setting, dataset: str) -> str:
    """Describe the encoding, the matcher and the error of a setting on a data set."""
    if setting.weights is None:
        encoding = (
            "Preset of load_iam: numbers of nodes centred, scaled together and put on circles; one-hot "
            "categories; edges times 0.6"
        )
    else:
        encoding = setting.weights.describe(dataset)
    return f"{encoding}. Matcher: {setting.matcher}. Error: {setting.error}."


def _table(rows: Sequence[Row]) -> str:
    algorithms = list(dict.fromkeys(row["algorithm"] for row in rows))
    lines = []
    for k in dict.fromkeys(row["k"] for row in rows):
        chosen = [row for row in rows if row["k"] == k]
        paper = load_expected("table2")[chosen[0]["set"]][str(k)]
        for measure, show, printed in _LINES:
            printed_cells = [printed(paper[column]) for column in ("std", "acc")]
            lines.append([str(k), measure, *printed_cells, *(show(row) for row in chosen)])
    return markdown_table(("k", "measure", "paper std", "paper acc", *algorithms), lines)


def _with_spread(name: str, factor: float, digits: int) -> Callable[[Row], str]:
    def show(row: Row) -> str:
        best, mean, std = (row[f"{name}_{key}"] for key in ("best", "mean", "std"))
        if mean is None:
            return _MISSING
        deviation = "" if std is None else f" ± {factor * std:.{digits}f}"
        return f"{factor * best:.{digits}f} ({factor * mean:.{digits}f}{deviation})"

    return show


def _number(name: str, form: str, factor: float = 1.0) -> Callable[[Row], str]:
    def show(row: Row) -> str:
        return _MISSING if row[name] is None else format(factor * row[name], form)

    return show


def _against_paper(row: Row) -> str:
    """Describe the difference between the best run and the paper."""
    if row["error_best"] is None:
        return _MISSING
    points = 100.0 * row["accuracy_best"] - row["paper_accuracy"]
    if row["setting"] != "paper":
        return f"{points:+.0f} points"  # other scaling: errors cannot be compared
    return f"{row['error_best'] / row['paper_error'] - 1:+.0%}, {points:+.0f} points"


def _no_print(paper: Row) -> str:
    return ""


_Printed = Callable[[dict[str, float]], str]
_LINES: tuple[tuple[str, Callable[[Row], str], _Printed], ...] = (
    ("error", _with_spread("error", 1.0, 2), lambda paper: f"{paper['error']:.1f}"),
    ("accuracy, %", _with_spread("accuracy", 100.0, 1), lambda paper: f"{paper['accuracy']:.0f}"),
    ("silhouette", _with_spread("silhouette", 1.0, 2), lambda paper: f"{paper['silhouette']:.2f}"),
    ("against the paper", _against_paper, _no_print),
    ("matchings", _number("matchings", ",.0f"), lambda paper: f"{paper['matchings']:,}"),
    ("speed-up", _number("speedup", ".1f"), lambda paper: f"{paper['speedup']:.1f}"),
    ("speed-up by the clock", _number("clock_speedup", ".1f"), _no_print),
    ("CPU s per run", _number("cpu_seconds", ".2f"), _no_print),
    ("proven, %", _number("proven", ".1f", 100.0), _no_print),
    ("runs", lambda row: f"{row['runs']}, {row['source']}", lambda paper: "10"),
)


def draw(figure: Any, rows: Sequence[Row]) -> None:
    """Draw accuracy and speed-up of all cells, next to those of the paper."""
    figure.set_size_inches(9.0, 6.0)
    datasets = list(dict.fromkeys(row["set"] for row in rows))
    panels = figure.subplots(2, len(datasets), squeeze=False)
    for column, dataset in enumerate(datasets):
        chosen = [row for row in rows if row["set"] == dataset]
        _draw_panel(panels[0][column], chosen, "accuracy_mean", "paper_accuracy", 100.0)
        _draw_panel(panels[1][column], chosen, "speedup", "paper_speedup", 1.0)
        panels[0][column].set_title(dataset)
        plain_log_axis(panels[1][column])
        panels[1][column].set_xlabel("k")
    panels[0][0].set_ylabel("accuracy, % (mean)")
    panels[1][0].set_ylabel("speed-up in matchings")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)


_SERIES = (("paper", "accelerated"), ("paper", "lossless"), ("own", "lossless"), ("own", "fast"))


def _draw_panel(ax: Any, rows: Sequence[Row], name: str, printed: str, factor: float) -> None:
    paper = [row for row in rows if (row["setting"], row["algorithm"]) == ("paper", "accelerated")]
    sizes = [row["k"] for row in paper]
    ax.plot(sizes, [row[printed] for row in paper], "k--", marker="x", label="paper, accelerated")
    for colour, (setting, algorithm) in zip(CATEGORIES[1:], _SERIES, strict=False):
        series = [row for row in rows if (row["setting"], row["algorithm"]) == (setting, algorithm)]
        values = [float("nan") if row[name] is None else factor * row[name] for row in series]
        ax.plot(sizes, values, marker="o", color=colour, label=f"{setting} setting, {algorithm}")
    ax.set_xticks(sizes)
    ax.spines[["top", "right"]].set_visible(False)


__all__ = ["draw", "method", "record", "summary"]
