"""graphquant demo."""

import csv

import pytest

import graphquant as gq
from graphquant.cli import _drawing, demo
from graphquant.datasets import make_letters
from graphquant.graphs import Column, RawGraphs


@pytest.fixture
def small(monkeypatch):
    """The same demo with fewer letters."""
    monkeypatch.setattr("graphquant.datasets.make_letters", lambda: make_letters(n_per_class=4))


def test_demo_in_an_empty_folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("demo")
    text = result.stdout
    assert "750 letters of 15 classes" in text
    assert "112,500" in text, "what the standard algorithm would have taken"
    for word in ("standard", "lossless", "distortion", "accuracy", "silhouette", "report.html", "Try next"):
        assert word in text
    assert all(len(line) <= 80 for line in text.splitlines()), "fits a terminal"
    folder = tmp_path / "graphquant-demo"
    assert sorted(path.name for path in folder.iterdir()) == sorted(demo._FILES)
    assert len(gq.load(folder / "codebook.parquet").codebook_) == 30
    with (folder / "encodings.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 750
    assert {row["proven"] for row in rows} == {"true"}
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    evaluate = next(line.split() for line in text.splitlines() if " evaluate " in line)
    run(*evaluate[1:])


@pytest.mark.usefixtures("small")
class TestFolder:
    def test_elsewhere(self, run, tmp_path):
        run("demo", "-o", tmp_path / "a" / "b")
        assert len(list((tmp_path / "a" / "b").iterdir())) == 3

    def test_a_second_run_replaces_the_first(self, run, tmp_path):
        run("demo", "-o", tmp_path, "--seed", 1)
        first = (tmp_path / "encodings.csv").read_text()
        run("demo", "-o", tmp_path, "--seed", 2)
        assert (tmp_path / "encodings.csv").read_text() != first

    def test_files_of_others_are_left_alone(self, fail, tmp_path):
        (tmp_path / "thesis.tex").write_text("")
        message = fail(1, "demo", "-o", tmp_path)
        assert message.startswith(
            f"error: {tmp_path}: contains files that are not from this demo, such as thesis.tex."
        )
        assert "hint: Name another folder: graphquant demo --output DIR" in message
        assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]

    def test_where_nothing_can_be_written(self, fail, tmp_path):
        (tmp_path / "file").write_text("")
        message = fail(1, "demo", "-o", tmp_path / "file" / "sub")
        assert message.startswith(f"error: {tmp_path / 'file' / 'sub'}: cannot be created (Not a directory).")

    @pytest.mark.parametrize(
        ("called", "found", "shown"),
        [
            (".venv/bin/graphquant", None, ".venv/bin/graphquant evaluate "),
            (".venv/bin/graphquant", "/usr/bin/graphquant", "  graphquant evaluate "),
            ("pytest", None, "  graphquant evaluate "),
        ],
    )
    def test_names_a_program_that_the_shell_finds(self, run, tmp_path, monkeypatch, called, found, shown):
        monkeypatch.setattr("sys.argv", [called])
        monkeypatch.setattr("shutil.which", lambda name: found)
        assert shown in run("demo", "-o", tmp_path).stdout


@pytest.mark.parametrize(("braille", "stroke", "blank"), [(True, "⡇", "⠀"), (False, "#", " ")])
def test_drawing(monkeypatch, braille, stroke, blank):
    monkeypatch.setattr(_drawing, "_has_braille", lambda: braille)
    upright = RawGraphs(
        [0, 2],
        [0, 1],
        [(0, 1)],
        {"x": Column.from_numbers([0.0, 0.0]), "y": Column.from_numbers([0.0, 3.0])},
        {},
    )
    picture = _drawing.draw_side_by_side(upright, [0], width=3, height=2)
    assert picture.splitlines() == [(stroke + 2 * blank).rstrip()] * 2
