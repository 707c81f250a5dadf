"""Medoids, representatives, novelty: real graphs, which survive files, partitions and further learning."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidParameterError
from graphquant.learning.clusters import nearest_graphs
from tests.learning.collections_of_graphs import collection
from tests.reference.random_graphs import KINDS


@pytest.fixture(scope="module")
def letters():
    return gq.datasets.make_letters(8, distortion="med", random_state=1)


@pytest.fixture(scope="module")
def fitted(letters):
    return gq.GraphQuantizer(12, random_state=0).fit(letters)


def medoids_by_hand(q, distances):
    """The member with the least distance to each code graph, the first of equals."""
    expected = []
    for j in range(len(q.codebook_)):
        members = np.flatnonzero(q.labels_ == j)
        expected.append(members[np.argmin(distances[members, j])] if len(members) else -1)
    return np.array(expected)


def test_a_medoid_is_the_nearest_member(letters, fitted):
    expected = medoids_by_hand(fitted, fitted.transform(letters))
    np.testing.assert_array_equal(fitted.medoid_indices_, expected)
    assert fitted.medoids_ == letters.graphs[expected]
    assert fitted.medoids_.schema == letters.graphs.schema
    np.testing.assert_array_equal(fitted.representatives(letters)[:, 0], expected)


def test_ties_go_to_the_lowest_index():
    points = [gq.Graph([value]) for value in (2.0, 0.0, 2.0, 0.0)]
    q = gq.GraphQuantizer(1, init=[gq.Graph([1.0])], learning_rate=0.0, random_state=0).fit(points)
    assert q.medoid_indices_.tolist() == [0]
    assert q.representatives(points, 5).tolist() == [[0, 1, 2, 3, -1]]


@pytest.mark.filterwarnings("ignore:.* code graphs? (is|are) not nearest to any training graph")
@pytest.mark.parametrize("kind", ["noise", "directed"])
def test_a_code_graph_without_members_has_the_nearest_of_all(kind):
    graphs = collection(kind, 30, 2)
    start = graphs[np.array([0, 1, 1, 0])]
    q = gq.GraphQuantizer(4, init=start, learning_rate=0.0, max_cycles=1, random_state=0).fit(graphs)
    assert set(q.labels_) == {0, 1}
    distances = q.transform(graphs)
    np.testing.assert_array_equal(q.medoid_indices_[2:], distances[:, 2:].argmin(axis=0))
    assert q.representatives(graphs)[2:].tolist() == [[-1], [-1]]


def test_nearest_graphs_are_those_of_brute_force():
    rng = np.random.default_rng(3)
    X = KINDS["sparse"].collection(rng, 200, 1, 5)
    codes = KINDS["sparse"].collection(rng, 5, 1, 5)
    found = nearest_graphs(X, codes, range(5), gq.ExactMatcher(), 5)
    distances = gq.pairwise_distances(X, codes, matcher="exact", order=5)
    np.testing.assert_array_equal(found.row, distances.argmin(axis=0))
    np.testing.assert_array_equal(found.distance, distances.min(axis=0))


def test_they_survive_files(letters, fitted, tmp_path):
    fitted.save(tmp_path / "codebook.parquet")
    again = gq.load(tmp_path / "codebook.parquet")
    np.testing.assert_array_equal(again.medoid_indices_, fitted.medoid_indices_)
    assert again.medoids_ == fitted.medoids_
    assert again.medoids_.schema == fitted.medoids_.schema
    assert again.core(3).describe() == fitted.core(3).describe()
    np.testing.assert_array_equal(again.novelty(letters).quantile, fitted.novelty(letters).quantile)
    # They are no attribute of the code graphs, which may be read as a collection.
    assert dict(gq.read(tmp_path / "codebook.parquet").columns) == {}


@pytest.mark.parametrize("kind", ["directed-vectors", "grouped", "vector-edges"])
def test_graphs_of_every_kind_survive_files(kind, tmp_path):
    graphs = KINDS[kind].collection(np.random.default_rng(0), 12, 1, 4)
    q = gq.GraphQuantizer(2, random_state=0).fit(graphs)
    q.save(tmp_path / "codebook.parquet")
    again = gq.load(tmp_path / "codebook.parquet")
    assert again.medoids_ == q.medoids_
    assert again.partial_fit(graphs).medoids_[0] == graphs[again.medoid_indices_[0] % 12]
    for j in range(2):
        assert again.core(j).size == q._clusters.members.size[j] + (again.labels_ == j).sum()


@pytest.mark.parametrize("n_parts", [1, 3])
def test_partitions(letters, tmp_path, n_parts):
    path, q = tmp_path / "letters.parquet", gq.GraphQuantizer(6, max_cycles=2, random_state=0)
    content = gq.io.FileContent(letters.graphs, metadata={"encoder": letters.encoder.to_json()})
    gq.io.parquet.write(content, path, row_group_size=-(-len(letters) // n_parts))
    q.fit(path)
    np.testing.assert_array_equal(q.medoid_indices_, medoids_by_hand(q, q.transform(letters)))
    assert list(q.medoids_) == list(letters.graphs[q.medoid_indices_])
    for j in range(6):
        # Counted where the partitions are, or all together: the same core.
        here, there = q.core(j, X=letters), q.core(j)
        assert here.size == there.size
        np.testing.assert_allclose(here.node_support, there.node_support)
        assert here.graph.edges.tolist() == there.graph.edges.tolist()


@pytest.mark.filterwarnings("ignore:.* code graphs? (is|are) not nearest to any training graph")
def test_idle_code_graphs_of_partitions(tmp_path):
    graphs = collection("noise", 30, 2)
    gq.io.parquet.write(gq.io.FileContent(graphs), tmp_path / "noise.parquet", row_group_size=7)
    q = gq.GraphQuantizer(
        3, init=graphs[np.array([0, 0, 0])], learning_rate=0.0, max_cycles=1, random_state=0
    )
    q.fit(tmp_path / "noise.parquet")
    np.testing.assert_array_equal(q.medoid_indices_[1:], q.transform(graphs)[:, 1:].argmin(axis=0))
    assert q.medoids_[1] == graphs[q.medoid_indices_[1]]


def test_indices_count_the_graphs_of_all_calls():
    near, far = [gq.Graph([1.5]), gq.Graph([9.0])], [gq.Graph([1.0]), gq.Graph([9.0]), gq.Graph([5.2])]
    q = gq.GraphQuantizer(2, init=[gq.Graph([1.0]), gq.Graph([9.0])], learning_rate=0.0, random_state=0)
    q.partial_fit(near)
    assert q.medoid_indices_.tolist() == [0, 1]
    q.partial_fit(far)
    # The first one is nearer now; the second stays, as the first of equals.
    assert q.medoid_indices_.tolist() == [2, 1]
    assert [float(graph.node_attrs[0, 0]) for graph in q.medoids_] == [1.0, 9.0]
    assert [q.core(j).size for j in range(2)] == [2, 3]


def test_novelty(letters, fitted):
    strange = gq.datasets.make_letters(2, distortion="high", random_state=5)
    found, known = fitted.novelty(strange), fitted.encoding_.distance
    assert len(found) == len(strange)
    np.testing.assert_allclose(found.quantile, [(known <= distance).mean() for distance in found.distance])
    assert (found.lower_bound <= found.distance).all()
    np.testing.assert_array_equal(fitted.score_samples(strange), -found.distance)
    assert fitted.novelty(letters).quantile.max() == 1.0


def test_many_training_distances_are_kept_as_quantiles():
    points = gq.GraphCollection([gq.Graph([value]) for value in np.linspace(0.0, 1.0, 3001)])
    q = gq.GraphQuantizer(1, init=points[:1], learning_rate=0.0, max_cycles=1, random_state=0).fit(points)
    assert len(q._clusters.quantiles) == 1001
    found = q.novelty([gq.Graph([value]) for value in (0.25, 0.7501, 1.0, 2.0)])
    np.testing.assert_allclose(found.quantile, [0.25, 0.7501, 1.0, 1.0], atol=1e-3)


def test_codebooks_of_1_0_say_what_they_lack():
    q = gq.load("tests/learning/data/codebook_1_0.parquet")
    raw = gq.read("tests/learning/data/raw_1_0.parquet").raw
    with pytest.raises(InvalidParameterError, match="without its training graphs"):
        q.novelty(raw)
    with pytest.raises(InvalidParameterError, match="older version") as caught:
        q.core(0)
    assert "core(j, X=graphs)" in caught.value.hint
    assert q.core(0, X=raw).size == (q.predict(raw) == 0).sum()
    # It learns from here on.
    q.partial_fit(raw)
    assert len(q.medoid_indices_) == len(q.codebook_)
