"""EditCosts: which costs have vectors and which are refused, tables, presets, JSON, clone, unseen labels."""

import json
import pickle

import networkx as nx
import numpy as np
import pytest
from sklearn.base import clone

import graphquant as gq
from graphquant.exceptions import EncodingError, FileFormatError, GraphQuantWarning, InvalidParameterError
from graphquant.preprocessing import AttributeEncoder, EditCosts, Numeric
from graphquant.preprocessing._edit_vectors import factor
from tests.reference.edits import random_graph


def node_graph(*labels, name="label"):
    graph = nx.Graph()
    for i, label in enumerate(labels):
        graph.add_node(i, **({} if label is None else {name: label}))
    return graph


def squared(vectors, i, j):
    return gq.distance(vectors[i], vectors[j], matcher="exact") ** 2


def test_vectors_have_the_costs():
    table = {("C", "N"): 0.7, ("C", None): 1.2, ("O", "N"): 0.3}
    vectors = EditCosts(node_table=table).fit_transform(
        [node_graph(label) for label in "CNOS"] + [nx.Graph()]
    )
    expected = {(0, 1): 0.7, (0, 2): 1.0, (1, 2): 0.3, (0, 4): 1.2, (1, 4): 1.0, (3, 4): 1.0, (2, 3): 1.0}
    for pair, cost in expected.items():
        assert squared(vectors, *pair) == pytest.approx(cost)


@pytest.mark.parametrize(
    ("costs", "labels", "named"),
    [
        (EditCosts(node_table={("C", "N"): 9.0}), "CNO", "'C', 'N' break them"),
        (EditCosts(node_table={("C", "N"): 0.1, ("N", "O"): 0.1}), "CNO", "'C', 'N', 'O' break them"),
        (EditCosts(node_table={("C", None): 9.0}), "CN", "'C', 'N' break them"),
        (EditCosts(node_substitution=3.0), "CNOS", "'C', 'N', 'O', 'S' break them"),
        (EditCosts(node_indel=0.0), "CN", "'C', 'N' break them"),
    ],
)
def test_costs_without_vectors_are_refused_with_the_labels_that_break_them(costs, labels, named):
    with pytest.raises(EncodingError, match=named):
        costs.fit([node_graph(*labels)])


def test_the_costs_of_the_labels_are_said_once_each():
    said = (
        "'C', 'N' break them: deleting 'C' costs 1; deleting 'N' costs 1; changing 'C' into 'N' costs 9\\. "
    )
    with pytest.raises(EncodingError, match=said):
        EditCosts(node_table={("C", "N"): 9.0}).fit([node_graph(*"CNO")])


def test_a_change_of_three_deletions_has_vectors_for_three_labels():
    costs = EditCosts(node_substitution=3.0)
    vectors = costs.fit_transform([node_graph("C"), node_graph("N"), node_graph("O")])
    assert costs.needs_zero_nodes_
    assert gq.distance(vectors[0], vectors[1]) ** 2 == pytest.approx(2.0)
    assert gq.distance(vectors[0], vectors[1], order=1) ** 2 == pytest.approx(3.0)


def test_edges_are_clamped():
    x, y = nx.Graph([(0, 1, {"label": "a"})]), nx.Graph([(0, 1, {"label": "b"})])
    vectors = EditCosts(edge_substitution=3.0).fit_transform([x, y])
    assert squared(vectors, 0, 1) == pytest.approx(2.0)


def test_clamped_tables_of_edges_may_still_have_no_vectors():
    graphs = [nx.Graph([(0, 1, {"label": label})]) for label in "abc"]
    table = {("a", "b"): 0.1, ("b", "c"): 0.1, ("a", "c"): 9.0}
    with pytest.raises(EncodingError, match="edge costs; the labels 'a', 'b', 'c' break them"):
        EditCosts(edge_table=table).fit(graphs)


