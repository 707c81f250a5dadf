"""Runs of the learner that can be watched: all winners, all codebooks."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np

from graphquant.initialisation import initialise
from graphquant.learning.codes import CodeSpace
from graphquant.learning.driver import Run
from graphquant.learning.in_memory import InMemory
from graphquant.learning.plan import Plan
from graphquant.learning.rates import cycle_rates
from graphquant.matching import get_matcher


@dataclass
class Trace:
    """What a run did, one entry a cycle.

    A graph is presented once in a cycle, and the order of presentations is that of the seed: the winners by
    graph and cycle are the complete winner sequence.
    """

    winners: list = field(default_factory=list)
    nodes: list = field(default_factory=list)
    pairs: list = field(default_factory=list)

    def add(self, run):
        self.winners.append(run.training.learner.label.copy())
        self.nodes.append(run.codes.nodes.copy())
        self.pairs.append(run.codes.pairs.copy())


def new_start(X, n_codes, *, matcher="auto", init="k-means++", order=None, seed=0):
    """First code graphs, which several runs may share."""
    solver = get_matcher(matcher)
    return initialise(init, X, n_codes, matcher=solver, order=order, random_state=seed, n_jobs=1)


def new_run(
    X, n_codes, algorithm, *, matcher="auto", init="k-means++", order=None, seed=0, start=None, **plan
):
    """A run ready to learn, with the start and the presentations of the seed."""
    if start is None:
        start = new_start(X, n_codes, matcher=matcher, init=init, order=order, seed=seed)
    checked = Plan(algorithm=algorithm, **plan)
    space = CodeSpace.of(X, start.graphs, order)
    takes_bounds = checked.uses_first_bounds and not checked.n_groups
    lower = start.lower.copy() if takes_bounds else None
    training = InMemory(X, space, n_codes, get_matcher(matcher), checked, lower=lower)
    return Run(training, space, space.place(start.graphs), checked, np.random.default_rng(seed))


def watch(X, n_codes, algorithm, **options):
    """Learn to the end: the run and its trace."""
    run, trace = new_run(X, n_codes, algorithm, **options), Trace()
    run.learn(trace.add)
    return run, trace


def state_of(run):
    """The arrays of the learner, by name; they change as it learns."""
    return SimpleNamespace(**run.training.learner.core.arrays)


def movement(run):
    """How far each code graph is from each of its snapshots, from the definition."""
    S, k = state_of(run), len(run.codes)
    nodes = ((S.code_nodes.reshape(k, 1, -1) - S.drift_nodes) ** 2).sum(axis=2)
    pairs = ((S.code_pairs.reshape(k, 1, -1) - S.drift_pairs) ** 2).sum(axis=2)
    return np.sqrt(nodes + 0.5 * run.space.pair_weight * pairs)


def step_by_step(run, stride=1):
    """Learn, and yield after so many presentations which graph was the last; cycles end as usual."""
    learner, n_graphs = run.training.learner, run.training.n_graphs
    learner.begin(run.codes)
    # What the driver does in a round; the run goes on from here.
    run.training._has_begun, run.codes = True, learner.codes
    for cycle in range(run.plan.max_cycles):
        before = learner.codes.copy()
        sequence = run.rng.permutation(n_graphs)
        rates = cycle_rates(run.plan.learning_rate, cycle, run.plan.max_cycles, n_graphs)
        for t in range(0, n_graphs, stride):
            part = slice(t, t + stride)
            learner.present(sequence[part], None if rates is None else rates[part])
            yield int(sequence[part][-1])
        learner.end_cycle(cycle, before)


def assert_same_run(found, expected):
    """Same winners at every presentation, same codebook after every cycle."""
    assert len(found.winners) == len(expected.winners)
    for cycle in range(len(expected.winners)):
        np.testing.assert_array_equal(found.winners[cycle], expected.winners[cycle], f"cycle {cycle}")
        for a, b in ((found.nodes, expected.nodes), (found.pairs, expected.pairs)):
            scale = np.abs(b[cycle]).max(initial=1e-300)
            np.testing.assert_allclose(
                a[cycle], b[cycle], rtol=1e-12, atol=1e-12 * scale, err_msg=f"cycle {cycle}"
            )
