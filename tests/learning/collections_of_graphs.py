"""Small collections of every kind that a learner has to get right, by name."""

from functools import cache

import numpy as np

import graphquant as gq
from tests.reference.random_graphs import KINDS

# Larger graphs would make thousands of runs too slow to test.
MAX_ORDER = 8
KIND_NAMES = ("letters", "letter", "fingerprint", "blobs", "noise", "directed", "signed", "vector-edges")


def collection(name, size, seed, iam_path=None):
    """``size`` graphs of a kind; the seed tells which."""
    rng = np.random.default_rng([seed, size])
    if name in ("letters", "letter", "fingerprint"):
        graphs = _loaded(name, iam_path)
        return graphs[np.sort(rng.choice(len(graphs), size, replace=False))]
    if name == "blobs":
        return gq.datasets.make_graph_blobs(size, 3, order=5, noise=0.2, random_state=rng).graphs
    if name == "noise":
        return gq.datasets.make_graph_blobs(size, size, order=4, random_state=rng).graphs
    kind = {"signed": "sparse", "directed": "directed-non-negative"}.get(name, name)
    return KINDS[kind].collection(rng, size, 1, 5)


@cache
def _loaded(name, iam_path):
    if name == "letters":
        return gq.datasets.make_letters(3, distortion="med", random_state=0).graphs
    graphs = gq.datasets.load_iam(name, iam_path).graphs
    return graphs[np.flatnonzero(graphs.orders <= MAX_ORDER)]