@pytest.mark.parametrize(("n", "end"), [(8, "a, b, c, d, e, f, g, h"), (10, "f, g, h, ... (2 more)")])
def test_a_few_labels_are_named(n, end):
    described = EditCosts().fit([node_graph(*"abcdefghij"[:n])]).describe()
    assert described.splitlines()[0].endswith(end)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({("C", "N"): 0.5, ("N", "C"): 0.7}, "but the reverse costs 0.5"),
        ({("C", "C"): 0.5}, "keeping a label costs nothing"),
        ({("C", "N"): -1.0}, "is not a cost"),
        ({("C", "N"): float("nan")}, "is not a cost"),
        ({("C", "N"): 1e308}, "is not a cost"),
        ({"C": 1.0}, "is not among the attributes"),
        ({("C", "N", "O"): 1.0}, "is not a pair of labels"),
        ({(("C", 1), ("N", 1)): 1.0}, "has 2 values for 1 attributes"),
        ([("C", "N", 1.0)], "is not a table"),
    ],
)
def test_tables_are_checked(table, message):
    with pytest.raises(InvalidParameterError, match=message):
        EditCosts(node_table=table).fit([node_graph("C", "N")])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"node_substitution": "1"}, "node_substitution='1' is not a cost"),
        ({"edge_indel": -1}, "edge_indel=-1 is not a cost"),
        ({"edge_indel": 1e101}, r"edge_indel=1e\+101 is not a cost"),
        ({"edge_indel": 10**400}, "is not a cost"),
        ({"node_indel": float("nan")}, "node_indel=nan is not a cost"),
        ({"node_indel": {"x": 1.0}}, "does not fit the attributes 'label'"),
        ({"node": 3}, "node=3 does not name attributes"),
        ({"node": ["label", "label"]}, "an attribute twice"),
        ({"node": [], "node_table": {("C", "N"): 1.0}}, "no labels to price"),
        ({"common_edges": 1}, "common_edges=1 is not accepted"),
        ({"node": Numeric("label", scale="joint")}, "squared differences of numbers"),
    ],
)
def test_parameters_are_checked(params, message):
    with pytest.raises(InvalidParameterError, match=message):
        EditCosts(**params).fit([nx.Graph([(0, 1)]), node_graph("C", "N")])


def test_the_label_is_what_there_is():
    def names(**attributes):
        graph = nx.Graph()
        graph.add_node(0, **attributes)
        return EditCosts().fit([graph]).attributes("node")

    assert names(label="C", x=1.0) == ("label",)
    assert names(symbol="C", charge=0) == ("symbol",)
    assert names(chem=6) == ("chem",)
    assert names() == ()
    with pytest.raises(EncodingError, match="Which node attribute is the label"):
        names(x=1.0, y=2.0)
    with pytest.raises(EncodingError, match=r"has numbers such as 0\.5: is it a label"):
        names(weight=0.5)


def test_absent_attributes_are_refused():
    with pytest.raises(EncodingError, match="No node of these graphs has the attribute 'x'"):
        EditCosts(node="x").fit([node_graph("C")]).transform([node_graph("C")])


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        (EditCosts(), (1.0, 1.0)),
        (EditCosts.like_networkx(), (1.0, 2.0)),
        (EditCosts.mces(), (1.0, 2.0)),
        (EditCosts(0.5, 1.0, 0.5, 1.0), (0.5, 0.5)),
        (EditCosts(0.7, 1.0, 1.0, 1.0), (0.1, 0.1)),
        (EditCosts(2.0, 1.0, 2.0, 1.0), (1.0, 2.0)),
        (EditCosts(2**0.5, 1.0), (0.0, 0.0)),
        (EditCosts(node_substitution=0.0, node_indel=0.0, edge_substitution=2.0), (1.0, 2.0)),
    ],
)
def test_granularity(costs, expected):
    """Distances are multiples of the first; those of a pair differ by multiples of the second."""
    graph = nx.Graph([(0, 1, {"label": "s"}), (1, 2, {"label": "d"})])
    nx.set_node_attributes(graph, {0: "C", 1: "N", 2: "O"}, "label")
    fitted = costs.fit([graph])
    assert (fitted.granularity_, fitted.step) == pytest.approx(expected)


def test_squared_distances_are_on_the_grid_of_the_step():
    rng = np.random.default_rng(0)
    graphs = [random_graph(rng, int(rng.integers(0, 6)), edge_labels="sd") for _ in range(10)]
    for costs in (EditCosts(), EditCosts.mces(), EditCosts(0.7, 1.0, 0.2, 0.4)):
        vectors = costs.fit_transform(graphs)
        norms = gq.bounds.squared_norms(vectors)
        steps = (norms[:, None] + norms[None, :] - gq.pairwise_distances(vectors) ** 2) / costs.step
        assert np.abs(steps - steps.round()).max() < 1e-9


EXAMPLES = {
    "default": EditCosts(),
    "table": EditCosts(0.5, node_table={("C", "N"): 0.25, ("C", None): 1.1}),
    "tuples": EditCosts(node=["label", "charge"], node_table={(("C", 1), ("N", 1)): 0.5}),
    "by attribute": EditCosts(
        node=["label", "charge"],
        node_indel={"label": 1, "charge": 0.5},
        node_table={"charge": {(1, 2): 0.25}},
    ),
    "numbers": EditCosts(node=["label", Numeric("charge", center=True, scale="std", weight=0.5)]),
    "mces": EditCosts.mces(weights={"d": 2.0}),
    "like networkx": EditCosts.like_networkx(),
}


