"""MoleculeEncoder: what chemists compare molecules by."""

from typing import Any, Literal

from graphquant._validation import check_choice
from graphquant.graphs import RawGraphs
from graphquant.preprocessing._encoder import AttributeEncoder
from graphquant.preprocessing._molecules import has_hydrogen_nodes, looks_like_molecules, prepared
from graphquant.preprocessing._source import Source, as_source
from graphquant.preprocessing._specs import Numeric, OneHot

# What attributes count, from the study in benchmarks/molecule_encoding.py.
ELEMENT, CHARGE, HYDROGENS, AROMATIC, RING, BOND = 1.0, 0.5, 0.15, 0.15, 0.15, 1.0


class MoleculeEncoder(AttributeEncoder):
    """Turn molecules into vectors: element, charge, hydrogens, aromaticity, rings, and kinds of bonds.

    It is the automatic choice for molecules of RDKit, SMILES and SDF. Elements and kinds of bonds decide; the
    rest decides between molecules that agree in these. This is what differences add to the squared distance:

    =====================================  ==================================================
    another element                        2
    one charge instead of none             0.25; two charges 1
    one hydrogen more on an atom           0.02; three 0.2
    aromatic or not, in a ring or not      0.02 each
    one atom more or less                  1, and a little for its hydrogens, charge and rings
    another kind of bond                   4: bonds count twice, once in each direction
    one bond more or less                  2
    =====================================  ==================================================

    Parameters
    ----------
    hydrogens : {"count", "nodes"}, default="count"
        Whether hydrogens become a number on their atom, or nodes. Graphs of either form are converted to
        this one.
    unknown, missing, unit_norm
        As in :class:`AttributeEncoder`. With ``unit_norm=True``, molecules are compared by their
        composition, not by their size.

    Examples
    --------
    >>> from graphquant.preprocessing import MoleculeEncoder
    >>> encoder = MoleculeEncoder()
    >>> encoder.fit_transform(["CCO", "c1cc[nH+]cc1"]).orders.tolist()
    [3, 6]
    >>> MoleculeEncoder(hydrogens="nodes").fit_transform(["CCO", "CCN"]).orders.tolist()
    [9, 10]
    >>> print(encoder.describe())
    nodes: 8 channels
      symbol       one-hot, 3 categories: C, N, O and other
      charge       numeric, weight 0.5
      n_hydrogens  numeric, weight 0.15
      aromatic     numeric, weight 0.15
      ring         numeric, weight 0.15
    edges: 5 channels
      bond         one-hot, 4 categories: single, double, triple, aromatic and other
    """

    edge = (OneHot("bond", categories=("single", "double", "triple", "aromatic")),)
    center: Literal["auto"] = "auto"
    scale: Literal["auto"] = "auto"
    numeric: Literal["auto"] = "auto"
    edge_weight = BOND
    balance = False
    presence = False
    shape = None

    def __init__(
        self,
        hydrogens: Literal["count", "nodes"] = "count",
        *,
        missing: Literal["mean", "zero", "error"] = "mean",
        unknown: Literal["other", "error", "zero"] = "other",
        unit_norm: bool = False,
    ) -> None:
        self.hydrogens = hydrogens
        self.missing = missing
        self.unknown = unknown
        self.unit_norm = unit_norm

    @property
    def node(self) -> tuple[OneHot | Numeric, ...]:  # type: ignore[override]
        """What is read of atoms."""
        folds = self.hydrogens != "nodes"
        numbers = [("charge", CHARGE), *([("n_hydrogens", HYDROGENS)] if folds else [])]
        numbers += [("aromatic", AROMATIC), ("ring", RING)]
        return (
            OneHot("symbol", weight=ELEMENT),
            *(Numeric(name, False, None, weight, "line") for name, weight in numbers),
        )

    def _source(self, X: Any) -> Source:
        source = as_source(X)
        if source.is_vectors or (self.is_fitted and "symbol" not in source.columns["node"]):
            # Not what it was fitted on: that is told like by any encoder.
            return source
        check_choice("hydrogens", self.hydrogens, ("count", "nodes"))
        raw = RawGraphs(
            source.offsets["node"],
            source.offsets["edge"],
            source.edges,
            source.columns["node"],
            source.columns["edge"],
            directed=source.directed,
            groups=source.groups,
            names=source.names,
        )
        return as_source(prepared(raw, self.hydrogens))

    def _params_to_json(self) -> dict[str, Any]:
        return self.get_params()

    @classmethod
    def _params_from_json(cls, params: dict[str, Any]) -> dict[str, Any]:
        return params


def automatic_encoder(raw: RawGraphs) -> AttributeEncoder:
    """Return the encoder, not fitted yet, that is the automatic choice for graphs."""
    if not looks_like_molecules(raw):
        return AttributeEncoder()
    return MoleculeEncoder("nodes" if has_hydrogen_nodes(raw) else "count")


__all__ = ["MoleculeEncoder", "automatic_encoder"]
