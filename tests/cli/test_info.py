"""graphquant info."""

import csv
import io
import json
import shutil
import zipfile

import pytest
from typer.testing import CliRunner

import graphquant as gq
from graphquant.cli._data import IAM_NAMES
from graphquant.cli.app import app
from graphquant.datasets import make_letters
from graphquant.datasets.iam import _SUBSETS
from graphquant.graphs import Column, RawGraphs
from tests.io.gxl_documents import GOOD, listing

# Channels of two numbers on the curve.
_XY = tuple(f"{wave} {axis}" for axis in "xy" for wave in ("cos", "sin", "cos2", "sin2"))


runner = CliRunner()


def info(*args):
    result = runner.invoke(app, ["info", *map(str, args)])
    assert result.exit_code == 0, result.stderr
    return result


def info_json(*args):
    return json.loads(info(*args, "--format", "json").stdout)


@pytest.fixture
def mixed(tmp_path):
    """A file with numbers, strings, missing values and classes."""
    raw = RawGraphs(
        [0, 2, 3],
        [0, 1, 1],
        [(0, 1)],
        {"x": Column.from_numbers([1.0, None, 3.0]), "symbol": Column.from_strings(["C", "O", "C"])},
        {"bond": Column.from_strings(["single"])},
        names=["pair", "dot"],
    )
    path = tmp_path / "mixed.jsonl"
    gq.write(raw, path, targets=["b", "a"])
    return path


def test_table_has_the_columns_of_table_1():
    lines = info("letters").stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("graphs"))
    assert lines[at].split()[:10] == [
        "graphs",
        "classes",
        "avg",
        "nodes",
        "max",
        "nodes",
        "avg",
        "edges",
        "max",
        "edges",
    ]
    assert lines[at + 1].split()[:2] == ["750", "15"]
    assert "A 50, E 50" in "\n".join(lines)
    assert "  x         numeric on a curve, centred on " in "\n".join(lines)


def test_json(mixed):
    data = info_json(mixed)
    assert (data["graphs"], data["classes"], data["max_nodes"], data["max_edges"]) == (2, 2, 2, 1)
    assert (data["avg_nodes"], data["avg_edges"], data["directed"]) == (1.5, 0.5, False)
    assert data["class_counts"] == {"a": 1, "b": 1}
    x, symbol, bond = data["attributes"]
    assert (x["of"], x["name"], x["kind"], x["missing"]) == ("node", "x", "numeric", 1)
    assert (x["min"], x["max"], x["mean"]) == (1.0, 3.0, 2.0)
    assert (symbol["kind"], symbol["n_categories"], symbol["categories"]) == ("string", 2, ["C", "O"])
    assert (bond["of"], bond["categories"]) == ("edge", ["single"])
    # What fit does too: missing values become the mean, and the table has said how many there are.
    assert "missing values:" not in data["encoding"]
    assert "missing" not in info(mixed).stderr


def test_csv(mixed):
    (row,) = csv.DictReader(io.StringIO(info(mixed, "--format", "csv").stdout))
    assert row == {
        "data": str(mixed),
        "graphs": "2",
        "classes": "2",
        "avg_nodes": "1.5",
        "max_nodes": "2",
        "avg_edges": "0.5",
        "max_edges": "1",
    }


def test_table_of_a_file(mixed):
    text = info(mixed).stdout
    assert "1 to 3, mean 2" in text
    assert "2: C, O" in text
    assert "a 1, b 1" in text


def test_vectors_name_their_channels(tmp_path):
    gq.write(make_letters(2), tmp_path / "letters.parquet")
    data = info_json(tmp_path / "letters.parquet")
    assert [a["name"] for a in data["attributes"]] == [*_XY, "presence"]
    assert "centred on" in data["encoding"]


