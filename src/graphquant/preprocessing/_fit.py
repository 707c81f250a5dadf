"""Learning an encoding: which channels the attributes of nodes or edges become, and their numbers."""

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from graphquant._typing import FloatArray
from graphquant.exceptions import EncodingError, InvalidParameterError
from graphquant.graphs import Column
from graphquant.preprocessing._circle import CirclePart
from graphquant.preprocessing._columns import (
    Numeric,
    NumericPart,
    OneHot,
    OneHotPart,
    Policy,
    PresencePart,
    Scale,
    Shape,
    Where,
    category_codes,
    check_finite,
    check_missing,
)
from graphquant.preprocessing._parts import Part
from graphquant.preprocessing._source import Side

Spec = str | Numeric | OneHot

# Attributes whose sizes differ by more than this are taken to be of different nature.
_COMPARABLE = 10.0

# What of the squared weight of a category goes by its rarity; the rest is the same for all, so that common
# ones stay well away from zero, which stands for "no node".
_BY_RARITY = 0.75

# A string attribute with more categories than this is more likely an identifier than a label.
MAX_AUTO_CATEGORIES = 256


class Settings(NamedTuple):
    """What the encoder says about all attributes of one side."""

    center: bool | Literal["auto"]
    scale: Scale
    shape: Shape
    weight: float  # factor on all channels
    balance: bool  # whether attributes count alike, and rare categories of nodes more
    presence: bool | None  # None: decide from the data
    policy: Policy


class Learnt(NamedTuple):
    """Fitted parts, and the attributes that the automatic choice left out, each with the reason."""

    parts: tuple[Part, ...]
    left_out: dict[str, str]


def learn_side(
    side: Side,
    specs: Sequence[Spec] | None,
    columns: Mapping[str, Column],
    settings: Settings,
    where: Where,
) -> Learnt:
    """Learn the channels of all nodes or all edges."""
    if specs is None:
        chosen, left_out = _automatic(columns)
    else:
        chosen, left_out = _resolve(side, specs, columns), {}
    for spec in chosen:
        column = columns[spec.name]
        if isinstance(spec, Numeric):
            check_finite(column, spec.name, where)
        check_missing(column, spec.name, settings.policy, where)
    numeric = _learn_numeric(side, [s for s in chosen if isinstance(s, Numeric)], columns, settings)
    parts: list[Part] = [
        numeric[spec.name]
        if isinstance(spec, Numeric)
        else _learn_one_hot(side, spec, columns[spec.name], settings)
        for spec in chosen
    ]
    if settings.balance:
        parts = _share_norm(parts)
    if _needs_presence(side, parts, settings.presence):
        parts.append(PresencePart(settings.weight))
    if not parts:
        raise EncodingError(
            f"The {side}s have no attribute to encode and presence is off.",
            f"Name an attribute with {side}=[...], or leave presence at its default.",
        )
    return Learnt(tuple(parts), left_out)


def _automatic(columns: Mapping[str, Column]) -> tuple[list[Numeric | OneHot], dict[str, str]]:
    """Numbers numeric, strings one-hot; what holds nothing or looks like an identifier is left out."""
    chosen: list[Numeric | OneHot] = []
    left_out: dict[str, str] = {}
    for name, column in columns.items():
        if column.missing.all():
            left_out[name] = "no values"
        elif column.categories is None:
            chosen.append(Numeric(name))
        elif len(column.categories) > MAX_AUTO_CATEGORIES:
            left_out[name] = f"{len(column.categories)} categories look like an identifier"
        else:
            chosen.append(OneHot(name))
    return chosen, left_out


