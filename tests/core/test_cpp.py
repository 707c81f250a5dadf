"""The tests of the core in C++ (``cpp/tests``), where there is a compiler."""

import subprocess
import sys

import pytest

from tests.conftest import REPOSITORY
from tools.build_core import find_compiler, find_program


@pytest.mark.timed
def test_the_tests_in_cpp_pass():
    if find_compiler() is None or find_program("cmake") is None:
        pytest.skip("there is no C++ compiler and CMake here: CI runs make test-core")
    if not (REPOSITORY / "cpp" / "tests").is_dir():
        pytest.skip("these are the tests of an installation")
    done = subprocess.run(
        [sys.executable, "-m", "tools.check_core", "test"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
