"""AttributeEncoder: what it learns, what it writes, what it refuses."""

import json
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import KFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import _safe_indexing

import graphquant as gq
from graphquant.exceptions import (
    EncodingError,
    FileFormatError,
    GraphQuantWarning,
    InvalidParameterError,
    SchemaError,
)
from graphquant.graphs import Column, RawGraphs
from graphquant.preprocessing import AttributeEncoder, Numeric, OneHot, UnitNorm, from_circle, unit_norm
from tests.strategies import collections


def raw_graphs(node=None, edge=None, names=("first", "second")):
    """Two graphs: a path of three nodes and a pair, with two edges and one edge."""
    return RawGraphs(
        [0, 3, 5],
        [0, 2, 3],
        [(0, 1), (1, 2), (0, 1)],
        {name: column(values) for name, values in (node or {}).items()},
        {name: column(values) for name, values in (edge or {}).items()},
        names=names,
    )


def column(values):
    if any(isinstance(value, str) for value in values):
        return Column.from_strings(values)
    return Column.from_numbers(values)


def on_lines(*args, **params):
    """An encoder that only centres and scales."""
    return AttributeEncoder(*args, numeric="line", edge_weight=1.0, **{"unknown": "error"} | params)


X = [0.0, 1.0, 2.0, 3.0, 4.0]
SYMBOL = ["C", "O", "C", "N", "C"]


class TestNumbers:
    def test_node_numbers_are_centred_and_share_one_scale(self):
        y = [0.0, 2.0, 4.0, 6.0, 8.0]
        graphs = on_lines().fit_transform(raw_graphs({"x": X, "y": y}))
        # Mean squares are 2 and 8 after centring, so the common scale is the root of 5.
        expected = np.stack([np.array(X) - 2, np.array(y) - 4], axis=1) / np.sqrt(5)
        np.testing.assert_allclose(graphs.node_attrs, expected, rtol=1e-14)

    def test_attributes_of_different_nature_do_not_share_a_scale(self):
        encoder = on_lines().fit(raw_graphs({"x": X, "far": np.multiply(X, 100.0)}))
        attrs = encoder.transform(raw_graphs({"x": X, "far": np.multiply(X, 100.0)})).node_attrs
        np.testing.assert_allclose(np.mean(attrs**2, axis=0), [1.0, 1.0])

    def test_joint_scale_keeps_proportions_whatever_the_sizes(self):
        raw = raw_graphs({"x": X, "far": np.multiply(X, 100.0)})
        attrs = on_lines(scale="joint").fit_transform(raw).node_attrs
        np.testing.assert_allclose(attrs[:, 1], 100 * attrs[:, 0])

    def test_edge_numbers_are_not_centred(self):
        graphs = on_lines(scale=None).fit_transform(raw_graphs({"x": X}, {"w": [1.0, 2.0, 3.0]}))
        assert graphs.edge_attrs.tolist() == [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]

    @pytest.mark.parametrize(("center", "node_mean", "edge_mean"), [(True, 0, 0), (False, 2, 2)])
    def test_center_for_all(self, center, node_mean, edge_mean):
        encoder = on_lines(center=center, scale=None, presence=False)
        graphs = encoder.fit_transform(raw_graphs({"x": X}, {"w": [1.0, 2.0, 3.0]}))
        assert graphs.node_attrs.mean() == node_mean
        assert graphs.edge_attrs.mean() == edge_mean

    def test_each_attribute_may_have_its_own_rule(self):
        node = [Numeric("x", center=1.0, scale=2.0, weight=3.0)]
        graphs = AttributeEncoder(node=node).fit_transform(raw_graphs({"x": X, "unused": X}))
        assert graphs.node_attrs[:, 0].tolist() == [-1.5, 0.0, 1.5, 3.0, 4.5]

    def test_std(self):
        graphs = on_lines(scale="std").fit_transform(raw_graphs({"x": X, "y": np.square(X)}))
        np.testing.assert_allclose(graphs.node_attrs.std(axis=0), [1.0, 1.0])

    def test_a_constant_is_not_centred_away(self):
        encoder = AttributeEncoder().fit(raw_graphs({"mark": [5.0] * 5}, {"w": [2.0] * 3}))
        graphs = encoder.transform(raw_graphs({"mark": [5.0] * 5}, {"w": [2.0] * 3}))
        assert graphs.node_attrs.tolist() == [[1.0]] * 5
        assert encoder.edge_channels_ == ("w",), "a constant shows the edge; presence would repeat it"

    def test_rounding_errors_are_not_blown_up(self):
        noisy = [0.1, np.nextafter(0.1, 1), 0.1, 0.1, 0.1]
        graphs = AttributeEncoder(node=[Numeric("x", center=True)]).fit_transform(raw_graphs({"x": noisy}))
        np.testing.assert_allclose(graphs.node_attrs[:, 0], 0.0, atol=1e-15)

    def test_all_zero_nodes_get_a_presence_channel(self):
        encoder = AttributeEncoder().fit(raw_graphs({"x": [0.0] * 5}))
        assert encoder.node_channels_ == ("x", "presence")


