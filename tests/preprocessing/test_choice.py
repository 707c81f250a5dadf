"""The automatic choice: numbers, ordered levels, categories, and why."""

import math

import networkx as nx
import numpy as np
import pytest

from graphquant.graphs import Column, RawGraphs
from graphquant.preprocessing import AttributeEncoder

RNG = np.random.default_rng(0)


def fitted(name, values, **params):
    return AttributeEncoder(edge=[], **params).fit(
        RawGraphs([0, len(values)], [0, 0], [], {name: Column(values)}, {})
    )


@pytest.mark.parametrize(
    ("name", "values", "kind", "reason"),
    [
        ("charge", [0, 0, 0, 0, 1, -1], "curve", "3 distinct whole numbers from -1 to 1: ordered levels"),
        ("n_hydrogens", [0, 1, 2, 3] * 3, "curve", "4 distinct whole numbers from 0 to 3: ordered levels"),
        ("rating", [1, 2, 4, 5] * 3, "curve", "4 distinct whole numbers from 1 to 5: ordered levels"),
        ("atom", [6, 7, 8, 17] * 3, "one-hot", "4 distinct whole numbers with gaps: category"),
        ("atom", [0, 1, 4] * 3, "one-hot", "3 distinct whole numbers with gaps: category"),
        ("atom", [6, 7, 8] * 3, "one-hot", "3 distinct whole numbers, 6 to 8, far from zero: category"),
        ("label", [0, 1, 2, 3] * 3, "one-hot", "4 distinct whole numbers, named like a code: category"),
        ("atomic_number", [1, 2, 3] * 3, "one-hot", "3 distinct whole numbers, named like a code: category"),
        ("atomicNum", [1, 2, 3] * 3, "one-hot", "3 distinct whole numbers, named like a code: category"),
        ("type0", [1, 2, 3] * 3, "one-hot", "3 distinct whole numbers, named like a code: category"),
        ("class", list(range(40)) * 3, "one-hot", "40 distinct whole numbers, named like a code: category"),
        ("x", [0, 1, 5] * 3, "curve", "position"),
        ("width", list(range(40)) * 3, "curve", "number"),
        ("width", [0, 1, 2, 3], "curve", "number"),
        ("mass", [0.5, 1.5] * 6, "curve", "number"),
        ("prototype", [1.5, 2.5] * 6, "curve", "number"),
    ],
)
def test_kind_and_reason(name, values, kind, reason):
    encoder = fitted(name, [float(v) for v in values])
    assert encoder.to_json()["fitted"]["node"][0]["kind"] == kind
    assert encoder.reasons_["node"] == {name: reason}
    assert f"({reason})" in encoder.describe()


def test_missing_values_do_not_count():
    reasons = fitted("charge", [0, 1, np.nan, -1, 0, 0, 0], missing="zero").reasons_["node"]
    assert reasons["charge"].startswith("3 distinct")


@pytest.mark.parametrize("numeric", ["curve", "circle", "line"])
def test_who_names_a_kind_has_numbers(numeric):
    encoder = fitted("label", [0.0, 1.0, 2.0] * 3, numeric=numeric)
    kind = encoder.to_json()["fitted"]["node"][0]["kind"]
    assert kind == {"line": "numeric"}.get(numeric, numeric)
    assert encoder.reasons_["node"] == {}


def test_a_plain_name_is_chosen_for_as_well():
    encoder = fitted("code", [6.0, 7.0, 8.0] * 3, node=["code"])
    assert encoder.node_channels_ == ("code=6", "code=7", "code=8", "code=other")


def test_levels_lie_evenly_whatever_their_frequency():
    values = [0.0] * 100 + [1.0, 2.0]
    encoder = fitted("charge", values)
    (part,) = encoder.to_json()["fitted"]["node"]
    assert part["center"] == 1.0
    assert part["scale"] == pytest.approx(np.sqrt(8 / 12))


def test_columns_of_the_way_back_are_left_out():
    raw = RawGraphs(
        [0, 2], [0, 0], [], {"x": Column([0.5, 1.0]), "graphquant.residual": Column([0.1, 0.2])}, {}
    )
    encoder = AttributeEncoder().fit(raw)
    assert encoder.left_out_["node"] == {
        "graphquant.residual": "written by inverse_transform, says what was lost"
    }
    assert "cos x" in encoder.node_channels_


def test_a_few_values_that_outweigh_all_others_are_told():
    """Angles are radians of lines, but degrees of an arc: the divisor is that of the lines."""
    network = nx.path_graph(202)
    for i, (start, end) in enumerate(network.edges):
        network.edges[start, end]["angle"] = math.sin(i)
    assert AttributeEncoder().fit([network]).reasons_["edge"] == {"angle": "number"}
    network.edges[100, 101]["angle"] = 250.0
    told = AttributeEncoder().fit([network]).reasons_["edge"]["angle"]
    assert told.startswith("number; goes up to ")
    assert told.endswith(" times that: a few such values decide distances")
    # Who divides by nothing has no divisor that it could be compared with.
    assert AttributeEncoder(scale=None).fit([network]).reasons_["edge"] == {"angle": "number"}
