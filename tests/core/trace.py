"""One digest of what the core gives; ``python -m tests.core.trace`` prints it with level and compiler.

Every matcher, the star bound and every algorithm of learning on generated graphs of all kinds: a library of
another CPU level or compiler has to give the same digest, bit by bit.
"""

import hashlib
import json

import numpy as np

import graphquant as gq
from graphquant._core.build import this_build
from tests.core import native
from tests.reference.random_graphs import KINDS


def add(digest, *arrays):
    """Add the bits of arrays."""
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())


def trace():
    """Return the digest of matching, bounding and learning."""
    digest = hashlib.sha256()
    # Whole numbers of 1/64: the graphs are the same on every machine.
    collections = [rounded(kind.collection(np.random.default_rng(7), 12, 1, 9)) for kind in KINDS.values()]
    letters = rounded(gq.datasets.make_letters(2, "high", random_state=3).graphs)
    for graphs in (*collections, letters):
        pairs = np.random.default_rng(1).integers(len(graphs), size=(30, 2))
        for name in native.MATCHERS:
            found = native.match(graphs, pairs, native.matcher(name, node_limit=300))
            add(digest, found.sq_distance, found.sq_lower, found.n_nodes, found.mapping)
        add(digest, native.star_bounds(graphs, pairs))
        for algorithm in native.ALGORITHMS:
            made = native.learner(graphs, 3, native.matcher(node_limit=200), keeps_certificates=True)
            add(digest, native.run(made, algorithm, len(graphs)))
            add(digest, made.arrays["code_nodes"], made.arrays["code_pairs"], made.exact_sq_distances())
            add(digest, np.array(list(made.counters().values())))
    return digest.hexdigest()


def rounded(graphs):
    """The same graphs with attributes in multiples of 1/64."""

    def round_off(values):
        return np.round(values * 64) / 64

    return gq.GraphCollection(
        [
            gq.Graph(
                round_off(graph.node_attrs),
                graph.edges,
                round_off(graph.edge_attrs),
                directed=graph.directed,
                groups=graph.groups,
            )
            for graph in graphs
        ]
    )


if __name__ == "__main__":
    build = this_build()
    print(json.dumps({"level": build.cpu_level, "compiler": build.compiler, "trace": trace()}))
