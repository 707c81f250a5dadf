"""Sums of rows in whole blocks."""

import numpy as np
import pytest
from numba import njit

from graphquant.bounds import prepare
from graphquant.graphs import GraphCollection
from graphquant.kernels._vectors import BLOCK, add_neighbours, whole_blocks
from tests.reference.random_graphs import UNGROUPED


@njit
def sums(G, n_nodes, channel, rows, length, out):
    for node in range(n_nodes):
        add_neighbours(G, node, channel, rows, length, out, node)
    return whole_blocks(length)


@pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 17, 24, 25, 32, 33, 70])
def test_sums_of_the_rows_of_neighbours(length):
    rng = np.random.default_rng(length)
    [x] = UNGROUPED["vector-edges"].collection(rng, 1, 6, 6)
    G = prepare(GraphCollection([x]))
    width = -(-length // BLOCK) * BLOCK
    rows, out = rng.random((8, width)), np.ones((8, width))
    weights = np.zeros((6, 6, G.adj_vec.shape[1]))
    for r in range(6):
        slots = slice(G.adj_ptr[r], G.adj_ptr[r + 1])
        weights[r, G.adj_idx[slots]] = G.adj_vec[slots]
    for channel in range(weights.shape[2]):
        expected = out[:6] + weights[:, :, channel] @ rows[:6]
        assert sums(G, 6, channel, rows, length, out) == width
        np.testing.assert_allclose(out[:6], expected, rtol=1e-12)
    assert (out[6:] == 1.0).all()
