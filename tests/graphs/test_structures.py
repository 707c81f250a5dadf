"""Point patterns, sequences, rooted trees, hypergraphs and multiplex graphs, as the paper claims them."""

from itertools import permutations

import numpy as np
import pytest

import graphquant as gq
from graphquant._random import spawn_seeds
from graphquant.exceptions import InvalidGraphError


def random_numbers(*shape):
    return np.random.default_rng(7).normal(size=shape)


# Point patterns


def test_points_are_nodes_without_edges():
    x = gq.Graph.from_points([[1.0, 2.0], [3.0, 4.0]], [[5.0], [6.0]], presence=0.5)
    assert x.node_attrs.tolist() == [[1.0, 2.0, 5.0, 0.5], [3.0, 4.0, 6.0, 0.5]]
    assert (x.n_edges, x.groups) == (0, None)
    assert gq.Graph.from_points([1.0, 2.0], presence=0).node_attrs.tolist() == [[1.0], [2.0]]


def test_points_are_matched_by_the_best_assignment():
    a, b = random_numbers(2, 5, 2)
    best = min(np.sum((a - b[list(p)]) ** 2) for p in permutations(range(5)))
    found = gq.match(gq.Graph.from_points(a), gq.Graph.from_points(b))
    assert found.proven
    assert found.distance == pytest.approx(np.sqrt(best))


def test_a_point_at_the_origin_is_no_missing_point():
    two, one = [[0.0, 0.0], [1.0, 0.0]], [[1.0, 0.0]]
    distances = [
        gq.distance(gq.Graph.from_points(two, presence=w), gq.Graph.from_points(one, presence=w))
        for w in (2.0, 0.0)
    ]
    assert distances == pytest.approx([2.0, 0.0])


# Sequences


def online_vector_quantization(vectors, codes, orders, rate):
    """Plain online vector quantization: the nearest code vector moves towards each vector."""
    codes, labels = np.array(codes), np.empty(len(vectors), dtype=int)
    for order in orders:
        for i in order:
            winner = ((codes - vectors[i]) ** 2).sum(axis=1).argmin()
            codes[winner] += rate * (vectors[i] - codes[winner])
    for i, vector in enumerate(vectors):
        labels[i] = ((codes - vector) ** 2).sum(axis=1).argmin()
    return codes, labels


def sequences(n=60, length=12):
    rng = np.random.default_rng(7)
    shapes = rng.normal(size=(4, length))
    return shapes[rng.integers(4, size=n)] + 0.3 * rng.normal(size=(n, length))