class TestCircles:
    def test_all_nodes_have_the_same_norm(self):
        graphs = AttributeEncoder(numeric="circle", edge=[]).fit_transform(
            raw_graphs({"x": X, "y": np.square(X)})
        )
        np.testing.assert_allclose(np.linalg.norm(graphs.node_attrs, axis=1), 1.0, rtol=1e-14)

    def test_attributes_of_different_nature_count_one_each_without_balance(self):
        raw = raw_graphs({"x": X, "far": np.multiply(X, 100.0)})
        graphs = AttributeEncoder(numeric="circle", edge=[], balance=False).fit_transform(raw)
        np.testing.assert_allclose(np.linalg.norm(graphs.node_attrs, axis=1), np.sqrt(2.0), rtol=1e-14)

    def test_angles(self):
        # Centred on 2, divided by the root of 2; one attribute alone has the whole norm.
        graphs = AttributeEncoder(numeric="circle", edge=[]).fit_transform(raw_graphs({"x": X}))
        angle = np.pi * np.tanh(2.0 * (np.array(X) - 2.0) / np.sqrt(2.0) / np.pi)
        np.testing.assert_allclose(graphs.node_attrs, np.column_stack([np.cos(angle), np.sin(angle)]))

    def test_far_values_are_different_but_not_infinitely_so(self):
        encoder = AttributeEncoder(numeric="circle", edge=[]).fit(raw_graphs({"x": X}))
        a, b, *_ = encoder.encode(raw_graphs({"x": [2.0, 1e9, -1e9, 0.0, 4.0]})).graphs.node_attrs
        assert 1.9 < np.linalg.norm(a - b) <= 2.0

    def test_from_circle_reads_the_numbers_back(self):
        attrs = AttributeEncoder(numeric="circle", edge=[]).fit_transform(raw_graphs({"x": X})).node_attrs
        found = from_circle(*(0.3 * attrs.T)) * np.sqrt(2.0) + 2.0
        np.testing.assert_allclose(found, X, atol=1e-12)

    def test_line_and_circle_by_choice(self):
        node = [Numeric("x", numeric="line"), Numeric("y", numeric="circle", center=False, scale=None)]
        encoder = AttributeEncoder(node).fit(raw_graphs({"x": X, "y": X}))
        assert encoder.node_channels_ == ("x", "cos y", "sin y")

    @pytest.mark.parametrize(
        "params", [{"center": False}, {"scale": None}, {"scale": 2.0}, {"numeric": "line"}]
    )
    def test_numbers_that_are_not_centred_and_scaled_stay_on_a_line(self, params):
        assert AttributeEncoder(**params).fit(raw_graphs({"x": X})).node_channels_ == ("x",)

    def test_edge_weight(self):
        raw = raw_graphs({"x": X}, {"w": [1.0, 2.0, 3.0], "bond": ["a", "b", "a"]})
        one, half = (AttributeEncoder(edge_weight=w).fit_transform(raw) for w in (1.0, 0.5))
        np.testing.assert_allclose(half.edge_attrs, 0.5 * one.edge_attrs)
        np.testing.assert_array_equal(half.node_attrs, one.node_attrs)

    def test_json(self):
        raw = raw_graphs({"x": X, "y": np.square(X)})
        encoder = AttributeEncoder(numeric="circle", edge=[]).fit(raw)
        again = AttributeEncoder.from_json(json.loads(json.dumps(encoder.to_json())))
        assert again.transform(raw) == encoder.transform(raw)


