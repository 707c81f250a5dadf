"""The fuzzers of this folder, each in a process of its own: a sample here, all of it in ``make fuzz``."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import damage

# Cases of each kind; make fuzz has many more.
N_CASES = int(os.environ.get("GRAPHQUANT_FUZZ_FILES", "150"))
ROOT = Path(__file__).resolve().parents[2]


def outcome(program, kind, count):
    done = subprocess.run(
        [sys.executable, "-m", f"tests.fuzz.{program}", kind, str(count)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60 + count,
    )
    # A crash has no output.
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["failures"] == []
    return result["found"]


@pytest.mark.property
@pytest.mark.parametrize("kind", sorted(damage.KINDS))
def test_a_damaged_file_is_refused_or_the_same(kind):
    found = outcome("damage", kind, N_CASES)
    # Else nothing was damaged.
    assert found["refused"] > N_CASES // 2
