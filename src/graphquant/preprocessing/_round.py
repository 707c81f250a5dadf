"""What circle and curve have in common: all points have the same norm, so none is near "no node"."""

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from graphquant._typing import FloatArray
from graphquant.graphs import Column
from graphquant.preprocessing._columns import Counts, Policy, Where, number_words, numbers_of, tidy

# Digits of a number that survive the round trip through its channels.
_DIGITS = 12
# Rows per block: small enough for the cache.
_BLOCK = 4096
# A vector this near a point, as a share of its norm, is that point up to rounding.
_ON_IT = 1e-7
# Search limit for averages if the encoder does not know the range of its training data.
_FAR_UNITS = 6.0


@dataclass(frozen=True)
class RoundPart(ABC):
    """Fitted channels of a numeric attribute whose norm is ``weight`` whatever the number is.

    ``low`` and ``high`` are the range of training, None in files of 1.0.
    """

    kind: ClassVar[str]
    words: ClassVar[str]
    always_on: ClassVar[bool] = True
    informative: ClassVar[bool] = True
    name: str
    center: float
    scale: float
    weight: float
    mean: float
    low: float | None = None
    high: float | None = None

    @property
    @abstractmethod
    def channels(self) -> tuple[str, ...]:
        """Names of the channels."""

    @abstractmethod
    def put(self, units: FloatArray, out: FloatArray, weight: float = 1.0) -> None:
        """Write the points of centred and scaled values, whose norm is the weight."""

    @abstractmethod
    def nearest(self, vectors: FloatArray, within: tuple[float, float] | None) -> FloatArray:
        """Return the centred and scaled values of the nearest points, of all or of those within limits."""

    def encode(self, column: Column | None, out: FloatArray, policy: Policy, where: Where) -> Counts:
        """Write the channels into ``out``, shape (n_rows, n_channels)."""
        limits = self.low, self.high
        values, missing, counts = numbers_of(column, len(out), self.name, limits, policy, where)
        if missing is not None:
            values = np.where(missing, self.mean, values)
        for start in range(0, len(out), _BLOCK):
            rows = slice(start, start + _BLOCK)
            units = values[rows] - self.center
            units /= self.scale
            self.put(units, out[rows], self.weight)
        if missing is not None and policy.missing == "zero":
            out[missing] = 0.0
        return counts

    def amount(self, vectors: FloatArray) -> FloatArray | None:
        """Return a lower bound on how much of each row is there: averages of different points are shorter."""
        if self.weight == 0.0:
            return None
        norms: FloatArray = np.linalg.norm(vectors, axis=1)
        return norms / self.weight

    def decode(self, vectors: FloatArray, policy: Policy) -> FloatArray:
        """Return the numbers whose points are nearest, NaN where zero stands for a missing value."""
        values = np.full(len(vectors), self.mean)
        length = self.amount(vectors)
        if length is None:
            return values
        there = length > 1e-12
        if not there.all() and policy.missing == "zero":
            values[~there] = np.nan
        directions = vectors[there] / (self.weight * length[there, None])
        units = self._units(directions)
        values[there] = tidy(units * self.scale + self.center, max(abs(self.center), self.scale), _DIGITS)
        return values

    def _units(self, directions: FloatArray) -> FloatArray:
        units = self.nearest(directions, None)
        if self.low is None or self.high is None:
            low, high = -_FAR_UNITS, _FAR_UNITS
        else:
            low, high = ((limit - self.center) / self.scale for limit in (self.low, self.high))
        beyond = np.flatnonzero((units < low) | (units > high))
        if len(beyond):
            # A value outside the range comes back unchanged; an average is never decoded as one.
            points = np.empty((len(beyond), directions.shape[1]))
            self.put(units[beyond], points)
            blurred = beyond[np.linalg.norm(points - directions[beyond], axis=1) > _ON_IT]
            units[blurred] = self.nearest(directions[blurred], (low, high))
        return units

    def describe(self) -> str:
        """Describe in words what the channels hold."""
        return ", ".join([self.words, *number_words(self.center, self.scale, self.weight)])

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"kind": self.kind, **asdict(self)}


__all__ = ["RoundPart"]
