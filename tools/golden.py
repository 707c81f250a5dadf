"""Golden results: digests of what matching and learning give, bit by bit.

Results are promised to be the same on every machine, for any number of threads, and to stay the same when the
code behind them changes. ``tests/golden/*.json`` hold digests of them; ``tests/core/test_golden.py`` computes
them again. Write the files anew only where a result is meant to change, and say why in the change log::

    python -m tools.golden letters
    python -m tools.golden iam        # with GRAPHQUANT_DATA

A case is a function; it returns a digest for each quantity, so that a failure tells which one differs.
Everything is reached by the public interface.
"""

import argparse
import hashlib
import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import graphquant as gq
from graphquant.bounds import lower_bounds
from graphquant.exceptions import GraphQuantWarning
from graphquant.initialisation import initialise
from graphquant.out_of_core import LocalExecutor

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "golden"

Digests = dict[str, str]
Case = Callable[[], Digests]

MATCHERS: dict[str, Any] = {
    "exact": "exact",
    "auto": "auto",
    "frank-wolfe": "frank-wolfe",
    "graduated": "graduated-assignment",
}
ALGORITHMS = ("standard", "accelerated", "lossless", "fast")
# What a cycle of the history counts.
COUNTED = ("n_matchings", "n_shift_matchings", "n_bounds", "n_proven", "n_idle")
MEASURED = ("share", "shift", "distortion")
# Spectra come from LAPACK, which promises no bits.
DIGITS_OF_SPECTRA = 9


# ---- digests ----


def digest(*arrays: Any) -> str:
    """Return a digest of the values and shapes of arrays; zeros have no sign."""
    found = hashlib.sha256()
    for array in map(np.asarray, arrays):
        is_real = np.issubdtype(array.dtype, np.floating)
        values = array.astype("<f8") + 0.0 if is_real else array.astype("<i8")
        found.update(f"{values.dtype.str}{values.shape}".encode())
        found.update(np.ascontiguousarray(values).tobytes())
    return found.hexdigest()[:16]


def graphs_digests(graphs: gq.GraphCollection) -> Digests:
    """Return digests of all arrays of a collection."""
    packed = graphs.packed()
    groups = () if packed.groups is None else (packed.groups,)
    return {
        "edges": digest(packed.node_offsets, packed.edge_offsets, packed.edges, *groups),
        "nodes": digest(packed.node_attrs),
        "weights": digest(packed.edge_attrs),
    }


def named(prefix: str, digests: Digests) -> Digests:
    """Put a name before each quantity."""
    return {f"{prefix}.{name}": value for name, value in digests.items()}


def encoding_digests(found: gq.Encoding) -> Digests:
    """Return digests of nearest code graphs."""
    return {
        "label": digest(found.label),
        "distance": digest(found.distance),
        "lower_bound": digest(found.lower_bound),
        "proven": digest(found.proven),
        "mapping": digest(found.mapping),
        "n_matchings": digest(found.n_matchings),
    }


def fit_digests(q: gq.GraphQuantizer) -> Digests:
    """Return digests of all that a quantizer has learnt and recorded but time."""
    history = list(q.history_)
    counts = (q.n_init_matchings_, q.n_matchings_, q.n_shift_matchings_, q.n_encode_matchings_, q.n_cycles_)
    return {
        **named("codebook", graphs_digests(q.codebook_)),
        **named("encoding", encoding_digests(q.encoding_)),
        **{
            f"history.{name}": digest([getattr(cycle, name) for cycle in history])
            for name in (*COUNTED, *MEASURED)
        },
        "distortion": digest(q.distortion_),
        "counts": digest(counts),
    }


# ---- graphs ----


def rounded(graphs: gq.GraphCollection) -> gq.GraphCollection:
    """Round attributes to six digits: sines of encoders may differ in the last bit between machines."""
    return gq.GraphCollection(
        [
            gq.Graph(
                np.round(graph.node_attrs, 6),
                graph.edges,
                np.round(graph.edge_attrs, 6),
                directed=graph.directed,
                groups=graph.groups,
            )
            for graph in graphs
        ]
    )


