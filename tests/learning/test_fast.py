"""What "fast" relaxes, and what it does not: winners are right, alignments may lag by a stated share."""

import numpy as np
import pytest

import graphquant as gq
from tests.learning.collections_of_graphs import collection
from tests.learning.watched_runs import new_run, state_of, step_by_step
from tests.reference.random_graphs import KINDS

TOLERANCE = 1e-9
# By which share of the distance an alignment may lag, as the documentation says.
SLACK = 0.25


def presentations(run):
    """Yield for each presentation its distances to all code graphs, the winner, and |x_a - y| to it."""
    X, order = run.training.learner.X, run.space.space.match_order
    S, codebook = state_of(run), run.codebook()
    for i in step_by_step(run):
        distances = gq.pairwise_distances(X[[i]], codebook, matcher="exact", order=order, n_jobs=1)[0]
        yield distances, int(S.label[i]), float(np.sqrt(S.presented_sq[i]))
        codebook = run.codebook()


def cases():
    yield collection("letters", 20, 0)
    yield collection("noise", 14, 1)
    for name in ("ties", "directed", "vector-edges", "grouped"):
        yield KINDS[name].collection(np.random.default_rng(3), 14, 1, 4)


@pytest.mark.parametrize("rate", ["linear", "harmonic", 0.5])
@pytest.mark.parametrize("algorithm", ["standard", "lossless", "fast"])
def test_winners_are_nearest_code_graphs(algorithm, rate):
    for seed, X in enumerate(cases()):
        run = new_run(X, 3, algorithm, matcher="exact", learning_rate=rate, max_cycles=3, seed=seed)
        slack = SLACK if algorithm == "fast" else 0.0
        for distances, winner, lifted in presentations(run):
            assert distances[winner] <= distances.min() + TOLERANCE
            assert (1.0 - slack) * lifted <= distances[winner] + 1e-6


@pytest.mark.parametrize("name", ["letters", "blobs", "noise"])
def test_fewest_matchings_at_no_loss_of_quality(name):
    distortion = {"standard": [], "fast": []}
    n_matchings = {"lossless": 0, "fast": 0}
    for seed in range(5):
        X = collection(name, 30, seed)
        for algorithm in ("standard", "lossless", "fast"):
            options = {"max_cycles": 15, "init": "random", "random_state": seed, "n_jobs": 1}
            q = gq.GraphQuantizer(4, algorithm=algorithm, **options).fit(X)
            if algorithm in distortion:
                distortion[algorithm].append(q.distortion_)
            if algorithm in n_matchings:
                n_matchings[algorithm] += q.n_matchings_
    assert n_matchings["fast"] < n_matchings["lossless"]
    standard = np.array(distortion["standard"])
    assert np.mean(distortion["fast"]) <= standard.mean() + standard.std(ddof=1)


def test_an_alignment_without_proof_is_not_renewed_while_its_code_graph_rests():
    X = KINDS["sparse"].collection(np.random.default_rng(5), 12, 4, 6)
    run = new_run(X, 1, "fast", init=X[:1], matcher="graduated-assignment", learning_rate=0.0, max_cycles=1)
    run.learn()
    assert run.history().n_matchings == len(X)
    run.learn_once()
    assert run.history().n_matchings == len(X)
