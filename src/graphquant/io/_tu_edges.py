"""Edges of a TU collection: which lines count, and whether the graphs are directed."""

from collections.abc import Mapping

import numpy as np

from graphquant._typing import IntArray
from graphquant.exceptions import FileFormatError
from graphquant.graphs import Column
from graphquant.io._repairs import FIRST_KEPT, LEFT_OUT, Repairs
from graphquant.io._tu_files import SIDE_FILE, TuFiles


def without_flaws(edges: IntArray, graph_of_node: IntArray, label: str, repairs: Repairs) -> IntArray:
    """Numbers of the lines without self-loops and without edges that stand twice in the same direction."""
    loops = edges[:, 0] == edges[:, 1]
    first = np.zeros(len(edges), dtype=bool)
    first[np.unique(_keys(edges), return_index=True)[1]] = True
    for wrong, what, done in (
        (loops, "is a self-loop", LEFT_OUT),
        (~first & ~loops, "repeats an edge", FIRST_KEPT),
    ):
        if wrong.any():
            line = int(np.argmax(wrong))
            start, end = edges[line] + 1
            error = FileFormatError(
                f"{label}: line {line + 1} {what} (nodes {start} and {end}, "
                f"graph {graph_of_node[start - 1] + 1}).",
                "Remove it from the file.",
            )
            repairs.tell(error, done, count=int(wrong.sum()))
    return np.flatnonzero(first & ~loops)


def is_undirected(
    edges: IntArray, columns: Mapping[str, Column], known: bool | None, files: TuFiles, repairs: Repairs
) -> bool:
    """Whether the graphs are undirected; ``known`` says it if the file or the caller did."""
    if known or (known is None and len(edges) == 0):
        return not known
    if _is_symmetric(edges, columns):
        return True
    label = files.label("A")
    if known is None:
        keys = _keys(edges)
        if np.isin(_keys(edges[:, ::-1], int(edges.max()) + 1), keys).any():
            return False
        error = FileFormatError(
            f"{label}: each edge stands in one direction only.", "Say whether the graphs are directed."
        )
        repairs.tell(error, "the graphs are read as undirected; directed=True reads them as directed")
    else:
        error = FileFormatError(
            f"{label}: an edge stands in one direction only, but the graphs are undirected.",
            f"Write the collection again, or remove {files.name}_{SIDE_FILE} to read it as directed.",
        )
        repairs.tell(error, "it counts for both")
    return True


def keep_once(edges: IntArray) -> IntArray:
    """Numbers of the lines that hold each undirected edge for the first time."""
    return np.sort(np.unique(_keys(np.sort(edges, axis=1)), return_index=True)[1])


def _keys(edges: IntArray, n_nodes: int | None = None) -> IntArray:
    """Return a number for each pair."""
    size = (int(edges.max()) + 1 if len(edges) else 1) if n_nodes is None else n_nodes
    return edges[:, 0].astype(np.int64) * size + edges[:, 1]


def _is_symmetric(edges: IntArray, columns: Mapping[str, Column]) -> bool:
    """Whether each edge stands in both directions, with the same labels and attributes."""
    forward = np.lexsort((edges[:, 1], edges[:, 0]))
    backward = np.lexsort((edges[:, 0], edges[:, 1]))
    return np.array_equal(edges[forward], edges[backward][:, ::-1]) and all(
        np.array_equal(column.values[forward], column.values[backward], equal_nan=True)
        for column in columns.values()
    )


__all__ = ["is_undirected", "keep_once", "without_flaws"]
