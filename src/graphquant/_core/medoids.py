"""Swap search for medoids in the core."""

import ctypes

import numpy as np

from graphquant._core.calls import StopFlag, check_status, function
from graphquant._core.structs import address
from graphquant._typing import FloatArray, IntArray


def swap_medoids(
    distances: FloatArray, medoids: IntArray, *, tol: float, stop: StopFlag | None = None
) -> tuple[IntArray, float]:
    """Swap medoids (rows of distances) while that reduces the total; return them and the total."""
    found, total = medoids.astype(np.int64), ctypes.c_double()
    # A single medoid has no second one; unlike inf, this placeholder keeps the sums correct.
    far = float(distances.max()) if len(found) == 1 else np.inf
    status = function("gq_swap_medoids")(
        address(distances, np.float64),
        distances.shape[0],
        distances.shape[1],
        address(found, np.int64),
        len(found),
        far,
        tol,
        None if stop is None else address(stop.array, np.int32),
        ctypes.byref(total),
    )
    check_status(status)
    return found, total.value
