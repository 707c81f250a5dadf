"""How attributes become vectors in the paper's setting: one set of weights for each data set.

The paper names the attributes and leaves their weights and scales open. The weights here were fitted to the
errors it prints, by ``python -m benchmarks.paper_settings``; docs/results/settings.md has the whole search.
"""

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from graphquant.datasets import Dataset, load_iam
from graphquant.graphs import Column, GraphCollection, RawGraphs
from graphquant.preprocessing import AttributeEncoder, Numeric, OneHot

# Angles of the first and of the second line of an edge of grec.
LINE_ANGLES = ("line angle 0", "line angle 1")
_PRESENCE: dict[tuple[bool, bool], bool | Literal["node", "edge"]] = {
    (False, False): False,
    (True, False): "node",
    (False, True): "edge",
    (True, True): True,
}


@dataclass(frozen=True)
class Weights:
    """What the paper leaves open about the attributes of a data set.

    Attributes
    ----------
    center : bool
        Whether positions are centred on their mean.
    scale : bool
        Whether positions are divided by one number, their common root mean square.
    position : float
        Factor on positions.
    presence : bool
        Whether every node has a channel that is always 1.
    edge : float
        Factor on the presence of edges, or on their types, one-hot.
    angle : float
        Factor on angles, in radians; on grec those of lines alone, because those of arcs are diameters.
    unit_norm : bool
        Whether each graph is scaled to norm 1 in the end.
    """

    center: bool = False
    scale: bool = True
    position: float = 1.0
    presence: bool = False
    edge: float = 1.0
    angle: float = 0.0
    unit_norm: bool = True

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    def describe(self, dataset: str) -> str:
        """Describe in words how the attributes of a data set are weighted.

        Examples
        --------
        >>> Weights(scale=False).describe("letter")
        'Positions as they are; edges 1; each graph scaled to unit norm'
        """
        parts = []
        if dataset == "molecules":
            parts.append("Elements one-hot")
        else:
            how = [word for word, told in (("centred", self.center), ("scaled", self.scale)) if told]
            times = "" if self.position == 1.0 else f", times {self.position:g}"
            parts.append(f"Positions {' and '.join(how) or 'as they are'}{times}")
        parts += ["presence of nodes 1"] * self.presence
        types = {"grec": "types of edges one-hot, ", "molecules": "valences one-hot, "}
        parts.append(f"{types.get(dataset, 'edges ')}{self.edge:g}")
        if self.angle:
            lines = " of lines" if dataset == "grec" else ""
            parts.append(f"angles{lines} in radians times {self.angle:.3g}")
        parts.append("each graph scaled to unit norm" if self.unit_norm else "no unit norm")
        return "; ".join(parts)


def paper_graphs(dataset: str, data: str, weights: Weights) -> tuple[Dataset, GraphCollection]:
    """Load a data set, and encode it with the attributes that the paper names."""
    # Whatever the encoder: the raw attributes are encoded below.
    loaded = load_iam(dataset, data, encoder=AttributeEncoder([], []))
    assert loaded.raw is not None
    raw = with_line_angles(loaded.raw) if dataset == "grec" else loaded.raw
    return loaded, paper_encoder(dataset, weights).fit_transform(raw)


def paper_encoder(dataset: str, weights: Weights) -> AttributeEncoder:
    """Return the encoder of a data set.

    Examples
    --------
    >>> paper_encoder("molecules", Weights()).node
    [OneHot(name='chem', weight=1.0, categories=None)]
    """
    node: list[Numeric | OneHot] = [_position(name, weights) for name in ("x", "y")]
    edge: list[Numeric | OneHot] = []
    edge_presence = weights.edge > 0.0
    match dataset:
        case "letter":
            pass  # "relative to a reference coordinate system. Edges are labeled with weight 1"
        case "grec":
            # "labeled as line or arc. An additional attribute specifies the angle ... or the diameter"
            edge = [OneHot("type0"), OneHot("type1")]
            edge += [_angle(name, weights) for name in LINE_ANGLES] if weights.angle else []
            edge_presence = False
        case "fingerprint":
            # "an angle denoting the orientation of the edge with respect to the horizontal direction"
            edge = [_angle("angle", weights)] if weights.angle else []
        case _:
            # "a 1-to-k binary encoding for representing atom types and valence of bonds"
            node, edge, edge_presence = [OneHot("chem")], [OneHot("valence")], False
    return AttributeEncoder(
        node,
        edge,
        edge_weight=weights.edge or 1.0,
        balance=False,
        presence=_PRESENCE[weights.presence, edge_presence],
        missing="zero",
        unknown="error",
        unit_norm=weights.unit_norm,
    )


def _position(name: str, weights: Weights) -> Numeric:
    scale: Literal["joint"] | None = "joint" if weights.scale else None
    return Numeric(name, center=weights.center, scale=scale, weight=weights.position, numeric="line")


def _angle(name: str, weights: Weights) -> Numeric:
    # The encoder multiplies all channels of edges by the weight of edges.
    weight = weights.angle / (weights.edge or 1.0)
    return Numeric(name, center=False, scale=None, weight=weight, numeric="line")


def with_line_angles(raw: RawGraphs) -> RawGraphs:
    """Add the angles of lines as columns of their own, missing where the edge is an arc.

    The files have one column for angles of lines and diameters of arcs; an edge may have two of both.
    """
    columns = dict(raw.edge_columns)
    for number, name in enumerate(LINE_ANGLES):
        kind, angle = columns[f"type{number}"], columns[f"angle{number}"]
        assert kind.categories is not None
        is_line = kind.values == kind.categories.index("line")
        columns[name] = Column(np.where(is_line, angle.values, np.nan))
    return RawGraphs(
        raw.node_offsets,
        raw.edge_offsets,
        raw.edges,
        raw.node_columns,
        columns,
        directed=raw.directed,
        groups=raw.groups,
        names=raw.names,
    )


__all__ = ["Weights", "paper_encoder", "paper_graphs"]
