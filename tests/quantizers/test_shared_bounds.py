"""Families of code graphs that share a bound: the standard algorithm still, and bounds that hold."""

import numpy as np
import pytest

import graphquant as gq
from tests.quantizers.collections_of_graphs import collection
from tests.quantizers.test_bounds import TOLERANCE, movement, random_collection, true_distances
from tests.quantizers.watched_runs import assert_same_run, new_run, new_start, step_by_step, watch

RATES = ("linear", "harmonic", 0.3)


@pytest.mark.parametrize("n_families", [1, 2, 5])
@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
@pytest.mark.parametrize("name", ["letters", "blobs", "ties", "directed", "grouped-ties"])
def test_is_the_standard_algorithm(name, matcher, n_families):
    for seed, rate in enumerate(RATES):
        named = name in ("letters", "blobs", "directed")
        X = collection(name, 16, seed) if named else random_collection(name, seed, size=16)
        options = {"matcher": matcher, "seed": seed, "learning_rate": rate, "max_cycles": 4}
        options["start"] = new_start(X, 5, matcher=matcher, seed=seed)
        expected_run, expected = watch(X, 5, "standard", **options)
        found_run, found = watch(X, 5, "lossless", n_families=n_families, **options)
        assert_same_run(found, expected)
        assert found_run.history().n_matchings <= expected_run.history().n_matchings


@pytest.mark.parametrize("n_threads", [1, 2])
def test_batches(n_threads):
    X = collection("letters", 40, 0)
    options = {"learning_rate": 0.2, "max_cycles": 3, "batch_size": 16, "start": new_start(X, 8)}
    _, expected = watch(X, 8, "standard", **options)
    run, found = watch(X, 8, "lossless", n_families=3, n_threads=n_threads, **options)
    assert_same_run(found, expected)
    assert run.history().n_matchings < 0.7 * 8 * 40 * 3


def shared_bounds_now(state):
    """Bounds of all families as they hold now, from the definition, and of the winner."""
    L = state.learner
    furthest = np.zeros(L.n_families)
    np.maximum.at(furthest, L.families.of, L.drift.path - L.families.since)
    own = L.lower[:, -1] - movement(state)[L.label, L.slot[:, -1]]
    return L.lower[:, :-1] - L.families.past - furthest, own


@pytest.mark.parametrize("name", ["letters", "blobs", "sparse"])
def test_bounds_hold_after_every_presentation(name):
    X = random_collection(name, 3) if name == "sparse" else collection(name, 12, 3)
    run = new_run(X, 4, "lossless", learning_rate=0.3, max_cycles=3, seed=3, n_families=2)
    L = run.state.learner
    for _ in step_by_step(run):
        distance = true_distances(run.state)
        distance[np.arange(len(X)), L.label] = np.inf
        bound, _ = shared_bounds_now(run.state)
        known = np.flatnonzero(L.label >= 0)
        for g in range(2):
            least = distance[:, L.families.of == g].min(axis=1)
            assert (bound[known, g] <= least[known] + TOLERANCE).all()


def test_bounds_are_worth_something():
    X = gq.datasets.make_letters(20, random_state=0).graphs
    options = {"init": "k-means++", "max_cycles": 10}
    full, _ = watch(X, 30, "lossless", **options)
    shared, _ = watch(X, 30, "lossless", n_families=5, **options)
    every = 30 * len(X) * 10
    assert shared.state.learner.lower.nbytes == full.state.learner.lower.nbytes / 5
    assert full.history().n_matchings < shared.history().n_matchings < 0.1 * every
    own = shared_bounds_now(shared.state)[1]
    assert (own > 0.0).mean() > 0.5
