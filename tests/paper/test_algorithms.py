"""The algorithms of the library against those of the paper, from the same start and in the same order."""

import ast
import sys
from pathlib import Path

import numpy as np
import pytest

import graphquant as gq
from graphquant import paper
from graphquant.paper import algorithms

N_CYCLES, SEED = 5, 3
# Accelerated learning with a theta that some movements of code graphs are below, others above.
ALGORITHMS = [("standard", 0.0), ("accelerated", 0.0), ("accelerated", 0.1)]


def blobs():
    return gq.datasets.make_graph_blobs(24, 6, order=4, noise=0.3, random_state=1).graphs


def letters():
    drawn = gq.datasets.make_letters(2, distortion="med", random_state=0).graphs
    # Without the schema of their encoder, since code graphs made by hand have none.
    return gq.GraphCollection([gq.Graph(x.node_attrs, x.edges, x.edge_attrs) for x in drawn])


def noise():
    """Graphs of different orders without clusters, with signed vectors on nodes and edges."""
    rng = np.random.default_rng(7)
    graphs = []
    for order in rng.integers(1, 5, size=16):
        edges = np.argwhere(np.triu(rng.random((order, order)) < 0.6, 1))
        graphs.append(gq.Graph(rng.normal(size=(order, 2)), edges, rng.normal(size=(len(edges), 2))))
    return gq.GraphCollection(graphs)


def directed():
    rng = np.random.default_rng(8)
    graphs = []
    for order in rng.integers(2, 5, size=16):
        edges = np.argwhere((rng.random((order, order)) < 0.5) & ~np.eye(order, dtype=bool))
        weights = rng.random((len(edges), 1))
        graphs.append(gq.Graph(rng.random((order, 1)), edges, weights, directed=True))
    return gq.GraphCollection(graphs)


COLLECTIONS = {"blobs": (blobs, 4), "letters": (letters, 6), "noise": (noise, 3), "directed": (directed, 3)}


class Dense:
    """Graphs of a collection as the matrices of the paper, and back; matched as the library does it."""

    def __init__(self, X):
        self.order, self.p, self.directed = X.max_order, X.node_attrs.shape[1], X.directed
        self.n_aligned = 0

    def matrix(self, graph):
        nodes, edges = gq.graphs.to_dense(graph, self.order)
        matrix = np.concatenate([np.zeros((*edges.shape[:2], self.p)), edges], axis=2)
        matrix[range(self.order), range(self.order), : self.p] = nodes
        return matrix

    def graph(self, matrix):
        nodes, edges = matrix[range(self.order), range(self.order), : self.p], matrix[:, :, self.p :]
        return gq.graphs.from_dense(nodes, edges, self.directed)

    def align(self, x, y):
        self.n_aligned += 1
        found = gq.match(self.graph(x), self.graph(y), "exact", order=self.order)
        images = found.mapping.tolist()
        # Zero nodes of x, which are not in the mapping, go where there is room.
        images += sorted(set(range(self.order)) - set(images))
        back = np.argsort(images)
        return found.distance, x[np.ix_(back, back)]


def rate(now):
    """Another one at each presentation, whatever the number of cycles."""
    return 0.5 / (1 + 0.01 * now.step)


def presentations(rng, n_graphs):
    """Each cycle presents all graphs in an order that the generator of the run draws."""
    for cycle in range(N_CYCLES):
        steps = range(cycle * n_graphs, (cycle + 1) * n_graphs)
        rates = [rate(gq.RateContext(cycle, N_CYCLES, step, N_CYCLES * n_graphs)) for step in steps]
        yield list(zip(rng.permutation(n_graphs).tolist(), rates, strict=True))


def generator_of_fit():
    """``random_state`` gives each of the ``n_init`` runs a seed."""
    return np.random.default_rng(int(np.random.default_rng(SEED).integers(0, 2**63 - 1, size=1)[0]))


def start(X, k):
    """Code graphs that differ from all training graphs and from each other."""
    rng = np.random.default_rng(5)
    graphs = (X[i] for i in np.argsort(-X.orders, kind="stable")[:k])
    return gq.GraphCollection(
        [
            gq.Graph(
                graph.node_attrs + 0.1 * rng.random(graph.node_attrs.shape),
                graph.edges,
                graph.edge_attrs,
                directed=graph.directed,
            )
            for graph in graphs
        ]
    )


def quantizer(k, algorithm, theta, codes, **options):
    return gq.GraphQuantizer(
        k, algorithm=algorithm, init=codes, learning_rate=rate, theta=theta, random_state=SEED, n_jobs=1,
        **{"matcher": "exact", "max_cycles": N_CYCLES} | options,
    )  # fmt: skip


