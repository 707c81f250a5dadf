"""From graphs with the attributes of molecules back to RDKit: molecules, SMILES, SMARTS queries."""

from collections.abc import Iterator
from typing import Any

from graphquant.graphs._raw import RawGraphs
from graphquant.graphs.molecules import rdkit

_NAMES = {"single": "-", "double": "=", "triple": "#", "aromatic": ":", "quadruple": "$"}
_TYPES = {
    "single": "SINGLE",
    "double": "DOUBLE",
    "triple": "TRIPLE",
    "aromatic": "AROMATIC",
    "dative": "DATIVE",
}


def is_molecular(raw: RawGraphs) -> bool:
    """Whether graphs have the attributes that reading molecules gives: element symbols and bonds."""
    symbol, bond = raw.node_columns.get("symbol"), raw.edge_columns.get("bond")
    return symbol is not None and not symbol.is_numeric and bond is not None and not bond.is_numeric


def molecules_of(raw: RawGraphs) -> Iterator[Any]:
    """Yield an RDKit molecule for each graph; None where its atoms and bonds make none.

    Examples
    --------
    >>> from rdkit import Chem
    >>> from graphquant.graphs import as_graphs
    >>> [Chem.MolToSmiles(molecule) for molecule in molecules_of(as_graphs(["OCC", "c1cc[nH]c1"]))]
    ['CCO', 'c1cc[nH]c1']
    """
    chem = rdkit()
    kinds = {name: getattr(chem.BondType, kind) for name, kind in _TYPES.items()}
    symbols = raw.node_columns["symbol"].to_list()
    charges, hydrogens = _whole(raw, "charge"), _whole(raw, "n_hydrogens")
    bonds = raw.edge_columns["bond"].to_list()
    # Hydrogens that are nodes leave none to count.
    counts_hydrogens = "n_hydrogens" in raw.node_columns
    with chem.rdBase.BlockLogs():
        for i in range(len(raw)):
            nodes = range(int(raw.node_offsets[i]), int(raw.node_offsets[i + 1]))
            edges = range(int(raw.edge_offsets[i]), int(raw.edge_offsets[i + 1]))
            molecule = chem.RWMol()
            try:
                for node in nodes:
                    atom = chem.Atom(symbols[node] or "*")
                    atom.SetFormalCharge(charges[node])
                    if counts_hydrogens:
                        atom.SetNoImplicit(True)
                        atom.SetNumExplicitHs(max(hydrogens[node], 0))
                    molecule.AddAtom(atom)
                for edge in edges:
                    start, end = raw.edges[edge].tolist()
                    molecule.AddBond(start, end, kinds.get(bonds[edge] or "", chem.BondType.SINGLE))
                    if bonds[edge] == "aromatic":
                        for atom in (start, end):
                            molecule.GetAtomWithIdx(atom).SetIsAromatic(True)
                        molecule.GetBondBetweenAtoms(start, end).SetIsAromatic(True)
                chem.SanitizeMol(molecule)
            except (ValueError, RuntimeError):
                yield None
                continue
            yield molecule.GetMol()


def smiles_of(raw: RawGraphs) -> list[str | None]:
    """Return a SMILES for each graph, None where its atoms and bonds make no molecule.

    Examples
    --------
    >>> from graphquant.graphs import as_graphs
    >>> smiles_of(as_graphs(["OCC", "C[N+](C)(C)C"]))
    ['CCO', 'C[N+](C)(C)C']
    """
    chem = rdkit()
    return [None if found is None else chem.MolToSmiles(chem.RemoveHs(found)) for found in molecules_of(raw)]


def smarts_of(raw: RawGraphs) -> str | None:
    """Return a SMARTS query of a single graph: elements, charges and bonds, without hydrogens.

    Of a graph in several parts it is the largest one: RDKit may take hours to find loose parts.

    Examples
    --------
    >>> from graphquant.graphs import as_graphs
    >>> smarts_of(as_graphs(["CC(=O)[O-]"]))
    '[#6]-[#6](=[#8])-[#8&-]'
    """
    chem = rdkit()
    symbols, charges = raw.node_columns["symbol"].to_list(), _whole(raw, "charge")
    bonds, table = raw.edge_columns["bond"].to_list(), chem.GetPeriodicTable()
    query, number = chem.RWMol(), {}
    for node, symbol in enumerate(symbols):
        if symbol == "H":
            continue
        number[node] = query.AddAtom(chem.AtomFromSmarts(_atom_query(symbol, charges[node], table)))
    for row, (start, end) in enumerate(raw.edges.tolist()):
        if start in number and end in number:
            query.AddBond(number[start], number[end], chem.BondType.SINGLE)
            bond = query.GetBondBetweenAtoms(number[start], number[end])
            query.ReplaceBond(bond.GetIdx(), chem.BondFromSmarts(_NAMES.get(bonds[row] or "", "~")))
    parts = chem.GetMolFrags(query, asMols=True, sanitizeFrags=False)
    return chem.MolToSmarts(max(parts, key=lambda part: part.GetNumAtoms())) if parts else None


def share_with(smarts: str, raw: RawGraphs) -> float:
    """Return the share of graphs in which RDKit finds a query.

    Examples
    --------
    >>> from graphquant.graphs import as_graphs
    >>> share_with("[#6]-[#8]", as_graphs(["CCO", "CCN"]))
    0.5
    """
    query = rdkit().MolFromSmarts(smarts)
    n_found = sum(
        molecule is not None and bool(molecule.HasSubstructMatch(query)) for molecule in molecules_of(raw)
    )
    return n_found / max(len(raw), 1)


def _atom_query(symbol: str | None, charge: int, table: Any) -> str:
    try:
        number = table.GetAtomicNumber(symbol)
    except RuntimeError:
        return "*"
    sign = "" if charge == 0 else f"{'+' if charge > 0 else '-'}{abs(charge) if abs(charge) > 1 else ''}"
    return f"[#{number}{sign}]"


def _whole(raw: RawGraphs, name: str) -> list[int]:
    """Return a column as whole numbers, 0 where it is missing or there is none."""
    column = raw.node_columns.get(name)
    if column is None:
        return [0] * int(raw.node_offsets[-1])
    return [0 if value is None else round(float(value)) for value in column.to_list()]


__all__ = ["is_molecular", "molecules_of", "share_with", "smarts_of", "smiles_of"]
