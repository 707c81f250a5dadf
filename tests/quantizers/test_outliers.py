"""One graph that is much larger than the others: code graphs have room for it that most do not use."""

import numpy as np
import pytest
from numba import njit

import graphquant as gq
from graphquant.kernels.drift import moved
from tests.quantizers.test_bounds import assert_bounds_hold, movement
from tests.quantizers.watched_runs import assert_same_run, new_run, new_start, step_by_step, watch
from tests.reference.random_graphs import KINDS

# Rates of one replace a code graph: that of the large graph becomes small again.
RATES = ("linear", 1.0, 0.4)


@njit
def movements(codes, drift, lead, out):
    for j in range(out.shape[0]):
        for slot in range(out.shape[1]):
            out[j, slot] = moved(codes, drift, lead, j, slot, -1.0)


def with_an_outlier(kind, seed, size=9):
    """Return small graphs, then one that has more than three times their nodes."""
    rng = np.random.default_rng(seed)
    small = KINDS[kind].collection(rng, size, 1, 3)
    return gq.GraphCollection([*small, *KINDS[kind].collection(rng, 1, 11, 11)])


def assert_dense_forms_agree(run):
    """Orders, norms and movements are those of the whole arrays, whatever part of them is looked at."""
    L = run.state.learner
    in_use = L.codes.nodes.any(axis=2) | L.codes.pairs.any(axis=(2, 3))
    orders = [1 + int(np.flatnonzero(row).max(initial=-1)) for row in in_use]
    assert L.codes.order.tolist() == orders
    norms = (L.codes.nodes**2).sum(axis=(1, 2))
    norms += 0.5 * L.G.pair_weight * (L.codes.pairs**2).sum(axis=(1, 2, 3))
    np.testing.assert_allclose(L.code_sq_norm, norms, rtol=1e-12)
    expected = movement(run.state)
    found = np.empty_like(expected)
    movements(L.codes, L.drift, np.full(expected.shape, np.inf), found)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("kind", ["sparse", "directed", "vector-edges"])
def test_only_what_is_in_use_is_looked_at(kind, rate):
    X = with_an_outlier(kind, seed=3)
    options = {"init": X[[0, 1, 2]], "matcher": "frank-wolfe", "learning_rate": rate, "max_cycles": 3}
    run = new_run(X, 3, "lossless", **options)
    orders = set()
    for _ in step_by_step(run):
        assert_dense_forms_agree(run)
        assert_bounds_hold(run)
        orders.update(run.state.learner.codes.order.tolist())
    assert max(orders) == 11
    assert min(orders) <= 5


@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
@pytest.mark.parametrize("rate", RATES)
def test_lossless_is_standard(rate, matcher):
    for seed in range(3):
        X = with_an_outlier("sparse", seed)
        options = {"matcher": matcher, "seed": seed, "learning_rate": rate, "max_cycles": 4}
        options["start"] = new_start(X, 3, matcher=matcher, seed=seed)
        _, expected = watch(X, 3, "standard", **options)
        _, found = watch(X, 3, "lossless", **options)
        assert_same_run(found, expected)
