"""Bounds rounded up to attainable values, and thresholds: sound under every limit, and fewer search nodes."""

import math

import numpy as np
import pytest

from graphquant.matching import AutoMatcher, ExactMatcher
from graphquant.matching.engine import Problem, run
from graphquant.preprocessing import EditCosts
from tests.reference.edits import random_graph

COSTS = {
    "unit": EditCosts(),
    "structure": EditCosts.like_networkx(),
    "mces": EditCosts.mces(),
    "tenths": EditCosts(0.3, 0.7, 0.1, 0.2),
    "with zero nodes": EditCosts(2.5, 1.0),
}


def problem_of(costs, size, count=14, seed=0):
    rng = np.random.default_rng(seed)
    graphs = [random_graph(rng, int(rng.integers(size - 2, size + 1)), density=0.35) for _ in range(count)]
    fitted = costs.unfitted().fit(graphs)
    X = fitted.transform(graphs)
    pairs = np.column_stack(np.triu_indices(count, k=1))
    return Problem(X, X), pairs, fitted.step


@pytest.mark.parametrize("costs", COSTS)
@pytest.mark.parametrize("size", [5, 10])
def test_the_grid_changes_no_distance_and_saves_search(costs, size):
    problem, pairs, step = problem_of(COSTS[costs], size)
    assert step > 0
    plain = run(ExactMatcher(), problem, pairs)
    rounded = run(ExactMatcher(), problem, pairs, granularity=step)
    assert plain.proven.all()
    assert rounded.proven.all()
    assert rounded.distance == pytest.approx(plain.distance)
    assert rounded.n_search_nodes.sum() <= plain.n_search_nodes.sum()


@pytest.mark.parametrize("costs", COSTS)
@pytest.mark.parametrize("node_limit", [0, 3, 30])
def test_bounds_of_stopped_searches_are_attainable_and_sound(costs, node_limit):
    problem, pairs, step = problem_of(COSTS[costs], 10, seed=1)
    exact = run(ExactMatcher(), problem, pairs).distance ** 2
    found = run(AutoMatcher(node_limit=node_limit), problem, pairs, granularity=step)
    plain = run(AutoMatcher(node_limit=node_limit), problem, pairs)
    lower = found.lower_bound**2
    assert (lower <= exact + 1e-9).all()
    steps = (exact - lower) / step
    assert np.abs(steps - steps.round()).max() < 1e-6
    assert found.proven.sum() >= plain.proven.sum()


@pytest.mark.parametrize("costs", COSTS)
@pytest.mark.parametrize("with_grid", [False, True])
@pytest.mark.parametrize("node_limit", [None, 5])
def test_thresholds_decide_and_are_sound(costs, with_grid, node_limit):
    problem, pairs, step = problem_of(COSTS[costs], 10, seed=2)
    exact = run(ExactMatcher(), problem, pairs).distance ** 2
    whole = run(ExactMatcher(), problem, pairs, granularity=step if with_grid else 0.0)
    for threshold in np.quantile(exact, [0.0, 0.2, 0.5, 0.9]) + 0.013:
        found = run(
            ExactMatcher(node_limit=node_limit),
            problem,
            pairs,
            granularity=step if with_grid else 0.0,
            threshold_sq=float(threshold),
        )
        upper, lower = found.distance**2, found.lower_bound**2
        assert (lower <= exact + 1e-9).all()
        assert (exact <= upper + 1e-9).all()
        if node_limit is None:
            decided = (upper <= threshold) | (lower >= threshold - 1e-9)
            assert decided.all()
            assert ((upper <= threshold) == (exact <= threshold)).all()
            assert found.n_search_nodes.sum() <= whole.n_search_nodes.sum()


def test_a_threshold_ends_searches_of_larger_graphs_early():
    """Pairs of 14 nodes are searched in another way than those of 10, which had no use for it."""
    problem, pairs, step = problem_of(EditCosts(), 14, count=8, seed=4)
    whole = run(ExactMatcher(), problem, pairs, granularity=step)
    exact = whole.distance**2
    for threshold in (exact.min() + 0.01, np.median(exact) - 3.99, exact.max() + 3.01):
        found = run(ExactMatcher(), problem, pairs, granularity=step, threshold_sq=float(threshold))
        upper, lower = found.distance**2, found.lower_bound**2
        assert ((upper <= threshold) == (exact <= threshold)).all()
        assert ((upper <= threshold) | (lower >= threshold - 1e-9)).all()
        assert (lower <= exact + 1e-9).all()
        assert found.n_search_nodes.sum() < 0.5 * whole.n_search_nodes.sum()


def test_no_threshold_is_infinity():
    problem, pairs, _ = problem_of(EditCosts(), 8)
    plain, same = (
        run(ExactMatcher(), problem, pairs),
        run(ExactMatcher(), problem, pairs, threshold_sq=math.inf),
    )
    assert plain.distance.tolist() == same.distance.tolist()
    assert plain.n_search_nodes.tolist() == same.n_search_nodes.tolist()


def test_a_granularity_near_rounding_errors_is_none():
    problem, pairs, _ = problem_of(EditCosts(), 8)
    plain, same = run(ExactMatcher(), problem, pairs), run(ExactMatcher(), problem, pairs, granularity=1e-11)
    assert plain.distance.tolist() == same.distance.tolist()
    assert plain.n_search_nodes.tolist() == same.n_search_nodes.tolist()


def test_a_known_mapping_stays_findable_on_the_grid():
    problem, pairs, step = problem_of(EditCosts(), 10, seed=3)
    first = run(ExactMatcher(), problem, pairs, granularity=step, mappings=True)
    again = run(ExactMatcher(), problem, pairs, granularity=step, mappings=True, starts=np.abs(first.mapping))
    assert again.proven.all()
    assert again.distance == pytest.approx(first.distance)
