"""What stored bounds mean: estimates are marked, snapshots know the norm of what they omit."""

import numpy as np

import graphquant as gq
from tests.learning.test_bounds import lower_bounds_now, true_distances
from tests.learning.watched_runs import new_run, state_of, step_by_step
from tests.reference.random_graphs import KINDS


def test_graphs_with_estimates_for_bounds_are_marked():
    X = KINDS["sparse"].collection(np.random.default_rng(4), 20, 7, 9)
    run = new_run(X, 3, "fast", matcher=gq.FrankWolfe(n_starts=1), max_cycles=2)
    n_too_high = 0
    for _ in step_by_step(run):
        too_high = (lower_bounds_now(run) > true_distances(run) + 1e-7).any(axis=1)
        assert state_of(run).is_estimated[too_high].all()
        n_too_high += int(too_high.sum())
    # A single start does miss the best alignment now and then.
    assert n_too_high > 0


def test_snapshots_know_the_norm_of_what_they_do_not_hold():
    rng = np.random.default_rng(0)
    small = KINDS["sparse"].collection(rng, 40, 2, 4)
    large = KINDS["sparse"].graph(rng, 20)
    X = gq.GraphCollection([large, *small])
    run = new_run(X, 2, "lossless", init=X[:2])
    run.training.learner.begin(run.codes)
    arrays = run.training.learner.core.arrays
    held = arrays["drift_nodes"].shape[2] // X.node_attrs.shape[1]
    assert held < large.order
    nodes, pairs = run.codes.nodes[0], run.codes.pairs[0]
    outside = (nodes[held:] ** 2).sum() + (pairs**2).sum() - (pairs[:held, :held] ** 2).sum()
    np.testing.assert_allclose(arrays["drift_outside"][0], np.sqrt(outside), rtol=1e-9)