def learn(algorithm, theta, S, y, cycles, align):
    """Run the algorithm of the paper that has this name in the library."""
    if algorithm == "standard":
        return paper.competitive_learning(S, y, cycles, align)
    return paper.AcceleratedLearning(S, y, theta, align).learn(cycles)


def same_graphs(dense, found, expected):
    """Zero nodes may be numbered differently: the graphs are the same if their distance is 0."""
    distances = [gq.distance(g, dense.graph(y), "exact") for g, y in zip(found, expected, strict=True)]
    return np.max(distances) < 1e-9


@pytest.fixture(params=COLLECTIONS)
def case(request):
    make, k = COLLECTIONS[request.param]
    X = make()
    dense, codes = Dense(X), start(X, k)
    return X, k, codes, dense, *(np.array([dense.matrix(g) for g in graphs]) for graphs in (X, codes))


@pytest.mark.parametrize(("algorithm", "theta"), ALGORITHMS)
def test_codebooks_and_matchings_of_each_cycle(algorithm, theta, case):
    X, k, codes, dense, S, y = case
    cycles = learn(algorithm, theta, S, y, presentations(generator_of_fit(), len(X)), dense.align)
    counts = []
    for n_cycles, cycle in enumerate(cycles, 1):
        q = quantizer(k, algorithm, theta, codes, max_cycles=n_cycles).fit(X)
        assert same_graphs(dense, q.codebook_, cycle.codebook)
        counts.append(dense.n_aligned)
        assert q.n_matchings_ + q.n_shift_matchings_ == counts[-1]
    assert n_cycles == N_CYCLES
    if algorithm == "standard":
        assert counts == [len(X) * k * n for n in range(1, N_CYCLES + 1)]
    else:
        assert counts[-1] < 0.8 * N_CYCLES * len(X) * k
    nearest = [int(np.argmin([dense.align(x, code)[0] for code in cycle.codebook])) for x in S]
    assert q.labels_.tolist() == nearest


@pytest.mark.parametrize(("algorithm", "theta"), ALGORITHMS)
def test_winners_of_each_presentation(algorithm, theta, case):
    """``partial_fit`` is one cycle, and ``labels_`` are its winners; each call starts with no bounds."""
    X, k, codes, dense, S, y = case
    q = quantizer(k, algorithm, theta, codes)
    for cycle in presentations(np.random.default_rng(SEED), len(X)):
        q.partial_fit(X)
        (found,) = learn(algorithm, theta, S, y, [cycle], dense.align)
        assert q.labels_[[i for i, _ in cycle]].tolist() == found.winners
        y = found.codebook
    assert same_graphs(dense, q.codebook_, y)


class WatchedMatcher:
    """A matcher that remembers what it was asked for: training graphs, and code graphs as they were then."""

    def __init__(self, dense, S):
        self.dense, self.number = dense, {x.tobytes(): i for i, x in enumerate(S)}
        self.asked = []

    def match(self, x, y, order=None):
        self.note(self.dense.matrix(x), self.dense.matrix(y))
        return gq.match(x, y, "exact", order=order).mapping

    def align(self, x, y):
        self.note(x, y)
        return self.dense.align(x, y)

    def note(self, x, y):
        if x.tobytes() in self.number:  # not the movement of a code graph
            self.asked.append((self.number[x.tobytes()], y.copy()))


@pytest.mark.parametrize(("algorithm", "theta"), ALGORITHMS)
def test_every_matching_is_the_same(algorithm, theta, case):
    X, k, codes, dense, S, y = case
    expected, found = WatchedMatcher(dense, S), WatchedMatcher(dense, S)
    for _ in learn(algorithm, theta, S, y, presentations(generator_of_fit(), len(X)), expected.align):
        pass
    q = quantizer(k, algorithm, theta, codes, matcher=found).fit(X)
    n = len(expected.asked)
    assert q.n_matchings_ == n
    # What comes after them are the matchings of ``labels_``.
    assert [i for i, _ in found.asked[:n]] == [i for i, _ in expected.asked]
    codes_then = [np.array([code for _, code in matcher.asked[:n]]) for matcher in (found, expected)]
    np.testing.assert_allclose(*codes_then, rtol=1e-9, atol=1e-12)


def test_is_independent_of_the_library():
    """An oracle that shares code with what it judges is none."""
    tree = ast.parse(Path(algorithms.__file__).read_text(encoding="utf-8"))
    imported = {name for node in ast.walk(tree) for name in imported_names(node)}
    assert {name.partition(".")[0] for name in imported} <= {*sys.stdlib_module_names, "numpy"}


def imported_names(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) else []