class TestCategories:
    def test_one_hot(self):
        encoder = AttributeEncoder(balance=False)
        graphs = encoder.fit_transform(raw_graphs({"symbol": SYMBOL}))
        assert encoder.node_channels_ == ("symbol=C", "symbol=N", "symbol=O", "symbol=other")
        assert graphs.node_attrs.argmax(axis=1).tolist() == [0, 2, 0, 1, 0]
        assert graphs.node_attrs.sum(axis=1).tolist() == [1.0] * 5

    def test_weight_and_given_categories(self):
        node = [OneHot("symbol", weight=2.0, categories=("O", "N", "C", "S"))]
        encoder = AttributeEncoder(node, balance=False)
        graphs = encoder.fit_transform(raw_graphs({"symbol": SYMBOL}))
        assert graphs.node_attrs[1].tolist() == [2.0, 0.0, 0.0, 0.0, 0.0]

    def test_numbers_as_categories_sort_as_numbers(self):
        encoder = AttributeEncoder(node=[OneHot("valence")]).fit(raw_graphs({"valence": [10, 2, 1.5, 2, 10]}))
        assert encoder.node_channels_ == ("valence=1.5", "valence=2", "valence=10", "valence=other")

    def test_categories_that_do_not_occur_are_no_channels(self):
        part = raw_graphs({"symbol": SYMBOL})[[1]]
        assert AttributeEncoder().fit(part).node_channels_ == ("symbol=C", "symbol=N", "symbol=other")

    def test_an_identifier_is_left_out_and_named(self):
        ids = Column.from_strings(f"n{i}" for i in range(300))
        raw = RawGraphs([0, 300], [0, 0], [], {"id": ids}, {})
        with pytest.warns(GraphQuantWarning, match="node attribute 'id' is left out: 300 categories"):
            encoder = AttributeEncoder().fit(raw)
        assert encoder.node_channels_ == ("presence",)
        assert "left out: id (300 categories" in encoder.describe()
        assert len(AttributeEncoder(node=[OneHot("id")]).fit(raw).node_channels_) == 301


class TestBalance:
    def test_all_attributes_of_a_node_have_norm_one_together(self):
        raw = raw_graphs({"x": X, "far": np.multiply(X, 100.0), "kind": ["a", "b", "a", "b", "c"]})
        encoder = AttributeEncoder(["x", "far", OneHot("kind", categories=("a", "b", "c"))])
        squares = encoder.fit_transform(raw).node_attrs ** 2
        np.testing.assert_allclose(squares[:, :8].reshape(5, 2, 4).sum(axis=2), 1 / 3)
        assert squares[:, 8:].sum() / 5 == pytest.approx(1 / 3)

    def test_those_of_an_edge_have_the_weight_of_edges(self):
        raw = raw_graphs({"x": X}, {"first": ["a", "b", "a"], "second": ["c", "c", "d"]})
        attrs = AttributeEncoder(edge_weight=0.5).fit_transform(raw).edge_attrs
        # No category of an edge counts more than another.
        np.testing.assert_allclose(attrs[attrs > 0.0], 0.5 / np.sqrt(2.0))

    def test_numbers_on_lines_are_left_alone(self):
        raw = raw_graphs({"x": X, "symbol": SYMBOL})
        both = on_lines(scale=None).fit_transform(raw).node_attrs
        alone = on_lines(["x"], scale=None).fit_transform(raw).node_attrs
        np.testing.assert_array_equal(both[:, :1], alone)

    def test_rare_categories_count_more(self):
        # Shares 3/5, 1/5, 1/5; by hand: a quarter for all, three quarters by information over entropy.
        attrs = AttributeEncoder().fit_transform(raw_graphs({"symbol": SYMBOL})).node_attrs
        entropy = 0.6 * np.log(5 / 3) + 0.4 * np.log(5)
        assert attrs[0, 0] ** 2 == pytest.approx(0.25 + 0.75 * np.log(5 / 3) / entropy)
        assert attrs[1, 2] ** 2 == attrs[3, 1] ** 2 == pytest.approx(0.25 + 0.75 * np.log(5) / entropy)
        assert (attrs**2).sum() / 5 == pytest.approx(1.0)

    def test_a_category_that_training_lacks_counts_as_the_rarest(self):
        node = [OneHot("symbol", categories=("C", "N", "O", "S"))]
        encoder = AttributeEncoder(node).fit(raw_graphs({"symbol": SYMBOL}))
        attrs = encoder.transform(raw_graphs({"symbol": ["C", "N", "O", "S", "S"]})).node_attrs
        assert attrs[3, 3] == attrs[1, 1] > attrs[0, 0] > 0.5

    def test_a_single_category_has_weight_one(self):
        attrs = AttributeEncoder().fit_transform(raw_graphs({"symbol": ["C"] * 5})).node_attrs
        assert attrs.tolist() == [[1.0, 0.0]] * 5

    def test_an_encoder_of_version_1_0_is_as_it_was(self):
        encoder = AttributeEncoder(balance=False).fit(raw_graphs({"symbol": SYMBOL}))
        saved = encoder.to_json()
        del saved["params"]["balance"], saved["fitted"]["node"][0]["weights"]
        restored = AttributeEncoder.from_json(saved)
        assert restored.balance is False
        new = raw_graphs({"symbol": SYMBOL})
        np.testing.assert_array_equal(restored.transform(new).node_attrs, encoder.transform(new).node_attrs)


