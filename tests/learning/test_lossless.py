"""The central promise: "lossless" is "standard" with fewer matchings, presentation by presentation."""

import os

import numpy as np
import pytest

import graphquant as gq
from tests.learning.collections_of_graphs import KIND_NAMES, collection
from tests.learning.watched_runs import assert_same_run, new_start, watch
from tests.reference.random_graphs import KINDS, relabelled

SEEDS = range(int(os.environ.get("GRAPHQUANT_SEEDS", "10")))
RATES = {"linear": "linear", "harmonic": "harmonic", "constant": 0.2}
INITS = ("k-means++", "random", "medoids")


def compare(X, n_codes, *, init="k-means++", order=None, matcher="auto", seed=0, **plan):
    """Run both from the same start, and return the matchings of each."""
    options = {"matcher": matcher, "order": order, "seed": seed}
    options |= {"start": new_start(X, n_codes, init=init, **options), **plan}
    expected_run, expected = watch(X, n_codes, "standard", **options)
    found_run, found = watch(X, n_codes, "lossless", **options)
    assert_same_run(found, expected)
    return found_run.history().n_matchings, expected_run.history().n_matchings


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
@pytest.mark.parametrize("name", KIND_NAMES)
def test_is_the_standard_algorithm(name, matcher, rate, request):
    iam_path = request.getfixturevalue("iam_path") if name in ("letter", "fingerprint") else None
    for seed in SEEDS:
        X = collection(name, 16, seed, iam_path)
        options = {"init": INITS[seed % 3], "learning_rate": RATES[rate], "max_cycles": 4}
        found, expected = compare(X, 3, matcher=matcher, seed=seed, **options)
        assert found <= expected


@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
@pytest.mark.parametrize(
    "name", ["ties", "ties-non-negative", "ties-directed", "grouped", "grouped-ties", "grouped-directed"]
)
def test_equal_alignments_and_node_classes(name, matcher):
    """Symmetric graphs have several best mappings, which move the code graphs differently."""
    for seed in SEEDS:
        X = KINDS[name].collection(np.random.default_rng(seed), 14, 0, 4)
        rate = ("linear", "harmonic", 0.5)[seed % 3]
        compare(X, 3, matcher=matcher, seed=seed, learning_rate=rate, max_cycles=5, init=INITS[seed % 3])


@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
def test_highly_symmetric_graphs(matcher):
    """Cycles, stars and complete graphs of equal nodes: every alignment has equals."""
    rng = np.random.default_rng(0)
    rings = [gq.Graph(np.ones(n), [(i, (i + 1) % n) for i in range(n)]) for n in (3, 4, 5)]
    stars = [gq.Graph(np.ones(n), [(0, i) for i in range(1, n)]) for n in (2, 4, 5)]
    full = [gq.Graph(np.ones(n), [(i, j) for j in range(n) for i in range(j)]) for n in (1, 3, 4)]
    X = gq.GraphCollection([relabelled(rng, graph) for graph in (rings + stars + full) * 2])
    for seed in SEEDS:
        rate = list(RATES.values())[seed % 3]
        compare(X, 3, matcher=matcher, seed=seed, learning_rate=rate, max_cycles=4, init="random")


@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
def test_equal_code_graphs(matcher):
    """Ties between code graphs go to the lowest index, at the start and whenever they meet again."""
    for seed in SEEDS:
        X = collection("letters", 14, seed)
        starts = [X[0], relabelled(np.random.default_rng(seed), X[0]), X[1], X[1]]
        compare(X, 4, matcher=matcher, seed=seed, learning_rate=0.3, max_cycles=4, init=starts)
        doubled = gq.GraphCollection([*X[:7], *X[:7]])
        compare(doubled, 4, matcher=matcher, seed=seed, learning_rate=1.0, max_cycles=4, init="random")


def test_ties_of_distance():
    """Points half-way between code graphs, again and again."""
    X = gq.GraphCollection([gq.Graph([float(value)]) for value in (0, 1, 2, 3, 4, 5, 6, 2, 4)])
    for seed in range(10):
        for rate in (0.5, 1.0, 0.0, "harmonic"):
            compare(X, 3, seed=seed, learning_rate=rate, max_cycles=5, init=X[[0, 2, 4]])


@pytest.mark.parametrize("name", ["letters", "blobs", "directed"])
def test_more_zero_nodes_than_graphs_need(name):
    for seed in range(5):
        X = collection(name, 12, seed)
        options = {"learning_rate": 0.3, "max_cycles": 4, "init": "random"}
        compare(X, 3, matcher="exact", seed=seed, order=X.max_order + 2, **options)


@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
def test_batches(matcher, n_threads):
    for seed in range(3):
        X = collection("letters", 40, seed)
        options = {"learning_rate": 0.2, "max_cycles": 3, "batch_size": 16, "n_threads": n_threads}
        compare(X, 4, matcher=matcher, seed=seed, **options)


@pytest.mark.parametrize("algorithm", ["standard", "accelerated", "lossless", "fast"])
def test_batches_do_not_depend_on_threads(algorithm):
    X = collection("letters", 40, 0)
    options = {"max_cycles": 4, "batch_size": 16}
    expected_run, expected = watch(X, 4, algorithm, n_threads=1, **options)
    for n_threads in (2, 3, 5):
        found_run, found = watch(X, 4, algorithm, n_threads=n_threads, **options)
        assert_same_run(found, expected)
        assert found_run.history().n_matchings == expected_run.history().n_matchings


def test_long_run():
    """Many cycles: rings of snapshots turn round, certificates run out."""
    found, expected = compare(collection("letters", 30, 0), 4, max_cycles=150)
    assert found < expected / 8
    found, expected = compare(collection("blobs", 60, 0), 3, learning_rate="harmonic", max_cycles=100)
    assert found < expected / 20


@pytest.mark.parametrize(("name", "n_codes", "n_cycles"), [("letter", 15, 3), ("fingerprint", 10, 2)])
def test_real_sets(name, n_codes, n_cycles, iam_path):
    X = gq.datasets.load_iam(name, iam_path).graphs[::6]
    found, expected = compare(X, n_codes, init="furthest-first", max_cycles=n_cycles)
    assert found < expected / 3


@pytest.mark.full
@pytest.mark.skipif("GRAPHQUANT_FULL" not in os.environ, reason="takes half a minute: make test-full")
def test_all_letters_of_the_paper(iam_path):
    """The whole set, k = 15 and 150 cycles: 112,500 presentations."""
    X = gq.datasets.load_iam("letter", iam_path).graphs
    found, expected = compare(X, 15, init="furthest-first", max_cycles=150)
    assert expected == 15 * 150 * len(X)
    assert found < expected / 10
