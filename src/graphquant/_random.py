"""From ``random_state`` to generators: one way for the whole library."""

from collections.abc import Sequence

import numpy as np

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


__all__ = ["RandomState", "check_random_state", "spawn_seeds"]
