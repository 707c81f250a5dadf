"""Bounds hold at every moment, not only after a cycle; for the paper's rule, how often they do not."""

import sys
from itertools import permutations

import numpy as np
import pytest

import graphquant as gq
from graphquant.graphs import lift
from graphquant.kernels.learning import lifted_sq_distances
from tests.quantizers.collections_of_graphs import collection
from tests.quantizers.watched_runs import new_run, step_by_step
from tests.reference.random_graphs import KINDS

TOLERANCE = 1e-7


def random_collection(name, seed, size=10, max_order=4):
    return KINDS[name].collection(np.random.default_rng(seed), size, 0, max_order)


def movement(state):
    """How far each code graph is from each of its snapshots, from the definition."""
    codes, drift = state.learner.codes, state.learner.drift
    nodes = ((codes.flat_nodes[:, None] - drift.nodes) ** 2).sum(axis=2)
    pairs = ((codes.flat_pairs[:, None] - drift.pairs) ** 2).sum(axis=2)
    return np.sqrt(nodes + 0.5 * codes.G.pair_weight * pairs)


def lower_bounds_now(state):
    L = state.learner
    codes = np.arange(state.n_codes)[None, :]
    return L.lower - movement(state)[codes, L.slot]


def true_distances(state):
    pairs = np.argwhere(np.ones((len(state.X), state.n_codes)))
    found = gq.match_all(state.X, state.codebook(), pairs, "exact", state.space.match_order, n_jobs=1)
    return found.distance.reshape(len(state.X), state.n_codes)


def other_lifts(state, i):
    """Least distance of graph i to its winner under lifts other than the stored one."""
    L, n = state.learner, state.order
    j = L.label[i]
    x0, x1 = state.X.node_offsets[i : i + 2]
    graph = L.codes.first + 2 * j
    order = L.G.node_ptr[graph + 1] - L.G.node_ptr[graph]
    nodes, pairs = lift(state.X[i], np.arange(x1 - x0), n)
    if state.X.directed:
        pairs = np.concatenate([pairs, pairs.transpose(1, 0, 2)], axis=2)

    def lifted(positions):
        full = np.asarray([*positions, *np.setdiff1d(np.arange(n), positions)], dtype=int)
        back = np.argsort(full)
        return nodes[back], pairs[np.ix_(back, back)]

    def same(a, b):
        """Zero nodes of y are alike: which of them a node is on makes no difference."""
        for zero in permutations(range(order, n)):
            turn = np.asarray([*range(order), *zero], dtype=int)
            if (a[0][turn] == b[0]).all() and (a[1][np.ix_(turn, turn)] == b[1]).all():
                return True
        return False

    stored, least = lifted(L.mapping[x0:x1]), np.inf
    for positions in permutations(range(n), int(x1 - x0)):
        other = lifted(positions)
        if not same(other, stored):
            squared = ((other[0] - L.codes.nodes[j]) ** 2).sum()
            squared += 0.5 * L.codes.G.pair_weight * ((other[1] - L.codes.pairs[j]) ** 2).sum()
            least = min(least, np.sqrt(squared))
    return least


def assert_bounds_hold(run):
    state, L = run.state, run.state.learner
    lower, distance = lower_bounds_now(state), true_distances(state)
    graphs = np.flatnonzero(L.label >= 0)
    winners = L.label[graphs]
    is_other = np.ones(lower.shape, dtype=bool)
    is_other[graphs, winners] = False  # there it is a bound for lifts, see below
    assert (lower <= distance + TOLERANCE)[is_other].all()
    upper = np.sqrt(lifted_sq_distances(state.record))[graphs]
    assert (upper >= distance[graphs, winners] - TOLERANCE).all()


KIND_NAMES = ("ties", "ties-directed", "vector-edges", "directed", "non-negative", "sparse")


@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
@pytest.mark.parametrize("algorithm", ["lossless", "fast"])
@pytest.mark.parametrize("name", KIND_NAMES)
def test_bounds_hold_after_every_presentation(name, algorithm, matcher):
    for seed, rate in enumerate(("linear", "harmonic", 0.5)):
        X = random_collection(name, seed)
        options = {"learning_rate": rate, "max_cycles": 3, "seed": seed}
        run = new_run(X, 3, algorithm, matcher=matcher, theta=0.05 * seed, **options)
        for _ in step_by_step(run):
            assert_bounds_hold(run)


@pytest.mark.parametrize("name", ["grouped", "grouped-directed", "grouped-ties"])
@pytest.mark.parametrize("algorithm", ["lossless", "fast"])
def test_bounds_hold_with_node_classes(name, algorithm):
    run = new_run(random_collection(name, 5), 3, algorithm, learning_rate=0.3, max_cycles=3, seed=5)
    for _ in step_by_step(run):
        assert_bounds_hold(run)


@pytest.mark.parametrize("matcher", ["exact", "frank-wolfe"])
@pytest.mark.parametrize("algorithm", ["lossless", "fast"])
@pytest.mark.parametrize("name", ["ties", "ties-directed", "ties-non-negative", "sparse", "vector-edges"])
def test_bound_of_the_winner_holds_for_all_other_lifts(name, algorithm, matcher):
    for seed, rate in enumerate(("linear", "harmonic", 0.5)):
        X = random_collection(name, 10 + seed, size=5, max_order=3)
        options = {"learning_rate": rate, "max_cycles": 3, "seed": seed}
        # One zero node more than needed: which of them a node is on must not matter.
        run = new_run(X, 2, algorithm, matcher=matcher, order=X.max_order + (seed > 1), **options)
        for _ in step_by_step(run):
            lower = lower_bounds_now(run.state)
            for i in np.flatnonzero(run.state.learner.label >= 0):
                assert lower[i, run.state.learner.label[i]] <= other_lifts(run.state, i) + TOLERANCE


def test_certificates_are_worth_something():
    run = new_run(collection("blobs", 20, 0), 3, "lossless", max_cycles=5)
    for _ in step_by_step(run):
        pass
    L = run.state.learner
    graphs = np.arange(20)
    gap = lower_bounds_now(run.state)[graphs, L.label] - np.sqrt(lifted_sq_distances(run.state.record))
    assert (gap > 0.0).mean() > 0.5


def test_how_often_the_paper_is_wrong(capsys):
    """Its bounds are brought up to date at the end of a cycle only: inside one they may fail."""
    n_bounds = too_high = too_low = 0
    for seed in range(2):
        run = new_run(collection("letters", 20, seed), 5, "accelerated", max_cycles=3, seed=seed)
        for _ in step_by_step(run):
            L, distance = run.state.learner, true_distances(run.state)
            known = np.flatnonzero(L.label >= 0)
            n_bounds += distance[known].size
            too_high += int((L.lower[known] > distance[known] + TOLERANCE).sum())
            upper = np.sqrt(L.upper_sq[known])
            too_low += int((upper < distance[known, L.label[known]] - TOLERANCE).sum())
    with capsys.disabled():
        sys.stdout.write(
            f"\naccelerated, letters: {too_high / n_bounds:.2%} of l(X, Y) above d(X, Y), "
            f"{too_low / (n_bounds / 5):.2%} of u(X) below d(X, Y_X)\n"
        )
    # They do fail, which is why "lossless" and "fast" have other ones; but not as a rule.
    assert 0 < too_high < 0.5 * n_bounds
