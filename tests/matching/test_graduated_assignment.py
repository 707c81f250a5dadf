"""What is particular to graduated assignment."""

import numpy as np
import pytest

import graphquant as gq
from tests.reference.brute_force import mapping_distance
from tests.reference.random_graphs import UNGROUPED

# beta starts beyond its end: not a single step.
WITHOUT_ANNEALING = gq.GraduatedAssignment(beta_start=2.0, beta_end=1.0)


def test_a_star_assignment_as_good_as_its_bound_is_taken_without_annealing():
    x = gq.Graph([1.0, 2.0, 3.0, 4.0], [(0, 1), (1, 2), (2, 3)])
    y = x.permute([2, 0, 3, 1])
    found = gq.match(x, y, WITHOUT_ANNEALING)
    assert found.proven
    assert found.distance == 0.0


def test_other_pairs_are_annealed():
    rng = np.random.default_rng(71)
    X = UNGROUPED["sparse"].collection(rng, 20, 5, 8)
    unproven = [(a, b) for a in X for b in X if not gq.match(a, b, WITHOUT_ANNEALING).proven]
    assert len(unproven) > 100
    flat, annealed = (
        np.array([gq.distance(a, b, matcher) for a, b in unproven])
        for matcher in (WITHOUT_ANNEALING, "graduated-assignment")
    )
    assert annealed.mean() < 0.9 * flat.mean()


@pytest.mark.parametrize("beta_end", [150.0, 299.0])
def test_large_exponents_do_not_overflow(beta_end):
    # Ten edges support one another: exponents ten times beta.
    rng = np.random.default_rng(72)
    edges = [(i, j) for i in range(11) for j in range(i)]
    x, y = (gq.Graph(rng.uniform(1.0, 2.0, 11), edges) for _ in range(2))
    found = gq.match(x, y, gq.GraduatedAssignment(beta_end=beta_end))
    assert found.distance == pytest.approx(mapping_distance(x, y, found.mapping), rel=1e-12)
    assert found.distance <= 1.5 * gq.distance(x, y, "exact")
