"""The fitted parts of an encoding, by kind, and how they are restored from a file."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from graphquant.preprocessing._circle import CirclePart
from graphquant.preprocessing._columns import NumericPart, OneHotPart, PresencePart

Part = NumericPart | CirclePart | OneHotPart | PresencePart


def part_from_json(data: Mapping[str, Any]) -> Part:
    """Restore a fitted part; what is wrong with the data raises KeyError, TypeError or ValueError."""
    kind = data["kind"]
    if kind == PresencePart.kind:
        return PresencePart(float(data["weight"]))
    if kind in (NumericPart.kind, CirclePart.kind):
        numbers = {key: float(data[key]) for key in ("center", "scale", "weight", "mean")}
        if not np.isfinite(list(numbers.values())).all() or numbers["scale"] == 0:
            raise ValueError(f"numbers of {data['name']!r} are not finite, or its scale is zero")
        if kind == CirclePart.kind:
            return CirclePart(name=str(data["name"]), **numbers)
        return NumericPart(name=str(data["name"]), constant=bool(data["constant"]), **numbers)
    if kind == OneHotPart.kind:
        categories = tuple(str(category) for category in data["categories"])
        shares = tuple(float(share) for share in data["shares"])
        # Encoders of version 1.0 have no weights of categories.
        weights = tuple(float(weight) for weight in data.get("weights", [1.0] * len(categories)))
        if not len(categories) == len(shares) == len(weights):
            raise ValueError(f"{len(categories)} categories, {len(shares)} shares and {len(weights)} weights")
        if not all(0.0 < weight < math.inf for weight in weights):
            raise ValueError(f"weights of {data['name']!r} are not positive")
        return OneHotPart(str(data["name"]), categories, shares, float(data["weight"]), weights)
    raise ValueError(f"unknown kind {kind!r}")


__all__ = ["Part", "part_from_json"]
