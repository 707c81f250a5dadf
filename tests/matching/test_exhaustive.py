"""All graphs of up to five nodes with two labels, each against each: no distance, bound or proof is wrong."""

from itertools import combinations, permutations
from typing import get_args

import numpy as np
import pytest

import graphquant as gq
from graphquant.bounds import Bound, lower_bounds
from graphquant.matching import MATCHERS

ORDER = 5
# Graphs with two kinds of nodes, up to isomorphism (sequence A000666 of the OEIS, from order 0 on).
COUNTS = (1, 2, 6, 20, 90, 544)
NODE_LABELS = np.eye(2)


def small_graphs(order):
    """Return labels (n, order) and adjacency matrices (n, order, order) of all graphs up to isomorphism."""
    slots = list(combinations(range(order), 2))
    codes = np.arange(1 << (order + len(slots)))
    bits = codes[:, None] >> np.arange(order + len(slots)) & 1
    labels, adjacency = bits[:, :order], np.zeros((len(codes), order, order), dtype=int)
    for number, (r, s) in enumerate(slots):
        adjacency[:, r, s] = adjacency[:, s, r] = bits[:, order + number]
    weights = 1 << np.arange(order + len(slots))
    least = codes.copy()
    for renumbered in permutations(range(order)):
        other = [adjacency[:, renumbered[r], renumbered[s]] for r, s in slots]
        moved = np.column_stack([labels[:, list(renumbered)], *other])
        least = np.minimum(least, moved @ weights)
    is_first = least == codes
    return labels[is_first], adjacency[is_first]


@pytest.fixture(scope="module")
def everything():
    """Collect all graphs, and their flattened representations in the space of five nodes (n, 35)."""
    graphs, rows = [], []
    for order in range(ORDER + 1):
        labels, adjacency = small_graphs(order)
        assert len(labels) == COUNTS[order]
        for label, matrix in zip(labels, adjacency, strict=True):
            edges = [(r, s) for r, s in combinations(range(order), 2) if matrix[r, s]]
            graphs.append(
                gq.Graph(NODE_LABELS[label].reshape(order, 2), np.reshape(edges, (-1, 2)).astype(int))
            )
            nodes, square = np.zeros((ORDER, 2)), np.zeros((ORDER, ORDER))
            nodes[:order], square[:order, :order] = NODE_LABELS[label], matrix
            rows.append((nodes, square))
    return gq.GraphCollection(graphs), rows


@pytest.fixture(scope="module")
def distances(everything):
    """Return all squared distances, by trying every permutation of the five positions."""
    _, rows = everything
    flat = np.array([np.concatenate([nodes.ravel(), square.ravel()]) for nodes, square in rows])
    norms, best = (flat**2).sum(axis=1), np.zeros((len(rows), len(rows)))
    for order in permutations(range(ORDER)):
        moved = [
            np.concatenate([nodes[list(order)].ravel(), square[np.ix_(order, order)].ravel()])
            for nodes, square in rows
        ]
        best = np.maximum(best, flat @ np.array(moved).T)
    return norms[:, None] + norms - 2.0 * best


@pytest.mark.parametrize("matcher", MATCHERS)
def test_every_pair_is_right(everything, distances, matcher):
    graphs, _ = everything
    pairs = np.column_stack(np.triu_indices(len(graphs)))
    true = np.sqrt(distances[pairs[:, 0], pairs[:, 1]])
    found = gq.match_all(graphs, graphs, pairs, matcher, order=ORDER)
    assert (found.distance >= true - 1e-9).all()
    assert (found.lower_bound <= true + 1e-9).all()
    assert np.abs(found.distance - true)[found.proven].max() < 1e-9
    if matcher in ("exact", "auto"):
        assert found.proven.all()


@pytest.mark.parametrize("bound", get_args(Bound))
def test_every_bound_is_below(everything, distances, bound):
    graphs, _ = everything
    pairs = np.column_stack(np.triu_indices(len(graphs)))
    found = lower_bounds(graphs, graphs, pairs, kind=bound, order=ORDER)
    assert (found <= np.sqrt(distances[pairs[:, 0], pairs[:, 1]]) + 1e-9).all()
