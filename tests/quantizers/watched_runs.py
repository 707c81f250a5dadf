"""Runs of the learner that can be watched: all winners, all codebooks."""

from dataclasses import dataclass, field

import numpy as np

from graphquant.initialisation import initialise
from graphquant.matching import get_matcher
from graphquant.quantizers._rates import cycle_rates
from graphquant.quantizers._state import State
from graphquant.quantizers.competitive import Plan, Run


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
        self.winners.append(run.state.learner.label.copy())
        self.nodes.append(run.state.learner.codes.nodes.copy())
        self.pairs.append(run.state.learner.codes.pairs.copy())


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
    state = State(
        X,
        start.graphs,
        order,
        theta=checked.theta,
        certifies=checked.certifies,
        n_families=checked.n_families,
    )
    if checked.uses_first_bounds and not checked.n_families:
        state.learner.lower[:] = start.lower
    return Run(state, get_matcher(matcher), checked, np.random.default_rng(seed))


def watch(X, n_codes, algorithm, **options):
    """Learn to the end: the run and its trace."""
    run, trace = new_run(X, n_codes, algorithm, **options), Trace()
    run.learn(trace.add)
    return run, trace


def step_by_step(run):
    """Learn, and yield after each presentation which graph it was; cycles end as the driver ends them."""
    [worker] = run.workers
    n_graphs = len(run.state.X)
    for cycle in range(run.plan.max_cycles):
        sequence = run.rng.permutation(n_graphs)
        rates = cycle_rates(run.plan.learning_rate, cycle, run.plan.max_cycles, n_graphs)
        codebook = None if run.algorithm.drifts else run.state.codebook()
        for t in range(n_graphs):
            run._classifier(worker.services, run.state.record, worker.record, sequence, rates, t, t + 1, True)
            yield int(sequence[t])
        run._end_cycle(cycle, codebook)


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
