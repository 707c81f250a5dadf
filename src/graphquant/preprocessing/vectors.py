"""Vectors of whatever a user has: unchanged if they can be compared, else encoded the same way."""

from dataclasses import dataclass
from typing import Any, Literal

from graphquant.exceptions import EncodingError, InvalidParameterError, SchemaError
from graphquant.graphs import GraphCollection, RawGraphs, Schema, as_collection, as_graphs, check_same_schema
from graphquant.preprocessing._notes import Encoded, EncodingNotes
from graphquant.preprocessing._transformer import GraphEncoder
from graphquant.preprocessing.molecules import automatic_encoder

EncoderLike = GraphEncoder | Literal["auto"] | None


@dataclass(frozen=True)
class Given:
    """What a user gave: vectors, raw graphs, or both, and the encoder that made the vectors."""

    vectors: GraphCollection | None
    raw: RawGraphs | None
    encoder: GraphEncoder | None

    @classmethod
    def of(cls, X: Any, encoder: GraphEncoder | None = None) -> "Given":
        """Look at graphs in any form; a data set has its raw graphs with it.

        The training data of ``encoder`` decide how ambiguous forms are read.
        """
        if hasattr(X, "graphs") and hasattr(X, "raw"):
            schema, own = X.graphs.schema, getattr(X, "encoder", None)
            if schema is not None and (own is None or own.schema() != schema):
                own = schema.encoder
            return cls(X.graphs, X.raw, own)
        names = (None, None) if encoder is None else (encoder.attributes("node"), encoder.attributes("edge"))
        graphs = as_graphs(X, node_names=names[0], edge_names=names[1])
        if isinstance(graphs, RawGraphs):
            return cls(None, graphs, None)
        return cls(graphs, None, None if graphs.schema is None else graphs.schema.encoder)


def check_encoder(encoder: Any) -> EncoderLike:
    """Refuse what cannot encode."""
    if encoder is None or isinstance(encoder, GraphEncoder) or encoder == "auto":
        checked: EncoderLike = encoder
        return checked
    raise InvalidParameterError(
        f"encoder={encoder!r} is not accepted.",
        'Give an AttributeEncoder or EditCosts, "auto" for one that is fitted to the graphs, or None for '
        "vectors only.",
    )


def learn_vectors(X: Any, encoder: EncoderLike = "auto") -> tuple[GraphCollection, GraphEncoder | None]:
    """Return vectors to learn from, and the encoder that makes more of the same.

    ``"auto"`` uses existing vectors unchanged, and fits an encoder to raw graphs. A given encoder
    encodes raw graphs: unchanged if it is fitted, else a copy of it is fitted to them.
    """
    if check_encoder(encoder) is None:
        return _vectors_only(X), None
    given = Given.of(X)
    if isinstance(encoder, GraphEncoder):
        if given.raw is None:
            raise EncodingError(
                "These graphs are vectors already; encoder= is for raw attributes.",
                "Omit encoder, or pass graphs with named attributes.",
            )
        fitted = encoder if encoder.is_fitted else encoder.unfitted().fit(given.raw)
        return fitted.transform(given.raw), fitted
    if given.vectors is not None:
        return given.vectors, given.encoder
    assert given.raw is not None
    fitted = automatic_encoder(given.raw)
    return fitted.fit_transform(given.raw), fitted


def vectors_like(
    X: Any, schema: Schema | None, encoder: GraphEncoder | None, owner: str = "the codebook"
) -> GraphCollection:
    """Return vectors comparable with those of ``schema``, which ``encoder`` made; raise if there are none."""
    return encoded_like(X, schema, encoder, owner).graphs


def encoded_like(
    X: Any, schema: Schema | None, encoder: GraphEncoder | None, owner: str = "the codebook"
) -> Encoded:
    """Like :func:`vectors_like`, and return what the encoder found, which is nothing for vectors."""
    if encoder is None:
        vectors = _vectors_only(X)
        if len(vectors):
            check_same_schema(schema, vectors.schema, (owner, "these graphs"))
        return Encoded(vectors, EncodingNotes())
    given = Given.of(X, encoder)
    if given.vectors is not None and (given.raw is None or given.vectors.schema == schema):
        if len(given.vectors):
            check_same_schema(schema, given.vectors.schema, (owner, "these graphs"))
        return Encoded(given.vectors, EncodingNotes())
    assert given.raw is not None
    found = encoder.encode(given.raw)
    encoder.tell(found.notes)
    return found


def vectors_together(X: Any, Y: Any) -> tuple[GraphCollection, GraphCollection]:
    """Return comparable vectors of both sides.

    Vectors of one encoder, and vectors made by hand, are used unchanged. Otherwise raw graphs are encoded by
    the encoder of the first side that has one, or by one that is fitted to both.
    """
    left, right = Given.of(X), Given.of(Y)
    if left.vectors is not None and right.vectors is not None:
        try:
            check_same_schema(left.vectors.schema, right.vectors.schema, ("the first side", "the second"))
        except SchemaError:
            if left.raw is None and right.raw is None:
                raise
        else:
            return left.vectors, right.vectors
    for mine, other, is_first in ((left, right, True), (right, left, False)):
        if mine.vectors is not None and mine.encoder is not None and other.raw is not None:
            encoded = mine.encoder.transform(other.raw)
            return (mine.vectors, encoded) if is_first else (encoded, mine.vectors)
    if left.raw is None or right.raw is None:
        raise SchemaError(
            "One side has vectors made by hand, the other has named attributes.",
            "Encode the attributes with AttributeEncoder().fit_transform(graphs), and name the channels of "
            "the vectors: graphs.with_schema(encoder.schema()).",
        )
    both = RawGraphs.concatenate([left.raw, right.raw])
    encoder = automatic_encoder(both).fit(both)
    return encoder.transform(left.raw), encoder.transform(right.raw)


def vectors_of(X: Any) -> GraphCollection:
    """Return vectors of graphs that are only compared with each other: raw ones by their own encoder."""
    return learn_vectors(X)[0]


def _vectors_only(X: Any) -> GraphCollection:
    return as_collection(getattr(X, "graphs", X))


__all__ = [
    "EncoderLike",
    "Given",
    "check_encoder",
    "encoded_like",
    "learn_vectors",
    "vectors_like",
    "vectors_of",
    "vectors_together",
]
