"""Learning: matchings and seconds against the standard algorithm, memory.

Run ``python -m benchmarks learning``. Graphs are the paper's subsets of the IAM graph database, encoded by
the presets (numeric columns centred). Every run starts from furthest-first and has 150 cycles, as in the
paper. A ratio of matchings is that of k N a cycle, what the standard algorithm takes, to those of learning
and of codebook movement; the start is the same for all and left out. Seconds are CPU seconds of
all cycles, the least of several runs.
"""

import time
import tracemalloc
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import graphquant as gq
from graphquant.initialisation import Start, initialise
from graphquant.learning.driver import Run
from graphquant.learning.fitting import GraphsInMemory
from graphquant.learning.in_memory import InMemory
from graphquant.learning.plan import ALGORITHMS, Plan
from graphquant.matching import get_matcher

N_CYCLES = 150
REPEATS = 3
# The standard algorithm takes as long in every cycle: its seconds are told from some of them.
STANDARD_CYCLES = {"letter": 10, "grec": 1, "fingerprint": 1, "molecules": 1}
SEEDS, QUALITY_CYCLES = range(5), 20

Record = dict[str, Any]


@dataclass(frozen=True)
class Promise:
    """What is promised of one size of the codebook on letters: ratios to the standard algorithm."""

    n_codes: int
    matchings: dict[str, float]  # linear rate
    harmonic: float  # matchings of lossless
    wall: float  # seconds of lossless, linear rate


LETTER = (
    Promise(15, {"accelerated": 6.5, "lossless": 16.0, "fast": 22.0}, 200.0, 5.0),
    Promise(30, {"accelerated": 15.0, "lossless": 55.0, "fast": 75.0}, 400.0, 14.0),
    Promise(45, {"accelerated": 26.0, "lossless": 120.0, "fast": 170.0}, 600.0, 25.0),
)
# Matchings of "fast".
OTHERS = {
    "grec": ((22, 12.0), (33, 25.0), (44, 40.0)),
    "fingerprint": ((15, 15.0), (30, 60.0), (60, 200.0)),
    "molecules": ((2, 3.0), (6, 6.0), (10, 10.0)),
}
PAPER = {
    "letter": {15: 7.5, 30: 19.6, 45: 34.7},
    "grec": {22: 4.7, 33: 8.7, 44: 12.2},
    "fingerprint": {15: 4.5, 30: 19.9, 60: 66.3},
    "molecules": {2: 1.1, 6: 1.6, 10: 2.4},
}


@dataclass(frozen=True)
class Learnt:
    """A run from a given start to its end."""

    run: Run
    cycle_seconds: list[float]

    @property
    def seconds(self) -> float:
        return sum(self.cycle_seconds)

    @property
    def ratio(self) -> float:
        """Matchings of the standard algorithm over those of this one."""
        cycles = self.run.cycles
        all_pairs = self.run.training.n_graphs * len(self.run.codes) * len(cycles)
        return all_pairs / sum(cycle.n_matchings + cycle.n_shift_matchings for cycle in cycles)

    def distortion(self) -> float:
        """Of the final codebook, exactly."""
        return self.run.encode().distortion


def new_start(graphs: gq.GraphCollection, n_codes: int, init: str = "furthest-first", seed: int = 0) -> Start:
    return initialise(init, graphs, n_codes, random_state=seed)


def new_run(
    graphs: gq.GraphCollection, start: Start, algorithm: str, rate: str = "linear", seed: int = 0
) -> Run:
    plan = Plan(algorithm, rate, N_CYCLES)
    # A run takes over the bounds of its start, and changes them.
    own = replace(start, lower=start.lower.copy())
    return GraphsInMemory(graphs, plan, get_matcher("auto")).new_run(own, None, np.random.default_rng(seed))


def learn(
    graphs: gq.GraphCollection,
    start: Start,
    algorithm: str,
    rate: str = "linear",
    *,
    n_cycles: int = N_CYCLES,
    seed: int = 0,
) -> Learnt:
    """Learn on one thread; ``n_cycles`` may be fewer than the learning rate is for."""
    run = new_run(graphs, start, algorithm, rate, seed)
    seconds = []
    for _ in range(n_cycles):
        began = time.process_time()
        run.learn_once()
        seconds.append(time.process_time() - began)
    return Learnt(run, seconds)


def best_of(repeats: int, job: Callable[[], Learnt]) -> Learnt:
    return min((job() for _ in range(repeats)), key=lambda learnt: learnt.seconds)


def standard_seconds(graphs: gq.GraphCollection, start: Start, n_cycles: int) -> float:
    """Seconds of all cycles of the standard algorithm, from some of them: all cost about the same."""
    return learn(graphs, start, "standard", n_cycles=n_cycles).seconds * N_CYCLES / n_cycles


def warm_up(graphs: gq.GraphCollection) -> None:
    start = new_start(graphs[:20], 2)
    for algorithm in ALGORITHMS:
        learn(graphs[:20], start, algorithm, n_cycles=1).distortion()