class TestPresence:
    def test_added_to_edges_without_a_category(self):
        assert AttributeEncoder().fit(raw_graphs({"x": X})).edge_channels_ == ("presence",)
        encoder = AttributeEncoder().fit(raw_graphs({"x": X}, {"w": [1.0, 0.0, 3.0]}))
        assert encoder.edge_channels_ == ("w", "presence")

    def test_not_needed_with_a_category(self):
        encoder = AttributeEncoder().fit(raw_graphs({"x": X}, {"bond": ["a", "b", "a"]}))
        assert encoder.edge_channels_ == ("bond=a", "bond=b", "bond=other")

    def test_added_to_nodes_only_without_attributes(self):
        assert AttributeEncoder().fit(raw_graphs()).node_channels_ == ("presence",)
        assert AttributeEncoder(node=[]).fit(raw_graphs({"x": X})).node_channels_ == ("presence",)

    @pytest.mark.parametrize(
        ("presence", "node", "edge"),
        [(True, True, True), ("node", True, False), ("edge", False, True), (False, False, False)],
    )
    def test_by_choice(self, presence, node, edge):
        encoder = AttributeEncoder(presence=presence).fit(raw_graphs({"x": X}, {"w": [1.0, 2.0, 3.0]}))
        assert ("presence" in encoder.node_channels_) is node
        assert ("presence" in encoder.edge_channels_) is edge

    def test_nothing_at_all(self):
        with pytest.raises(EncodingError, match="The edges have no attribute to encode and presence is off"):
            AttributeEncoder(presence=False).fit(raw_graphs({"x": X}))


GAPS = {"x": [0.0, 1.0, None, 3.0, 4.0], "symbol": ["C", None, "C", "N", "C"]}


class TestMissing:
    def test_error_names_the_place(self):
        with pytest.raises(
            EncodingError, match=r"Graph 0 \('first'\): node 2 has no value of attribute 'x' \(1 of 5"
        ):
            AttributeEncoder(missing="error").fit(raw_graphs(GAPS))

    def test_zero(self):
        encoder = AttributeEncoder(missing="zero", numeric="curve", balance=False)
        graphs = encoder.fit_transform(raw_graphs(GAPS))
        assert graphs.node_attrs[2, 4:].tolist() == [1.0, 0.0, 0.0]
        assert not graphs.node_attrs[2, :4].any()
        assert not graphs.node_attrs[1, 4:].any()

    def test_mean(self):
        encoder = AttributeEncoder(missing="mean", scale=None, center=False, balance=False)
        with pytest.warns(GraphQuantWarning, match=r"'x': 1 of 5 values are missing \(first: Graph 0"):
            graphs = encoder.fit_transform(raw_graphs(GAPS))
        assert graphs.node_attrs[2, 0] == 2.0
        assert graphs.node_attrs[1, 1:].tolist() == [0.75, 0.25, 0.0]

    def test_an_attribute_that_new_data_lack(self):
        encoder = AttributeEncoder(missing="error").fit(raw_graphs({"x": X, "symbol": SYMBOL}))
        for policy in ("error", "mean", "zero"):
            encoder.set_params(missing=policy)
            with pytest.raises(EncodingError, match=r"No node of these graphs has the attribute 'x'"):
                encoder.transform(raw_graphs({"symbol": SYMBOL}))

    def test_an_attribute_that_only_some_nodes_of_training_had(self):
        sparse = raw_graphs({"x": [1.0, 2.0, None, 3.0, 4.0], "symbol": SYMBOL})
        encoder = AttributeEncoder(missing="zero").fit(sparse)
        restored = AttributeEncoder.from_json(encoder.to_json())
        for fitted in (encoder, restored):
            graphs = fitted.transform(raw_graphs({"symbol": SYMBOL}))
            assert graphs.node_attrs[:, 0].tolist() == [0.0] * 5
        with pytest.raises(EncodingError, match=r"attributes 'x', 'symbol', which"):
            encoder.transform(raw_graphs({"z": X}))

    def test_vectors_of_another_meaning(self):
        vectors = gq.GraphCollection([gq.Graph([[1.0, 2.0]]), gq.Graph([[2.0, 5.0]])])
        named = vectors.with_schema(gq.Schema(["x", "y"], ["e"]))
        encoder = AttributeEncoder(unit_norm=True).fit(named)
        other = vectors.with_schema(gq.Schema(["y", "x"], ["e"]))
        for fitted in (encoder, AttributeEncoder.from_json(encoder.to_json())):
            with pytest.raises(SchemaError, match="in another order"):
                fitted.transform(other)
        assert (
            encoder.transform(named).schema != AttributeEncoder(unit_norm=True).fit_transform(vectors).schema
        )

    def test_an_attribute_without_any_value_is_left_out(self):
        encoder = AttributeEncoder().fit(raw_graphs({"x": X, "empty": [None] * 5}))
        assert encoder.node_channels_ == ("cos x", "sin x", "cos2 x", "sin2 x")
        assert encoder.left_out_["node"] == {"empty": "no values"}
        with pytest.raises(EncodingError, match="node attribute 'empty' has no value at all"):
            AttributeEncoder(node=["empty"], missing="zero").fit(raw_graphs({"empty": [None] * 5}))


