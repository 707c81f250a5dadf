"""Graphs in any form: molecules, SMILES, PyTorch Geometric, raw graphs, data sets, vectors."""

import math
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.preprocessing import AttributeEncoder, EditCosts


def labelled(labels, edges):
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(len(labels)))
    nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
    return graph


X, Y = labelled("CCO", [(0, 1), (1, 2)]), labelled("CCN", [(0, 1)])


def test_raw_graphs_and_data_sets():
    raw = gq.graphs.raw_from_networkx([X, Y])
    assert gq.edit_distance(raw[[0]], raw[[1]]).distance == 2.0
    assert gq.pairwise_edit_distances(raw).distances[0, 1] == 2.0
    data = gq.datasets.make_letters(1)
    found = gq.edit_distance(data[0:1], data[1:2], EditCosts.like_networkx())
    assert found.proven


def test_molecules_and_smiles():
    chem = pytest.importorskip("rdkit.Chem")
    x, y = "CCO", "CCN"
    molecules = [chem.MolFromSmiles(text) for text in (x, y)]
    assert gq.edit_distance(x, y).distance == gq.edit_distance(*molecules).distance == 1.0
    assert gq.pairwise_edit_distances([x], molecules).distances.tolist() == [[0.0, 1.0]]


def test_pytorch_geometric():
    def data(kinds, edges):
        both = np.array(edges + [(b, a) for a, b in edges]).T
        return SimpleNamespace(x=np.eye(3)[kinds], edge_index=both, edge_attr=None, num_nodes=len(kinds))

    x, y = data([0, 0, 1], [(0, 1), (1, 2)]), data([0, 0, 2], [(0, 1)])
    found = gq.edit_distance(x, y)
    assert found.distance == 2.0
    assert set(found.mapping) == {0, 1, 2}


def test_vectors_come_back_as_what_they_were_made_of():
    vectors = AttributeEncoder().fit_transform([X, Y])
    assert gq.edit_distance(vectors[0], vectors[1]).distance == 2.0
    by_hand = [gq.Graph([6.0, 6.0, 8.0], [(0, 1), (1, 2)]), gq.Graph([6.0, 6.0, 7.0], [(0, 1)])]
    found = gq.edit_distance(*by_hand)
    assert found.distance == 2.0
    assert "substitute node 2 (8 -> 7)" in map(str, found.edits)


def test_averages_have_no_edits():
    """They were compared as if they were the nearest whole graph, without a word."""
    for encoder in (EditCosts(), AttributeEncoder()):
        q = gq.GraphQuantizer(1, encoder=encoder, random_state=0).fit([X, Y, Y])
        with pytest.raises(InvalidGraphError, match="A code graph or a mean is an average"):
            gq.edit_distance(X, q.codebook_[0])
        medoid = q.representatives([X, Y, Y])[0, 0]
        assert gq.edit_distance(X, [X, Y, Y][medoid]).proven
        same = gq.GraphQuantizer(1, encoder=encoder, random_state=0).fit([X, X])
        assert gq.edit_distance(X, same.codebook_[0]).distance == 0.0


def test_unlabelled_graphs_and_empty_ones():
    assert gq.edit_distance(nx.path_graph(3), nx.Graph()).distance == 5.0
    assert gq.edit_distance(gq.Graph(np.ones(3), [(0, 1)]), gq.Graph(np.ones(2))).distance == 2.0
    assert gq.pairwise_edit_distances([nx.Graph(), nx.Graph()]).distances.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_vectors_of_ones_alone_have_no_labels():
    assert gq.edit_distance(gq.Graph(np.ones(3), [(0, 1)]), nx.path_graph(2)).distance == 1.0


def test_labels_are_the_same_as_texts_and_numbers_of_one_kind():
    x, y = nx.Graph(), nx.Graph()
    x.add_node(0, label=6)
    y.add_node(0, label=6.0)
    assert gq.edit_distance(x, y).distance == 0.0


def test_fitted_costs_learn_new_labels():
    costs = EditCosts().fit([X])
    assert gq.edit_distance(labelled("SP", []), labelled("FB", []), costs).distance == 2.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gq.edit_distance([X, Y], Y), "x holds 2 graphs, expected one"),
        (lambda: gq.edit_distance(X, Y, "unit"), "costs='unit' is not accepted"),
        (lambda: gq.edit_distance(X, Y, threshold=-1), "threshold=-1 is not a distance"),
        (lambda: gq.edit_distance(X, Y, threshold=True), "threshold=True is not a distance"),
        (lambda: gq.edit_distance(X, Y, node_limit=-1), "node_limit=-1 is negative"),
        (lambda: gq.edit_distance(X, Y, matcher="nearest"), "Unknown matcher 'nearest'"),
    ],
)
def test_wrong_arguments(call, message):
    with pytest.raises((InvalidParameterError, InvalidGraphError), match=message):
        call()


@pytest.mark.parametrize("threshold", [math.inf, 1e308, 10**400], ids=["inf", "float", "int"])
@pytest.mark.parametrize("costs", [EditCosts(), EditCosts(node_indel=math.pi)])
def test_a_threshold_beyond_all_distances_is_none(threshold, costs):
    found = gq.edit_distance(X, Y, costs, threshold=threshold)
    assert found.is_within
    assert found.distance == gq.edit_distance(X, Y, costs).distance
    assert gq.pairwise_edit_distances([X, Y], None, costs, threshold=threshold).is_within.all()


def test_directed_meets_undirected():
    with pytest.raises(InvalidGraphError, match="Directed and undirected"):
        gq.edit_distance(X, X.to_directed())


@pytest.mark.parametrize(
    "matcher", ["exact", "frank-wolfe", "graduated-assignment", gq.AutoMatcher(node_limit=1)]
)
def test_other_matchers_give_edits_and_valid_bounds(matcher):
    exact = gq.edit_distance(X, Y)
    found = gq.edit_distance(X, Y, matcher=matcher)
    assert found.lower_bound <= exact.distance <= found.distance
    assert sum(edit.cost for edit in found.edits) == found.distance


def test_a_limit_leaves_bounds_on_the_grid():
    x, y = nx.petersen_graph(), nx.circulant_graph(10, [1, 4])
    found = gq.edit_distance(x, y, EditCosts.like_networkx(), node_limit=1)
    exact = gq.edit_distance(x, y, EditCosts.like_networkx())
    assert exact.proven
    assert found.lower_bound <= exact.distance <= found.distance
    assert float(found.lower_bound).is_integer()
    assert "EditDistance(" in repr(found)


def test_results_do_not_depend_on_threads():
    graphs = [nx.gnp_random_graph(7, 0.4, seed=seed) for seed in range(8)]
    one, two = (gq.pairwise_edit_distances(graphs, n_jobs=n) for n in (1, 2))
    assert (one.distances == two.distances).all()
    assert (one.lower_bounds == two.lower_bounds).all()


def test_the_metric():
    """The root of the edit distance is a metric: symmetric, with the triangle inequality."""
    rng = np.random.default_rng(0)
    graphs = [
        labelled(rng.choice(list("CNO"), n), nx.gnp_random_graph(n, 0.4, seed=n).edges)
        for n in (0, 2, 3, 4, 5)
    ]
    for costs in (EditCosts(), EditCosts(2.5, 1.0), EditCosts.mces()):
        found = gq.pairwise_edit_distances(graphs, graphs, costs).distances
        assert (found == found.T).all()
        d = np.sqrt(found)
        assert (d[:, None, :] <= d[:, :, None] + d[None, :, :] + 1e-9).all()
