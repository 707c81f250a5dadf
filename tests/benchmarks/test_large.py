"""The benchmark of matching at molecule size: its graphs, its parts and how promises are found."""

import importlib
import sys

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import bench_large, large
from benchmarks.large import graphs as made


@pytest.mark.parametrize("seed", range(3))
def test_hydrocarbons_are_planar_with_two_or_three_bonds(seed):
    for x, n_rings in [(x, None) for x in made.polycyclics(5, seed)] + [
        (made.benzenoid(n, np.random.default_rng(seed)), n) for n in (1, 2, 5, 9)
    ]:
        degrees = np.bincount(x.edges.ravel(), minlength=x.order)
        assert set(degrees) <= {2, 3}
        if n_rings is not None:
            # Euler: each hexagon is a face. One that closes a hole is a face without being drawn.
            assert x.n_edges - x.order + 1 >= n_rings
        else:
            assert 18 <= x.order <= 40


@pytest.mark.parametrize("kind", made.DENSE_KINDS)
def test_a_dense_problem_is_the_matching_of_two_graphs(kind):
    a, b = made.dense_problem(kind, 6, np.random.default_rng(0))
    for matrix in (a, b):
        assert np.array_equal(matrix, matrix.T)
        assert not np.diag(matrix).any()
        x = made.graph_of(matrix)
        again = np.zeros_like(matrix)
        again[tuple(x.edges.T)] = x.edge_attrs[:, 0]
        assert np.array_equal(again + again.T, matrix)


def test_all_parts_are_functions_that_measure(monkeypatch):
    monkeypatch.syspath_prepend(str(bench_large.MEASURE.parent))
    measure = importlib.import_module("measure")
    monkeypatch.delitem(sys.modules, "graphs")
    monkeypatch.delitem(sys.modules, "measure")
    assert all(callable(getattr(measure, part)) for part in large.PARTS)


def test_a_part_is_run_by_its_name_and_needs_the_data():
    run = command.find_run("large:pairs", ["large"])
    assert run is not None
    assert run(None) == []
    assert command.find_run("large:unknown", ["large"]) is None
    assert command.find_run("unknown", ["large"]) is None


def test_promises_are_found_by_the_beginning_of_a_name():
    assert bench_large.promised("grec: proven by auto") == {"at_least": 99.5}
    assert bench_large.promised("fit of 1,000 Mutagenicity graphs (train), defaults, k = 20") == {}
    assert bench_large.promised("fit of 1,000 Mutagenicity graphs (train), defaults, k = 2") == {
        "at_most": 3.0
    }