def graphs_with_charges():
    rng = np.random.default_rng(1)
    return [random_graph(rng, 4, edge_labels="sd", numbers=("charge",)) for _ in range(6)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_json_clone_and_pickle(name):
    costs, graphs = clone(EXAMPLES[name]), graphs_with_charges()
    assert EditCosts.from_json(json.loads(json.dumps(costs.to_json()))).to_json() == costs.to_json()
    vectors = costs.fit_transform(graphs)
    for other in (
        EditCosts.from_json(json.loads(json.dumps(costs.to_json()))),
        pickle.loads(pickle.dumps(costs)),
    ):
        assert other.digest() == costs.digest()
        assert other.transform(graphs) == vectors
        assert (other.granularity_, other.step, other.needs_zero_nodes_) == (
            costs.granularity_,
            costs.step,
            costs.needs_zero_nodes_,
        )
        assert other.describe() == costs.describe()


@pytest.mark.parametrize("name", EXAMPLES)
def test_data_come_back(name):
    costs, graphs = clone(EXAMPLES[name]), graphs_with_charges()
    raw = costs.inverse_transform(costs.fit_transform(graphs))
    for i, graph in enumerate(graphs):
        part = raw[i]
        assert {tuple(sorted(edge)) for edge in part.edges.tolist()} == {
            tuple(sorted((list(graph).index(a), list(graph).index(b)))) for a, b in graph.edges
        }
        for attribute in costs.attributes("node"):
            column = part.node_columns[attribute]
            for node, value in zip(graph, column.to_list(), strict=True):
                expected = graph.nodes[node][attribute]
                if name == "mces" and graph.degree(node) == 0:
                    assert value is None
                elif isinstance(value, str):
                    assert value == (expected if isinstance(expected, str) else f"{expected:g}")
                else:
                    assert value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("factor", "presence", "number"), [(-1.0, 0.0, 3.0), (0.0, 0.0, 3.0), (0.25, 0.25, 12.0), (2.0, 1.0, 3.0)]
)
def test_of_a_node_there_is_between_nothing_and_the_whole(factor, presence, number):
    """Also where vectors reach beyond both, which numbers must not be divided by."""
    graph = nx.Graph()
    graph.add_nodes_from([(0, {"label": "C", "x": 3.0}), (1, {"label": "N", "x": 1.0})])
    costs = EditCosts(node=["label", Numeric("x")])
    vectors = costs.fit_transform([graph])[0].node_attrs.copy()
    vectors[0, :-1] *= factor
    found = costs.inverse_transform(gq.Graph(vectors)).node_columns
    assert found["x"].to_list() == pytest.approx([number, 1.0])
    if presence == 1.0:
        assert "graphquant.presence" not in found
    else:
        assert found["graphquant.presence"].to_list() == pytest.approx([presence, 1.0])


def test_without_labels_the_presence_tells_how_much_of_a_node_is_there():
    graph = nx.Graph()
    graph.add_nodes_from([(0, {"x": 3.0}), (1, {"x": 1.0})])
    costs = EditCosts(node=[Numeric("x")])
    vectors = costs.fit_transform([graph])[0].node_attrs.copy()
    vectors[0] *= 0.25
    found = costs.inverse_transform(gq.Graph(vectors)).node_columns
    assert found["x"].to_list() == pytest.approx([3.0, 1.0])
    assert found["graphquant.presence"].to_list() == pytest.approx([0.25, 1.0])


def test_digests_tell_costs_apart():
    graphs = [node_graph("C", "N")]
    digests = [
        EditCosts(*params).fit(graphs).digest() for params in ((), (0.5,), (1.0, 2.0), (1.0, 1.0, 0.5))
    ]
    assert len(set(digests)) == 4
    assert EditCosts().fit(graphs).digest() == EditCosts(node=["label"]).fit(graphs).digest()


def test_damaged_json_is_refused():
    with pytest.raises(FileFormatError, match="JSON of a graphquant EditCosts"):
        EditCosts.from_json(AttributeEncoder().to_json())
    with pytest.raises(FileFormatError, match="is damaged"):
        EditCosts.from_json({**EditCosts().to_json(), "params": {"node_table": 3}})