@pytest.mark.parametrize("algorithm", ["standard", "lossless", "auto"])
def test_learning_sequences_is_plain_vector_quantization(algorithm):
    vectors, cycles, rate = sequences(), 6, 0.07
    X = gq.GraphCollection([gq.Graph.from_sequence(v) for v in vectors])
    q = gq.GraphQuantizer(
        5, algorithm=algorithm, init=X[:5], learning_rate=rate, max_cycles=cycles, random_state=3
    )
    q.fit(X)
    rng = np.random.default_rng(spawn_seeds(3, 1)[0])
    orders = [rng.permutation(len(vectors)) for _ in range(cycles)]
    codes, labels = online_vector_quantization(vectors, vectors[:5], orders, rate)
    np.testing.assert_allclose([code.node_attrs[:, 0] for code in q.codebook_], codes, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(q.labels_, labels)
    np.testing.assert_allclose(
        q.transform(X), np.linalg.norm(vectors[:, None] - codes[None], axis=2), rtol=0, atol=1e-9
    )
    assert q.distortion_ == pytest.approx(0.5 * ((vectors - codes[labels]) ** 2).sum(), abs=1e-9)


def test_the_groups_of_sequences_decide():
    """Without them the equality above does not hold: the steps may be exchanged."""
    a, b = gq.Graph.from_sequence([1.0, 2.0]), gq.Graph.from_sequence([2.0, 1.0])
    assert gq.distance(a, b) == pytest.approx(np.sqrt(2.0))
    assert gq.distance(gq.Graph(a.node_attrs), gq.Graph(b.node_attrs)) == 0.0


def test_a_shorter_sequence_ends_in_zeros():
    long, short = gq.Graph.from_sequence([[1.0, 1.0], [0.0, 2.0]]), gq.Graph.from_sequence([[1.0, 1.0]])
    assert gq.distance(long, short) == pytest.approx(2.0)
    # With presence, a step of zeros is a step.
    zero, end = (gq.Graph.from_sequence(v, presence=3.0) for v in ([1.0, 0.0], [1.0]))
    assert gq.distance(zero, end) == pytest.approx(3.0)
    assert gq.match(long, short).proven


# Rooted trees


def test_levels_of_a_tree():
    x = gq.Graph.from_tree(
        [1, 2, None, 2, 0], [[0.0], [1.0], [2.0], [3.0], [4.0]], [[10.0], [11.0], [13.0], [14.0]]
    )
    assert x.groups.tolist() == [2, 1, 0, 1, 3]
    assert x.edges.tolist() == [[0, 1], [0, 4], [1, 2], [2, 3]]
    assert x.edge_attrs[:, 0].tolist() == [10.0, 14.0, 11.0, 13.0]
    assert gq.Graph.from_tree([-1]).node_attrs.tolist() == [[1.0]]


def test_roots_meet_roots():
    """A path hanging at its end and the same path hanging at its middle are other trees of one graph."""
    end, middle = gq.Graph.from_tree([None, 0, 1]), gq.Graph.from_tree([1, None, 1])
    assert gq.distance(gq.Graph(end.node_attrs, end.edges), gq.Graph(middle.node_attrs, middle.edges)) == 0.0
    # Root and a child meet their like; the other child and the grandchild are alone, and so are their edges.
    assert gq.distance(end, middle) ** 2 == pytest.approx(1 + 1 + 2 + 2)


def test_the_order_of_children_does_not_matter():
    attrs = np.arange(6.0)
    tree = gq.Graph.from_tree([None, 0, 0, 1, 1, 2], attrs)
    perm = [5, 3, 1, 0, 4, 2]
    parents = [None if p is None else perm.index(p) for p in (([None, 0, 0, 1, 1, 2])[i] for i in perm)]
    assert gq.distance(tree, gq.Graph.from_tree(parents, attrs[perm])) == pytest.approx(0.0)


# Hypergraphs


def test_a_hypergraph_has_two_classes():
    x = gq.Graph.from_hypergraph([[1.0, 2.0], [3.0, 4.0]], [{1, 0}, [1]], [5.0, 6.0])
    assert x.node_attrs.tolist() == [[1.0, 2.0, 0.0], [3.0, 4.0, 0.0], [0.0, 0.0, 5.0], [0.0, 0.0, 6.0]]
    assert x.edges.tolist() == [[0, 2], [1, 2], [1, 3]]
    assert x.groups.tolist() == [0, 0, 1, 1]
    assert gq.Graph.from_hypergraph([1.0], []).order == 1


def test_renumbered_hypergraphs_are_equal():
    attrs = random_numbers(5, 2)
    hyperedges, weights = [[0, 1, 2], [2, 3], [1, 3, 4], [0, 4]], np.array([1.0, 2.0, 3.0, 4.0])
    perm, shuffled = [3, 0, 4, 1, 2], [2, 0, 3, 1]
    again = [[perm.index(node) for node in hyperedges[i]] for i in shuffled]
    x = gq.Graph.from_hypergraph(attrs, hyperedges, weights)
    y = gq.Graph.from_hypergraph(attrs[perm], again, weights[shuffled])
    assert gq.distance(x, y) == pytest.approx(0.0, abs=1e-7)


# Layers


def test_layers_are_channels():
    x = gq.Graph.from_layers([1.0, 1.0, 1.0], [[(1, 0)], [], [(2, 1), (0, 1)]], [[0.5], [], [2.0, 3.0]])
    assert x.edges.tolist() == [[0, 1], [1, 2]]
    assert x.edge_attrs.tolist() == [[0.5, 0.0, 3.0], [0.0, 0.0, 2.0]]
    y = gq.Graph.from_layers([1.0, 1.0], [[(1, 0)], [(0, 1)]], directed=True)
    assert (y.edges.tolist(), y.edge_attrs.tolist()) == ([[0, 1], [1, 0]], [[0.0, 1.0], [1.0, 0.0]])
    assert gq.Graph.from_layers([1.0], [[]]).edge_attrs.shape == (0, 1)


def test_the_layer_of_an_edge_matters():
    ones = [1.0, 1.0, 1.0]
    same, other = ([[(0, 1)], [(0, 1)]], [[(0, 1)], [(1, 2)]])
    joined = gq.distance(gq.Graph.from_layers(ones, same), gq.Graph.from_layers(ones, other))
    assert joined**2 == pytest.approx(4.0)  # an edge of the second layer moves: two entries, twice


# What is refused

REFUSED = {
    "text as points": (lambda: gq.Graph.from_points(["a"]), "points is not a table of numbers"),
    "ragged points": (lambda: gq.Graph.from_points([[1.0], [1.0, 2.0]]), "points is not a table of numbers"),
    "points of no width": (lambda: gq.Graph.from_points(np.empty((2, 0))), r"points has shape \(2, 0\)"),
    "attributes of other points": (
        lambda: gq.Graph.from_points([1.0, 2.0], [1.0]),
        "attrs has 1 row for 2 points",
    ),
    "infinite point": (lambda: gq.Graph.from_points([[1.0, np.inf]]), "node 0, attribute 1 is inf"),
    "negative presence": (lambda: gq.Graph.from_points([1.0], presence=-1.0), "presence=-1.0 is not"),
    "presence that is not a number": (lambda: gq.Graph.from_points([1.0], presence="yes"), "presence='yes'"),
    "matrix of sequences": (lambda: gq.Graph.from_sequence(np.ones((2, 3, 4))), "values has shape"),
    "tree of numbers": (lambda: gq.Graph.from_tree(3), "parents is of type int"),
    "no root": (lambda: gq.Graph.from_tree([1, 0]), r"have 0 \(none\)"),
    "no node": (lambda: gq.Graph.from_tree([]), "these 0 nodes have 0"),
    "two roots": (lambda: gq.Graph.from_tree([None, 0, -1]), r"have 2 \(0, 2\)"),
    "parent that is not there": (lambda: gq.Graph.from_tree([None, 7]), "parent of node 1 is 7"),
    "parent that is not a number": (lambda: gq.Graph.from_tree([None, 0.5]), "parent of node 1 is 0.5"),
    "parent that is a truth value": (lambda: gq.Graph.from_tree([None, True]), "parent of node 1 is True"),
    "circle": (lambda: gq.Graph.from_tree([None, 0, 3, 2]), "Node 2 does not lead to the root"),
    "attributes for the root's edge": (
        lambda: gq.Graph.from_tree([None, 0], edge_attrs=[1.0, 2.0]),
        "edge_attrs has 2 rows for 1 edge",
    ),
    "hyperedges that are a number": (lambda: gq.Graph.from_hypergraph([1.0], 3), "hyperedges is of type int"),
    "hyperedge that is a number": (lambda: gq.Graph.from_hypergraph([1.0], [0]), "Hyperedge 0 is 0"),
    "node that is not there": (
        lambda: gq.Graph.from_hypergraph([1.0], [[0], [1]]),
        "Hyperedge 1 contains node 1",
    ),
    "node that is there twice": (lambda: gq.Graph.from_hypergraph([1.0], [[0, 0]]), "contains a node twice"),
    "attributes of other hyperedges": (
        lambda: gq.Graph.from_hypergraph([1.0], [[0]], [1.0, 2.0]),
        "hyperedge_attrs has 2 rows for 1 hyperedge",
    ),
    "no layer": (lambda: gq.Graph.from_layers([1.0], []), "layers is empty"),
    "layers by name": (lambda: gq.Graph.from_layers([1.0], {"bus": []}), "layers is of type dict"),
    "weights of fewer layers": (
        lambda: gq.Graph.from_layers([1.0, 1.0], [[(0, 1)], []], [[1.0]]),
        "weights is for 1 layer, layers has 2",
    ),
    "weights of fewer edges": (
        lambda: gq.Graph.from_layers([1.0, 1.0], [[(0, 1)]], [[]]),
        r"weights\[0\] has 0 rows for 1 edge",
    ),
    "weights that are vectors": (
        lambda: gq.Graph.from_layers([1.0, 1.0], [[(0, 1)]], [[[1.0, 2.0]]]),
        r"weights\[0\] has 2 numbers for each edge",
    ),
    "weights of edges that are a number": (
        lambda: gq.Graph.from_layers([1.0], [3], [[1.0]]),
        r"layers\[0\] is of type int",
    ),
    "self-loop in a layer": (
        lambda: gq.Graph.from_layers([1.0, 1.0], [[], [(1, 1)]]),
        "Layer 1: edge 0 is a self-loop",
    ),
    "edge twice in a layer": (
        lambda: gq.Graph.from_layers([1.0, 1.0], [[(0, 1), (1, 0)]]),
        "Layer 0: edge 1 repeats edge 0",
    ),
    "pair that is a number": (lambda: gq.Graph.from_layers([1.0], [3]), "Layer 0: edges has shape"),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(make, message):
    with pytest.raises(InvalidGraphError, match=message) as caught:
        make()
    assert caught.value.hint
