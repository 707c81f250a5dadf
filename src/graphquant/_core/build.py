"""What the native core that runs here says about itself."""

from typing import NamedTuple

from graphquant._core._library import loaded


class Build(NamedTuple):
    """How the library was built."""

    cpu_level: str
    compiler: str


def this_build() -> Build:
    """Return how the library was built that is loaded for this processor."""
    library = loaded()
    return Build(library.cpu_level, library.compiler)


__all__ = ["Build", "this_build"]
