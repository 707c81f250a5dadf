"""No lower bound above any distance, on as many random and real pairs as one likes.

``GRAPHQUANT_FUZZ_PAIRS`` sets the number of pairs; ``make fuzz`` takes a million. Every run starts with
the same seeds, so that a longer run goes on where a shorter one stops.
"""

import os
from typing import get_args

import numpy as np
import pytest

import graphquant as gq
from graphquant.bounds import Bound, lower_bounds
from graphquant.datasets import load_iam
from graphquant.matching import MATCHERS
from tests.reference.random_graphs import KINDS, Kind, random_pairs, relabelled

pytestmark = pytest.mark.property

PAIRS = int(os.environ.get("GRAPHQUANT_FUZZ_PAIRS", "6000"))
BATCH = 10_000
# "exact" with a limit that few pairs reach; those are checked as well, as far as they are proven.
ALL_MATCHERS = {**{name: name for name in MATCHERS}, "exact": gq.ExactMatcher(node_limit=5000)}


def noisy_copies(rng, size):
    """Relabelled graphs with noise of all magnitudes: distances so small that rounding shows."""
    kind = Kind(density=0.5, q=2)
    graphs = []
    for _ in range(size // 2):
        graph, noise = kind.graph(rng, int(rng.integers(1, 7))), 10.0 ** rng.uniform(-12.0, -1.0)
        copy = relabelled(rng, graph)
        nodes, edges = (a + noise * rng.normal(size=a.shape) for a in (copy.node_attrs, copy.edge_attrs))
        graphs += [graph, gq.Graph(nodes, copy.edges, edges)]
    numbers = rng.integers(size // 2, size=size)
    return gq.GraphCollection(graphs), np.column_stack([2 * numbers, 2 * numbers + 1])


def far_from_the_origin(rng, size):
    """Attributes with a large mean: norms large, differences small, digits lost."""
    graphs = []
    for graph in KINDS["dense"].collection(rng, 100, 1, 6):
        nodes, edges = (1e4 + a for a in (graph.node_attrs, graph.edge_attrs))
        graphs.append(gq.Graph(nodes, graph.edges, edges))
    return gq.GraphCollection(graphs), random_pairs(rng, 100, size)


def of_kind(kind, max_order):
    def draw(rng, size):
        collection = kind.collection(rng, 200, 0, max_order)
        return collection, random_pairs(rng, 200, size)

    return draw


RANDOM = {
    **{name: of_kind(kind, 6) for name, kind in KINDS.items()},
    "sparse-larger": of_kind(Kind(density=0.15, q=2), 12),
    "non-negative-larger": of_kind(Kind(density=0.2, signed=False), 12),
    "noisy-copies": noisy_copies,
    "far-from-the-origin": far_from_the_origin,
}
# Real data and their shares of all pairs: larger graphs take longer.
REAL = {"letter": 0.2, "letter-med": 0.1, "fingerprint": 0.03, "grec": 0.01, "molecules": 0.0005}
SHARE_OF_RANDOM = (1.0 - sum(REAL.values())) / len(RANDOM)


def check_pairs(collection, pairs, order=None):
    """The highest lower bound of a pair is not above its least distance, and proofs agree."""
    lowers = {
        kind: lower_bounds(collection, collection, pairs, order=order, kind=kind) for kind in get_args(Bound)
    }
    uppers, proofs = {}, {}
    for name, matcher in ALL_MATCHERS.items():
        found = gq.match_all(collection, collection, pairs, matcher, order, 1)
        assert (found.lower_bound <= found.distance).all()
        lowers[name], uppers[name], proofs[name] = found.lower_bound, found.distance, found.proven
    least = np.min(list(uppers.values()), axis=0)
    for name, lower in lowers.items():
        assert np.isfinite(lower).all(), name
        assert (lower >= 0.0).all(), name
        wrong = np.flatnonzero(lower > least)
        assert len(wrong) == 0, f"{name}: pair {pairs[wrong[0]].tolist()} has a bound above its distance"
    scale = squared_norms(collection)[pairs].sum(axis=1)
    for name, proven in proofs.items():
        # "Proven" allows 1e-11 of the squared norms, and so much may another matcher be better.
        wrong = np.flatnonzero(proven & (uppers[name] ** 2 > least**2 + 1.1e-11 * scale))
        assert len(wrong) == 0, f"{name}: pair {pairs[wrong[0]].tolist()} is not proven"


def squared_norms(collection):
    weight = 1.0 if collection.directed else 2.0
    return np.array([(g.node_attrs**2).sum() + weight * (g.edge_attrs**2).sum() for g in collection])


def batches(n_pairs):
    """Seeds and sizes of batches that are ``n_pairs`` together."""
    for seed, start in enumerate(range(0, n_pairs, BATCH)):
        yield seed, min(BATCH, n_pairs - start)


@pytest.mark.parametrize("source", RANDOM)
def test_random_pairs(source):
    for seed, size in batches(max(1, round(SHARE_OF_RANDOM * PAIRS))):
        collection, pairs = RANDOM[source](np.random.default_rng([71, seed]), size)
        check_pairs(collection, pairs[::2])
        # Room beyond the largest graph: a node may be left alone.
        check_pairs(collection, pairs[1::2], collection.max_order + 2 if collection.groups is None else None)


@pytest.mark.parametrize("name", REAL)
def test_real_pairs(name, iam_path):
    graphs = load_iam(name, iam_path).graphs
    for seed, size in batches(max(1, round(REAL[name] * PAIRS))):
        check_pairs(graphs, random_pairs(np.random.default_rng([72, seed]), len(graphs), size))
