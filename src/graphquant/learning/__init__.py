"""Learning codebooks: one driver, four ways to find winners, an estimator."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphquant.learning.core import Core
    from graphquant.learning.encoding import Encoding
    from graphquant.learning.estimator import GraphQuantizer
    from graphquant.learning.explanation import Difference, Explanation
    from graphquant.learning.history import Cycle, History
    from graphquant.learning.model_file import load
    from graphquant.learning.novelty import Novelty
    from graphquant.learning.rates import RateContext

# The estimator imports scikit-learn and is above graphquant.out_of_core, which needs the rest of this
# package: so names are imported on demand.
_HOMES = {
    "Core": "core",
    "Cycle": "history",
    "Difference": "explanation",
    "Encoding": "encoding",
    "Explanation": "explanation",
    "GraphQuantizer": "estimator",
    "History": "history",
    "Novelty": "novelty",
    "RateContext": "rates",
    "load": "model_file",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


__all__ = [
    "Core",
    "Cycle",
    "Difference",
    "Encoding",
    "Explanation",
    "GraphQuantizer",
    "History",
    "Novelty",
    "RateContext",
    "load",
]
