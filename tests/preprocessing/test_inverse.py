"""The way back: data come back as they were, averages as the nearest, with what was lost."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import graphquant as gq
from graphquant.exceptions import EncodingError
from graphquant.graphs import Column, RawGraphs
from graphquant.graphs.checks import PackedArrays
from graphquant.preprocessing import AttributeEncoder, Numeric, OneHot
from tests.preprocessing.test_encoder import SYMBOL, X, raw_graphs

NUMBERS = st.one_of(st.floats(-100.0, 100.0), st.integers(-3, 3).map(float))


@st.composite
def raws(draw):
    """Raw graphs with numbers, categories, codes and edges of two kinds."""
    orders = draw(st.lists(st.integers(1, 4), min_size=2, max_size=4))
    edges = [[(i, i + 1) for i in range(order - 1)] for order in orders]
    n, m = sum(orders), sum(map(len, edges))

    def some(values, size):
        return draw(st.lists(values, min_size=size, max_size=size))

    node = {
        "x": Column(np.array(some(NUMBERS, n))),
        "symbol": Column.from_strings(some(st.sampled_from("CNO"), n)),
        "code": Column(np.array(some(st.sampled_from([6.0, 7.5, 35.0]), n))),
    }
    edge = {
        "length": Column(np.array(some(st.floats(0.5, 2.0), m))),
        "bond": Column.from_strings(some(st.sampled_from("ab"), m)),
    }
    return RawGraphs(
        np.cumsum([0, *orders]),
        np.cumsum([0, *map(len, edges)]),
        [pair for pairs in edges for pair in pairs],
        {name: node[name] for name in draw(st.sets(st.sampled_from(sorted(node))))},
        {name: edge[name] for name in draw(st.sets(st.sampled_from(sorted(edge))))} if m else {},
    )


ENCODERS = [
    AttributeEncoder(),
    AttributeEncoder(numeric="circle"),
    AttributeEncoder(numeric="line"),
    AttributeEncoder(unit_norm=True, presence=True),
    AttributeEncoder(numeric="circle", unit_norm=True, balance=False),
    AttributeEncoder(unknown="error", presence=True),
]


def close(a, b, tolerance=1e-9):
    a, b = a.packed(), b.packed()
    np.testing.assert_allclose(a.node_attrs, b.node_attrs, atol=tolerance)
    np.testing.assert_allclose(a.edge_attrs, b.edge_attrs, atol=tolerance)


@pytest.mark.property
@given(encoder=st.sampled_from(ENCODERS), raw=raws())
def test_data_come_back(encoder, raw):
    encoder = clone(encoder).fit(raw)
    vectors = encoder.encode(raw).graphs
    back = encoder.inverse_transform(vectors)
    close(encoder.encode(back).graphs, vectors)
    assert back.node_columns.keys() == raw.node_columns.keys(), "nothing was lost"
    assert back.edge_columns.keys() == raw.edge_columns.keys()
    for name, column in raw.node_columns.items():
        found = back.node_columns[name]
        assert found.is_numeric == column.is_numeric
        if column.is_numeric:
            np.testing.assert_allclose(found.values, column.values, rtol=1e-5, atol=1e-5)
        else:
            assert found == column


@pytest.mark.property
@given(encoder=st.sampled_from(ENCODERS), raw=raws(), seed=st.integers(0, 99))
def test_of_averages_doing_it_twice_changes_nothing(encoder, raw, seed):
    encoder = clone(encoder).fit(raw)
    vectors = encoder.encode(raw).graphs
    once = encoder.inverse_transform(blurred(vectors, seed))
    twice = encoder.inverse_transform(encoder.encode(once).graphs)
    for name in raw.node_columns:
        same(twice.node_columns[name], once.node_columns[name])
    for name in raw.edge_columns:
        same(twice.edge_columns[name], once.edge_columns[name])
    assert not any(name.startswith("graphquant.") for name in twice.node_columns)


def same(a, b):
    if a.is_numeric:
        np.testing.assert_allclose(a.values, b.values, rtol=1e-6, atol=1e-6)
    else:
        assert a == b


def blurred(collection, seed):
    """Mean of each row and two others, as code graphs are means of data."""
    rng = np.random.default_rng(seed)
    whole = collection.packed()

    def mean(rows):
        weights = rng.random((len(rows), len(rows))) ** 4 + 2.0 * np.eye(len(rows))
        return (weights / weights.sum(axis=1, keepdims=True) * rng.uniform(0.3, 1.0, (len(rows), 1))) @ rows

    packed = PackedArrays(
        whole.node_offsets,
        mean(whole.node_attrs),
        whole.edge_offsets,
        whole.edges,
        mean(whole.edge_attrs),
        None,
    )
    return gq.GraphCollection._from_valid(packed, directed=whole.directed, names=None, schema=whole.schema)


def average(encoder, first, second, share=0.5):
    """Average the vectors of two single nodes."""
    columns = {
        name: raw_graphs({name: [first[name], second[name], *[first[name]] * 3]}).node_columns[name]
        for name in first
    }
    graphs = encoder.encode(
        RawGraphs([0, 1, 2], [0, 0, 0], [], {name: c.take([0, 1]) for name, c in columns.items()}, {})
    ).graphs
    mean = share * graphs[0].node_attrs + (1 - share) * graphs[1].node_attrs
    return gq.Graph(mean, edge_attrs=np.empty((0, 1)))


class TestAverages:
    def test_numbers_are_the_nearest_on_the_curve(self):
        encoder = AttributeEncoder().fit(raw_graphs({"x": X}))
        back = encoder.inverse_transform(average(encoder, {"x": 1.0}, {"x": 1.5}))
        assert back.node_columns["x"].to_list()[0] == pytest.approx(1.25, abs=0.05)
        assert 0 < back.node_columns["graphquant.residual"].values[0] < 0.3

    def test_an_average_of_all_is_within_the_range(self):
        encoder = AttributeEncoder().fit(raw_graphs({"x": X}))
        mean = gq.Graph(
            encoder.encode(raw_graphs({"x": X})).graphs.node_attrs.mean(axis=0, keepdims=True),
            edge_attrs=np.empty((0, 1)),
        )
        assert 0.0 <= encoder.inverse_transform([mean]).node_columns["x"].values[0] <= 4.0

    def test_the_likeliest_category_and_its_share(self):
        encoder = AttributeEncoder().fit(raw_graphs({"symbol": SYMBOL}))
        back = encoder.inverse_transform(average(encoder, {"symbol": "C"}, {"symbol": "O"}, 0.7))
        assert back.node_columns["symbol"].to_list() == ["C"]
        assert back.node_columns["graphquant.share symbol"].to_list() == pytest.approx([0.7])
        assert "graphquant.presence" not in back.node_columns

    def test_presence_is_how_much_of_a_node_is_there(self):
        encoder = AttributeEncoder(presence=True).fit(raw_graphs({"x": X}, {"w": [1.0, 2.0, 3.0]}))
        graphs = encoder.encode(raw_graphs({"x": X}, {"w": [1.0, 2.0, 3.0]})).graphs
        weak = gq.Graph(0.25 * graphs[1].node_attrs, graphs[1].edges, 0.5 * graphs[1].edge_attrs)
        back = encoder.inverse_transform(weak)
        assert back.node_columns["graphquant.presence"].to_list() == pytest.approx([0.25, 0.25])
        assert back.edge_columns["graphquant.presence"].to_list() == pytest.approx([0.5])
        assert back.node_columns["x"].to_list() == [3.0, 4.0]
        assert back.edge_columns["w"].to_list() == [3.0], "of those that are there"

    def test_a_line_without_presence_has_no_presence(self):
        encoder = AttributeEncoder(numeric="line").fit(raw_graphs({"x": X}))
        back = encoder.inverse_transform(average(encoder, {"x": 1.0}, {"x": 3.0}))
        assert dict(back.node_columns) == {"x": Column([2.0])}


def test_other_comes_back_as_other_and_stays():
    encoder = AttributeEncoder().fit(raw_graphs({"symbol": SYMBOL}))
    vectors = encoder.encode(raw_graphs({"symbol": ["C", "C", "C", "C", "S"]})).graphs
    back = encoder.inverse_transform(vectors)
    assert back.node_columns["symbol"].to_list() == ["C", "C", "C", "C", "other"]
    assert encoder.transform(back) == vectors


def test_codes_come_back_as_numbers_unless_one_is_other():
    encoder = AttributeEncoder([OneHot("z")]).fit(raw_graphs({"z": [6.0, 7.0, 6.0, 8.0, 6.0]}))
    back = encoder.inverse_transform(encoder.encode(raw_graphs({"z": [6.0, 7.0, 6.0, 8.0, 6.0]})).graphs)
    assert back.node_columns["z"].to_list() == [6.0, 7.0, 6.0, 8.0, 6.0]
    vectors = encoder.encode(raw_graphs({"z": [6.0, 7.0, 6.0, 8.0, 35.0]})).graphs
    back = encoder.inverse_transform(vectors)
    assert back.node_columns["z"].to_list() == ["6", "7", "6", "8", "other"]
    assert encoder.transform(back) == vectors


def test_levels_come_back_whole():
    charges = [0.0, 0.0, 1.0, -1.0, 0.0]
    encoder = AttributeEncoder().fit(raw_graphs({"charge": charges}))
    assert (
        encoder.inverse_transform(encoder.transform(raw_graphs({"charge": charges})))
        .node_columns["charge"]
        .to_list()
        == charges
    )


def test_missing_values_that_are_zero_come_back_missing():
    encoder = AttributeEncoder(missing="zero")
    raw = raw_graphs({"x": [0.0, None, 2.5, 3.0, 4.0], "symbol": ["C", "O", None, "N", "C"]})
    back = encoder.inverse_transform(encoder.fit_transform(raw))
    # Nothing else: no part of the vectors is left over.
    assert back.node_columns == raw.node_columns


def test_values_out_of_range_come_back():
    encoder = AttributeEncoder().fit(raw_graphs({"x": X}))
    vectors = encoder.encode(raw_graphs({"x": [2.0, 9.0, -5.0, 0.0, 4.0]})).graphs
    found = encoder.inverse_transform(vectors).node_columns["x"].to_list()
    # Far out the curve hardly moves, and rounding counts.
    assert found == pytest.approx([2.0, 9.0, -5.0, 0.0, 4.0], rel=1e-9)
    assert found[0] == 2.0


def test_only_presence():
    encoder = AttributeEncoder().fit(raw_graphs())
    back = encoder.inverse_transform(encoder.transform(raw_graphs()))
    assert not back.node_columns
    assert not back.edge_columns
    assert back.names == ("first", "second")


def test_unit_norm_without_anything_in_common_leaves_numbers_divided():
    encoder = AttributeEncoder(numeric="line", presence=False, unit_norm=True, edge=[Numeric("w")])
    raw = raw_graphs({"x": X}, {"w": [1.0, 2.0, 3.0]})
    back = encoder.fit(raw).inverse_transform(encoder.transform(raw))
    assert back.node_columns["x"].values.shape == (5,)


def test_unit_norm_by_a_constant():
    raw = raw_graphs({"mark": [5.0] * 5}, {"w": [2.0] * 3})
    encoder = AttributeEncoder(unit_norm=True).fit(raw)
    back = encoder.inverse_transform(encoder.transform(raw))
    assert back.node_columns["mark"].to_list() == [5.0] * 5
    assert back.edge_columns["w"].to_list() == [2.0] * 3


def test_weight_zero_says_nothing():
    raw = raw_graphs({"x": X, "symbol": SYMBOL, "y": X})
    node = [
        Numeric("x", weight=0.0),
        OneHot("symbol", weight=0.0),
        Numeric("y", weight=0.0, numeric="line"),
    ]
    encoder = AttributeEncoder(node, presence=True).fit(raw)
    back = encoder.inverse_transform(encoder.transform(raw))
    assert back.node_columns["x"].to_list() == back.node_columns["y"].to_list() == [2.0] * 5
    assert set(back.node_columns["symbol"].to_list()) == {"C"}


def test_an_encoder_from_a_file_leads_back_too():
    encoder = AttributeEncoder().fit(raw_graphs({"x": X, "symbol": SYMBOL}))
    again = AttributeEncoder.from_json(json.loads(json.dumps(encoder.to_json())))
    vectors = encoder.transform(raw_graphs({"x": X, "symbol": SYMBOL}))
    assert again.inverse_transform(vectors) == encoder.inverse_transform(vectors)


def test_letters():
    letters = gq.datasets.make_letters(2)
    back = letters.encoder.inverse_transform(letters.graphs)
    for name, column in letters.raw.node_columns.items():
        np.testing.assert_allclose(back.node_columns[name].values, column.values, atol=1e-10)
    codebook = gq.GraphQuantizer(3, random_state=0, max_cycles=1).fit(letters.graphs).codebook_
    means = letters.encoder.inverse_transform(codebook)
    assert "graphquant.residual" in means.node_columns


def test_other_channels_are_refused():
    encoder = AttributeEncoder().fit(raw_graphs({"x": X}))
    with pytest.raises(EncodingError, match="The nodes have 1 channels, those of this encoder have 4"):
        encoder.inverse_transform([gq.Graph([1.0])])
