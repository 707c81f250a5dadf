"""Merging codebooks: what presenting the parts one after the other would give."""

import numpy as np
import pytest

from graphquant.learning.codes import Codes
from graphquant.out_of_core.merging import Moved, merge


def presented(start: Codes, graphs, rates, harmonic=False) -> Moved:
    """Present graphs that all belong to code graph 0, under the identity."""
    codes, keep = start.copy(), np.ones(len(start.wins))
    for (nodes, pairs), rate in zip(graphs, rates, strict=True):
        codes.wins[0] += 1
        eta = 1.0 / codes.wins[0] if harmonic else rate
        codes.nodes[0] += eta * (nodes - codes.nodes[0])
        codes.pairs[0] += eta * (pairs - codes.pairs[0])
        keep[0] *= 1.0 - eta
    return Moved(codes, None if harmonic else keep)


@pytest.mark.parametrize("harmonic", [False, True])
@pytest.mark.parametrize("wins", [0, 3])
def test_parts_one_after_the_other(harmonic, wins):
    rng = np.random.default_rng(0)
    start = Codes(rng.random((2, 3, 2)), rng.random((2, 3, 3, 1)), np.array([wins, 5]))
    graphs = [(rng.random((3, 2)), rng.random((3, 3, 1))) for _ in range(9)]
    rates = rng.random(9)
    parts = [slice(0, 4), slice(4, 5), slice(5, 9)]
    found = merge(start, [presented(start, graphs[part], rates[part], harmonic) for part in parts])
    expected = presented(start, graphs, rates, harmonic).codes
    np.testing.assert_allclose(found.nodes, expected.nodes, rtol=1e-13)
    np.testing.assert_allclose(found.pairs, expected.pairs, rtol=1e-13)
    assert found.wins.tolist() == [wins + 9, 5]


def test_a_part_alone_is_taken_bit_for_bit():
    rng = np.random.default_rng(0)
    start = Codes(rng.random((2, 3, 2)), rng.random((2, 3, 3, 1)), np.array([4, 4]))
    one = presented(start, [(rng.random((3, 2)), rng.random((3, 3, 1)))], [0.3])
    idle = Moved(start.copy(), np.ones(2))
    found = merge(start, [idle, one, idle])
    assert found.nodes.tobytes() == one.codes.nodes.tobytes()
    assert found.pairs.tobytes() == one.codes.pairs.tobytes()


def test_rounding_leaves_no_edge_behind():
    start = Codes(np.full((1, 1, 1), 1.0), np.full((1, 1, 1, 1), 0.3), np.array([0]))
    first = Codes(np.full((1, 1, 1), 1.0), np.zeros((1, 1, 1, 1)), np.array([1]))
    second = Codes(np.full((1, 1, 1), 1.0), np.full((1, 1, 1, 1), 0.3 * 0.9 + 1e-17), np.array([1]))
    found = merge(start, [Moved(first, np.array([0.0])), Moved(second, np.array([0.9]))])
    assert found.pairs[0, 0, 0, 0] == 0.0
