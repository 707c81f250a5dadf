"""The learner on cases so small that they can be interpreted: right, and no more work than it was.

``make coverage`` and ``make mutation`` run them with ``NUMBA_DISABLE_JIT=1``. Bounds that rule out too much
change winners; bounds that rule out too little cost matchings: both are watched.
"""

import json

import numpy as np
import pytest

import graphquant as gq
from tests.kernels.small_cases import CASES, CEILINGS, KINDS_AND_RATES, SHARED, cost, learn, options_of
from tests.quantizers.watched_runs import assert_same_run, new_run
from tests.reference.brute_force import brute_force_distance
from tests.reference.random_graphs import UNGROUPED

ceilings = json.loads(CEILINGS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CASES)
def test_costs_no_more(name):
    run, _ = learn(*CASES[name])
    matchings, bounds = cost(run)
    assert matchings <= ceilings[name][0]
    assert bounds <= ceilings[name][1]


@pytest.mark.parametrize("algorithm", ["lossless", SHARED])
@pytest.mark.parametrize(("kind", "rate"), KINDS_AND_RATES)
def test_lossless_is_standard(algorithm, kind, rate):
    assert_same_run(learn(algorithm, kind, rate)[1], learn("standard", kind, rate)[1])


@pytest.mark.parametrize("matcher", gq.matching.MATCHERS)
@pytest.mark.parametrize("kind", ["ties", "sparse", "directed-vectors"])
def test_matchers(kind, matcher):
    graphs = UNGROUPED[kind].collection(np.random.default_rng(41), 4, 2, 4)
    found = gq.match_all(graphs, graphs, [(0, 1), (2, 3), (3, 0)], matcher, n_jobs=1)
    pairs = ((graphs[0], graphs[1]), (graphs[2], graphs[3]), (graphs[3], graphs[0]))
    exact = np.array([brute_force_distance(x, y, sizes=[graphs.max_order]) for x, y in pairs])
    assert (found.lower_bound <= exact + 1e-9).all()
    assert (found.distance >= exact - 1e-9).all()
    np.testing.assert_allclose(found.distance[found.proven], exact[found.proven], atol=1e-6)
    if matcher in ("exact", "auto"):
        assert found.proven.all()


def test_first_codes():
    graphs = UNGROUPED["sparse"].collection(np.random.default_rng(43), 6, 1, 3)
    for init in ("medoids", "furthest-first", "k-means++"):
        start = gq.initialisation.initialise(init, graphs, 2, random_state=0, n_jobs=1)
        distances = gq.pairwise_distances(graphs, start.graphs, matcher="exact", n_jobs=1)
        assert (start.lower <= distances + 1e-9).all()


def test_larger_pair():
    """More than eight nodes: chains of exchanges join in."""
    x, y = UNGROUPED["ties"].collection(np.random.default_rng(47), 2, 10, 10)
    found = gq.match(x, y, "frank-wolfe")
    assert sorted(found.mapping.tolist()) == list(range(10))
    in_order = gq.match(x, y, InOrder())
    assert found.lower_bound <= found.distance < in_order.distance


class InOrder:
    """The worst matcher: node by node as they are numbered."""

    def match(self, x, y, order):
        return range(x.order)


@pytest.mark.parametrize("algorithm", ["standard", "accelerated", "lossless", SHARED, "fast"])
@pytest.mark.parametrize(("stopped", "learning", "reached"), [(1, True, 0), (0, False, 3), (0, True, 3)])
def test_present(algorithm, stopped, learning, reached):
    """A run that is told to stop presents nothing more; without learning code graphs stay."""
    X = UNGROUPED["sparse"].collection(np.random.default_rng(53), 4, 2, 3)
    name, options = options_of(algorithm)
    run = new_run(X, 2, name, init=X[:2], matcher="exact", **options)
    run._stop[0] = stopped
    before = run.state.learner.codes.nodes.copy()
    [worker] = run.workers
    arguments = (np.array([2, 3, 0]), np.full(3, 0.5), 0, 3, learning)
    found = run._classifier(worker.services, run.state.record, worker.record, *arguments)
    assert found == reached
    moved = (run.state.learner.codes.nodes != before).any()
    assert moved == (learning and not stopped)
