"""Search the settings that the paper leaves open: ``python -m benchmarks.paper_settings CSV [SET ...]``.

For each data set a coordinate search over a list of values for each open choice: vary one choice at a time,
keep the best value, and go on until a whole round changes nothing. The criterion is the errors that the
paper prints, and nothing else: the mean of |log(error / printed error)| over the three codebook sizes, with
one meaning of "error" among those of ``MEASURES``. GRAPHQUANT_DATA names the folder of the data.
Accuracies, silhouettes and matchings are not measured here: they are for checking what is found.

Each run is a line of the CSV file, written when it is done; runs that are in the file are not repeated.
"""

import csv
import math
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from graphquant import GraduatedAssignment, GraphQuantizer
from graphquant.exceptions import GraphQuantWarning
from graphquant.experiments import CODES
from graphquant.experiments._config import CYCLES, PAPER_RATE
from graphquant.experiments._encodings import Weights, paper_graphs
from graphquant.experiments.expected import load_expected
from graphquant.graphs import GraphCollection

# What "error" may mean: of the sum of squared distances and the sum of distances.
MEASURES: dict[str, Callable[[float, float], float]] = {
    "(1/2) sum d^2": lambda squares, distances: 0.5 * squares,
    "(1/2) sum d": lambda squares, distances: 0.5 * distances,
    "sum d": lambda squares, distances: distances,
}
SEEDS = (0,)


@dataclass(frozen=True)
class Setting:
    """A point of the search: the weights of attributes, and the inverse temperature where annealing ends."""

    weights: Weights
    beta_end: float = 10.0

    def vary(self, name: str, value: Any) -> "Setting":
        if name == "beta_end":
            return replace(self, beta_end=value)
        return replace(self, weights=replace(self.weights, **{name: value}))

    def to_row(self) -> dict[str, Any]:
        return asdict(self.weights) | {"beta_end": self.beta_end}


@dataclass(frozen=True)
class Space:
    """Where the search of a data set starts, and which values it tries."""

    start: Setting
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


# Each search starts where an earlier, manual one of about 150 settings had stopped.
SPACES = {
    "letter": Space(Setting(Weights(scale=False)), {"center": (False, True), "edge": (0.5, 1.0)}),
    "grec": Space(
        Setting(Weights(center=True, angle=0.2)),
        {"angle": (0.3, 0.5, 0.2, 0.1, 0.0), "center": (False, True), "edge": (0.5, 1.0)},
    ),
    "fingerprint": Space(
        Setting(Weights(center=True, position=0.02, presence=True, edge=0.05, unit_norm=False)),
        {
            "edge": (0.05, 0.1, 0.2, 0.3),
            "beta_end": (3.0, 10.0, 30.0, 100.0),
            "position": (0.0, 0.01, 0.02, 0.05, 0.1, 0.2),
            "angle": (0.0, 0.02, 0.05, 0.1),
        },
    ),
    "molecules": Space(Setting(Weights()), {"edge": (0.5, 1.0)}),
}
KEYS = ("set", *Setting(Weights()).to_row(), "k", "seed")
COLUMNS = (*KEYS, "sum_of_squares", "sum_of_distances", "cpu_seconds")


class NotRunError(Exception):
    """A run is not in the file, and runs are not to be done."""


class Runs:
    """All runs so far, in a CSV file; without data none are added."""

    def __init__(self, path: Path, data: str | None = None) -> None:
        self.path, self.data = path, data
        self._found: dict[tuple[str, ...], tuple[float, float]] = {}
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    key = tuple(row[name] for name in KEYS)
                    self._found[key] = float(row["sum_of_squares"]), float(row["sum_of_distances"])

    def __len__(self) -> int:
        return len(self._found)

    def sums(self, dataset: str, setting: Setting, k: int, seed: int) -> tuple[float, float]:
        """Return the sums of squares and of distances of a run."""
        row = {"set": dataset, **setting.to_row(), "k": k, "seed": seed}
        key = tuple(str(value) for value in row.values())
        if key not in self._found:
            if self.data is None:
                raise NotRunError(", ".join(key))
            graphs = paper_graphs(dataset, self.data, setting.weights)[1]
            began = time.process_time()
            self._found[key] = learn(dataset, graphs, setting, k, seed)
            squares, distances = self._found[key]
            self._keep(
                row
                | {
                    "sum_of_squares": f"{squares:.6g}",
                    "sum_of_distances": f"{distances:.6g}",
                    "cpu_seconds": f"{time.process_time() - began:.1f}",
                }
            )
        return self._found[key]

    def _keep(self, row: Mapping[str, Any]) -> None:
        is_new = not self.path.exists()
        with self.path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerow(row)


