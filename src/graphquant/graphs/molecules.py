"""From RDKit molecules, recognised by their attributes, and from SMILES.

A node is an atom with ``symbol`` (a string), ``charge`` (the formal charge), ``n_hydrogens`` (those
that are not nodes), ``aromatic`` and ``ring`` (1 if it is, or is in one, else 0); an edge is a bond with
``bond`` (single, double, triple, aromatic, ...).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from graphquant._typing import FloatArray
from graphquant._validation import import_optional
from graphquant.exceptions import InvalidGraphError, MissingDependencyError
from graphquant.graphs._raw import Column, RawGraphs
from graphquant.graphs.collection import label_of

_PARSE_ERROR = re.compile(r"Parse Error: (.+?)(?: for input| while parsing|:?$)", re.MULTILINE)
_FIX_SMILES = "Fix it or leave it out."
_FIX_TEXT = "Fix it or leave it out; names of files are for graphquant.read."


def rdkit() -> Any:
    """Import RDKit's ``Chem``, or say which extra installs it."""
    return import_optional("rdkit.Chem", "chem", "Reading molecules")


def has_rdkit() -> bool:
    """Whether RDKit is there: what it adds to molecules is left out without it."""
    try:
        rdkit()
    except MissingDependencyError:
        return False
    return True


def is_molecule(obj: Any) -> bool:
    """Whether ``obj`` looks like an RDKit molecule."""
    return all(hasattr(obj, name) for name in ("GetAtoms", "GetBonds", "GetNumAtoms"))


class MoleculeColumns:
    """Columns of many molecules, filled one molecule at a time.

    Parameters
    ----------
    hydrogens : bool, default=False
        Whether hydrogens are nodes; missing ones are added.
    coordinates : bool, default=False
        Whether atoms get ``x``, ``y`` and, in three dimensions, ``z``.
    """

    def __init__(self, *, hydrogens: bool = False, coordinates: bool = False) -> None:
        self._chem = rdkit()
        self._hydrogens = hydrogens
        self._coordinates = coordinates
        self._orders: list[int] = []
        self._sizes: list[int] = []
        self._symbols: list[str] = []
        self._charges: list[int] = []
        self._n_hydrogens: list[int] = []
        self._aromatic: list[bool] = []
        self._ring: list[bool] = []
        self._edges: list[tuple[int, int]] = []
        self._bonds: list[str] = []
        self._points: list[FloatArray] = []
        self._bond_names: dict[Any, str] = {}

    def add(self, molecule: Any) -> None:
        """Append a sanitized molecule; nothing of a rejected one is kept."""
        if self._hydrogens:
            molecule = self._chem.AddHs(molecule, addCoords=self._coordinates)
        atoms = list(molecule.GetAtoms())
        symbols = [atom.GetSymbol() for atom in atoms]
        if not self._hydrogens and "H" in symbols:
            molecule = self._chem.RemoveHs(molecule)
            atoms = list(molecule.GetAtoms())
            symbols = [atom.GetSymbol() for atom in atoms]
        bonds = list(molecule.GetBonds())
        if self._coordinates:
            self._points.append(_positions(molecule))
        self._orders.append(len(atoms))
        self._sizes.append(len(bonds))
        self._symbols += symbols
        self._charges += [atom.GetFormalCharge() for atom in atoms]
        self._n_hydrogens += [atom.GetTotalNumHs() for atom in atoms]
        self._aromatic += [atom.GetIsAromatic() for atom in atoms]
        self._ring += [atom.IsInRing() for atom in atoms]
        self._edges += [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in bonds]
        self._bonds += [self._bond_name(bond.GetBondType()) for bond in bonds]

    def graphs(self, names: Sequence[str] | None = None) -> RawGraphs:
        """All molecules so far."""
        return RawGraphs(
            np.cumsum([0, *self._orders]),
            np.cumsum([0, *self._sizes]),
            np.array(self._edges, dtype=np.int32).reshape(-1, 2),
            {
                "symbol": Column.from_strings(self._symbols),
                "charge": Column(self._charges),
                "n_hydrogens": Column(self._n_hydrogens),
                "aromatic": Column(self._aromatic),
                "ring": Column(self._ring),
                **self._coordinate_columns(),
            },
            {"bond": Column.from_strings(self._bonds)},
            names=names,
        )

    def __len__(self) -> int:
        return len(self._orders)

    def _bond_name(self, kind: Any) -> str:
        if kind not in self._bond_names:
            self._bond_names[kind] = str(kind).lower()
        return self._bond_names[kind]

    def _coordinate_columns(self) -> dict[str, Column]:
        if not self._points:
            return {}
        points = np.concatenate(self._points)
        # Flat molecules have no z; if others are three-dimensional, it is missing.
        axes = "xy" if np.isnan(points[:, 2]).all() else "xyz"
        return {axis: Column(points[:, i]) for i, axis in enumerate(axes)}


def raw_from_molecules(
    molecules: Iterable[Any], names: Sequence[str] | None = None, *, hydrogens: bool = False
) -> RawGraphs:
    """Convert RDKit molecules to graphs, named like the molecules if all have a name."""
    chem = rdkit()
    members = list(molecules)
    if names is None:
        names = _names_of(members)
    label = label_of(names)
    columns = MoleculeColumns(hydrogens=hydrogens)
    with chem.rdBase.BlockLogs():
        for i, molecule in enumerate(members):
            # A copy, because a molecule may lack aromaticity or valences, or have those of another model.
            columns.add(sanitized(chem.Mol(molecule), f"{label(i)} is not a valid molecule", chem))
    return columns.graphs(names)


