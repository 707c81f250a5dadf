"""Array aliases used in signatures."""

from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Int32Array = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
AnyArray = npt.NDArray[Any]

__all__ = ["AnyArray", "BoolArray", "FloatArray", "Int32Array", "IntArray"]
