"""Files of several partitions on the command line."""

import json

import pytest

import graphquant as gq
from graphquant.io import FileContent, write_file


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    letters = gq.datasets.make_letters(4, random_state=0)
    path = tmp_path_factory.mktemp("parts") / "parts.parquet"
    write_file(FileContent(letters.graphs, letters.labels), path, row_group_size=20)
    return path


FIT = ("-k", 4, "--cycles", 2, "--init", "random", "--format", "json")


def test_fit_and_evaluate(parts, tmp_path, run):
    codebook = tmp_path / "codebook.parquet"
    result = run("fit", parts, *FIT, "-o", codebook)
    assert "60 graphs in 3 partitions" in result.stderr
    record = json.loads(result.stdout)
    expected = gq.GraphQuantizer(4, max_cycles=2, init="random", random_state=0).fit(parts)
    assert gq.load(codebook).codebook_ == expected.codebook_
    assert record["distortion"] == expected.distortion_
    measures = json.loads(run("evaluate", codebook, parts, "--format", "json").stdout)
    assert measures["distortion"] == pytest.approx(expected.distortion_)
    assert measures["graphs"] == 60
    assert 0.0 < measures["accuracy"] <= 1.0


def test_resume(parts, tmp_path, run):
    settings = ("fit", parts, *FIT, "--checkpoint", tmp_path / "snapshots")
    run(*settings, "-o", tmp_path / "a.parquet")
    run(*settings, "-o", tmp_path / "b.parquet", "--resume")
    assert gq.load(tmp_path / "a.parquet").codebook_ == gq.load(tmp_path / "b.parquet").codebook_


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ("letters", ("--scheduler", "local"), "a cluster works on Parquet files"),
        (None, ("--unit-norm",), "already contains vectors"),
        (None, ("--algorithm", "fast"), "learns from graphs in memory only"),
        ("nowhere/*.parquet", (), "no such Parquet file"),
    ],
)
def test_mistakes(data, options, message, parts, tmp_path, fail):
    assert message in fail(1, "fit", data or parts, *FIT, *options, "-o", tmp_path / "x.parquet")


def test_a_folder_of_named_attributes_is_joined(parts, tmp_path, run):
    """Once, it was an error that could be helped in Python only."""
    letters = gq.datasets.make_letters(4, random_state=0)
    (tmp_path / "raw").mkdir()
    for number, chosen in enumerate((slice(20), slice(20, 60))):
        write_file(
            FileContent(letters.raw[chosen], letters.labels[chosen]), tmp_path / "raw" / f"{number}.parquet"
        )
    result = run("fit", tmp_path / "raw", *FIT, "-o", tmp_path / "c.parquet")
    assert "2 files of the format parquet" in result.stderr
    assert json.loads(result.stdout)["graphs"] == 60
    measures = run("evaluate", tmp_path / "c.parquet", tmp_path / "raw", "--format", "json").stdout
    assert json.loads(measures)["accuracy"] > 0.0
