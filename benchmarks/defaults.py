"""How results depend on the defaults: ``python -m benchmarks.defaults > docs/results/defaults.md``.

GRAPHQUANT_DATA is the folder of the IAM zips. Names of studies leave out the others.
"""

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from sklearn.base import clone

import graphquant as gq
from benchmarks._letters import letters_on_circles
from graphquant._core.medoids import swap_medoids
from graphquant._typing import FloatArray, IntArray
from graphquant.datasets import Dataset, load_iam
from graphquant.experiments._provenance import describe_provenance, provenance
from graphquant.initialisation import medoids
from graphquant.metrics import majority_accuracy
from graphquant.preprocessing import unit_norm

CODES, SEEDS = (15, 30, 45), 3
MANY_CODES, MANY_PER_CLASS = (15, 50, 100), 667
PAPER_CODES = {"grec": (22, 33, 44), "fingerprint": (15, 30, 60)}
MOLECULES, MOLECULE_CODES = 1000, (10, 30)

Setting = dict[str, Any]

CYCLES: dict[str, Setting] = {
    "5 or 6 cycles, rate 0.05 to 0.001 (the defaults)": {},
    **{f"{n} cycles": {"max_cycles": n} for n in (10, 20, 50, 150)},
    "rate 0.1 to 0.001": {"learning_rate": "linear"},
    "rate 0.025 to 0.001": {"learning_rate": (0.025, 0.001)},
    "rate harmonic": {"learning_rate": "harmonic"},
}
MANY_CYCLES: dict[str, Setting] = {
    "the defaults": {},
    **{f"{n} cycles": {"max_cycles": n} for n in (2, 3, 5, 10)},
}
# Graphs of the sample for each code, at most.
SAMPLES = {"40 for each code (the default)": 40, "20 for each code": 20, "80 for each code": 80}
PROOFS: dict[str, Setting] = {"the defaults": {}, "AutoMatcher()": {"matcher": gq.AutoMatcher()}}
LARGE_CYCLES: dict[str, Setting] = {"the defaults (5 cycles)": {}, "3 cycles": {"max_cycles": 3}}


def cell(data: Dataset, setting: Setting, codes: tuple[int, ...], seeds: int) -> list[str]:
    """Learn with all numbers of codes: mean accuracy, distortion and CPU seconds of each."""
    columns: list[list[float]] = [[], [], []]
    for n_codes in codes:
        found = []
        for seed in range(seeds):
            began = time.process_time()
            q = gq.GraphQuantizer(n_codes, random_state=seed, n_jobs=1, **setting).fit(data)
            seconds = time.process_time() - began
            found.append(
                (100.0 * majority_accuracy(labels=q.labels_, targets=data.targets), q.distortion_, seconds)
            )
        for column, value in zip(columns, np.mean(found, axis=0), strict=True):
            column.append(float(value))
    return [
        " / ".join(f"{value:{form}}" for value in column)
        for column, form in zip(columns, (".1f", ".0f", ".2f"), strict=True)
    ]


def rows(
    sets: dict[str, Dataset], settings: dict[str, Setting], codes: tuple[int, ...], seeds: int = SEEDS
) -> None:
    """Print the rows of a table."""
    for title, setting in settings.items():
        for name, data in sets.items():
            print("|", " | ".join([title, name, *cell(data, setting, codes, seeds)]), "|", flush=True)


def small_sets(path: str) -> dict[str, Dataset]:
    """Load letters of three distortions."""
    sets = {name: load_iam(name, path) for name in ("letter", "letter-med")}
    return sets | {"letters:high": letters_on_circles(50, "high", random_state=1)}


def unused_grec(path: str) -> Dataset:
    """Load the graphs of GREC that are not in the paper's set."""
    data = load_iam("grec", path, split="all")
    return part(data, np.arange(len(data) - len(load_iam("grec", path))))


def unused_molecules(path: str) -> Dataset:
    """Draw molecules that the comparison with other packages has not drawn."""
    data = load_iam("mutagenicity", path)
    rng = np.random.default_rng(0)
    drawn = rng.choice(len(data), MOLECULES, replace=False)
    rest = np.setdiff1d(np.arange(len(data)), drawn)
    return part(data, np.sort(rng.choice(rest, MOLECULES, replace=False)))


def part(data: Dataset, chosen: Any, **parameters: Any) -> Dataset:
    """Return some graphs, encoded by themselves."""
    assert data.raw is not None
    assert data.targets is not None
    encoder, raw = clone(data.encoder).set_params(**parameters), data.raw[chosen]
    return Dataset(encoder.fit_transform(raw), data.targets[chosen], data.target_names, encoder, raw=raw)


def study_cycles(path: str) -> None:
    rows(small_sets(path), CYCLES, CODES)


def study_many(path: str) -> None:
    many = {
        f"10^4 letters:{distortion}": letters_on_circles(MANY_PER_CLASS, distortion, random_state=1)
        for distortion in ("low", "high")
    }
    rows(many, MANY_CYCLES, MANY_CODES, seeds=1)


def study_samples(path: str) -> None:
    for title, size in SAMPLES.items():
        with patch.object(medoids, "_MOST_PER_CODE", size):
            rows(small_sets(path), {title: {}}, CODES, seeds=10)
            rows({"grec, other graphs": unused_grec(path)}, {title: {}}, PAPER_CODES["grec"])


