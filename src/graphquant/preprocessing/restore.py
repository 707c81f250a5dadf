"""Encoders stored in files, and the vectors that they made."""

from collections.abc import Mapping
from typing import Any

from graphquant.graphs import GraphCollection
from graphquant.preprocessing._encoder import AttributeEncoder
from graphquant.preprocessing._transformer import GraphEncoder
from graphquant.preprocessing.edit_costs import EditCosts
from graphquant.preprocessing.molecules import MoleculeEncoder


def restore_encoder(saved: Any) -> GraphEncoder | None:
    """Return the encoder that the metadata of a file hold, if any."""
    if saved is None:
        return None
    kind = saved.get("type") if isinstance(saved, Mapping) else None
    if kind == "graphquant.EditCosts":
        return EditCosts.from_json(saved)
    return (MoleculeEncoder if kind == "graphquant.MoleculeEncoder" else AttributeEncoder).from_json(saved)


def made_by(graphs: GraphCollection, encoder: GraphEncoder | None) -> GraphCollection:
    """Mark vectors of a file by the encoder that stands beside them in it.

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