class TestRefused:
    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"missing": "zeros"}, "Unknown missing 'zeros'.*Did you mean 'zero'"),
            ({"unknown": "skip"}, "Unknown unknown 'skip'"),
            ({"center": 2.0}, r"center=2\.0 is not accepted.*Numeric"),
            ({"scale": "stdd"}, "scale='stdd' is not accepted"),
            ({"scale": -1.0}, r"scale=-1\.0 is not accepted"),
            ({"presence": "all"}, "presence='all' is not accepted"),
            ({"balance": "yes"}, "balance='yes' is not accepted. Give True or False"),
            ({"node": "x"}, r"node='x' is not a list of attributes.*node=\[\.\.\.\]"),
            ({"node": [3]}, "node has an item 3 of type int"),
            ({"node": ["x", Numeric("x")]}, "node names attribute 'x' twice"),
        ],
    )
    def test_parameters(self, params, message):
        with pytest.raises(InvalidParameterError, match=message):
            AttributeEncoder(**params).fit(raw_graphs({"x": X}))

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: Numeric("x", weight=-1), "Attribute 'x': weight=-1 is not accepted"),
            (lambda: Numeric("x", weight=10**400), "is not accepted. Give a number of at least 0"),
            (lambda: Numeric("x", center="mean"), "Attribute 'x': center='mean' is not accepted"),
            (lambda: Numeric("x", scale=0), "Attribute 'x': scale=0 is not accepted"),
            (lambda: Numeric("x", numeric="square"), "square"),
            (lambda: AttributeEncoder(numeric="square").fit(raw_graphs({"x": X})), "square"),
            (lambda: AttributeEncoder(edge_weight=-1).fit(raw_graphs({"x": X})), "edge_weight=-1 is not"),
            (lambda: OneHot("t", categories=("a", "a")), r"OneHot\('t'\): categories.*has repeats"),
        ],
    )
    def test_specifications(self, make, message):
        with pytest.raises(InvalidParameterError, match=message):
            make()

    def test_an_attribute_that_is_not_there(self):
        with pytest.raises(EncodingError, match=r"no node attribute 'symbl'. Did you mean 'symbol'"):
            AttributeEncoder(node=["symbl"]).fit(raw_graphs({"symbol": SYMBOL}))

    def test_numbers_asked_of_strings(self):
        with pytest.raises(EncodingError, match=r"contains strings, Numeric\('symbol'\) needs numbers"):
            AttributeEncoder(node=[Numeric("symbol")]).fit(raw_graphs({"symbol": SYMBOL}))

    def test_strings_where_numbers_were_learnt(self):
        encoder = AttributeEncoder().fit(raw_graphs({"x": X}))
        with pytest.raises(EncodingError, match=r"'x' holds strings \(Graph 0 \('first'\): node 0 has 'C'\)"):
            encoder.transform(raw_graphs({"x": SYMBOL}))

    def test_infinity(self):
        with pytest.raises(EncodingError, match=r"Graph 1 \('second'\): node 0, attribute 'x' is inf"):
            AttributeEncoder().fit(raw_graphs({"x": [0.0, 1.0, 2.0, np.inf, 4.0]}))

    def test_not_fitted(self):
        with pytest.raises(NotFittedError, match="not fitted"):
            AttributeEncoder().transform(raw_graphs({"x": X}))

    def test_no_graphs(self):
        with pytest.raises(ValueError, match="There are no graphs"):
            AttributeEncoder().fit([])


