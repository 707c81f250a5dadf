"""What an encoder expects of graphs: attributes that exist, vectors of the same meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphquant.exceptions import EncodingError
from graphquant.graphs import Schema, check_same_schema
from graphquant.preprocessing._source import SIDES, Side, Source


@dataclass(frozen=True)
class Expected:
    """Properties of the training data, apart from values.

    Attributes
    ----------
    sparse : mapping
        Attributes of nodes and of edges that some of them lacked. All others must be present.
    schema : Schema or None
        What the channels meant, if the encoder was fitted on vectors.
    """

    sparse: Mapping[Side, frozenset[str]] = field(
        default_factory=lambda: {side: frozenset() for side in SIDES}
    )
    schema: Schema | None = None

    @classmethod
    def of(cls, source: Source) -> "Expected":
        """Inspect training data."""
        sparse = {
            side: frozenset(name for name, column in source.columns[side].items() if column.missing.any())
            for side in SIDES
        }
        return cls(sparse, source.schema)

    def check(self, source: Source, needed: Mapping[Side, Sequence[str]]) -> None:
        """Raise if graphs lack an attribute altogether, or are vectors with another meaning."""
        if source.is_vectors:
            check_same_schema(self.schema, source.schema, ("what this encoder was fitted on", "these graphs"))
        for side in SIDES:
            if source.n_rows(side) == 0:
                continue
            absent = [name for name in needed[side] if name not in source.columns[side]]
            # If all are absent, these are different graphs, whatever single training graphs may have lacked.
            wrong = absent if len(absent) == len(needed[side]) else set(absent) - self.sparse[side]
            if wrong:
                raise _lacking(side, [name for name in absent if name in wrong], source)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        schema = self.schema
        return {
            "sparse": {side: sorted(self.sparse[side]) for side in SIDES},
            "schema": None
            if schema is None
            else {"node": list(schema.node), "edge": list(schema.edge), "digest": schema.digest},
        }

    @classmethod
    def from_json(cls, saved: Any) -> "Expected":
        """Restore; encoders of version 1.0 expect nothing."""
        if saved is None:
            return cls()
        schema = saved["schema"]
        return cls(
            {side: frozenset(map(str, saved["sparse"][side])) for side in SIDES},
            None
            if schema is None
            else Schema(tuple(schema["node"]), tuple(schema["edge"]), schema["digest"]),
        )


def _lacking(side: Side, absent: Sequence[str], source: Source) -> EncodingError:
    known = ", ".join(repr(name) for name in source.columns[side]) or "none"
    named = ", ".join(repr(name) for name in absent)
    return EncodingError(
        f"No {side} of these graphs has the attribute{'' if len(absent) == 1 else 's'} {named}, which the "
        f"encoder was fitted on. There are: {known}.",
        "Use graphs with the attributes of the training graphs, or fit a new encoder.",
    )


__all__ = ["Expected"]
