import sys

import pytest


@pytest.fixture(autouse=True)
def _no_windows():
    """Draw to memory, and forget the figures after each test."""
    matplotlib = pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
    matplotlib.use("Agg")
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
