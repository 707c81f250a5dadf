"""Each lower bound has the very value of its definition, computed here by sorting, LAPACK and SciPy."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from graphquant.bounds import lower_bounds
from tests.reference.brute_force import dense
from tests.reference.random_graphs import UNGROUPED

ORDER = 6


def representation(graph):
    """Node vectors (n, p) and pair vectors (n, n, q), without padding."""
    padded = dense(graph, [graph.order])
    return padded.nodes, padded.edges


def parted(values):
    """Positive values from the largest on, negative ones from the least on, each followed by zeros."""
    room = np.zeros(2 * ORDER**2)
    return [np.sort(np.concatenate([sign * values[sign * values > 0], room]))[::-1] for sign in (1, -1)]


def sorted_part(a, b):
    return sum(
        ((x[: 2 * ORDER**2] - y[: 2 * ORDER**2]) ** 2).sum()
        for x, y in zip(parted(a), parted(b), strict=True)
    )


def common_part(a, b):
    """Largest scalar product of two sets of numbers, of which some may stay without a partner."""
    return sum(
        (x[: 2 * ORDER**2] * y[: 2 * ORDER**2]).sum() for x, y in zip(parted(a), parted(b), strict=True)
    )


def over_channels(part, a, b):
    return sum(part(a[..., c].ravel(), b[..., c].ravel()) for c in range(a.shape[-1]))


def norm_part(a, b):
    return (np.linalg.norm(a) - np.linalg.norm(b)) ** 2


def spectrum_part(a, b, directed):
    def values(matrix):
        return np.linalg.svd(matrix, compute_uv=False) if directed else np.linalg.eigvalsh(matrix)

    return sum(sorted_part(values(a[..., c]), values(b[..., c])) for c in range(a.shape[-1]))


def largest_gain(gains):
    """Best assignment of rows to columns, of which there are enough that gain nothing for all of them."""
    padded = np.zeros((ORDER, ORDER))
    padded[: gains.shape[0], : gains.shape[1]] = gains
    rows, columns = linear_sum_assignment(padded, maximize=True)
    return padded[rows, columns].sum()


def bounds_by_definition(x, y):
    """Squares of all five bounds in the graph space of order ``ORDER``."""
    (x_nodes, x_pairs), (y_nodes, y_pairs) = representation(x), representation(y)
    scale = sum((part**2).sum() for part in (x_nodes, x_pairs, y_nodes, y_pairs))
    nodes = over_channels(norm_part, x_nodes, y_nodes)
    edges = over_channels(norm_part, x_pairs, y_pairs)
    found = [nodes + edges]
    nodes = max(nodes, over_channels(sorted_part, x_nodes, y_nodes))
    edges = max(edges, over_channels(sorted_part, x_pairs, y_pairs))
    found.append(nodes + edges)
    edges = max(edges, spectrum_part(x_pairs, y_pairs, x.directed))
    found.append(nodes + edges)
    gains = x_nodes @ y_nodes.T
    by_nodes = (x_nodes**2).sum() + (y_nodes**2).sum() - 2 * largest_gain(gains)
    found.append(max(nodes, by_nodes) + edges)
    stars = gains.copy()
    for r in range(x.order):
        for p in range(y.order):
            outgoing = over_channels(common_part, x_pairs[r], y_pairs[p])
            incoming = over_channels(common_part, x_pairs[:, r], y_pairs[:, p])
            stars[r, p] += 0.5 * (outgoing + incoming)
    found.append(max(found[-1], scale - 2 * largest_gain(stars)))
    return found


@pytest.mark.parametrize("name", UNGROUPED)
def test_values(name):
    rng = np.random.default_rng(21)
    graphs = UNGROUPED[name].collection(rng, 12, 0, 5)
    pairs = rng.integers(12, size=(24, 2))
    expected = np.array([bounds_by_definition(graphs[int(i)], graphs[int(j)]) for i, j in pairs])
    for stage, kind in enumerate(("norms", "sorted", "spectra", "nodes", "star")):
        found = lower_bounds(graphs, graphs, pairs, order=ORDER, kind=kind) ** 2
        np.testing.assert_allclose(found, expected[:, stage], rtol=1e-9, atol=1e-9, err_msg=kind)
