"""Importing graphquant pulls in no package that the work at hand does not need."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import graphquant as gq

HEAVY = (
    *("networkx", "matplotlib", "rdkit", "dask", "pyarrow", "sklearn", "scipy", "numba", "pandas", "lxml"),
    *("rich", "typer"),
)
# What the command line itself is made of.
TERMINAL = {"rich", "typer"}
COMMAND = """
from typer.testing import CliRunner
from graphquant.cli.app import app
result = CliRunner().invoke(app, {arguments!r})
assert result.exit_code == 0, result.output
"""


def python(code, *flags):
    return subprocess.run(
        [sys.executable, *flags, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def loaded_by(code):
    """Which heavy packages a piece of code imports."""
    result = python(f"import sys\n{code}\nprint(*(set({HEAVY!r}) & sys.modules.keys()))")
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import graphquant",
        "import graphquant; graphquant.__version__; dir(graphquant)",
        "import graphquant as gq; gq.GraphCollection([gq.Graph([1.0, 2.0], [(0, 1)])])",
        "import graphquant as gq; gq.exceptions.GraphQuantError",
    ],
)
def test_light(code):
    assert loaded_by(code) == set()


@pytest.mark.parametrize(
    "code",
    [
        "gq.datasets.make_letters(1)",
        "gq.preprocessing.AttributeEncoder().fit_transform([gq.Graph([1.0, 2.0])])",
        "gq.metrics.majority_accuracy(labels=[0, 1], targets=[0, 1])",
        "gq.io.get_format('parquet'), gq.plotting.graph_svg, gq.report.write_report",
    ],
)
def test_light_work(code):
    assert loaded_by(f"import graphquant as gq; {code}") == set()


@pytest.mark.parametrize(
    "code",
    [
        "gq.distance(gq.Graph([1.0]), gq.Graph([2.0]))",
        "gq.mean([gq.Graph([1.0]), gq.Graph([2.0])])",
        "gq.pairwise_distances(gq.datasets.make_letters(1)[:2])",
    ],
)
def test_matching(code):
    assert loaded_by(f"import graphquant as gq; {code}") == set()


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["info", "--help"]])
def test_help(arguments):
    # The runner of the tests loads rich, so this is about the others.
    assert loaded_by(COMMAND.format(arguments=arguments)) <= TERMINAL


def test_the_command_line_loads_rich_only_to_print_with_it():
    assert loaded_by("import graphquant.cli.app") == {"typer"}


@pytest.mark.parametrize("data", ["letters", "blobs"])
def test_info(data):
    assert loaded_by(COMMAND.format(arguments=["info", data])) <= TERMINAL


def test_distance_command():
    arguments = ["distance", "letters:0", "letters:1"]
    assert loaded_by(COMMAND.format(arguments=arguments)) <= TERMINAL


def test_convert(tmp_path):
    """Each format loads its own packages only; pyarrow loads pandas where that is installed."""
    lines, table = str(tmp_path / "letters.jsonl"), str(tmp_path / "letters.parquet")
    assert loaded_by(COMMAND.format(arguments=["convert", "letters", lines])) <= TERMINAL
    assert loaded_by(COMMAND.format(arguments=["convert", lines, table])) <= TERMINAL | {"pyarrow", "pandas"}


def test_type_checkers_see_every_name():
    """The imports that only type checkers follow name what is loaded when it is used, and its home."""
    tree = ast.parse(Path(gq.__file__).read_text(encoding="utf-8"))
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(checked.test) == "TYPE_CHECKING"
    homes = {
        name.name: str(node.module).removeprefix("graphquant.")
        for node in checked.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert homes == gq._HOME
    assert set(gq.__all__) == {*gq._HOME, "__version__"}
    assert {*gq._HOME, *gq._SUBPACKAGES} <= set(dir(gq))


def test_import_star():
    result = python(
        "from graphquant import *; print(Graph.__module__, distance.__module__, 'io' in globals())"
    )
    assert result.stdout == "graphquant.graphs._graph graphquant.matching.pair False\n", result.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import graphquant",
        "import graphquant as gq; [getattr(gq, name) for name in gq.__all__]",
        "import graphquant as gq; gq.datasets.make_letters(1); gq.datasets.make_graph_blobs(5)",
    ],
)
def test_no_warnings(code):
    result = python(code, "-W", "error")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""


def test_an_unknown_name():
    result = python("import graphquant; graphquant.nonsense")
    assert "AttributeError: module 'graphquant' has no attribute 'nonsense'" in result.stderr
