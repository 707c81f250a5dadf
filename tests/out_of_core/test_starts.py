"""Starts for partitions: the same from any executor; furthest-first is that of all graphs."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.io import FileContent, write_file
from graphquant.matching import get_matcher
from graphquant.out_of_core.executor import LocalExecutor
from graphquant.out_of_core.starts import Partitions, initialise_partitioned


def partitions(graphs, path, size, executor=None):
    write_file(FileContent(graphs), path, row_group_size=size)
    parts = gq.scan(path).partitions
    sizes = np.array([part.partition.n_rows for part in parts])
    mean_order = float(graphs.orders.mean())
    return Partitions(
        parts, sizes, mean_order, get_matcher("auto"), graphs.max_order, executor or LocalExecutor(2)
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
