"""Transformers of graphs work with scikit-learn without inheriting from its classes."""

import pickle

import pytest
import sklearn
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

import graphquant as gq
from graphquant.preprocessing import AttributeEncoder, Numeric, UnitNorm


@pytest.fixture(scope="module")
def letters():
    return gq.datasets.make_letters(2, random_state=0).raw


def test_parameters():
    encoder = AttributeEncoder(["x"], missing="zero")
    params = encoder.get_params()
    assert list(params) == sorted(params)
    assert len(params) == 12
    assert (params["node"], params["missing"], params["edge_weight"]) == (["x"], "zero", 0.6)
    assert encoder.set_params(edge_weight=2.0) is encoder
    assert encoder.edge_weight == 2.0
    assert UnitNorm().get_params() == {}


def test_an_unknown_parameter():
    with pytest.raises(ValueError, match=r"Invalid parameter 'colour' for estimator AttributeEncoder\(\)"):
        AttributeEncoder().set_params(colour="red")


def test_repr_shows_what_differs_from_the_defaults():
    assert repr(AttributeEncoder()) == "AttributeEncoder()"
    assert repr(AttributeEncoder(["x"], missing="zero")) == "AttributeEncoder(missing='zero', node=['x'])"
    assert repr(UnitNorm()) == "UnitNorm()"


@pytest.mark.parametrize("copy", [clone, AttributeEncoder.unfitted])
def test_unfitted(copy, letters):
    encoder = AttributeEncoder([Numeric("x")], missing="zero").fit(letters)
    copied = copy(encoder)
    assert not copied.is_fitted
    assert encoder.is_fitted
    assert copied.get_params() == encoder.get_params()
    assert copied.node is not encoder.node


def test_pickle(letters):
    encoder = AttributeEncoder().fit(letters)
    assert pickle.loads(pickle.dumps(encoder)).transform(letters) == encoder.transform(letters)


def test_fitted(letters):
    with pytest.raises(NotFittedError, match="This AttributeEncoder instance is not fitted yet"):
        AttributeEncoder().transform(letters)
    with pytest.raises(NotFittedError):
        check_is_fitted(AttributeEncoder())
    check_is_fitted(AttributeEncoder().fit(letters))
    check_is_fitted(UnitNorm())


def test_tags():
    tags = get_tags(AttributeEncoder())
    assert (tags.requires_fit, tags.input_tags.two_d_array, tags.target_tags.required) == (True, False, False)
    assert tags.transformer_tags is not None
    assert not get_tags(UnitNorm()).requires_fit


def test_pipeline(letters):
    q = gq.GraphQuantizer(2, max_cycles=1, random_state=0)
    pipeline = make_pipeline(AttributeEncoder(), UnitNorm(), q)
    assert len(clone(pipeline).set_params(attributeencoder__missing="zero").fit_predict(letters)) == 30
    assert "AttributeEncoder" in pipeline._repr_html_()


@pytest.mark.parametrize(
    "config", [{"enable_metadata_routing": True}, {"transform_output": "pandas"}, {"display": "text"}]
)
def test_configurations_of_scikit_learn(config, letters):
    with sklearn.config_context(**config):
        pipeline = make_pipeline(AttributeEncoder(), UnitNorm())
        assert pipeline.fit_transform(letters) == pipeline.transform(letters)
        assert isinstance(pipeline.transform(letters), gq.GraphCollection)


def test_parameters_of_an_encoder_in_an_estimator():
    q = gq.GraphQuantizer(2, encoder=AttributeEncoder())
    assert q.set_params(encoder__missing="zero").encoder.missing == "zero"
    assert clone(q).get_params()["encoder__missing"] == "zero"
