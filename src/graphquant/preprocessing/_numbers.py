"""Learning the centres, divisors and shapes (line, circle, curve) of numeric attributes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphquant._typing import FloatArray
from graphquant.exceptions import EncodingError
from graphquant.graphs import Column
from graphquant.preprocessing._choice import Chosen
from graphquant.preprocessing._circle import CirclePart
from graphquant.preprocessing._curve import CurvePart
from graphquant.preprocessing._line import NumericPart
from graphquant.preprocessing._settings import Settings
from graphquant.preprocessing._source import Side
from graphquant.preprocessing._specs import Numeric, NumericKind, Scale

# Attributes whose sizes differ by more than this factor are considered different in nature.
_COMPARABLE = 10.0
# A spread below this share of a column's size is rounding, not information.
_CONSTANT = 1e-9
# Values further from the median than this many typical deviations are clipped to that distance.
_OUTLIER = 10.0
_ENOUGH = 5000


@dataclass(frozen=True)
class _Number:
    """What is known about a numeric attribute before scales are shared."""

    chosen: Chosen
    spec: Numeric
    values: FloatArray
    constant: bool
    kind: NumericKind  # never "auto"
    center: float
    scale: Scale
    mean: float
    spread: float  # root mean square around the center


def learn_numbers(
    side: Side, chosen: Sequence[Chosen], columns: Mapping[str, Column], settings: Settings
) -> dict[str, NumericPart | CirclePart | CurvePart]:
    """Learn the numbers of all numeric attributes of a side."""
    known = [_study(side, item, columns, settings) for item in chosen if isinstance(item.spec, Numeric)]
    divisors = _divisors(known)
    return {number.spec.name: _part(number, divisors, known, settings) for number in known}


def _study(side: Side, chosen: Chosen, columns: Mapping[str, Column], settings: Settings) -> _Number:
    spec = chosen.spec
    assert isinstance(spec, Numeric)
    values = _given(side, spec.name, columns[spec.name])
    constant = _is_constant(values)
    scale = settings.scale if spec.scale == "auto" else spec.scale
    kind = _kind(side, spec, settings, scale, constant)
    if chosen.levels and kind == "curve" and spec.center == settings.center == scale == "auto":
        # Levels are spread evenly, however rare some of them are.
        low, high = float(values.min()), float(values.max())
        spread = math.sqrt(((high - low + 1.0) ** 2 - 1.0) / 12.0)
        mean = float(values.mean())
        return _Number(
            chosen=chosen,
            spec=spec,
            values=values,
            constant=constant,
            kind=kind,
            center=(low + high) / 2.0,
            scale=spread,
            mean=mean,
            spread=spread,
        )
    automatic = values if constant or scale != "auto" else _tamed(values)
    by_itself = spec.center == "auto" and settings.center == "auto"
    mean = float(values[0]) if constant else float((automatic if by_itself else values).mean())
    center = _center(side, spec, settings, mean, constant)
    return _Number(
        chosen=chosen,
        spec=spec,
        values=values,
        constant=constant,
        kind=kind,
        center=center,
        scale=scale,
        mean=mean,
        spread=_root_mean_square(automatic - center),
    )


def _divisors(known: Sequence[_Number]) -> dict[str, float]:
    shared = {
        name: number
        for how, factor in (("auto", _COMPARABLE), ("joint", np.inf))
        for name, number in _shared_scales(
            {n.spec.name: n.spread for n in known if n.scale == how and not n.constant}, factor
        ).items()
    }
    divisors = {}
    for number in known:
        name, how = number.spec.name, number.scale
        if how is None:
            divisors[name] = 1.0
        elif not isinstance(how, str):
            divisors[name] = float(how)
        elif number.constant:
            # A constant has no spread to share: it becomes one (or stays zero).
            divisors[name] = number.spread if number.center == 0.0 and number.spread > 0 else 1.0
        else:
            divisors[name] = float(number.values.std()) if how == "std" else shared[name]
    return divisors


def _part(
    number: _Number, divisors: Mapping[str, float], known: Sequence[_Number], settings: Settings
) -> NumericPart | CirclePart | CurvePart:
    name, scale = number.spec.name, divisors[number.spec.name]
    weight = settings.weight * float(number.spec.weight)
    low, high = float(number.values.min()), float(number.values.max())
    if number.kind == "line":
        return NumericPart(
            name=name,
            center=number.center,
            scale=scale,
            weight=weight,
            mean=number.mean,
            constant=number.constant,
            low=low,
            high=high,
        )
    if not settings.balance:
        # Attributes that share a scale are coordinates of one thing and count like one category.
        together = sum(divisors[other.spec.name] == scale for other in known if other.kind != "line")
        weight /= math.sqrt(together)
    kind = CirclePart if number.kind == "circle" else CurvePart
    return kind(name, number.center, scale, weight, number.mean, low, high)


def _kind(side: Side, spec: Numeric, settings: Settings, scale: Scale, constant: bool) -> NumericKind:
    """Whether a number goes on the curve: by default those of nodes that are centred and scaled."""
    kind = settings.numeric if spec.numeric == "auto" else spec.numeric
    if kind != "auto":
        return kind
    centred = settings.center is not False and spec.center in ("auto", True)
    return "curve" if side == "node" and centred and isinstance(scale, str) and not constant else "line"


def _tamed(values: FloatArray) -> FloatArray:
    """Clip the few values that are far from all others: they would squash the others into one point.

    Examples
    --------
    >>> _tamed(np.array([1.0, 2.0, 3.0, 4.0, 1e6])).tolist()
    [1.0, 2.0, 3.0, 4.0, 13.0]
    """
    low, high = float(values.min()), float(values.max())
    # A few thousand values show what is usual.
    some = values[:: max(1, len(values) // _ENOUGH)]
    median = float(np.median(some))
    deviations = np.abs(some - median)
    different = deviations > _CONSTANT * max(abs(low), abs(high))
    if 2 * int(different.sum()) <= len(some):
        # Most values are equal up to rounding: the others show what is usual.
        deviations = (
            deviations[different] if different.any() else np.array([max(high - median, median - low)])
        )
    limit = _OUTLIER * float(np.median(deviations))
    if max(high - median, median - low) <= limit:
        return values
    return np.clip(values, median - limit, median + limit)


def _shared_scales(spread: Mapping[str, float], factor: float) -> dict[str, float]:
    """Share a scale among attributes of comparable size: each within ``factor`` of the next."""
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
    # Scaling must not blow up the last digits of a number to full size.
    low, high = float(values.min()), float(values.max())
    return high - low <= _CONSTANT * max(abs(low), abs(high))


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


def _root_mean_square(values: FloatArray) -> float:
    # Dividing by the maximum keeps squares of very large and very small numbers in range.
    peak = float(np.abs(values).max(initial=0.0))
    return peak * float(np.sqrt(np.mean((values / peak) ** 2))) if peak > 0 else 0.0


__all__ = ["learn_numbers"]