def test_vectors_without_an_encoder(tmp_path):
    gq.write(gq.GraphCollection([gq.Graph([1.0])]), tmp_path / "dot.parquet")
    data = info_json(tmp_path / "dot.parquet")
    assert [a["name"] for a in data["attributes"]] == ["a0", "a0"]
    assert data["encoding"] == "none: the attributes are already vectors"
    assert data["classes"] is None
    assert " -  " in info(tmp_path / "dot.parquet").stdout


def test_many_categories_are_counted(tmp_path):
    symbols = Column.from_strings(f"s{i:02}" for i in range(20))
    gq.write(RawGraphs([0, 20], [0, 0], [], {"symbol": symbols}, {}), tmp_path / "many.jsonl")
    assert "20: s00, " in info(tmp_path / "many.jsonl").stdout
    assert "... (8 more)" in info(tmp_path / "many.jsonl").stdout


@pytest.mark.parametrize("name", ["letters:low", "letters:med", "letters:high", "blobs"])
def test_built_in(name):
    data = info_json(name)
    assert data["data"] == name
    assert data["graphs"] in (200, 750)


def test_a_name_goes_before_a_path(tmp_path, monkeypatch, mixed):
    shutil.copy(mixed, tmp_path / "letters")
    monkeypatch.chdir(tmp_path)
    assert info_json("letters")["graphs"] == 750
    assert info_json("./letters", "--input-format", "jsonl")["graphs"] == 2


def test_skipped_graphs_are_counted_and_listed(mixed):
    mixed.write_text(mixed.read_text() + "{broken\n")
    failed = runner.invoke(app, ["info", str(mixed)])
    assert failed.exit_code == 1
    assert "line 3" in failed.stderr
    result = info(mixed, "--on-error", "skip", "--format", "json")
    assert json.loads(result.stdout)["graphs"] == 2
    assert len(json.loads(result.stdout)["skipped"]) == 1
    warning, line = result.stderr.splitlines()
    assert warning == "warning: graphs skipped: 1"
    assert "line 3" in line


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["letters", "--split", "test"], "--split is for files; letters is the name of a data set"),
        (["letters", "--input-format", "gxl"], "--input-format is for files"),
        (["grec", "--repair"], "--repair is for files"),
        (["letters", "--data", "."], "--data is for letter, "),
    ],
)
def test_options_without_effect_are_refused(args, message):
    result = runner.invoke(app, ["info", *args])
    assert result.exit_code == 1
    assert message in result.stderr


def test_iam_names_are_those_of_load_iam():
    assert set(IAM_NAMES) == set(_SUBSETS)


def test_iam_subset_that_is_not_there(tmp_path):
    result = runner.invoke(app, ["info", "grec", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "has neither GREC.zip nor a folder GREC.\n" in result.stderr
    assert "hint: Pass --data, or set GRAPHQUANT_DATA, to the folder" in result.stderr


def test_iam_subset(iam_path):
    data = info_json("letter", "--data", iam_path)
    assert (data["graphs"], data["classes"], data["max_nodes"], data["max_edges"]) == (750, 15, 8, 6)
    assert info_json("letter", "--data", iam_path, "--split", "validation")["graphs"] == 750


def test_iam_zip_with_flaws(iam_path):
    path = iam_path / "GREC.zip"
    result = info(path, "--split", "test", "--format", "json")
    data = json.loads(result.stdout)
    assert data["graphs"] == 528
    assert len(data["repaired"]) == 1
    assert "1 flaw was repaired" in result.stderr
    assert "image22_40" in result.stderr


def test_what_was_repaired_is_told_in_words_of_the_shell(tmp_path):
    with zipfile.ZipFile(tmp_path / "S.zip", "w") as archive:
        for name in ("train", "test"):
            archive.writestr(f"data/{name}.gxl", GOOD)
            archive.writestr(f"data/{name}.cxl", listing((f"{name}.gxl", "A")))
    told = info(tmp_path / "S.zip").stderr
    assert "all of them are read ('test.cxl', 'train.cxl'); choose with --split.\n" in told
