"""Unknown categories, missing values, numbers out of range: what happens, and what is said."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from graphquant.exceptions import EncodingError, GraphQuantWarning
from graphquant.graphs import Column, RawGraphs
from graphquant.preprocessing import AttributeEncoder, EncodingNotes, OneHot
from tests.preprocessing.test_encoder import SYMBOL, X, raw_graphs

OLD = Path(__file__).parent / "data" / "encoder_1_0.json"
NEW = ["C", "C", "C", "C", "S"]


class TestUnknown:
    def test_other_is_as_far_from_each_known_one_as_the_rarest_known_one(self):
        encoder = AttributeEncoder().fit(raw_graphs({"symbol": SYMBOL}))
        known = encoder.transform(raw_graphs({"symbol": SYMBOL})).node_attrs
        other = encoder.encode(raw_graphs({"symbol": NEW})).graphs.node_attrs[4]
        carbon, oxygen, nitrogen = known[0], known[1], known[3]
        assert np.linalg.norm(other - carbon) == pytest.approx(np.linalg.norm(oxygen - carbon))
        assert np.linalg.norm(other - oxygen) == pytest.approx(np.linalg.norm(nitrogen - oxygen))

    def test_they_are_told_in_one_warning(self):
        encoder = AttributeEncoder().fit(raw_graphs({"symbol": SYMBOL, "x": X}))
        message = (
            "node attribute 'symbol': 1 of 5 values are categories that training did not have \\(S\\)\\. "
            'Unknown categories count as "other"'
        )
        with pytest.warns(GraphQuantWarning, match=message) as caught:
            encoder.transform(raw_graphs({"symbol": NEW, "x": X}))
        assert len(caught) == 1

    def test_error(self):
        encoder = AttributeEncoder(unknown="error").fit(raw_graphs({"symbol": SYMBOL}))
        assert "symbol=other" not in encoder.node_channels_
        with pytest.raises(
            EncodingError,
            match=r"Graph 1 \('second'\): node 1, attribute 'symbol': 'S' is not a known .*\(C, N, O\)",
        ):
            encoder.transform(raw_graphs({"symbol": NEW}))

    def test_zero_is_deprecated_and_says_so_once(self):
        encoder = AttributeEncoder(unknown="zero")
        with pytest.warns(FutureWarning, match='unknown="zero" is deprecated'):
            encoder.fit(raw_graphs({"symbol": SYMBOL}))
        assert not encoder.transform(raw_graphs({"symbol": NEW})).node_attrs[4].any()

    def test_without_a_channel_other_cannot_be_honoured(self):
        encoder = AttributeEncoder(unknown="error").fit(raw_graphs({"symbol": SYMBOL}))
        with pytest.raises(EncodingError, match="fitted without a channel for others: fit a new one"):
            encoder.set_params(unknown="other").transform(raw_graphs({"symbol": NEW}))

    def test_a_category_called_other_is_the_place_for_them(self):
        encoder = AttributeEncoder().fit(raw_graphs({"symbol": ["C", "other", "C", "N", "C"]}))
        assert encoder.node_channels_ == ("symbol=C", "symbol=N", "symbol=other")
        assert encoder.encode(raw_graphs({"symbol": NEW})).graphs.node_attrs[4, 2] > 0

    def test_other_itself_is_not_unknown(self):
        encoder = AttributeEncoder().fit(raw_graphs({"symbol": SYMBOL}))
        encoded = encoder.encode(raw_graphs({"symbol": ["C", "C", "C", "C", "other"]}))
        assert encoded.graphs.node_attrs[4, 3] > 0
        assert encoded.notes.n_unknown == 0

    def test_codes(self):
        encoder = AttributeEncoder([OneHot("z")]).fit(raw_graphs({"z": [6.0, 7.0, 6.0, 8.0, 6.0]}))
        encoded = encoder.encode(raw_graphs({"z": [6.0, 7.0, 6.0, 8.0, 35.0]}))
        assert encoded.notes.attributes[0].unknown == ("35",)
        assert encoded.graphs.node_attrs[4].argmax() == 3


GAPS = {"x": [0.0, 1.0, None, 3.0, 4.0], "symbol": SYMBOL}


class TestMissing:
    def test_the_mean_is_told_once(self):
        encoder = AttributeEncoder()
        message = (
            r"node attribute 'x': 1 of 5 values are missing \(first: Graph 0 \('first'\): node 2\)\. "
            "Missing values become the mean"
        )
        with pytest.warns(GraphQuantWarning, match=message) as caught:
            encoder.fit_transform(raw_graphs(GAPS))
        assert len(caught) == 1
        with pytest.warns(GraphQuantWarning, match="2 of 5 values are missing"):
            encoder.transform(raw_graphs(GAPS | {"x": [None, 1.0, None, 3.0, 4.0]}))

    def test_mean_on_the_curve(self):
        with pytest.warns(GraphQuantWarning, match="missing"):
            graphs = AttributeEncoder(["x"]).fit_transform(raw_graphs(GAPS))
        with_mean = AttributeEncoder(["x"]).fit_transform(raw_graphs({"x": [0.0, 1.0, 2.0, 3.0, 4.0]}))
        assert np.linalg.norm(graphs.node_attrs[2]) == pytest.approx(1.0)
        assert np.abs(graphs.node_attrs[2] - with_mean.node_attrs[2]).max() < 1e-12

    def test_zero_is_a_choice_and_not_told(self):
        graphs = AttributeEncoder(["x"], missing="zero").fit_transform(raw_graphs(GAPS))
        assert not graphs.node_attrs[2].any()


class TestRange:
    def test_few_are_counted_and_not_told(self):
        train = raw_graphs({"x": X})
        encoder = AttributeEncoder().fit(train)
        many = RawGraphs([0, 100], [0, 0], [], {"x": Column([*[2.0] * 99, 9.0])}, {})
        encoder.transform(many)
        notes = encoder.encode(many).notes
        assert notes.share_outside == 0.01
        assert notes.summary() == ["node attribute 'x': 1 of 100 values lie outside the range of training"]

    def test_many_are_told(self):
        encoder = AttributeEncoder().fit(raw_graphs({"x": X}))
        with pytest.warns(GraphQuantWarning, match="node attribute 'x': 2 of 5 values lie outside the range"):
            encoder.transform(raw_graphs({"x": [0.0, 1.0, 2.0, 7.0, -7.0]}))

    def test_the_data_of_training_are_within(self):
        values = np.random.default_rng(0).normal(size=5).tolist()
        encoder = AttributeEncoder().fit(raw_graphs({"x": values}))
        assert encoder.encode(raw_graphs({"x": values})).notes.summary() == []


class TestNotes:
    def test_they_add_up(self):
        encoder = AttributeEncoder(missing="zero").fit(raw_graphs({"x": X, "symbol": SYMBOL}))
        blocks = [
            encoder.encode(raw_graphs({"x": [0.0, None, 2.0, 3.0, 9.0], "symbol": NEW})).notes,
            encoder.encode(raw_graphs({"x": X, "symbol": ["Br", "C", "C", "C", "C"]})).notes,
        ]
        both = sum(blocks, EncodingNotes())
        assert both.summary() == [
            "node attribute 'x': 1 of 10 values are missing (first: Graph 0 ('first'): node 1)",
            "node attribute 'x': 1 of 9 values lie outside the range of training",
            "node attribute 'symbol': 2 of 10 values are categories that training did not have (S, Br)",
        ]
        assert (both.n_missing, both.n_unknown, both.n_outside) == (1, 2, 1)

    def test_nothing_is_compared_without_a_range(self):
        assert EncodingNotes().share_outside == 0.0


class TestOldFiles:
    def test_an_encoder_of_1_0_gives_the_vectors_of_1_0(self):
        saved = json.loads(OLD.read_text())
        encoder = AttributeEncoder.from_json(saved["encoder"])
        encoded = encoder.encode(raw_graphs(saved["node"], saved["edge"]))
        assert encoded.graphs.node_attrs.tolist() == saved["node_attrs"]
        assert encoded.graphs.edge_attrs.tolist() == saved["edge_attrs"]
        assert encoded.notes.share_outside == 0.0, "its range is not known"
        assert encoder.numeric == "auto"

    def test_its_policy_stays(self):
        encoder = AttributeEncoder.from_json(json.loads(OLD.read_text())["encoder"])
        assert encoder.unknown == encoder.missing == "error"
        with pytest.raises(EncodingError, match="'S' is not a known category"):
            encoder.transform(raw_graphs({"x": X, "symbol": NEW}, {"w": [1.0, 2.0, 3.0]}))

    def test_its_stored_zero_does_not_warn(self):
        saved = json.loads(OLD.read_text())
        saved["encoder"]["params"]["unknown"] = "zero"
        encoder = AttributeEncoder.from_json(saved["encoder"])
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            encoder.encode(raw_graphs({"x": X, "symbol": NEW}, {"w": [1.0, 2.0, 3.0]}))

    def test_shape_is_numeric(self):
        saved = json.loads(OLD.read_text())["encoder"]
        saved["params"]["shape"] = "line"
        x = {"kind": "numeric", "name": "x", "center": "auto", "scale": "auto", "weight": 1.0}
        saved["params"]["node"] = [x | {"shape": "circle"}]
        encoder = AttributeEncoder.from_json(saved)
        assert encoder.numeric == "line"
        assert encoder.node[0].numeric == "circle"


class TestDigest:
    def fitted(self, **params):
        return AttributeEncoder(**params).fit(raw_graphs({"x": X, "symbol": SYMBOL}, {"w": [1.0, 2.0, 3.0]}))

    def test_same_data_same_digest(self):
        assert self.fitted().digest() == self.fitted().digest()
        assert len(self.fitted().digest()) == 16

    def test_any_other_differs(self):
        others = [
            self.fitted(),
            self.fitted(unit_norm=True),
            self.fitted(numeric="circle"),
            self.fitted(edge_weight=0.5),
            self.fitted(unknown="error"),
            AttributeEncoder().fit(raw_graphs({"x": [0.0, 1.0, 2.0, 3.0, 4.5], "symbol": SYMBOL})),
            AttributeEncoder().fit(raw_graphs({"y": X, "symbol": SYMBOL}, {"w": [1.0, 2.0, 3.0]})),
        ]
        assert len({encoder.digest() for encoder in others}) == len(others)

    def test_what_is_done_about_missing_values_is_no_part(self):
        assert self.fitted().digest() == self.fitted(missing="zero").digest()

    def test_it_survives_a_file(self):
        old = AttributeEncoder.from_json(json.loads(OLD.read_text())["encoder"])
        for encoder in (self.fitted(), old):
            again = AttributeEncoder.from_json(json.loads(json.dumps(encoder.to_json())))
            assert again.digest() == encoder.digest()


def test_shape_is_a_deprecated_name():
    with pytest.warns(FutureWarning, match="shape='line' is now called numeric='line'"):
        encoder = AttributeEncoder(shape="line").fit(raw_graphs({"x": X}))
    assert encoder.node_channels_ == ("x",)
    assert AttributeEncoder.from_json(encoder.to_json()).numeric == "line"