def study_sum(path: str) -> None:
    grec, molecules = unused_grec(path), unused_molecules(path)
    for title, power in {"distances (the default)": 1, "squared distances": 2}.items():

        def swap(distance: FloatArray, chosen: IntArray, tol: float, power: int = power) -> IntArray:
            return swap_medoids(distance**power, chosen, tol=tol)[0]

        with patch.object(medoids, "swap", swap):
            rows(small_sets(path), {title: {}}, CODES)
            rows({"grec, other graphs": grec}, {title: {}}, PAPER_CODES["grec"])
            rows({"fingerprint": load_iam("fingerprint", path)}, {title: {}}, PAPER_CODES["fingerprint"])
            rows({"Mutagenicity, other graphs": molecules}, {title: {}}, MOLECULE_CODES, seeds=2)


def study_proofs(path: str) -> None:
    for name, codes in PAPER_CODES.items():
        rows({name: load_iam(name, path)}, PROOFS, codes)


def study_balance(path: str) -> None:
    grec, molecules = unused_grec(path), unused_molecules(path)
    for balance in (True, False):
        title = f"balance={balance}{' (the default)' if balance else ''}"
        drawings, other = (part(data, np.arange(len(data)), balance=balance) for data in (grec, molecules))
        rows({"grec, other graphs": drawings}, {title: {}}, PAPER_CODES["grec"])
        rows({"Mutagenicity, other graphs": other}, {title: {}}, MOLECULE_CODES, seeds=1)


def study_norm(path: str) -> None:
    grec, molecules = unused_grec(path), unused_molecules(path)

    def scaled(data: Dataset, scale: bool) -> Dataset:
        graphs = unit_norm(data.graphs) if scale else data.graphs
        return Dataset(graphs, data.targets, data.target_names)

    for title, scale in {"as they are (the default)": False, "unit norm": True}.items():
        small = {name: scaled(data, scale) for name, data in small_sets(path).items()}
        rows(small, {title: {}}, CODES)
        rows({"grec, other graphs": scaled(grec, scale)}, {title: {}}, PAPER_CODES["grec"])
        rows({"Mutagenicity, other graphs": scaled(molecules, scale)}, {title: {}}, MOLECULE_CODES, seeds=1)


def study_large(path: str) -> None:
    rows({"Mutagenicity, other graphs": unused_molecules(path)}, LARGE_CYCLES, MOLECULE_CODES, seeds=1)


@dataclass(frozen=True)
class Study:
    """What is varied and why, and the rows of the table."""

    title: str
    text: str
    rows: Callable[[str], None]


STUDIES = {
    "cycles": Study(
        "Cycles and learning rate",
        """\
k = 15 / 30 / 45, mean of 3 seeds. letters:high are built-in letters.""",
        study_cycles,
    ),
    "many": Study(
        "Cycles of many graphs",
        """\
k = 15 / 50 / 100, one seed. By default there are as many cycles as give 2000 presentations to each code
graph, at least 3 and at most 5.""",
        study_many,
    ),
    "samples": Study(
        "Sample of the medoid start",
        """\
Graphs of the sample for each code, up to 1000 in all. k = 15 / 30 / 45, mean of 10 seeds, and on
grec 22 / 33 / 44, mean of 3. Other graphs are in no comparison with other packages.""",
        study_samples,
    ),
    "sum": Study(
        "What medoids are the least sum of",
        """\
k = 15 / 30 / 45 on letters, 22 / 33 / 44 on grec, 15 / 30 / 60 on fingerprint, 10 / 30 on Mutagenicity; mean
of 3 seeds, on Mutagenicity of 2. Other graphs are in no comparison with other packages.""",
        study_sum,
    ),
    "proofs": Study(
        "Proofs while learning",
        """\
The matcher "auto" of the learner beside `AutoMatcher()`, which spends more on proofs of pairs of more than
8 nodes. k = 22 / 33 / 44 on grec, 15 / 30 / 60 on fingerprint; mean of 3 seeds.""",
        study_proofs,
    ),
    "balance": Study(
        "Balanced attributes",
        """\
On graphs that are in no other comparison: all of GREC but the paper's, and 1,000 molecules. k = 22 / 33 / 44,
mean of 3 seeds, and 10 / 30, one seed. Distortions of different encodings do not compare.""",
        study_balance,
    ),
    "norm": Study(
        "Graphs scaled to unit norm",
        """\
k = 15 / 30 / 45 on letters, 22 / 33 / 44 on grec, 10 / 30 on Mutagenicity; mean of 3 seeds, on Mutagenicity
one. Distortions of different scales do not compare.""",
        study_norm,
    ),
    "large": Study("Cycles of large graphs", "k = 10 / 30, one seed.", study_large),
}


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.defaults")
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"{', '.join(STUDIES)}; by default all")
    chosen = parser.parse_args().studies or list(STUDIES)
    unknown = [name for name in chosen if name not in STUDIES]
    if unknown:
        parser.error(f"unknown study {unknown[0]!r}; known: {', '.join(STUDIES)}")
    print("# The defaults, and what else was tried\n")
    print(f"Printed by `python -m benchmarks.defaults`; one core. {describe_provenance(provenance())}")
    for name in chosen:
        study = STUDIES[name]
        print(f"\n## {study.title}\n\n{study.text}\n")
        print("| setting | set | accuracy, % | distortion | CPU s |\n|---|---|---|---|---|")
        study.rows(os.environ["GRAPHQUANT_DATA"])


if __name__ == "__main__":
    main()
