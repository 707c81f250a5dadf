"""graphquant demo."""

import pytest
from typer.testing import CliRunner

import graphquant as gq
from graphquant.cli import _drawing
from graphquant.cli.app import app
from graphquant.graphs import Column, RawGraphs

runner = CliRunner()


def test_demo_writes_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = runner.invoke(app, ["demo"])
    assert result.exit_code == 0, result.stderr
    assert "750" in result.stdout
    assert "Some of them: A H K" in result.stdout
    assert "wrote graphquant-demo/letters.parquet (750 graphs" in result.stderr.replace("\\", "/")
    assert "try next: graphquant info graphquant-demo" in result.stderr
    assert len(gq.read(tmp_path / "graphquant-demo" / "letters.parquet")) == 750
    assert runner.invoke(app, ["demo"]).exit_code == 0, "a second run replaces the first"


def test_demo_elsewhere(tmp_path):
    result = runner.invoke(app, ["demo", "-o", str(tmp_path / "a" / "b")])
    assert result.exit_code == 0
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["letters.parquet"]


def test_demo_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    result = runner.invoke(app, ["demo", "-o", str(tmp_path / "file" / "sub")])
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert "hint: " in result.stderr


@pytest.mark.parametrize(
    ("called", "found", "shown"),
    [
        (".venv/bin/graphquant", None, ".venv/bin/graphquant info "),
        (".venv/bin/graphquant", "/usr/bin/graphquant", "graphquant info "),
        ("pytest", None, "graphquant info "),
    ],
)
def test_demo_names_a_program_that_the_shell_finds(tmp_path, monkeypatch, called, found, shown):
    monkeypatch.setattr("sys.argv", [called])
    monkeypatch.setattr("shutil.which", lambda name: found)
    result = runner.invoke(app, ["demo", "-o", str(tmp_path)])
    assert f"try next: {shown}" in result.stderr.replace("\\", "/")


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
