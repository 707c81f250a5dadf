"""Graphs prepared for matchers and bounds."""

import ctypes
from dataclasses import dataclass, field

import numpy as np

from graphquant._core.calls import check_status, function
from graphquant._core.structs import Adjacency, Collection, Graphs
from graphquant._typing import BoolArray, FloatArray, Int32Array, IntArray


@dataclass(frozen=True)
class PreparedGraphs:
    """Many graphs with sorted adjacency; ``cpp/graphquant.h`` documents the arrays."""

    node_ptr: IntArray
    node_attr: FloatArray
    group: Int32Array
    adj_ptr: IntArray
    adj_idx: Int32Array
    adj_vec: FloatArray
    adj_sorted: FloatArray
    sq_norm: FloatArray
    is_nonneg: BoolArray
    pair_weight: float
    struct: Graphs = field(init=False, repr=False, compare=False)  # the same for the core

    def __post_init__(self) -> None:
        struct = Graphs(
            n_graphs=len(self.sq_norm),
            node_channels=self.node_attr.shape[1],
            edge_channels=self.adj_vec.shape[1],
            pair_weight=self.pair_weight,
        )
        struct.point(**{name: getattr(self, name) for name in Graphs.ARRAYS})
        object.__setattr__(self, "struct", struct)

    @property
    def orders(self) -> IntArray:
        """Nodes of each graph."""
        return np.diff(self.node_ptr)


def collection_struct(
    node_ptr: IntArray,
    node_attr: FloatArray,
    group: Int32Array | None,
    edge_ptr: IntArray,
    edges: Int32Array,
    edge_attr: FloatArray,
    *,
    is_directed: bool,
) -> Collection:
    """Return the arrays of a collection as a struct; the core borrows them."""
    struct = Collection(
        n_graphs=len(node_ptr) - 1,
        node_channels=node_attr.shape[1],
        edge_channels=edge_attr.shape[1],
        is_directed=is_directed,
    )
    struct.point(
        node_ptr=node_ptr,
        node_attr=node_attr,
        group=group,
        edge_ptr=edge_ptr,
        edges=edges,
        edge_attr=edge_attr,
    )
    return struct


def prepare_graphs(
    node_ptr: IntArray,
    node_attr: FloatArray,
    group: Int32Array | None,
    edge_ptr: IntArray,
    edges: Int32Array,
    edge_attr: FloatArray,
    *,
    is_directed: bool,
) -> PreparedGraphs:
    """Sort the adjacency of all graphs and compute their norms."""
    collection = collection_struct(
        node_ptr, node_attr, group, edge_ptr, edges, edge_attr, is_directed=is_directed
    )
    n_graphs, n_slots = len(node_ptr) - 1, 2 * len(edges)
    channels = edge_attr.shape[1] * (2 if is_directed else 1)
    adj_ptr = np.empty(len(node_attr) + 1, dtype=np.int64)
    adj_idx = np.empty(n_slots, dtype=np.int32)
    adj_vec, adj_sorted = np.empty((n_slots, channels)), np.empty((n_slots, channels))
    sq_norm, is_nonneg = np.empty(n_graphs), np.empty(n_graphs, dtype=np.bool_)
    out = Adjacency()
    out.point(
        adj_ptr=adj_ptr,
        adj_idx=adj_idx,
        adj_vec=adj_vec,
        adj_sorted=adj_sorted,
        sq_norm=sq_norm,
        is_nonneg=is_nonneg,
    )
    check_status(function("gq_prepare")(ctypes.byref(collection), ctypes.byref(out)))
    used = adj_ptr[-1]
    return PreparedGraphs(
        node_ptr=node_ptr,
        node_attr=node_attr,
        group=np.zeros(len(node_attr), dtype=np.int32) if group is None else group,
        adj_ptr=adj_ptr,
        adj_idx=adj_idx[:used],
        adj_vec=adj_vec[:used],
        adj_sorted=adj_sorted[:used],
        sq_norm=sq_norm,
        is_nonneg=is_nonneg,
        pair_weight=1.0 if is_directed else 2.0,
    )
