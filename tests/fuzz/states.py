"""Saved states of learners with hostile arrays: whatever passes the checks, the core goes on with."""

import numpy as np

from graphquant.learning.codes import CodeSpace
from graphquant.learning.in_memory import InMemory
from graphquant.learning.plan import Plan
from graphquant.matching import ExactMatcher, FrankWolfe

ALGORITHMS = ("standard", "accelerated", "lossless", "fast")


def states(small):
    """Return a case; ``small(rng, ...)`` makes the graphs."""

    def case(dice, number):
        rng = np.random.default_rng(number)
        X = small(
            rng, directed=bool(rng.integers(2)), groups=bool(rng.integers(2)), n_graphs=rng.integers(3, 8)
        )
        algorithm = ALGORITHMS[rng.integers(4)]
        n_groups = int(rng.integers(1, 3)) if algorithm == "lossless" and rng.random() < 0.4 else 0
        plan = Plan(algorithm, batch_size=int(rng.choice([1, 1, 3])), max_cycles=4, n_groups=n_groups)
        matcher = ExactMatcher(node_limit=50) if rng.random() < 0.7 else FrankWolfe()

        def learner():
            return InMemory(X, space, len(chosen), matcher, plan)

        chosen = X[rng.choice(len(X), 2, replace=False)]
        space = CodeSpace.of(X, chosen)
        codes = space.place(chosen)
        before = learner()
        for cycle in range(1 + int(rng.integers(2))):
            codes = before.learn(codes, cycle, 0, rng).codes
        arrays = {name: array.copy() for name, array in before.arrays().items()}
        for _ in range(1 + rng.integers(3)):
            name = list(arrays)[rng.integers(len(arrays))]
            arrays[name] = hostile(rng, arrays[name])
        after = learner()
        try:
            after.restore(arrays)
        except ValueError:
            # Files that hold such arrays are refused with an error of ours, which tests see.
            return "refused"
        after.learn(after.learner.codes.copy(), 2, 0, rng)
        after.encode(after.learner.codes.copy())
        after.learner.core.exact_sq_distances()
        return "accepted"

    return case


def hostile(rng, array):
    """Change values of an array of a state, seldom its shape or type."""
    change = rng.integers(12)
    if change == 0:
        return array.astype(np.float32 if array.dtype == np.float64 else np.int8)
    if change == 1:
        return array[: rng.integers(len(array) + 1)] if array.ndim else array
    if change == 2:
        return np.asfortranarray(array)
    array = array.copy()
    flat = array.reshape(-1).view(np.uint8) if array.dtype == np.bool_ else array.reshape(-1)
    if not flat.size:
        return array
    if flat.dtype.kind == "f":
        value = rng.choice([0.0, -0.0, 1.0, -1.0, 1e99, -1e99, 1e308, np.inf, -np.inf, np.nan, 1e-320])
    else:
        value = rng.choice([-1, 0, 1, 2, 3, 4, 5, 7, 31, 255, 2**15 - 1, 2**31 - 1, 2**53, 2**62, -(2**62)])
        value = np.array(value).astype(flat.dtype)
    if change < 6:
        flat[:] = value
    else:
        flat[rng.integers(flat.size, size=1 + rng.integers(3))] = value
    return array
