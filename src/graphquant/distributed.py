"""Deprecated: the name of :mod:`graphquant.out_of_core` in version 1."""

import warnings
from typing import Any

from graphquant import out_of_core


def __getattr__(name: str) -> Any:
    if name not in out_of_core.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        f"graphquant.distributed is now called graphquant.out_of_core: import {name} from there.",
        FutureWarning,
        stacklevel=2,
    )
    return getattr(out_of_core, name)
