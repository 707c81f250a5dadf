"""Edit scripts for reports: how each graph differs from the medoid of its cluster."""

from collections.abc import Sequence

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.edit import edit_matcher, match_edits
from graphquant.edit.script import ScriptSide, edit_script
from graphquant.graphs import GraphCollection, RawGraphs
from graphquant.preprocessing import EditCosts

# Search nodes of a pair: a report shows edits, and says where fewer might do.
_NODE_LIMIT = 500


def edit_columns(
    graphs: GraphCollection,
    names: Sequence[str],
    labels: IntArray,
    distance: FloatArray,
    costs: EditCosts,
) -> dict[str, list[str | None]]:
    """Return for each graph the medoid of its cluster, the edit distance to it, and the edits from there.

    An average has no edit script; the medoid, the graph shown that is nearest to the code graph, has one.
    """
    raw = costs.inverse_transform(graphs)
    columns: dict[str, list[str | None]] = {
        name: [None] * len(graphs) for name in ("medoid", "edit distance", "edits")
    }
    for code in np.unique(labels).tolist():
        members = np.flatnonzero(labels == code)
        medoid = int(members[np.argmin(distance[members])])
        _add_cluster(columns, graphs, raw, names, members, medoid, costs)
    return columns


def _add_cluster(
    columns: dict[str, list[str | None]],
    graphs: GraphCollection,
    raw: RawGraphs,
    names: Sequence[str],
    members: IntArray,
    medoid: int,
    costs: EditCosts,
) -> None:
    pairs = np.column_stack([np.zeros(len(members), dtype=np.int64), np.arange(len(members))])
    matcher = edit_matcher("auto", _NODE_LIMIT, None)
    found = match_edits(graphs[[medoid]], graphs[members], pairs, costs, matcher, None, mappings=True)
    assert found.mapping is not None
    order = int(graphs.orders[medoid])
    start = ScriptSide.of(raw[[medoid]], costs, range(order))
    for k, member in enumerate(members.tolist()):
        end = ScriptSide.of(raw[[member]], costs, range(int(graphs.orders[member])))
        mapping = found.mapping[k, :order].tolist()
        edits = edit_script(start, end, mapping, costs, directed=raw.directed)
        sign = "" if found.proven[k] else "at most "
        columns["medoid"][member] = names[medoid]
        columns["edit distance"][member] = f"{sign}{found.distance[k]:g}"
        columns["edits"][member] = "; ".join(map(str, edits)) or "none"


__all__ = ["edit_columns"]
