"""Rows in whole blocks."""

import numpy as np
import pytest
from numba import njit

from graphquant.bounds import prepare
from graphquant.graphs import GraphCollection
from graphquant.kernels._vectors import (
    BLOCK,
    SHORT,
    add_neighbours,
    exponentiate,
    normalise_short_rows,
    whole_blocks,
)
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


@njit
def exponentials(E, nx, ny):
    exponentiate(E, nx, ny)


def test_exponentials_of_the_whole_range():
    values = np.concatenate([np.linspace(-700.0, 700.0, 20001), np.linspace(-1e-6, 1e-6, 7)])
    E = values.reshape(1, -1).copy()
    exponentials(E, 1, E.shape[1])
    np.testing.assert_allclose(E[0], np.exp(values), rtol=1e-9, atol=0.0)


@pytest.mark.parametrize("length", [1, 8, 13])
def test_exponentials_of_rows_and_what_is_behind_them(length):
    rng = np.random.default_rng(length)
    E = np.full((3, 16), 5.0)
    E[:, :length] = rng.uniform(-40.0, 40.0, (3, length))
    E[0, 0], E[1, 0], E[2, 0] = np.nan, -1e9, np.inf
    expected = np.exp(np.clip(np.where(np.isnan(E), -700.0, E), -700.0, 700.0))
    exponentials(E, 3, length)
    np.testing.assert_allclose(E[:, :length], expected[:, :length], rtol=1e-9)
    behind = E[:, length : -(-length // BLOCK) * BLOCK]
    assert (behind < 1e-300).all()


@njit
def normalised(E, nx, ny, u, v):
    return normalise_short_rows(E, nx, ny, u, v)


@pytest.mark.skipif(SHORT == 0, reason="no rows are short without a compiler")
@pytest.mark.parametrize("length", [1, 8, 9, 16, 17, 24, 25, 32, 33, 40])
def test_rows_and_columns_normalised_once(length):
    rng = np.random.default_rng(length)
    E = np.zeros((6, 48))
    E[:, :length] = rng.random((6, length))
    E[5] = 1e9  # behind the last row
    u, v = rng.random(6), rng.random(48)
    totals = 1.0 + E[:5, :length] @ v[:length]
    expected_u = 1.0 / totals
    expected_v = 1.0 / (1.0 + expected_u @ E[:5, :length])
    change, last = np.abs(u[:5] * totals - 1.0).sum(), u[5]
    assert normalised(E, 5, length, u, v) == pytest.approx(change, rel=1e-12)
    np.testing.assert_allclose(u[:5], expected_u, rtol=1e-12)
    np.testing.assert_allclose(v[:length], expected_v, rtol=1e-12)
    assert u[5] == last