def bench_letter(graphs: gq.GraphCollection, promise: Promise) -> list[Record]:
    """One column of the paper's table on letters, for all algorithms and two rates."""
    k, records = promise.n_codes, []
    start = new_start(graphs, k)
    baseline = standard_seconds(graphs, start, STANDARD_CYCLES["letter"])
    for algorithm, rate in product(("accelerated", "lossless", "fast"), ("linear", "harmonic")):
        found = best_of(REPEATS, partial(learn, graphs, start, algorithm, rate))
        record: Record = {
            "benchmark": f"letter k={k}: {algorithm}, {rate}",
            "measured": found.ratio,
            "unit": "x fewer matchings",
        }
        if rate == "linear":
            record |= {"at_least": promise.matchings[algorithm], "paper": PAPER["letter"][k]}
        elif algorithm == "lossless":
            record["at_least"] = promise.harmonic
        n_bounds = sum(cycle.n_bounds for cycle in found.run.cycles)
        records.append(
            record
            | {
                "wall_ratio": baseline / found.seconds,
                "seconds": found.seconds,
                "bounds_a_presentation": n_bounds / (len(graphs) * N_CYCLES),
                "distortion": found.distortion(),
            }
        )
        if algorithm == "lossless" and rate == "linear":
            records.append(
                {
                    "benchmark": f"letter k={k}: lossless, seconds of standard over its own",
                    "measured": baseline / found.seconds,
                    "unit": "x",
                    "at_least": promise.wall,
                    "standard_seconds": baseline,
                }
            )
    return records


def bench_whole_fit(graphs: gq.GraphCollection, n_codes: int) -> Record:
    """A fit as a user calls it, start and labels included, on one thread."""
    settings = {"init": "furthest-first", "max_cycles": N_CYCLES, "random_state": 0, "n_jobs": 1}
    seconds = []
    for _ in range(REPEATS):
        began = time.process_time()
        gq.GraphQuantizer(n_codes, **settings).fit(graphs)
        seconds.append(time.process_time() - began)
    return {
        "benchmark": f"letter k={n_codes}: lossless, whole fit on one core",
        "measured": min(seconds),
        "unit": "s",
        "at_most": 3.0,
    }


def bench_fast(name: str, graphs: gq.GraphCollection, n_codes: int, least: float) -> Record:
    """Measure ``fast`` on larger graphs."""
    start = new_start(graphs, n_codes)
    baseline = standard_seconds(graphs, start, STANDARD_CYCLES[name])
    found = learn(graphs, start, "fast")
    return {
        "benchmark": f"{name} k={n_codes}: fast, linear",
        "measured": found.ratio,
        "unit": "x fewer matchings",
        "at_least": least,
        "paper": PAPER[name][n_codes],
        "wall_ratio": baseline / found.seconds,
        "seconds": found.seconds,
        "distortion": found.distortion(),
    }


def bench_quality(name: str, graphs: gq.GraphCollection, n_codes: int, n_cycles: int) -> Record:
    """Mean distortion of ``fast`` over seeds, against the mean and the spread of the standard algorithm.

    The latter is computed by ``lossless``, which gives the same codebooks.
    """
    starts = {seed: new_start(graphs, n_codes, "random", seed) for seed in SEEDS}

    def distortions(algorithm: str) -> np.ndarray:
        return np.array(
            [
                learn(graphs, start, algorithm, n_cycles=n_cycles, seed=seed).distortion()
                for seed, start in starts.items()
            ]
        )

    expected, found = distortions("lossless"), distortions("fast")
    return {
        "benchmark": f"{name} k={n_codes}: distortion of fast above standard's, {n_cycles} cycles",
        "measured": float(found.mean() - expected.mean()),
        "unit": "",
        "at_most": float(expected.std(ddof=1)),
        "standard": float(expected.mean()),
        "seeds": len(SEEDS),
    }


def peak_bytes(graphs: gq.GraphCollection, n_codes: int) -> int:
    """Most that a fit holds beside the collection that it was given."""
    q = gq.GraphQuantizer(n_codes, init="random", max_cycles=1, random_state=0, n_jobs=1)
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gq.exceptions.GraphQuantWarning)
        q.fit(graphs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def bench_memory(name: str, graphs: gq.GraphCollection) -> list[Record]:
    """Bytes for each (graph, code) pair and each node: how the peak grows with codes and with graphs."""
    few, many = (graphs[np.arange(size) % len(graphs)].packed() for size in (10_000, 20_000))
    n_more = len(many) - len(few)
    by_codes = {k: (peak_bytes(many, k) - peak_bytes(few, k)) / n_more for k in (10, 40)}
    per_pair = (by_codes[40] - by_codes[10]) / 30
    per_node = (by_codes[10] - 10 * per_pair) / (len(many.node_attrs) / len(many))
    # What is kept for good.
    training = new_run(few, new_start(few, 10, "random"), "lossless").training
    assert isinstance(training, InMemory)
    kept = training.learner.core.arrays
    by_graph = (
        "sq_norm",
        "label",
        "mapping",
        "presented_sq",
        "certified_sq",
        "second_lower",
        "second_snapshot",
    )
    kept_per_pair = (kept["lower"].nbytes + kept["lower_snapshot"].nbytes) / kept["lower"].size
    kept_per_node = sum(kept[array].nbytes for array in by_graph) / len(few.node_attrs)
    return [
        {
            "benchmark": f"{name}: peak memory of a fit, a (graph, code) pair",
            "measured": per_pair,
            "unit": "bytes",
            "at_most": 16.0,
            "kept": kept_per_pair,
        },
        {
            "benchmark": f"{name}: peak memory of a fit, a node",
            "measured": per_node,
            "unit": "bytes",
            "at_most": 40.0,
            "kept": kept_per_node,
        },
    ]


def run(data: Path | None) -> list[Record]:
    """Measure; nothing without the data."""
    if data is None:
        return []
    letter = gq.datasets.load_iam("letter", data, encoder="linear").graphs
    warm_up(letter)
    records = [record for promise in LETTER for record in bench_letter(letter, promise)]
    records += [
        bench_whole_fit(letter, 45),
        *bench_memory("letter", letter),
    ]
    for name, promises in OTHERS.items():
        graphs = gq.datasets.load_iam(name, data, encoder="linear").graphs
        warm_up(graphs)
        records += [bench_fast(name, graphs, n_codes, least) for n_codes, least in promises]
        records.append(bench_quality(name, graphs, promises[0][0], QUALITY_CYCLES))
    return records
