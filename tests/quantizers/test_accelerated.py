"""Algorithms 2 to 5 of the paper, against a plain version of them."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.quantizers._rates import cycle_rates
from tests.quantizers.watched_runs import watch
from tests.reference.brute_force import dense
from tests.reference.competitive import accelerated_learning

ORDER, N_GRAPHS, N_CODES, N_CYCLES = 4, 24, 4, 6


def vector(graph):
    padded = dense(graph, [ORDER])
    return np.concatenate([padded.nodes.ravel(), padded.edges.ravel()])


def arrays(values):
    nodes, edges = np.split(values, [2 * ORDER])
    return nodes.reshape(ORDER, 2), edges.reshape(ORDER, ORDER)


def align(x, y):
    """Distance of two vectors as graphs, and the lift of the first that is nearest to the second."""

    def as_graph(values):
        nodes, edges = arrays(values)
        pairs = np.argwhere(np.triu(edges) != 0.0)
        return gq.Graph(nodes, pairs, edges[tuple(pairs.T)][:, None])

    found = gq.match(as_graph(x), as_graph(y), "exact")
    back = np.argsort(found.mapping)
    nodes, edges = arrays(x)
    return found.distance, np.concatenate([nodes[back].ravel(), edges[np.ix_(back, back)].ravel()])


@pytest.mark.parametrize("theta", [0.0, 0.1])
@pytest.mark.parametrize("rate", ["linear", 0.2])
def test_is_the_algorithm_of_the_paper(rate, theta):
    for seed in range(2):
        X = gq.datasets.make_graph_blobs(N_GRAPHS, 6, order=ORDER, noise=0.3, random_state=seed).graphs
        options = {"learning_rate": rate, "max_cycles": N_CYCLES, "theta": theta, "seed": seed}
        run, found = watch(X, N_CODES, "accelerated", matcher="exact", init=X[:N_CODES], **options)
        rng = np.random.default_rng(seed)
        presented = [rng.permutation(N_GRAPHS) for _ in range(N_CYCLES)]
        rates = [cycle_rates(rate, cycle, N_CYCLES, N_GRAPHS) for cycle in range(N_CYCLES)]
        points = np.array([vector(graph) for graph in X])
        expected = accelerated_learning(points, points[:N_CODES], presented, rates, theta, align)
        for cycle, (winners, codes, n_matchings) in enumerate(expected):
            np.testing.assert_array_equal(found.winners[cycle], winners)
            assert run.cycles[cycle].n_matchings == n_matchings
            nodes = np.array([arrays(code)[0] for code in codes])
            np.testing.assert_allclose(found.nodes[cycle], nodes, rtol=1e-9, atol=1e-12)
