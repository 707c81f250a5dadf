"""Learning an encoding: which channels the attributes of nodes or edges become, and their parameters."""

import difflib
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from graphquant.exceptions import EncodingError, GraphQuantWarning, InvalidParameterError
from graphquant.graphs import Column
from graphquant.preprocessing._choice import Chosen, choose, why_left_out
from graphquant.preprocessing._columns import Where, category_codes, check_finite, check_missing
from graphquant.preprocessing._line import NumericPart
from graphquant.preprocessing._notes import AttributeNotes
from graphquant.preprocessing._numbers import learn_numbers
from graphquant.preprocessing._one_hot import OTHER, OneHotPart
from graphquant.preprocessing._parts import Part
from graphquant.preprocessing._presence import PresencePart
from graphquant.preprocessing._round import RoundPart
from graphquant.preprocessing._settings import Settings
from graphquant.preprocessing._source import Side
from graphquant.preprocessing._specs import Numeric, OneHot

Spec = str | Numeric | OneHot

# On a line, a number so many divisors away from the centre outweighs everything else that graphs have.
_FAR = 30.0
# The share of the squared weight of a category that depends on its rarity; the rest is the same for all, so
# that common ones stay well away from zero, which stands for "no node".
_BY_RARITY = 0.75


class Learnt(NamedTuple):
    """Fitted parts, why they are what they are, what was left out and why, and what was missing."""

    parts: tuple[Part, ...]
    reasons: dict[str, str]
    left_out: dict[str, str]
    notes: tuple[AttributeNotes, ...]


