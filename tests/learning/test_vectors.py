"""Graphs whose nodes cannot be exchanged are vectors, and then graph quantization is vector quantization."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.learning.rates import cycle_rates
from tests.learning.watched_runs import watch
from tests.reference.brute_force import dense
from tests.reference.competitive import competitive_learning

LENGTH, N_GRAPHS, N_CODES, N_CYCLES = 4, 30, 5, 6


def sequences(seed, *, directed):
    """Random sequences of up to LENGTH nodes, with edges: every node is alone in its class."""
    rng = np.random.default_rng(seed)
    members = []
    # The first ones have all nodes, so that all collections have the same graph space.
    for order in [LENGTH] * N_CODES + rng.integers(1, LENGTH + 1, size=N_GRAPHS - N_CODES).tolist():
        pairs = np.array(
            [(i, j) for i in range(order) for j in range(order) if i < j or (directed and i > j)]
        )
        edges = pairs.reshape(-1, 2)[rng.random(len(pairs)) < 0.5]
        members.append(
            gq.Graph(
                rng.normal(size=(order, 2)),
                edges,
                rng.normal(size=(len(edges), 2)),
                directed=directed,
                groups=np.arange(order),
            )
        )
    return gq.GraphCollection(members)


def vectors(graphs):
    padded = [dense(graph, [1] * LENGTH) for graph in graphs]
    return np.array([np.concatenate([graph.nodes.ravel(), graph.edges.ravel()]) for graph in padded])


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("rate", ["linear", "harmonic", 0.3])
@pytest.mark.parametrize("algorithm", ["standard", "lossless", "fast"])
def test_whole_run_is_vector_quantization(algorithm, rate, directed):
    for seed in range(3):
        X = sequences(seed, directed=directed)
        options = {"learning_rate": rate, "max_cycles": N_CYCLES, "init": X[:N_CODES], "seed": seed}
        run, found = watch(X, N_CODES, algorithm, **options)
        rng = np.random.default_rng(seed)
        rates = [[None] * N_GRAPHS] * N_CYCLES
        if rate != "harmonic":
            rates = [cycle_rates(rate, cycle, N_CYCLES, N_GRAPHS).tolist() for cycle in range(N_CYCLES)]
        presented = [rng.permutation(N_GRAPHS) for _ in range(N_CYCLES)]
        expected = competitive_learning(vectors(X), vectors(X[:N_CODES]), presented, rates)
        for cycle, (winners, codes) in enumerate(expected):
            np.testing.assert_array_equal(found.winners[cycle], winners)
            np.testing.assert_allclose(found.nodes[cycle].reshape(N_CODES, -1), codes[:, : 2 * LENGTH])
        np.testing.assert_allclose(vectors(run.codebook()), codes, rtol=1e-10, atol=1e-12)


def test_estimator_ends_with_the_codes_of_vector_quantization():
    X = sequences(9, directed=False)
    q = gq.GraphQuantizer(N_CODES, init=X[:N_CODES], learning_rate=0.1, max_cycles=1, random_state=4).fit(X)
    codes = vectors(q.codebook_)
    distances = np.sqrt(((vectors(X)[:, None] - codes) ** 2).sum(axis=2))
    np.testing.assert_allclose(q.transform(X), distances, rtol=1e-10)
    np.testing.assert_array_equal(q.labels_, distances.argmin(axis=1))
    assert q.distortion_ == pytest.approx(0.5 * (distances.min(axis=1) ** 2).sum(), rel=1e-10)