def raw_from_smiles(texts: Iterable[str], *, hydrogens: bool = False) -> RawGraphs:
    """Convert SMILES to graphs, through RDKit.

    Examples
    --------
    >>> raw_from_smiles(["CCO"]).node_columns["symbol"].to_list()
    ['C', 'C', 'O']
    """
    chem = rdkit()
    columns = MoleculeColumns(hydrogens=hydrogens)
    with chem.rdBase.BlockLogs():
        for i, text in enumerate(texts):
            columns.add(molecule_of_smiles(str(text), chem, where=f"Graph {i}: ", hint=_FIX_TEXT))
    return columns.graphs()


def kept_atoms(molecule: Any) -> list[int]:
    """Return the atoms of a molecule that become nodes, by their numbers in it."""
    if all(atom.GetSymbol() != "H" for atom in molecule.GetAtoms()):
        return list(range(molecule.GetNumAtoms()))
    chem = rdkit()
    with chem.rdBase.BlockLogs():
        marked = chem.Mol(molecule)
        for atom in marked.GetAtoms():
            atom.SetIntProp("_graphquant_atom", atom.GetIdx())
        marked = chem.RemoveHs(sanitized(marked, "This is not a valid molecule", chem))
    return [atom.GetIntProp("_graphquant_atom") for atom in marked.GetAtoms()]


def fragment_smarts(molecule: Any, atoms: Sequence[int], bonds: Sequence[tuple[int, int]]) -> str:
    """Return atoms and bonds of a molecule, or of a SMILES, as SMARTS of elements and bonds."""
    chem = rdkit()
    with chem.rdBase.BlockLogs():
        if isinstance(molecule, str):
            molecule = molecule_of_smiles(molecule, chem)
        else:
            molecule = sanitized(chem.Mol(molecule), "This is not a valid molecule", chem)
    query = chem.RWMol()
    place = {}
    for number in atoms:
        place[number] = query.AddAtom(
            chem.AtomFromSmarts(f"[#{molecule.GetAtomWithIdx(number).GetAtomicNum()}]")
        )
    for a, b in bonds:
        query.AddBond(place[a], place[b], molecule.GetBondBetweenAtoms(a, b).GetBondType())
    return str(chem.MolToSmarts(query))


def molecule_of_smiles(text: str, chem: Any, *, where: str = "", hint: str = _FIX_SMILES) -> Any:
    """Read one SMILES; ``where`` is the start of the error message if it is invalid."""
    text = text.strip()
    molecule = chem.MolFromSmiles(text, sanitize=False) if text else None
    complaint = f"{where}{text!r} is not a valid SMILES"
    if molecule is None:
        reason = _parse_error(text, chem)
        raise InvalidGraphError(f"{complaint}{f' ({reason})' if reason else ''}.", hint)
    return sanitized(molecule, complaint, chem, hint=hint)


def sanitized(molecule: Any, complaint: str, chem: Any, *, hint: str = _FIX_SMILES) -> Any:
    """Perceive aromaticity and check valences; RDKit's reason goes into the message."""
    try:
        chem.SanitizeMol(molecule)
    except (ValueError, RuntimeError) as err:  # sanitization errors, and violated invariants of RDKit
        reason = (str(err).splitlines() or [""])[0]
        raise InvalidGraphError(f"{complaint} ({reason}).", hint) from err
    return molecule


def looks_like_smiles(texts: Iterable[str]) -> bool:
    """Whether most of the texts are valid SMILES without blanks inside; false if there are no texts."""
    chem = rdkit()
    with chem.rdBase.BlockLogs():
        valid = [text.split() == [text] and chem.MolFromSmiles(text) is not None for text in texts if text]
    return sum(valid) * 2 > len(valid)


def _parse_error(text: str, chem: Any) -> str | None:
    """Ask RDKit why a SMILES cannot be parsed; it only writes this to its log, and older versions do not."""
    capture = getattr(chem.rdBase, "CaptureErrorLog", None)
    if capture is None or not text:
        return "it is empty" if not text else None
    with capture() as log:
        chem.MolFromSmiles(text, sanitize=False)
    found = _PARSE_ERROR.search(log.messages)
    return None if found is None else found[1]


def _positions(molecule: Any) -> FloatArray:
    """Coordinates of the atoms, with a missing z in a flat molecule."""
    if molecule.GetNumConformers() == 0:
        raise InvalidGraphError("the molecule has no coordinates.", "Read with coordinates=False.")
    conformer = molecule.GetConformer()
    points = np.array(conformer.GetPositions(), dtype=np.float64).reshape(-1, 3)
    if not conformer.Is3D():
        points[:, 2] = np.nan
    return points


def _names_of(molecules: Sequence[Any]) -> list[str] | None:
    names = [molecule.GetProp("_Name").strip() if molecule.HasProp("_Name") else "" for molecule in molecules]
    return names if names and all(names) else None


__all__ = [
    "MoleculeColumns",
    "fragment_smarts",
    "has_rdkit",
    "is_molecule",
    "kept_atoms",
    "looks_like_smiles",
    "molecule_of_smiles",
    "raw_from_molecules",
    "raw_from_smiles",
    "rdkit",
    "sanitized",
]
