"""From records to the rows of the tables: mean and deviation over seeds, the best setting of each route."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peers._scores import SCORES
from benchmarks.peers._store import STRUCK, Record, describe

Key = tuple[str, int, str]  # data set, k, route


@dataclass(frozen=True)
class Row:
    """One route on one data set with one k. Without ``mean`` no run ended, see ``status``.

    With it, the status tells whether the cap struck another seed.
    """

    set_name: str
    k: int
    route: str
    setting: str
    n_seeds: int
    cpu: float
    mean: dict[str, float] | None = None
    deviation: dict[str, float] | None = None
    distortion: float | None = None
    wall: float | None = None
    peak_mib: float = 0.0
    status: str = "ok"
    measured: str = ""  # when and from which commit, if not in the run of the page

    @property
    def accuracy(self) -> float:
        """Mean accuracy in percent; minus infinity if no run ended."""
        return -np.inf if self.mean is None else 100.0 * self.mean["accuracy"]

    @property
    def accuracy_deviation(self) -> float:
        return 0.0 if self.deviation is None else 100.0 * self.deviation["accuracy"]


def tried(records: Iterable[Record]) -> list[Row]:
    """Return one row for each data set, k, route and setting."""
    by_setting: dict[tuple[Key, str], list[Record]] = defaultdict(list)
    for record in records:
        if record.get("status") in ("ok", "failed", *STRUCK):
            key = (record["set"], record["k"], record["route"])
            by_setting[key, describe(record["setting"])].append(record)
    return [_row(key, setting, group) for (key, setting), group in by_setting.items()]


def best_of(settings: Iterable[Row]) -> dict[Key, Row]:
    """Return one row for each data set, k and route: that of the setting with the best mean accuracy."""
    best: dict[Key, Row] = {}
    for row in settings:
        key = (row.set_name, row.k, row.route)
        if key not in best or _rank(row) > _rank(best[key]):
            best[key] = row
    return best


def earlier_rows(page: Record) -> list[Row]:
    """Return the rows of an earlier page, from its JSON; each says when it was measured."""
    origin = page["provenance"]
    when = f"{origin['date']}, commit {origin['commit']}"
    return [Row(**row | {"measured": row.get("measured") or when}) for row in page["rows"]]


def fill_up(rows: list[Row], earlier: Iterable[Row]) -> list[Row]:
    """Add the earlier rows of routes that were not measured on a data set this time."""
    measured = {(row.set_name, row.route) for row in rows}
    return rows + [row for row in earlier if (row.set_name, row.route) not in measured]


def _rank(row: Row) -> tuple[bool, float, float]:
    """Higher is better: not a try with one seed, as slow routes have of each setting; accuracy; less time."""
    return row.n_seeds > 1, row.accuracy, -row.cpu


def _row(key: Key, setting: str, group: list[Record]) -> Row:
    ended = [record for record in group if record["status"] == "ok"]
    if not ended:
        first = group[0]
        return Row(*key, setting, 0, first["cpu"], status=first["status"])
    matrix = ended[0].get("matrix") or {"cpu": 0.0, "wall": 0.0, "peak_mib": 0.0}
    values = {name: np.array([record[name] for record in ended]) for name in SCORES}
    distortions = [record["distortion"] for record in ended if record["distortion"] is not None]
    return Row(
        *key,
        setting,
        len(ended),
        _mean(ended, "cpu") + matrix["cpu"],
        {name: float(value.mean()) for name, value in values.items()},
        {name: float(value.std(ddof=1)) if len(value) > 1 else 0.0 for name, value in values.items()},
        float(np.mean(distortions)) if distortions else None,
        _mean(ended, "wall") + matrix["wall"],
        max([matrix["peak_mib"], *(record["peak_mib"] for record in ended)]),
        next((record["status"] for record in group if record["status"] in STRUCK), "ok"),
    )


def _mean(records: list[Record], name: str) -> float:
    values: list[Any] = [record[name] for record in records]
    return float(np.mean(values))