def _resolve(side: Side, specs: Sequence[Spec], columns: Mapping[str, Column]) -> list[Numeric | OneHot]:
    """Check what the user asked for, and give plain names the kind of their column."""
    if isinstance(specs, str | Numeric | OneHot) or not isinstance(specs, Sequence):
        raise InvalidParameterError(
            f"{side}={specs!r} is not a list of attributes.", f"Write {side}=[...], also for a single one."
        )
    chosen: list[Numeric | OneHot] = []
    for spec in specs:
        if not isinstance(spec, str | Numeric | OneHot):
            raise InvalidParameterError(
                f"{side} has an item {spec!r} of type {type(spec).__name__}.",
                "Give names of attributes, Numeric(...) or OneHot(...).",
            )
        name = spec if isinstance(spec, str) else spec.name
        column = _column_named(side, name, columns)
        if isinstance(spec, str):
            spec = Numeric(name) if column.is_numeric else OneHot(name)
        elif isinstance(spec, Numeric) and not column.is_numeric:
            raise EncodingError(
                f"{side} attribute {name!r} holds strings, Numeric({name!r}) needs numbers.",
                f"Use OneHot({name!r}).",
            )
        if any(name == other.name for other in chosen):
            raise InvalidParameterError(f"{side} names attribute {name!r} twice.", "Name it once.")
        chosen.append(spec)
    return chosen


def _column_named(side: Side, name: str, columns: Mapping[str, Column]) -> Column:
    if name not in columns:
        near = difflib.get_close_matches(name, columns, n=1)
        known = ", ".join(repr(known) for known in columns) or "none"
        raise EncodingError(
            f"The graphs have no {side} attribute {name!r}.",
            f"{f'Did you mean {near[0]!r}? ' if near else ''}There are: {known}.",
        )
    return columns[name]


def _learn_numeric(
    side: Side, specs: Sequence[Numeric], columns: Mapping[str, Column], settings: Settings
) -> dict[str, Part]:
    values = {spec.name: _given(side, spec.name, columns[spec.name]) for spec in specs}
    constant = {name: _is_constant(v) for name, v in values.items()}
    mean = {name: float(v[0]) if constant[name] else float(v.mean()) for name, v in values.items()}
    center = {
        spec.name: _center(side, spec, settings, mean[spec.name], constant[spec.name]) for spec in specs
    }
    spread = {name: _root_mean_square(v - center[name]) for name, v in values.items()}
    scale = {spec.name: settings.scale if spec.scale == "auto" else spec.scale for spec in specs}
    shared = {
        name: number
        for how, factor in (("auto", _COMPARABLE), ("joint", np.inf))
        for name, number in _shared_scales(
            {n: spread[n] for n, s in scale.items() if s == how and not constant[n]}, factor
        ).items()
    }

    def divisor(name: str) -> float:
        how = scale[name]
        if how is None:
            return 1.0
        if not isinstance(how, str):
            return float(how)
        # A constant has no spread to share: it becomes one (or stays zero).
        if constant[name]:
            return spread[name] if center[name] == 0.0 and spread[name] > 0 else 1.0
        return float(values[name].std()) if how == "std" else shared[name]

    round_ones = [
        spec.name for spec in specs if _is_round(side, spec, settings, scale[spec.name], constant[spec.name])
    ]

    def part(spec: Numeric) -> Part:
        name = spec.name
        numbers = center[name], divisor(name), settings.weight * float(spec.weight), mean[name]
        if name not in round_ones:
            return NumericPart(name, *numbers, constant[name])
        if settings.balance:
            return CirclePart(name, *numbers)
        # Attributes that share a scale are coordinates of one thing and count as one category does.
        together = sum(divisor(other) == numbers[1] for other in round_ones)
        return CirclePart(name, *numbers[:2], numbers[2] / math.sqrt(together), numbers[3])

    return {spec.name: part(spec) for spec in specs}


def _is_round(side: Side, spec: Numeric, settings: Settings, scale: Scale, constant: bool) -> bool:
    """Whether a number goes on a circle: by default those of nodes that are centred and scaled."""
    shape = settings.shape if spec.shape == "auto" else spec.shape
    if shape == "auto":
        centred = settings.center is not False and spec.center in ("auto", True)
        return side == "node" and centred and isinstance(scale, str) and not constant
    return shape == "circle"


