"""One side of edit costs, nodes or edges, fitted: which attributes, which labels, which vectors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf, sqrt
from typing import Any

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.exceptions import EncodingError
from graphquant.graphs import Column
from graphquant.graphs.checks import plural
from graphquant.preprocessing._columns import Counts
from graphquant.preprocessing._edit_model import (
    NO_LABEL,
    Element,
    Label,
    NumberCosts,
    SideCosts,
    label_text,
    shown,
)
from graphquant.preprocessing._edit_vectors import (
    Embedding,
    LabelVectors,
    common_measure,
    embed,
    embed_orthogonal,
)
from graphquant.preprocessing._notes import AttributeNotes, noted
from graphquant.preprocessing._source import Side

Columns = Mapping[str, Column]
Where = Callable[[int], str]
# More labels than this are names of nodes, not kinds of them: each has a channel.
_MOST_LABELS = 4096
_ROUNDING = 1e-9


@dataclass(frozen=True)
class FittedSide:
    """Costs of nodes or of edges with vectors for all labels that were met.

    Attributes
    ----------
    side : {"node", "edge"}
    costs : SideCosts
        Numbers in it know their range.
    labels : tuple of tuple of Label
        Of each part, sorted.
    is_orthogonal : bool
        Whether different labels never match, as edges of common subgraphs.
    """

    side: Side
    costs: SideCosts
    labels: tuple[tuple[Label, ...], ...]
    embedding: Embedding
    is_orthogonal: bool = False

    @classmethod
    def fitted(
        cls,
        side: Side,
        costs: SideCosts,
        labels: Sequence[set[Label]],
        *,
        is_orthogonal: bool = False,
    ) -> "FittedSide":
        """Find the vectors of labels, of which tables may name more."""
        known = tuple(
            tuple(sorted(found | part.table_labels)) for found, part in zip(labels, costs.parts, strict=True)
        )
        for part, found in zip(costs.parts, known, strict=True):
            if len(found) > _MOST_LABELS:
                raise EncodingError(
                    f"The {side} attribute {'+'.join(part.names)!r} has {len(found)} different labels.",
                    f"Use Numeric({part.names[0]!r}) for a number, or leave the attribute out.",
                )
        orthogonal = embed_orthogonal(costs.parts[0], known[0]) if is_orthogonal else None
        embedding = orthogonal or embed(costs, known, side)
        result = cls(side, costs, known, embedding, is_orthogonal)
        if costs.is_clamped:
            result._check_range(costs.numbers)
        return result

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes that are read."""
        labels = tuple(name for part in self.costs.parts for name in part.names)
        return labels + tuple(number.name for number in self.costs.numbers)

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels; there is always one."""
        found: tuple[str, ...] = ("presence",) if self._has_constant else ()
        found += tuple(channel for part in self.embedding.parts for channel in part.channels)
        return found + tuple(number.name for number in self.costs.numbers)

    @property
    def _has_constant(self) -> bool:
        n_other = sum(part.vectors.shape[1] for part in self.embedding.parts) + len(self.costs.numbers)
        return self.embedding.constant > 0.0 or n_other == 0

    def least_gain(self, numbers: Sequence[NumberCosts] | None = None) -> float:
        """Return the least inner product: below zero, deleting may be cheaper than changing."""
        chosen = self.costs.numbers if numbers is None else numbers
        return self.embedding.least_gain + sum(
            number.least_gain(number.low, number.high) for number in chosen
        )

    def encode(
        self, columns: Columns, n_rows: int, where: Where, scale: float
    ) -> tuple[FloatArray, tuple[AttributeNotes, ...]]:
        """Return the vectors of all rows, times ``scale``, and what was met."""
        blocks = [np.full((n_rows, 1), sqrt(self.embedding.constant))] if self._has_constant else []
        notes = []
        for part in self.embedding.parts:
            vectors, counts = self._encode_labels(part, columns, n_rows, where)
            blocks.append(vectors)
            notes.append(noted(self.side, "+".join(part.names), counts, ""))
        met = []
        for number in self.costs.numbers:
            values = _numbers(columns, number.name, n_rows, where)
            blocks.append(sqrt(number.weight) * (values - number.center)[:, None])
            met.append(_within(number, values))
            n_outside = int(np.count_nonzero((values < number.low) | (values > number.high)))
            counts = Counts(n_rows, n_compared=n_rows, n_outside=n_outside)
            notes.append(noted(self.side, number.name, counts, ""))
        if self.least_gain() >= -_ROUNDING:
            self._check_range(met)
        return scale * np.concatenate(blocks, axis=1), tuple(notes)

    def _encode_labels(
        self, part: LabelVectors, columns: Columns, n_rows: int, where: Where
    ) -> tuple[FloatArray, Counts]:
        distinct, codes = _distinct(_texts(columns, part.names, n_rows))
        place = {label: i for i, label in enumerate(part.labels)}
        unknown = [label for label in distinct if label not in place]
        if unknown and not part.has_other:
            row = int(np.argmax(np.isin(codes, [distinct.index(label) for label in unknown])))
            raise EncodingError(
                f"{where(row)} has the label {shown(distinct[codes[row]])!r} of {'+'.join(part.names)!r}, "
                "which the costs were not fitted on, and with it no vectors have these costs.",
                "Fit the costs on graphs that have all labels, or name the label in the table.",
            )
        rows = np.array([place.get(label, len(part.labels)) for label in distinct], dtype=np.int64)
        vectors = part.vectors[rows]
        if self.is_orthogonal:
            for i, label in enumerate(distinct):
                if label not in place:
                    vectors[i] *= sqrt(self.costs.parts[0].remove(label))
        is_unknown = np.array([label not in place for label in distinct], dtype=bool)
        n_unknown = int(np.count_nonzero(is_unknown[codes])) if n_rows else 0
        return vectors[codes], Counts(n_rows, n_unknown=n_unknown, unknown=tuple(map(shown, unknown))[:5])

    def extended(self, columns: Columns, n_rows: int, where: Where) -> "FittedSide":
        """Return the same costs with all labels that some graphs have, so that they stay distinct."""
        numbers = tuple(number_range(number, columns, n_rows, where) for number in self.costs.numbers)
        met = labels_met(self.costs, columns, n_rows)
        is_known = all(found <= set(known) for found, known in zip(met, self.labels, strict=True))
        if is_known and numbers == self.costs.numbers:
            return self
        labels = [found | set(known) for found, known in zip(met, self.labels, strict=True)]
        costs = replace(self.costs, numbers=numbers)
        return FittedSide.fitted(self.side, costs, labels, is_orthogonal=self.is_orthogonal)

    def _check_range(self, numbers: Sequence[NumberCosts]) -> None:
        """Refuse numbers so far apart that vectors would not have their costs."""
        if not numbers or self.least_gain(numbers) >= -_ROUNDING:
            return
        number = min(numbers, key=lambda number: number.least_gain(number.low, number.high))
        what = f"The {self.side} attribute {number.name!r} reaches from {number.low:g} to {number.high:g}"
        if self.costs.is_clamped:
            raise EncodingError(
                f"{what}: deleting an edge and inserting another costs less than changing it, which "
                "no vectors express.",
                f"Raise edge_indel, lower the weight of {number.name!r}, or give a center outside the range.",
            )
        raise EncodingError(
            f"{what}, which is more than the costs were fitted on: deleting may be cheaper than "
            "changing, and the graph space has no room for that.",
            "Fit the costs on graphs with the whole range.",
        )

    def gains(self) -> list[float]:
        """Return the inner products of all pairs of labels, each value once; numbers have none."""
        if self.is_orthogonal:
            return sorted({self.costs.parts[0].remove(label) for label in self.labels[0]})
        sums = {self.embedding.constant}
        for part in self.embedding.parts:
            products = {0.0}
            if len(part.labels):
                vectors = part.vectors[: len(part.labels)]
                products = set(np.unique((vectors @ vectors.T).round(12)).tolist())
            sums = {a + b for a, b in product(sums, products)}
        return sorted(sums)

    def prices(self) -> list[float]:
        """Return what single edits may cost, each value once; numbers have no common measure."""
        found = {self.costs.base}
        for part, labels in zip(self.costs.parts, self.labels, strict=True):
            removals = {part.remove(label) for label in labels}
            changes = {part.substitution, *(cost for (_, b), cost in part.table.items() if b is not None)}
            # Costs of parts add up: multiples of what measures each.
            found |= removals | {cost for cost in changes if cost < inf}
        return sorted(found)

    def measure(self) -> tuple[float, float]:
        """Return what all prices and all gains are multiples of: 0 for nothing, inf if all are zero."""
        if any(number.weight > 0.0 for number in self.costs.numbers):
            return 0.0, 0.0
        return _measure(self.prices()), _measure(self.gains())

    def describe(self) -> str:
        """Say in one line what is compared and what it costs."""
        words = []
        for part, labels in zip(self.costs.parts, self.labels, strict=True):
            change = "changing never" if self.is_orthogonal else f"changing costs {part.substitution:g}"
            known = ", ".join(map(shown, labels[:8])) + (
                f", ... ({len(labels) - 8} more)" if len(labels) > 8 else ""
            )
            table = f"; a table of {len(part.table)} entries" if part.table else ""
            words.append(
                f"{'+'.join(part.names)}; {change}, deleting and inserting {part.indel:g}{table}; "
                f"{plural(len(labels), 'label')}{': ' if labels else ''}{known}"
            )
        words += [
            f"{number.name}; {number.weight:g} times the squared difference, centre {number.center:g}"
            for number in self.costs.numbers
        ]
        if not self.costs.parts:
            words.insert(0, f"no labels; deleting and inserting costs {self.costs.base:g}")
        return f"{self.side}s: " + "; ".join(words)

    def parts_json(self, scale: float) -> list[dict[str, Any]]:
        """Return what the channels hold, as parts of attribute encoders say it, for drawings."""
        found: list[dict[str, Any]] = []
        if self._has_constant:
            kind = "presence" if self.embedding.constant > 0.0 else "nothing"
            found.append({"kind": kind, "name": "presence"})
        for part in self.embedding.parts:
            name, values = "+".join(part.names), scale * np.diag(part.vectors)
            labels = [shown(label) for label in part.labels]
            if not part.vectors.shape[1]:
                continue
            if part.vectors.shape == (len(values),) * 2 and not np.any(
                part.vectors - np.diag(values / scale)
            ):
                known, other = values[: len(labels)].tolist(), float(values[-1])
                one_hot = {"kind": "one-hot", "name": name, "categories": labels, "weights": known}
                found.append({**one_hot, "other": other if part.has_other else None})
            else:
                found.append({"kind": "table", "name": name, "categories": list(part.channels)})
        found += [
            {
                "kind": "numeric",
                "name": number.name,
                "center": number.center,
                "weight": scale * sqrt(number.weight),
                "scale": 1.0,
            }
            for number in self.costs.numbers
        ]
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain values that :meth:`from_json` takes, beside the costs."""
        return {
            "labels": [[list(label) for label in labels] for labels in self.labels],
            "numbers": [
                [
                    number.center,
                    number.weight,
                    *(None if abs(end) == inf else end for end in (number.low, number.high)),
                ]
                for number in self.costs.numbers
            ],
        }

    @classmethod
    def from_json(
        cls, side: Side, costs: SideCosts, saved: Mapping[str, Any], *, is_orthogonal: bool
    ) -> "FittedSide":
        """Restore; ``costs`` are those of the parameters."""
        numbers = tuple(
            replace(
                number,
                center=float(center),
                weight=float(weight),
                low=inf if low is None else float(low),
                high=-inf if high is None else float(high),
            )
            for number, (center, weight, low, high) in zip(costs.numbers, saved["numbers"], strict=True)
        )
        labels = [{tuple(map(str, label)) for label in labels} for labels in saved["labels"]]
        return cls.fitted(side, replace(costs, numbers=numbers), labels, is_orthogonal=is_orthogonal)


