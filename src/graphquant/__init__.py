"""graphquant: vector quantization for graphs.

Names are loaded when they are first used, so that ``import graphquant`` is quick and pulls in no
package that the work at hand does not need.
"""

import importlib
from typing import TYPE_CHECKING, Any

from graphquant._version import __version__

if TYPE_CHECKING:
    from graphquant.datasets import Dataset, read, write
    from graphquant.graphs import Graph, GraphCollection, RawGraphs, as_collection, from_networkx, to_networkx

_HOME = {
    "Dataset": "datasets",
    "Graph": "graphs",
    "GraphCollection": "graphs",
    "RawGraphs": "graphs",
    "as_collection": "graphs",
    "from_networkx": "graphs",
    "read": "datasets",
    "to_networkx": "graphs",
    "write": "datasets",
}
_SUBPACKAGES = ("datasets", "exceptions", "graphs", "io", "preprocessing")


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"graphquant.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    if name in _SUBPACKAGES:
        return importlib.import_module(f"graphquant.{name}")
    raise AttributeError(f"module 'graphquant' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME, *_SUBPACKAGES])


__all__ = [
    "Dataset",
    "Graph",
    "GraphCollection",
    "RawGraphs",
    "__version__",
    "as_collection",
    "from_networkx",
    "read",
    "to_networkx",
    "write",
]
