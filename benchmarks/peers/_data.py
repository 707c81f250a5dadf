"""The data sets of the comparison: the same encoded graphs for every route."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.base import clone

import graphquant as gq
from benchmarks._letters import letters_on_circles
from graphquant.datasets import load_iam

SAMPLE_SEED = 0


@dataclass(frozen=True)
class TaskSet:
    """A data set and the numbers of clusters asked for; those of the paper where it has the set."""

    name: str
    title: str
    ks: tuple[int, ...]
    has_coordinates: bool = True
    n_sampled: int | None = None
    # Built-in letters for the growth of time and memory; the other sets are read from files.
    n_per_class: int | None = None

    @property
    def is_growth(self) -> bool:
        return self.n_per_class is not None

    @property
    def n_graphs(self) -> int:
        """Number of built-in letters; 0 if the files tell."""
        return 15 * (self.n_per_class or 0)


SETS = (
    TaskSet("letter", "Letter LOW", (15, 30, 45)),
    TaskSet("letter-med", "Letter MED", (15, 30, 45)),
    TaskSet("grec", "GREC", (22, 33, 44)),
    TaskSet("fingerprint", "Fingerprint", (15, 30, 60)),
    TaskSet("molecules", "molecules", (2, 6, 10), has_coordinates=False),
    TaskSet("mutagenicity", "Mutagenicity, 1,000 graphs", (2, 10, 30), has_coordinates=False, n_sampled=1000),
)
# A little more than the round numbers: there are 15 classes.
GROWTH = tuple(
    TaskSet(f"letters-1e{power}", f"built-in letters, 10^{power}", (15,), n_per_class=-(-(10**power) // 15))
    for power in (3, 4, 5, 6)
)
# The largest take longest: they are started early, after the letters, which tell the settings for them.
ALL = SETS[:1] + GROWTH[::-1] + SETS[1:]
BY_NAME = {task.name: task for task in ALL}


@cache
def load(name: str, data: Path | None, raw: bool = False) -> gq.Dataset:
    """Load a data set with the encoding that graphquant gives by default; ``raw`` leaves out the centring.

    Files are encoded by the presets of ``load_iam``: they name the attributes, all else is default.
    """
    task = BY_NAME[name]
    if task.n_per_class is not None:
        dataset = letters_on_circles(task.n_per_class, random_state=SAMPLE_SEED)
    else:
        dataset = load_iam(name, data)
    if task.n_sampled is not None:
        dataset = _sample(dataset, task.n_sampled)
    return _uncentred(dataset) if raw else dataset


def _sample(dataset: gq.Dataset, size: int) -> gq.Dataset:
    """Draw graphs, and fit the encoder on them alone."""
    assert dataset.raw is not None
    assert dataset.targets is not None
    rng = np.random.default_rng(SAMPLE_SEED)
    chosen = np.sort(rng.choice(len(dataset), size, replace=False))
    part = dataset.raw[chosen]
    encoder = clone(dataset.encoder)
    return gq.Dataset(
        encoder.fit_transform(part), dataset.targets[chosen], dataset.target_names, encoder, raw=part
    )


def _uncentred(dataset: gq.Dataset) -> gq.Dataset:
    encoder = clone(dataset.encoder).set_params(center=False)
    graphs = encoder.fit_transform(dataset.raw)
    return gq.Dataset(graphs, dataset.targets, dataset.target_names, encoder, raw=dataset.raw)
