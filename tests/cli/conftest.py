"""Small files that the commands work on, and the program in this process."""

import pytest
from typer.testing import CliRunner

import graphquant as gq
from graphquant.cli.app import app

_runner = CliRunner()


def _call(*args):
    return _runner.invoke(app, [str(arg) for arg in args])


@pytest.fixture
def call():
    """Run the program, whatever comes of it."""
    return _call


@pytest.fixture
def run():
    """Run the program; it must succeed."""

    def succeed(*args):
        result = _call(*args)
        assert result.exit_code == 0, result.stderr
        return result

    return succeed


@pytest.fixture
def fail():
    """Run the program; it must end with this exit code, print nothing but why."""

    def end_with(code, *args):
        result = _call(*args)
        assert result.exit_code == code, result.stderr
        assert result.stdout == ""
        assert "Traceback" not in result.stderr
        return result.stderr

    return end_with


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cli")


@pytest.fixture(scope="session")
def letters(folder):
    """Forty-five letters with named attributes and classes."""
    path = folder / "letters.jsonl"
    gq.write(gq.datasets.make_letters(n_per_class=3), path)
    return path


@pytest.fixture(scope="session")
def codebook(folder, letters):
    """Five code graphs of these letters."""
    path = folder / "codebook.parquet"
    result = _call("fit", letters, "-k", 5, "--cycles", 3, "-o", path)
    assert result.exit_code == 0, result.stderr
    return path
