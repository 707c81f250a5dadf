"""A number as a point on a curve that keeps the order of numbers: the default.

As on a circle, all points have the same norm, and near values are near. But the ends never meet: for
a <= b <= c, c is at least as far from a as b is, and at least as far from a as from b. The curve has two
frequencies, 1 and ``r``; the inner product of the points at arc lengths s and t is

    K(|s - t|) = (cos(s - t) + b cos(r (s - t))) / (1 + b)

which decreases along the whole curve: from 1 to a plateau near -0.4 half way and to -0.66 at the end. So the
two ends and the middle are nearly equally far from each other, as three categories would be. That is what
makes the circle accurate; but the circle does not keep the order.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.preprocessing._round import RoundPart

# Frequencies 1 and 17/8, as multiples of 1/8, and the squared weight b of the second. Chosen by accuracy on
# letters, see benchmarks/encodings.py; any b up to the one where K stops decreasing half way is similar.
_FIRST, _SECOND, _BASE = 8, 17, 1.0 / 8.0
_B = 0.3
# Where K would begin to increase: the root of sin(t) + b r sin(r t).
_LENGTH = 3.809
_HALF = _LENGTH / 2.0
# Arc length per unit near the centre; further out it bends towards the ends.
_RATE = 1.64
_WEIGHTS = np.sqrt(np.array([1.0, _B]) / (1.0 + _B))
# A place on the curve is stored as the tangent of an eighth of the arc length: square roots give its cosine
# and sine, which is faster than calling these functions.
_END = float(np.tan(_BASE * _HALF))
_TANGENT_RATE = _BASE * _RATE
# Rows per block: small enough for the cache.
_BLOCK = 4096
_GRID = np.linspace(-_HALF, _HALF, 97)
_NEWTON_STEPS = 6
# Beyond this many units everything is at the end, up to rounding.
_INFINITE = 1e6


def _bend(units: FloatArray) -> FloatArray:
    """Return the places of centred and scaled values: nearly linear, then bending towards the ends."""
    z = np.clip(units, -_INFINITE, _INFINITE)
    z *= _TANGENT_RATE / _END
    power = z * z
    power *= power
    power *= power
    power += 1.0
    for _ in range(3):
        np.sqrt(power, out=power)
    np.divide(z, power, out=z)
    z *= _END
    return z


def _unbend(places: FloatArray) -> FloatArray:
    """Return the centred and scaled values of places."""
    last = 1.0 - 2.0**-53
    y = np.clip(places / _END, -last, last)
    units: FloatArray = y / (1.0 - y**8) ** 0.125 * (_END / _TANGENT_RATE)
    return units


def _points(places: FloatArray, out: FloatArray, weight: float = 1.0) -> None:
    """Write cosine and sine of both frequencies, times a weight: powers of one complex number."""
    one = np.empty(len(places), dtype=np.complex128)
    cosine = one.real
    np.multiply(places, places, out=cosine)
    cosine += 1.0
    np.sqrt(cosine, out=cosine)
    np.divide(1.0, cosine, out=cosine)
    np.multiply(places, cosine, out=one.imag)
    eighth = one * one
    eighth *= eighth
    eighth *= eighth
    seventeenth = eighth * eighth
    seventeenth *= one
    for i, (power, share) in enumerate(zip((eighth, seventeenth), _WEIGHTS, strict=True)):
        np.multiply(power.real, share * weight, out=out[:, 2 * i])
        np.multiply(power.imag, share * weight, out=out[:, 2 * i + 1])


def to_curve(units: FloatArray) -> FloatArray:
    """Return the points of centred and scaled values, of norm 1.

    Examples
    --------
    >>> to_curve(np.array([0.0, 100.0])).round(3).tolist()
    [[0.877, 0.0, 0.48, 0.0], [-0.287, 0.829, -0.297, -0.378]]
    """
    out = np.empty((len(units), 4))
    for start in range(0, len(units), _BLOCK):
        rows = slice(start, start + _BLOCK)
        _points(_bend(units[rows]), out[rows])
    return out


def from_curve(vectors: FloatArray, within: tuple[float, float] | None = None) -> FloatArray:
    """Return the centred and scaled values of the nearest points of the curve.

    The center and scale of the encoder convert them to the units of the attribute.

    Parameters
    ----------
    vectors : ndarray of shape (n, 4)
        The channels of an attribute, with any weight: points of numbers, or means of such points.
    within : pair of float, optional
        Smallest and largest centred and scaled value to consider.

    Examples
    --------
    >>> from_curve(0.5 * to_curve(np.array([-1.5, 0.0, 0.25]))).round(6).tolist()
    [-1.5, 0.0, 0.25]
    """
    low, high = -_HALF, _HALF
    if within is not None:
        low, high = (np.arctan(_bend(np.array(within, dtype=np.float64))) / _BASE).tolist()
    grid = low + (high - low) * (_GRID / _LENGTH + 0.5)
    points = np.empty((len(grid), 4))
    _points(np.tan(_BASE * grid), points)
    parameter = np.empty(len(vectors))
    for start in range(0, len(vectors), _BLOCK):
        rows = slice(start, start + _BLOCK)
        best = (vectors[rows] @ points.T).argmax(axis=1)
        parameter[rows] = _climb(vectors[rows], grid, best)
    units = _unbend(np.tan(_BASE * parameter))
    return units if within is None else np.clip(units, *within)


def _climb(vectors: FloatArray, grid: FloatArray, best: IntArray) -> FloatArray:
    """Newton's method for the largest inner product, between the neighbours of the best grid point."""
    least, most = grid[np.maximum(best - 1, 0)], grid[np.minimum(best + 1, len(grid) - 1)]
    t = grid[best]
    # <v, p(t)> is the sum of the real parts of conj(v_k) exp(i w_k t).
    waves = _WEIGHTS * (vectors[:, 0::2] - 1j * vectors[:, 1::2])
    speeds = np.array([_FIRST, _SECOND]) * _BASE
    for _ in range(_NEWTON_STEPS):
        turned = waves * np.exp(1j * t[:, None] * speeds)
        first = -(turned.imag @ speeds)
        second = -(turned.real @ speeds**2)
        # Uphill where the second derivative has the wrong sign, but only as far as the neighbours.
        step = np.where(second < 0.0, -first / np.where(second < 0.0, second, 1.0), np.sign(first))
        t = np.clip(t + step, least, most)
    return t


@dataclass(frozen=True)
class CurvePart(RoundPart):
    """Four fitted channels of a numeric attribute: a point on the curve."""

    kind: ClassVar[str] = "curve"
    words: ClassVar[str] = "numeric on a curve"

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels."""
        return (f"cos {self.name}", f"sin {self.name}", f"cos2 {self.name}", f"sin2 {self.name}")

    def put(self, units: FloatArray, out: FloatArray, weight: float = 1.0) -> None:
        """Write the points of centred and scaled values, times a weight."""
        for start in range(0, len(units), _BLOCK):
            rows = slice(start, start + _BLOCK)
            _points(_bend(units[rows]), out[rows], weight)

    def nearest(self, vectors: FloatArray, within: tuple[float, float] | None) -> FloatArray:
        """Return the centred and scaled values of the nearest points of the curve."""
        return from_curve(vectors, within)


__all__ = ["CurvePart", "from_curve", "to_curve"]
