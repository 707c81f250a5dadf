"""Shared set-up: hypothesis profiles, signals, real data if they are there."""

import os
import shutil
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


def find_chromium():
    named = os.environ.get("GRAPHQUANT_CHROMIUM")
    names = [named] if named else ["chromium", "chromium-browser", "google-chrome"]
    return next((path for path in map(shutil.which, names) if path), None)


@pytest.fixture(scope="module")
def browser():
    """Headless Chromium; tests that need it are skipped where it or the package playwright is absent.

    The Python part of playwright is enough, with a Chromium such as Debian's; GRAPHQUANT_CHROMIUM names
    another one.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable = find_chromium()
    if executable is None:
        pytest.skip("there is no chromium here: apt-get install chromium, or set GRAPHQUANT_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        # Containers have neither the sandbox nor much shared memory.
        started = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        yield started
        started.close()
