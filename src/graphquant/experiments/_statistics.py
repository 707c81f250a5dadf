"""From the runs of a cell to the numbers of a table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphquant._typing import FloatArray
from graphquant.experiments._store import Record
from graphquant.metrics import silhouette_index

# Measures of quality: those of the best run by error, as in the paper, and mean and deviation of all runs.
QUALITY = ("error", "accuracy", "silhouette")
COSTS = (
    "matchings",
    "shift_matchings",
    "init_matchings",
    "bounds",
    "cycle_cpu_seconds",
    "cpu_seconds",
    "proven",
)


def summarise(records: Sequence[Record], distances: FloatArray | None) -> dict[str, Any]:
    """Return the statistics of runs; all are None if there are no runs."""
    found: dict[str, Any] = {"runs": len(records)}
    values: dict[str, list[float | None]] = {
        "error": [record["error"] for record in records],
        "accuracy": [record["accuracy"] for record in records],
        "silhouette": [silhouette(record, distances) for record in records],
    }
    best = min(range(len(records)), key=lambda run: float(records[run]["error"]), default=None)
    for name in QUALITY:
        found[f"{name}_best"] = None if best is None else values[name][best]
        found |= {f"{name}_{key}": value for key, value in spread(values[name]).items()}
    for name in COSTS:
        found[name] = spread([record[name] for record in records])["mean"]
    return found


def spread(values: Sequence[float | None]) -> dict[str, float | None]:
    """Mean and standard deviation over runs (n - 1); one run has no deviation.

    Examples
    --------
    >>> spread([1.0, 3.0])["mean"], spread([1.0])["std"]
    (2.0, None)
    """
    known = [value for value in values if value is not None]
    return {
        "mean": float(np.mean(known)) if known else None,
        "std": float(np.std(known, ddof=1)) if len(known) > 1 else None,
    }


def silhouette(record: Record, distances: FloatArray | None) -> float | None:
    """Return the silhouette index of a run; None if all graphs ended in one cluster."""
    if distances is None or len(set(record["labels"])) < 2:
        return None
    return silhouette_index(distances, record["labels"])


__all__ = ["COSTS", "QUALITY", "silhouette", "spread", "summarise"]
