"""What every quantizer of graphs promises: scikit-learn's conventions, which its own checks skip for graphs.

Each check takes a factory, which makes a new estimator from keywords, and a collection of graphs.
"""

import copy
import inspect
import pickle
from unittest import mock

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from graphquant.learning.fitting import fit_all

FITTED = ("codebook_", "labels_", "distortion_", "n_matchings_", "n_cycles_", "history_", "order_")


def same_fit(a, b):
    """Whether two fitted estimators ended with the same bits."""
    return (
        a.codebook_ == b.codebook_
        and np.array_equal(a.labels_, b.labels_)
        and a.distortion_ == b.distortion_
        and a.n_matchings_ == b.n_matchings_
    )


def check_clone(make, graphs):
    fitted = make().fit(graphs)
    copied = clone(fitted)
    assert copied is not fitted
    assert not any(hasattr(copied, name) for name in FITTED)
    assert repr(copied) == repr(make())
    assert same_fit(copied.fit(graphs), fitted)


def check_parameters(make, graphs):
    """The constructor stores what it is given, as it is, and nothing else; set_params is the same."""
    estimator = make()
    names = list(inspect.signature(type(estimator).__init__).parameters)[1:]
    assert sorted(estimator.get_params(deep=False)) == sorted(names)
    for name in names:
        marker = object()
        assert getattr(type(estimator)(**{name: marker}), name) is marker
        assert estimator.set_params(**{name: marker}) is estimator
        assert estimator.get_params(deep=False)[name] is marker
    with pytest.raises(ValueError, match="Invalid parameter 'colour'"):
        estimator.set_params(colour="red")


def check_parameters_unchanged_by_fit(make, graphs):
    estimator = make()
    before = estimator.get_params(deep=False)
    estimator.fit(graphs)
    after = estimator.get_params(deep=False)
    assert all(after[name] is before[name] for name in before)


def check_not_fitted(make, graphs):
    for method in ("predict", "transform", "score", "match", "quantize"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(make(), method)(graphs)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        make().save("never-written.parquet")


def check_pickle_and_copy(make, graphs):
    fitted = make().fit(graphs)
    for again in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert same_fit(again, fitted)
        np.testing.assert_array_equal(again.predict(graphs), fitted.predict(graphs))
        assert same_fit(again.fit(graphs), fitted)


def check_refit(make, graphs):
    """A second fit forgets the first."""
    other = graphs[np.arange(len(graphs) // 2)]
    estimator = make().fit(graphs).fit(other)
    assert same_fit(estimator, make().fit(other))
    assert len(estimator.labels_) == len(other)


def check_deterministic(make, graphs):
    assert same_fit(make().fit(graphs), make().fit(graphs))
    first, second = (make(random_state=np.random.default_rng(3)).fit(graphs) for _ in range(2))
    assert same_fit(first, second)
    assert not same_fit(make(random_state=0).fit(graphs), make(random_state=1).fit(graphs))


def check_fit_returns_self(make, graphs):
    estimator = make()
    assert estimator.fit(graphs) is estimator
    assert estimator.fit(graphs, y=[0] * len(graphs)) is estimator


def check_fit_predict(make, graphs):
    estimator = make()
    labels = estimator.fit_predict(graphs)
    np.testing.assert_array_equal(labels, estimator.labels_)
    np.testing.assert_array_equal(estimator.predict(graphs), estimator.labels_)
    assert estimator.labels_.shape == (len(graphs),)
    assert labels.dtype == np.int64


def check_outputs_agree(make, graphs):
    """predict, transform, match, quantize and score are five views of one thing."""
    estimator = make().fit(graphs)
    distances, found = estimator.transform(graphs), estimator.match(graphs)
    assert distances.shape == (len(graphs), len(estimator.codebook_))
    np.testing.assert_array_equal(found.label, distances.argmin(axis=1))
    np.testing.assert_allclose(found.distance, distances.min(axis=1), rtol=1e-9, atol=1e-9)
    assert (found.lower_bound <= found.distance).all()
    assert found.n_matchings <= distances.size
    assert estimator.quantize(graphs) == estimator.codebook_[found.label]
    assert estimator.score(graphs) == pytest.approx(-0.5 * (distances.min(axis=1) ** 2).sum(), rel=1e-9)
    assert estimator.score(graphs) == pytest.approx(-estimator.distortion_, rel=1e-9)
    np.testing.assert_array_equal(estimator.fit_transform(graphs), distances)


def check_n_jobs(make, graphs):
    """Results do not depend on threads."""
    expected = make(n_jobs=1).fit(graphs)
    for n_jobs in (2, 3, -1):
        found = make(n_jobs=n_jobs).fit(graphs)
        assert same_fit(found, expected)
        np.testing.assert_array_equal(found.transform(graphs), expected.transform(graphs))
        assert found.match(graphs).n_matchings == expected.match(graphs).n_matchings


def check_input_unmodified(make, graphs):
    before = copy.deepcopy(graphs)
    make().fit(graphs).transform(graphs)
    assert graphs == before
    members = tuple(graphs)
    copies = copy.deepcopy(members)
    as_list = list(members)
    assert same_fit(make().fit(as_list), make().fit(graphs))
    assert len(as_list) == len(members)
    assert all(a is b for a, b in zip(as_list, members, strict=True))
    assert members == copies


def check_n_init(make, graphs):
    """Of several runs the best is kept, whichever it is, and the number of threads does not change which."""
    kept = set()
    for seed in range(30):
        several, runs = runs_of(make(n_init=3, random_state=seed, init="random", max_cycles=1), graphs)
        distortions = [run.encoding.distortion for run in runs]
        assert several.distortion_ == min(distortions)
        best = distortions.index(several.distortion_)
        assert several.codebook_ == runs[best].run.codebook()
        again = make(n_init=3, random_state=seed, init="random", max_cycles=1, n_jobs=2).fit(graphs)
        assert same_fit(several, again)
        kept.add(best)
        if len(kept) == 3:
            return
    # Always keeping the first or the last would have done.
    pytest.fail(f"only runs {kept} were ever the best")


def runs_of(estimator, graphs):
    """Fit, and return what all runs gave."""
    runs = []

    def watched(fits, n_threads):
        runs.extend(fit_all(fits, n_threads))
        return runs

    with mock.patch("graphquant.learning.estimator.fit_all", watched):
        return estimator.fit(graphs), runs


def check_partial_fit(make, graphs):
    """A stream: each call goes on where the last one ended."""
    stream = make()
    half = len(graphs) // 2
    parts = (graphs[:half], graphs[half:], graphs[:half])
    for t, part in enumerate(parts):
        assert stream.partial_fit(part) is stream
        assert stream.n_cycles_ == t + 1
        assert len(stream.labels_) == len(part)
        assert len(stream.predict(graphs)) == len(graphs)
    again = make()
    for part in parts:
        again.partial_fit(part)
    assert again.codebook_ == stream.codebook_
    assert stream.n_matchings_ == sum(cycle.n_matchings for cycle in stream.history_)


CHECKS = [check for name, check in sorted(globals().items()) if name.startswith("check_")]
