"""GraphQuantizer as an estimator: the contract, pipelines, searches, streams."""

import networkx as nx
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

import graphquant as gq
from graphquant.exceptions import GraphQuantWarning
from graphquant.preprocessing import AttributeEncoder
from tests.estimator_checks import CHECKS, same_fit
from tests.learning.collections_of_graphs import collection

ALGORITHMS = ("standard", "accelerated", "lossless", "fast")


@pytest.fixture(scope="module")
def graphs():
    return collection("letters", 24, 3)


def factory(algorithm, **defaults):
    def make(**changes):
        settings = {"max_cycles": 3, "init": "k-means++", "random_state": 0, **defaults, **changes}
        return gq.GraphQuantizer(3, algorithm=algorithm, **settings)

    return make


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract(check, algorithm, graphs):
    check(factory(algorithm), graphs)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract_of_batches(check, graphs):
    check(factory("lossless", batch_size=5), graphs)


@pytest.mark.parametrize("init", gq.initialisation.INITIALISATIONS)
def test_every_start(init, graphs):
    q = gq.GraphQuantizer(4, init=init, max_cycles=2, random_state=0).fit(graphs)
    assert same_fit(q, gq.GraphQuantizer(4, init=init, max_cycles=2, random_state=0).fit(graphs))
    assert (q.n_init_matchings_ == 0) == (init == "random")


def test_codebook_has_the_size_and_the_kind_asked_for(graphs):
    q = factory("lossless")().fit(graphs)
    assert len(q.codebook_) == 3
    assert q.codebook_.max_order <= q.order_ == graphs.max_order
    assert q.codebook_.directed == graphs.directed
    assert (
        gq.GraphQuantizer(2, order=12, max_cycles=1, init="random", random_state=0).fit(graphs).order_ == 12
    )


def test_learning_lowers_the_distortion(graphs):
    start, learnt = (factory("lossless")(max_cycles=cycles).fit(graphs) for cycles in (0, 20))
    assert learnt.distortion_ < start.distortion_


def test_a_dataset_is_taken_with_its_encoder():
    letters = gq.datasets.make_letters(2, random_state=0)
    q = factory("lossless")().fit(letters)
    assert q.encoder_ is letters.encoder
    np.testing.assert_array_equal(q.predict(letters), q.labels_)
    assert factory("lossless")().fit(letters.graphs).encoder_.to_json() == letters.encoder.to_json()
    assert factory("lossless")().fit(letters.graphs.with_schema(None)).encoder_ is None


def molecules(seed=0, size=20):
    """Chains and rings with symbols, as networkx graphs."""
    rng = np.random.default_rng(seed)
    graphs = []
    for _ in range(size):
        graph = nx.cycle_graph(int(rng.integers(3, 6))) if rng.random() < 0.5 else nx.path_graph(4)
        for node in graph:
            graph.add_node(node, symbol=str(rng.choice(["C", "N", "O"])), charge=float(rng.normal()))
        graphs.append(graph)
    return graphs


def test_pipeline_after_an_encoder():
    data = molecules()
    pipeline = make_pipeline(AttributeEncoder(), factory("lossless")())
    labels = pipeline.fit_predict(data)
    np.testing.assert_array_equal(pipeline.predict(data), labels)
    assert pipeline.transform(data).shape == (20, 3)
    assert pipeline.score(data) == pytest.approx(-pipeline[-1].distortion_, rel=1e-9)


def test_grid_search_over_the_size_of_the_codebook():
    data = molecules(1, 24)
    pipeline = make_pipeline(AttributeEncoder(), factory("lossless")())
    search = GridSearchCV(pipeline, {"graphquantizer__n_codes": [1, 2, 5]}, cv=3, error_score="raise")
    search.fit(data)
    assert search.best_params_["graphquantizer__n_codes"] in (1, 2, 5)
    assert (np.asarray(search.cv_results_["mean_test_score"]) < 0).all()


