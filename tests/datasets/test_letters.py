"""make_letters: the size of the real letters, other drawings."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.datasets import make_letters
from graphquant.exceptions import InvalidParameterError
from graphquant.io import read_file

LETTERS = tuple("AEFHIKLMNTVWXYZ")
LEVELS = ("low", "med", "high")


@pytest.fixture(scope="module", params=LEVELS)
def letters(request):
    return make_letters(distortion=request.param)


def test_form(letters):
    assert len(letters) == 750
    assert letters.target_names == LETTERS
    np.testing.assert_array_equal(letters.targets, np.repeat(np.arange(15), 50))
    assert letters.names[:2] == ("A0000", "A0001")
    assert letters.names[-1] == "Z0049"
    assert letters.encoder.node_channels_ == tuple(
        f"{wave} {axis}" for axis in "xy" for wave in ("cos", "sin", "cos2", "sin2")
    )
    assert letters.encoder.edge_channels_ == ("presence",)
    assert letters.graphs == letters.encoder.transform(letters.raw)


@pytest.mark.parametrize("seed", range(5))
def test_750_low_graphs_look_like_the_real_set(seed):
    graphs = make_letters(random_state=seed).graphs
    assert abs(graphs.orders.mean() - 4.7) < 0.5
    assert abs(graphs.n_edges.mean() - 3.1) < 0.5
    assert graphs.max_order <= 9


def test_sizes_stay_in_range_at_all_levels(letters):
    assert letters.graphs.orders.min() >= 1
    assert letters.graphs.max_order <= 9


@pytest.mark.parametrize("level", ["low", "med"])
def test_against_the_iam_letters(iam_path, level):
    content = read_file(iam_path / "Letter.zip", split=f"{level.upper()}/test")
    real, drawn = content.graphs, make_letters(distortion=level)
    classes = np.array(content.targets)
    for letter in LETTERS:
        mine = drawn.raw[drawn.targets == LETTERS.index(letter)]
        theirs = real[classes == letter]
        assert abs(mine.orders.mean() - theirs.orders.mean()) < 0.6, letter
        assert abs(mine.n_edges.mean() - theirs.n_edges.mean()) < 0.6, letter
    for axis in ("x", "y"):
        mine, theirs = drawn.raw.node_columns[axis].values, real.node_columns[axis].values
        assert abs(mine.mean() - theirs.mean()) < 0.3
        assert abs(mine.std() - theirs.std()) < 0.15


def test_levels_distort_more_and_more():
    jitter = []
    for level in LEVELS:
        letters = make_letters(200, level)
        drawn = letters.raw[letters.targets == LETTERS.index("I")]
        whole = drawn[(drawn.orders == 2) & (drawn.n_edges == 1)]
        # The I stands upright, so the spread of x is the jitter alone.
        jitter.append(whole.node_columns["x"].values.std())
    assert jitter == sorted(jitter)
    assert jitter[0] < 0.1 < jitter[1] < 0.3 < jitter[2]


def test_every_distortion_happens():
    raw = make_letters(200, "high").raw[200:400]  # the letter E: 6 nodes, 4 edges
    orders, n_edges = raw.orders, raw.n_edges
    assert orders.min() < 6 < orders.max()
    assert n_edges.min() < 4 < n_edges.max()
    whole = orders == 6
    assert (n_edges[whole] < 4).any()
    assert (n_edges[whole] > 4).any()


def test_reproducible_by_seed():
    assert make_letters(3).raw == make_letters(3, random_state=0).raw
    assert make_letters(3).raw != make_letters(3, random_state=1).raw
    generator = np.random.default_rng(0)
    assert make_letters(3, random_state=generator).raw != make_letters(3, random_state=generator).raw


def test_many_names_have_enough_digits():
    assert make_letters(10_001).names[10_000] == "A10000"


def test_bytes_of_a_packed_letter():
    graphs = make_letters(100).graphs
    assert graphs.nbytes / len(graphs) < 400


def test_one_of_each():
    assert len(gq.datasets.make_letters(1)) == 15


def test_errors():
    with pytest.raises(InvalidParameterError, match=r"Unknown distortion 'hgih'.*Did you mean 'high'"):
        make_letters(distortion="hgih")
    with pytest.raises(InvalidParameterError, match="n_per_class=0"):
        make_letters(0)
