"""Single steps of learning, so small that they can be interpreted: what longer runs do not show."""

from typing import get_args

import numpy as np
import pytest
from numba import njit

import graphquant as gq
from graphquant.bounds import Bound, lower_bounds
from graphquant.kernels.drift import moved
from graphquant.kernels.learning import lifted_sq_distances
from graphquant.quantizers import _state
from tests.kernels.small_cases import SHARED, options_of
from tests.quantizers.watched_runs import assert_same_run, new_run, step_by_step, watch
from tests.reference.random_graphs import UNGROUPED


def lossless_run(**options):
    X = UNGROUPED["sparse"].collection(np.random.default_rng(61), 6, 2, 3)
    return new_run(X, 2, "lossless", init=X[:2], matcher="exact", **options)


@njit
def movement(codes, drift, lead, j, slot, enough):
    return moved(codes, drift, lead, j, slot, enough)


@pytest.mark.parametrize("algorithm", ["standard", "lossless", SHARED, "fast"])
def test_ties_go_to_the_lowest_index(algorithm):
    X = gq.GraphCollection([gq.Graph([1.0]), gq.Graph([2.0]), gq.Graph([2.0])])
    name, options = options_of(algorithm)
    run = new_run(X, 3, name, init=X[[0, 1, 1]], matcher="exact", **options)
    [worker] = run.workers
    arguments = (np.arange(3), np.zeros(3), 0, 3, False)
    for _ in range(2):
        run._classifier(worker.services, run.state.record, worker.record, *arguments)
        assert run.state.learner.label.tolist() == [0, 1, 1]


def test_a_winner_that_stays_is_certified_by_its_distance():
    """The second time no graph is matched: the certificates hold, and the bounds stay as sharp."""
    run = lossless_run(max_cycles=2)
    run.learn()
    run.encode()
    assert run.encode() == 0
    squared = lifted_sq_distances(run.state.record)
    assert (run.state.learner.certified_sq <= squared).all()
    np.testing.assert_allclose(run.state.learner.certified_sq, squared, atol=1e-9)


@pytest.mark.parametrize("algorithm", ["lossless", SHARED])
def test_rings_of_snapshots_turn_round(algorithm, monkeypatch):
    monkeypatch.setattr(_state, "_RECENT", 2)
    monkeypatch.setattr(_state, "_FINAL", 2)
    X = UNGROUPED["ties"].collection(np.random.default_rng(67), 8, 1, 3)
    settings = {"init": X[:3], "matcher": "exact", "learning_rate": 0.3, "max_cycles": 7}
    name, options = options_of(algorithm)
    run, found = watch(X, 3, name, **settings, **options)
    assert run.state.learner.drift.taken_at.shape == (3, 6)
    assert_same_run(found, watch(X, 3, "standard", **settings)[1])


@pytest.mark.parametrize("kind", get_args(Bound))
def test_bounds_are_lowered_by_rounding(kind):
    """Where a bound is the distance itself, it stays below."""
    found = gq.lower_bound(gq.Graph([3.0]), gq.Graph([1.0]), kind=kind)
    assert found < 2.0
    assert found == pytest.approx(2.0)


@pytest.mark.parametrize(("steps", "spacing"), [(0, 1), (9, 1), (10, 2), (25, 3)])
def test_snapshots_are_as_far_apart_as_room_for_them_allows(steps, spacing):
    run = lossless_run()
    drift = run.state.learner.drift._replace(recent=10)
    run.state.learner = run.state.learner._replace(drift=drift)
    drift.steps[:] = steps
    run._end_cycle(0, None)
    assert drift.spacing.tolist() == [spacing, spacing]
    assert drift.steps.tolist() == [0, 0]


def test_a_distance_to_a_snapshot_is_remembered():
    run = lossless_run(max_cycles=1, learning_rate=0.3)
    for _ in step_by_step(run):
        pass
    L, lead = run.state.learner, run.workers[0].matching.lead
    L.codes.nodes[0, 0, 0] += 1.0
    L.drift.path[0] += 3.0
    slot = L.drift.newest[0]
    # The path says 3 at the most, which is too much to settle a question about 2.
    assert movement(L.codes, L.drift, lead, 0, slot, 2.0) == pytest.approx(1.0)
    assert lead[0, slot] + L.drift.path[0] == pytest.approx(1.0)
    assert lead[0, slot] < 0.0


def test_bounds_do_not_depend_on_which_graph_comes_first():
    X = UNGROUPED["sparse"].collection(np.random.default_rng(67), 8, 1, 6)
    pairs = np.argwhere(np.ones((8, 8)))
    for kind in ("nodes", "star"):
        found = lower_bounds(X, X, pairs, kind=kind).reshape(8, 8)
        np.testing.assert_allclose(found, found.T, rtol=1e-12)
