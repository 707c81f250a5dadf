"""Columns of the paper's Table 1."""

import dataclasses

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidGraphError
from graphquant.graphs import CollectionStats, Column, RawGraphs, describe

PAIR, DOT = gq.Graph([1.0, 2.0], [(0, 1)]), gq.Graph([3.0])


def test_collection():
    stats = describe(gq.GraphCollection([PAIR, DOT, DOT]), targets=["b", "a", "b"])
    assert stats == CollectionStats(
        n_graphs=3, n_classes=2, avg_nodes=4 / 3, max_nodes=2, avg_edges=1 / 3, max_edges=1
    )


def test_raw_graphs_and_numeric_targets():
    raw = RawGraphs([0, 2, 5], [0, 1, 1], [(0, 1)], {"x": Column(np.zeros(5))}, {})
    assert describe(raw, targets=np.array([4, 4])) == CollectionStats(2, 1, 2.5, 3, 0.5, 1)


def test_a_view_counts_its_own_graphs():
    collection = gq.GraphCollection([PAIR, PAIR, DOT, DOT])
    assert describe(collection[2:]) == CollectionStats(2, None, 1.0, 1, 0.0, 0)


def test_no_graphs():
    assert describe(gq.GraphCollection([PAIR])[:0], targets=[]) == CollectionStats(0, 0, 0.0, 0, 0.0, 0)


def test_numbers_are_plain():
    values = dataclasses.astuple(describe(gq.GraphCollection([PAIR]), targets=np.array(["a"])))
    assert [type(value) for value in values] == [int, int, float, int, float, int]


def test_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError, match="n_graphs"):
        describe(gq.GraphCollection([PAIR])).n_graphs = 5


def test_wrong_number_of_targets():
    with pytest.raises(InvalidGraphError, match=r"1 target for 2 graphs\. Give one class for each graph\."):
        describe(gq.GraphCollection([PAIR, DOT]), targets=["a"])
