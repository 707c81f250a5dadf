"""graphquant fit."""

import json
import re

import numpy as np
import pytest
from typer.main import get_command

import graphquant as gq
from graphquant.cli._options import MatcherName
from graphquant.cli.app import app
from graphquant.cli.fit import AlgorithmName, InitName
from graphquant.initialisation import INITIALISATIONS
from graphquant.learning.plan import CHOICES
from graphquant.matching import MATCHERS

# Channels of two numbers on the curve.
_XY = tuple(f"{wave} {axis}" for axis in "xy" for wave in ("cos", "sin", "cos2", "sin2"))


def test_writes_a_codebook_and_says_what_it_took(run, letters, tmp_path):
    path = tmp_path / "codebook.parquet"
    result = run("fit", letters, "-k", 4, "--cycles", 3, "-o", path, "--format", "json")
    record = json.loads(result.stdout)
    assert (record["graphs"], record["codes"], record["cycles"]) == (45, 4, 3)
    assert record["standard_matchings"] == 4 * 45 * 3
    assert 0 < record["matchings"] <= record["standard_matchings"]
    q = gq.load(path)
    assert len(q.codebook_) == 4
    assert q.distortion_ == record["distortion"]
    assert q.encoder_.node_channels_ == _XY


def test_the_attributes_are_told_before_the_run(run, letters, tmp_path):
    result = run("fit", letters, "-k", 2, "--cycles", 1, "-o", tmp_path / "c.parquet")
    lines = result.stderr.splitlines()
    assert lines[0] == f"{letters}: 45 graphs in 15 classes"
    assert lines[1] == "  nodes: 8 channels"
    assert "learning 2 code graphs (lossless, at most 1 cycle, seed 0)" in lines


def test_quiet(run, letters, tmp_path):
    assert run("fit", letters, "-k", 2, "--cycles", 1, "-o", tmp_path / "c.parquet", "-q").stderr == ""


def test_the_options_are_those_of_the_library(run, letters, tmp_path):
    path = tmp_path / "c.parquet"
    options = (
        "--algorithm accelerated --matcher frank-wolfe --cycles 2 --rate 0.2,0.1 --init random --n-init 2"
    )
    more = "--n-init 2 --tol 0.001 --theta 0.1 --seed 3 --batch-size 5"
    result = run("fit", letters, "-k", 2, *options.split(), *more.split(), "-o", path)
    params = gq.load(path).get_params()
    expected = {
        "algorithm": "accelerated",
        "matcher": "frank-wolfe",
        "max_cycles": 2,
        "learning_rate": (0.2, 0.1),
        "init": "random",
        "n_init": 2,
        "tol": 0.001,
        "theta": 0.1,
        "random_state": 3,
        "batch_size": 5,
    }
    assert {name: params[name] for name in expected} == expected
    assert "Raise --cycles or --tol." in result.stderr, "warnings speak of options"


def test_cycles_are_left_to_the_library(letters, run, tmp_path):
    run("fit", letters, "-k", 2, "-o", tmp_path / "c.parquet")
    assert gq.load(tmp_path / "c.parquet").max_cycles == "auto"


@pytest.mark.parametrize(
    ("cycles", "said"), [([], "at most 20 cycles"), (["--cycles", 7], "at most 7 cycles")]
)
def test_the_cycles_that_are_told_are_those_that_are_gone_through(run, letters, tmp_path, cycles, said):
    """Once it said: at most None cycles."""
    path = tmp_path / "c.parquet"
    result = run("fit", letters, "-k", 15, *cycles, "-o", path)
    assert said in result.stderr
    assert gq.load(path).n_cycles_ == int(said.split()[2])


def test_the_cycles_of_partitions(run, letters, tmp_path):
    (tmp_path / "parts").mkdir()
    vectors = gq.read(letters).graphs
    gq.write(vectors[:20], tmp_path / "parts" / "a.parquet")
    gq.write(vectors[20:], tmp_path / "parts" / "b.parquet")
    result = run("fit", tmp_path / "parts", "-k", 15, "-o", tmp_path / "c.parquet")
    assert "at most 20 cycles" in result.stderr
    assert gq.load(tmp_path / "c.parquet").n_cycles_ == 20


