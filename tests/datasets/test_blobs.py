"""make_graph_blobs: the truth is the truth."""

import numpy as np
import pytest

from graphquant.datasets import make_graph_blobs
from graphquant.exceptions import InvalidParameterError


@pytest.mark.parametrize("directed", [False, True])
def test_without_noise_graphs_are_renumbered_code_graphs(directed):
    blobs = make_graph_blobs(
        30, 3, order=5, n_node_attrs=3, n_edge_attrs=2, noise=0.0, flip_probability=0.0, directed=directed
    )
    assert blobs.graphs.directed is directed
    for graph, target, mapping in zip(blobs.graphs, blobs.targets, blobs.mappings, strict=True):
        assert graph == blobs.codes[target].permute(mapping)


def test_noise_and_flips():
    blobs = make_graph_blobs(400, 2, noise=0.2, flip_probability=0.1)
    residual, flips, pairs = [], 0, 15
    for graph, target, mapping in zip(blobs.graphs, blobs.targets, blobs.mappings, strict=True):
        code = blobs.codes[target].permute(mapping)
        residual.append(graph.node_attrs - code.node_attrs)
        flips += len({*map(tuple, graph.edges.tolist())} ^ {*map(tuple, code.edges.tolist())})
    assert np.std(residual) == pytest.approx(0.2, rel=0.05)
    assert flips / (400 * pairs) == pytest.approx(0.1, rel=0.1)


def test_form():
    blobs = make_graph_blobs(10, 4, order=7)
    assert len(blobs) == 10
    assert sorted(blobs.class_counts.values()) == [2, 2, 3, 3]
    assert blobs.target_names == ("code0", "code1", "code2", "code3")
    assert blobs.mappings.shape == (10, 7)
    assert set(blobs.graphs.orders) == {7}
    assert repr(blobs).startswith("Dataset(10 graphs in 4 classes: code0")


def test_nodes_are_renumbered():
    mappings = make_graph_blobs(50).mappings
    assert len(np.unique(mappings, axis=0)) > 40
    np.testing.assert_array_equal(np.sort(mappings, axis=1), np.broadcast_to(np.arange(6), (50, 6)))


def test_reproducible_by_seed():
    assert make_graph_blobs(5).graphs == make_graph_blobs(5, random_state=0).graphs
    assert make_graph_blobs(5).graphs != make_graph_blobs(5, random_state=1).graphs


def test_single_nodes():
    assert make_graph_blobs(3, 1, order=1).graphs.n_edges.sum() == 0


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_graphs": 0}, "n_graphs=0"),
        ({"noise": -1.0}, r"noise=-1\.0 is not accepted"),
        ({"edge_probability": 1.5}, r"edge_probability=1\.5 is not a probability"),
        ({"flip_probability": "no"}, "flip_probability='no' is not a probability"),
    ],
)
def test_errors(params, message):
    with pytest.raises(InvalidParameterError, match=message):
        make_graph_blobs(**params)
