"""Every code block of the documentation runs as printed; those of the gallery run when the site is built."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphquant.cli.app import app

DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDERS = (DOCS, DOCS / "guide", DOCS / "howto")
PAGES = {
    str(page.relative_to(DOCS)): page.read_text(encoding="utf-8") for f in FOLDERS for page in f.glob("*.rst")
}
BLOCK = re.compile(r"^\.\. code-block:: (\w+)\n\n((?:   .*\n|\n)+)", flags=re.MULTILINE)
# What a page may tell a reader to do that no test can do for him.
SET_UP = ("pip", "make")
# Characters in a line of code at 1280 pixels; examples/ruff.toml has the same number.
COLUMN = 91


def shell_lines(text):
    code = "".join(code for language, code in BLOCK.findall(text) if language == "sh")
    return [words for words in (shlex.split(line, comments=True) for line in code.splitlines()) if words]


def test_there_are_pages():
    assert {"start.rst", "guide/distance.rst", "howto/molecules.rst"} <= set(PAGES)


@pytest.mark.parametrize("page", sorted(name for name, text in PAGES.items() if ">>>" in text))
def test_python(page, tmp_path, monkeypatch):
    if page == "howto/molecules.rst":
        pytest.importorskip("rdkit")
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=flags, encoding="utf-8")
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("page", sorted(name for name, text in PAGES.items() if shell_lines(text)))
def test_shell(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if page == "howto/molecules.rst":
        pytest.importorskip("rdkit")
        Path("drinks.csv").write_text(
            "smiles,name\nCCO,ethanol\nCC(=O)O,acetic acid\nO,water\n", encoding="utf-8"
        )
    for program, *args in shell_lines(PAGES[page]):
        if program in SET_UP:
            continue
        assert program == "graphquant"
        result = CliRunner().invoke(app, args)
        assert result.exit_code == 0, f"{shlex.join(args)}\n{result.stderr}"


@pytest.mark.parametrize("page", sorted(PAGES))
def test_no_other_code(page):
    """A block that no test runs would rot."""
    assert {language for language, _ in BLOCK.findall(PAGES[page])} <= {"sh"}
    assert PAGES[page].count(".. code-block::") == len(BLOCK.findall(PAGES[page]))


def code_lines(text):
    """Yield the lines of doctests, with their results, and of commands."""
    is_code = False
    for line in text.splitlines():
        is_code = bool(line.strip()) and (is_code or line.startswith(">>> "))
        if is_code:
            yield line
    for _, code in BLOCK.findall(text):
        yield from code.splitlines()


@pytest.mark.parametrize("page", sorted(PAGES))
def test_code_fits_its_column(page):
    """Longer lines are wrapped on the page."""
    assert [line for line in code_lines(PAGES[page]) if len(line) > COLUMN] == []


@pytest.mark.parametrize(
    "example", sorted((DOCS.parent / "examples").glob("*/*.py")), ids=lambda file: file.stem
)
def test_code_of_the_gallery_fits_its_column(example):
    """Comments become prose and the docstring above them the heading; both may be longer."""
    _, _, code = example.read_text(encoding="utf-8").split('"""\n', maxsplit=2)
    assert [line for line in code.splitlines() if len(line) > COLUMN and not line.startswith("#")] == []