def _measure(values: Sequence[float]) -> float:
    return float(common_measure(values)) if any(values) else inf


def labels_met(costs: SideCosts, columns: Columns, n_rows: int) -> list[set[Label]]:
    """Return the labels of each part that occur."""
    return [set(_texts(columns, part.names, n_rows)) for part in costs.parts]


def _texts(columns: Columns, names: Sequence[str], n_rows: int) -> list[Label]:
    """Return the label of each row."""
    parts = []
    for name in names:
        column = columns.get(name)
        if column is None:
            parts.append([NO_LABEL] * n_rows)
        elif column.categories is None:
            values, codes = np.unique(column.values + 0.0, return_inverse=True)
            texts = [label_text(value) for value in values.tolist()]
            parts.append([texts[code] for code in codes.tolist()])
        else:
            # The last entry is for the code -1, a missing value.
            texts = [*column.categories, NO_LABEL]
            parts.append([texts[code] for code in column.values.tolist()])
    return list(zip(*parts, strict=True)) if parts else [()] * n_rows


def _distinct(labels: list[Label]) -> tuple[list[Label], IntArray]:
    """Return each label once, in order of appearance, and the number of each row's."""
    place: dict[Label, int] = {}
    codes = np.fromiter((place.setdefault(label, len(place)) for label in labels), np.int64, len(labels))
    return list(place), codes


