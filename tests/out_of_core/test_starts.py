"""Starts for partitions: the same from any executor; furthest-first is that of all graphs."""

from dataclasses import replace

import numpy as np
import pytest

import graphquant as gq
from graphquant.bounds import class_capacity
from graphquant.io import FileContent, write_file
from graphquant.matching import get_matcher
from graphquant.matching.engine import Problem
from graphquant.out_of_core.executor import LocalExecutor
from graphquant.out_of_core.reach import potential
from graphquant.out_of_core.starts import Partitions, initialise_partitioned


def partitions(graphs, path, size, executor=None):
    write_file(FileContent(graphs), path, row_group_size=size)
    parts = gq.scan(path).partitions
    sizes = np.array([part.partition.n_rows for part in parts])
    mean_order = float(graphs.orders.mean())
    return Partitions(
        parts=parts,
        sizes=sizes,
        mean_order=mean_order,
        matcher=get_matcher("auto"),
        capacity=class_capacity(graphs),
        has_groups=graphs.groups is not None,
        executor=executor or LocalExecutor(2),
    )


@pytest.fixture(scope="module")
def letters():
    return gq.datasets.make_letters(6, "med", random_state=0).graphs


@pytest.mark.parametrize("init", ["random", "medoids", "furthest-first", "k-means++"])
def test_no_executor_changes_a_start(init, letters, tmp_path):
    executors = LocalExecutor(1), LocalExecutor(3, memory=1)
    found = [
        initialise_partitioned(
            init, partitions(letters, tmp_path / "x.parquet", 20, executor), 5, np.random.default_rng(3)
        )[0]
        for executor in executors
    ]
    assert len(found[0]) == 5
    assert found[0] == found[1]
    distances = gq.pairwise_distances(found[0])
    assert (distances[np.triu_indices(5, 1)] > 0.0).all()


def test_furthest_first_finds_the_furthest_of_all(letters, tmp_path):
    X = partitions(letters, tmp_path / "x.parquet", 20)
    codes, n_matchings = initialise_partitioned("furthest-first", X, 5, np.random.default_rng(3))
    for j in range(1, 5):
        nearest = gq.pairwise_distances(letters, codes[:j]).min(axis=1)
        assert gq.pairwise_distances(codes[j : j + 1], codes[:j]).min() == pytest.approx(nearest.max())
    assert 0 < n_matchings < 5 * len(letters) + 5000


def of_one_and_two_nodes(groups):
    """Partitions of single nodes, but for the last, which makes room beside a node in every graph."""
    small = [gq.Graph([value], groups=groups and groups[:1]) for value in (1.0, -3.0, 2.0, -2.0)]
    return gq.GraphCollection([*small, gq.Graph([0.5, 0.5], groups=groups), small[0]])


@pytest.mark.parametrize("groups", [None, [0, 0]], ids=["no groups", "groups"])
def test_all_distances_of_a_start_are_those_of_the_common_space(groups, tmp_path):
    """1 and -3 are 4 apart in a space of one node, and sqrt(10) where each may stand beside the other."""
    graphs = of_one_and_two_nodes(groups)
    X = partitions(graphs, tmp_path / "x.parquet", 2)
    codes = X.codes(graphs[1:2])
    found = X.map(potential, codes, X.numbers)
    assert found[0][0] == pytest.approx(10.0)  # of 1 and of -3 itself
    among = X.distances(graphs[:2]).match(np.array([0]), np.array([1]))
    assert among.distance[0] == pytest.approx(np.sqrt(10.0))


@pytest.mark.parametrize("init", ["random", "medoids", "furthest-first", "k-means++"])
def test_every_start_matches_in_the_common_space(init, tmp_path, monkeypatch):
    capacities = []

    def watched(problem, X, Y, order=None, *, capacity=None):
        made(problem, X, Y, order, capacity=capacity)
        capacities.append(problem.capacity.tolist())

    made = Problem.__init__
    monkeypatch.setattr(Problem, "__init__", watched)
    X = partitions(of_one_and_two_nodes([0, 0]), tmp_path / "x.parquet", 2, LocalExecutor(1))
    X = replace(X, capacity=np.array([3]))
    initialise_partitioned(init, X, 3, np.random.default_rng(0))
    # The mean of furthest-first has a space of its own; it only finds what is in the middle.
    assert [3] in capacities
    assert init == "furthest-first" or all(capacity == [3] for capacity in capacities)


def test_parallel_plus_plus_of_graphs_that_are_all_alike(tmp_path):
    same = gq.GraphCollection([gq.Graph([1.0])] * 9)
    codes, _ = initialise_partitioned(
        "k-means++", partitions(same, tmp_path / "x.parquet", 3), 4, np.random.default_rng(0)
    )
    assert len(codes) == 4


def test_parallel_plus_plus_covers_clusters(tmp_path):
    blobs = gq.datasets.make_graph_blobs(60, 4, noise=0.01, random_state=0)
    X = partitions(blobs.graphs, tmp_path / "x.parquet", 20)
    codes, _ = initialise_partitioned("k-means++", X, 4, np.random.default_rng(0))
    nearest = gq.pairwise_distances(blobs.graphs, codes).argmin(axis=1)
    assert len(np.unique(nearest)) == 4
