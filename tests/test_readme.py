"""What the README shows runs as printed."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from graphquant.cli.app import app

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


def blocks(language):
    """Code of all blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


def test_it_is_short():
    assert len(README.splitlines()) <= 130


def test_python(tmp_path):
    (code,) = blocks("python")
    assert len(code.splitlines()) <= 10
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "Match(distance=" in result.stdout
    assert "GraphCollection(15 graphs" in result.stdout
    assert "History(10 cycles" in result.stdout
    assert (tmp_path / "codebook.parquet").exists()
    assert (tmp_path / "report.html").exists()


def test_shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # The script on a real zip is run by tests/cli/test_readme.py.
    found = [block for block in blocks("sh") if ".zip" not in block]
    lines = [shlex.split(line, comments=True) for block in found for line in block.splitlines()]
    commands = [line for line in lines if line[0] == "graphquant"]
    assert len(commands) >= 3
    for _, *args in commands:
        result = CliRunner().invoke(app, args)
        assert result.exit_code == 0, result.stderr


def test_targets():
    """All other shell lines are targets of the Makefile."""
    makefile = (Path(__file__).resolve().parents[1] / "Makefile").read_text(encoding="utf-8")
    lines = [shlex.split(line, comments=True) for block in blocks("sh") for line in block.splitlines()]
    targets = [target for program, *targets in lines if program == "make" for target in targets]
    assert targets == ["demo", "test"]
    for target in targets:
        assert f"\n{target}: " in makefile