@cache
def letters(n_per_class: int, distortion: str, seed: int) -> gq.GraphCollection:
    """Built-in letters, in random order."""
    made = gq.datasets.make_letters(n_per_class, distortion, random_state=seed).graphs
    return rounded(made[np.random.default_rng(seed).permutation(len(made))])


@cache
def random_graphs(kind: str, n_graphs: int, max_order: int, seed: int = 0) -> gq.GraphCollection:
    """Graphs of some kinds: directed, in node classes, complete or sparse, non-negative, with many ties."""
    rng = np.random.default_rng(seed)
    directed, grouped = "directed" in kind.split("-"), "grouped" in kind
    density = {"sparse": 0.25, "complete": 1.0}.get(kind, 0.45)
    n_channels = 2 if directed else 1

    def values(shape: tuple[int, int]) -> Any:
        if "ties" in kind:
            return rng.integers(-1, 2, size=shape).astype(float)
        return rng.random(shape) if "positive" in kind else 2.0 * rng.random(shape) - 1.0

    def graph() -> gq.Graph:
        order = int(rng.integers(0 if kind == "sparse" else 1, max_order + 1))
        pairs = [(i, j) for i in range(order) for j in range(order) if i < j or (directed and i != j)]
        edges = np.array(pairs, dtype=int).reshape(-1, 2)
        edges = edges[rng.random(len(edges)) < density]
        nodes, weights = values((order, 2)), values((len(edges), n_channels))
        groups = rng.integers(2, size=order) if grouped else None
        return gq.Graph(nodes, edges, weights, directed=directed, groups=groups)

    return gq.GraphCollection([graph() for _ in range(n_graphs)])


KINDS = ("undirected", "sparse", "complete", "positive", "ties", "directed", "grouped", "directed-grouped")


@cache
def iam(name: str, n_graphs: int) -> gq.GraphCollection:
    """Graphs of the IAM database, spread over the classes."""
    graphs = gq.datasets.load_iam(name).graphs
    return rounded(graphs[np.random.default_rng(0).permutation(len(graphs))[:n_graphs]])


# ---- cases ----


def graphs_case(load: Callable[[], gq.GraphCollection]) -> Digests:
    """Return digests of the graphs themselves: where they differ, all else does."""
    return graphs_digests(load())


def matching_case(
    load: Callable[[], gq.GraphCollection], matcher: Any, n_pairs: int, room: int, n_jobs: int
) -> Digests:
    """Match random pairs in a graph space with some room."""
    graphs = load()
    pairs = np.random.default_rng(n_pairs).integers(len(graphs), size=(n_pairs, 2))
    order = None if graphs.packed().groups is not None else graphs.max_order + room
    found = gq.match_all(graphs, graphs, pairs, matcher, order, n_jobs, mappings=True)
    return {
        "distance": digest(found.distance),
        "lower_bound": digest(found.lower_bound),
        "proven": digest(found.proven),
        "mapping": digest(found.mapping),
        "n_search_nodes": digest(found.n_search_nodes),
    }


def bounds_case(load: Callable[[], gq.GraphCollection], n_pairs: int) -> Digests:
    """Bound random pairs without matching, and some second-best mappings."""
    graphs = load()
    pairs = np.random.default_rng(n_pairs).integers(len(graphs), size=(n_pairs, 2))
    found: Digests = {}
    for kind in ("norms", "sorted"):
        found[kind] = digest(lower_bounds(graphs, graphs, pairs, kind=kind))
        found[f"{kind}, threshold"] = digest(lower_bounds(graphs, graphs, pairs, kind=kind, threshold=0.5))
    for kind in ("spectra", "nodes", "star"):
        bounds = lower_bounds(graphs, graphs, pairs, kind=kind)
        found[kind] = digest(np.round(bounds, DIGITS_OF_SPECTRA))
    seconds = []
    for i, j in pairs[:20].tolist():
        x, y = graphs[i], graphs[j]
        mapping = gq.match(x, y, gq.AutoMatcher(node_limit=200)).mapping
        seconds.append(gq.second_distance(x, y, mapping, node_limit=200))
    return {**found, "second_distance": digest(seconds)}