def learn_side(
    side: Side,
    specs: Sequence[Spec] | None,
    columns: Mapping[str, Column],
    settings: Settings,
    where: Where,
) -> Learnt:
    """Learn the channels of all nodes or all edges."""
    whole_numbers = settings.numeric == "auto"
    if specs is None:
        chosen, left_out = _automatic(columns, whole_numbers=whole_numbers)
    else:
        chosen, left_out = _resolve(side, specs, columns, whole_numbers=whole_numbers), {}
    notes = []
    for spec in (item.spec for item in chosen):
        column = columns[spec.name]
        if isinstance(spec, Numeric):
            check_finite(column, spec.name, where)
        missing = check_missing(column, spec.name, settings.policy, where)
        if missing is not None:
            first = where(int(np.argmax(missing)))
            notes.append(AttributeNotes(side, spec.name, len(column), int(missing.sum()), first))
    numbers = learn_numbers(side, chosen, columns, settings)
    parts: list[Part] = [
        _learn_one_hot(side, spec, columns[spec.name], settings)
        if isinstance(spec, OneHot)
        else numbers[spec.name]
        for spec in (item.spec for item in chosen)
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
    kinds = {part.name: part for part in parts}
    reasons = {
        item.spec.name: _reason(item, kinds[item.spec.name], settings) for item in chosen if item.reason
    }
    return Learnt(tuple(parts), reasons, left_out, tuple(notes))


def _reason(chosen: Chosen, part: Part, settings: Settings) -> str:
    """Say why an attribute is encoded so, and of a number on a line whether few values outweigh the rest."""
    if not isinstance(part, NumericPart) or not isinstance(settings.scale, str):
        return chosen.reason
    assert part.low is not None
    assert part.high is not None
    furthest = max(part.high - part.center, part.center - part.low) / part.scale
    if furthest <= _FAR:
        return chosen.reason
    return f"{chosen.reason}; goes up to {furthest:.0f} times that: a few such values decide distances"


def _automatic(columns: Mapping[str, Column], *, whole_numbers: bool) -> tuple[list[Chosen], dict[str, str]]:
    """Choose the kind of all columns except those that are empty or look like an identifier."""
    left_out = {name: why for name, column in columns.items() if (why := why_left_out(name, column))}
    chosen = [
        choose(name, column, whole_numbers=whole_numbers)
        for name, column in columns.items()
        if name not in left_out
    ]
    return chosen, left_out


def _resolve(
    side: Side, specs: Sequence[Spec], columns: Mapping[str, Column], *, whole_numbers: bool
) -> list[Chosen]:
    """Check what the user asked for, and resolve plain names to the kind of their column."""
    if isinstance(specs, str | Numeric | OneHot) or not isinstance(specs, Sequence):
        raise InvalidParameterError(
            f"{side}={specs!r} is not a list of attributes.", f"Write {side}=[...], even for a single one."
        )
    chosen: list[Chosen] = []
    for spec in specs:
        if not isinstance(spec, str | Numeric | OneHot):
            raise InvalidParameterError(
                f"{side} has an item {spec!r} of type {type(spec).__name__}.",
                "Give names of attributes, Numeric(...) or OneHot(...).",
            )
        name = spec if isinstance(spec, str) else spec.name
        column = _column_named(side, name, columns)
        if isinstance(spec, Numeric) and not column.is_numeric:
            raise EncodingError(
                f"{side} attribute {name!r} contains strings, Numeric({name!r}) needs numbers.",
                f"Use OneHot({name!r}).",
            )
        if any(name == other.spec.name for other in chosen):
            raise InvalidParameterError(f"{side} names attribute {name!r} twice.", "Name it once.")
        chosen.append(
            choose(name, column, whole_numbers=whole_numbers) if isinstance(spec, str) else Chosen(spec)
        )
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


def _learn_one_hot(side: Side, spec: OneHot, column: Column, settings: Settings) -> OneHotPart:
    codes, found = category_codes(column)
    counts = np.bincount(codes[codes >= 0], minlength=len(found))
    present = {name: int(count) for name, count in zip(found, counts, strict=True) if count}
    if spec.categories is None and not present:
        raise EncodingError(
            f"{side} attribute {spec.name!r} has no value at all.",
            "Leave it out, or list its categories: OneHot(..., categories=...).",
        )
    # Sorted as numbers if the column is numeric: that is the order in which they were found.
    categories = spec.categories or tuple(present)
    total = max(sum(present.values()), 1)
    shares = tuple(present.get(category, 0) / total for category in categories)
    # For edges, existence matters most, whatever the category.
    weights = _rarity(shares) if settings.balance and side == "node" else (1.0,) * len(shares)
    # A category called "other" takes everything that was not in training.
    reserved = settings.policy.unknown == OTHER and OTHER not in categories
    return OneHotPart(
        name=spec.name,
        categories=categories,
        shares=shares,
        weight=settings.weight * float(spec.weight),
        weights=weights,
        # As far from the known categories as the rarest of them.
        other=max(weights) if reserved else None,
        numbers=column.is_numeric and all(_is_written_number(category) for category in categories),
    )


def _is_written_number(category: str) -> bool:
    """Whether a number leads back to this very string."""
    try:
        return f"{float(category):.17g}" == category
    except ValueError:
        return False


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
    # A listed category that was not in training counts as much as the rarest one that was.
    information = -np.log(np.maximum(share, seen.min()))
    entropy = float((share * information).sum())
    weights: list[float] = np.sqrt(1.0 - _BY_RARITY + _BY_RARITY * information / entropy).tolist()
    return tuple(weights)


def _share_norm(parts: Sequence[Part]) -> list[Part]:
    """Scale attributes of norm 1, which are all except numbers on lines, to norm 1 together."""
    alike = [part for part in parts if isinstance(part, RoundPart | OneHotPart)]
    return [
        replace(part, weight=part.weight / math.sqrt(len(alike))) if part in alike else part for part in parts
    ]


def _needs_presence(side: Side, parts: Sequence[Part], presence: bool | None) -> bool:
    if presence is not None:
        return presence
    if side == "node":
        return not any(part.informative for part in parts)
    return not any(part.always_on for part in parts)


def warn_of_identifiers(side: Side, learnt: Learnt) -> None:
    """Tell which attributes are left out because they name nodes or edges."""
    for name, reason in learnt.left_out.items():
        if "identifier" in reason:
            warnings.warn(
                f"{side} attribute {name!r} is left out: {reason}. "
                f"Name what to use, for example {side}=[OneHot({name!r})], to decide yourself.",
                GraphQuantWarning,
                stacklevel=3,
            )


__all__ = ["warn_of_identifiers", "Learnt", "Spec", "learn_side"]
