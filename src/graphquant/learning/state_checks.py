"""What the arrays of a learner may hold: the core trusts them, so a saved state is checked first.

Names, types and shapes are those of the schema that the core tells. Here are the values: indices in range,
numbers that are numbers, mappings that are mappings. Whether bounds are true cannot be seen; a state that was
made up gives a codebook that is made up, but no crash.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from graphquant._typing import AnyArray, BoolArray, Int32Array, IntArray

# As for attributes of graphs: squares of larger numbers leave the range of float64.
_LARGEST = 1e100
# Counts; larger ones are not told apart as float64.
_MOST = 2**53
_FINITE = (
    "code_nodes",
    "code_pairs",
    "drift_nodes",
    "drift_pairs",
    "drift_outside",
    "drift_taken_at",
    "drift_path",
)
_NOT_NEGATIVE = ("drift_outside", "drift_taken_at", "drift_path", "group_past", "group_since")
_BOUNDS = (
    "presented_sq",
    "certified_sq",
    "lower",
    "second_lower",
    "upper_sq",
    "lead",
    "group_past",
    "group_since",
)


@dataclass(frozen=True)
class StateFrame:
    """What the values of a state must agree with.

    Attributes
    ----------
    node_offsets : ndarray of int of shape (n_graphs + 1,)
    groups : ndarray of int of shape (n_nodes,), optional
    capacity : ndarray of int
        Positions of each node class.
    is_directed : bool
    """

    node_offsets: IntArray
    groups: Int32Array | None
    capacity: IntArray
    is_directed: bool


def check_state(arrays: Mapping[str, AnyArray], like: Mapping[str, AnyArray], frame: StateFrame) -> None:
    """Refuse arrays that a learner with arrays like those cannot have.

    Raises
    ------
    ValueError
        Naming the array and what is wrong with it.
    """
    for name, target in like.items():
        _check_kind(name, arrays[name], target)
    for name in _FINITE:
        _require(name, np.abs(arrays[name]) <= _LARGEST, "a number that is not finite, or too large")
    for name in _BOUNDS:
        _require(name, ~np.isnan(arrays[name]), "a value that is not a number")
    for name in _NOT_NEGATIVE:
        _require(name, arrays[name] >= 0.0, "a negative length")
    _check_integers(arrays)
    _check_groups_of_codes(arrays)
    _check_mappings(arrays["mapping"], arrays["label"], int(arrays["code_nodes"].shape[1]), frame)
    check_pairs(arrays["code_pairs"], is_directed=frame.is_directed)


def check_codes(nodes: AnyArray, pairs: AnyArray, wins: AnyArray, *, is_directed: bool) -> None:
    """Refuse dense code graphs that no learner has."""
    for name, array in (("nodes", nodes), ("pairs", pairs)):
        _require(name, np.abs(array) <= _LARGEST, "a number that is not finite, or too large")
    _check_interval("wins", wins, 0, _MOST)
    check_pairs(pairs, is_directed=is_directed)


def check_pairs(pairs: AnyArray, *, is_directed: bool) -> None:
    """Refuse pairs (k, n, n, q) whose two directions contradict each other, or of a node with itself."""
    n, q = pairs.shape[1], pairs.shape[3]
    _require("pairs", pairs[:, np.arange(n), np.arange(n)] == 0.0, "an edge from a node to itself")
    half = q // 2 if is_directed else q
    outgoing, incoming = pairs[..., :half], pairs[..., half:] if is_directed else pairs
    _require("pairs", outgoing == incoming.transpose(0, 2, 1, 3), "an edge whose ends disagree")


def _check_kind(name: str, array: AnyArray, target: AnyArray) -> None:
    if array.shape != target.shape or array.dtype != target.dtype:
        raise ValueError(
            f"{name} has shape {array.shape} and type {array.dtype} instead of {target.shape} {target.dtype}"
        )


def _check_integers(arrays: Mapping[str, AnyArray]) -> None:
    k, order = arrays["code_nodes"].shape[:2]
    n_slots = arrays["drift_order"].shape[1]
    for name, lowest, highest in (
        ("wins", 0, _MOST),
        ("label", -1, k - 1),
        ("mapping", 0, order - 1),
        ("lower_snapshot", 0, n_slots - 1),
        ("second_snapshot", 0, n_slots - 1),
        ("certified_order", 0, order),
        ("drift_order", 0, order),
        ("drift_newest", 0, n_slots - 1),
        ("drift_steps", 0, _MOST),
        ("drift_spacing", 1, _MOST),
        ("drift_half", 0, 1),
    ):
        _check_interval(name, arrays[name], lowest, highest)
    for name, array in arrays.items():
        if array.dtype == np.bool_:
            # Bytes that are neither would pass for truth values.
            _check_interval(name, array.view(np.uint8), 0, 1)


def _check_groups_of_codes(arrays: Mapping[str, AnyArray]) -> None:
    """Refuse groups of code graphs, which share a bound, that are not parts of all code graphs."""
    ends, member, group_of = arrays["group_ptr"], arrays["group_member"], arrays["group_of"]
    if not len(ends):
        return
    k = len(member)
    sizes = np.diff(ends)
    if (
        ends[0] != 0
        or ends[-1] != k
        or (sizes < 0).any()
        or not np.array_equal(np.sort(member), np.arange(k))
    ):
        raise ValueError("group_ptr and group_member are not parts of the code graphs")
    if not np.array_equal(group_of[member], np.repeat(np.arange(len(sizes)), sizes)):
        raise ValueError("group_of contradicts group_member")


def _check_mappings(mapping: AnyArray, label: AnyArray, order: int, frame: StateFrame) -> None:
    """Refuse two nodes of a graph at the same position, and a node at a position of another class."""
    graph_of = np.repeat(np.arange(len(label)), np.diff(frame.node_offsets))
    is_known = label[graph_of] >= 0
    place = (graph_of * order + mapping)[is_known]
    if len(np.unique(place)) < len(place):
        raise ValueError("mapping has two nodes of a graph at the same position")
    if frame.groups is not None:
        class_of = np.repeat(np.arange(len(frame.capacity)), frame.capacity)
        _require(
            "mapping", class_of[mapping[is_known]] == frame.groups[is_known], "a position of another class"
        )


def _check_interval(name: str, values: AnyArray, lowest: int, highest: int) -> None:
    _require(name, (values >= lowest) & (values <= highest), f"a value outside {lowest} to {highest}")


def _require(name: str, good: BoolArray, problem: str) -> None:
    if not good.all():
        raise ValueError(f"{name} has {problem}")


__all__ = ["StateFrame", "check_codes", "check_pairs", "check_state"]
