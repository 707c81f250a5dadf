"""Programs that say "begun" and are then interrupted as by Ctrl-C."""

import signal
import subprocess
import sys
import time
from typing import NamedTuple

import pytest

needs_signals = pytest.mark.skipif(
    sys.platform == "win32", reason="signals of Ctrl-C are sent otherwise on Windows"
)


class Ended(NamedTuple):
    """How a program ended, and how long after the interrupt."""

    out: str
    errors: str
    returncode: int
    seconds: float


def interrupted(program):
    """Run a program, interrupt it half a second after it has said "begun", and wait for its end."""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "begun\n", process.stderr.read()
        time.sleep(0.5)
        assert process.poll() is None, "the program was over before it could be interrupted"
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        out, errors = process.communicate(timeout=60)
        return Ended(out, errors, process.returncode, time.monotonic() - sent)
    finally:
        process.kill()
        process.communicate()
