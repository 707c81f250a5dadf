"""Whether clusters only part small graphs from large ones."""

import numpy as np
import pytest

from graphquant.exceptions import InvalidParameterError
from graphquant.metrics import size_dependence


def test_size_that_decides_and_size_that_does_not():
    rng = np.random.default_rng(0)
    orders = rng.integers(5, 40, 2000)
    assert size_dependence(orders > 20, orders) == pytest.approx(1.0)
    assert size_dependence(rng.integers(0, 10, 2000), orders) < 0.01
    half = np.where(rng.random(2000) < 0.5, orders > 20, rng.random(2000) < 0.5)
    assert 0.1 < size_dependence(half, orders) < 0.4


def test_edges():
    assert size_dependence([0, 0, 0], [1, 2, 3]) == 0.0
    assert size_dependence([0, 1, 2], [5, 5, 5]) == 0.0
    assert size_dependence([0, 1, 2], [5, 6, 7]) == 0.0  # as many clusters as graphs: chance
    with pytest.raises(InvalidParameterError, match="shape"):
        size_dependence([0, 1], [5])
