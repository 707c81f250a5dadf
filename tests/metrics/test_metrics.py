import numpy as np
import pytest
from sklearn.metrics import silhouette_samples, silhouette_score

import graphquant as gq
from graphquant.exceptions import InvalidParameterError
from graphquant.metrics import distortion, majority_accuracy, mean_distance, silhouette_index


def line_distances(points):
    points = np.asarray(points, dtype=float)
    return np.abs(points[:, None] - points)


@pytest.mark.parametrize("nearest", [[1.0, 2.0, 3.0], [[1.0, 9.0], [5.0, 2.0], [3.0, 3.0]]])
def test_both_forms_of_distortion_by_hand(nearest):
    assert distortion(nearest) == 7.0
    assert mean_distance(nearest) == 2.0


def test_distortion_is_that_of_the_quantizer():
    letters = gq.datasets.make_letters(2)
    q = gq.GraphQuantizer(3, max_cycles=2, random_state=0).fit(letters.graphs)
    assert distortion(q.transform(letters.graphs)) == pytest.approx(q.distortion_, rel=1e-12)
    assert distortion(q.encoding_.distance) == pytest.approx(q.distortion_, rel=1e-12)


@pytest.mark.parametrize("bad", [[], [[]], [-1.0], [np.nan], 3.0, [[[1.0]]]])
@pytest.mark.parametrize("measure", [distortion, mean_distance])
def test_bad_distances_are_refused(measure, bad):
    with pytest.raises(InvalidParameterError, match=r"distances of shape .* not accepted"):
        measure(bad)


@pytest.mark.parametrize(
    ("labels", "targets", "expected"),
    [
        ([0, 0, 0, 1], ["A", "A", "B", "B"], 0.75),
        ([7, 7, -3, -3], [1, 2, 1, 2], 0.5),
        ([0, 1, 2], ["x", "x", "x"], 1.0),
        (["left", "left"], [True, False], 0.5),
    ],
)
def test_accuracy_by_hand(labels, targets, expected):
    assert majority_accuracy(labels=labels, targets=targets) == expected


def test_accuracy_does_not_depend_on_names_of_clusters_or_classes():
    rng = np.random.default_rng(0)
    labels, targets = rng.integers(0, 5, 60), rng.integers(0, 4, 60)
    renamed = np.array(["e", "b", "a", "d", "c"])[labels]
    assert majority_accuracy(labels=renamed, targets=10 - targets) == majority_accuracy(
        labels=labels, targets=targets
    )


@pytest.mark.parametrize(
    ("labels", "targets", "match"),
    [([0, 1], [0], "2 labels but 1 targets"), ([], [], "labels of shape"), ([0], [[0]], "targets of shape")],
)
def test_accuracy_refuses_what_does_not_fit(labels, targets, match):
    with pytest.raises(InvalidParameterError, match=match):
        majority_accuracy(labels=labels, targets=targets)


def test_silhouette_by_hand():
    # Points 0, 1 | 4 | 10, 12: widths 1 - 1/4, 1 - 1/3 | 0 (alone) | 1 - 2/6, 1 - 2/8.
    expected = ((3 / 4 + 2 / 3) / 2 + 0 + (2 / 3 + 3 / 4) / 2) / 3
    assert silhouette_index(line_distances([0, 1, 4, 10, 12]), [5, 5, 9, 2, 2]) == pytest.approx(expected)


def test_silhouette_of_a_bad_clustering_is_negative():
    # Points 0, 10 | 1, 11: a = 10, b = 6 for the ends; a = 10, b = 5 for the inner ones.
    expected = (-4 / 10 - 5 / 10) / 2
    assert silhouette_index(line_distances([0, 10, 1, 11]), [0, 0, 1, 1]) == pytest.approx(expected)


def test_equal_points_have_no_width():
    assert silhouette_index(np.zeros((4, 4)), [0, 0, 1, 1]) == 0.0


def test_empty_clusters_do_not_count():
    d = line_distances([0, 1, 4, 5])
    assert silhouette_index(d, [0, 0, 7, 7]) == silhouette_index(d, [0, 0, 1, 1])


def test_the_diagonal_is_not_looked_at():
    d = line_distances([0, 1, 4, 5])
    noisy = d + 3.0 * np.eye(4)
    assert silhouette_index(noisy, [0, 0, 1, 1]) == silhouette_index(d, [0, 0, 1, 1])
    assert noisy[0, 0] == 3.0  # the input is left as it is


@pytest.mark.parametrize("seed", range(5))
def test_silhouette_is_the_mean_of_scikit_learns_widths_over_clusters(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(40, 3))
    d = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    np.fill_diagonal(d, 0.0)
    labels = rng.integers(0, 6, 40)
    labels[0] = 6  # alone
    widths = silhouette_samples(d, labels, metric="precomputed")
    expected = np.mean([widths[labels == j].mean() for j in np.unique(labels)])
    assert silhouette_index(d, labels) == pytest.approx(expected, abs=1e-12)
    even = np.repeat(np.arange(4), 10)
    score = silhouette_score(d, even, metric="precomputed")
    assert silhouette_index(d, even) == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize(
    ("distances", "labels", "match"),
    [
        (np.zeros((3, 3)), [0, 0, 0], "in one cluster"),
        (np.zeros((3, 2)), [0, 0, 1], "do not fit 3 labels"),
        (np.zeros((2, 2)), [0, 0, 1], "do not fit 3 labels"),
        (-np.ones((2, 2)), [0, 1], "do not fit 2 labels"),
        (np.full((2, 2), np.nan), [0, 1], "do not fit 2 labels"),
    ],
)
def test_silhouette_refuses_what_does_not_fit(distances, labels, match):
    with pytest.raises(InvalidParameterError, match=match):
        silhouette_index(distances, labels)


def test_swapped_arguments_do_not_go_unnoticed():
    with pytest.warns(FutureWarning, match="takes its arguments by name"):
        assert majority_accuracy([0, 0, 0, 1], ["A", "A", "B", "B"]) == 0.75
    with pytest.raises(InvalidParameterError, match="more arguments than labels and targets"):
        majority_accuracy([0], [0], targets=[0])