class TestInputs:
    def test_networkx(self):
        graph = nx.path_graph(3)
        nx.set_node_attributes(graph, {0: "C", 1: "O", 2: "C"}, "symbol")
        encoder = AttributeEncoder(balance=False, unknown="error")
        assert encoder.fit_transform([graph])[0].node_attrs.tolist() == [[1, 0], [0, 1], [1, 0]]

    def test_the_structure_is_kept(self):
        raw = raw_graphs({"x": X})
        graphs = AttributeEncoder().fit_transform(raw)
        assert graphs.names == raw.names
        np.testing.assert_array_equal(graphs.edges, raw.edges)
        np.testing.assert_array_equal(graphs.node_offsets, raw.node_offsets)

    def test_graphs_without_edges(self):
        raw = RawGraphs([0, 2], [0, 0], [], {"x": Column.from_numbers([1.0, 2.0])}, {"w": Column([])})
        graphs = AttributeEncoder().fit_transform(raw)
        assert graphs.edge_attrs.shape == (0, 1)

    @given(collections(min_order=1))
    @pytest.mark.property
    def test_the_plain_encoder_leaves_a_collection_as_it_is(self, collection):
        encoder = on_lines(center=False, scale=None, presence=False)
        if len(collection.packed().edges) == 0:
            encoder.set_params(presence="edge")
            np.testing.assert_array_equal(
                encoder.fit_transform(collection).node_attrs, collection.packed().node_attrs
            )
        else:
            assert encoder.fit_transform(collection) == collection

    def test_a_view_is_encoded_alone(self):
        collection = gq.GraphCollection([gq.Graph([value]) for value in (100.0, 1.0, 3.0)])
        graphs = on_lines().fit_transform(collection[1:])
        assert graphs.node_attrs[:, 0].tolist() == [-1.0, 1.0]

    def test_new_data_get_the_numbers_of_the_old(self):
        encoder = AttributeEncoder(scale=None).fit(raw_graphs({"x": X}))
        with pytest.warns(GraphQuantWarning, match="5 of 5 values lie outside the range of training"):
            graphs = encoder.transform(raw_graphs({"x": np.add(X, 10.0)}))
        assert graphs.node_attrs[:, 0].tolist() == [8.0, 9.0, 10.0, 11.0, 12.0]


class TestScikitLearn:
    def raw(self):
        return raw_graphs({"x": X, "symbol": SYMBOL}, {"w": [1.0, 2.0, 3.0]})

    def test_clone_keeps_parameters_and_forgets_the_fit(self):
        encoder = AttributeEncoder([Numeric("x", weight=2.0)], missing="zero").fit(self.raw())
        copy = clone(encoder)
        assert copy.get_params() == encoder.get_params()
        assert encoder.is_fitted
        assert not copy.is_fitted

    def test_set_params_and_refit(self):
        encoder = AttributeEncoder().fit(self.raw())
        encoder.set_params(node=["symbol"]).fit(self.raw())
        assert encoder.node_channels_ == ("symbol=C", "symbol=N", "symbol=O", "symbol=other")

    def test_pickle(self):
        encoder = AttributeEncoder().fit(self.raw())
        assert pickle.loads(pickle.dumps(encoder)).transform(self.raw()) == encoder.transform(self.raw())

    def test_feature_names(self):
        names = AttributeEncoder(["x"]).fit(self.raw()).get_feature_names_out()
        assert names.tolist() == [
            *("node:cos x", "node:sin x", "node:cos2 x", "node:sin2 x"),
            *("edge:w", "edge:presence"),
        ]

    def test_pipeline(self):
        pipeline = Pipeline([("encode", AttributeEncoder()), ("norm", UnitNorm())])
        graphs = pipeline.set_params(encode__scale=None).fit_transform(self.raw())
        assert graphs == unit_norm(AttributeEncoder(scale=None).fit_transform(self.raw()))
        assert pipeline.transform(self.raw()) == graphs

    def test_cross_validation_indexing(self):
        raw = gq.datasets.make_letters(n_per_class=2).raw
        pipeline = make_pipeline(AttributeEncoder(), UnitNorm())
        for train, test in KFold(3).split(raw):
            part = _safe_indexing(raw, train)
            assert isinstance(part, list)
            assert AttributeEncoder().fit_transform(part) == AttributeEncoder().fit_transform(raw[train])
            assert len(pipeline.fit(part).transform(_safe_indexing(raw, test))) == len(test)

    def test_fit_does_not_change_its_input(self):
        raw = self.raw()
        AttributeEncoder().fit_transform(raw)
        assert raw == self.raw()


