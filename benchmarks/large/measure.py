"""Measure one part with the graphquant of this Python: ``python measure.py PART DATA``; JSON on stdout.

The file is run by its path and imports nothing of ``benchmarks`` but what lies beside it, so that the Python
of an old graphquant can run it. Times are CPU seconds of one thread.
"""

import json
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.optimize import quadratic_assignment

import graphquant as gq
import graphs as made  # beside this file
from graphquant.metrics import majority_accuracy

Record = dict[str, Any]
# Distances are equal if they differ by no more than this share.
CLOSE = 1e-7


def record(benchmark: str, measured: float, unit: str, **details: Any) -> Record:
    return {"benchmark": benchmark, "measured": float(measured), "unit": unit, **details}


def cpu_of(job: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, float]:
    began = time.process_time()
    found = job(*arguments, **options)
    return found, time.process_time() - began


def percent(flags: Any) -> float:
    return float(np.mean(flags)) * 100.0


def match_each(X: Any, Y: Any, pairs: np.ndarray, matcher: Any) -> tuple[Record, np.ndarray]:
    """Match pairs one by one: arrays of distances and proofs, and CPU milliseconds of each."""
    found: Record = {"distance": [], "lower_bound": [], "proven": []}
    seconds = []
    gq.match_all(X, Y, pairs[:1], matcher, n_jobs=1)
    for pair in pairs:
        match, cpu = cpu_of(gq.match_all, X, Y, pair[None], matcher, n_jobs=1)
        for name, values in found.items():
            values.append(getattr(match, name)[0])
        seconds.append(cpu)
    return {name: np.array(values) for name, values in found.items()}, np.array(seconds) * 1e3


# ---- fits ----


def fit(algorithm: str, split: str, data: str) -> Iterator[Record]:
    every, classes = made.mutagenicity(data, split)
    chosen = made.sample(every, 1000, 0)
    graphs, targets = every[chosen], classes[chosen]
    for k in (2, 10, 30):
        options = {} if algorithm == "defaults" else {"algorithm": algorithm}
        q, cpu = cpu_of(gq.GraphQuantizer(k, random_state=0, n_jobs=1, **options).fit, graphs)
        yield record(
            f"fit of 1,000 Mutagenicity graphs ({split}), {algorithm}, k = {k}",
            cpu,
            "CPU s",
            distortion=q.distortion_,
            accuracy=100.0 * majority_accuracy(labels=q.labels_, targets=targets),
            matchings=q.n_matchings_,
        )


def fits(data: str) -> Iterator[Record]:
    """``fast`` was tuned on the training split; the test split judges."""
    for split in ("train", "test"):
        yield from fit("defaults", split, data)


def fits_lossless(data: str) -> Iterator[Record]:
    yield from fit("lossless", "train", data)


# ---- pairs ----


def pair_records(name: str, graphs: Any, seed: int, count: int) -> Iterator[Record]:
    pairs = made.random_pairs(len(graphs), count, seed)
    found, each = match_each(graphs, graphs, pairs, gq.AutoMatcher())
    details = {"p99_ms": float(np.percentile(each, 99)), "max_ms": float(each.max()), "seed": seed}
    yield record(f"{name}: proven by auto", percent(found["proven"]), "% of pairs", pairs=count)
    yield record(f"{name}: auto", each.mean(), "CPU ms a pair", **details)


def pairs(data: str) -> Iterator[Record]:
    """Seed 0 served to choose budgets, seed 1 judges; so does the test split."""
    molecules = made.paper("molecules", data)
    for seed in (0, 1):
        yield from pair_records(f"paper's molecules, seed {seed}", molecules, seed, 1000)
    for split in ("train", "test"):
        yield from pair_records(f"Mutagenicity, {split}", made.mutagenicity(data, split)[0], 0, 1000)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    yield record("memory of a process that matches pairs of up to 417 nodes, peak", peak, "MB")


def exact(data: str) -> Iterator[Record]:
    """CPU time counts: the limit by the clock is wide, since other processes may share the machine."""
    every, _ = made.mutagenicity(data, "test")
    sets = (
        ("paper's molecules", made.paper("molecules", data), 1),
        ("Mutagenicity up to 60 nodes", every[np.flatnonzero(every.orders <= 60)], 2),
        ("benzenoids", gq.GraphCollection(made.benzenoids(120, 3)), 3),
    )
    for name, graphs, seed in sets:
        pairs = made.random_pairs(len(graphs), 200, seed)
        found, each = match_each(graphs, graphs, pairs, gq.ExactMatcher(time_limit=2.0))
        for limit in (100.0, 1000.0):
            yield record(
                f"{name}: proven by exact within {limit:.0f} ms of CPU",
                percent(found["proven"] & (each <= limit)),
                "% of pairs",
                pairs=len(pairs),
            )
        yield record(f"{name}: exact", each.mean(), "CPU ms a pair", p99_ms=float(np.percentile(each, 99)))


