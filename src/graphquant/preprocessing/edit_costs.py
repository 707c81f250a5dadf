"""EditCosts: vectors whose squared distance is the graph edit distance."""

import hashlib
import json
import math
import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np

from graphquant._typing import AnyArray, FloatArray
from graphquant.exceptions import EncodingError, GraphQuantWarning, InvalidParameterError
from graphquant.graphs import Graph, GraphCollection, RawGraphs, Schema, as_collection, check_same_schema
from graphquant.preprocessing._columns import Where
from graphquant.preprocessing._edit_inverse import inverse
from graphquant.preprocessing._edit_model import Element, SideCosts
from graphquant.preprocessing._edit_settings import (
    Attributes,
    Spec,
    attributes_from_json,
    attributes_of,
    attributes_to_json,
    params_from_json,
    params_to_json,
    side_costs,
)
from graphquant.preprocessing._edit_side import FittedSide, elements_of, labels_met, number_range
from graphquant.preprocessing._edit_triples import free_nodes, triple_costs, with_triples
from graphquant.preprocessing._edit_vectors import common_measure
from graphquant.preprocessing._json import check_header, damaged_is_error, header
from graphquant.preprocessing._notes import AttributeNotes, Encoded, EncodingNotes
from graphquant.preprocessing._source import SIDES, Side, Source, as_source
from graphquant.preprocessing._transformer import GraphEncoder, check_fitted

_ROUNDING = 1e-9


