"""Importing graphquant pulls in no package that the work at hand does not need."""

import subprocess
import sys

import pytest

HEAVY = ("networkx", "matplotlib", "rdkit", "dask", "pyarrow", "sklearn", "numba", "pandas", "typer")


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


def test_data_sets_need_scikit_learn_only():
    # scikit-learn loads pandas, and pandas loads pyarrow, where they are installed.
    allowed = {"sklearn", "pandas", "pyarrow"}
    assert loaded_by("import graphquant as gq; gq.datasets.make_letters(1)") <= allowed


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