def approximate(data: str) -> Iterator[Record]:
    molecules = made.paper("molecules", data)
    pairs = made.random_pairs(len(molecules), 200, 4)
    best = gq.match_all(molecules, molecules, pairs, gq.ExactMatcher(time_limit=1.0), n_jobs=1).distance
    found, _ = match_each(molecules, molecules, pairs, gq.FrankWolfe())
    best = np.minimum(best, found["distance"])
    above = (found["distance"].mean() / best.mean() - 1.0) * 100.0
    yield record(
        "paper's molecules: Frank-Wolfe above the best known",
        above,
        "%",
        optimal=percent(found["distance"] <= best * (1.0 + CLOSE)),
    )
    many = made.random_pairs(len(molecules), 2000, 4)
    _, cpu = cpu_of(gq.match_all, molecules, molecules, many, gq.FrankWolfe(), n_jobs=1)
    yield record("paper's molecules: Frank-Wolfe", cpu / len(many) * 1e3, "CPU ms a pair")
    # Its successor: the dual, without a search.
    quick = gq.AutoMatcher(node_limit=0)
    found, _ = match_each(molecules, molecules, pairs, quick)
    above = (found["distance"].mean() / np.minimum(best, found["distance"]).mean() - 1.0) * 100.0
    yield record("paper's molecules: auto without search above the best known", above, "%")
    _, cpu = cpu_of(gq.match_all, molecules, molecules, many, quick, n_jobs=1)
    yield record("paper's molecules: auto without search", cpu / len(many) * 1e3, "CPU ms a pair")


# ---- symmetric graphs ----


