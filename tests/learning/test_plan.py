"""Parameters that are not accepted, each with an error that says what is."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import GraphQuantWarning, InvalidGraphError, InvalidParameterError

GRAPHS = [gq.Graph([float(value)]) for value in range(6)]


def fit(**parameters):
    settings = {"n_codes": 2, "max_cycles": 1, "init": "random", "random_state": 0} | parameters
    return gq.GraphQuantizer(**settings).fit(GRAPHS)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_codes": 0}, "n_codes=0 is not a whole number of at least 1"),
        ({"n_codes": 2.0}, r"n_codes=2\.0 is not a whole number"),
        ({"n_codes": True}, "n_codes=True is not a whole number"),
        ({"n_codes": 7}, "n_codes=7 is larger than the 6 graphs given"),
        ({"algorithm": "loseless"}, "Unknown algorithm 'loseless'. Did you mean 'lossless'"),
        ({"algorithm": None}, "Unknown algorithm None"),
        ({"matcher": "frank-wolf"}, "Unknown matcher 'frank-wolf'. Did you mean 'frank-wolfe'"),
        ({"init": "medoid"}, "Unknown init 'medoid'. Did you mean 'medoids'"),
        ({"init": GRAPHS[:3]}, "init has 3 graphs, but n_codes=2"),
        ({"n_init": 0}, "n_init=0 is not a whole number of at least 1"),
        ({"learning_rate": "quadratic"}, "Unknown learning_rate 'quadratic'"),
        ({"learning_rate": 1.5}, r"learning_rate=1\.5 is not accepted"),
        ({"learning_rate": -0.1}, r"learning_rate=-0\.1 is not accepted"),
        ({"learning_rate": float("nan")}, "learning_rate=nan is not accepted"),
        ({"learning_rate": True}, "learning_rate=True is not accepted"),
        ({"learning_rate": None}, "learning_rate=None is not accepted"),
        ({"learning_rate": (0.1, 0.2, 0.3)}, "is not accepted. Give 'auto', 'linear', 'harmonic'"),
        ({"learning_rate": ()}, "is not accepted. Give 'auto', 'linear', 'harmonic'"),
        ({"learning_rate": lambda context: 2.0}, r"learning_rate returned .*2\.0.* in cycle 0"),
        ({"learning_rate": lambda context: float("nan")}, "learning_rate returned .*nan.* in cycle 0"),
        ({"max_cycles": -1}, "max_cycles=-1 is not a whole number of at least 0"),
        ({"max_cycles": 1.5}, r"max_cycles=1\.5 is not a whole number"),
        ({"max_cycles": "many"}, "Unknown max_cycles 'many'"),
        ({"tol": -1.0}, r"tol=-1\.0 is not accepted. Give tol as a number of at least 0"),
        ({"tol": "small"}, "tol='small' is not accepted"),
        ({"tol": float("nan")}, "tol=nan is not accepted"),
        ({"tol": 10**400}, "is not accepted. Give tol as a number"),
        ({"theta": 10**400, "algorithm": "accelerated"}, "is not accepted. Give theta as a number"),
        ({"theta": float("inf")}, "theta=inf is not accepted"),
        ({"theta": None}, "theta=None is not accepted"),
        ({"batch_size": 0}, "batch_size=0 is not a whole number of at least 1"),
        ({"order": 0}, "order=0 is not a whole number of at least 1"),
        ({"random_state": -1}, "random_state=-1 is not accepted"),
        ({"random_state": "seed"}, "random_state='seed' is not accepted"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"executor": "dask"}, "executor='dask' is not accepted"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_bad_parameters(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        fit(**parameters)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_order_below_the_largest_graph(method):
    graphs = gq.GraphCollection([gq.Graph([1.0]), gq.Graph([1.0, 2.0, 3.0])], names=["a", "b"])
    q = gq.GraphQuantizer(1, order=2, init="random", max_cycles=1)
    with pytest.raises(InvalidParameterError, match=r"order=2, but Graph 1 \('b'\) has 3 nodes\. .*order=3"):
        getattr(q, method)(graphs)
    assert getattr(q.set_params(order=3), method)(graphs).order_ == 3


def test_more_graphs_for_a_codebook_of_another_size():
    graphs = [gq.Graph([1.0]), gq.Graph([2.0]), gq.Graph([3.0])]
    q = gq.GraphQuantizer(2, init="random", random_state=0).partial_fit(graphs)
    with pytest.raises(InvalidParameterError, match="n_codes=3, but the codebook has 2 code graphs"):
        q.set_params(n_codes=3).partial_fit(graphs)
    assert len(q.set_params(n_codes=2).partial_fit(graphs).codebook_) == 2


def test_order_with_groups():
    graphs = [gq.Graph([1.0, 2.0], groups=[0, 1])]
    with pytest.raises(InvalidGraphError, match="order=3 does not apply to graphs with groups"):
        gq.GraphQuantizer(1, order=3).fit(graphs)


def test_given_start_that_does_not_compare():
    with pytest.raises(InvalidGraphError, match="node attribute"):
        fit(init=[gq.Graph([[1.0, 2.0]]), gq.Graph([[1.0, 2.0]])])
    with pytest.raises(InvalidGraphError, match=r"init: .* has 2 nodes, but the graph space has 1 position"):
        fit(init=[gq.Graph([1.0, 2.0]), gq.Graph([1.0])])


def test_graphs_that_do_not_compare_with_the_codebook():
    q = fit()
    for method in (q.predict, q.transform, q.match, q.score, q.quantize, q.partial_fit):
        with pytest.raises(InvalidGraphError, match="node attribute"):
            method([gq.Graph([[1.0, 2.0]])])
    with pytest.raises(InvalidGraphError, match="directed"):
        q.predict([gq.Graph([1.0, 2.0], [(0, 1)], directed=True)])


def test_numpy_scalars_are_numbers():
    assert fit(n_codes=np.int64(2), max_cycles=np.int32(1), tol=np.float64(0.0)).n_cycles_ == 1


def test_nothing_is_checked_before_fit():
    gq.GraphQuantizer(0, algorithm="none", learning_rate=-1, tol="x")


def test_tolerance_that_is_not_reached_is_a_warning():
    with pytest.warns(
        GraphQuantWarning, match=r"Stopped at max_cycles=1 with codebook shift .* > tol=1e-12. Raise"
    ):
        fit(tol=1e-12)
    with pytest.warns(GraphQuantWarning, match="Stopped at max_cycles=0"):
        fit(tol=1e-12, max_cycles=0)
