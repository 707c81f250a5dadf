"""Shared fixtures: real data if it is there, hypothesis profiles."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.register_profile("fuzz", max_examples=5000, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def iam_path():
    """Folder of the IAM graph database; tests that need it are skipped where it is absent."""
    for folder in (os.environ.get("GRAPHQUANT_DATA"), REPOSITORY.parent / "shared" / "data" / "iam"):
        if folder and Path(folder).is_dir():
            return Path(folder)
    pytest.skip("the IAM graph database is not here; set GRAPHQUANT_DATA to its folder")
