"""The structs of ``cpp/graphquant.h``, field by field, and arrays as pointers.

Sizes are compared with those in the library when it is loaded.
"""

import ctypes
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

_ADDRESS = ctypes.c_void_p
_INT32, _INT64, _DOUBLE = ctypes.c_int32, ctypes.c_int64, ctypes.c_double


def address(array: NDArray[Any] | None, dtype: DTypeLike) -> int | None:
    """Return the address of the numbers of an array, which must have C order and the right type."""
    if array is None:
        return None
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"the core needs {np.dtype(dtype)} in C order, not {array.dtype} {array.strides}")
    return int(array.__array_interface__["data"][0])


class Struct(ctypes.Structure):
    """A struct that keeps the targets of its pointers alive; :meth:`point` sets them."""

    # Types of the arrays behind its pointers.
    ARRAYS: ClassVar[dict[str, DTypeLike]] = {}

    def point(self, **arrays: NDArray[Any] | None) -> None:
        """Point pointers at arrays; None is the null pointer."""
        for name, array in arrays.items():
            setattr(self, name, address(array, self.ARRAYS[name]))
        self.keep(arrays)

    def keep(self, what: Any) -> None:
        """Keep something alive as long as this struct."""
        self.__dict__.setdefault("_kept", []).append(what)


def _pointers(**arrays: DTypeLike) -> list[tuple[str, Any]]:
    return [(name, _ADDRESS) for name in arrays]


class Collection(Struct):
    """``gq_collection``: graphs as a collection holds them."""

    ARRAYS: ClassVar[dict[str, DTypeLike]] = {
        "node_ptr": np.int64,
        "node_attr": np.float64,
        "group": np.int32,
        "edge_ptr": np.int64,
        "edges": np.int32,
        "edge_attr": np.float64,
    }
    _fields_: ClassVar = [
        ("n_graphs", _INT64),
        ("node_channels", _INT64),
        ("edge_channels", _INT64),
        ("is_directed", _INT32),
        *_pointers(**ARRAYS),
    ]


class Graphs(Struct):
    """``gq_graphs``: graphs as matchers and bounds use them."""

    ARRAYS: ClassVar[dict[str, DTypeLike]] = {
        "node_ptr": np.int64,
        "node_attr": np.float64,
        "group": np.int32,
        "adj_ptr": np.int64,
        "adj_idx": np.int32,
        "adj_vec": np.float64,
        "adj_sorted": np.float64,
        "sq_norm": np.float64,
        "is_nonneg": np.bool_,
    }
    _fields_: ClassVar = [
        ("n_graphs", _INT64),
        ("node_channels", _INT64),
        ("edge_channels", _INT64),
        ("pair_weight", _DOUBLE),
        *_pointers(**ARRAYS),
    ]


class Adjacency(Struct):
    """``gq_adjacency``: output arrays of prepared graphs."""

    ARRAYS: ClassVar[dict[str, DTypeLike]] = {
        "adj_ptr": np.int64,
        "adj_idx": np.int32,
        "adj_vec": np.float64,
        "adj_sorted": np.float64,
        "sq_norm": np.float64,
        "is_nonneg": np.bool_,
    }
    _fields_: ClassVar = _pointers(**ARRAYS)


class Space(Struct):
    """``gq_space``: positions of each node class."""

    ARRAYS: ClassVar[dict[str, DTypeLike]] = {"capacity": np.int64}
    _fields_: ClassVar = [("capacity", _ADDRESS), ("n_classes", _INT64)]

    @classmethod
    def of(cls, capacity: NDArray[np.int64]) -> "Space":
        """Return the space with these numbers of positions per class."""
        space = cls(n_classes=len(capacity))
        space.point(capacity=capacity)
        return space


class Exact(ctypes.Structure):
    """``gq_exact``."""

    _fields_: ClassVar = [
        ("node_limit", _DOUBLE),
        ("time_limit", _DOUBLE),
        ("patience", _DOUBLE),
        ("ascents", _INT64),
        ("free_order", _INT64),
        ("search_order", _INT64),
    ]


class FrankWolfe(ctypes.Structure):
    """``gq_frank_wolfe``."""

    _fields_: ClassVar = [("max_iter", _INT64), ("n_starts", _INT64)]


class Graduated(ctypes.Structure):
    """``gq_graduated``."""

    _fields_: ClassVar = [
        ("beta_start", _DOUBLE),
        ("beta_rate", _DOUBLE),
        ("beta_end", _DOUBLE),
        ("tol_inner", _DOUBLE),
        ("tol_sinkhorn", _DOUBLE),
        ("max_inner", _INT64),
        ("max_sinkhorn", _INT64),
    ]


MATCH_FUNCTION = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, _INT64, _INT64, ctypes.POINTER(ctypes.c_int64)
)


