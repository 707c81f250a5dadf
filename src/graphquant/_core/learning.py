"""A learner of the core, with its state in named numpy arrays."""

import ctypes
from typing import Any

import numpy as np

from graphquant._core.calls import StopFlag, check_status, function
from graphquant._core.structs import (
    ArrayDescription,
    Collection,
    Counters,
    LearnerOptions,
    MatcherOptions,
    Space,
    address,
)
from graphquant._typing import AnyArray, FloatArray, IntArray

# How many arrays a state has, as in graphquant.h.
_STATE_ARRAYS = 34
_TYPES: tuple[type, ...] = (np.float64, np.int64, np.int32, np.int16, np.bool_)
_ALGORITHMS = {"standard": 0, "accelerated": 1, "lossless": 2, "fast": 3}
# Squared distances closer than this share of the squared norms count as equal: MARGIN in learner.hpp.
MARGIN = 16e-12
# What a process can address.
_MOST_BYTES = 2**47


class Learner:
    """Code graphs that learn from a collection; ``cpp/learning/state.hpp`` documents the arrays.

    Parameters
    ----------
    collection : Collection
        Training graphs.
    capacity : ndarray of int
        Positions of each node class.
    matcher : MatcherOptions
    n_codes : int
    n_groups : int, default=0
        Groups of code graphs that share a bound; 0: each has its own.
    n_workers : int, default=1
        Threads that may classify at the same time.
    snapshot_bytes : int, default=2**27
        Memory for snapshots of moving code graphs; 0 if they do not move.
    keeps_certificates : bool, default=False
        Whether "lossless" and "fast" continue with the alignments that they find.
    theta : float, default=0.0
        Parameter of "accelerated".
    lower : ndarray of shape (n_graphs, n_codes), optional
        Known lower bounds; the array is used, not copied.

    Attributes
    ----------
    arrays : dict of str to ndarray
        The state; the core works in these arrays.
    saved : tuple of str
        Names of those that a run needs to continue.
    """

    def __init__(
        self,
        collection: Collection,
        capacity: IntArray,
        matcher: MatcherOptions,
        *,
        n_codes: int,
        n_groups: int = 0,
        n_workers: int = 1,
        snapshot_bytes: int = 2**27,
        keeps_certificates: bool = False,
        theta: float = 0.0,
        lower: FloatArray | None = None,
    ) -> None:
        _check_size(collection, int(capacity.sum()), n_codes)
        # Kept here because the module may be gone when an object is freed at the end of the process.
        self._free, self._handle = function("gq_learner_free"), None
        self._options = LearnerOptions(
            X=ctypes.pointer(collection),
            space=Space.of(capacity),
            matcher=ctypes.pointer(matcher),
            order=max(int(capacity.sum()), 1),
            n_codes=n_codes,
            n_groups=n_groups,
            n_workers=n_workers,
            snapshot_bytes=snapshot_bytes,
            keeps_certificates=keeps_certificates,
            theta=theta,
        )
        # The core borrows memory of these.
        self._borrowed = (collection, capacity, matcher)
        described = (ArrayDescription * _STATE_ARRAYS)()
        function("gq_describe_state")(ctypes.byref(self._options), described)
        self.arrays: dict[str, AnyArray] = {}
        for item in described:
            name, shape = item.name.decode(), tuple(item.shape[: item.n_dims])
            given = lower if name == "lower" else None
            self.arrays[name] = np.zeros(shape, _TYPES[item.type]) if given is None else given
            assert self.arrays[name].shape == shape
        self.saved = tuple(item.name.decode() for item in described if item.is_saved)
        pointers = (ctypes.c_void_p * _STATE_ARRAYS)(
            *(address(array, array.dtype) for array in self.arrays.values())
        )
        self._handle = function("gq_learner_create")(ctypes.byref(self._options), pointers)
        if not self._handle:
            raise MemoryError("graphs of this size need more memory than is available")

    def __del__(self) -> None:
        handle, self._handle = self._handle, None
        if handle:
            self._free(handle)

    def set_matcher(self, matcher: MatcherOptions) -> None:
        """Match by other options of the same kind of matcher from now on."""
        function("gq_learner_set_matcher")(self._handle, ctypes.byref(matcher))

    def begin(self) -> None:
        """Begin with the code graphs in ``arrays``; only lower bounds and wins are known about them."""
        function("gq_begin")(self._handle)

    def resume(self) -> None:
        """Continue after ``arrays`` were filled from those of a learner with the same parameters."""
        function("gq_resume")(self._handle)

    def present(self, algorithm: str, sequence: IntArray, rates: FloatArray | None, stop: StopFlag) -> None:
        """Find the winner of each graph and move it, one by one; rates are harmonic if not given."""
        status = function("gq_present")(
            self._handle,
            _ALGORITHMS[algorithm],
            address(sequence, np.int64),
            address(rates, np.float64),
            len(sequence),
            address(stop.array, np.int32),
        )
        check_status(status)

    def classify(self, worker: int, algorithm: str, indices: IntArray, stop: StopFlag) -> None:
        """Find the winners of graphs; different workers may do so in several threads."""
        status = function("gq_classify")(
            self._handle,
            worker,
            _ALGORITHMS[algorithm],
            address(indices, np.int64),
            len(indices),
            address(stop.array, np.int32),
        )
        check_status(status)

    def learn(self, indices: IntArray, rates: FloatArray | None) -> None:
        """Move the winners of graphs that were classified, in order."""
        function("gq_learn")(
            self._handle, address(indices, np.int64), address(rates, np.float64), len(indices)
        )

    def move_codes(self, nodes: FloatArray, pairs: FloatArray) -> None:
        """Replace the code graphs, as one movement of each."""
        assert nodes.shape == self.arrays["code_nodes"].shape
        assert pairs.shape == self.arrays["code_pairs"].shape
        function("gq_move_codes")(self._handle, address(nodes, np.float64), address(pairs, np.float64))

    def end_cycle(self, cycle: int) -> None:
        """Carry the stored bounds over the end of a cycle, numbered from 0."""
        check_status(function("gq_end_cycle")(self._handle, cycle))

    def estimate_bounds(self, shift: FloatArray) -> None:
        """Algorithm 5, for the distance that each code graph has moved in a cycle."""
        function("gq_estimate_bounds")(self._handle, address(shift, np.float64))

    def lifted_sq_distances(self) -> FloatArray:
        """Return |x_a - y|^2 of all graphs to the current code graphs; 0 for graphs without a winner."""
        return self._distances("gq_lifted_sq_distances")

    def exact_sq_distances(self) -> FloatArray:
        """Return the same, computed by differences: accurate even if it is small."""
        return self._distances("gq_exact_sq_distances")

    def _distances(self, name: str) -> FloatArray:
        out = np.empty(len(self.arrays["label"]))
        function(name)(self._handle, address(out, np.float64))
        return out

    def counters(self) -> dict[str, int]:
        """Return the counters since the learner was created, by the names of ``gq_counters``."""
        counters = Counters()
        function("gq_count")(self._handle, ctypes.byref(counters))
        fields: Any = Counters._fields_
        return {name: getattr(counters, name) for name, _ in fields}


def _check_size(collection: Collection, order: int, n_codes: int) -> None:
    """Refuse code graphs whose size in bytes is beyond any memory: the core counts in 64 bits."""
    pair = int(collection.edge_channels) * (2 if collection.is_directed else 1)
    if 8 * n_codes * order * (int(collection.node_channels) + order * pair) > _MOST_BYTES:
        raise MemoryError(f"{n_codes} code graphs with {order} positions need more memory than there is")
