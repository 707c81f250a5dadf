"""The stop flag, forks and matchers of the user's own that raise."""

import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest

import graphquant as gq
from graphquant._core.calls import CallbackError, StopFlag, Stopped, check_status
from graphquant._core.structs import MATCH_FUNCTION, Callback, MatcherOptions
from tests.core import native
from tests.reference.random_graphs import KINDS


def random_graphs(n_graphs, order, density=0.3, seed=0):
    """Undirected graphs of one order."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(n_graphs):
        start, end = np.triu_indices(order, 1)
        chosen = rng.random(len(start)) < density
        edges = np.column_stack([start[chosen], end[chosen]])
        made.append(gq.Graph(rng.normal(size=(order, 1)), edges, rng.normal(size=(len(edges), 1))))
    return gq.GraphCollection(made)


def seconds_to_stop(work):
    """Run something in a thread, stop it after a moment; return the processor time that it went on for.

    Processor time because other programs may keep the thread from running at all.
    """
    stop, ended = StopFlag(), []

    def run():
        try:
            work(stop)
        except Stopped:
            ended.append(time.process_time())

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.3)
    assert thread.is_alive(), "the work was over before it could be stopped"
    began = time.process_time()
    stop.set()
    thread.join(timeout=120)
    assert ended, "the work was not stopped"
    return ended[0] - began


# ---- stopping ----


@pytest.mark.timed
@pytest.mark.parametrize("name", native.MATCHERS)
def test_a_pair_of_2000_nodes_stops_within_a_second(name):
    graphs = random_graphs(2, 2000, density=0.003)
    assert seconds_to_stop(lambda stop: native.match(graphs, [(0, 1)], native.matcher(name), stop=stop)) < 1.0


@pytest.mark.timed
def test_a_long_search_stops_at_once():
    graphs = random_graphs(2, 30, density=0.5)
    options = native.matcher("exact")
    assert seconds_to_stop(lambda stop: native.match(graphs, [(0, 1)], options, stop=stop)) < 0.3


@pytest.mark.timed
@pytest.mark.parametrize("algorithm", native.ALGORITHMS)
def test_learning_stops_within_a_second(algorithm):
    graphs = random_graphs(300, 25)
    made = native.learner(graphs, 20, native.matcher(node_limit=2000), keeps_certificates=True)
    assert (
        seconds_to_stop(lambda stop: native.run(made, algorithm, len(graphs), n_cycles=50, stop=stop)) < 1.0
    )


def test_a_flag_that_is_set_stops_before_anything_is_done():
    stop = StopFlag()
    assert not stop.is_set()
    stop.set()
    assert stop.is_set()
    graphs = random_graphs(4, 6)
    with pytest.raises(Stopped):
        native.match(graphs, [(0, 1)], native.matcher(), stop=stop)
    made = native.learner(graphs, 2)
    with pytest.raises(Stopped):
        made.present("standard", np.arange(4), None, stop)
    assert (made.arrays["label"] == -1).all()


@pytest.mark.parametrize("algorithm", ["lossless", "fast"])
def test_a_run_that_was_stopped_goes_on_without_loss(algorithm):
    graphs = random_graphs(60, 9)
    straight, stopped = (native.learner(graphs, 5, keeps_certificates=True) for _ in range(2))
    order = np.tile(np.arange(60), 4)
    rates = np.full(len(order), 0.1)
    straight.present(algorithm, order, rates, StopFlag())
    done, patience = 0, 0.002
    while done < len(order):
        stop = StopFlag()
        timer = threading.Timer(patience, stop.set)
        timer.start()
        wins = stopped.arrays["wins"].sum()
        try:
            stopped.present(algorithm, order[done:], rates[done:], stop)
        except Stopped:
            pass
        finally:
            timer.cancel()
        # Of a presentation that was cut short nothing is kept.
        n_presented = int(stopped.arrays["wins"].sum() - wins)
        done += n_presented
        # On a slow machine no presentation may end in time.
        patience *= 1.0 if n_presented else 2.0
    if algorithm == "lossless":
        # "fast" may have lost bounds, and with them the alignments that it would have gone on with.
        assert np.array_equal(straight.arrays["code_nodes"], stopped.arrays["code_nodes"])
        assert np.array_equal(straight.arrays["code_pairs"], stopped.arrays["code_pairs"])
    assert np.isfinite(stopped.arrays["lower"]).all()
    assert np.isfinite(stopped.arrays["second_lower"]).all()


def test_status_codes_become_exceptions():
    check_status(0)
    for status, error in ((1, Stopped), (2, CallbackError), (3, MemoryError)):
        with pytest.raises(error):
            check_status(status)


# ---- forks ----


def match_in_child(graphs, expected):
    """End with 0 if the core works here."""
    found = native.match(graphs, [(0, 1), (1, 2)], native.matcher("exact"))
    os._exit(0 if np.array_equal(found.sq_distance, expected) else 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.timed
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_children_forked_beside_a_working_thread_do_not_hang():
    graphs = random_graphs(3, 8)
    expected = native.match(graphs, [(0, 1), (1, 2)], native.matcher("exact")).sq_distance
    stop, long_pair = StopFlag(), random_graphs(2, 30, density=0.5)

    def work():
        with pytest.raises(Stopped):
            native.match(long_pair, [(0, 1)], native.matcher(), stop=stop)

    thread = threading.Thread(target=work)
    thread.start()
    children = []
    try:
        context = multiprocessing.get_context("fork")
        for _ in range(60):
            child = context.Process(target=match_in_child, args=(graphs, expected))
            child.start()
            children.append(child)
        deadline = time.monotonic() + 60
        for child in children:
            child.join(timeout=max(deadline - time.monotonic(), 0.0))
        assert [child.exitcode for child in children] == [0] * 60
    finally:
        stop.set()
        thread.join()
        for child in children:
            if child.is_alive():
                os.kill(child.pid, signal.SIGKILL)


# ---- matchers of the user's own ----


class OwnMatcher:
    """Node r on position r; fails when it is called for the n-th time."""

    def __init__(self, graphs, fails_at):
        self.orders, self.fails_at, self.n_calls, self.error = graphs.orders, fails_at, 0, None
        # Kept alive: the core only knows its address.
        self.function = MATCH_FUNCTION(self.match)
        self.options = native.matcher()
        self.options.kind = MatcherOptions.CALLBACK
        self.options.callback = Callback(self.function, None)

    def match(self, context, i, j, mapping):
        try:
            self.n_calls += 1
            if self.n_calls == self.fails_at:
                raise ZeroDivisionError("of the user")
            for r in range(self.orders[i]):
                mapping[r] = r
        except ZeroDivisionError as error:
            self.error = error
            return 1
        return 0


def test_a_matcher_that_raises_ends_the_call():
    graphs = random_graphs(4, 5)
    own = OwnMatcher(graphs, fails_at=3)
    with pytest.raises(CallbackError):
        native.match(graphs, [(0, 1), (1, 2), (2, 3), (3, 0)], own.options)
    assert own.n_calls == 3
    assert isinstance(own.error, ZeroDivisionError)


@pytest.mark.parametrize("algorithm", native.ALGORITHMS)
def test_a_matcher_that_raises_ends_learning_and_it_can_go_on(algorithm):
    graphs = random_graphs(6, 5)
    own = OwnMatcher(graphs, fails_at=4)
    made = native.learner(graphs, 2, own.options)
    with pytest.raises(CallbackError):
        made.present(algorithm, np.arange(6), None, StopFlag())
    assert own.n_calls == 4
    made.present(algorithm, np.arange(6), None, StopFlag())
    assert (made.arrays["label"] >= 0).all()


def test_a_matcher_of_the_users_own_is_evaluated_and_bounded():
    graphs = KINDS["vector-edges"].collection(np.random.default_rng(2), 4, 5, 5)
    found = native.match(graphs, [(0, 1), (2, 3)], OwnMatcher(graphs, fails_at=-1).options)
    best = native.match(graphs, [(0, 1), (2, 3)], native.matcher())
    assert (found.mapping == np.arange(5)).all()
    assert (found.sq_distance >= best.sq_distance - 1e-9).all()
    assert (found.sq_lower <= best.sq_distance + 1e-9).all()
