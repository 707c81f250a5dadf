"""Edit scripts for reports: how each graph differs from the medoid of its cluster."""

from collections.abc import Sequence

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.edit import scripts_from
from graphquant.graphs import GraphCollection
from graphquant.preprocessing import EditCosts
from graphquant.report._groups import Medoids


def edit_columns(
    graphs: GraphCollection,
    names: Sequence[str],
    labels: IntArray,
    distance: FloatArray,
    costs: EditCosts,
    medoids: Medoids | None,
) -> dict[str, list[str | None]]:
    """Return for each graph the medoid of its cluster, the edit distance to it, and the edits from there.

    An average has no edit script; its medoid, a training graph, has one. For codebooks that do not know their
    medoids it is the graph shown that is nearest to the code graph.
    """
    columns: dict[str, list[str | None]] = {
        name: [None] * len(graphs) for name in ("medoid", "edit distance", "edits")
    }
    for code in np.unique(labels).tolist():
        members = np.flatnonzero(labels == code)
        if medoids is None:
            nearest = int(members[np.argmin(distance[members])])
            medoid, name = graphs[[nearest]], names[nearest]
        else:
            medoid, name = medoids.graphs[[code]], medoids.names[code]
        for member, script in zip(
            members.tolist(), scripts_from(medoid, graphs[members], costs), strict=True
        ):
            sign = "" if script.proven else "at most "
            columns["medoid"][member] = name
            columns["edit distance"][member] = f"{sign}{script.distance:g}"
            columns["edits"][member] = "; ".join(map(str, script.edits)) or "none"
    return columns


__all__ = ["edit_columns"]
