"""Graphs without their faintest edges."""

import numpy as np
import pytest
from numba import njit

import graphquant as gq
from graphquant.bounds import prepare
from graphquant.graphs import GraphCollection
from graphquant.kernels.thinning import FAINT_NORM, faint_below, thin_out
from graphquant.kernels.workspace import pair_buffers
from tests.reference.random_graphs import UNGROUPED


@njit
def limit_of(G, i):
    return faint_below(G, i)


@njit
def thin(G, i, limit, thinned):
    thin_out(G, i, limit, thinned)


def path(weights):
    """A path whose edges have given weights, in two channels."""
    n = len(weights) + 1
    edges = [(r, r + 1) for r in range(n - 1)]
    return gq.Graph(np.arange(n) + 1.0, edges, np.column_stack([weights, np.zeros(n - 1)]))


@pytest.mark.parametrize(
    ("weights", "limit"),
    [
        ([1.0, 1.0, 0.5], 0.0),
        ([1.0, 1.0, 0.1], 0.2),
        ([1.0, -1.0, -0.1], 0.2),
        # Many faint edges count together: only the faintest are left out.
        ([1.0, *[0.15] * 3, 0.04], 0.1),
        ([1.0, *[0.15] * 3], 0.0),
        ([0.0, 0.0], 0.0),
        ([], 0.0),
    ],
)
def test_edges_are_faint_beside_the_strongest_and_together(weights, limit):
    G = prepare(GraphCollection([gq.Graph([1.0], [], np.empty((0, 2))), path(weights)]))
    assert limit_of(G, 1) == pytest.approx(limit**2)


def test_thinned_graphs_have_the_other_edges():
    rng = np.random.default_rng(3)
    X = UNGROUPED["vector-edges"].collection(rng, 5, 3, 6)
    G = prepare(X)
    for i, x in enumerate(X):
        slots = slice(G.adj_ptr[G.node_ptr[i]], G.adj_ptr[G.node_ptr[i + 1]])
        squares = (G.adj_vec[slots] ** 2).sum(axis=1)
        for limit in (0.0, float(np.sort(squares)[len(squares) // 2]) if len(squares) else 1.0):
            thinned = pair_buffers(6, 40, G.adj_vec.shape[1]).thin_x
            thin(G, i, limit, thinned)
            n_slots = thinned.adj_ptr[x.order]
            assert thinned.node_ptr.tolist() == [0, x.order]
            assert thinned.adj_idx[:n_slots].tolist() == G.adj_idx[slots][squares >= limit].tolist()
            np.testing.assert_array_equal(thinned.adj_vec[:n_slots], G.adj_vec[slots][squares >= limit])
            rows = np.repeat(np.arange(x.order), np.diff(thinned.adj_ptr[: x.order + 1]))
            expected = np.repeat(
                np.arange(x.order), np.diff(G.adj_ptr[G.node_ptr[i] : G.node_ptr[i + 1] + 1])
            )
            assert rows.tolist() == expected[squares >= limit].tolist()


def test_faint_edges_decide_where_nothing_else_does():
    """A square that is marked by one faint edge: left out in the search, it is found in the end."""
    square = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
    x = gq.Graph(np.ones(4), square, [[1.0], [1.0], [1.0], [1.0], [0.1]])
    assert FAINT_NORM > 0.01 / 4.01
    for turn in ([1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]):
        assert gq.distance(x, x.permute(turn), matcher="frank-wolfe") == pytest.approx(0.0, abs=1e-12)
