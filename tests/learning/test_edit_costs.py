"""Learning in the edit distance: codebooks, encodings, files, and the order that costs need."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidParameterError
from graphquant.io import FileContent, parquet
from graphquant.preprocessing import EditCosts
from tests.reference.edits import random_graph

EXPENSIVE = EditCosts(2.5, 1.0)


def graphs(count=16, seed=0, labels="CNO"):
    rng = np.random.default_rng(seed)
    return [
        random_graph(rng, int(rng.integers(1, 5)), node_labels=labels, edge_labels="sd") for _ in range(count)
    ]


def at_training_graphs(X, costs, chosen=(0, 5), **params):
    """Return a quantizer whose code graphs are training graphs."""
    fitted = costs.unfitted().fit(X)
    first = fitted.transform([X[i] for i in chosen])
    return gq.GraphQuantizer(
        len(chosen), encoder=fitted, init=first, max_cycles=0, matcher="exact", random_state=0, **params
    ).fit(X)


@pytest.mark.parametrize(
    "costs", [EditCosts(), EXPENSIVE, EditCosts.mces()], ids=["unit", "expensive", "mces"]
)
def test_distortion_is_half_the_sum_of_edit_distances(costs):
    X, chosen = graphs(), (0, 5)
    q = at_training_graphs(X, costs, chosen)
    expected = gq.pairwise_edit_distances(X, [X[i] for i in chosen], costs).distances
    assert q.distortion_ == pytest.approx(0.5 * expected.min(axis=1).sum())
    assert q.encoding_.edits == pytest.approx(expected.min(axis=1))
    assert q.transform(X) ** 2 == pytest.approx(expected)
    assert q.predict(X).tolist() == expected.argmin(axis=1).tolist()


def test_graphs_larger_than_those_of_training_have_room():
    X = graphs()
    q = at_training_graphs(X, EXPENSIVE)
    new = [random_graph(np.random.default_rng(9), n, edge_labels="sd") for n in (6, 7)]
    expected = gq.pairwise_edit_distances(new, [X[0], X[5]], EXPENSIVE).distances
    assert q.transform(new) ** 2 == pytest.approx(expected)


def test_the_space_has_room_for_two_graphs_where_costs_need_it():
    X = graphs()
    largest = max(map(len, X))
    learnt = gq.GraphQuantizer(3, encoder=EXPENSIVE, max_cycles=2, random_state=0).fit(X)
    assert learnt.order_ == 2 * largest
    assert gq.GraphQuantizer(3, encoder=EditCosts(), max_cycles=2, random_state=0).fit(X).order_ == largest
    with pytest.raises(InvalidParameterError, match=f"Give order={2 * largest} or more"):
        gq.GraphQuantizer(3, encoder=EXPENSIVE, order=largest, random_state=0).fit(X)


@pytest.mark.parametrize("algorithm", ["standard", "lossless"])
@pytest.mark.parametrize("init", ["medoids", "furthest-first", "k-means++", "random"])
def test_learning_with_room(algorithm, init):
    """Half the distances of a codebook with room are edit distances where codes are training graphs."""
    q = gq.GraphQuantizer(
        3, encoder=EXPENSIVE, algorithm=algorithm, init=init, max_cycles=3, matcher="exact", random_state=1
    ).fit(graphs())
    assert q.encoding_.proven.all()
    assert q.transform(graphs()).min(axis=1) == pytest.approx(q.encoding_.distance)


def test_files_keep_costs_and_order(tmp_path):
    X, path = graphs(), tmp_path / "codebook.parquet"
    q = gq.GraphQuantizer(3, encoder=EXPENSIVE, max_cycles=2, random_state=0).fit(X)
    q.save(path)
    again = gq.load(path)
    assert isinstance(again.encoder_, EditCosts)
    assert again.encoder_.digest() == q.encoder_.digest()
    assert again.codebook_.schema.needs_zero_nodes
    assert again.match(X).edits == pytest.approx(q.match(X).edits)
    assert again.encoder.get_params() == EXPENSIVE.get_params()


def test_vectors_in_files_keep_what_they_need(tmp_path):
    X, path = graphs(), tmp_path / "vectors.parquet"
    vectors = EXPENSIVE.unfitted().fit_transform(X)
    gq.write(gq.Dataset(vectors, encoder=vectors.schema.encoder), path)
    again = gq.read(path).graphs
    assert again.schema.needs_zero_nodes
    expected = gq.pairwise_edit_distances(X, costs=EXPENSIVE).distances
    assert gq.pairwise_distances(again, matcher="exact") ** 2 == pytest.approx(expected)
    assert gq.pairwise_edit_distances(again, costs=EXPENSIVE).distances == pytest.approx(expected)


def test_out_of_core_has_the_same_room(tmp_path):
    X, path = graphs(24), tmp_path / "vectors.parquet"
    vectors = EXPENSIVE.unfitted().fit_transform(X)
    metadata = {"encoder": vectors.schema.encoder.to_json()}
    parquet.write(FileContent(vectors, None, metadata), path, row_group_size=12)
    q = gq.GraphQuantizer(2, max_cycles=2, random_state=0).fit(str(path))
    assert q.order_ == 2 * vectors.max_order


def test_explanations_have_the_edits_from_the_medoid():
    X = graphs()
    q = gq.GraphQuantizer(2, encoder=EditCosts(), max_cycles=2, random_state=0).fit(X)
    for x in X[:6]:
        told = q.explain(x)
        medoid = X[q.medoid_indices_[told.code]]
        assert sum(edit.cost for edit in told.edits) == gq.edit_distance(medoid, x).distance
        assert told.medoid == str(q.medoid_indices_[told.code])
        assert f"edits from its medoid {told.medoid}:" in str(told)
    assert q.explain(0, 1).edits is None
    assert gq.GraphQuantizer(2, max_cycles=2, random_state=0).fit(X).explain(X[0]).edits is None


def test_means_and_their_labels():
    X = graphs(6)
    fitted = EditCosts().fit(X)
    found = gq.mean(fitted.transform(X), random_state=0)
    drawn = found.graph.to_networkx()
    assert {data["label"] for _, data in drawn.nodes(data=True)} <= set("CNO")
    assert all("graphquant.presence" in data for _, data in drawn.nodes(data=True))
    q = gq.GraphQuantizer(2, encoder=EditCosts(), max_cycles=2, random_state=0).fit(X)
    assert q.quantize(X)[0].to_networkx().number_of_nodes() >= 1


def test_lower_bounds_hold_with_room():
    vectors = EXPENSIVE.unfitted().fit_transform(graphs())
    exact = gq.pairwise_distances(vectors, matcher="exact")
    for i in range(6):
        for j in range(6):
            assert gq.lower_bound(vectors[i], vectors[j]) <= exact[i, j] + 1e-12
