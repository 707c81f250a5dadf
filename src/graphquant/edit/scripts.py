"""Edit scripts from one graph to others that are encoded by the same costs."""

from typing import NamedTuple

import numpy as np

from graphquant.edit.matching import edit_matcher, match_edits
from graphquant.edit.script import Edit, ScriptSide, edit_script
from graphquant.graphs import GraphCollection
from graphquant.preprocessing import EditCosts

# Search nodes of a pair: enough for nearly all molecules; where fewer edits might do, that is said.
_NODE_LIMIT = 500


class Script(NamedTuple):
    """What turns one graph into another."""

    distance: float
    proven: bool  # whether no edits cost less
    edits: tuple[Edit, ...]


def scripts_from(start: GraphCollection, graphs: GraphCollection, costs: EditCosts) -> list[Script]:
    """Return the edits that turn the only graph of ``start`` into each of the others.

    Nodes are called by their numbers, those of ``start`` first.
    """
    pairs = np.column_stack([np.zeros(len(graphs), dtype=np.int64), np.arange(len(graphs))])
    matcher = edit_matcher("auto", _NODE_LIMIT, None)
    found = match_edits(start, graphs, pairs, costs, matcher, None, mappings=True)
    assert found.mapping is not None
    order, raw = start.max_order, costs.inverse_transform(graphs)
    side = ScriptSide.of(costs.inverse_transform(start), costs, range(order))
    scripts = []
    for k in range(len(graphs)):
        end = ScriptSide.of(raw[[k]], costs, range(int(graphs.orders[k])))
        edits = edit_script(side, end, found.mapping[k, :order].tolist(), costs, directed=raw.directed)
        scripts.append(Script(float(found.distance[k]), bool(found.proven[k]), edits))
    return scripts


__all__ = ["Script", "scripts_from"]
