"""Deprecated: the name of :mod:`graphquant.learning` in version 1."""

import warnings
from typing import Any

from graphquant import learning


def __getattr__(name: str) -> Any:
    if name not in learning.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        f"graphquant.quantizers is now called graphquant.learning: import {name} from there.",
        FutureWarning,
        stacklevel=2,
    )
    return getattr(learning, name)