def start_case(load: Callable[[], gq.GraphCollection], init: str, n_codes: int) -> Digests:
    """Choose a start."""
    start = initialise(init, load(), n_codes, random_state=2, n_jobs=1)
    return {**graphs_digests(start.graphs), "n_matchings": digest(start.n_matchings)}


def mean_case(load: Callable[[], gq.GraphCollection]) -> Digests:
    """Average graphs."""
    found = gq.mean(load(), random_state=3, n_jobs=1)
    return {
        **graphs_digests(gq.GraphCollection([found.graph])),
        "distances": digest(found.distances),
        "n_matchings": digest(found.n_matchings),
    }


def fit_case(
    load: Callable[[], gq.GraphCollection],
    settings: dict[str, Any],
    held_out: Callable[[], gq.GraphCollection] | None = None,
) -> Digests:
    """Learn in memory; then encode graphs that were held out, of which some may be larger."""
    q = quantizer(settings)
    found = fit_digests(q.fit(load()))
    if held_out is not None:
        others = held_out()
        found |= named("held_out", encoding_digests(q.match(others)))
        found["held_out.predict"] = digest(q.predict(others))
        found["held_out.transform"] = digest(q.transform(others))
        found["held_out.score"] = digest(q.score(others))
    return found


def partial_fit_case(load: Callable[[], gq.GraphCollection], settings: dict[str, Any]) -> Digests:
    """Learn call by call: each call has other graphs at first, then the same ones again."""
    graphs, q = load(), quantizer(settings)
    third = len(graphs) // 3
    found: Digests = {}
    for call, at in enumerate((0, third, 0)):
        q.partial_fit(graphs[at : at + 2 * third])
        found |= named(f"call_{call}", fit_digests(q))
    return found


def partitions_case(
    load: Callable[[], gq.GraphCollection], settings: dict[str, Any], n_parts: int, memory: int | None
) -> Digests:
    """Learn from files, one partition in each; little memory makes code graphs share bounds."""
    graphs = load()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "parts")
        folder.mkdir()
        cuts = np.linspace(0, len(graphs), n_parts + 1).astype(int).tolist()
        for number, (begin, end) in enumerate(pairwise(cuts)):
            gq.write(graphs[begin:end], folder / f"part-{number}.parquet")
        executor = None if memory is None else LocalExecutor(2, memory=memory)
        q = quantizer({"executor": executor, **settings}).fit(folder)
        return {**fit_digests(q), "transform": digest(q.transform(folder))}


def quantizer(settings: dict[str, Any]) -> gq.GraphQuantizer:
    """Return a quantizer: lossless, three cycles, one thread and seed 0 unless a case says otherwise."""
    fixed = {"algorithm": "lossless", "max_cycles": 3, "n_jobs": 1, "random_state": 0}
    return gq.GraphQuantizer(**fixed | settings)


class OwnMatcher:
    """A matcher of a user's own: nodes by their first attribute."""

    def match(self, x: gq.Graph, y: gq.Graph, order: int) -> Any:
        """Place each node of x where the node of the same rank is in y."""

        def ranked(graph: gq.Graph) -> Any:
            return np.argsort(graph.node_attrs[:, 0], kind="stable")

        mapping = np.zeros(x.order, dtype=np.int64)
        places = np.concatenate([ranked(y), np.arange(y.order, order)])
        mapping[ranked(x)] = places[: x.order]
        return mapping


def falling_rate(context: gq.RateContext) -> float:
    """Return a learning rate that differs from those by name."""
    return 0.1 / (1.0 + context.cycle)


# ---- which cases there are ----