def _shared_scales(spread: Mapping[str, float], factor: float) -> dict[str, float]:
    """Give one scale to attributes of comparable size: each within ``factor`` of the next."""
    groups: list[list[str]] = []
    for name in sorted(spread, key=lambda name: spread[name]):
        if groups and spread[name] <= factor * spread[groups[-1][-1]]:
            groups[-1].append(name)
        else:
            groups.append([name])
    return {
        name: _root_mean_square(np.array([spread[member] for member in group]))
        for group in groups
        for name in group
    }


def _is_constant(values: FloatArray) -> bool:
    # Up to rounding: scaling must not blow up the last bits of a number to full size.
    low, high = float(values.min()), float(values.max())
    return high - low <= 1e-12 * max(abs(low), abs(high))


def _center(side: Side, spec: Numeric, settings: Settings, mean: float, constant: bool) -> float:
    if isinstance(spec.center, bool):
        return mean if spec.center else 0.0
    if not isinstance(spec.center, str):
        return float(spec.center)
    wanted = side == "node" if settings.center == "auto" else settings.center
    # Centring a constant would leave nothing but zeros, which stand for "no node".
    return mean if wanted and not constant else 0.0


def _given(side: Side, name: str, column: Column) -> FloatArray:
    values = column.values[~column.missing].astype(np.float64, copy=False)
    if not len(values):
        raise EncodingError(
            f"{side} attribute {name!r} has no value at all.", "Leave it out, or fit on data that has it."
        )
    return values


def _learn_one_hot(side: Side, spec: OneHot, column: Column, settings: Settings) -> OneHotPart:
    codes, found = category_codes(column)
    counts = np.bincount(codes[codes >= 0], minlength=len(found))
    present = {name: int(count) for name, count in zip(found, counts, strict=True) if count}
    if spec.categories is None and not present:
        raise EncodingError(
            f"{side} attribute {spec.name!r} has no value at all.",
            "Leave it out, or list its categories: OneHot(..., categories=...).",
        )
    # Sorted as numbers where the column is numeric: that is the order in which they were found.
    categories = spec.categories or tuple(present)
    total = max(sum(present.values()), 1)
    shares = tuple(present.get(category, 0) / total for category in categories)
    # Edges: that there is one says most, whatever its category.
    weights = _rarity(shares) if settings.balance and side == "node" else (1.0,) * len(shares)
    return OneHotPart(spec.name, categories, shares, settings.weight * float(spec.weight), weights)


def _rarity(shares: Sequence[float]) -> tuple[float, ...]:
    """Weights of categories that grow with their information, minus the logarithm of their share.

    The mean of their squares over the training data is 1.

    Examples
    --------
    >>> [round(weight, 2) for weight in _rarity([0.5, 0.5])], [round(w, 2) for w in _rarity([0.9, 0.1, 0.0])]
    ([1.0, 1.0], [0.7, 2.36, 2.36])
    """
    share = np.array(shares)
    seen = share[share > 0.0]
    if len(seen) < 2:
        return (1.0,) * len(share)
    # A category that training did not have counts as the rarest one that it had.
    information = -np.log(np.maximum(share, seen.min()))
    entropy = float((share * information).sum())
    weights: list[float] = np.sqrt(1.0 - _BY_RARITY + _BY_RARITY * information / entropy).tolist()
    return tuple(weights)


def _share_norm(parts: Sequence[Part]) -> list[Part]:
    """Let attributes of norm 1, which are those on circles and categories, have norm 1 together."""
    alike = [part for part in parts if isinstance(part, CirclePart | OneHotPart)]
    return [
        replace(part, weight=part.weight / math.sqrt(len(alike))) if part in alike else part for part in parts
    ]


def _needs_presence(side: Side, parts: Sequence[Part], presence: bool | None) -> bool:
    if presence is not None:
        return presence
    if side == "node":
        return not any(part.informative for part in parts)
    return not any(part.always_on for part in parts)


def _root_mean_square(values: FloatArray) -> float:
    # Dividing by the peak keeps squares of very large and very small numbers in range.
    peak = float(np.abs(values).max(initial=0.0))
    return peak * float(np.sqrt(np.mean((values / peak) ** 2))) if peak > 0 else 0.0


__all__ = ["MAX_AUTO_CATEGORIES", "Learnt", "Settings", "Spec", "learn_side"]