def symmetric(data: str) -> Iterator[Record]:
    """Half of the graphs are benzenoids, half have rings of 5 to 7."""
    n_graphs, copies = 500, 20
    graphs = made.benzenoids(n_graphs // 2, 5, (5, 10)) + made.polycyclics(n_graphs // 2, 5)
    rng = np.random.default_rng(6)
    again = [made.renumbered(x, rng) for x in graphs for _ in range(copies)]
    X, Y = gq.GraphCollection(graphs), gq.GraphCollection(again)
    pairs = np.column_stack([np.repeat(np.arange(n_graphs), copies), np.arange(n_graphs * copies)])
    count = min(len(pairs), int(os.environ.get("GRAPHQUANT_COPIES", len(pairs))))
    found, cpu = cpu_of(gq.match_all, X, Y, pairs[:: len(pairs) // count], gq.AutoMatcher(), n_jobs=1)
    is_right = found.proven & (found.distance == 0.0)
    yield record("isomorphic copies of all-carbon graphs: wrong", (~is_right).sum(), f"of {len(found)} pairs")
    yield record("isomorphic copies of all-carbon graphs: auto", cpu / len(found) * 1e3, "CPU ms a pair")
    for name, seed in (("benzenoids", 7), ("rings of 5 to 7", 8)):
        some = made.benzenoids(100, seed, (5, 10)) if name == "benzenoids" else made.polycyclics(100, seed)
        yield from pair_records(name, gq.GraphCollection(some), seed, 300)


def renumbering(data: str) -> Iterator[Record]:
    sets = (
        ("paper's molecules", made.paper("molecules", data)),
        ("Mutagenicity", made.mutagenicity(data, "test")[0]),
    )
    for name, graphs in sets:
        pairs = made.random_pairs(len(graphs), 400, 9)
        rng = np.random.default_rng(9)
        first = gq.GraphCollection([made.renumbered(graphs[int(i)], rng) for i in pairs[:, 0]])
        second = gq.GraphCollection([made.renumbered(graphs[int(i)], rng) for i in pairs[:, 1]])
        same = np.column_stack([np.arange(len(pairs))] * 2)
        for matcher in ("auto", "frank-wolfe"):
            before = gq.match_all(graphs, graphs, pairs, matcher, n_jobs=1).distance
            after = gq.match_all(first, second, same, matcher, n_jobs=1).distance
            changed = np.abs(before - after) > CLOSE * before
            yield record(
                f"{name}, {matcher}: distances that change with the numbering", percent(changed), "% of pairs"
            )


# ---- dense graphs ----


def scipy_within(a: np.ndarray, b: np.ndarray, seconds: float, rng: np.random.Generator) -> tuple[float, int]:
    """Best value of SciPy's FAQ from random starts, each improved by 2-opt, in so many CPU seconds."""
    best, starts = -np.inf, 0
    began = time.process_time()
    while starts == 0 or time.process_time() - began < seconds:
        first = {"maximize": True, "rng": rng} | ({"P0": "randomized"} if starts else {})
        found = quadratic_assignment(a, b, method="faq", options=first)
        guess = np.column_stack([np.arange(len(a)), found.col_ind])
        found = quadratic_assignment(
            a, b, method="2opt", options={"maximize": True, "rng": rng, "partial_guess": guess}
        )
        best = max(best, found.fun)
        starts += 1
    return best, starts


def dense(data: str) -> Iterator[Record]:
    """Sizes 22, 27, 32 and 37 served to choose; the others judge."""
    outcome, cpu, starts, gap = [], [], [], []
    for kind in made.DENSE_KINDS:
        kind_outcome = []
        for n in (20, 25, 30, 35, 40):
            for seed in range(5):
                rng = np.random.default_rng([seed, n])
                a, b = made.dense_problem(kind, n, rng)
                x, y = made.graph_of(a), made.graph_of(b)
                match, seconds = cpu_of(gq.match, x, y, order=n)
                own = (np.sum(a * a) + np.sum(b * b) - match.distance**2) / 2.0
                theirs, count = scipy_within(a, b, seconds, rng)
                best = max(own, theirs)
                kind_outcome.append(own >= theirs - CLOSE * abs(theirs))
                gap.append([(best - own) / abs(best), (best - theirs) / abs(best)])
                cpu.append(seconds)
                starts.append(count)
        outcome += kind_outcome
        yield record(f"dense, {kind}: auto is as good as FAQ + 2-opt", percent(kind_outcome), "% of problems")
    own_gap, their_gap = np.mean(gap, axis=0) * 100.0
    yield record(
        "dense graphs of 20 to 40 nodes: auto is as good as SciPy's FAQ + 2-opt in the same time",
        percent(outcome),
        "% of problems",
        mean_ms=float(np.mean(cpu)) * 1e3,
        scipy_starts=float(np.mean(starts)),
        above_best_percent=own_gap,
        scipy_above_best_percent=their_gap,
    )


# ---- the others ----


def small(data: str) -> Iterator[Record]:
    for name, count in (("letter", 20_000), ("fingerprint", 4_000), ("grec", 2_000)):
        graphs = made.paper(name, data)
        pairs = made.random_pairs(len(graphs), count, 10)
        for matcher in ("auto", "frank-wolfe"):
            runs = [cpu_of(gq.match_all, graphs, graphs, pairs, matcher, n_jobs=1) for _ in range(4)]
            cpu = min(seconds for _, seconds in runs)
            yield record(f"{name}: {matcher}", cpu / count * 1e6, "CPU us a pair")
            if matcher == "auto":
                yield record(f"{name}: proven by auto", percent(runs[0][0].proven), "% of pairs")


def encodings(data: str) -> Iterator[Record]:
    every, _ = made.mutagenicity(data, "test")
    order = np.random.default_rng(0).permutation(len(every))
    train, test = every[np.sort(order[:1000])], every[np.sort(order[1000:1500])]
    for k in (2, 10, 30):
        q = gq.GraphQuantizer(k, random_state=0, n_jobs=1).fit(train)
        found, cpu = cpu_of(q.match, test)
        gap = 1.0 - found.lower_bound / np.maximum(found.distance, 1e-300)
        yield record(
            f"encodings of 500 Mutagenicity graphs by k = {k}: proven",
            percent(found.proven),
            "%",
            ms=cpu / len(found) * 1e3,
            mean_gap_percent=float(gap.mean()) * 100.0,
            code_order=float(np.mean(q.codebook_.orders)),
        )


def paper_setting(data: str) -> Iterator[Record]:
    """150 cycles from furthest-first, as in the paper, with the matcher of its molecules."""
    graphs = made.paper("molecules", data)
    for k in (2, 6, 10):
        seconds = {}
        for algorithm in ("standard", "lossless", "fast"):
            q = gq.GraphQuantizer(
                k,
                algorithm=algorithm,
                init="furthest-first",
                learning_rate="linear",
                max_cycles=150,
                random_state=0,
                n_jobs=1,
            )
            _, seconds[algorithm] = cpu_of(q.fit, graphs)
        for algorithm in ("lossless", "fast"):
            yield record(
                f"paper's molecules, 150 cycles, k = {k}: {algorithm} against standard",
                seconds["standard"] / seconds[algorithm],
                "x faster",
                standard_s=seconds["standard"],
            )


def main() -> None:
    warnings.simplefilter("ignore")
    name, data = sys.argv[1:3]
    out = os.fdopen(os.dup(1), "w")
    # What a library prints must not get between the records.
    os.dup2(2, 1)
    part: Callable[[str], Iterator[Record]] = globals()[name]
    for found in part(data):
        print(json.dumps(found), file=out, flush=True)


if __name__ == "__main__":
    main()