# Everything that is not by default, each with the default algorithm and matcher.
VARIANTS: dict[str, dict[str, Any]] = {
    "constant rate": {"learning_rate": 0.07},
    "rate of a pair": {"learning_rate": (0.3, 0.01)},
    "rate of a callable": {"learning_rate": falling_rate},
    "batches": {"batch_size": 8},
    "batches, 2 jobs": {"batch_size": 8, "n_jobs": 2},
    "batches, fast, 2 jobs": {"batch_size": 8, "n_jobs": 2, "algorithm": "fast"},
    "batches, accelerated": {"batch_size": 8, "algorithm": "accelerated"},
    "three runs": {"n_init": 3},
    "three runs, 2 jobs": {"n_init": 3, "n_jobs": 2},
    "more room": {"order": 12},
    "tolerance": {"tol": 0.2, "max_cycles": 8},
    "theta, accelerated": {"theta": 0.3, "algorithm": "accelerated"},
    "furthest-first": {"init": "furthest-first"},
    "k-means++": {"init": "k-means++"},
    "all by default": {"algorithm": "auto", "init": "auto", "learning_rate": "auto", "max_cycles": "auto"},
    "own matcher": {"matcher": OwnMatcher()},
    "own matcher, standard": {"matcher": OwnMatcher(), "algorithm": "standard"},
    "one code": {"n_codes": 1},
}


def letter_cases() -> Iterator[tuple[str, Case]]:
    """Yield the cases that need no data."""
    few, train = partial(letters, 2, "high", 5), partial(letters, 4, "med", 1)
    yield "letters", partial(graphs_case, train)
    for name, matcher in MATCHERS.items():
        yield f"letters, matching, {name}", partial(matching_case, train, matcher, 300, 0, 1)
        yield f"letters, matching with room, {name}, 2 jobs", partial(matching_case, few, matcher, 100, 2, 2)
    yield "letters, bounds", partial(bounds_case, train, 200)
    yield "letters, mean", partial(mean_case, few)
    for init in ("medoids", "furthest-first", "k-means++", "random"):
        yield f"letters, start, {init}", partial(start_case, train, init, 9)
    for algorithm in ALGORITHMS:
        for name, matcher in MATCHERS.items():
            both = {"algorithm": algorithm, "matcher": matcher}
            few_codes = {**both, "n_codes": 4, "init": "random"}
            many = {**both, "n_codes": 15, "init": "medoids", "random_state": 1, "learning_rate": "harmonic"}
            yield f"letters, 4 codes, {algorithm}, {name}", partial(fit_case, train, few_codes, few)
            yield f"letters, 15 codes, {algorithm}, {name}", partial(fit_case, train, many)
        yield (
            f"letters, partial_fit, {algorithm}",
            partial(partial_fit_case, train, {"algorithm": algorithm, "n_codes": 7, "init": "k-means++"}),
        )
    for name, settings in VARIANTS.items():
        yield f"letters, {name}", partial(fit_case, train, {"n_codes": 9, "init": "random", **settings})
    yield from partition_cases(train)
    for kind in KINDS:
        yield from kind_cases(kind)


def partition_cases(load: Callable[[], gq.GraphCollection]) -> Iterator[tuple[str, Case]]:
    """Yield partitioned fits, with bounds for each code graph and with shared ones."""
    # Half of the memory is for bounds of ten bytes: three a graph, or one.
    three, one = 60 * len(load()), 20 * len(load())
    settings = {"n_codes": 9, "init": "random", "random_state": 4}
    for name, more, n_parts, memory in (
        ("one", {}, 1, None),
        ("four", {}, 4, None),
        ("four, 2 jobs", {"n_jobs": 2}, 4, None),
        ("four, standard", {"algorithm": "standard"}, 4, None),
        ("four, medoids", {"init": "medoids"}, 4, None),
        ("four, furthest-first", {"init": "furthest-first"}, 4, None),
        ("four, k-means++", {"init": "k-means++"}, 4, None),
        ("four, batches", {"batch_size": 5}, 4, None),
        ("one, shared bounds", {}, 1, three),
        ("four, shared bounds", {}, 4, three),
        ("four, one bound for all", {}, 4, one),
        ("four, shared bounds, frank-wolfe", {"matcher": "frank-wolfe"}, 4, three),
        ("four, shared bounds, batches", {"batch_size": 5}, 4, three),
    ):
        yield f"letters, partitions, {name}", partial(partitions_case, load, settings | more, n_parts, memory)