def test_grid_search_over_matchers_without_an_encoder(graphs):
    matchers = ["exact", gq.FrankWolfe(), gq.ExactMatcher(node_limit=100)]
    search = GridSearchCV(factory("lossless")(), {"matcher": matchers}, cv=2, error_score="raise")
    assert search.fit(graphs).best_estimator_.matcher in matchers


def test_tags_say_that_graphs_are_no_table():
    tags = get_tags(gq.GraphQuantizer())
    assert not tags.input_tags.two_d_array
    assert tags.estimator_type == "clusterer"


def test_counters_add_up(graphs):
    for algorithm in ALGORITHMS:
        q = factory(algorithm, init="furthest-first")().fit(graphs)
        assert q.n_matchings_ == q.history_.n_matchings
        assert q.n_shift_matchings_ == (3 * 3 if algorithm == "accelerated" else 0)
        assert q.n_init_matchings_ > 0
        assert 0 <= q.n_encode_matchings_ <= 3 * len(graphs)
        assert q.encoding_.n_matchings == q.n_encode_matchings_
        if algorithm == "standard":
            assert q.n_matchings_ == 3 * 3 * len(graphs)
        else:
            assert q.n_matchings_ < 3 * 3 * len(graphs)


def test_labels_are_those_of_the_final_codebook(graphs):
    for algorithm in ALGORITHMS:
        q = factory(algorithm)().fit(graphs)
        distances = gq.pairwise_distances(graphs, q.codebook_, order=q.order_)
        np.testing.assert_array_equal(q.labels_, distances.argmin(axis=1))
        assert q.distortion_ == pytest.approx(0.5 * (distances.min(axis=1) ** 2).sum(), rel=1e-9)


def test_mappings_give_the_distances(graphs):
    q = factory("lossless")().fit(graphs)
    for found in (q.encoding_, q.match(graphs)):
        for i, x in enumerate(graphs):
            y = q.codebook_[int(found.label[i])]
            match = gq.match(x, y, order=q.order_)
            assert found.distance[i] == pytest.approx(match.distance, abs=1e-9)
            assert (found.mapping[i, x.order :] == -1).all()
            assert len(set(found.mapping[i, : x.order].tolist())) == x.order


def test_partial_fit_goes_on_after_fit(graphs):
    q = factory("lossless")().fit(graphs[:12])
    before = q.codebook_
    q.partial_fit(graphs[12:])
    assert q.n_cycles_ == 4
    assert q.codebook_ != before


def test_partial_fit_takes_larger_graphs(graphs):
    q = factory("lossless")().partial_fit(graphs)
    large = gq.Graph(np.ones((graphs.max_order + 2, graphs[0].node_attrs.shape[1]))).with_schema(
        graphs.schema
    )
    q.partial_fit([large, *graphs])
    assert q.order_ == graphs.max_order + 2


def far_from(graphs):
    return gq.Graph(np.full((2, graphs[0].node_attrs.shape[1]), 1e3)).with_schema(graphs.schema)


def test_idle_codes_are_reported(graphs):
    far = far_from(graphs)
    q = gq.GraphQuantizer(3, init=[graphs[0], graphs[1], far], max_cycles=2, random_state=0)
    with pytest.warns(GraphQuantWarning, match="1 of 3 code graphs are not nearest to any training graph"):
        q.fit(graphs)
    assert q.history_[-1].n_idle == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"relocate_idle": True}, "relocate_idle=True has no effect since graphquant 2.0"),
        ({"algorithm": "fast", "theta": 0.3}, 'theta has no effect with algorithm="fast"'),
    ],
)
def test_parameters_that_went_away_are_told(settings, message, graphs):
    q = gq.GraphQuantizer(2, max_cycles=2, random_state=0, **settings)
    with pytest.warns(FutureWarning, match=message):
        q.fit(graphs)
    plain = gq.GraphQuantizer(2, max_cycles=2, random_state=0, algorithm=q.algorithm).fit(graphs)
    assert q.codebook_ == plain.codebook_
