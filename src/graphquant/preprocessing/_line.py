"""A number as it is: one channel, centred and scaled."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from graphquant._typing import FloatArray
from graphquant.graphs import Column
from graphquant.preprocessing._columns import Counts, Policy, Where, number_words, numbers_of, tidy

# Digits of a number that survive the round trip through its channel.
_DIGITS = 14


@dataclass(frozen=True)
class NumericPart:
    """A fitted numeric channel. ``low`` and ``high`` are the range of training, None in files of 1.0."""

    kind: ClassVar[str] = "numeric"
    name: str
    center: float
    scale: float
    weight: float
    mean: float
    constant: bool = False
    low: float | None = None
    high: float | None = None

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels."""
        return (self.name,)

    @property
    def always_on(self) -> bool:
        """Whether the channel is a non-zero constant and thus shows presence."""
        return self.constant and self.mean != self.center and self.weight != 0

    @property
    def informative(self) -> bool:
        """Whether the channel is ever different from zero."""
        return not self.constant or self.always_on

    def encode(self, column: Column | None, out: FloatArray, policy: Policy, where: Where) -> Counts:
        """Write the channel into ``out``, shape (n_rows, 1)."""
        limits = self.low, self.high
        values, missing, counts = numbers_of(column, len(out), self.name, limits, policy, where)
        factor = self.weight / self.scale
        np.subtract(values, self.center, out=out[:, 0])
        out *= factor
        if missing is not None:
            out[missing, 0] = (self.mean - self.center) * factor if policy.missing == "mean" else 0.0
        return counts

    def decode(self, vectors: FloatArray) -> FloatArray:
        """Return the numbers that vectors stand for."""
        if self.weight == 0.0:
            return np.full(len(vectors), self.mean)
        return tidy(vectors[:, 0] * (self.scale / self.weight) + self.center, self.center, _DIGITS)

    def constant_amount(self, vectors: FloatArray) -> FloatArray:
        """Return the channel as a multiple of the constant that it was in training."""
        constant = (self.mean - self.center) * self.weight / self.scale
        return np.abs(vectors[:, 0] / constant)

    def describe(self) -> str:
        """Describe in words what the channel holds."""
        words = ["numeric"]
        if self.constant:
            words.append(f"constant {self.mean:.4g}")
        return ", ".join(words + number_words(self.center, self.scale, self.weight))

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"kind": self.kind, **asdict(self)}


__all__ = ["NumericPart"]