class Callback(ctypes.Structure):
    """``gq_callback``: a user-defined matcher."""

    _fields_: ClassVar = [("match", MATCH_FUNCTION), ("context", _ADDRESS)]


class MatcherOptions(Struct):
    """``gq_matcher``: a kind, and the options of all kinds."""

    EXACT, FRANK_WOLFE, GRADUATED, CALLBACK = range(4)
    _fields_: ClassVar = [
        ("kind", _INT32),
        ("exact", Exact),
        ("frank_wolfe", FrankWolfe),
        ("graduated", Graduated),
        ("callback", Callback),
    ]


class MatchRequest(Struct):
    """``gq_match_request``."""

    ARRAYS: ClassVar[dict[str, DTypeLike]] = {"pairs": np.int64, "proposals": np.int64, "stop": np.int32}
    _fields_: ClassVar = [
        ("graphs", ctypes.POINTER(Graphs)),
        ("space", Space),
        ("matcher", ctypes.POINTER(MatcherOptions)),
        ("n_pairs", _INT64),
        ("pairs", _ADDRESS),
        ("proposals", _ADDRESS),
        ("width", _INT64),
        ("granularity", _DOUBLE),
        ("threshold_sq", _DOUBLE),
        ("stop", _ADDRESS),
    ]


class MatchResult(Struct):
    """``gq_match_result``."""

    ARRAYS: ClassVar[dict[str, DTypeLike]] = {
        "sq_distance": np.float64,
        "sq_lower": np.float64,
        "n_nodes": np.int64,
        "mapping": np.int64,
    }
    _fields_: ClassVar = _pointers(**ARRAYS)


class Certificate(ctypes.Structure):
    """``gq_certificate``."""

    _fields_: ClassVar = [("ascents", _INT64), ("node_limit", _DOUBLE)]


class Summaries(Struct):
    """``gq_summaries``: data of each graph for the cheap bounds."""

    ARRAYS: ClassVar[dict[str, DTypeLike]] = {
        "node_norm": np.float64,
        "edge_norm": np.float64,
        "node_sorted": np.float64,
        "edge_sorted": np.float64,
        "spectrum": np.float64,
    }
    _fields_: ClassVar = _pointers(**ARRAYS)


class BoundRequest(Struct):
    """``gq_bound_request``."""

    ARRAYS: ClassVar[dict[str, DTypeLike]] = {"pairs": np.int64, "stop": np.int32}
    _fields_: ClassVar = [
        ("X", ctypes.POINTER(Graphs)),
        ("Y", ctypes.POINTER(Graphs)),
        ("X_summaries", ctypes.POINTER(Summaries)),
        ("Y_summaries", ctypes.POINTER(Summaries)),
        ("space", Space),
        ("n_pairs", _INT64),
        ("pairs", _ADDRESS),
        ("threshold_sq", _DOUBLE),
        ("last", _INT32),
        ("stop", _ADDRESS),
    ]


class ArrayDescription(ctypes.Structure):
    """``gq_array``: one array of a learner's state."""

    _fields_: ClassVar = [
        ("name", ctypes.c_char_p),
        ("type", _INT32),
        ("is_saved", _INT32),
        ("n_dims", _INT64),
        ("shape", _INT64 * 4),
    ]


class LearnerOptions(ctypes.Structure):
    """``gq_learner_options``."""

    _fields_: ClassVar = [
        ("X", ctypes.POINTER(Collection)),
        ("space", Space),
        ("matcher", ctypes.POINTER(MatcherOptions)),
        ("order", _INT64),
        ("n_codes", _INT64),
        ("n_groups", _INT64),
        ("n_workers", _INT64),
        ("snapshot_bytes", _INT64),
        ("keeps_certificates", _INT32),
        ("theta", _DOUBLE),
    ]


class Counters(ctypes.Structure):
    """``gq_counters``."""

    _fields_: ClassVar = [
        ("matchings", _INT64),
        ("bounds", _INT64),
        ("proven", _INT64),
        ("certificates", _INT64),
    ]


# Names in the header; sizes are compared when the library is loaded.
STRUCTS: dict[str, type[ctypes.Structure]] = {
    "gq_collection": Collection,
    "gq_graphs": Graphs,
    "gq_adjacency": Adjacency,
    "gq_space": Space,
    "gq_exact": Exact,
    "gq_frank_wolfe": FrankWolfe,
    "gq_graduated": Graduated,
    "gq_callback": Callback,
    "gq_matcher": MatcherOptions,
    "gq_match_request": MatchRequest,
    "gq_match_result": MatchResult,
    "gq_certificate": Certificate,
    "gq_summaries": Summaries,
    "gq_bound_request": BoundRequest,
    "gq_array": ArrayDescription,
    "gq_learner_options": LearnerOptions,
    "gq_counters": Counters,
}
