"""Groups of code graphs that share a bound: the standard algorithm still, and bounds that hold."""

import numpy as np
import pytest

import graphquant as gq
from tests.learning.collections_of_graphs import collection
from tests.learning.test_bounds import TOLERANCE, certificates_now, random_collection, true_distances
from tests.learning.watched_runs import assert_same_run, new_run, new_start, state_of, step_by_step, watch

RATES = ("linear", "harmonic", 0.3)


@pytest.mark.parametrize("n_groups", [1, 2, 5])
@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
@pytest.mark.parametrize("name", ["letters", "blobs", "ties", "directed", "grouped-ties"])
def test_is_the_standard_algorithm(name, matcher, n_groups):
    for seed, rate in enumerate(RATES):
        named = name in ("letters", "blobs", "directed")
        X = collection(name, 16, seed) if named else random_collection(name, seed, size=16)
        options = {"matcher": matcher, "seed": seed, "learning_rate": rate, "max_cycles": 4}
        options["start"] = new_start(X, 5, matcher=matcher, seed=seed)
        expected_run, expected = watch(X, 5, "standard", **options)
        found_run, found = watch(X, 5, "lossless", n_groups=n_groups, **options)
        assert_same_run(found, expected)
        assert found_run.history().n_matchings <= expected_run.history().n_matchings


@pytest.mark.parametrize("n_threads", [1, 2])
def test_batches(n_threads):
    X = collection("letters", 40, 0)
    options = {"learning_rate": 0.2, "max_cycles": 3, "batch_size": 16, "start": new_start(X, 8)}
    _, expected = watch(X, 8, "standard", **options)
    run, found = watch(X, 8, "lossless", n_groups=3, n_threads=n_threads, **options)
    assert_same_run(found, expected)
    assert run.history().n_matchings < 0.7 * 8 * 40 * 3


def shared_bounds_now(run):
    """Bounds of all groups as they hold now, from the definition."""
    S = state_of(run)
    furthest = np.zeros(run.plan.n_groups)
    np.maximum.at(furthest, S.group_of, S.drift_path - S.group_since)
    return S.lower - S.group_past - furthest


@pytest.mark.parametrize("stride", [1, 4, 5])
@pytest.mark.parametrize("name", ["letters", "blobs", "sparse"])
def test_bounds_hold_after_every_presentation(name, stride):
    X = random_collection(name, 3) if name == "sparse" else collection(name, 12, 3)
    run = new_run(X, 4, "lossless", learning_rate=0.3, max_cycles=3, seed=3, n_groups=2)
    S = state_of(run)
    # A new epoch begins after four presentations in one go.
    for _ in step_by_step(run, stride):
        distance = true_distances(run)
        distance[np.arange(len(X)), S.label] = np.inf
        bound = shared_bounds_now(run)
        known = np.flatnonzero(S.label >= 0)
        for g in range(2):
            least = distance[:, S.group_of == g].min(axis=1)
            assert (bound[known, g] <= least[known] + TOLERANCE).all()
    assert (S.group_past > 0.0).any() == (stride > 1)


def test_bounds_are_worth_something():
    X = gq.datasets.make_letters(20, random_state=0).graphs
    options = {"init": "k-means++", "max_cycles": 10}
    full, _ = watch(X, 30, "lossless", **options)
    shared, _ = watch(X, 30, "lossless", n_groups=5, **options)
    every = 30 * len(X) * 10
    assert state_of(shared).lower.nbytes == state_of(full).lower.nbytes / 6
    assert full.history().n_matchings < shared.history().n_matchings < 0.1 * every
    assert (certificates_now(shared) > 0.0).mean() > 0.5
