"""Bounds are rounded up to what distances may be, and never above them."""

import numpy as np
import pytest

from graphquant.edit.matching import Grid


@pytest.mark.parametrize(("granularity", "step"), [(0.5, 0.5), (0.25, 0.5), (1.0, 2.0), (3.0, 3.0)])
def test_a_bound_rises_to_the_next_value_and_no_further(granularity, step):
    grid = Grid(granularity, step)
    distance = 40 * granularity
    values = np.arange(distance % step, distance + step / 2, step)
    rng = np.random.default_rng(0)
    lower = rng.uniform(0.0, distance, 200)
    raised = grid.raised(lower, np.full(200, distance), np.zeros(200, dtype=bool))
    expected = values[np.searchsorted(values, lower)]
    np.testing.assert_allclose(raised, expected)
