"""Molecules before they are encoded: hydrogens counted or as nodes, rings and aromaticity completed."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant.exceptions import EncodingError
from graphquant.graphs import Column, RawGraphs

NUMBERS = ("charge", "n_hydrogens", "aromatic", "ring")


def looks_like_molecules(raw: RawGraphs) -> bool:
    """Whether graphs have all the attributes that reading molecules gives."""
    named = {"symbol", "charge", "n_hydrogens"} <= raw.node_columns.keys() and "bond" in raw.edge_columns
    return named and not (raw.node_columns["symbol"].is_numeric or raw.edge_columns["bond"].is_numeric)


def has_hydrogen_nodes(raw: RawGraphs) -> bool:
    """Whether hydrogens are nodes, and none are left to count."""
    return bool(_is_hydrogen(raw).any()) and not np.nan_to_num(raw.node_columns["n_hydrogens"].values).any()


def prepared(raw: RawGraphs, hydrogens: str) -> RawGraphs:
    """Return molecules with all columns, and hydrogens counted or as nodes."""
    for side, name, columns in (("node", "symbol", raw.node_columns), ("edge", "bond", raw.edge_columns)):
        if name not in columns and (side == "node" or len(raw.edges)):
            known = ", ".join(map(repr, columns)) or "none"
            raise EncodingError(
                f"The graphs are not molecules: no {side} attribute {name!r}.",
                f"There are: {known}. Let the encoder be chosen automatically.",
            )
    raw = _completed(raw)
    return folded(raw) if hydrogens == "count" else unfolded(raw)


def folded(raw: RawGraphs) -> RawGraphs:
    """Return molecules whose hydrogens are counted by the atom that they hang on.

    Examples
    --------
    >>> from graphquant.graphs.molecules import raw_from_smiles
    >>> methane = raw_from_smiles(["C"], hydrogens=True)
    >>> methane.orders.tolist(), folded(methane).orders.tolist()
    ([5], [1])
    >>> folded(methane).node_columns["n_hydrogens"].to_list()
    [4.0]
    """
    is_hydrogen = _is_hydrogen(raw)
    if not is_hydrogen.any():
        return raw
    ends = raw.edges + np.repeat(raw.node_offsets[:-1], raw.n_edges)[:, None]
    degree = np.bincount(ends.ravel(), minlength=len(is_hydrogen))
    hangs: BoolArray = is_hydrogen & (degree == 1)
    # Of two hydrogens that are joined both stay: they are a molecule.
    to_heavy = hangs[ends].any(axis=1) & ~is_hydrogen[ends].all(axis=1)
    gone = np.zeros(len(hangs), dtype=np.bool_)
    gone[ends[to_heavy][hangs[ends[to_heavy]]]] = True
    counts = np.nan_to_num(raw.node_columns["n_hydrogens"].values.astype(np.float64))
    np.add.at(counts, ends[to_heavy][~hangs[ends[to_heavy]]], 1.0)
    kept = ~gone
    graph = np.repeat(np.arange(len(raw)), raw.orders)
    orders = np.bincount(graph[kept], minlength=len(raw))
    offsets = np.concatenate([[0], np.cumsum(orders)])
    edges = ends[~gone[ends].any(axis=1)]
    edge_graph = graph[edges[:, 0]]
    number = np.cumsum(kept) - 1
    columns = dict(raw.node_columns) | {"n_hydrogens": Column(counts)}
    return RawGraphs(
        offsets,
        np.concatenate([[0], np.cumsum(np.bincount(edge_graph, minlength=len(raw)))]),
        number[edges] - offsets[edge_graph][:, None],
        {name: column.take(kept) for name, column in columns.items()},
        {name: column.take(~gone[ends].any(axis=1)) for name, column in raw.edge_columns.items()},
        directed=raw.directed,
        groups=None if raw.groups is None else raw.groups[kept],
        names=raw.names,
    )


def unfolded(raw: RawGraphs) -> RawGraphs:
    """Return molecules with a node for each hydrogen that was only counted.

    Examples
    --------
    >>> from graphquant.graphs.molecules import raw_from_smiles
    >>> unfolded(raw_from_smiles(["C"])).node_columns["symbol"].to_list()
    ['C', 'H', 'H', 'H', 'H']
    """
    counts = np.nan_to_num(raw.node_columns["n_hydrogens"].values).astype(np.int64)
    if not counts.any():
        return raw
    graph = np.repeat(np.arange(len(raw)), raw.orders)
    parent = np.repeat(np.arange(len(counts)), counts)
    # Old nodes first, then the new ones, graph by graph.
    rows = np.argsort(np.concatenate([graph, graph[parent]]), kind="stable")
    added = np.bincount(graph[parent], minlength=len(raw))
    offsets = np.concatenate([[0], np.cumsum(raw.orders + added)])
    place = np.empty(len(rows), dtype=np.int64)
    place[rows] = np.arange(len(rows))
    ends = raw.edges + np.repeat(raw.node_offsets[:-1], raw.n_edges)[:, None]
    edges = np.concatenate([place[ends], np.column_stack([place[parent], place[len(counts) :]])])
    edge_graph = np.concatenate([graph[ends[:, 0]], graph[parent]])
    edge_rows = np.argsort(edge_graph, kind="stable")
    return RawGraphs(
        offsets,
        np.concatenate([[0], np.cumsum(raw.n_edges + added)]),
        (edges - offsets[edge_graph][:, None])[edge_rows],
        _with_rows(raw.node_columns, len(parent), rows, {"symbol": "H"} | dict.fromkeys(NUMBERS, 0.0)),
        _with_rows(raw.edge_columns, len(parent), edge_rows, {"bond": "single"}),
        directed=raw.directed,
        names=raw.names,
    )


def _with_rows(
    columns: Mapping[str, Column], n_new: int, rows: IntArray, values: Mapping[str, str | float]
) -> dict[str, Column]:
    """Append as many new rows, and put all in order; what has no value there is missing."""
    found = {}
    for name, column in columns.items():
        if column.categories is None:
            value = values.get(name, np.nan) if name != "n_hydrogens" else 0.0
            old = np.zeros_like(column.values) if name == "n_hydrogens" else column.values
            found[name] = Column(np.concatenate([old, np.full(n_new, value)])[rows])
            continue
        categories = list(column.categories)
        word = values.get(name)
        if isinstance(word, str) and word not in categories:
            categories.append(word)
        code = categories.index(word) if isinstance(word, str) else -1
        found[name] = Column(np.concatenate([column.values, np.full(n_new, code)])[rows], categories)
    return found


def _completed(raw: RawGraphs) -> RawGraphs:
    """Add the columns that other sources of molecules lack."""
    lacking = [name for name in NUMBERS if name not in raw.node_columns]
    if not lacking and "bond" in raw.edge_columns:
        return raw
    n_nodes = int(raw.node_offsets[-1])
    found: dict[str, Column] = {}
    for name in lacking:
        values = np.zeros(n_nodes)
        if name == "aromatic":
            values = _aromatic(raw)
        elif name == "ring":
            values = _in_ring(raw)
        found[name] = Column(values)
    return RawGraphs(
        raw.node_offsets,
        raw.edge_offsets,
        raw.edges,
        dict(raw.node_columns) | found,
        {"bond": Column(np.zeros(0, dtype=np.int32), ["single"])} | dict(raw.edge_columns),
        directed=raw.directed,
        groups=raw.groups,
        names=raw.names,
    )


def _aromatic(raw: RawGraphs) -> FloatArray:
    """Return 1 for atoms with an aromatic bond."""
    values = np.zeros(int(raw.node_offsets[-1]))
    bond = raw.edge_columns.get("bond")
    if bond is not None and "aromatic" in (bond.categories or ()):
        ends = raw.edges + np.repeat(raw.node_offsets[:-1], raw.n_edges)[:, None]
        values[ends[bond.values == (bond.categories or ()).index("aromatic")]] = 1.0
    return values


def _in_ring(raw: RawGraphs) -> FloatArray:
    """Return 1 for atoms with a bond that is not a bridge."""
    # Only molecules from elsewhere need it: readers know rings from RDKit.
    import networkx as nx

    values = np.zeros(int(raw.node_offsets[-1]))
    for i in range(len(raw)):
        first, edges = int(raw.node_offsets[i]), raw.edges[raw.edge_offsets[i] : raw.edge_offsets[i + 1]]
        graph: Any = nx.Graph(edges.tolist())
        graph.remove_edges_from(list(nx.bridges(graph)))
        values[[first + node for node, degree in graph.degree if degree]] = 1.0
    return values


def _is_hydrogen(raw: RawGraphs) -> BoolArray:
    column = raw.node_columns["symbol"]
    if "H" not in (column.categories or ()):
        return np.zeros(len(column), dtype=np.bool_)
    found: BoolArray = column.values == (column.categories or ()).index("H")
    return found


__all__ = ["folded", "has_hydrogen_nodes", "looks_like_molecules", "prepared", "unfolded"]
