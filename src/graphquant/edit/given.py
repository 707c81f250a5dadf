"""Graphs as users give them, as raw graphs with the users' names of nodes."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.graphs import Column, GraphCollection, RawGraphs, as_graphs, raw_from_networkx
from graphquant.graphs.checks import plural
from graphquant.graphs.convert import channel_names, is_networkx
from graphquant.graphs.molecules import is_molecule, kept_atoms
from graphquant.preprocessing import EditCosts

Names = Sequence[Hashable]

# Vectors of graphs come back from attributes up to this.
_WHOLE = 1e-6


@dataclass(frozen=True)
class GivenGraphs:
    """Raw graphs, and how their nodes are called."""

    raw: RawGraphs
    names_of: Callable[[int], Names]

    def __len__(self) -> int:
        return len(self.raw)


def given_graphs(X: Any) -> GivenGraphs:
    """Take graphs in any form; vectors come back as what their encoder made them of."""
    if hasattr(X, "graphs") and hasattr(X, "raw"):  # a data set
        X = X.graphs if X.raw is None else X.raw
    members = [X] if is_networkx(X) or is_molecule(X) or isinstance(X, str) else X
    if isinstance(members, Sequence) and len(members) and all(map(is_networkx, members)):
        graphs = list(members)
        names = [str(graph.name) for graph in graphs] if all(graph.name for graph in graphs) else None
        return GivenGraphs(raw_from_networkx(graphs, names), lambda i: list(graphs[i].nodes))
    found = as_graphs(members)
    raw = found if isinstance(found, RawGraphs) else _raw_of_vectors(found)
    if isinstance(members, Sequence) and len(members) and all(map(is_molecule, members)):
        molecules = list(members)
        return GivenGraphs(raw, lambda i: kept_atoms(molecules[i]))
    return GivenGraphs(raw, lambda i: range(int(raw.orders[i])))


def one_graph(x: Any, parameter: str) -> GivenGraphs:
    """Take a single graph in any form."""
    found = given_graphs(x)
    if len(found) != 1:
        raise InvalidGraphError(
            f"{parameter} holds {plural(len(found), 'graph')}, expected one.",
            "Pass a single graph, such as dataset[3:4]; pairwise_edit_distances takes many.",
        )
    return found


def _raw_of_vectors(graphs: GraphCollection) -> RawGraphs:
    graphs = graphs.packed()
    if graphs.schema is not None and graphs.schema.encoder is not None:
        raw: RawGraphs = graphs.schema.encoder.inverse_transform(graphs)
        _refuse_averages(graphs, graphs.schema.encoder.encode(raw).graphs)
        return raw
    return RawGraphs(
        graphs.node_offsets,
        graphs.edge_offsets,
        graphs.edges,
        _channels(graphs.node_attrs, graphs.schema and graphs.schema.node),
        _channels(graphs.edge_attrs, graphs.schema and graphs.schema.edge),
        directed=graphs.directed,
        groups=graphs.groups,
        names=graphs.names,
    )


def _refuse_averages(graphs: GraphCollection, again: GraphCollection) -> None:
    """Refuse vectors that no graph with whole nodes and labels has."""
    again = again.packed()
    for vectors, of_raw in ((graphs.node_attrs, again.node_attrs), (graphs.edge_attrs, again.edge_attrs)):
        if vectors.shape != of_raw.shape or not np.allclose(vectors, of_raw, rtol=0.0, atol=_WHOLE):
            raise InvalidGraphError(
                "A code graph or a mean is an average: no edits turn it into anything.",
                "Compare with its medoid, a graph of the data: q.representatives(X), or q.explain(x).edits.",
            )


def _channels(attrs: Any, names: Any) -> dict[str, Column]:
    """Return channels as columns; one of ones says nothing."""
    if attrs.shape[1] == 1 and (attrs == 1.0).all():
        return {}
    return {name: Column(attrs[:, i]) for i, name in enumerate(channel_names(attrs.shape[1], names, "attrs"))}


def check_costs(costs: Any) -> EditCosts:
    """Return costs, unit costs for None."""
    if costs is None:
        return EditCosts()
    if isinstance(costs, EditCosts):
        return costs
    raise InvalidParameterError(
        f"costs={costs!r} is not accepted.",
        "Give EditCosts(...), such as EditCosts.like_networkx() or EditCosts(node_table=...).",
    )


def fitted_costs(costs: EditCosts, raw: RawGraphs) -> EditCosts:
    """Return costs in which all labels of some graphs are distinct."""
    return costs.extended(raw) if costs.is_fitted else costs.unfitted().fit(raw)


__all__ = ["GivenGraphs", "check_costs", "fitted_costs", "given_graphs", "one_graph"]
