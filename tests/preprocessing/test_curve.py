"""Numbers keep their order: the rule, over many random columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphquant.graphs import Column, RawGraphs
from graphquant.preprocessing import AttributeEncoder, Numeric, from_curve
from graphquant.preprocessing._curve import to_curve

ROUNDING = 1e-12


def encoded(values, given=None, **params):
    """Vectors of a single node attribute; fitted on ``values``, also of other values."""
    encoder = AttributeEncoder(edge=[], **params).fit(raw(values))
    return encoder.encode(raw(values if given is None else given)).graphs.packed().node_attrs


def raw(values):
    return RawGraphs([0, len(values)], [0, 0], [], {"value": Column(values)}, {})


def distances(points):
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def assert_order_is_kept(points):
    """Rows are of increasing numbers: c is as far from a as from b, and as b is from a, or farther."""
    d = distances(points)
    for a in range(len(d)):
        assert (np.diff(d[a, a:]) >= -ROUNDING).all(), "b to c is nearer to a than b is"
        assert (np.diff(d[a, : a + 1]) <= ROUNDING).all()


numbers = st.one_of(st.floats(-1e3, 1e3), st.integers(-5, 5).map(float), st.floats(-1e9, 1e9))


@given(st.lists(numbers, min_size=2, max_size=40), st.lists(numbers, max_size=10))
@pytest.mark.property
def test_order_is_kept_in_any_column(values, new):
    ordered = np.sort([*values, *new])
    for spec in ("value", Numeric("value")):
        points = encoded(values, ordered, node=[spec])
        if points.shape[1] == 4:
            assert_order_is_kept(points)
            np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1.0, rtol=1e-12)


@given(st.lists(st.integers(0, 999), min_size=3, max_size=30, unique=True), st.floats(1e-3, 1e6))
@pytest.mark.property
def test_units_do_not_matter(values, size):
    values = np.array(values) / 7.0
    own, other = encoded(values, node=[Numeric("value")]), encoded(values * size, node=[Numeric("value")])
    np.testing.assert_allclose(distances(own), distances(other), atol=1e-6)


def test_the_curve_never_wraps():
    points = to_curve(np.linspace(-50.0, 50.0, 2001))
    assert_order_is_kept(points)
    assert distances(points)[0, -1] == pytest.approx(np.sqrt(2 * (1 + 0.659)), abs=1e-3)
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1.0, rtol=1e-14)


def test_the_circle_wraps_which_is_why_it_is_no_default():
    u = np.linspace(-3.0, 3.0, 50)
    d = distances(encoded(u, numeric="circle"))
    assert d[0, 40] > d[0, -1]


def test_charges_are_apart():
    charges = [0.0] * 200 + [1.0, 1.0, -1.0]
    d = distances(encoded(charges)[[202, 0, 200]])
    assert d[0, 1] > 0.5
    assert d[1, 2] > 0.5
    assert d[0, 2] >= max(d[0, 1], d[1, 2])


def test_counts_are_in_order():
    counts = np.repeat([0.0, 1.0, 2.0, 3.0, 4.0], [50, 30, 10, 3, 2])
    points = encoded(counts)[np.cumsum([0, 50, 30, 10, 3])]
    assert_order_is_kept(points)
    assert distances(points)[np.triu_indices(5, 1)].min() > 0.3


def test_one_outlier_does_not_squash_the_others():
    values = np.append(np.linspace(1.0, 2.0, 50), 1e6)
    d = distances(encoded(values))
    assert d[0, 49] > 1.0, "the others stay apart"
    assert d[0, 50] > d[0, 49]
    assert_order_is_kept(encoded(values))


def test_a_rare_value_far_off_among_equal_ones_is_apart():
    values = [0.0] * 30 + [0.5, 1e6]
    d = distances(encoded(values)[[0, 30, 31]])
    assert d[0, 1] > 0
    assert d[0, 2] > 0.5


def test_a_column_that_hardly_varies_is_not_blown_up():
    noise = 1e6 + 1e-4 * np.random.default_rng(0).random(20)
    points = encoded(noise)
    assert distances(points).max() < 1e-6
    assert abs(points).min() > 0, "it still shows that a node is there"


def test_way_back():
    units = np.array([-20.0, -2.0, -0.7, 0.0, 0.25, 1.0, 2.0, 20.0])
    np.testing.assert_allclose(from_curve(0.3 * to_curve(units)), units, rtol=1e-4)
    np.testing.assert_allclose(from_curve(0.3 * to_curve(units[1:-1])), units[1:-1], atol=1e-12)


@given(st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4))
def test_the_way_back_is_the_nearest_point(vector):
    vector = np.array([vector])
    found = to_curve(from_curve(vector))
    others = to_curve(np.linspace(-30.0, 30.0, 2000))
    best = (others @ vector[0]).max()
    assert (found @ vector[0])[0] >= best - 1e-6
