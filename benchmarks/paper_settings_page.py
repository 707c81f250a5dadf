"""The page of the search for the paper's settings: ``python -m benchmarks.paper_settings_page CSV JSON``.

It repeats the search on the runs of the CSV file, runs nothing itself, and prints the page. JSON is the file
``table2.json`` of ``graphquant reproduce table2``: it checks the settings that were found.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.paper_settings import (
    SEEDS,
    SPACES,
    Runs,
    Setting,
    Tried,
    best_of,
    printed_errors,
    replay,
)
from graphquant.experiments import CODES
from graphquant.experiments._agreement import Number, count, numbers
from graphquant.experiments._provenance import provenance
from graphquant.experiments._result import markdown_table

# Below this misfit, 10 %, errors are called explained.
EXPLAINED = 0.10

INTRODUCTION = """
# Which settings did the paper use?

The paper prints errors, accuracies, silhouettes and speed-ups, but not the weights of attributes, their
scale or the learning rate that gave them. This page shows the settings that a search found by the printed
errors alone, and how well they give the other numbers, which the search did not see. If you reproduce a
paper with open settings, this is what such a fit can and cannot tell.
""".strip()

AGAINST = """
What speaks against reading more into it:

- these are fits. A setting with the printed errors need not be the authors'; where the other numbers
  differ, it is not;
- the start of each search was itself the best of about 150 settings of an earlier, manual search, which
  compared accuracies and speed-ups too;
- the search uses one run for each codebook size ({seeds}), where the paper prints the best of ten by
  error;
- no single scheme explains all four sets: positions are centred on grec but not on letter, graphs have
  unit norm except on fingerprint, and errors are (1/2) sum d^2 except on molecules.
""".strip()

METHOD = """
## How it was searched

`python -m benchmarks.paper_settings settings.csv`, then `python -m benchmarks.paper_settings_page`. For
each set a coordinate search: vary one open choice at a time over a list of values, keep the best value,
and go on until a round changes nothing. The criterion (misfit) is the mean of |log(error / printed
error)| over the three codebook sizes, against std and acc, with the best of three meanings of "error":
(1/2) sum d^2, (1/2) sum d, sum d. Every run is `accelerated`, 150 cycles, furthest first, learning rate
geometric from 0.5 to 0.0003, exact matching on letter and graduated assignment elsewhere, as in the
paper. The learning rate was fitted on letter before, to errors and speed-ups. All {runs} runs are in
[settings.csv](settings.csv), {origin}.
New results bring a new Table 2, but not a new search.
""".strip()


def words(dataset: str, setting: Setting) -> str:
    """Describe a setting."""
    beta = "" if setting.beta_end == 10.0 else f"; annealed to beta {setting.beta_end:g}"
    return setting.weights.describe(dataset) + beta


def listed(values: Sequence[float], digits: int = 1) -> str:
    """Return numbers of one row, as the paper's columns stand."""
    return " / ".join(f"{value:.{digits}f}" for value in values)


def found_table(found: dict[str, Tried]) -> str:
    """Return the settings that were found, with printed errors and those of the search."""
    lines = []
    for dataset, tried in found.items():
        printed = printed_errors(dataset)
        std, acc = ([printed[k][column] for k in CODES[dataset]] for column in (0, 1))
        lines.append(
            [
                f"{dataset}, k = {' / '.join(map(str, CODES[dataset]))}",
                words(dataset, tried.setting),
                tried.measure,
                listed(std),
                listed(acc),
                listed([tried.errors[k] for k in CODES[dataset]]),
                f"{100.0 * tried.misfit:.0f} %",
            ]
        )
    heads = ("set", "setting found", "error", "paper std", "paper acc", "search", "misfit")
    return markdown_table(heads, lines)


def verdict(tried: dict[str, list[Tried]]) -> str:
    """Return in words which sets are explained, and what is wrong with the others."""
    others = {name: several for name, several in tried.items() if best_of(several).misfit > EXPLAINED}
    explained = ", ".join(name for name in tried if name not in others)
    parts = [f"Errors within {100 * EXPLAINED:.0f} % on average: {explained or 'none'}."]
    for name, several in others.items():
        small, *_, large = CODES[name]
        best = best_of(several).errors
        falls = [fall(one.errors, small, large) for one in several]
        printed = {k: sum(errors) / len(errors) for k, errors in printed_errors(name).items()}
        parts.append(
            f"Not explained: {name}. From k = {small} to k = {large} the printed errors fall by a factor of "
            f"{fall(printed, small, large):.0f}, those of the setting found by "
            f"{fall(best, small, large):.0f}, and by at most {max(falls):.0f} in all {len(several)} settings "
            "that were tried."
        )
    return "\n\n".join(parts)


