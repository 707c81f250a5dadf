"""The fitted parts of an encoding, by kind, and how they are restored from a file."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from graphquant._typing import FloatArray
from graphquant.preprocessing._circle import CirclePart
from graphquant.preprocessing._columns import Policy
from graphquant.preprocessing._curve import CurvePart
from graphquant.preprocessing._line import NumericPart
from graphquant.preprocessing._notes import AttributeNotes, noted
from graphquant.preprocessing._one_hot import OneHotPart
from graphquant.preprocessing._presence import PresencePart
from graphquant.preprocessing._source import Side, Source

Part = NumericPart | CirclePart | CurvePart | OneHotPart | PresencePart


def part_from_json(data: Mapping[str, Any]) -> Part:
    """Restore a fitted part; invalid data raise KeyError, TypeError or ValueError."""
    kind = data["kind"]
    if kind == PresencePart.kind:
        return PresencePart(float(data["weight"]))
    if kind in (NumericPart.kind, CirclePart.kind, CurvePart.kind):
        return _number_from_json(kind, data)
    if kind == OneHotPart.kind:
        return _one_hot_from_json(data)
    raise ValueError(f"unknown kind {kind!r}")


def _number_from_json(kind: str, data: Mapping[str, Any]) -> Part:
    name = str(data["name"])
    center, scale, weight, mean = (float(data[key]) for key in ("center", "scale", "weight", "mean"))
    # Encoders of version 1.0 do not know the range of their training data.
    low, high = (None if data.get(key) is None else float(data[key]) for key in ("low", "high"))
    given = [center, scale, weight, mean, *(limit for limit in (low, high) if limit is not None)]
    if not all(math.isfinite(number) for number in given) or scale == 0:
        raise ValueError(f"numbers of {name!r} are not finite, or its scale is zero")
    if kind == NumericPart.kind:
        return NumericPart(
            name=name,
            center=center,
            scale=scale,
            weight=weight,
            mean=mean,
            constant=bool(data["constant"]),
            low=low,
            high=high,
        )
    round_part = CirclePart if kind == CirclePart.kind else CurvePart
    return round_part(name, center, scale, weight, mean, low, high)


def _one_hot_from_json(data: Mapping[str, Any]) -> OneHotPart:
    categories = tuple(str(category) for category in data["categories"])
    shares = tuple(float(share) for share in data["shares"])
    # Encoders of version 1.0 have no weights of categories, and no channel for others.
    weights = tuple(float(weight) for weight in data.get("weights", [1.0] * len(categories)))
    other = None if data.get("other") is None else float(data["other"])
    if not len(categories) == len(shares) == len(weights):
        raise ValueError(f"{len(categories)} categories, {len(shares)} shares and {len(weights)} weights")
    if not all(0.0 < weight < math.inf for weight in (*weights, 1.0 if other is None else other)):
        raise ValueError(f"weights of {data['name']!r} are not positive")
    return OneHotPart(
        name=str(data["name"]),
        categories=categories,
        shares=shares,
        weight=float(data["weight"]),
        weights=weights,
        other=other,
        numbers=bool(data.get("numbers", False)),
    )


def encode_side(
    source: Source, side: Side, parts: tuple[Part, ...], policy: Policy
) -> tuple[FloatArray, tuple[AttributeNotes, ...]]:
    """Return the vectors of all nodes, or edges, and what was notable about each attribute."""
    out = np.empty((source.n_rows(side), sum(len(part.channels) for part in parts)))
    notes = []
    start = 0
    for part in parts:
        stop = start + len(part.channels)
        column = source.columns[side].get(part.name)
        counts = part.encode(column, out[:, start:stop], policy, lambda row: source.locate(side, row))
        start = stop
        if not isinstance(part, PresencePart):
            first = source.locate(side, counts.first_missing) if counts.n_missing else ""
            notes.append(noted(side, part.name, counts, first))
    return out, tuple(notes)


__all__ = ["encode_side", "Part", "part_from_json"]
