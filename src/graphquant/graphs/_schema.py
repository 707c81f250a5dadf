"""What the channels of vectors mean, so that vectors of different meaning are never compared unnoticed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, cast

from graphquant.exceptions import InvalidGraphError, SchemaError

Side = Literal["node", "edge"]

# Maximum number of channels that a message lists.
_SHOWN = 6


class _Describes(Protocol):
    def describe(self) -> str: ...


@dataclass(frozen=True)
class Schema:
    """The channels of attribute vectors, and which encoder made them.

    Two collections can be compared if they have the same channels, made by the same encoder. Vectors made by
    hand have no schema and can only be compared with each other; for anything else, name their channels by
    :meth:`GraphCollection.with_schema`.

    Parameters
    ----------
    node, edge : sequence of str
        Names of the channels, in order.
    digest : str, optional
        Digest of the fitted encoder; None if the channels were only named.
    encoder : AttributeEncoder or EditCosts, optional
        The encoder itself, which leads back to the attributes.
    needs_zero_nodes : bool, default=False
        Whether any node may be nearer to nothing than to a node: graphs of n1 and n2 nodes then meet in
        the order n1 + n2, see :class:`graphquant.preprocessing.EditCosts`.

    Examples
    --------
    >>> import graphquant as gq
    >>> by_hand = gq.GraphCollection([gq.Graph([[1.0, 2.0]])])
    >>> by_hand.with_schema(gq.Schema(["x", "y"], ["presence"])).schema
    Schema(node=('x', 'y'), edge=('presence',), digest=None)
    """

    node: tuple[str, ...]
    edge: tuple[str, ...]
    digest: str | None = None
    encoder: Any = field(default=None, compare=False, repr=False)
    needs_zero_nodes: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        for side in ("node", "edge"):
            names = getattr(self, side)
            if isinstance(names, str) or not all(isinstance(name, str) for name in names):
                raise InvalidGraphError(
                    f"{side}={names!r} does not name channels.", "Give a list with one name for each channel."
                )
            object.__setattr__(self, side, tuple(names))

    def check_widths(self, n_node: int, n_edge: int) -> None:
        """Raise unless the vectors have as many channels as the schema."""
        for side, names, width in (("node", self.node, n_node), ("edge", self.edge, n_edge)):
            if len(names) != width:
                raise InvalidGraphError(
                    f"The schema names {len(names)} {side} channels ({_listed(names)}), "
                    f"but the vectors have {width}.",
                    "Give one name for each channel.",
                )


def join_schemas(a: Schema | None, b: Schema | None) -> Schema | None:
    """Return the more specific of two schemas that are known to agree."""
    return b if a is None or (b is not None and a.digest is None) else a


def check_same_schema(
    left: Schema | None, right: Schema | None, names: tuple[str, str] = ("one side", "the other")
) -> None:
    """Raise unless vectors of the two schemas can be compared; ``names`` are the two sides in messages."""
    if left is right or (left is None and right is None):
        return
    if left is None or right is None:
        raise _by_hand_and_encoded(left, right, names)
    differing = [side for side in ("node", "edge") if getattr(left, side) != getattr(right, side)]
    if differing:
        found = "; ".join(
            _channel_difference(cast(Side, side), getattr(left, side), getattr(right, side), names)
            for side in differing
        )
        raise SchemaError(f"The graphs have different channels: {found}.", _one_encoder())
    if left.digest is not None and right.digest is not None and left.digest != right.digest:
        raise SchemaError(
            f"The channels of {names[0]} and of {names[1]} have the same names, but different encoders made "
            f"them{_encoder_difference(left.encoder, right.encoder)}.",
            _one_encoder(),
        )


def _one_encoder() -> str:
    return "Encode both with the same encoder: encoder.transform(raw), or gq.read(path, encoder=encoder)."


def _by_hand_and_encoded(left: Schema | None, right: Schema | None, names: tuple[str, str]) -> SchemaError:
    known, by_hand = (names[1], names[0]) if left is None else names
    schema = left or right
    assert schema is not None
    return SchemaError(
        f"The vectors of {by_hand} were made by hand, those of {known} have named channels "
        f"(nodes: {_listed(schema.node)}; edges: {_listed(schema.edge)}).",
        "Encode the raw graphs with the same encoder. If the vectors really have these channels, say so: "
        "graphs.with_schema(others.schema).",
    )


def _channel_difference(side: Side, left: Sequence[str], right: Sequence[str], names: tuple[str, str]) -> str:
    parts = []
    for mine, theirs, name in ((left, right, names[0]), (right, left, names[1])):
        only = [channel for channel in mine if channel not in theirs]
        if only:
            parts.append(f"only {name} has the {side} channels {_listed(only)}")
    if parts:
        return ", ".join(parts)
    return f"the {side} channels are in another order ({_listed(left)} and {_listed(right)})"


def _encoder_difference(left: Any, right: Any) -> str:
    """Return the first line in which the descriptions of two encoders differ."""
    if left is None or right is None:
        return ""
    lines = (cast(_Describes, encoder).describe().splitlines() for encoder in (left, right))
    for mine, theirs in zip(*lines, strict=False):
        if mine != theirs:
            return f" ('{' '.join(mine.split())}' and '{' '.join(theirs.split())}')"
    return ""


def _listed(names: Sequence[str]) -> str:
    tail = f", ... ({len(names) - _SHOWN} more)" if len(names) > _SHOWN else ""
    return ", ".join(repr(name) for name in names[:_SHOWN]) + tail


__all__ = ["Schema", "check_same_schema", "join_schemas"]
