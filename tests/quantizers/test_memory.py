"""A fit holds little beside the collection: one graph at a time stands in the form that matchers need."""

import tracemalloc

import numpy as np
import pytest

import graphquant as gq
from graphquant.bounds import prepare
from graphquant.kernels.learning import bound_code
from graphquant.matching import get_matcher
from graphquant.quantizers._state import State, Worker
from tests.reference.random_graphs import KINDS


def graph_in(G, number):
    """Return all that a MatchGraphs tells of one graph."""
    x0, x1 = G.node_ptr[number], G.node_ptr[number + 1]
    slots = slice(G.adj_ptr[x0], G.adj_ptr[x1])
    degrees = np.diff(G.adj_ptr[x0 : x1 + 1])
    parts = (G.node_attr[x0:x1], G.group[x0:x1], degrees, G.adj_idx[slots], G.adj_vec[slots])
    return *parts, G.adj_sorted[slots], G.nonneg[number]


@pytest.mark.parametrize("kind", KINDS)
def test_a_window_shows_a_graph_as_it_is_prepared(kind):
    X = KINDS[kind].collection(np.random.default_rng(0), 12, 0, 6)
    state = State(X, X[:2])
    state.open_windows(3)
    worker = Worker(state, get_matcher("exact"), np.zeros(1, dtype=np.int64), window=1)
    expected = prepare(X)
    np.testing.assert_allclose(state.learner.sq_norm, expected.sq_norm, rtol=1e-14)
    for i in [*range(len(X)), 0]:
        bound_code(state.record, worker.record, i, 0)
        found = graph_in(state.learner.G, 2)
        for a, b in zip(found, graph_in(expected, i), strict=True):
            np.testing.assert_array_equal(a, b)
    assert state.learner.shown.tolist() == [-1, 0, -1]


def peak_bytes(graphs, n_codes, init):
    q = gq.GraphQuantizer(n_codes, init=init, max_cycles=1, random_state=0, n_jobs=1)
    tracemalloc.start()
    try:
        q.fit(graphs)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("init", ["random", "k-means++", "furthest-first"])
def test_bytes_for_each_node_and_pair(init):
    letters = gq.datasets.make_letters(n_per_class=10, random_state=0).graphs
    few, many = (letters[np.arange(size) % len(letters)].packed() for size in (6_000, 12_000))
    n_codes, n_more = 4, len(many) - len(few)
    # Compiling would count.
    peak_bytes(letters, n_codes, init)
    growth = peak_bytes(many, n_codes, init) - peak_bytes(few, n_codes, init)
    n_nodes = len(many.node_attrs) - len(few.node_attrs)
    assert growth <= 16 * n_codes * n_more + 40 * n_nodes