class EditCosts(GraphEncoder):
    """Turn graphs into vectors whose squared distance is the graph edit distance.

    An edit deletes, inserts or changes one node or one edge; deleting a node also deletes its edges. The
    edit distance is the least total cost of edits that turn one graph into the other. Label a becomes a
    vector with ``|v_a|^2`` the cost of deleting a and ``|v_a - v_b|^2`` that of changing a into b, so that
    everything in this library works in the edit distance: its square root is the distance d of encoded
    graphs.

    Parameters
    ----------
    node_substitution, edge_substitution : float or dict, default=1.0
        What changing a label costs; of several attributes one number for each, or by name. Costs add up.
    node_indel, edge_indel : float or dict, default=1.0
        What deleting or inserting costs, likewise: a node with two attributes costs 2.
    node_table, edge_table : dict, optional
        Costs of single labels: ``{("C", "N"): 0.7, ("C", None): 1.2}``, where None stands for nothing, in
        either order; other pairs have the costs above. With several attributes labels are tuples of all their
        values, and the table prices all of them together; or it is a dict of tables by attribute.
    node, edge : str, Numeric, or sequence of them, default="label"
        The attributes to compare. A name is a label: equal or not, also of numbers. ``Numeric(name, center=c,
        weight=w)`` costs ``w^2 (a - b)^2`` to change and adds ``w^2 (a - c)^2`` to deleting (c is 0 by
        default). ``"label"`` stands for the attribute of this name; where there is none, for ``symbol``
        of nodes and ``bond`` of edges, else for the only attribute there is. An empty list: no labels.
    common_edges : bool, default=False
        Whether graphs are compared by their common edges, see :meth:`mces`.

    Attributes
    ----------
    granularity_ : float
        All edit distances are multiples of it; 0 where costs have no common measure.
    needs_zero_nodes_ : bool
        Whether deleting one node and inserting another may be cheaper than a change: graphs of n1 and n2
        nodes then meet in the order n1 + n2, which every function knows.
    node_channels_, edge_channels_ : tuple of str
    n_features_in_ : int
        Number of attributes that are read.

    Notes
    -----
    Vectors with given costs exist if and only if ``(c(a, 0) + c(b, 0) - c(a, b)) / 2`` is a positive
    semidefinite matrix; ``fit`` refuses others and names the labels that break them. For edges a change
    never costs more than deleting and inserting. The guide has the proof.

    Labels that ``fit`` did not see share one channel. Their distances to graphs of known labels are
    right; those between graphs with different new labels are too small, and :meth:`transform` warns of it.
    :func:`graphquant.edit_distance` and :func:`graphquant.pairwise_edit_distances` keep all labels distinct.

    Examples
    --------
    >>> import networkx as nx
    >>> import graphquant as gq
    >>> x, y = nx.path_graph(3), nx.path_graph(2)
    >>> nx.set_node_attributes(x, {0: "C", 1: "C", 2: "O"}, "label")
    >>> nx.set_node_attributes(y, {0: "C", 1: "N"}, "label")
    >>> costs = gq.preprocessing.EditCosts()
    >>> vectors = costs.fit_transform([x, y])
    >>> round(gq.distance(vectors[0], vectors[1]) ** 2, 9)  # change O or C into N, delete a node and its edge
    3.0
    >>> print(costs.describe())
    nodes: label; changing costs 1, deleting and inserting 1; 3 labels: C, N, O
    edges: no labels; deleting and inserting costs 1
    all distances are multiples of 1
    """

    def __init__(
        self,
        node_substitution: float | Mapping[str, float] = 1.0,
        node_indel: float | Mapping[str, float] = 1.0,
        edge_substitution: float | Mapping[str, float] = 1.0,
        edge_indel: float | Mapping[str, float] = 1.0,
        node_table: Mapping[Any, Any] | None = None,
        edge_table: Mapping[Any, Any] | None = None,
        node: Attributes = "label",
        edge: Attributes = "label",
        *,
        common_edges: bool = False,
    ) -> None:
        self.node_substitution = node_substitution
        self.node_indel = node_indel
        self.edge_substitution = edge_substitution
        self.edge_indel = edge_indel
        self.node_table = node_table
        self.edge_table = edge_table
        self.node = node
        self.edge = edge
        self.common_edges = common_edges

    @classmethod
    def unit(cls, node: Attributes = "label", edge: Attributes = "label") -> Self:
        """Return costs of 1 for every edit: the defaults.

        Examples
        --------
        >>> from graphquant.preprocessing import EditCosts
        >>> EditCosts.unit()
        EditCosts()
        """
        return cls(node=node, edge=edge)

    @classmethod
    def like_networkx(cls) -> Self:
        """Return what ``networkx.graph_edit_distance`` computes without arguments: structure alone counts.

        Examples
        --------
        >>> import networkx as nx
        >>> import graphquant as gq
        >>> x, y = nx.cycle_graph(5), nx.path_graph(4)
        >>> gq.edit_distance(x, y, gq.preprocessing.EditCosts.like_networkx()).distance
        3.0
        >>> nx.graph_edit_distance(x, y)
        3.0
        """
        return cls(node=(), edge=())

    @classmethod
    def mces(
        cls,
        node: Attributes = "label",
        edge: Attributes = "label",
        *,
        weights: Mapping[Any, float] | None = None,
    ) -> Self:
        """Return costs whose distance is that of the maximum common edge subgraph.

        Nodes cost nothing. Edges match if their labels and those of their ends are equal, each end for
        itself. The distance is ``|E1| + |E2| - 2 |common|``, where the common edges make the largest
        subgraph that both graphs have, not necessarily connected or induced.

        Parameters
        ----------
        node, edge : str or sequence of str, default="label"
            As in :class:`EditCosts`; a number is a label.
        weights : dict, optional
            What an edge counts by its label, 1 by default: ``{"double": 2.0}``.

        Examples
        --------
        >>> from graphquant.preprocessing import EditCosts
        >>> EditCosts.mces(weights={"double": 2.0})
        EditCosts(common_edges=True, edge_table={('double', None): 2.0})
        """
        table = {(label, None): weight for label, weight in (weights or {}).items()}
        return cls(node=node, edge=edge, edge_table=table or None, common_edges=True)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn which labels there are, and find their vectors.

        Parameters
        ----------
        X : graphs in any form
        y : ignored

        Raises
        ------
        EncodingError
            If no vectors have these costs; the message names the labels that break them.
        """
        if not isinstance(self.common_edges, bool):
            raise InvalidParameterError(
                f"common_edges={self.common_edges!r} is not accepted.", "Give True or False."
            )
        source = as_source(X)
        chosen = {
            side: attributes_of(
                getattr(self, side),
                source.columns[side],
                side,
                has_table=bool(getattr(self, f"{side}_table")),
            )
            for side in SIDES
        }
        self._fit_sides(source, chosen)
        return self

    def _fit_sides(self, source: Source, chosen: Mapping[Side, Sequence[Spec]]) -> None:
        models = self._models(chosen, source)
        seen = self._prepared(source, chosen)
        sides = {
            side: FittedSide.fitted(
                side,
                models[side],
                labels_met(models[side], seen.columns[side], seen.n_rows(side)),
                is_orthogonal=self.common_edges and side == "edge",
            )
            for side in SIDES
        }
        self._set_fitted(sides, chosen)

    def _models(self, chosen: Mapping[Side, Sequence[Spec]], source: Source | None) -> dict[Side, SideCosts]:
        """Return the costs of both sides, numbers with their range if there are graphs to learn it from."""
        models = {side: side_costs(side, chosen[side], self.get_params(), source) for side in SIDES}
        self._prices = free_nodes(models) if self.common_edges else models
        if self.common_edges:
            return triple_costs(chosen, models["edge"])
        if source is None:
            return models
        for side in SIDES:
            numbers = tuple(
                number_range(number, source.columns[side], source.n_rows(side), _where(source, side))
                for number in models[side].numbers
            )
            models[side] = replace(models[side], numbers=numbers)
        return models

    def _prepared(self, source: Source, chosen: Mapping[Side, Sequence[Spec]]) -> Source:
        return with_triples(source, chosen) if self.common_edges else source

    def _set_fitted(self, sides: dict[Side, FittedSide], chosen: Mapping[Side, Sequence[Spec]]) -> None:
        self._sides = sides
        self._digest: str | None = None
        if not self.common_edges:
            self._prices = {side: sides[side].costs for side in SIDES}
        self._chosen = {side: tuple(chosen[side]) for side in SIDES}
        self.node_channels_, self.edge_channels_ = sides["node"].channels, sides["edge"].channels
        self.n_features_in_ = sum(len(self.attributes(side)) for side in SIDES)
        self.needs_zero_nodes_ = sides["node"].least_gain() < -_ROUNDING
        measures = [side.measure() for side in sides.values()]
        self.granularity_, gain = (_joined(values) for values in zip(*measures, strict=True))
        # Squared distances differ from |x|^2 + |y|^2 by multiples of this, for the search.
        self._step = 2.0 * gain

    def transform(self, X: Any) -> GraphCollection:
        """Encode graphs; warns of different labels that share a channel.

        Raises
        ------
        EncodingError
            Naming the graph, the node or edge, and the attribute.
        """
        graphs, notes = self.encode(X)
        shared = sorted({label for note in notes.attributes if note.n_unknown > 1 for label in note.unknown})
        if len(shared) > 1:
            warnings.warn(
                f"The labels {', '.join(shared)} are new and share a channel: graphs with different ones "
                "of them "
                "come out too near each other (their distances to graphs of known labels are right). Fit "
                "the costs "
                "on all graphs, or use gq.pairwise_edit_distances, which keeps them distinct.",
                GraphQuantWarning,
                stacklevel=2,
            )
        return graphs

    def encode(self, X: Any) -> Encoded:
        """Encode graphs, and count labels that ``fit`` did not see.

        Examples
        --------
        >>> import graphquant as gq
        >>> costs = gq.preprocessing.EditCosts().fit(["CCO"])
        >>> costs.encode(["CCN"]).notes.summary()
        ["node attribute 'symbol': 1 of 3 values are categories that training did not have (N)"]
        """
        check_fitted(self)
        given = self._checked(as_source(X))
        source = self._prepared(given, self._chosen)
        # An undirected edge stands in both directions of the matrix: it counts twice in the squared distance.
        scale = {"node": 1.0, "edge": 1.0 if given.directed else float(np.sqrt(0.5))}
        vectors: list[FloatArray] = []
        notes: list[AttributeNotes] = []
        for side in SIDES:
            fitted, where = self._sides[side], _where(source, side)
            found, met = fitted.encode(source.columns[side], source.n_rows(side), where, scale[side])
            vectors.append(found)
            notes += met
        graphs = source.with_vectors(*vectors).with_schema(self.schema())
        return Encoded(graphs, EncodingNotes(tuple(notes)))

    def _checked(self, source: Source) -> Source:
        """Return the graphs; refuse those that lack an attribute altogether."""
        for side in SIDES:
            absent = [name for name in self.attributes(side) if name not in source.columns[side]]
            if absent and source.n_rows(side):
                known = ", ".join(map(repr, source.columns[side])) or "none"
                raise EncodingError(
                    f"No {side} of these graphs has the attribute {absent[0]!r}. There are: {known}.",
                    f"Use graphs that have it, or name others: EditCosts({side}=...).",
                )
        return source

    def extended(self, X: Any) -> Self:
        """Return the same fitted costs with all labels that some graphs have, each distinct.

        Examples
        --------
        >>> import graphquant as gq
        >>> costs = gq.preprocessing.EditCosts().fit(["CCO"])
        >>> costs.extended(["CCN"]).node_channels_
        ('presence', 'symbol=C', 'symbol=N', 'symbol=O', 'symbol=other')
        """
        check_fitted(self)
        source = self._prepared(self._checked(as_source(X)), self._chosen)
        sides = {
            side: self._sides[side].extended(source.columns[side], source.n_rows(side), _where(source, side))
            for side in SIDES
        }
        found = copy(self)
        found._set_fitted(sides, self._chosen)
        return found

    def schema(self) -> Schema:
        """Return the schema of the vectors: channels, digest, and whether graphs need zero nodes."""
        check_fitted(self)
        return Schema(
            self.node_channels_,
            self.edge_channels_,
            self.digest(),
            copy(self),
            needs_zero_nodes=self.needs_zero_nodes_,
        )

    def attributes(self, side: Side) -> tuple[str, ...]:
        """Return the names of the attributes that are read, of nodes or of edges."""
        check_fitted(self)
        return tuple(name if isinstance(name, str) else name.name for name in self._chosen[side])

    def parts(self, side: Side) -> list[dict[str, Any]]:
        """Return what the channels of a side hold, part by part, as plain values; edges are undirected."""
        check_fitted(self)
        return self._sides[side].parts_json(1.0 if side == "node" else math.sqrt(0.5))

    def inverse_transform(self, X: Any) -> RawGraphs:
        """Return graphs with attributes in the user's own names and units; the likeliest labels.

        Graphs of data come back as they were. Of averages, ``graphquant.presence`` says how much of a
        node or an edge is there, as with :class:`AttributeEncoder`.

        Parameters
        ----------
        X : GraphCollection, Graph, or list of Graph
            Graphs with the channels of these costs.
        """
        check_fitted(self)
        graphs = as_collection([X] if isinstance(X, Graph) else X)
        if graphs.schema is not None:
            check_same_schema(self.schema(), graphs.schema, ("these costs", "the graphs"))
        return inverse(graphs, self._sides, self._chosen, common_edges=self.common_edges)

    def digest(self) -> str:
        """Return 16 characters that stand for the encoding: equal where equal graphs become equal vectors."""
        check_fitted(self)
        if self._digest is None:
            saved = self.to_json()
            # Which attributes are compared stands in what was fitted.
            params = {name: value for name, value in saved["params"].items() if name not in SIDES}
            text = json.dumps({"params": params, "fitted": saved["fitted"]}, sort_keys=True)
            self._digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        return self._digest

    @property
    def is_fitted(self) -> bool:
        """Whether ``fit`` has been called."""
        return hasattr(self, "_sides")

    def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
        """Names of all channels, such as ``node:presence`` and ``edge:bond=single``."""
        check_fitted(self)
        names = [f"node:{name}" for name in self.node_channels_]
        return np.array(names + [f"edge:{name}" for name in self.edge_channels_], dtype=object)

    def describe(self) -> str:
        """Describe in a few lines what is compared and what it costs."""
        check_fitted(self)
        lines = ["nodes: cost nothing"] if self.common_edges else [self._sides["node"].describe()]
        lines.append(self._sides["edge"].describe())
        if self.needs_zero_nodes_:
            lines.append("deleting a node and inserting another may be cheaper than a change")
        measure = f"multiples of {self.granularity_:g}" if self.granularity_ else "without a common measure"
        return "\n".join([*lines, f"all distances are {measure}"])

    def to_json(self) -> dict[str, Any]:
        """Parameters and labels as plain values, for ``json.dumps``.

        Examples
        --------
        >>> from graphquant.preprocessing import EditCosts
        >>> EditCosts.from_json(EditCosts(node_table={("C", "N"): 0.7}).to_json())
        EditCosts(node_table={('C', 'N'): 0.7})
        """
        fitted: dict[str, Any] | None = None
        if self.is_fitted:
            fitted = {side: self._sides[side].to_json() for side in SIDES}
            fitted["attributes"] = {side: attributes_to_json(self._chosen[side]) for side in SIDES}
        return {**header("EditCosts"), "params": params_to_json(self.get_params()), "fitted": fitted}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Restore costs from what :meth:`to_json` returned."""
        data = check_header(data, "EditCosts")
        with damaged_is_error("EditCosts"):
            costs = cls(**params_from_json(data["params"]))
            saved = data.get("fitted")
            if saved is not None:
                chosen = {side: attributes_from_json(saved["attributes"][side]) for side in SIDES}
                models = costs._models(chosen, None)
                sides = {
                    side: FittedSide.from_json(
                        side, models[side], saved[side], is_orthogonal=costs.common_edges and side == "edge"
                    )
                    for side in SIDES
                }
                costs._set_fitted(sides, chosen)
        return costs

    def elements(self, X: RawGraphs) -> dict[Side, list[Element]]:
        """Return the label of each node and each edge as the costs see it, in the order of the graphs."""
        check_fitted(self)
        source = self._checked(as_source(X))
        return {
            side: elements_of(
                self._prices[side], source.columns[side], source.n_rows(side), _where(source, side)
            )
            for side in SIDES
        }

    def prices(self, side: Side) -> SideCosts:
        """Return what edits of nodes or of edges cost; with common edges, of those whose ends match."""
        check_fitted(self)
        return self._prices[side]

    @property
    def step(self) -> float:
        """Squared distances are ``|x|^2 + |y|^2`` minus whole multiples of this; 0 if it does not exist."""
        check_fitted(self)
        return self._step


def _where(source: Source, side: Side) -> Where:
    return lambda row: source.locate(side, row)


def _joined(measures: tuple[float, ...]) -> float:
    """Return the common measure of both sides; a side that costs nothing has any, told by inf."""
    known = [measure for measure in measures if measure != math.inf]
    return float(common_measure(known)) if all(known) else 0.0


__all__ = ["EditCosts", "Element"]