def test_help_and_docs_agree_on_the_cycles():
    """One place decides, ``rates.cycles_for``; whoever changes it is led here."""
    from graphquant.learning import rates

    numbers = rates._USUAL_CYCLES, rates.MOST_CYCLES, rates._LEAST_CYCLES
    (option,) = [p for p in get_command(app).commands["fit"].params if "--cycles" in p.opts]
    assert tuple(map(int, re.findall(r"\d+", option.help))) == numbers
    (text,) = re.findall(r"``\"auto\"``: (\d+;.*?)\. The paper", gq.GraphQuantizer.__doc__, flags=re.DOTALL)
    assert re.findall(r"^\d+|up to \d+|down to \d+", text) == [
        str(numbers[0]),
        f"up to {numbers[1]}",
        f"down to {numbers[2]}",
    ]


def test_the_choices_are_those_of_the_library():
    assert set(AlgorithmName) == set(CHOICES)
    assert set(MatcherName) == set(MATCHERS)
    assert set(InitName) == set(INITIALISATIONS)


def test_the_same_seed_gives_the_same_codebook_with_any_number_of_threads(run, letters, tmp_path):
    books = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.parquet"
        run("fit", letters, "-k", 3, "--cycles", 2, "--batch-size", 10, "--jobs", jobs, "-o", path)
        books.append(gq.load(path).codebook_)
    assert books[0] == books[1]


@pytest.mark.parametrize(
    ("options", "channels"),
    [
        (["--node", "x"], (_XY[:4], ("presence",))),
        (["--node-onehot", "y", "--node", "x"], None),
        (["--node", ""], (("presence",), ("presence",))),
    ],
)
def test_attributes(run, letters, tmp_path, options, channels):
    run("fit", letters, "-k", 2, "--cycles", 1, "-o", tmp_path / "c.parquet", *options)
    encoder = gq.load(tmp_path / "c.parquet").encoder_
    if channels is None:
        assert encoder.node_channels_[:4] == _XY[:4]
        assert encoder.node_channels_[4].startswith("y=")
    else:
        assert (encoder.node_channels_, encoder.edge_channels_) == channels


def test_unit_norm_is_kept_with_the_codebook(run, letters, tmp_path):
    path = tmp_path / "c.parquet"
    result = run("fit", letters, "-k", 45, "--cycles", 0, "--unit-norm", "-o", path)
    assert "  each graph scaled to norm 1" in result.stderr
    rows = [json.loads(line) for line in run("encode", path, letters, "--format", "json").stdout.splitlines()]
    # Each letter is a code graph: raw letters that are not scaled would be far away.
    assert np.allclose([row["distance"] for row in rows], 0.0, atol=1e-6)