def test_new_labels_share_a_channel_and_are_told():
    costs = EditCosts().fit([node_graph("C", "N")])
    known = costs.transform([node_graph("C")])
    one, other = (costs.transform([node_graph(label)]) for label in ("S", "P"))
    assert gq.distance(known[0], one[0]) ** 2 == pytest.approx(1.0)
    assert gq.distance(one[0], other[0]) == 0.0
    with pytest.warns(GraphQuantWarning, match="P, S are new and share a channel"):
        costs.transform([node_graph("S"), node_graph("P")])
    assert gq.pairwise_edit_distances([node_graph("S"), node_graph("P")], costs=costs).distances[0, 1] == 1.0


def test_new_labels_without_vectors_are_refused():
    costs = EditCosts(node_substitution=3.0).fit([node_graph("C", "N", "O")])
    with pytest.raises(
        EncodingError, match="has the label 'S' of 'label', which the costs were not fitted on"
    ):
        costs.transform([node_graph("S")])


def test_numbers_far_apart_need_zero_nodes_and_edges_are_refused():
    costs = EditCosts(node=Numeric("x"))
    vectors = costs.fit_transform([node_graph(-2.0, name="x"), node_graph(2.0, name="x")])
    assert costs.needs_zero_nodes_
    assert squared(vectors, 0, 1) == pytest.approx(min(16.0, 2 * (1 + 4)))
    with pytest.raises(EncodingError, match="reaches from -2 to 2: deleting an edge"):
        EditCosts(edge=Numeric("x")).fit([nx.Graph([(0, 1, {"x": -2.0}), (1, 2, {"x": 2.0})])])
    with pytest.raises(EncodingError, match="which is more than the costs were fitted on"):
        EditCosts(node=Numeric("x")).fit([node_graph(1.0, name="x")]).transform([node_graph(-5.0, name="x")])
    with pytest.raises(EncodingError, match=r"Graph 0: node 1, attribute 'x': expected a finite number"):
        EditCosts(node=Numeric("x")).fit([node_graph(1.0, None, name="x")])


def test_extended_costs_have_the_range_of_more_graphs():
    costs = EditCosts(node=[Numeric("x")]).fit([node_graph(0.0, 1.0, name="x")])
    assert not costs.extended([node_graph(0.5, name="x")]).needs_zero_nodes_
    assert costs.extended([node_graph(-9.0, 9.0, name="x")]).needs_zero_nodes_


def test_numbers_are_scaled_by_their_spread_if_they_have_any():
    costs = EditCosts(node=Numeric("x", scale="std"))
    vectors = costs.fit_transform([node_graph(1.0, name="x"), node_graph(5.0, name="x")])
    assert gq.distance(vectors[0], vectors[1], order=1) ** 2 == pytest.approx(4.0)
    costs.fit([node_graph(0.0, 0.0, name="x")])
    x, y = (
        costs.extended([node_graph(1.0, name="x")]).transform([node_graph(v, name="x")])[0]
        for v in (0.0, 1.0)
    )
    assert gq.distance(x, y) ** 2 == pytest.approx(1.0)


def test_common_edges_want_labels():
    with pytest.raises(EncodingError, match="Common edges need labels"):
        EditCosts(node=Numeric("x"), common_edges=True).fit([node_graph(1.0, name="x")])


def test_inputs_are_not_changed_and_everything_without_nodes_works():
    empty = nx.Graph()
    costs = EditCosts().fit([empty])
    assert len(costs.transform([empty, empty])) == 2
    assert gq.edit_distance(empty, empty).distance == 0.0
    assert gq.edit_distance(empty, node_graph("C", "N")).distance == 2.0


@pytest.mark.parametrize(("substitution", "indel"), [(1.0, 1.0), (0.7, 1.0), (1.5, 0.8)])
def test_a_label_unseen_in_training_has_the_default_costs(substitution, indel):
    costs = EditCosts(node_substitution=substitution, node_indel=indel, node_table={("C", "N"): 0.4})
    fitted = costs.fit([node_graph(label) for label in "CN"])
    vectors = fitted.transform([node_graph("C"), node_graph("N"), node_graph("S"), nx.Graph()])
    assert squared(vectors, 2, 0) == pytest.approx(substitution)
    assert squared(vectors, 2, 1) == pytest.approx(substitution)
    assert squared(vectors, 2, 3) == pytest.approx(indel)
    assert squared(vectors, 0, 1) == pytest.approx(0.4)


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_whether_costs_have_vectors_does_not_depend_on_their_unit(scale):
    gains = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]])
    vectors = factor(scale * gains)
    np.testing.assert_allclose(vectors @ vectors.T, scale * gains, rtol=1e-12, atol=1e-12 * scale)
    without = np.array([[1.0, 1.1], [1.1, 1.0]])
    assert factor(scale * without) is None
