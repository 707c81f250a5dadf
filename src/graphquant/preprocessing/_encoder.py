"""AttributeEncoder: named raw attributes to attribute vectors."""

import hashlib
import json
import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Literal, Self

import numpy as np

from graphquant._typing import AnyArray, FloatArray
from graphquant._validation import check_choice
from graphquant.exceptions import GraphQuantWarning, InvalidParameterError
from graphquant.graphs import Graph, GraphCollection, RawGraphs, Schema, as_collection, check_same_schema
from graphquant.preprocessing._columns import Policy
from graphquant.preprocessing._expected import Expected
from graphquant.preprocessing._fit import Spec, learn_side, warn_of_identifiers
from graphquant.preprocessing._inverse import inverse
from graphquant.preprocessing._json import check_header, damaged_is_error, header
from graphquant.preprocessing._notes import Encoded, EncodingNotes, warn_of_zero, what_happens
from graphquant.preprocessing._one_hot import OneHotPart
from graphquant.preprocessing._parts import Part, encode_side, part_from_json
from graphquant.preprocessing._presence import PresencePart
from graphquant.preprocessing._settings import Settings
from graphquant.preprocessing._source import SIDES, Side, Source, as_source
from graphquant.preprocessing._specs import (
    NumericKind,
    Scale,
    Shape,
    check_scale,
    check_weight,
    numeric_kind,
    renamed,
    specs_from_json,
    specs_to_json,
)
from graphquant.preprocessing._transformer import GraphEncoder, check_fitted
from graphquant.preprocessing._unit_norm import unit_norm

# Fields of a fitted part that do not affect its vectors.
_NOT_IN_DIGEST = ("low", "high", "numbers")


