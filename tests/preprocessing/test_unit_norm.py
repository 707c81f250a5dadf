"""unit_norm and UnitNorm."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone

import graphquant as gq
from graphquant.exceptions import FileFormatError
from graphquant.preprocessing import UnitNorm, unit_norm
from tests.strategies import collections


def norm(graph):
    """Norm of the matrix representation, written out."""
    matrix = np.zeros((graph.order, graph.order, graph.edge_attrs.shape[1]))
    for (i, j), row in zip(graph.edges, graph.edge_attrs, strict=True):
        matrix[i, j] = row
        if not graph.directed:
            matrix[j, i] = row
    return np.sqrt((graph.node_attrs**2).sum() + (matrix**2).sum())


@given(collections())
@pytest.mark.property
def test_norms(collection):
    scaled = unit_norm(collection)
    for before, after in zip(collection, scaled, strict=True):
        length = norm(before)
        if length > 1e-100:
            assert norm(after) == pytest.approx(1.0, rel=1e-12)
            np.testing.assert_allclose(after.node_attrs * length, before.node_attrs, rtol=1e-12, atol=1e-300)
        np.testing.assert_array_equal(after.edges, before.edges)
    assert scaled.names == collection.names


def test_an_undirected_edge_counts_twice():
    undirected, directed = (
        unit_norm([gq.Graph([0.0, 0.0], [(0, 1)], [[3.0]], directed=directed)]) for directed in (False, True)
    )
    assert undirected[0].edge_attrs[0, 0] == pytest.approx(1 / np.sqrt(2))
    assert directed[0].edge_attrs[0, 0] == 1.0


def test_a_zero_graph_stays():
    collection = gq.GraphCollection([gq.Graph([0.0, 0.0]), gq.Graph([2.0]), gq.Graph(np.empty((0, 1)))])
    scaled = unit_norm(collection)
    assert scaled[0] == collection[0]
    assert scaled[1] == gq.Graph([1.0])
    assert scaled[2].order == 0


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_squares_out_of_range(size):
    assert unit_norm([gq.Graph([3.0 * size, 4.0 * size])])[0].node_attrs.ravel() == pytest.approx([0.6, 0.8])


def test_a_view_and_groups():
    graphs = [gq.Graph([float(i), 1.0], groups=[0, 1]) for i in range(4)]
    scaled = unit_norm(gq.GraphCollection(graphs)[2:])
    assert len(scaled) == 2
    assert scaled.groups.tolist() == [0, 1, 0, 1]
    assert scaled[0].node_attrs[0, 0] == pytest.approx(2 / np.sqrt(5))


def test_transformer():
    collection = gq.GraphCollection([gq.Graph([3.0, 4.0])])
    for transformer in (UnitNorm(), clone(UnitNorm()), pickle.loads(pickle.dumps(UnitNorm()))):
        assert transformer.fit(collection).transform(collection) == unit_norm(collection)
    assert UnitNorm().transform(collection) == unit_norm(collection), "there is nothing to fit"


def test_json():
    data = json.loads(json.dumps(UnitNorm().to_json()))
    assert isinstance(UnitNorm.from_json(data), UnitNorm)
    with pytest.raises(FileFormatError, match="not the JSON of a graphquant UnitNorm"):
        UnitNorm.from_json({"type": "graphquant.AttributeEncoder", "version": 1})
    with pytest.raises(FileFormatError, match="version 99"):
        UnitNorm.from_json(data | {"version": 99})
