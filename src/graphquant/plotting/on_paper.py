"""Molecules on paper: where RDKit puts atoms, and rings as single and double bonds in turn."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant._validation import import_optional
from graphquant.graphs import RawGraphs
from graphquant.graphs.to_molecules import molecules_of

_ORDERS = {1.0: 1, 2.0: 2, 3.0: 3}


class FlatMolecule(NamedTuple):
    """A molecule on paper."""

    places: FloatArray  # (n, 2)
    orders: IntArray  # of each bond: 1, 2 or 3; 0 for other kinds


def flat_molecules(raw: RawGraphs) -> Iterator[FlatMolecule | None]:
    """Yield how RDKit draws each molecule; None where atoms and bonds make none.

    Examples
    --------
    >>> from graphquant.graphs import as_graphs
    >>> benzene = next(flat_molecules(as_graphs(["c1ccccc1"])))
    >>> benzene.places.shape, sorted(benzene.orders.tolist())
    ((6, 2), [1, 1, 1, 2, 2, 2])
    """
    chem = import_optional("rdkit.Chem", "chem", "Drawing molecules")
    depict = import_optional("rdkit.Chem.rdDepictor", "chem", "Drawing molecules")
    for molecule in molecules_of(raw):
        if molecule is None:
            yield None
            continue
        depict.Compute2DCoords(molecule)
        # Rings that have no such form stay as they are.
        chem.KekulizeIfPossible(molecule, clearAromaticFlags=True)
        orders = [_ORDERS.get(bond.GetBondTypeAsDouble(), 0) for bond in molecule.GetBonds()]
        places = np.array(molecule.GetConformer().GetPositions(), dtype=np.float64).reshape(-1, 3)
        yield FlatMolecule(places[:, :2], np.array(orders, dtype=np.int64))


__all__ = ["FlatMolecule", "flat_molecules"]