class AttributeEncoder(GraphEncoder):
    """Turn named attributes of nodes and edges into vectors.

    A number becomes a point on a curve, on a circle or on a line, a string becomes one channel per
    category, and a presence channel is constant for every node or edge that exists. In the graph space
    zero stands for "no node" and "no edge", so it matters where zero lies.

    Parameters
    ----------
    node, edge : sequence of str, Numeric or OneHot, optional
        The attributes to use, in this order; a plain name gets the kind of its column. None
        means all; attributes without any value, strings with more than 256 categories, and those whose
        names begin with ``graphquant.`` are left out. An empty list means none.
    center : bool or "auto", default="auto"
        Whether numeric attributes are centred on their training mean. ``"auto"``: those of nodes
        are, those of edges are not. A constant attribute is never centred unless its own
        ``Numeric(center=True)`` asks for it: it would be zero everywhere.
    scale : "auto", "joint", "std", float or None, default="auto"
        Divisor of numeric attributes. ``"joint"``: one number for all node attributes, their
        common root mean square after centring, and one for all edge attributes. This keeps
        geometry (x and y stay in proportion) and makes them comparable with one-hot and presence
        channels. ``"auto"``: the same, but attributes that differ in size more than tenfold (a
        coordinate and a count) do not share a divisor. ``"std"``: each its own standard
        deviation. None: no division.
    numeric : {"auto", "curve", "circle", "line"}, default="auto"
        How a centred and scaled number u is encoded. ``"line"``: one channel u. ``"curve"``: four channels;
        all nodes have the same norm, wherever they are, near numbers are near, and the order is kept: for
        a <= b <= c, c is at least as far from a as b is. ``"circle"``: two channels, cosine and sine of an
        angle, the default of 1.0; beyond two standard deviations the ends approach each other again.
        ``"auto"``: a curve for attributes of nodes that are centred and scaled, a line for the others; and
        whole numbers that repeat and take few values may become categories or ordered levels:
        :meth:`describe` says which, and why. With any other choice all numbers are numbers.
    edge_weight : float, default=0.6
        Factor on all channels of edges: the weight of edges relative to nodes.
    balance : bool, default=True
        Whether attributes count equally: the m attributes of a node or an edge that are numbers on curves
        or circles, or categories, have norm 1 together, each with the m-th part of its square. Rare node
        categories then count more: three quarters of the squared weight are proportional to minus the
        logarithm of the training share. Without it each category counts 1, and so do all numbers on
        curves or circles that share a scale.
    presence : bool, "node", "edge" or "auto", default="auto"
        Where to add a constant channel. ``"auto"``: for edges, if they have no one-hot and no
        constant channel that shows them already; for nodes, only if they have no other channel.
    missing : {"mean", "zero", "error"}, default="mean"
        How to encode a missing value: as the training mean (for a category: the training shares), with a
        warning that counts them; as zeros; or not at all (an error).
    unknown : {"other", "error", "zero"}, default="other"
        How to encode a category that was not in the training data. ``"other"``: each category attribute has a
        channel for these, which weighs as much as the rarest known one; a category called "other" is that
        channel. They are counted, see :meth:`encode`, and :meth:`transform` warns. ``"zero"`` is
        deprecated: zeros stand for "no node".
    unit_norm : bool, default=False
        Whether each graph is finally scaled to norm 1, see :func:`graphquant.preprocessing.unit_norm`.
    shape : {"auto", "circle", "line"}, optional
        Deprecated name of ``numeric``.

    Attributes
    ----------
    node_channels_, edge_channels_ : tuple of str
        Names of the channels, such as ``cos x``, ``type=corner``, ``type=other``, ``presence``.
    reasons_ : dict
        Why attributes are encoded as they are, by ``"node"`` and ``"edge"``, where the choice was automatic.
    left_out_ : dict
        Attributes that the automatic choice left out, by ``"node"`` and ``"edge"``, with the reason.
    n_features_in_ : int
        Number of attributes that are read.

    Notes
    -----
    ``fit`` and ``transform`` accept graphs in any form: data sets, :class:`~graphquant.RawGraphs`, lists and
    columns of networkx graphs, molecules or SMILES, PyTorch Geometric data, and a
    :class:`~graphquant.GraphCollection`, whose channels are then numeric attributes ``a0, a1, ...``.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphquant.preprocessing import AttributeEncoder
    >>> g = nx.Graph()
    >>> g.add_node(0, x=1.0, symbol="C")
    >>> g.add_node(1, x=3.0, symbol="O")
    >>> g.add_edge(0, 1)
    >>> encoder = AttributeEncoder()
    >>> vectors = encoder.fit_transform([g])
    >>> encoder.node_channels_
    ('cos x', 'sin x', 'cos2 x', 'sin2 x', 'symbol=C', 'symbol=O', 'symbol=other')
    >>> print(encoder.describe())
    nodes: 7 channels
      x         numeric on a curve, centred on 2, weight 0.7071 (position)
      symbol    one-hot, 2 categories: C, O and other, weight 0.7071 (text: category)
    edges: 1 channel
      presence  always 0.6
    >>> encoder.inverse_transform(vectors).node_columns["x"].to_list()
    [1.0, 3.0]
    """

    def __init__(
        self,
        node: Sequence[Spec] | None = None,
        edge: Sequence[Spec] | None = None,
        *,
        center: bool | Literal["auto"] = "auto",
        scale: Scale = "auto",
        numeric: NumericKind = "auto",
        edge_weight: float = 0.6,
        balance: bool = True,
        presence: bool | Literal["auto", "node", "edge"] = "auto",
        missing: Literal["mean", "zero", "error"] = "mean",
        unknown: Literal["other", "error", "zero"] = "other",
        unit_norm: bool = False,
        shape: Shape | None = None,
    ) -> None:
        self.node = node
        self.edge = edge
        self.center = center
        self.scale = scale
        self.numeric = numeric
        self.edge_weight = edge_weight
        self.balance = balance
        self.presence = presence
        self.missing = missing
        self.unknown = unknown
        self.unit_norm = unit_norm
        self.shape = shape

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the channels and their parameters from graphs.

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
            If a requested attribute is absent, infinite, or missing where it may not be.
        """
        policy = self._policy()
        numeric = numeric_kind(self.numeric, self.shape)
        if policy.unknown == "zero":
            self._warn_zero()
        if not (isinstance(self.center, bool) or self.center == "auto"):
            raise InvalidParameterError(
                f"center={self.center!r} is not accepted.",
                'Give True, False or "auto"; for a number, name the attribute: Numeric(name, center=...).',
            )
        check_scale(self.scale)
        check_weight(self.edge_weight, "edge_weight")
        if not isinstance(self.balance, bool):
            raise InvalidParameterError(f"balance={self.balance!r} is not accepted.", "Give True or False.")
        source = self._source(X)
        learnt = {
            side: learn_side(
                side,
                self.node if side == "node" else self.edge,
                source.columns[side],
                self._settings(side, numeric, policy),
                lambda row, side=side: source.locate(side, row),  # type: ignore[misc]
            )
            for side in SIDES
        }
        for side in SIDES:
            warn_of_identifiers(side, learnt[side])
        missing = EncodingNotes(learnt["node"].notes + learnt["edge"].notes)
        self._set_fitted({side: learnt[side].parts for side in SIDES}, Expected.of(source))
        self.reasons_ = {side: learnt[side].reasons for side in SIDES}
        self.left_out_ = {side: learnt[side].left_out for side in SIDES}
        self._told_missing: dict[tuple[Side, str], tuple[int, int]] = {}
        self.tell(missing)
        return self

    def _source(self, X: Any) -> Source:
        """Return graphs as they are encoded; an encoder for one kind of them may prepare them."""
        return as_source(X)

    def transform(self, X: Any) -> GraphCollection:
        """Encode graphs with the learnt parameters.

        One warning reports categories that were not in training, missing values that become
        the mean, and numbers outside the range of training if they are more than a few percent.
        :meth:`encode` counts them and does not warn.

        Raises
        ------
        EncodingError
            The message names the graph, the node or edge, and the attribute.
        """
        graphs, notes = self.encode(X)
        self.tell(notes)
        return graphs

    def encode(self, X: Any) -> Encoded:
        """Encode graphs, and count values that are missing, unknown or out of range.

        Returns
        -------
        Encoded
            ``graphs``, and ``notes`` with ``summary()`` in plain words; notes of blocks of data add up.

        Examples
        --------
        >>> import networkx as nx
        >>> from graphquant.preprocessing import AttributeEncoder
        >>> a, b = nx.Graph(), nx.Graph()
        >>> a.add_nodes_from([(0, {"symbol": "C"}), (1, {"symbol": "O"})])
        >>> b.add_nodes_from([(0, {"symbol": "C"}), (1, {"symbol": "Br"})])
        >>> AttributeEncoder().fit([a]).encode([b]).notes.summary()
        ["node attribute 'symbol': 1 of 2 values are categories that training did not have (Br)"]
        """
        check_fitted(self)
        policy = self._policy()
        if policy.unknown == "zero" and any(
            isinstance(part, OneHotPart) and part.other is not None for part in self._parts["node"]
        ):
            self._warn_zero()
        source = self._source(X)
        self._expected.check(source, {side: self.attributes(side) for side in SIDES})
        node, node_notes = encode_side(source, "node", self._parts["node"], policy)
        edge, edge_notes = encode_side(source, "edge", self._parts["edge"], policy)
        return Encoded(self._collection(source, node, edge), EncodingNotes(node_notes + edge_notes))

    def _collection(self, source: Source, node: FloatArray, edge: FloatArray) -> GraphCollection:
        """Make the collection; nothing else of this class does."""
        vectors = source.with_vectors(node, edge)
        return (unit_norm(vectors) if self.unit_norm else vectors).with_schema(self.schema())

    def schema(self) -> Schema:
        """Return the schema of the vectors: names of the channels, and the digest of the encoder.

        Examples
        --------
        >>> import graphquant as gq
        >>> encoder = gq.preprocessing.AttributeEncoder(["a0"], numeric="line").fit([gq.Graph([1.0, 3.0])])
        >>> encoder.schema().node, encoder.transform([gq.Graph([2.0])]).schema == encoder.schema()
        (('a0',), True)
        """
        check_fitted(self)
        return Schema(self.node_channels_, self.edge_channels_, self.digest(), copy(self))

    def attributes(self, side: Side) -> tuple[str, ...]:
        """Return the names of the attributes that are read, of nodes or of edges."""
        check_fitted(self)
        return tuple(part.name for part in self._parts[side] if not isinstance(part, PresencePart))

    def parts(self, side: Side) -> list[dict[str, Any]]:
        """Return what the channels of a side hold, part by part, as in :meth:`to_json`."""
        check_fitted(self)
        return [part.to_json() for part in self._parts[side]]

    def inverse_transform(self, X: Any) -> RawGraphs:
        """Return graphs with attributes in the user's own names and units.

        Numbers come back in their units (for an average, the nearest point of the curve), categories as the
        likeliest one. Graphs of data come back unchanged; what an average has lost is reported in extra
        columns, which appear only where something was lost: ``graphquant.share NAME``, the share of the
        likeliest category; ``graphquant.presence``, the share of a node or an edge that is there;
        ``graphquant.residual``, the norm of what the attributes do not explain. Encoders ignore them.

        With ``unit_norm`` the norm of each graph follows from what all nodes have in common. If all numbers
        are on lines and there is no presence channel, that is nothing, and numbers stay divided by the norm.

        Parameters
        ----------
        X : GraphCollection, Graph, or list of Graph
            Graphs with the channels of this encoder.

        Returns
        -------
        RawGraphs

        Raises
        ------
        EncodingError
            If the number of channels is not that of this encoder.
        """
        check_fitted(self)
        graphs = as_collection([X] if isinstance(X, Graph) else X)
        if graphs.schema is not None:
            check_same_schema(self.schema(), graphs.schema, ("this encoder", "the graphs"))
        return inverse(graphs, self._parts, self._policy(), unit_norm=self.unit_norm)

    def digest(self) -> str:
        """Return 16 characters that identify the encoding: equal if equal graphs become equal vectors.

        It does not depend on the treatment of missing values and unknown categories.

        Examples
        --------
        >>> import networkx as nx
        >>> from graphquant.preprocessing import AttributeEncoder
        >>> one, two = (AttributeEncoder(presence=p).fit([nx.path_graph(3)]) for p in ("auto", True))
        >>> one.digest() == two.digest(), len(one.digest())
        (True, 16)
        """
        check_fitted(self)
        decisive: dict[str, Any] = {
            side: [
                {key: value for key, value in part.to_json().items() if key not in _NOT_IN_DIGEST}
                for part in self._parts[side]
            ]
            for side in SIDES
        }
        decisive |= {"unit_norm": bool(self.unit_norm)}
        if self._expected.schema is not None:
            decisive |= {"schema": self._expected.to_json()["schema"]}
        text = json.dumps(decisive, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def is_fitted(self) -> bool:
        """Whether ``fit`` has been called."""
        return hasattr(self, "_parts")

    def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
        """Names of all channels, such as ``node:x`` and ``edge:presence``."""
        check_fitted(self)
        names = [f"node:{name}" for name in self.node_channels_]
        return np.array(names + [f"edge:{name}" for name in self.edge_channels_], dtype=object)

    def describe(self) -> str:
        """Describe in a few lines what each channel holds and why, and what was left out."""
        check_fitted(self)
        width = max(len(part.name) for side in SIDES for part in self._parts[side])
        lines = []
        for side in SIDES:
            count = sum(len(part.channels) for part in self._parts[side])
            lines.append(f"{side}s: {count} channel{'' if count == 1 else 's'}")
            for part in self._parts[side]:
                reason = self.reasons_[side].get(part.name, "")
                because = f" ({reason})" if reason and not isinstance(part, PresencePart) else ""
                lines.append(f"  {part.name:<{width}}  {part.describe()}{because}")
            lines += [f"  left out: {name} ({reason})" for name, reason in self.left_out_[side].items()]
        if self.missing != "mean":
            lines.append(f"missing values: {self.missing}")
        if self.unit_norm:
            lines.append("each graph scaled to norm 1")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Parameters and learnt values as plain values, for ``json.dumps``.

        Examples
        --------
        >>> from graphquant.preprocessing import AttributeEncoder
        >>> AttributeEncoder.from_json(AttributeEncoder(missing="zero").to_json())
        AttributeEncoder(missing='zero')
        """
        return {**header(type(self).__name__), "params": self._params_to_json(), "fitted": self._learnt()}

    def _params_to_json(self) -> dict[str, Any]:
        params = self.get_params()
        params |= {side: specs_to_json(params[side]) for side in SIDES}
        shape = params.pop("shape")
        params["numeric"] = params["numeric"] if shape is None else shape
        return params

    def _learnt(self) -> dict[str, Any] | None:
        """Return the learnt numbers as plain values, None before fit."""
        fitted: dict[str, Any] | None = None
        if self.is_fitted:
            fitted = {"left_out": {side: dict(self.left_out_[side]) for side in SIDES}}
            fitted["expected"] = self._expected.to_json()
            fitted["reasons"] = {side: dict(self.reasons_[side]) for side in SIDES}
            fitted |= {side: [part.to_json() for part in self._parts[side]] for side in SIDES}
        return fitted

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Restore an encoder from what :meth:`to_json` returned."""
        data = check_header(data, cls.__name__)
        with damaged_is_error(cls.__name__):
            encoder = cls(**cls._params_from_json(dict(data["params"])))
            fitted = data["fitted"]
            if fitted is not None:
                parts = {side: tuple(map(part_from_json, fitted[side])) for side in SIDES}
                encoder._set_fitted(parts, Expected.from_json(fitted.get("expected")))
                encoder.left_out_ = {side: dict(fitted["left_out"][side]) for side in SIDES}
                reasons = fitted.get("reasons", {"node": {}, "edge": {}})
                encoder.reasons_ = {side: dict(reasons[side]) for side in SIDES}
                encoder._told_missing = {}
        return encoder

    @classmethod
    def _params_from_json(cls, params: dict[str, Any]) -> dict[str, Any]:
        params |= {side: specs_from_json(params[side]) for side in SIDES}
        # Encoders of version 1.0 had no such choice, and another name for this one.
        params.setdefault("balance", False)
        params |= renamed(params)
        params.pop("shape", None)
        return params

    def _set_fitted(self, parts: dict[Side, tuple[Part, ...]], expected: Expected) -> None:
        self._parts = parts
        self._expected = expected
        self.n_features_in_ = sum(len(self.attributes(side)) for side in SIDES)
        self.node_channels_ = tuple(channel for part in parts["node"] for channel in part.channels)
        self.edge_channels_ = tuple(channel for part in parts["edge"] for channel in part.channels)

    def tell(self, notes: EncodingNotes) -> None:
        """Warn about notable findings; about missing training values only while fitting."""
        policy = self._policy()
        missing = {
            (note.side, note.name): (note.n_values, note.n_missing)
            for note in notes.attributes
            if note.n_missing
        }
        lines = notes.notable(
            missing=policy.missing == "mean" and missing != self._told_missing,
            unknown=policy.unknown == "other",
        )
        self._told_missing = missing
        if not lines:
            return
        warnings.warn("; ".join(lines) + ". " + what_happens(lines), GraphQuantWarning, stacklevel=3)

    def _warn_zero(self) -> None:
        if not getattr(self, "_told_zero", False):
            self._told_zero = True
            warn_of_zero()

    def _settings(self, side: Side, numeric: NumericKind, policy: Policy) -> Settings:
        return Settings(
            center=self.center,
            scale=self.scale,
            numeric=numeric,
            weight=1.0 if side == "node" else float(self.edge_weight),
            balance=self.balance,
            presence=self._presence_of(side),
            policy=policy,
        )

    def _policy(self) -> Policy:
        return Policy(
            check_choice("missing", self.missing, ("mean", "zero", "error")),
            check_choice("unknown", self.unknown, ("other", "error", "zero")),
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


__all__ = ["AttributeEncoder"]
