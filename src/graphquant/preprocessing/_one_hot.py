"""A category: one channel each, and one for all categories that were not in training."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant.exceptions import EncodingError
from graphquant.graphs import Column
from graphquant.preprocessing._columns import (
    Counts,
    Policy,
    Where,
    category_codes,
    check_missing,
    listed,
    or_all_missing,
    weight_words,
)

# Name of categories that were not in training, in the channel's name and in the inverse transform.
OTHER = "other"
# Maximum number of unknown labels in the notes.
_SHOWN_UNKNOWN = 5


class Likeliest(NamedTuple):
    """The strongest category of each row, -1 where there is none, and its share of all of them."""

    codes: IntArray
    shares: FloatArray


@dataclass(frozen=True)
class OneHotPart:
    """Fitted channels of a category attribute.

    ``shares`` are the training frequencies, ``weights`` the relative weights of the categories.
    ``other`` is the weight of the last channel, for categories that were not in training; None if there
    is no such channel. ``numbers`` says whether the categories are numbers.
    """

    kind: ClassVar[str] = "one-hot"
    name: str
    categories: tuple[str, ...]
    shares: tuple[float, ...]
    weight: float
    weights: tuple[float, ...]
    other: float | None = None
    numbers: bool = False
    always_on: ClassVar[bool] = True
    informative: ClassVar[bool] = True

    @property
    def names(self) -> tuple[str, ...]:
        """Category of each channel."""
        return self.categories if self.other is None else (*self.categories, OTHER)

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels."""
        return tuple(f"{self.name}={category}" for category in self.names)

    @property
    def values(self) -> FloatArray:
        """Value of each channel for rows of its category."""
        weights = self.weights if self.other is None else (*self.weights, self.other)
        return self.weight * np.array(weights)

    def encode(self, column: Column | None, out: FloatArray, policy: Policy, where: Where) -> Counts:
        """Write the channels into ``out``, shape (n_rows, n_channels)."""
        column = or_all_missing(column, len(out))
        missing = check_missing(column, self.name, policy, where)
        codes, found = category_codes(column)
        number = {name: i for i, name in enumerate(self.names)}
        # The last entry stands for code -1, a missing value.
        translate = np.array([number.get(category, -1) for category in found] + [-1], dtype=np.int64)
        target = translate[codes]
        unknown = (target < 0) & (codes >= 0)
        labels: tuple[str, ...] = ()
        if unknown.any():
            labels = tuple(found[code] for code in np.unique(codes[unknown]).tolist())
            target = self._place_unknown(target, unknown, found, codes, policy, where)
        out[:] = 0.0
        rows = np.flatnonzero(target >= 0)
        out[rows, target[rows]] = self.values[target[rows]]
        if missing is not None and policy.missing == "mean":
            out[missing, : len(self.shares)] = self.values[: len(self.shares)] * np.array(self.shares)
        return Counts(
            len(out),
            0 if missing is None else int(missing.sum()),
            -1 if missing is None else int(np.argmax(missing)),
            n_unknown=int(unknown.sum()),
            unknown=labels[:_SHOWN_UNKNOWN],
        )

    def _place_unknown(
        self,
        target: IntArray,
        unknown: BoolArray,
        found: tuple[str, ...],
        codes: IntArray,
        policy: Policy,
        where: Where,
    ) -> IntArray:
        if policy.unknown == "zero":
            return target
        if policy.unknown == OTHER:
            if OTHER in self.names:
                return np.where(unknown, self.names.index(OTHER), target)
            hint = 'The encoder was fitted without a channel for others: fit a new one with unknown="other".'
        else:
            hint = (
                "Fit the encoder on data that has it, list it in OneHot(categories=...), "
                'or set unknown="other".'
            )
        row = int(np.argmax(unknown))
        raise EncodingError(
            f"{where(row)}, attribute {self.name!r}: {found[codes[row]]!r} is not a known category "
            f"({listed(self.categories)}).",
            hint,
        )

    def amount(self, vectors: FloatArray) -> FloatArray | None:
        """Return how much of each row is there: the shares of all categories together."""
        return None if self.weight == 0.0 else (vectors / self.values).sum(axis=1)

    def likeliest(self, vectors: FloatArray, policy: Policy) -> Likeliest:
        """Return the strongest category of each row and its share."""
        if self.weight == 0.0:
            return Likeliest(np.full(len(vectors), int(np.argmax(self.shares))), np.ones(len(vectors)))
        parts = vectors / self.values
        whole = parts.sum(axis=1)
        codes = parts.argmax(axis=1)
        there = whole > 1e-12
        shares = np.divide(parts[np.arange(len(parts)), codes], whole, out=np.ones(len(parts)), where=there)
        # Zero is a missing value only if the policy says so.
        codes[~there] = -1 if policy.missing == "zero" else int(np.argmax(self.shares))
        return Likeliest(codes, np.clip(shares, 0.0, 1.0))

    def column(self, codes: IntArray) -> Column:
        """Return the categories as a column: numbers if they were numbers, unless one is "other"."""
        if self.numbers and not (codes >= len(self.categories)).any():
            table = np.array([*(float(category) for category in self.categories), np.nan])
            return Column(table[codes])
        return Column(codes.astype(np.int32), self.names)

    def describe(self) -> str:
        """Describe in words what the channels hold."""
        count = len(self.categories)
        noun = "category" if count == 1 else "categories"
        words = [f"one-hot, {count} {noun}: {listed(self.categories)}"]
        if self.other is not None:
            words[0] += " and other"
        if len(set(self.weights)) > 1:
            words.append("rare ones count more")
        return ", ".join(words + weight_words(self.weight))

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "kind": self.kind,
            "name": self.name,
            "categories": list(self.categories),
            "shares": list(self.shares),
            "weight": self.weight,
            "weights": list(self.weights),
            "other": self.other,
            "numbers": self.numbers,
        }


__all__ = ["OTHER", "Likeliest", "OneHotPart"]
