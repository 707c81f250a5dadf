"""What algorithm="auto" stands for: decided before learning, by a stated rule, and told."""

import numpy as np
import pytest

import graphquant as gq


def rings(orders):
    """One ring of nodes for each order."""
    return [gq.Graph(np.linspace(0.1, 1.0, n), [(i, (i + 1) % n) for i in range(n)]) for n in orders]


def algorithm_of(graphs, **settings):
    q = gq.GraphQuantizer(2, max_cycles=2, random_state=0, **settings).fit(graphs)
    (found,) = {cycle.algorithm for cycle in q.history_}
    return found


@pytest.mark.parametrize(
    ("orders", "settings", "expected"),
    [
        ([5, 6, 7, 16], {}, "lossless"),
        ([5, 6, 7, 17], {}, "lossless"),
        ([5, 6, 17, 17], {}, "fast"),
        ([17, 18, 19, 20], {"matcher": gq.ExactMatcher()}, "lossless"),
        ([5, 6, 7, 8], {"matcher": "frank-wolfe"}, "fast"),
        ([17, 18, 19, 20], {"algorithm": "lossless"}, "lossless"),
        ([5, 6, 7, 8], {"algorithm": "standard"}, "standard"),
    ],
)
def test_lossless_where_graphs_are_searched_for_a_proof(orders, settings, expected):
    assert algorithm_of(rings(orders), **settings) == expected


def test_it_is_the_default():
    assert gq.GraphQuantizer().algorithm == "auto"


def test_graphs_in_files_are_learnt_with_lossless(tmp_path):
    gq.write(gq.GraphCollection(rings([17, 18, 19, 20])), tmp_path / "rings.parquet")
    assert algorithm_of(tmp_path / "rings.parquet") == "lossless"


def test_a_codebook_goes_on_as_it_began(tmp_path):
    q = gq.GraphQuantizer(2, random_state=0).partial_fit(rings([5, 6, 7, 8]))
    q.save(tmp_path / "codebook.parquet")
    q = gq.load(tmp_path / "codebook.parquet").partial_fit(rings([17, 18, 19, 20]))
    assert [cycle.algorithm for cycle in q.history_] == ["lossless", "lossless"]
