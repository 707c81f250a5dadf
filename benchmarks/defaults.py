"""How results depend on the defaults: ``python -m benchmarks.defaults``, GRAPHQUANT_DATA set.

- cycles: cycles and learning rate, on letters of low and medium distortion of the IAM database, and built-in
  ones of high distortion, which served to choose nothing;
- many: the cycles that 10^4 built-in letters need;
- sample: how many graphs for each code graph the medoids are chosen from;
- proofs: the matcher "auto" of the learner beside one that spends more on proofs;
- large: the cycles that graphs of 30 nodes need.

Name some of them to leave out the others. docs/results/README.md has the tables of all but the last.
"""

import argparse
import os
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np

import graphquant as gq
from graphquant.datasets import Dataset, load_iam, make_letters
from graphquant.initialisation import medoids
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

SAMPLES = (15, 25, 40, 60)
PROOF_CODES = {"grec": (22, 33, 44), "fingerprint": (15, 30, 60)}
PROOFS: dict[str, dict[str, Any]] = {"the defaults": {}, "AutoMatcher()": {"matcher": gq.AutoMatcher()}}
LARGE_GRAPHS, LARGE_CODES = 1000, (10,)
LARGE_CYCLES: dict[str, dict[str, Any]] = {
    "the defaults (5 cycles)": {},
    "10 cycles": {"max_cycles": 10},
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


def small_sets(path: str) -> dict[str, Dataset]:
    """Load letters of three distortions."""
    sets = {name: load_iam(name, path) for name in ("letter", "letter-med")}
    return sets | {"letters:high": make_letters(50, "high", random_state=1)}


def study_cycles(path: str) -> None:
    table(small_sets(path), SETTINGS, CODES, SEEDS)


def study_many(path: str) -> None:
    many = {
        f"10^4 letters:{distortion}": make_letters(MANY_PER_CLASS, distortion, random_state=1)
        for distortion in ("low", "high")
    }
    table(many, MANY_CYCLES, MANY_CODES, MANY_SEEDS)


def study_sample(path: str) -> None:
    for n_graphs in SAMPLES:
        with patch.object(medoids, "_MOST_PER_CODE", n_graphs):
            table(small_sets(path), {f"medoids of {n_graphs} graphs for each code": {}}, CODES, SEEDS)


def study_proofs(path: str) -> None:
    for name, codes in PROOF_CODES.items():
        table({name: load_iam(name, path)}, PROOFS, codes, SEEDS)


def study_large(path: str) -> None:
    data = load_iam("mutagenicity", path)
    assert data.targets is not None
    chosen = np.sort(np.random.default_rng(0).choice(len(data), LARGE_GRAPHS, replace=False))
    sample = Dataset(data.graphs[chosen], data.targets[chosen], data.target_names)
    table({f"{LARGE_GRAPHS} of Mutagenicity": sample}, LARGE_CYCLES, LARGE_CODES, 1)


STUDIES: dict[str, Callable[[str], None]] = {
    "cycles": study_cycles,
    "many": study_many,
    "sample": study_sample,
    "proofs": study_proofs,
    "large": study_large,
}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.defaults")
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"{', '.join(STUDIES)}; by default all")
    chosen = parser.parse_args().studies or list(STUDIES)
    unknown = [name for name in chosen if name not in STUDIES]
    if unknown:
        parser.error(f"unknown study {unknown[0]!r}; known: {', '.join(STUDIES)}")
    gq.GraphQuantizer(2, max_cycles=1).fit(make_letters(1).graphs)  # compile
    for name in chosen:
        print(f"\n{name}\n")
        STUDIES[name](os.environ["GRAPHQUANT_DATA"])


if __name__ == "__main__":
    main()
