"""Chains of exchanges: whole parts of a graph move, where every single exchange makes a mapping worse.

Nodes that are all alike leave Frank-Wolfe with ties, and single exchanges stuck: without chains it finds a
tree of 28 nodes in its own copy in none of these cases, and a grid in three of forty.
"""

import numpy as np
import pytest

import graphquant as gq

N_PAIRS = 40


def tree(rng):
    edges = [(int(rng.integers(max(0, i - 4), i)), i) for i in range(1, 28)]
    return gq.Graph(np.ones(28), edges)


def grid(rng):
    along = [(4 * row + i, 4 * row + i + 1) for row in range(7) for i in range(3)]
    down = [(4 * row + i, 4 * row + i + 4) for row in range(6) for i in range(4)]
    return gq.Graph(np.ones(28), along + down)


def ring(rng):
    nodes = np.zeros((28, 2))
    nodes[:, 0] = 1.0
    nodes[rng.integers(28, size=2), 1] = 1.0
    return gq.Graph(nodes, [(i, (i + 1) % 28) for i in range(28)])


@pytest.mark.parametrize(("make", "n_found"), [(tree, 28), (grid, 36), (ring, 18)])
def test_a_graph_is_found_in_its_copy(make, n_found):
    distances = []
    for seed in range(N_PAIRS):
        rng = np.random.default_rng(seed)
        x = make(rng)
        distances.append(gq.distance(x, x.permute(rng.permutation(28)), matcher="frank-wolfe"))
    assert (np.array(distances) < 1e-9).sum() >= n_found
