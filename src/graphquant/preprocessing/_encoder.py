"""AttributeEncoder: named raw attributes to attribute vectors."""

import hashlib
import json
import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from graphquant._typing import AnyArray, FloatArray
from graphquant._validation import check_choice
from graphquant.exceptions import GraphQuantWarning, InvalidParameterError
from graphquant.graphs import GraphCollection, Schema
from graphquant.preprocessing._columns import (
    SHAPES,
    Numeric,
    OneHot,
    Policy,
    PresencePart,
    Scale,
    Shape,
    check_scale,
    check_weight,
)
from graphquant.preprocessing._fit import Learnt, Settings, Spec, learn_side
from graphquant.preprocessing._json import check_header, damaged_is_error, header
from graphquant.preprocessing._parts import Part, part_from_json
from graphquant.preprocessing._source import SIDES, Side, Source, as_source
from graphquant.preprocessing._transformer import GraphTransformer
from graphquant.preprocessing._unit_norm import unit_norm


class AttributeEncoder(GraphTransformer):
    """Turn named attributes of nodes and edges into vectors.

    A number becomes a point on a circle or on a line, a string one channel for each of its
    categories, and a presence channel holds the same for whatever is there. In the graph space
    zero stands for "no node" and "no edge", so it matters where zero lies.

    Parameters
    ----------
    node, edge : sequence of str, Numeric or OneHot, optional
        The attributes to use, in this order; a plain name takes the kind of its column. None
        takes all: numbers numeric, strings one-hot; attributes without any value, and strings
        with more than 256 categories, are left out. An empty list takes none.
    center : bool or "auto", default="auto"
        Whether numeric attributes are centred on their training mean. ``"auto"``: those of nodes
        are, those of edges are not. A constant attribute is never centred unless its own
        ``Numeric(center=True)`` says so: it would be zero everywhere.
    scale : "auto", "joint", "std", float or None, default="auto"
        What numeric attributes are divided by. ``"joint"``: all of the nodes by one number, their
        common root mean square after centring, and all of the edges by one of theirs. This keeps
        geometry (x and y stay in proportion) and makes them comparable with one-hot and presence
        channels. ``"auto"``: the same, but attributes that differ in size more than tenfold (a
        coordinate and a count) do not share a number. ``"std"``: each by its own standard
        deviation. None: nothing.
    shape : {"auto", "circle", "line"}, default="auto"
        Where a centred and scaled number u is put. ``"line"``: one channel u. ``"circle"``: two
        channels, cosine and sine of an angle that grows with u (two radians a unit, less further
        out): all nodes have the same norm, wherever they lie, and what is far apart is just
        different. ``"auto"``: a circle for attributes of nodes that are centred and scaled, a line for
        the others.
    edge_weight : float, default=0.6
        Factor on all channels of edges: what edges count against nodes.
    balance : bool, default=True
        Whether attributes are made to count alike: numbers on circles and categories, m attributes of
        a node or an edge, have a norm of 1 together, each the m-th part of its square. Of node
        categories rare ones then count more: three quarters of the squared weight go by minus the
        logarithm of the training share. Without it each category counts 1, and so do all numbers on
        circles that share a scale.
    presence : bool, "node", "edge" or "auto", default="auto"
        Where to add a constant channel. ``"auto"``: for edges, if they have no one-hot and no
        constant channel that shows them already; for nodes, only if they have no other channel.
    missing : {"error", "zero", "mean"}, default="error"
        What a missing value becomes: an error, zeros in its channels, or the training mean of
        its channels (for a category: the training shares).
    unknown : {"error", "zero"}, default="error"
        What a category becomes that training did not have.
    unit_norm : bool, default=False
        Whether each graph is scaled to norm 1 in the end, see :func:`graphquant.preprocessing.unit_norm`.

    Attributes
    ----------
    node_channels_, edge_channels_ : tuple of str
        Names of the channels, such as ``cos x``, ``type=corner``, ``presence``.
    left_out_ : dict
        Attributes that the automatic choice left out, by ``"node"`` and ``"edge"``, with the reason.

    Notes
    -----
    ``fit`` and ``transform`` accept :class:`~graphquant.RawGraphs`, lists of networkx graphs,
    lists of ``RawGraphs`` (as cross-validation makes them), and a
    :class:`~graphquant.GraphCollection`, whose channels are then numeric attributes
    ``a0, a1, ...``.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphquant.preprocessing import AttributeEncoder
    >>> g = nx.Graph()
    >>> g.add_node(0, x=1.0, symbol="C")
    >>> g.add_node(1, x=3.0, symbol="O")
    >>> g.add_edge(0, 1)
    >>> encoder = AttributeEncoder()
    >>> encoder.fit_transform([g])[0].node_attrs.round(2).tolist()
    [[-0.14, -0.69, 0.71, 0.0], [-0.14, 0.69, 0.0, 0.71]]
    >>> print(encoder.describe())
    nodes: 4 channels
      x         numeric on a circle, centred on 2, weight 0.7071
      symbol    one-hot, 2 categories: C, O, weight 0.7071
    edges: 1 channel
      presence  always 0.6
    """

    def __init__(
        self,
        node: Sequence[Spec] | None = None,
        edge: Sequence[Spec] | None = None,
        *,
        center: bool | Literal["auto"] = "auto",
        scale: Scale = "auto",
        shape: Shape = "auto",
        edge_weight: float = 0.6,
        balance: bool = True,
        presence: bool | Literal["auto", "node", "edge"] = "auto",
        missing: Literal["error", "zero", "mean"] = "error",
        unknown: Literal["error", "zero"] = "error",
        unit_norm: bool = False,
    ) -> None:
        self.node = node
        self.edge = edge
        self.center = center
        self.scale = scale
        self.shape = shape
        self.edge_weight = edge_weight
        self.balance = balance
        self.presence = presence
        self.missing = missing
        self.unknown = unknown
        self.unit_norm = unit_norm

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the channels and their numbers from graphs.

        Parameters
        ----------
        X : RawGraphs, GraphCollection, or list of networkx graphs or RawGraphs
        y : ignored

        Returns
        -------
        AttributeEncoder
            Itself, fitted.

        Raises
        ------
        EncodingError
            If an attribute that is asked for is absent, infinite, or missing where it may not be.
        """
        policy = self._policy()
        if not (isinstance(self.center, bool) or self.center == "auto"):
            raise InvalidParameterError(
                f"center={self.center!r} is not accepted.",
                'Give True, False or "auto"; a number is given for one attribute: Numeric(name, center=...).',
            )
        check_scale(self.scale)
        check_choice("shape", self.shape, SHAPES)
        check_weight(self.edge_weight, "edge_weight")
        if not isinstance(self.balance, bool):
            raise InvalidParameterError(f"balance={self.balance!r} is not accepted.", "Give True or False.")
        source = as_source(X)
        learnt = {
            side: learn_side(
                side,
                self.node if side == "node" else self.edge,
                source.columns[side],
                self._settings(side, policy),
                lambda row, side=side: source.locate(side, row),  # type: ignore[misc]
            )
            for side in SIDES
        }
        for side in SIDES:
            _warn_identifiers(side, learnt[side])
        self._set_fitted(
            learnt["node"].parts, learnt["edge"].parts, {side: learnt[side].left_out for side in SIDES}
        )
        return self

    def transform(self, X: Any) -> GraphCollection:
        """Encode graphs with the numbers that were learnt.

        Raises
        ------
        EncodingError
            Naming the graph, the node or edge, and the attribute.
        """
        check_is_fitted(self)
        policy = self._policy()
        source = as_source(X)
        vectors = source.with_vectors(
            _encode(source, "node", self._parts["node"], policy),
            _encode(source, "edge", self._parts["edge"], policy),
        )
        return (unit_norm(vectors) if self.unit_norm else vectors).with_schema(self.schema())

    def schema(self) -> Schema:
        """Return what marks the vectors of this encoder: names of channels, and its digest.

        Examples
        --------
        >>> import graphquant as gq
        >>> encoder = gq.preprocessing.AttributeEncoder(["a0"], shape="line").fit([gq.Graph([1.0, 3.0])])
        >>> encoder.schema().node, encoder.transform([gq.Graph([2.0])]).schema == encoder.schema()
        (('a0',), True)
        """
        check_is_fitted(self)
        return Schema(self.node_channels_, self.edge_channels_, self.digest(), copy(self))

    def attributes(self, side: Side) -> tuple[str, ...]:
        """Return the names of the attributes that are read, of nodes or of edges."""
        check_is_fitted(self)
        return tuple(part.name for part in self._parts[side] if not isinstance(part, PresencePart))

    def digest(self) -> str:
        """Return a hash of what decides the vectors: equal encoders agree, on every machine."""
        check_is_fitted(self)
        parts = {side: [part.to_json() for part in self._parts[side]] for side in SIDES}
        text = json.dumps({**parts, "unit_norm": bool(self.unit_norm)}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def is_fitted(self) -> bool:
        """Whether ``fit`` has been called."""
        return hasattr(self, "_parts")

    def __sklearn_is_fitted__(self) -> bool:
        return self.is_fitted

    def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
        """Names of all channels, such as ``node:x`` and ``edge:presence``."""
        check_is_fitted(self)
        names = [f"node:{name}" for name in self.node_channels_]
        return np.array(names + [f"edge:{name}" for name in self.edge_channels_], dtype=object)

    def describe(self) -> str:
        """Say in a few lines what each channel holds, and what was left out."""
        check_is_fitted(self)
        width = max(len(part.name) for side in SIDES for part in self._parts[side])
        lines = []
        for side in SIDES:
            count = sum(len(part.channels) for part in self._parts[side])
            lines.append(f"{side}s: {count} channel{'' if count == 1 else 's'}")
            lines += [f"  {part.name:<{width}}  {part.describe()}" for part in self._parts[side]]
            lines += [f"  left out: {name} ({reason})" for name, reason in self.left_out_[side].items()]
        if self.missing != "error":
            lines.append(f"missing values: {self.missing}")
        if self.unit_norm:
            lines.append("each graph scaled to norm 1")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Parameters and learnt numbers as plain values, for ``json.dumps``.

        Examples
        --------
        >>> from graphquant.preprocessing import AttributeEncoder
        >>> AttributeEncoder.from_json(AttributeEncoder(missing="zero").to_json())
        AttributeEncoder(missing='zero')
        """
        params = self.get_params()
        params |= {side: _specs_to_json(params[side]) for side in SIDES}
        fitted: dict[str, Any] | None = None
        if self.is_fitted:
            fitted = {"left_out": {side: dict(self.left_out_[side]) for side in SIDES}}
            fitted |= {side: [part.to_json() for part in self._parts[side]] for side in SIDES}
        return {**header("AttributeEncoder"), "params": params, "fitted": fitted}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Restore an encoder from what :meth:`to_json` returned."""
        data = check_header(data, "AttributeEncoder")
        with damaged_is_error("AttributeEncoder"):
            params = dict(data["params"])
            params |= {side: _specs_from_json(params[side]) for side in SIDES}
            # Encoders of version 1.0 had no such choice.
            params.setdefault("balance", False)
            encoder = cls(**params)
            fitted = data["fitted"]
            if fitted is not None:
                nodes, edges = ([part_from_json(part) for part in fitted[side]] for side in SIDES)
                left_out = {side: dict(fitted["left_out"][side]) for side in SIDES}
                encoder._set_fitted(tuple(nodes), tuple(edges), left_out)
        return encoder

    def _set_fitted(
        self, nodes: tuple[Part, ...], edges: tuple[Part, ...], left_out: dict[Side, dict[str, str]]
    ) -> None:
        self._parts: dict[Side, tuple[Part, ...]] = {"node": nodes, "edge": edges}
        self.node_channels_ = tuple(channel for part in nodes for channel in part.channels)
        self.edge_channels_ = tuple(channel for part in edges for channel in part.channels)
        self.left_out_ = left_out

    def _settings(self, side: Side, policy: Policy) -> Settings:
        weight = 1.0 if side == "node" else float(self.edge_weight)
        presence = self._presence_of(side)
        return Settings(self.center, self.scale, self.shape, weight, self.balance, presence, policy)

    def _policy(self) -> Policy:
        return Policy(
            check_choice("missing", self.missing, ("error", "zero", "mean")),
            check_choice("unknown", self.unknown, ("error", "zero")),
        )

    def _presence_of(self, side: Side) -> bool | None:
        if self.presence in ("node", "edge"):
            return self.presence == side
        if self.presence == "auto":
            return None
        if isinstance(self.presence, bool):
            return self.presence
        raise InvalidParameterError(
            f"presence={self.presence!r} is not accepted.", 'Give True, False, "node", "edge" or "auto".'
        )


def _encode(source: Source, side: Side, parts: tuple[Part, ...], policy: Policy) -> FloatArray:
    out = np.empty((source.n_rows(side), sum(len(part.channels) for part in parts)))
    start = 0
    for part in parts:
        stop = start + len(part.channels)
        part.encode(
            source.columns[side].get(part.name),
            out[:, start:stop],
            policy,
            lambda row: source.locate(side, row),
        )
        start = stop
    return out


def _warn_identifiers(side: Side, learnt: Learnt) -> None:
    for name, reason in learnt.left_out.items():
        if "identifier" in reason:
            warnings.warn(
                f"{side} attribute {name!r} is left out: {reason}. "
                f"Name what to use, for example {side}=[OneHot({name!r})], to decide yourself.",
                GraphQuantWarning,
                stacklevel=3,
            )


def _specs_to_json(specs: Sequence[Spec] | None) -> list[Any] | None:
    if specs is None:
        return None
    return [
        spec
        if isinstance(spec, str)
        else {"kind": "numeric" if isinstance(spec, Numeric) else "one-hot", **asdict(spec)}
        for spec in specs
    ]


def _specs_from_json(specs: Any) -> list[Spec] | None:
    if specs is None:
        return None
    restored: list[Spec] = []
    for spec in specs:
        if isinstance(spec, str):
            restored.append(spec)
            continue
        fields = {key: value for key, value in spec.items() if key != "kind"}
        kinds: dict[str, type[Numeric] | type[OneHot]] = {"numeric": Numeric, "one-hot": OneHot}
        restored.append(kinds[spec["kind"]](**fields))
    return restored


__all__ = ["AttributeEncoder"]