class TestJson:
    def raw(self):
        return raw_graphs({"x": [0.1, 1.0, None, 3.0, 4.0], "symbol": SYMBOL}, {"w": [1.0, 2.0, 3.0]})

    @pytest.mark.parametrize(
        "encoder",
        [
            AttributeEncoder(numeric="circle", missing="zero"),
            AttributeEncoder(["x", OneHot("symbol", categories=("C", "N", "O"))], [], missing="zero"),
            AttributeEncoder(
                [Numeric("x", center=1.5, scale=None, weight=0.5)], missing="zero", unknown="error"
            ),
        ],
    )
    def test_round_trip(self, encoder):
        encoder = clone(encoder).fit(self.raw())
        again = AttributeEncoder.from_json(json.loads(json.dumps(encoder.to_json(), allow_nan=False)))
        assert again.transform(self.raw()) == encoder.transform(self.raw())
        assert again.describe() == encoder.describe()
        assert again.to_json() == encoder.to_json()
        assert repr(again) == repr(encoder)

    def test_unfitted(self):
        again = AttributeEncoder.from_json(AttributeEncoder(scale="std").to_json())
        assert again.scale == "std"
        assert not again.is_fitted

    def fitted_json(self):
        return AttributeEncoder(missing="zero").fit(self.raw()).to_json()

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"type": "other"}, "not the JSON of a graphquant AttributeEncoder.*'other'"),
            ({"version": 3}, "written in version 3, this graphquant reads up to 2. Upgrade"),
            ({"version": "1"}, "no valid version"),
            ({"params": None}, "damaged"),
            ({"params": {"surprise": 1}}, "damaged"),
            ({"fitted": {"node": []}}, "damaged"),
            (
                {"fitted": {"node": [{"kind": "odd"}], "edge": [], "left_out": {}}},
                "damaged.*unknown kind 'odd'",
            ),
        ],
    )
    def test_damaged(self, change, message):
        with pytest.raises(FileFormatError, match=message):
            AttributeEncoder.from_json(self.fitted_json() | change)

    @pytest.mark.parametrize(
        ("weights", "message"),
        [([1.0], "3 categories, 3 shares and 1 weights"), ([1.0, 0.0, 1.0], "weights .* are not positive")],
    )
    def test_damaged_weights(self, weights, message):
        saved = AttributeEncoder().fit(raw_graphs({"symbol": SYMBOL})).to_json()
        saved["fitted"]["node"][0]["weights"] = weights
        with pytest.raises(FileFormatError, match=f"damaged.*{message}"):
            AttributeEncoder.from_json(saved)

    def test_garbage(self):
        with pytest.raises(FileFormatError, match="not the JSON of a graphquant AttributeEncoder"):
            AttributeEncoder.from_json("garbage")


def test_describe():
    raw = raw_graphs({"x": X, "symbol": SYMBOL}, {"w": [1.0, 2.0, None]})
    encoder = on_lines(["x", OneHot("symbol", weight=2.0)], missing="zero", scale=None).fit(raw)
    assert encoder.describe().splitlines() == [
        "nodes: 4 channels",
        "  x         numeric, centred on 2",
        "  symbol    one-hot, 3 categories: C, N, O, rare ones count more, weight 2",
        "edges: 2 channels",
        "  w         numeric",
        "  presence  always 1",
        "missing values: zero",
    ]
