"""Whole processes: the first results after installation, commands, no home folder, Ctrl-C."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.versus._sides import Side

DISTANCE = """
import graphquant as gq
gq.distance(gq.Graph([[0.0, 0.0], [1.0, 0.0]], [(0, 1)]), gq.Graph([[0.0, 0.5], [1.0, 1.0]], [(0, 1)]))
"""
FIT = """
import graphquant as gq
letters = gq.datasets.make_letters(10, random_state=0)
gq.GraphQuantizer(15, random_state=0).fit(letters)
"""
FIRST = {"gq.distance": DISTANCE, "fit of 150 letters": FIT}
COMMANDS = ("info letters", "distance letters:0 letters:1")
# Prints the files that were opened to be written to.
WITHOUT_A_HOME = (
    """
import os
import sys
written = []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        written.append(arguments[0])
sys.addaudithook(watch)
"""
    + DISTANCE
    + FIT
    + """
print([name for name in written if not str(name).startswith("/dev/")])
"""
)
# A process that was begun in the background may ignore Ctrl-C.
LISTEN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
"""
LARGE_PAIR = """
import numpy as np
import graphquant as gq
def graph(seed):
    rng = np.random.default_rng(seed)
    edges = np.unique(np.sort(rng.integers(2000, size=(4000, 2)), axis=1), axis=0)
    return gq.Graph(rng.random((2000, 2)), edges[edges[:, 0] < edges[:, 1]])
x, y = graph(0), graph(1)
gq.distance(gq.Graph([1.0]), gq.Graph([2.0]))
print("begun", flush=True)
gq.distance(x, y)
"""
LARGE_FIT = """
import sys
import graphquant as gq
graphs = gq.read(sys.argv[1]).graphs[:1000]
gq.GraphQuantizer(2, max_cycles=1).fit(graphs[:10])
print("begun", flush=True)
gq.GraphQuantizer(30, random_state=0).fit(graphs)
"""
# Seconds after which a process that does not end is killed.
PATIENCE = 120.0


def seconds(side: Side, *arguments: str, environ: Mapping[str, str] | None = None) -> float:
    """Return the seconds of a process of Python from its start to its end."""
    # In a folder of its own: nothing of the repository may be found by accident.
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        subprocess.run(
            [side.python, *arguments],
            env=side.environ if environ is None else environ,
            cwd=folder,
            check=True,
            capture_output=True,
        )
        return time.perf_counter() - began


def first_seconds(side: Side, code: str) -> float:
    """Return the seconds of a program after installation."""
    with side.fresh() as environ:
        return seconds(side, "-c", code, environ=environ)


def command_seconds(side: Side, command: str) -> float:
    """Return the seconds of a command of the program."""
    return seconds(side, "-m", "graphquant", *command.split())


def said_without_home(side: Side, home: str | None) -> str:
    """Work without a home that can be written to; return what was said and written."""
    environ = {name: value for name, value in side.environ.items() if name not in ("HOME", "NUMBA_CACHE_DIR")}
    environ |= {} if home is None else {"HOME": home}
    done = subprocess.run(
        [side.python, "-c", WITHOUT_A_HOME], env=environ, cwd="/", capture_output=True, text=True, check=False
    )
    failed = f"exit code {done.returncode}" if done.returncode else ""
    written = "" if done.stdout.strip() == "[]" else f"written: {done.stdout.strip()}"
    return "; ".join(filter(None, (failed, done.stderr.strip(), written)))


def seconds_after_interrupt(side: Side, code: str, arguments: tuple[str, ...], delay: float) -> float | None:
    """Return the seconds from Ctrl-C to the end; None if the process was over before it."""
    process = subprocess.Popen(
        [side.python, "-W", "ignore", "-c", LISTEN + code, *arguments],
        env=side.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        if process.poll() is not None:
            return None
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return PATIENCE
        return time.monotonic() - sent
    finally:
        process.kill()
        process.communicate()


def unwritable_home() -> str:
    """Return a folder that nobody can write to: not even root, who may write to a read-only one."""
    return "/proc" if Path("/proc").is_dir() else os.devnull
