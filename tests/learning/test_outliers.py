"""One graph that is much larger than the others: code graphs have room for it that most do not use."""

import numpy as np
import pytest

import graphquant as gq
from tests.learning.test_bounds import assert_bounds_hold
from tests.learning.watched_runs import (
    assert_same_run,
    movement,
    new_run,
    new_start,
    state_of,
    step_by_step,
    watch,
)
from tests.reference.random_graphs import KINDS

# Rates of one replace a code graph: that of the large graph becomes small again.
RATES = ("linear", 1.0, 0.4)


def with_an_outlier(kind, seed, size=9):
    """Return small graphs, then one that has more than three times their nodes."""
    rng = np.random.default_rng(seed)
    small = KINDS[kind].collection(rng, size, 1, 3)
    return gq.GraphCollection([*small, *KINDS[kind].collection(rng, 1, 11, 11)])


def assert_dense_forms_agree(run):
    """Orders and norms are those of the whole arrays, whatever part of them is looked at."""
    S = state_of(run)
    in_use = S.code_nodes.any(axis=2) | S.code_pairs.any(axis=(2, 3))
    orders = [1 + int(np.flatnonzero(row).max(initial=-1)) for row in in_use]
    assert S.code_order.tolist() == orders
    norms = (S.code_nodes**2).sum(axis=(1, 2))
    norms += 0.5 * run.space.pair_weight * (S.code_pairs**2).sum(axis=(1, 2, 3))
    np.testing.assert_allclose(S.code_sq_norm, norms, rtol=1e-12)


def assert_leads_agree(run):
    """What is remembered of a movement, with the way since, bounds the movement as it is now."""
    S = state_of(run)
    known = np.isfinite(S.lead)
    assert known.any()
    bound = S.lead + S.drift_path[:, None]
    assert (bound >= movement(run) - 1e-9)[known].all()


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
        assert_leads_agree(run)
        orders.update(state_of(run).code_order.tolist())
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
