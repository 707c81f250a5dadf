"""From ``random_state`` to generators: one way for the whole library."""

from collections.abc import Sequence

import numpy as np

from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant.exceptions import InvalidParameterError

RandomState = int | np.random.Generator | np.random.RandomState | None


def check_random_state(random_state: RandomState) -> np.random.Generator:
    """Return a generator for ``random_state``: a seed, a generator, a ``RandomState``, or None."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**31 - 1, size=4))
    # True is an int in Python, but nobody means it as a seed.
    is_int = isinstance(random_state, int | np.integer) and not isinstance(random_state, bool)
    if random_state is None or (is_int and random_state >= 0):
        return np.random.default_rng(random_state)
    raise InvalidParameterError(
        f"random_state={random_state!r} is not accepted.",
        "Give a non-negative int, a numpy Generator or RandomState, or None.",
    )


def spawn_seeds(random_state: RandomState, n: int) -> Sequence[int]:
    """Draw ``n`` independent seeds, one for each restart or block."""
    return [int(s) for s in check_random_state(random_state).integers(0, 2**63 - 1, size=n)]


def draw(weights: FloatArray, is_chosen: BoolArray, size: int, rng: np.random.Generator) -> IntArray:
    """Draw candidates in proportion to weights; from those not chosen yet if all weights are zero."""
    total = np.cumsum(weights)
    uniform = rng.random(size)
    if total[-1] == 0.0:  # every graph equals a code
        rest = np.flatnonzero(~is_chosen)
        return np.asarray(rest[(uniform * len(rest)).astype(np.int64)])
    found: IntArray = np.searchsorted(total, uniform * total[-1], side="right")
    # By rounding, a draw may end after the last graph that has a weight.
    last: int = np.flatnonzero(weights)[-1]
    return np.minimum(found, last)


__all__ = ["draw", "RandomState", "check_random_state", "spawn_seeds"]
