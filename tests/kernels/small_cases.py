"""Runs that are small enough to be interpreted, and what they may cost.

``python -m tests.kernels.small_cases`` writes the ceilings again, after a change that is meant to cost more.
"""

import json
from pathlib import Path

import numpy as np

from tests.quantizers.watched_runs import watch
from tests.reference.random_graphs import KINDS

CEILINGS = Path(__file__).with_name("small_cases.json")
N_CODES, N_CYCLES = 3, 6
# Without movement (rate 0), equal distances stay equal: ties must go to the lowest index.
KINDS_AND_RATES = (
    ("ties", 0.4),
    ("ties-non-negative", 0.0),
    ("ties-directed", 0.0),
    ("sparse", "linear"),
    ("directed", "harmonic"),
    ("grouped", 0.2),
)
# What "lossless" does if memory is short.
SHARED = "shared bounds"
CASES = {
    f"{algorithm}, {kind}, {rate}": (algorithm, kind, rate)
    for algorithm in ("lossless", SHARED, "fast", "accelerated")
    for kind, rate in KINDS_AND_RATES
}


def options_of(algorithm):
    """Return the name of an algorithm and further options of its run."""
    return ("lossless", {"n_families": 2}) if algorithm == SHARED else (algorithm, {})


def learn(algorithm, kind, rate):
    """Learn twelve graphs of up to three nodes; the run and its trace."""
    X = KINDS[kind].collection(np.random.default_rng(31), 12, 1, 3)
    name, more = options_of(algorithm)
    options = {"init": X[:N_CODES], "matcher": "exact", "seed": 3, **more}
    return watch(X, N_CODES, name, learning_rate=rate, max_cycles=N_CYCLES, **options)


def cost(run):
    """Matchings and bounds of all cycles."""
    return [sum(c.n_matchings for c in run.cycles), sum(c.n_bounds for c in run.cycles)]


if __name__ == "__main__":
    ceilings = {name: cost(learn(*case)[0]) for name, case in CASES.items()}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in ceilings.items())
    CEILINGS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
