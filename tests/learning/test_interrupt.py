"""Ctrl-C ends a fit cleanly, and errors of a matcher of the user's own come through."""

import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

import graphquant as gq
from graphquant._core.calls import StopFlag, Stopped
from graphquant.exceptions import InvalidGraphError
from graphquant.io import FileContent, write_file
from graphquant.learning import fitting
from graphquant.learning.plan import ALGORITHMS
from tests.interrupting import interrupted, needs_signals
from tests.learning.collections_of_graphs import collection
from tests.learning.watched_runs import new_run, step_by_step

FIT = """
import warnings
import numpy as np
import graphquant as gq
from graphquant.learning import driver

driver.SECONDS_TO_FINISH = 60.0  # on a busy machine a moment may be too short for anything
graphs = {graphs}
settings = dict(init="random", random_state=0, n_jobs=2, {settings})
gq.GraphQuantizer(3, **settings | dict(max_cycles=1)).fit(graphs)  # import everything first
print("begun", flush=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    q = gq.GraphQuantizer(3, max_cycles=10**7, **settings).fit(graphs)
said = [str(w.message) for w in caught if w.category.__name__ == "GraphQuantWarning"]
assert any(text.startswith("Interrupted after") for text in said), said
assert np.array_equal(q.predict(graphs), q.labels_)
assert q.distortion_ > 0
print("usable", flush=True)
"""
LETTERS = "gq.datasets.make_letters(4, random_state=0).graphs"


def check_usable(program):
    ended = interrupted(program)
    assert ended.out == "usable\n", ended.errors
    assert ended.returncode == 0


@needs_signals
@pytest.mark.parametrize(
    "settings", ['algorithm="lossless"', "batch_size=8", "n_init=3"], ids=["one run", "batches", "runs"]
)
def test_interrupt_leaves_a_usable_codebook(settings):
    check_usable(FIT.format(graphs=LETTERS, settings=settings))


@needs_signals
def test_interrupt_of_partitions_leaves_a_usable_codebook(tmp_path):
    path = tmp_path / "letters.parquet"
    write_file(FileContent(collection("letters", 30, 0)), path, row_group_size=10)
    check_usable(FIT.format(graphs=repr(str(path)), settings=""))


# The system may hand a signal to any thread: here to the one that works.
ELSEWHERE = """
import signal
import threading
import time
from graphquant._threads import run_to_a_stop

noticed = threading.Event()

def work():
    time.sleep(0.5)  # until the main thread waits
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)
    print("noticed" if noticed.wait(30.0) else "slept on")

run_to_a_stop(work, noticed.set)
"""


@needs_signals
def test_interrupt_that_another_thread_receives():
    ended = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=True)
    assert ended.stdout == "noticed\n"


@pytest.mark.parametrize(("algorithm", "n_groups"), [(name, 0) for name in ALGORITHMS] + [("lossless", 2)])
def test_matching_that_was_cut_short_proves_nothing(algorithm, n_groups):
    """The interrupt may come at any moment: here within each presentation, before its first matching."""
    X = collection("letters", 30, 0)
    run = new_run(X, 5, algorithm, init="random", max_cycles=2, learning_rate=0.3, n_groups=n_groups)
    core, stopped = run.training.learner.core, StopFlag()
    stopped.set()
    for presented in step_by_step(run):
        with pytest.raises(Stopped):
            core.classify(0, algorithm, np.array([(presented + 1) % len(X)]), stopped)
    found = run.encode()
    distances = gq.pairwise_distances(X, run.codebook(), order=run.space.order)
    np.testing.assert_array_equal(found.label, distances.argmin(axis=1))


