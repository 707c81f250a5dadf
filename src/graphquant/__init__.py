"""graphquant: vector quantization for graphs.

Names are loaded on first use, so that ``import graphquant`` is quick and imports only the packages
that the current work needs.
"""

import importlib
from typing import TYPE_CHECKING, Any

from graphquant._version import __version__

if TYPE_CHECKING:
    from graphquant._versions import show_versions
    from graphquant.averaging import Mean, mean
    from graphquant.bounds import lower_bound
    from graphquant.datasets import Dataset, GraphSource, read, scan, write
    from graphquant.edit import (
        CommonSubgraph,
        EditDistance,
        EditDistances,
        common_subgraph,
        edit_distance,
        pairwise_edit_distances,
    )
    from graphquant.graphs import (
        Graph,
        GraphCollection,
        RawGraphs,
        Schema,
        as_collection,
        from_networkx,
        to_networkx,
    )
    from graphquant.learning import Encoding, GraphQuantizer, History, RateContext, load
    from graphquant.matching import (
        AutoMatcher,
        ExactMatcher,
        FrankWolfe,
        GraduatedAssignment,
        Match,
        Matcher,
        Matches,
        distance,
        match,
        match_all,
        pairwise_distances,
        second_distance,
    )

# The module of each name.
_HOME = {
    "AutoMatcher": "matching",
    "CommonSubgraph": "edit",
    "Dataset": "datasets",
    "EditDistance": "edit",
    "EditDistances": "edit",
    "Encoding": "learning",
    "ExactMatcher": "matching",
    "FrankWolfe": "matching",
    "GraduatedAssignment": "matching",
    "Graph": "graphs",
    "GraphCollection": "graphs",
    "GraphQuantizer": "learning",
    "GraphSource": "datasets",
    "History": "learning",
    "Match": "matching",
    "Matcher": "matching",
    "Matches": "matching",
    "Mean": "averaging",
    "RateContext": "learning",
    "RawGraphs": "graphs",
    "Schema": "graphs",
    "as_collection": "graphs",
    "common_subgraph": "edit",
    "distance": "matching",
    "edit_distance": "edit",
    "from_networkx": "graphs",
    "load": "learning",
    "lower_bound": "bounds",
    "match": "matching",
    "match_all": "matching",
    "mean": "averaging",
    "pairwise_distances": "matching",
    "pairwise_edit_distances": "edit",
    "read": "datasets",
    "scan": "datasets",
    "second_distance": "matching",
    "show_versions": "_versions",
    "to_networkx": "graphs",
    "write": "datasets",
}
_SUBPACKAGES = (
    "averaging",
    "bounds",
    "datasets",
    "edit",
    "exceptions",
    "experiments",
    "graphs",
    "initialisation",
    "io",
    "learning",
    "matching",
    "metrics",
    "out_of_core",
    "plotting",
    "preprocessing",
    "report",
)
# Names that packages had in version 1; each warns.
_FORMER_SUBPACKAGES = ("distributed", "quantizers")


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"graphquant.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    if name in _SUBPACKAGES or name in _FORMER_SUBPACKAGES:
        return importlib.import_module(f"graphquant.{name}")
    raise AttributeError(f"module 'graphquant' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME, *_SUBPACKAGES])


__all__ = [
    "AutoMatcher",
    "CommonSubgraph",
    "Dataset",
    "EditDistance",
    "EditDistances",
    "Encoding",
    "ExactMatcher",
    "FrankWolfe",
    "GraduatedAssignment",
    "Graph",
    "GraphCollection",
    "GraphQuantizer",
    "GraphSource",
    "History",
    "Match",
    "Matcher",
    "Matches",
    "Mean",
    "RateContext",
    "RawGraphs",
    "Schema",
    "__version__",
    "as_collection",
    "common_subgraph",
    "distance",
    "edit_distance",
    "from_networkx",
    "load",
    "lower_bound",
    "match",
    "match_all",
    "mean",
    "pairwise_distances",
    "pairwise_edit_distances",
    "read",
    "scan",
    "second_distance",
    "show_versions",
    "to_networkx",
    "write",
]
