"""scikit-learn's own checks, on graphs of one node: each row of their arrays is the vector of a node.

Its checks make two-dimensional arrays, which are not graphs; this stand-in turns rows into graphs and leaves
the rest to the estimator.
"""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_is_fitted, validate_data

import graphquant as gq


class QuantizerOfRows(gq.GraphQuantizer):
    """Graphs of one node, by rows of an array."""

    def _rows(self, X, *, reset=False):
        return gq.GraphCollection([gq.Graph(row[None]) for row in validate_data(self, X, reset=reset)])

    def fit(self, X, y=None):
        super().fit(self._rows(X, reset=True))
        self.n_features_in_ -= 1  # the channel of edges, of which there are none
        return self

    def partial_fit(self, X, y=None):
        super().partial_fit(self._rows(X, reset=not hasattr(self, "codebook_")))
        self.n_features_in_ -= 1
        return self

    def match(self, X):
        check_is_fitted(self)
        return super().match(self._rows(X))

    def transform(self, X):
        check_is_fitted(self)
        return super().transform(self._rows(X))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        tags.no_validation = False
        return tags


EXCEPTIONS = {
    "check_fit2d_1sample": "two code graphs of one graph: the message names n_codes, not n_samples",
}


def expected_failures(estimator):
    return EXCEPTIONS


@parametrize_with_checks(
    [QuantizerOfRows(2, max_cycles=3, random_state=0)],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_scikit_learns_checks(estimator, check):
    if check.func.__name__ == "check_array_api_input":
        pytest.skip("graphs are no arrays of another library")
    check(estimator)


@pytest.fixture
def letters():
    return gq.datasets.make_letters(2, random_state=0)


def test_distances_have_names(letters):
    q = gq.GraphQuantizer(2, max_cycles=1, random_state=0).fit(letters)
    assert q.get_feature_names_out().tolist() == ["graphquantizer0", "graphquantizer1"]
    assert q.n_features_in_ == letters.graphs.node_attrs.shape[1] + letters.graphs.edge_attrs.shape[1]


def test_distances_as_a_frame(letters):
    pandas = pytest.importorskip("pandas")
    q = gq.GraphQuantizer(2, max_cycles=1, random_state=0).set_output(transform="pandas").fit(letters)
    frame = q.transform(letters)
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["graphquantizer0", "graphquantizer1"]
    np.testing.assert_array_equal(frame.to_numpy(), q.set_output(transform="default").transform(letters))


def test_a_pipeline_passes_output_on(letters):
    pytest.importorskip("pandas")
    encoder = gq.preprocessing.AttributeEncoder()
    pipe = make_pipeline(encoder, gq.GraphQuantizer(2, max_cycles=1, random_state=0))
    frame = pipe.set_output(transform="pandas").fit_transform(letters.raw)
    assert list(frame.columns) == ["graphquantizer0", "graphquantizer1"]
