"""Table 1 of the paper: how many graphs there are, and how large."""

from decimal import Decimal
from typing import Any

from graphquant.datasets import load_iam
from graphquant.experiments._config import Options
from graphquant.experiments._result import Claim, Result, markdown_table
from graphquant.experiments._store import Notify
from graphquant.experiments.expected import load_expected
from graphquant.graphs import describe

COLUMNS = ("graphs", "classes", "avg_nodes", "max_nodes", "avg_edges", "max_edges")


def run(options: Options, notify: Notify | None = None) -> Result:
    """Count, and compare with the paper.

    Examples
    --------
    >>> from graphquant.experiments import Options, table1
    >>> table1.run(Options(data="data/iam", output="results")).claims  # doctest: +SKIP
    """
    rows: list[dict[str, Any]] = []
    for name in options.sets:
        loaded = load_iam(name, options.data)
        stats = describe(loaded.graphs, loaded.targets)
        ours = {
            "graphs": stats.n_graphs,
            "classes": stats.n_classes,
            "avg_nodes": stats.avg_nodes,
            "max_nodes": stats.max_nodes,
            "avg_edges": stats.avg_edges,
            "max_edges": stats.max_edges,
        }
        paper = load_expected("table1")[name]
        rows.append({"set": name} | ours | {f"paper_{column}": paper[column] for column in COLUMNS})
    return Result("table1", "Table 1: the data", rows, _markdown(rows), tuple(map(_claim, rows)))


def _markdown(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        lines.append([row["set"], "paper", *(str(row[f"paper_{column}"]) for column in COLUMNS)])
        lines.append([row["set"], "here", *(_shown(row[column]) for column in COLUMNS)])
    heads = ("data set", "source", *(column.replace("_", " ") for column in COLUMNS))
    note = (
        "Edges of fingerprints are directed, each line in both directions, as in the files; the paper counts "
        "them so."
    )
    return f"{markdown_table(heads, lines)}\n\n{note}"


def _shown(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def is_print_of(value: float, printed: float) -> bool:
    """Whether a value would be printed as this number: itself, or rounded to one decimal.

    Examples
    --------
    >>> is_print_of(4.68, 4.7), is_print_of(4.6, 4.7), is_print_of(8.0, 8)
    (True, False, True)
    """
    if isinstance(printed, int):
        return value == printed
    return abs(Decimal(value) - Decimal(str(printed))) <= Decimal("0.05")


def _claim(row: dict[str, Any]) -> Claim:
    wrong = [
        f"{column.replace('_', ' ')} ({row[column]:.3f}, printed {row[f'paper_{column}']})"
        for column in COLUMNS
        if not is_print_of(row[column], row[f"paper_{column}"])
    ]
    but = f", but {', '.join(wrong)}" if wrong else ""
    return Claim(f"{row['set']}: all columns as printed{but}", not wrong)


__all__ = ["COLUMNS", "is_print_of", "run"]
