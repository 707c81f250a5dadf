"""The script of the README: from the zip of the letters to a report."""

import csv
import re
import shlex
from pathlib import Path

import pytest

import graphquant as gq

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
COMMANDS = {"convert", "fit", "encode", "evaluate", "distance", "mean", "report"}


@pytest.fixture(scope="module")
def script():
    blocks = re.findall(r"^```sh\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    (block,) = [block for block in blocks if "Letter.zip" in block]
    return [shlex.split(line, comments=True) for line in block.splitlines()]


def test_all_commands_are_shown(script):
    assert {line[0] for line in script} == {"graphquant"}
    assert {line[1] for line in script} == COMMANDS


def test_it_runs_as_printed(run, script, iam_path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("Letter.zip").symlink_to(iam_path / "Letter.zip")
    printed = {args[1]: run(*args[1:]).stdout for args in script}
    assert len(gq.load("codebook.parquet").codebook_) == 30
    with Path("encodings.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 750
    assert {row["proven"] for row in rows} == {"true"}
    accuracy = float(re.search(r"^accuracy +(\S+)%$", printed["evaluate"], flags=re.MULTILINE)[1])
    assert accuracy > 90
    assert re.search(r"^silhouette +0\.\d+$", printed["evaluate"], flags=re.MULTILINE)
    assert re.search(r"^proven +yes$", printed["distance"], flags=re.MULTILINE)
    assert len(gq.read("mean.gxl")) == 1
    assert Path("report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
