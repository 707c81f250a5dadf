"""Encoders stored in files, and the vectors that they made."""

from typing import Any

from graphquant.graphs import GraphCollection
from graphquant.preprocessing._encoder import AttributeEncoder


def restore_encoder(saved: Any) -> AttributeEncoder | None:
    """Return the encoder in the metadata of a file, if any."""
    return None if saved is None else AttributeEncoder.from_json(saved)


def made_by(graphs: GraphCollection, encoder: AttributeEncoder | None) -> GraphCollection:
    """Mark vectors of a file with the encoder that is stored with them.

    Files of version 1.0 describe their channels only by their encoder: it is trusted if the numbers
    of channels agree. Vectors that another encoder made keep their own mark.
    """
    if encoder is None or not encoder.is_fitted:
        return graphs
    schema, widths = encoder.schema(), (graphs.node_attrs.shape[1], graphs.edge_attrs.shape[1])
    if graphs.schema is None and widths == (len(schema.node), len(schema.edge)):
        return graphs.with_schema(schema)
    return graphs.with_schema(schema) if graphs.schema == schema else graphs


__all__ = ["made_by", "restore_encoder"]
