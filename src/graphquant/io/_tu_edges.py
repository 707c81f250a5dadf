"""Edges of a TU collection: which lines count, and whether the graphs are directed."""

from collections.abc import Mapping

import numpy as np

from graphquant._typing import IntArray
from graphquant.exceptions import FileFormatError
from graphquant.graphs import Column
from graphquant.io._repairs import FIRST_KEPT, LEFT_OUT, Repairs
from graphquant.io._tu_files import SIDE_FILE, TuFiles


def without_flaws(edges: IntArray, graph_of_node: IntArray, label: str, repairs: Repairs) -> IntArray:
    """Numbers of the lines, without self-loops and without edges that occur twice in the same direction."""
    loops = edges[:, 0] == edges[:, 1]
    keys = _keys(edges)
    order = np.argsort(keys, kind="stable")
    again = np.zeros(len(edges), dtype=bool)
    again[order[1:]] = np.diff(keys[order]) == 0
    for wrong, what, done in (
        (loops, "is a self-loop", LEFT_OUT),
        (again & ~loops, "repeats an edge", FIRST_KEPT),
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
    return np.flatnonzero(~(again | loops))


def find_direction(
    edges: IntArray, columns: Mapping[str, Column], known: bool | None, files: TuFiles, repairs: Repairs
) -> tuple[bool, IntArray]:
    """Whether the graphs are directed, and the numbers of the lines that count, one for each edge.

    ``known`` says whether they are directed, if the file or the caller said so.
    """
    everything = np.arange(len(edges))
    if known:
        return True, everything
    if _is_symmetric(edges, columns):
        return False, np.flatnonzero(edges[:, 0] <= edges[:, 1])
    label = files.label("A")
    if known is None:
        if np.isin(_keys(edges[:, ::-1]), _keys(edges)).any():
            return True, everything
        error = FileFormatError(
            f"{label}: each edge is listed in one direction only.", "Say whether the graphs are directed."
        )
        repairs.tell(error, "the graphs are read as undirected; directed=True reads them as directed")
    else:
        error = FileFormatError(
            f"{label}: an edge is listed in one direction only, but the graphs are undirected.",
            f"Write the collection again, or remove {files.name}_{SIDE_FILE} to read it as directed.",
        )
        repairs.tell(error, "it counts for both")
    return False, np.sort(np.unique(_keys(np.sort(edges, axis=1)), return_index=True)[1])


def _is_symmetric(edges: IntArray, columns: Mapping[str, Column]) -> bool:
    """Whether each edge is listed in both directions, with the same labels and attributes."""
    keys, reverse = _keys(edges), _keys(edges[:, ::-1])
    forward, backward = np.argsort(keys, kind="stable"), np.argsort(reverse, kind="stable")
    return np.array_equal(keys[forward], reverse[backward]) and all(
        np.array_equal(column.values[forward], column.values[backward], equal_nan=True)
        for column in columns.values()
    )


def _keys(edges: IntArray) -> IntArray:
    """Return a number for each pair."""
    size = int(edges.max()) + 1 if len(edges) else 1
    keys: IntArray = edges[:, 0] * size + edges[:, 1]
    return keys


__all__ = ["find_direction", "without_flaws"]
