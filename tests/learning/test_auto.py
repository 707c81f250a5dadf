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


def trees(orders, seed):
    """Random trees with random values."""
    rng = np.random.default_rng(seed)
    return [gq.Graph(rng.random(n), [(int(rng.integers(i)), i) for i in range(1, n)]) for n in orders]


def test_drafts_are_good_enough_to_learn_with_but_not_to_take_home():
    graphs = trees([12, 13, 14, 17, 18, 19] * 3, seed=0)
    q = gq.GraphQuantizer(2, random_state=0).fit(graphs)
    assert q.history_[-1].algorithm == "fast"
    # Pairs of up to 16 nodes are searched for a proof, but not while their code graph moves: stars prove few.
    n_proven = sum(cycle.n_proven for cycle in q.history_)
    small = np.array([graph.order <= 16 for graph in graphs])
    assert q.encoding_.proven[small].any()
    assert not q.encoding_.proven[~small].any()
    # Like its matcher, a user's choice has no drafts.
    chosen = gq.GraphQuantizer(2, algorithm="fast", matcher=gq.AutoMatcher(), random_state=0).fit(graphs)
    assert n_proven < sum(cycle.n_proven for cycle in chosen.history_) / 10


def test_graphs_that_are_mostly_proven_have_no_drafts():
    q = gq.GraphQuantizer(2, algorithm="fast", random_state=0).fit(trees([10, 11, 12, 13, 17], seed=0))
    assert sum(cycle.n_proven for cycle in q.history_) > 0


@pytest.mark.parametrize("algorithm", ["auto", "standard", "accelerated", "lossless"])
def test_threads_share_the_encoding_and_change_nothing(algorithm):
    graphs = trees([9, 11, 14, 17, 18, 21] * 4, seed=1)
    fits = [
        gq.GraphQuantizer(4, algorithm=algorithm, random_state=0, n_jobs=n_jobs).fit(graphs)
        for n_jobs in (1, 3)
    ]
    for name in ("label", "distance", "lower_bound", "proven", "mapping", "n_matchings"):
        assert np.array_equal(*(getattr(q.encoding_, name) for q in fits)), name
    assert fits[0].codebook_ == fits[1].codebook_