SLOW = """
import time
import numpy as np
import graphquant as gq

class Slow:
    def match(self, x, y, order):
        time.sleep(0.02)
        return np.arange(x.order)

graphs = gq.datasets.make_letters(20, random_state=0).graphs
gq.GraphQuantizer(2, init="random", max_cycles=1).fit(graphs[:5])  # import everything first
print("begun", flush=True)
try:
    gq.GraphQuantizer(9, matcher=Slow(), init="random").fit(graphs)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@needs_signals
def test_interrupt_before_all_graphs_were_presented_ends_quickly():
    """A cycle takes a minute, and so would finding all winners."""
    ended = interrupted(SLOW)
    assert ended.out == "interrupted\n", ended.errors
    assert ended.seconds < 45.0


class InOrder:
    """Node i on position i."""

    def match(self, x, y, order):
        return np.arange(x.order)


class Failing(InOrder):
    """Fails after a number of calls."""

    def __init__(self, calls):
        self.calls = calls

    def match(self, x, y, order):
        self.calls -= 1
        if self.calls < 0:
            raise RuntimeError("the matcher has had enough")
        return super().match(x, y, order)


class Stuck(InOrder):
    """Needs forever once it is told so, but for some calls and until it is interrupted."""

    def __init__(self):
        self.calls, self.learner = np.inf, None

    def match(self, x, y, order):
        self.calls -= 1
        if self.calls < 0:
            assert self.learner is not None
            while not self.learner._stop.is_set():
                time.sleep(0.001)
        return super().match(x, y, order)


def test_interrupted_run_does_not_wait_for_all_winners():
    """Winners that are not found in a moment are those of the last presentation; all distances are true."""
    X, matcher = collection("letters", 20, 0), Stuck()
    run = new_run(X, 4, "standard", matcher=matcher, init="random", max_cycles=1, learning_rate=0.3)
    matcher.learner = learner = run.training.learner
    run.learn()
    presented = learner.label.copy()
    run.interrupt()
    matcher.calls = 30
    found = run.encode()
    assert not found.is_complete
    final = gq.pairwise_distances(X, run.codebook(), matcher=InOrder(), order=run.space.order)
    done = found.lower_bound > 0.0
    assert 0 < done.sum() < len(X)
    np.testing.assert_array_equal(found.label, np.where(done, final.argmin(axis=1), presented))
    np.testing.assert_allclose(found.distance, final[np.arange(len(X)), found.label], atol=1e-7)
    assert not found.proven[~done & (found.distance > 1e-6)].any()
    # Later there is time.
    matcher.calls, run.interrupted = np.inf, False
    complete = run.encode()
    assert complete.is_complete
    np.testing.assert_array_equal(complete.label, final.argmin(axis=1))


class Wrong(InOrder):
    """Puts all nodes on one position."""

    def match(self, x, y, order):
        return np.zeros(x.order, dtype=int)


@pytest.fixture(scope="module")
def graphs():
    return collection("letters", 12, 1)


@pytest.mark.parametrize("batch_size", [1, 4])
def test_error_of_a_matcher_surfaces(graphs, batch_size):
    for calls in (0, 5, 40):
        q = gq.GraphQuantizer(3, matcher=Failing(calls), init="random", batch_size=batch_size, n_jobs=2)
        with pytest.raises(RuntimeError, match="the matcher has had enough"):
            q.fit(graphs)
        assert not hasattr(q, "codebook_")


def test_wrong_mapping_of_a_matcher_is_an_error(graphs):
    with pytest.raises(InvalidGraphError, match=r"Wrong\.match"):
        gq.GraphQuantizer(3, matcher=Wrong(), init="random", random_state=0).fit(graphs)


def test_error_at_prediction_surfaces(graphs):
    q = gq.GraphQuantizer(3, matcher=InOrder(), init="random", max_cycles=1, random_state=0).fit(graphs)
    q.set_params(matcher=Failing(3))
    for method in (q.predict, q.transform):
        with pytest.raises(RuntimeError, match="the matcher has had enough"):
            method(graphs)


def test_matcher_of_the_users_own(graphs):
    """Lossless is standard with it too, and it is told the order of the space."""
    fits = [
        gq.GraphQuantizer(
            3, algorithm=name, matcher=InOrder(), init="random", max_cycles=3, random_state=0
        ).fit(graphs)
        for name in ("standard", "lossless")
    ]
    assert fits[0].codebook_ == fits[1].codebook_
    np.testing.assert_array_equal(fits[0].labels_, fits[1].labels_)
    assert fits[1].n_matchings_ <= fits[0].n_matchings_


class Interrupted:
    """A fit that chooses its start until it is interrupted, or learns until then."""

    def __init__(self, outcome=None):
        self.outcome, self.ending, self.was_done = outcome, threading.Event(), False

    def interrupt(self):
        self.ending.set()

    def work(self):
        assert self.ending.wait(30.0)
        if self.outcome is None:
            raise KeyboardInterrupt
        self.was_done = True
        return self.outcome


def interrupt_all(fits, monkeypatch):
    def ctrl_c(tasks):
        raise KeyboardInterrupt

    monkeypatch.setattr(fitting, "wait_awake", ctrl_c)
    return fitting.fit_all(fits, 2)


def test_interrupted_fits_that_have_learnt_are_kept(monkeypatch):
    assert interrupt_all([Interrupted(), Interrupted("codebook")], monkeypatch) == ["codebook"]


def test_interrupt_while_all_fits_choose_their_start(monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        interrupt_all([Interrupted(), Interrupted()], monkeypatch)


def test_interrupt_of_one_fit_leaves_out_those_after_it():
    outcome = SimpleNamespace(run=SimpleNamespace(interrupted=True))
    fits = [Interrupted(outcome), Interrupted(outcome)]
    fits[0].interrupt()
    assert fitting.fit_all(fits, 1) == [outcome]
    assert not fits[1].was_done
