"""What edits of nodes, or of edges, cost: labels with tables, numbers, several attributes at once."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from graphquant.exceptions import InvalidParameterError

# A label is the texts of one attribute or of several that are priced together.
Label = tuple[str, ...]
# What a node or an edge is to its costs: a label for each part, then the numbers.
Element = tuple[tuple[Label, ...], tuple[float, ...]]

# The text of an attribute that has no value: a label like any other.
NO_LABEL = ""
# As for attributes of graphs: sums of larger costs leave the range of float64.
_LARGEST = 1e100


def label_text(value: Any) -> str:
    """Write a label as tables, channels and scripts have it; whole numbers alike, 6 and 6.0.

    Examples
    --------
    >>> label_text(6.0), label_text(True), label_text("C"), label_text(None), label_text(0.5)
    ('6', '1', 'C', '', '0.5')
    """
    if value is None:
        return NO_LABEL
    if isinstance(value, str):
        return value
    if isinstance(value, int | float | np.number | np.bool_):
        number = float(value)
        if math.isnan(number):
            return NO_LABEL
        return str(int(number)) if number.is_integer() and abs(number) < 1e16 else repr(number)
    return str(value)


def shown(label: Label) -> str:
    """Write a label for people."""
    return ", ".join(text or "no label" for text in label)


@dataclass(frozen=True)
class LabelCosts:
    """Costs of one kind of labels.

    Attributes
    ----------
    names : tuple of str
        The attributes whose texts make a label.
    substitution, indel : float
        What changing a label and what deleting or inserting it costs, where the table says nothing.
    table : mapping
        Costs of single pairs, symmetric; None in place of the second label stands for nothing.
    """

    names: tuple[str, ...]
    substitution: float
    indel: float
    table: Mapping[tuple[Label, Label | None], float] = field(default_factory=dict)

    def remove(self, label: Label) -> float:
        """Return what deleting or inserting it costs."""
        return self.table.get((label, None), self.indel)

    def change(self, a: Label, b: Label) -> float:
        """Return what changing a into b costs."""
        return 0.0 if a == b else self.table.get((a, b), self.substitution)

    @property
    def table_labels(self) -> set[Label]:
        """All labels that the table names."""
        return {label for pair in self.table for label in pair if label is not None}


@dataclass(frozen=True)
class NumberCosts:
    """Squared differences of a number: changing a into b costs ``weight * (a - b)**2``.

    Deleting a costs ``weight * (a - center)**2`` beside what else deleting costs: with a constant cost alone
    no vectors would have these costs.
    """

    name: str
    weight: float
    center: float
    low: float = math.inf
    high: float = -math.inf

    def remove(self, value: float) -> float:
        """Return what deleting or inserting it adds."""
        return self.weight * (value - self.center) ** 2

    def change(self, a: float, b: float) -> float:
        """Return what changing a into b costs."""
        return self.weight * (a - b) ** 2

    def least_gain(self, low: float, high: float) -> float:
        """Return the least inner product of two numbers of a range."""
        if low > high:
            return 0.0
        ends = (low - self.center, high - self.center)
        return self.weight * min(ends[0] * ends[1], ends[0] ** 2, ends[1] ** 2)


@dataclass(frozen=True)
class SideCosts:
    """Costs of all nodes, or of all edges: those of their attributes added up.

    Attributes
    ----------
    base : float
        What deleting costs beside the attributes: where there are no labels.
    is_clamped : bool
        Whether deleting and inserting stands in for a change that costs more, as for edges.
    """

    parts: tuple[LabelCosts, ...]
    numbers: tuple[NumberCosts, ...] = ()
    base: float = 0.0
    is_clamped: bool = False

    def remove(self, element: Element) -> float:
        """Return what deleting or inserting a node or an edge costs."""
        labels, numbers = element
        costs = [part.remove(label) for part, label in zip(self.parts, labels, strict=True)]
        costs += [part.remove(value) for part, value in zip(self.numbers, numbers, strict=True)]
        return math.fsum([self.base, *costs])

    def change(self, a: Element, b: Element) -> float:
        """Return what changing a into b costs, without clamping."""
        costs = [part.change(*pair) for part, *pair in zip(self.parts, a[0], b[0], strict=True)]
        costs += [part.change(*pair) for part, *pair in zip(self.numbers, a[1], b[1], strict=True)]
        return math.fsum(costs)

    def edit(self, a: Element, b: Element) -> float:
        """Return what turning a into b costs at least."""
        cost = self.change(a, b)
        return min(cost, math.fsum([self.remove(a), self.remove(b)])) if self.is_clamped else cost


def named_costs(value: Any, names: Sequence[str], parameter: str, *, least: float = 0.0) -> dict[str, float]:
    """Return one cost for each attribute, from one number for all or a mapping by name."""
    given = dict(value) if isinstance(value, Mapping) else dict.fromkeys(names, value)
    unknown = [name for name in given if name not in names]
    if unknown or len(given) < len(names):
        raise InvalidParameterError(
            f"{parameter}={value!r} does not fit the attributes {', '.join(map(repr, names)) or 'none'}.",
            "Give one number for all, or one for each attribute by its name.",
        )
    for name, cost in given.items():
        check_cost(cost, f"{parameter}{f'[{name!r}]' if isinstance(value, Mapping) else ''}", least=least)
    return {name: float(given[name]) for name in names}


def check_cost(cost: Any, parameter: str, *, least: float = 0.0) -> None:
    """Refuse what is not a number from 0 to 1e100."""
    number = isinstance(cost, int | float | np.number) and not isinstance(cost, bool)
    if not number or not least <= cost <= _LARGEST:
        raise InvalidParameterError(
            f"{parameter}={cost!r} is not a cost.", f"Give a finite number from 0 to {_LARGEST:g}."
        )


def read_table(
    table: Mapping[Any, Any] | None, n_names: int, parameter: str
) -> dict[tuple[Label, Label | None], float]:
    """Return a table with both orders of each pair; refuse one that is not symmetric."""
    found: dict[tuple[Label | None, Label | None], float] = {}
    for key, cost in (table or {}).items():
        if not isinstance(key, tuple) or len(key) != 2:
            raise InvalidParameterError(
                f"{parameter}: the key {key!r} is not a pair of labels.",
                'Give pairs, such as {("C", "N"): 0.7, ("C", None): 1.2}; None stands for nothing.',
            )
        a, b = (_table_label(label, n_names, key, parameter) for label in key)
        check_cost(cost, f"{parameter}[{key!r}]")
        if a == b and (a is None or cost != 0):
            raise InvalidParameterError(
                f"{parameter}[{key!r}]={cost!r}: keeping a label costs nothing.", "Leave the entry out."
            )
        for pair in ((a, b), (b, a)):
            if found.get(pair, cost) != cost:
                raise InvalidParameterError(
                    f"{parameter}[{key!r}]={cost!r}, but the reverse costs {found[pair]!r}. Only symmetric "
                    "costs are squared distances.",
                    "Give the pair once, or the same cost both ways.",
                )
            found[pair] = float(cost)
    return {(a, b): cost for (a, b), cost in found.items() if a is not None and a != b}


def _table_label(label: Any, n_names: int, key: Any, parameter: str) -> Label | None:
    if label is None:
        return None
    texts = label if isinstance(label, tuple) else (label,)
    if len(texts) != n_names:
        raise InvalidParameterError(
            f"{parameter}: the label {label!r} of {key!r} has {len(texts)} values for {n_names} attributes.",
            "Give a tuple with one value for each attribute, or a table for each attribute by its name.",
        )
    return tuple(map(label_text, texts))


def pairs_of(labels: Iterable[Label]) -> Iterator[tuple[Label, Label]]:
    """Yield all pairs of different labels."""
    return combinations(labels, 2)


__all__ = [
    "NO_LABEL",
    "Element",
    "Label",
    "LabelCosts",
    "NumberCosts",
    "SideCosts",
    "check_cost",
    "label_text",
    "named_costs",
    "pairs_of",
    "read_table",
    "shown",
]
