"""Shared set-up: hypothesis profiles, signals, real data if they are there."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.register_profile("fuzz", max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

REPOSITORY = Path(__file__).resolve().parents[1]


def pytest_configure(config):
    """Let programs that tests start be interrupted."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # So it is in background jobs of a shell; children would inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def iam_path():
    """Folder of the IAM graph database; tests that need it are skipped where it is absent."""
    for folder in (os.environ.get("GRAPHQUANT_DATA"), REPOSITORY.parent / "shared" / "data" / "iam"):
        if folder and Path(folder).is_dir():
            return Path(folder)
    pytest.skip("the IAM graph database is not here; set GRAPHQUANT_DATA to its folder")