def learn(dataset: str, graphs: GraphCollection, setting: Setting, k: int, seed: int) -> tuple[float, float]:
    """Run the accelerated algorithm as the paper does; return the sums of d^2 and of d."""
    matcher = "exact" if dataset == "letter" else GraduatedAssignment(beta_end=setting.beta_end)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphQuantWarning)  # code graphs that represent nothing
        quantizer = GraphQuantizer(
            k,
            algorithm="accelerated",
            matcher=matcher,
            init="furthest-first",
            learning_rate=PAPER_RATE,
            max_cycles=CYCLES,
            random_state=seed,
            n_jobs=1,
        ).fit(graphs)
    distance = quantizer.encoding_.distance
    return float((distance**2).sum()), float(distance.sum())


def printed_errors(dataset: str) -> dict[int, list[float]]:
    """Return the errors of the paper, of std and acc, by codebook size."""
    return {
        int(k): [cell["std"]["error"], cell["acc"]["error"]]
        for k, cell in load_expected("table2")[dataset].items()
    }


def misfit(errors: Mapping[int, float], printed: Mapping[int, list[float]]) -> float:
    """Return the mean of |log(error / printed error)|.

    Examples
    --------
    >>> round(misfit({2: 10.0}, {2: [5.0, 20.0]}), 3)
    0.693
    """
    logs = [abs(math.log(max(errors[k], 1e-9) / one)) for k in errors for one in printed[k]]
    return sum(logs) / len(logs)


@dataclass(frozen=True)
class Tried:
    """A setting that was tried: its misfit with the best meaning of "error", this meaning, and its errors."""

    setting: Setting
    misfit: float
    measure: str
    errors: Mapping[int, float]


def judge(runs: Runs, dataset: str, setting: Setting) -> Tried:
    """Try a setting."""
    sums = {k: [runs.sums(dataset, setting, k, seed) for seed in SEEDS] for k in CODES[dataset]}
    printed = printed_errors(dataset)
    found = []
    for name, measure in MEASURES.items():
        errors = {k: min(measure(*one) for one in several) for k, several in sums.items()}
        found.append(Tried(setting, misfit(errors, printed), name, errors))
    return min(found, key=lambda tried: tried.misfit)


def search(runs: Runs, dataset: str) -> Iterator[Tried]:
    """Yield every setting when it is first tried; the best one is that of the least misfit."""
    space = SPACES[dataset]
    best = judge(runs, dataset, space.start)
    yield best
    seen, moved = {space.start}, True
    while moved:
        moved = False
        for choice, values in space.choices.items():
            for value in values:
                setting = best.setting.vary(choice, value)
                if setting in seen:
                    continue
                seen.add(setting)
                tried = judge(runs, dataset, setting)
                yield tried
                if tried.misfit < best.misfit:
                    best, moved = tried, True


def replay(runs: Runs, dataset: str) -> tuple[list[Tried], bool]:
    """Return the settings of a search that are in the file, and whether it had ended."""
    tried: list[Tried] = []
    try:
        tried.extend(search(runs, dataset))
    except NotRunError:
        return tried, False
    return tried, True


def best_of(tried: Iterable[Tried]) -> Tried:
    """Return the setting of the least misfit."""
    return min(tried, key=lambda one: one.misfit)


def main(arguments: list[str]) -> None:
    path, *sets = arguments
    runs = Runs(Path(path), os.environ["GRAPHQUANT_DATA"])
    for dataset in sets or CODES:
        for tried in search(runs, dataset):
            listed = " / ".join(f"{error:.3g}" for error in tried.errors.values())
            print(
                f"{dataset}: misfit {tried.misfit:.3f}, {tried.measure}: {listed}; {tried.setting}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
