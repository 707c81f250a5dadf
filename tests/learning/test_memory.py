"""A fit holds little beside the collection: one graph at a time stands in the form that matchers need."""

import tracemalloc

import numpy as np
import pytest

import graphquant as gq


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
    # What is imported would count.
    peak_bytes(letters, n_codes, init)
    growth = peak_bytes(many, n_codes, init) - peak_bytes(few, n_codes, init)
    n_nodes = len(many.node_attrs) - len(few.node_attrs)
    assert growth <= 16 * n_codes * n_more + 40 * n_nodes
