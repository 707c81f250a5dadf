"""Learning rates and the history of a run."""

import json

import numpy as np
import pytest
from sklearn.base import clone

import graphquant as gq
from graphquant.io import FileContent, write_file
from graphquant.learning.rates import cycle_rates
from tests.learning.collections_of_graphs import collection


@pytest.fixture(scope="module")
def graphs():
    return collection("letters", 18, 2)


def fit(graphs, **changes):
    settings = {"max_cycles": 5, "init": "random", "random_state": 0} | changes
    return gq.GraphQuantizer(3, **settings).fit(graphs)


def all_rates(rate, n_cycles=4, n_graphs=5):
    return np.concatenate([cycle_rates(rate, cycle, n_cycles, n_graphs) for cycle in range(n_cycles)])


def test_linear_goes_from_a_tenth_to_a_thousandth():
    np.testing.assert_allclose(all_rates("linear"), np.linspace(0.1, 0.001, 20))


def test_a_pair_gives_other_ends():
    np.testing.assert_allclose(all_rates((0.5, 0.0)), np.linspace(0.5, 0.0, 20))


def test_a_number_is_constant():
    np.testing.assert_array_equal(all_rates(0.25), np.full(20, 0.25))


def test_the_harmonic_rate_is_left_to_the_wins():
    assert cycle_rates("harmonic", 0, 4, 5) is None


def test_one_presentation():
    np.testing.assert_array_equal(all_rates("linear", 1, 1), [0.1])


@pytest.mark.parametrize(("n_graphs", "n_cycles"), [(5, 20), (10, 10), (30, 5), (400, 5), (900, 3)])
def test_default_cycles_go_by_the_graphs_of_a_code(n_graphs, n_cycles, tmp_path):
    X = gq.as_collection([gq.Graph([float(number)]) for number in range(n_graphs)])
    q = gq.GraphQuantizer(1, init="random", random_state=0)
    assert q.fit(X).n_cycles_ == n_cycles
    write_file(FileContent(X), tmp_path / "points.parquet", row_group_size=n_graphs // 2 + 1)
    assert clone(q).fit(tmp_path / "points.parquet").n_cycles_ == n_cycles
    assert clone(q).set_params(max_cycles=4).fit(X).n_cycles_ == 4


def test_default_rate_of_a_stream_falls_over_20_portions():
    X = [gq.Graph([float(number)]) for number in range(900)]
    q = gq.GraphQuantizer(1, init="random", random_state=0)
    explicit = clone(q).set_params(max_cycles=20)
    for portion in range(3):
        q.partial_fit(X[portion::3])
        explicit.partial_fit(X[portion::3])
    assert q.codebook_ == explicit.codebook_


def test_callable_is_told_where_it_is():
    seen = []

    def rate(context):
        seen.append(context)
        return 0.5 / (1 + context.step)

    np.testing.assert_allclose(all_rates(rate), 0.5 / np.arange(1, 21))
    assert [context.step for context in seen] == list(range(20))
    assert [context.cycle for context in seen] == np.repeat(np.arange(4), 5).tolist()
    assert {(context.n_cycles, context.n_steps) for context in seen} == {(4, 20)}
    assert isinstance(seen[0], gq.RateContext)


@pytest.mark.parametrize(
    ("rate", "same"),
    [
        ("linear", (0.1, 0.001)),
        ("linear", [0.1, 0.001]),
        (0.2, (0.2, 0.2)),
        (0.2, lambda context: 0.2),
        (1, 1.0),
    ],
)
def test_several_ways_to_say_the_same(rate, same, graphs):
    assert fit(graphs, learning_rate=rate).codebook_ == fit(graphs, learning_rate=same).codebook_


def test_rate_of_zero_learns_nothing(graphs):
    start = fit(graphs, max_cycles=0)
    still = fit(graphs, learning_rate=0.0)
    assert still.codebook_ == start.codebook_
    assert still.n_cycles_ == 1  # the codebook rests
    assert still.history_[0].shift == 0.0


def test_harmonic_rate_by_hand():
    """A code that has won n times is the mean of what it has won, the start forgotten."""
    points = [gq.Graph([value]) for value in (1.0, 2.0, 3.0, 101.0, 103.0)]
    q = gq.GraphQuantizer(
        2, init=[points[0], points[3]], learning_rate="harmonic", max_cycles=3, random_state=0
    ).fit(points)
    np.testing.assert_allclose([code.node_attrs.item() for code in q.codebook_], [2.0, 102.0])
    assert q.distortion_ == pytest.approx(2.0)


def test_tolerance_stops(graphs):
    q = fit(graphs, learning_rate=(0.5, 0.0), max_cycles=50, tol=0.5)
    assert q.n_cycles_ < 50
    assert q.history_[-1].shift <= 0.5
    assert all(cycle.shift > 0.5 for cycle in q.history_[:-1])


@pytest.mark.parametrize("algorithm", ["standard", "accelerated", "lossless", "fast"])
def test_history_says_what_happened(algorithm, graphs):
    q = fit(graphs, algorithm=algorithm)
    assert [cycle.cycle for cycle in q.history_] == [1, 2, 3, 4, 5]
    for cycle in q.history_:
        assert cycle.share == pytest.approx(cycle.n_matchings / (3 * len(graphs)))
        assert 0 <= cycle.n_proven <= cycle.n_matchings
        assert cycle.seconds > 0
        assert cycle.n_shift_matchings == (3 if algorithm == "accelerated" else 0)
        assert 0 <= cycle.n_idle < 3
    if algorithm == "standard":
        assert all(cycle.share == 1.0 and cycle.n_bounds == 0 for cycle in q.history_)
    assert q.history_.share == pytest.approx(q.n_matchings_ / (5 * 3 * len(graphs)))
    # Stored lifts and winners may be out of date: an upper bound.
    assert q.history_[-1].distortion >= q.distortion_ - 1e-9


def test_shift_is_the_movement_of_the_codebook(graphs):
    before, after = (fit(graphs, learning_rate=0.1, max_cycles=cycles) for cycles in (2, 3))
    moved = [
        gq.distance(a, b, order=after.order_) for a, b in zip(before.codebook_, after.codebook_, strict=True)
    ]
    assert max(moved) <= after.history_[-1].shift + 1e-9


def test_history_is_a_sequence(graphs):
    history = fit(graphs).history_
    assert len(history) == 5
    assert history[-1] is list(history)[4]
    assert isinstance(history[1:3], gq.History)
    assert [cycle.cycle for cycle in history[1:3]] == [2, 3]
    assert history == gq.History(list(history))
    assert history != history[:2]
    assert gq.History([]).share == 0.0
    assert repr(history).startswith("History(5 cycles, ")


def test_history_as_records_and_as_a_table(graphs):
    history = fit(graphs).history_
    records = history.to_records()
    assert json.loads(json.dumps(records)) == records
    frame = pytest.importorskip("pandas") and history.to_pandas()
    assert list(frame.columns) == list(records[0])
    assert len(frame) == 5


def test_progress_is_shown_on_stderr_only(graphs, capsys):
    fit(graphs, progress=True)
    assert capsys.readouterr().out == ""