def _numbers(columns: Columns, name: str, n_rows: int, where: Where) -> FloatArray:
    column = columns.get(name)
    if column is None and n_rows == 0:
        return np.empty(0)
    if column is None or not column.is_numeric or not np.isfinite(column.values).all():
        row = 0 if column is None or not column.is_numeric else int(np.argmax(~np.isfinite(column.values)))
        found = "nothing" if column is None else repr(column.to_list()[row])
        raise EncodingError(
            f"{where(row)}, attribute {name!r}: expected a finite number, found {found}.",
            "Give every one a number, or use the attribute as a label, by its plain name.",
        )
    values: FloatArray = column.values
    return values


def elements_of(costs: SideCosts, columns: Columns, n_rows: int, where: Where) -> list[Element]:
    """Return what each node or edge is to the costs."""
    labels = [_texts(columns, part.names, n_rows) for part in costs.parts]
    numbers = [_numbers(columns, number.name, n_rows, where).tolist() for number in costs.numbers]
    by_row = list(zip(*labels, strict=True)) if labels else [()] * n_rows
    values = list(zip(*numbers, strict=True)) if numbers else [()] * n_rows
    return list(zip(by_row, values, strict=True))


def number_range(number: NumberCosts, columns: Columns, n_rows: int, where: Where) -> NumberCosts:
    """Return the costs of a number with the range that it has in some graphs."""
    return _within(number, _numbers(columns, number.name, n_rows, where))


def _within(number: NumberCosts, values: FloatArray) -> NumberCosts:
    low = min(number.low, float(values.min(initial=inf)))
    return replace(number, low=low, high=max(number.high, float(values.max(initial=-inf))))


__all__ = ["Columns", "FittedSide", "elements_of", "labels_met", "number_range"]
