"""The parts of an installation: for bug reports."""

import importlib.metadata
import platform
import sys

from graphquant._core.build import this_build
from graphquant._version import __version__
from graphquant.exceptions import GraphQuantError

_PACKAGES = ("numpy", "scipy", "scikit-learn", "pyarrow", "networkx", "lxml", "typer", "rich")
_OPTIONAL = ("rdkit", "matplotlib", "distributed", "pandas", "polars", "torch_geometric")


def version_line() -> str:
    """Return the version, and which build of the native core runs here."""
    try:
        core = this_build()
    except GraphQuantError as err:
        return f"graphquant {__version__} (without its native core: {err.message})"
    return f"graphquant {__version__} (native core {core.cpu_level}, built with {core.compiler})"


def show_versions() -> None:
    """Print the versions of graphquant, its native core, Python and the packages that it uses.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.show_versions()  # doctest: +ELLIPSIS
    graphquant ... (native core ..., built with ...)
    Python ...
    """
    lines = [version_line(), f"Python {platform.python_version()} on {platform.platform()}"]
    for name in (*_PACKAGES, *_OPTIONAL):
        try:
            lines.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            lines.append(f"{name}: not installed" + (" (optional)" if name in _OPTIONAL else ""))
    sys.stdout.write("\n".join(lines) + "\n")


__all__ = ["show_versions", "version_line"]