def kind_cases(kind: str) -> Iterator[tuple[str, Case]]:
    """Yield the cases of one kind of random graphs."""
    train, few = partial(random_graphs, kind, 40, 7), partial(random_graphs, kind, 12, 10, 1)
    yield kind, partial(graphs_case, train)
    yield f"{kind}, bounds", partial(bounds_case, few, 60)
    for name, matcher in MATCHERS.items():
        yield f"{kind}, matching, {name}", partial(matching_case, few, matcher, 40, 1, 1)
    for algorithm in ALGORITHMS:
        settings = {"algorithm": algorithm, "n_codes": 4, "init": "random", "max_cycles": 2}
        yield f"{kind}, {algorithm}", partial(fit_case, train, settings, few)
    approximate = {"n_codes": 4, "init": "random", "max_cycles": 2, "matcher": "graduated-assignment"}
    yield f"{kind}, graduated", partial(fit_case, train, approximate)


def iam_cases() -> Iterator[tuple[str, Case]]:
    """Yield the cases on real graphs."""
    exact = gq.ExactMatcher(node_limit=500)
    for name, n_graphs, n_pairs, n_codes in (
        ("letter", 300, 2000, 15),
        ("grec", 120, 400, 10),
        ("fingerprint", 250, 1500, 15),
        ("molecules", 70, 60, 6),
    ):
        train = partial(iam, name, n_graphs)
        yield name, partial(graphs_case, train)
        yield f"{name}, bounds", partial(bounds_case, train, n_pairs)
        for label, matcher in {**MATCHERS, "exact": exact}.items():
            yield f"{name}, matching, {label}", partial(matching_case, train, matcher, n_pairs, 0, 2)
        for init in ("medoids", "k-means++"):
            yield f"{name}, start, {init}", partial(start_case, train, init, n_codes)
        settings = {"n_codes": n_codes, "max_cycles": 2, "random_state": 7}
        for algorithm in ALGORITHMS:
            own = {**settings, "algorithm": algorithm}
            yield f"{name}, {algorithm}", partial(fit_case, train, own)
            yield (
                f"{name}, {algorithm}, frank-wolfe",
                partial(fit_case, train, {**own, "matcher": "frank-wolfe", "init": "random"}),
            )
        yield (
            f"{name}, graduated",
            partial(fit_case, train, {**settings, "matcher": "graduated-assignment", "batch_size": 16}),
        )


SETS: dict[str, Callable[[], Iterator[tuple[str, Case]]]] = {"letters": letter_cases, "iam": iam_cases}


def compute(case: Case) -> Digests:
    """Return the digests of a case; warnings about idle code graphs are of no interest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphQuantWarning)
        return case()


def path_of(name: str) -> Path:
    """Return where the digests of a set of cases are."""
    return FOLDER / f"{name}.json"


def main(arguments: list[str]) -> None:
    """Write the digests of a set of cases."""
    parser = argparse.ArgumentParser(description="Write golden results.")
    parser.add_argument("name", choices=SETS, help="which file to write")
    name = parser.parse_args(arguments).name
    found = {case_name: compute(case) for case_name, case in SETS[name]()}
    path_of(name).write_text(json.dumps(found, indent=1) + "\n")
    n_digests = sum(map(len, found.values()))
    print(f"{len(found)} cases with {n_digests} digests written to {path_of(name)}")


if __name__ == "__main__":
    main(sys.argv[1:])
