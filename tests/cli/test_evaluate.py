"""graphquant evaluate."""

import csv
import io
import json

import pytest

import graphquant as gq
from graphquant import metrics


@pytest.fixture
def expected(codebook, letters):
    q = gq.load(codebook)
    data = gq.read(letters, encoder=q.encoder_)
    return q.match(data.graphs), data


def test_measures(run, codebook, letters, expected):
    found, data = expected
    record = json.loads(run("evaluate", codebook, letters, "--format", "json").stdout)
    assert record == {
        "graphs": 45,
        "codes": 5,
        "distortion": pytest.approx(found.distortion),
        "mean_distance": metrics.mean_distance(found.distance),
        "proven": 1.0,
        "matchings": found.n_matchings,
        "accuracy": metrics.majority_accuracy(labels=found.label, targets=data.targets),
    }


def test_silhouette(run, codebook, letters, expected):
    found, data = expected
    args = ["evaluate", codebook, letters, "--silhouette", "--format", "json"]
    record = json.loads(run(*args).stdout)
    assert record["silhouette"] == metrics.silhouette_index(gq.pairwise_distances(data.graphs), found.label)
    assert record["silhouette_graphs"] == 45
    sampled = json.loads(run(*args, "--max-graphs", 20).stdout)
    assert sampled["silhouette_graphs"] == 20
    assert -1.0 <= sampled["silhouette"] <= 1.0


def test_without_classes_there_is_no_accuracy(run, codebook, letters, tmp_path):
    gq.write(gq.read(letters).raw, tmp_path / "l.jsonl")
    assert "accuracy" not in run("evaluate", codebook, tmp_path / "l.jsonl").stdout


def test_formats_and_files(run, codebook, letters, tmp_path):
    lines = run("evaluate", codebook, letters).stdout.splitlines()
    assert lines[0] == "graphs         45"
    assert run("evaluate", codebook, letters, "--format", "csv", "-o", tmp_path / "e.csv").stdout == ""
    (row,) = csv.DictReader(io.StringIO((tmp_path / "e.csv").read_text()))
    assert row["graphs"] == "45"


def test_nothing_half_is_left(fail, codebook, tmp_path):
    fail(1, "evaluate", codebook, "blobs", "-o", tmp_path / "e.json")
    assert list(tmp_path.iterdir()) == []