def fall(errors: Mapping[int, float], small: int, large: int) -> float:
    """Return how many times smaller the error of the large codebook is."""
    return errors[small] / errors[large]


def check_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return how many other numbers agree, set by set."""
    every = list(numbers(rows))
    measures = ("error", "accuracy", "silhouette", "speedup")
    lines = []
    for dataset in dict.fromkeys(number.dataset for number in every):
        lines.append([dataset, *(_share(every, dataset, measure) for measure in measures)])
    lines.append(["all", *(_share(every, None, measure) for measure in measures)])
    heads = ("set", "errors (fitted)", "accuracies", "silhouettes", "speed-ups")
    runs = sorted(
        {row["runs"] for row in rows if row["setting"] == "paper" and row["algorithm"] == "accelerated"}
    )
    return (
        f"## Do the other numbers follow?\n\n"
        "Numbers of Table 2 that agree (within 10 %, accuracies within 3 points), best of "
        f"{' or '.join(map(str, runs))} runs by error; cell by cell in [table2.md](table2.md).\n\n"
        f"{markdown_table(heads, lines)}"
    )


def _share(every: Sequence[Number], dataset: str | None, measure: str) -> str:
    chosen = [n for n in every if n.measure == measure and dataset in (None, n.dataset)]
    agreeing, total = count(chosen)
    return f"{agreeing} of {total}"


def record(tried: dict[str, tuple[list[Tried], bool]]) -> str:
    """Return every setting that was tried."""
    parts = ["## Everything that was tried\n\nIn the order of the search; bold: the best."]
    for dataset, (several, ended) in tried.items():
        best = best_of(several)
        choices = "; ".join(
            f"{name}: {', '.join(map(str, values))}" for name, values in SPACES[dataset].choices.items()
        )
        end = "" if ended else " The search had not ended when this page was written."
        lines = []
        for one in several:
            mark = "**" if one is best else ""
            errors = listed([one.errors[k] for k in CODES[dataset]])
            lines.append([words(dataset, one.setting), one.measure, errors, f"{mark}{one.misfit:.3f}{mark}"])
        table = markdown_table(("setting", "error", "errors", "misfit"), lines)
        parts.append(f"### {dataset}\n\nChoices: {choices}. {len(several)} settings.{end}\n\n{table}")
    return "\n\n".join(parts)


def origin(path: Path) -> str:
    """Return when runs were done: with which commit they came, or the current commit if they are new."""
    command = ["git", "log", "-1", "--format=added on %as with commit %h", "--", path.name]
    told = subprocess.run(command, cwd=path.resolve().parent, capture_output=True, text=True, check=False)
    if told.stdout.strip():
        return told.stdout.strip()
    now = provenance()
    return f"done on {now['date'][:10]} at commit {now['commit']}"


def page(runs: Runs, rows: Sequence[dict[str, Any]]) -> str:
    """Return the whole page."""
    tried = {dataset: replay(runs, dataset) for dataset in CODES}
    tried = {dataset: one for dataset, one in tried.items() if one[0]}
    found = {dataset: best_of(several) for dataset, (several, _) in tried.items()}
    seeds = f"seed {SEEDS[0]}" if len(SEEDS) == 1 else f"{len(SEEDS)} seeds"
    told = verdict({dataset: several for dataset, (several, _) in tried.items()})
    parts = [INTRODUCTION, found_table(found), told, check_table(rows), AGAINST.format(seeds=seeds)]
    return (
        "\n\n".join([*parts, METHOD.format(runs=len(runs), origin=origin(runs.path)), record(tried)]) + "\n"
    )


def main(arguments: list[str]) -> None:
    path, table2 = arguments
    rows = json.loads(Path(table2).read_text(encoding="utf-8"))["rows"]
    print(page(Runs(Path(path)), rows), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
