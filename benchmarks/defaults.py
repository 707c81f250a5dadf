"""How results depend on cycles and learning rate: ``python -m benchmarks.defaults``, GRAPHQUANT_DATA set.

Letters of low and medium distortion of the IAM database, and built-in ones of high distortion, which served
to choose nothing; then 10^4 built-in letters, for the cycles that many graphs need. This is the study that
the defaults of ``max_cycles`` and ``learning_rate`` come from; docs/results/README.md has its tables.
"""

import os
import time
from typing import Any

import numpy as np

import graphquant as gq
from graphquant.datasets import Dataset
from graphquant.metrics import majority_accuracy

CODES, SEEDS = (15, 30, 45), 3
MANY_CODES, MANY_PER_CLASS, MANY_SEEDS = (15, 50, 100), 667, 2
RATE = (0.025, 0.001)
SETTINGS: dict[str, dict[str, Any]] = {
    "5 cycles": {"max_cycles": 5, "learning_rate": RATE},
    "10 cycles": {"max_cycles": 10, "learning_rate": RATE},
    "20 cycles, rate 0.025 to 0.001 (the defaults)": {},
    "50 cycles": {"max_cycles": 50, "learning_rate": RATE},
    "150 cycles": {"max_cycles": 150, "learning_rate": RATE},
    "rate 0.1 to 0.001": {"learning_rate": "linear"},
    "rate 0.05 to 0.001": {"learning_rate": (0.05, 0.001)},
    "rate 0.015 to 0.001": {"learning_rate": (0.015, 0.001)},
    "rate harmonic": {"learning_rate": "harmonic"},
}


MANY_CYCLES: dict[str, dict[str, Any]] = {
    **{f"{n} cycles": {"max_cycles": n, "learning_rate": RATE} for n in (2, 3, 5, 10, 20)},
    "the defaults": {},
}


def cell(data: Dataset, setting: dict[str, Any], codes: tuple[int, ...], seeds: int) -> list[str]:
    """Learn with all numbers of codes: mean accuracy, distortion and CPU seconds of each."""
    columns: list[list[float]] = [[], [], []]
    for n_codes in codes:
        found = []
        for seed in range(seeds):
            began = time.process_time()
            q = gq.GraphQuantizer(n_codes, random_state=seed, n_jobs=1, **setting).fit(data)
            seconds = time.process_time() - began
            found.append((100.0 * majority_accuracy(q.labels_, data.targets), q.distortion_, seconds))
        for column, value in zip(columns, np.mean(found, axis=0), strict=True):
            column.append(float(value))
    return [
        " / ".join(f"{value:{form}}" for value in column)
        for column, form in zip(columns, (".1f", ".0f", ".1f"), strict=True)
    ]


def table(
    sets: dict[str, Dataset], settings: dict[str, dict[str, Any]], codes: tuple[int, ...], seeds: int
) -> None:
    """Print a table."""
    print("| setting | set | accuracy, % | distortion | CPU s |\n|---|---|---|---|---|")
    for title, setting in settings.items():
        for name, data in sets.items():
            print("|", " | ".join([title, name, *cell(data, setting, codes, seeds)]), "|", flush=True)


def main() -> None:
    """Print the tables."""
    path = os.environ["GRAPHQUANT_DATA"]
    sets = {name: gq.datasets.load_iam(name, path) for name in ("letter", "letter-med")}
    sets["letters:high"] = gq.datasets.make_letters(50, "high", random_state=1)
    gq.GraphQuantizer(2, max_cycles=1).fit(sets["letter"].graphs[:10])  # compile
    table(sets, SETTINGS, CODES, SEEDS)
    many = {
        f"10^4 letters:{distortion}": gq.datasets.make_letters(MANY_PER_CLASS, distortion, random_state=1)
        for distortion in ("low", "high")
    }
    table(many, MANY_CYCLES, MANY_CODES, MANY_SEEDS)


if __name__ == "__main__":
    main()
