"""Bounds hold at every moment, not only after a cycle; for the paper's rule, how often they do not."""

import sys
from itertools import permutations

import numpy as np
import pytest

import graphquant as gq
from graphquant.graphs import lift
from tests.learning.collections_of_graphs import collection
from tests.learning.watched_runs import movement, new_run, state_of, step_by_step
from tests.reference.random_graphs import KINDS

TOLERANCE = 1e-7


def random_collection(name, seed, size=10, max_order=4):
    return KINDS[name].collection(np.random.default_rng(seed), size, 0, max_order)


def lower_bounds_now(run):
    """Stored bounds of all graphs and code graphs as they hold now, from the definition."""
    S = state_of(run)
    codes = np.arange(len(run.codes))[None, :]
    return S.lower - movement(run)[codes, S.lower_snapshot]


def certificates_now(run):
    """Bounds of all lifts but the stored one, as they hold now; of graphs with a winner."""
    S = state_of(run)
    return S.second_lower - movement(run)[S.label, S.second_snapshot]


def true_distances(run):
    X = run.training.learner.X
    pairs = np.argwhere(np.ones((len(X), len(run.codes))))
    found = gq.match_all(X, run.codebook(), pairs, "exact", run.space.space.match_order, n_jobs=1)
    return found.distance.reshape(len(X), len(run.codes))


def other_lifts(run, i):
    """Least distance of graph i to its winner under lifts other than the stored one."""
    S, X, n = state_of(run), run.training.learner.X, run.space.order
    j = S.label[i]
    order = S.code_order[j]
    x0, x1 = X.node_offsets[i : i + 2]
    nodes, pairs = lift(X[i], np.arange(x1 - x0), n)
    if X.directed:
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

    stored, least = lifted(S.mapping[x0:x1]), np.inf
    for positions in permutations(range(n), int(x1 - x0)):
        other = lifted(positions)
        if not same(other, stored):
            squared = ((other[0] - S.code_nodes[j]) ** 2).sum()
            squared += 0.5 * run.space.pair_weight * ((other[1] - S.code_pairs[j]) ** 2).sum()
            least = min(least, np.sqrt(squared))
    return least


def assert_bounds_hold(run):
    label, lower, distance = state_of(run).label, lower_bounds_now(run), true_distances(run)
    # Where nothing is proven, "fast" takes the distances that it has found for bounds, and marks the graph.
    is_bounded = ~state_of(run).is_estimated
    assert (lower <= distance + TOLERANCE)[is_bounded].all()
    graphs = np.flatnonzero(label >= 0)
    upper = np.sqrt(run.training.learner.core.lifted_sq_distances())[graphs]
    assert (upper >= distance[graphs, label[graphs]] - TOLERANCE).all()


KIND_NAMES = ("ties", "ties-directed", "vector-edges", "directed", "non-negative", "sparse")


@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
@pytest.mark.parametrize("algorithm", ["lossless", "fast"])
@pytest.mark.parametrize("name", KIND_NAMES)
def test_bounds_hold_after_every_presentation(name, algorithm, matcher):
    for seed, rate in enumerate(("linear", "harmonic", 0.5)):
        X = random_collection(name, seed)
        options = {"learning_rate": rate, "max_cycles": 3, "seed": seed}
        run = new_run(X, 3, algorithm, matcher=matcher, **options)
        for _ in step_by_step(run):
            assert_bounds_hold(run)


@pytest.mark.parametrize("algorithm", ["lossless", "fast"])
@pytest.mark.parametrize("name", [*KIND_NAMES, "grouped", "grouped-directed"])
def test_bounds_hold_in_spaces_where_sorted_values_are_compared_first(name, algorithm):
    for seed, init in enumerate(("random", "k-means++")):
        X = random_collection(name, seed)
        # With groups the order follows from the graphs: one with twelve nodes of a class makes it large.
        if X.groups is None:
            room = {"order": 12}
        else:
            room, X = {}, gq.GraphCollection([*X, _of_one_class(X, 12)])
        run = new_run(X, 3, algorithm, init=init, learning_rate=0.3, max_cycles=3, seed=seed, **room)
        assert run.space.order >= 12
        for _ in step_by_step(run):
            assert_bounds_hold(run)


def _of_one_class(X, n):
    return gq.Graph(
        np.ones((n, X.node_attrs.shape[1])),
        np.empty((0, 2), dtype=int),
        np.empty((0, X.edge_attrs.shape[1])),
        groups=np.zeros(n, dtype=int),
        directed=X.directed,
    )


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
            bounds = certificates_now(run)
            for i in np.flatnonzero(state_of(run).label >= 0):
                assert bounds[i] <= other_lifts(run, i) + TOLERANCE


def test_certificates_are_worth_something():
    run = new_run(collection("blobs", 20, 0), 3, "lossless", max_cycles=5)
    for _ in step_by_step(run):
        pass
    gap = certificates_now(run) - np.sqrt(run.training.learner.core.lifted_sq_distances())
    assert (gap > 0.0).mean() > 0.5


def test_how_often_the_paper_is_wrong(capsys):
    """Its bounds are brought up to date at the end of a cycle only: inside one they may fail."""
    n_bounds = too_high = too_low = 0
    for seed in range(2):
        run = new_run(collection("letters", 20, seed), 5, "accelerated", max_cycles=3, seed=seed)
        for _ in step_by_step(run):
            S, distance = state_of(run), true_distances(run)
            known = np.flatnonzero(S.label >= 0)
            n_bounds += distance[known].size
            too_high += int((S.lower[known] > distance[known] + TOLERANCE).sum())
            upper = np.sqrt(S.upper_sq[known])
            too_low += int((upper < distance[known, S.label[known]] - TOLERANCE).sum())
    with capsys.disabled():
        sys.stdout.write(
            f"\naccelerated, letters: {too_high / n_bounds:.2%} of l(X, Y) above d(X, Y), "
            f"{too_low / (n_bounds / 5):.2%} of u(X) below d(X, Y_X)\n"
        )
    # They do fail, which is why "lossless" and "fast" have other ones; but not as a rule.
    assert 0 < too_high < 0.5 * n_bounds
