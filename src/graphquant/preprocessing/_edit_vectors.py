"""Vectors whose squared distances are given costs, or the labels because of which there are none.

Give label a the vector v_a with ``|v_a|^2`` the cost of deleting it and ``|v_a - v_b|^2`` that of changing it
into b. Then ``<v_a, v_b> = G_ab = (c(a, 0) + c(b, 0) - c(a, b)) / 2``, and such vectors exist if and only if
the matrix G is positive semidefinite.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, sqrt
from typing import Any

import numpy as np

from graphquant._typing import FloatArray
from graphquant.exceptions import EncodingError
from graphquant.preprocessing._edit_model import Label, LabelCosts, SideCosts, shown

# Eigenvalues above minus this share of the largest cost are rounding errors.
_ROUNDING = 1e-10
# Costs are multiples of a number whose denominator is at most this, or of none.
_MOST_PARTS = 10_000


@dataclass(frozen=True)
class LabelVectors:
    """Vectors of the labels of one part; the last row may be that of all labels that are not known."""

    names: tuple[str, ...]
    labels: tuple[Label, ...]
    vectors: FloatArray  # (n_labels, or one more, n_channels)
    channels: tuple[str, ...]
    least_gain: float  # least inner product of two different labels

    @property
    def has_other(self) -> bool:
        """Whether labels that are not known have a vector."""
        return len(self.vectors) > len(self.labels)


@dataclass(frozen=True)
class Embedding:
    """Vectors of all nodes, or of all edges: parts side by side, a constant, and numbers."""

    parts: tuple[LabelVectors, ...]
    constant: float  # squared value of the presence channel; 0: there is none
    least_gain: float  # least inner product of two different elements, numbers left out


def embed(costs: SideCosts, labels: Sequence[Sequence[Label]], side: str) -> Embedding:
    """Find vectors for the labels of each part, or say which labels have none."""
    found = _embed_apart(costs, labels)
    if found is not None and (not costs.is_clamped or found.least_gain >= -_ROUNDING):
        return found
    if costs.numbers:
        raise _refused_numbers(costs, side)
    return _embed_together(costs, labels, side)


def _embed_apart(costs: SideCosts, labels: Sequence[Sequence[Label]]) -> Embedding | None:
    """Embed each part on its own; they share what their vectors have in common. None: not possible."""
    constant, parts = costs.base, []
    for part, known in zip(costs.parts, labels, strict=True):
        found = _plain(part, known, costs) if not part.table else _by_table(part, known)
        if found is None:
            return None
        vectors, common = found
        parts.append(vectors)
        constant += common
    if constant < -_ROUNDING * max(1.0, abs(costs.base)):
        return None
    constant = max(constant, 0.0)
    return Embedding(tuple(parts), constant, constant + sum(part.least_gain for part in parts))


def _plain(part: LabelCosts, labels: Sequence[Label], costs: SideCosts) -> tuple[LabelVectors, float]:
    """Equal costs: orthogonal vectors beside a constant."""
    substitution = part.substitution
    if costs.is_clamped and len(costs.parts) == 1 and not costs.numbers:
        substitution = min(substitution, 2.0 * part.indel)
    value, n = sqrt(0.5 * substitution), len(labels)
    vectors = np.diag(np.full(n + 1, value)) if value else np.zeros((n + 1, 0))
    channels = _names(part, labels) if value else ()
    return LabelVectors(part.names, tuple(labels), vectors, channels, 0.0), part.indel - 0.5 * substitution


def _by_table(part: LabelCosts, labels: Sequence[Label]) -> tuple[LabelVectors, float] | None:
    gains = _gains(labels, part.remove, part.change)
    for common in (part.indel - 0.5 * part.substitution, 0.0):
        vectors = _with_other(gains, part, common, is_clamped=False)
        if vectors is not None:
            apart = gains - common
            least = min(float(apart.min(initial=0.0)), 0.0)
            return LabelVectors(
                part.names, tuple(labels), vectors, _numbered(part.names, vectors), least
            ), common
    return None


def _with_other(gains: FloatArray, part: LabelCosts, common: float, *, is_clamped: bool) -> FloatArray | None:
    """Factor the gains less what is common, with a row for unknown labels if that is possible."""
    n = len(gains)
    removal = np.append(np.diag(gains), part.indel)
    wider = np.zeros((n + 1, n + 1))
    wider[:n, :n] = gains
    wider[n] = wider[:, n] = 0.5 * (removal + part.indel - part.substitution)
    wider[n, n] = part.indel
    vectors = factor((np.maximum(wider, 0.0) if is_clamped else wider) - common)
    return factor(gains - common) if vectors is None else vectors


def _embed_together(costs: SideCosts, labels: Sequence[Sequence[Label]], side: str) -> Embedding:
    """Embed all parts as one label, by the whole matrix; edges are clamped first."""
    names = tuple(name for part in costs.parts for name in part.names)
    joint = [tuple(label) for label in _joint(labels)]
    gains = _gains(joint, lambda a: costs.remove((a, ())), lambda a, b: costs.edit((a, ()), (b, ())))
    if costs.is_clamped:
        gains = np.maximum(gains, 0.0)
    vectors = factor(gains)
    if vectors is None:
        raise _refused(costs, joint, gains, side)
    if len(costs.parts) == 1:
        wider = _with_other(gains, costs.parts[0], 0.0, is_clamped=costs.is_clamped)
        vectors = vectors if wider is None else wider
    least = float(gains.min(initial=0.0))
    flat = tuple(tuple(text for label in tuple_ for text in label) for tuple_ in joint)
    return Embedding((LabelVectors(names, flat, vectors, _numbered(names, vectors), least),), 0.0, least)


def embed_orthogonal(part: LabelCosts, labels: Sequence[Label]) -> Embedding:
    """Give each label a channel of its own: changing one costs what deleting and inserting costs.

    Unknown labels share one more, of value 1: the caller scales it.
    """
    values = [*(sqrt(part.remove(label)) for label in labels), 1.0]
    vectors = LabelVectors(part.names, tuple(labels), np.diag(values), _names(part, labels), 0.0)
    return Embedding((vectors,), 0.0, 0.0)


def _joint(labels: Sequence[Sequence[Label]]) -> list[list[Label]]:
    """Return every combination of labels of all parts."""
    found: list[list[Label]] = [[]]
    for known in labels:
        found = [[*first, label] for first in found for label in known]
    return found


def _gains(labels: Sequence[Any], remove: Callable[..., float], change: Callable[..., float]) -> FloatArray:
    removal = np.array([remove(label) for label in labels])
    changes = np.array([[change(a, b) for b in labels] for a in labels]).reshape(len(labels), len(labels))
    return np.asarray(0.5 * (removal[:, None] + removal[None, :] - changes))


def factor(gains: FloatArray) -> FloatArray | None:
    """Return vectors with the given inner products, None if there are none.

    A Cholesky factorisation with pivots, in elementary operations: the same bits on every machine.

    Examples
    --------
    >>> factor(np.array([[1.0, 0.5], [0.5, 1.0]])).round(6).tolist()
    [[1.0, 0.0], [0.5, 0.866025]]
    >>> factor(np.array([[1.0, 2.0], [2.0, 1.0]])) is None
    True
    """
    scale = max(float(np.abs(gains).max(initial=0.0)), 1e-300)
    if len(gains) and float(np.linalg.eigvalsh(gains)[0]) < -_ROUNDING * scale:
        return None
    rest, columns = gains.copy(), []
    for _ in range(len(gains)):
        pivot = int(np.argmax(np.diag(rest)))
        if rest[pivot, pivot] <= _ROUNDING * scale:
            break
        column = rest[:, pivot] / sqrt(rest[pivot, pivot])
        rest = rest - column[:, None] * column[None, :]
        columns.append(column)
    return np.column_stack(columns) if columns else np.zeros((len(gains), 0))


def _names(part: LabelCosts, labels: Sequence[Label]) -> tuple[str, ...]:
    name = "+".join(part.names)
    return (*(f"{name}={'/'.join(label)}" for label in labels), f"{name}=other")


def _numbered(names: Sequence[str], vectors: FloatArray) -> tuple[str, ...]:
    return tuple(f"{'+'.join(names)} {i}" for i in range(vectors.shape[1]))


def breaking_labels(gains: FloatArray) -> list[int]:
    """Return a least set of labels without vectors: whichever is left out, the others have some."""

    def is_broken(chosen: list[int]) -> bool:
        part = gains[np.ix_(chosen, chosen)]
        return bool(np.linalg.eigvalsh(part)[0] < -_ROUNDING * max(float(np.abs(gains).max()), 1e-300))

    values, directions = np.linalg.eigh(gains)
    assert values[0] < 0.0
    chosen = list(range(len(gains)))
    # Those that matter least go first.
    for label in np.argsort(np.abs(directions[:, 0]), kind="stable").tolist():
        without = [other for other in chosen if other != label]
        if without and is_broken(without):
            chosen = without
    return chosen


def _refused(
    costs: SideCosts, labels: Sequence[tuple[Label, ...]], gains: FloatArray, side: str
) -> EncodingError:
    chosen = [labels[i] for i in breaking_labels(gains)]
    names = [repr(shown(tuple(text for label in joint for text in label))) for joint in chosen]
    said = [f"deleting {name} costs {costs.remove((a, ())):g}" for name, a in zip(names, chosen, strict=True)]
    said += [
        f"changing {names[i]} into {names[j]} costs {costs.edit((chosen[i], ()), (chosen[j], ())):g}"
        for i in range(len(chosen))
        for j in range(i + 1, len(chosen))
    ]
    listed = "; ".join(said[:8]) + ("; ..." if len(said) > 8 else "")
    return EncodingError(
        f"No vectors have these {side} costs; the labels {', '.join(names)} break them: {listed}. Costs "
        "must be "
        "squared distances: of any two labels, and of a label and nothing.",
        "Lower the costs of changes among these labels, or raise those of deleting them. With one cost "
        "for all "
        "changes and one for all deletions, a change may cost up to twice a deletion.",
    )


def _refused_numbers(costs: SideCosts, side: str) -> EncodingError:
    named = ", ".join(repr(number.name) for number in costs.numbers)
    return EncodingError(
        f"No vectors have these {side} costs: beside the number {named}, changing labels costs more than "
        "deleting "
        "one and inserting the other.",
        f"Lower {side}_substitution to at most twice {side}_indel.",
    )


def common_measure(values: Sequence[float]) -> Fraction:
    """Return the largest number of which all values are multiples; 0 if there is none.

    Examples
    --------
    >>> common_measure([1.0, 0.75, 0.0]), common_measure([0.1, 0.3]), common_measure([1.0, 2**0.5])
    (Fraction(1, 4), Fraction(1, 10), Fraction(0, 1))
    """
    found = []
    for value in values:
        fraction = Fraction(value).limit_denominator(_MOST_PARTS)
        if abs(float(fraction) - value) > 1e-12 * max(abs(value), 1.0):
            return Fraction(0)
        found.append(abs(fraction))
    return reduce(
        lambda a, b: Fraction(
            gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator
        ),
        found,
        Fraction(0),
    )


__all__ = [
    "Embedding",
    "LabelVectors",
    "breaking_labels",
    "common_measure",
    "embed",
    "embed_orthogonal",
    "factor",
]
