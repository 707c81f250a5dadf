"""Settings of an encoder for all attributes of nodes, or of edges."""

from typing import Literal, NamedTuple

from graphquant.preprocessing._columns import Policy
from graphquant.preprocessing._specs import NumericKind, Scale


class Settings(NamedTuple):
    """Settings of the encoder for all attributes of one side."""

    center: bool | Literal["auto"]
    scale: Scale
    numeric: NumericKind
    weight: float  # factor on all channels
    balance: bool  # whether attributes count equally, and rare categories of nodes more
    presence: bool | None  # None: decide from the data
    policy: Policy


__all__ = ["Settings"]