class TestMistakes:
    def test_an_attribute_that_is_not_there(self, fail, letters, tmp_path):
        message = fail(1, "fit", letters, "-k", 2, "--node", "x,z", "-o", tmp_path / "c.parquet")
        assert message.startswith("error: The graphs have no node attribute 'z'.\n\nhint: ")
        assert "There are: 'x', 'y'." in message

    def test_more_codes_than_graphs(self, fail, letters, tmp_path):
        message = fail(1, "fit", letters, "-k", 46, "-q", "-o", tmp_path / "c.parquet")
        assert message == (
            "error: -k 46 is larger than the 45 graphs given.\n\nhint: Lower -k or pass more graphs.\n"
        )

    def test_vectors_with_options_of_attributes(self, fail, tmp_path):
        message = fail(1, "fit", "blobs", "-k", 2, "--node", "x", "-o", tmp_path / "c.parquet")
        assert message.startswith("error: blobs: already contains vectors (nodes: a0, a1; edges: a0).")

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("no/such/folder/c.parquet", "cannot be written (No such file or directory)"),
            ("", "codebooks are Parquet files"),
            ("c.gxl", "codebooks are Parquet files"),
        ],
    )
    def test_an_unwritable_output_is_found_before_the_work(self, fail, tmp_path, monkeypatch, name, expected):
        monkeypatch.setattr("graphquant.cli._data.load_data", lambda *args: pytest.fail("work began"))
        message = fail(1, "fit", "letters", "-k", 2, "-o", tmp_path / name)
        assert message.startswith(f"error: {tmp_path / name}: {expected}")
        assert "\n\nhint: " in message

    def test_an_output_that_is_a_folder(self, fail, tmp_path):
        (tmp_path / "c.parquet").mkdir()
        assert "is a folder, expected a file name" in fail(
            1, "fit", "blobs", "-k", 2, "-o", tmp_path / "c.parquet"
        )

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (["-k", "0"], "Invalid value for '--codes'"),
            (["-k", "two"], "Invalid value for '--codes'"),
            (["-k", "2", "--rate", "fast"], "Invalid value for '--rate': 'fast' is not auto, linear"),
            (["-k", "2", "--rate", "0.1,0.2,0.3"], "Invalid value for '--rate'"),
            (["-k", "2", "--algorithm", "quick"], "Invalid value for '--algorithm'"),
            (["-k", "2", "--resume"], "--resume needs --checkpoint DIR"),
            ([], "Missing option '--codes'"),
        ],
    )
    def test_usage(self, fail, tmp_path, options, expected):
        message = fail(2, "fit", "letters", "-o", tmp_path / "c.parquet", *options)
        assert message.startswith("error: ")
        assert expected in message
        assert "\n\nhint: See 'graphquant fit --help'." in message


class TestCheckpoint:
    def test_an_existing_one_needs_resume(self, run, fail, letters, tmp_path):
        args = ["fit", letters, "-k", 3, "--cycles", 3, "--checkpoint", tmp_path / "cp"]
        first = run(*args, "-o", tmp_path / "a.parquet", "--format", "json")
        message = fail(1, *args, "-o", tmp_path / "b.parquet")
        assert message.startswith(f"error: {tmp_path / 'cp'}: already contains the checkpoint of a run.")
        assert "hint: Add --resume to continue that run" in message
        again = run(*args, "-o", tmp_path / "b.parquet", "--resume", "--format", "json")
        assert json.loads(again.stdout)["distortion"] == json.loads(first.stdout)["distortion"]
        assert gq.load(tmp_path / "a.parquet").codebook_ == gq.load(tmp_path / "b.parquet").codebook_

    def test_resume_says_where_it_goes_on(self, run, letters, tmp_path):
        args = ["fit", letters, "-k", 3, "--cycles", 4, "--checkpoint", tmp_path / "cp"]
        first = run(*args, "-o", tmp_path / "a.parquet")
        assert "going on" not in first.stderr
        again = run(*args, "-o", tmp_path / "b.parquet", "--resume")
        assert "\ncontinuing after cycle 4 of 4\n" in again.stderr

    def test_resume_of_several_runs(self, run, letters, tmp_path):
        args = ["fit", letters, "-k", 3, "--cycles", 2, "--n-init", 2, "--checkpoint", tmp_path / "cp"]
        run(*args, "-o", tmp_path / "a.parquet")
        again = run(*args, "-o", tmp_path / "b.parquet", "--resume")
        assert "run 1: continuing after cycle 2 of 2\nrun 2: continuing after cycle 2 of 2\n" in again.stderr

    def test_resume_before_the_first_cycle_starts(self, run, letters, tmp_path):
        args = ["fit", letters, "-k", 2, "--cycles", 1, "--checkpoint", tmp_path / "cp", "--resume"]
        result = run(*args, "-o", tmp_path / "c.parquet")
        assert f"no checkpoint in {tmp_path / 'cp'} yet: starting from scratch" in result.stderr

    def test_that_of_another_run_is_refused(self, run, fail, letters, tmp_path):
        args = ["fit", letters, "--cycles", 1, "--checkpoint", tmp_path / "cp", "-o", tmp_path / "c.parquet"]
        run(*args, "-k", 2)
        assert "the checkpoint of a run with a different -k" in fail(1, *args, "-k", 3, "--resume")
