"""The fast library is the one that runs, and all libraries give the same bits."""

import json
import os
import subprocess
import sys

import pytest

from graphquant._core import _library
from tests.conftest import REPOSITORY

LIBRARIES = {
    level: path
    for level in _library.LEVELS
    if (path := _library.library_path(_library._FOLDER, level)).is_file()
}
NAMES = {"baseline": "baseline", "v3": "x86-64-v3"}
# Of a build that is to be compared with the installed one: make test-compilers.
OTHER_FOLDER = os.environ.get("GRAPHQUANT_OTHER_CORE")


def trace(**environ):
    """What another process finds with the library that the environment asks for."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHQUANT_")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.trace"],
        env={**inherited, **environ},
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def by_default():
    return trace()


def can_run_v3():
    """Whether this processor has the instructions, asked of the library that every processor can run."""
    baseline = _library.load(LIBRARIES["baseline"], sources=None)
    return bool(baseline.handle.gq_cpu_supports_v3())


def flags_of_cpu():
    """What Linux says of the processor."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            line = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        line = ""
    return set(line.partition(":")[2].split())


def test_the_library_knows_what_the_processor_can_do():
    flags = flags_of_cpu()
    if not flags:
        pytest.skip("the system does not tell the features of the processor")
    needed = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
    assert can_run_v3() == (needed <= flags)


def test_the_fast_library_runs_where_the_processor_has_it(by_default):
    assert by_default["level"] == ("x86-64-v3" if can_run_v3() and "v3" in LIBRARIES else "baseline")


@pytest.mark.parametrize("level", LIBRARIES)
def test_each_library_was_built_for_its_level(level):
    if level == "v3" and not can_run_v3():
        pytest.skip("this processor cannot run it")
    loaded = _library.load(LIBRARIES[level], sources=None)
    # The compiler says which instructions it was allowed to use, not the build what it asked for.
    assert loaded.cpu_level == NAMES[level]


@pytest.mark.parametrize("level", LIBRARIES)
def test_all_levels_give_the_same_bits(level, by_default):
    if level == "v3" and not can_run_v3():
        pytest.skip("this processor cannot run it")
    found = trace(GRAPHQUANT_CPU_LEVEL=level)
    assert found["level"] == NAMES[level]
    assert found["trace"] == by_default["trace"]


@pytest.mark.skipif(OTHER_FOLDER is None, reason="make test-compilers builds with another compiler")
@pytest.mark.parametrize("level", LIBRARIES)
def test_another_compiler_gives_the_same_bits(level, by_default):
    (other,) = (REPOSITORY / OTHER_FOLDER).glob(f"*graphquant_{level}.*")
    found = trace(GRAPHQUANT_LIBRARY=str(other))
    assert found["level"] == NAMES[level]
    assert found["compiler"].partition(" ")[0] != by_default["compiler"].partition(" ")[0]
    assert found["trace"] == by_default["trace"]
