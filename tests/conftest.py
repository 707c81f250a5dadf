"""Shared set-up: hypothesis profiles, compiled kernels, real data if they are there."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import interpreted

settings.register_profile(
    "default", max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.register_profile("fuzz", max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

REPOSITORY = Path(__file__).resolve().parents[1]
COMPILED = tuple(REPOSITORY / "src" / "graphquant" / name for name in ("kernels", "quantizers"))


def pytest_configure(config):
    """Before any worker starts: drop stale kernels, and compile once what every worker would compile."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # So it is in background jobs of a shell; programs that tests start and interrupt would inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if interpreted.IS_ON:
        interpreted.install()
        return
    if hasattr(config, "workerinput"):
        return
    drop_stale_kernels()
    if getattr(config.option, "numprocesses", None):
        compile_kernels()


def drop_stale_kernels():
    """Delete compiled kernels older than a source file: numba does not see changes in what a kernel calls."""
    compiled = [file for folder in COMPILED for file in folder.rglob("*.nb[ic]")]
    sources = [file for folder in COMPILED for file in folder.rglob("*.py")]
    oldest = min((file.stat().st_mtime for file in compiled), default=float("inf"))
    if any(source.stat().st_mtime > oldest for source in sources):
        for file in compiled:
            file.unlink(missing_ok=True)


def compile_kernels():
    import graphquant as gq

    dot = gq.Graph([1.0])
    gq.lower_bound(dot, dot)
    for matcher in gq.matching.MATCHERS:
        gq.distance(dot, dot, matcher)
    for algorithm in gq.quantizers.competitive.ALGORITHMS:
        gq.GraphQuantizer(1, algorithm=algorithm, max_cycles=1).fit([dot])


@pytest.fixture(scope="session")
def iam_path():
    """Folder of the IAM graph database; tests that need it are skipped where it is absent."""
    for folder in (os.environ.get("GRAPHQUANT_DATA"), REPOSITORY.parent / "shared" / "data" / "iam"):
        if folder and Path(folder).is_dir():
            return Path(folder)
    pytest.skip("the IAM graph database is not here; set GRAPHQUANT_DATA to its folder")
