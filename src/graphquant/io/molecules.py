"""Molecules through RDKit: SMILES and SDF, read only.

A node is an atom with ``symbol`` (a string), ``charge`` (the formal charge) and ``n_hydrogens`` (those
that are not nodes); an edge is a bond with ``bond`` (single, double, triple, aromatic, ...). Hydrogens
are left out unless ``hydrogens=True``. Needs the extra ``chem``.
"""

import csv
import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from graphquant._validation import check_choice, import_optional
from graphquant.exceptions import FileFormatError
from graphquant.io._base import FileContent, Format
from graphquant.io._rows import Collector, GraphRows, Row


def recognises_smiles(path: Path) -> bool:
    """Whether the name is that of a SMILES file, or the first line of a csv file names such a column."""
    suffix = path.suffix.lower()
    if not path.is_file() or suffix != ".csv":
        return path.is_file() and suffix in (".smi", ".smiles")
    with path.open("rb") as file:
        return b"smiles" in file.readline(65536).lower()


def recognises_sdf(path: Path) -> bool:
    """Whether the name is that of an SDF file, compressed or not."""
    return path.is_file() and path.name.lower().removesuffix(".gz").endswith(".sdf")


def read_smiles(
    path: Path,
    *,
    on_error: str = "raise",
    hydrogens: bool = False,
    smiles: str = "smiles",
    name: str | None = None,
    target: str | None = None,
) -> FileContent:
    """Read SMILES: one molecule a line, or a csv file with a column of them.

    Parameters
    ----------
    path : Path
        ``.smi`` or ``.smiles`` with lines ``SMILES name``, or ``.csv`` with a header.
    on_error : {"raise", "skip"}
    hydrogens : bool, default=False
        Whether hydrogens are nodes.
    smiles, name, target : str, optional
        Columns of a csv file; by default ``smiles``, and ``name`` and ``target`` if there are such.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "drinks.smi")
    ...     _ = file.write_text("CCO ethanol")
    ...     read_smiles(file).graphs.node_columns["symbol"]
    Column(3 values, categories 'C', 'O')
    """
    chem = _rdkit()
    collector = Collector(path, on_error)
    with path.open(encoding="utf-8-sig", newline="") as file:
        is_csv = path.suffix.lower() == ".csv"
        lines = _table(file, path, smiles, name, target) if is_csv else _plain_lines(file)
        for number, text, label, group in _readable(lines, path):
            with collector.graph(f"line {number}"), chem.rdBase.BlockLogs():
                molecule = _molecule_of_smiles(text, chem)
                collector.add(_graph(molecule, chem, hydrogens, label, group))
    return collector.content()


def read_sdf(
    path: Path,
    *,
    on_error: str = "raise",
    hydrogens: bool = False,
    coordinates: bool = False,
    target: str | None = None,
) -> FileContent:
    """Read an SDF file (also ``.sdf.gz``).

    Parameters
    ----------
    path : Path
    on_error : {"raise", "skip"}
    hydrogens : bool, default=False
        Whether hydrogens are nodes; those that the file lacks are added.
    coordinates : bool, default=False
        Whether atoms get ``x``, ``y`` and, in three dimensions, ``z``.
    target : str, optional
        Data field that holds the class of a molecule.
    """
    chem = _rdkit()
    collector = Collector(path, on_error)
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
            for number, record in enumerate(_records(file)):
                with collector.graph(f"molecule {number}"), chem.rdBase.BlockLogs():
                    molecule = _molecule_of_record(record, chem)
                    label = molecule.GetProp("_Name").strip() or None
                    group = _field(molecule, target)
                    collector.add(_graph(molecule, chem, hydrogens, label, group, coordinates=coordinates))
    except (EOFError, zlib.error, gzip.BadGzipFile) as err:
        raise FileFormatError(
            f"{path}: the compressed file is damaged or cut short ({err}).", "Fetch it again."
        ) from err
    return collector.content()


def _rdkit() -> Any:
    return import_optional("rdkit.Chem", "chem", "Reading molecules")


_Line = tuple[int, str, str | None, str | None]


def _readable(lines: Iterator[_Line], path: Path) -> Iterator[_Line]:
    try:
        yield from lines
    except (UnicodeDecodeError, csv.Error) as err:
        raise FileFormatError(f"{path}: not a text file in UTF-8 ({err}).", "Save it as UTF-8.") from err


def _plain_lines(file: IO[str]) -> Iterator[_Line]:
    for number, line in enumerate(file, start=1):
        text, name = (*line.split(maxsplit=1), "", "")[:2]
        if text and not (number == 1 and text.lower() == "smiles"):
            yield number, text, name.strip() or None, None


def _table(file: IO[str], path: Path, smiles: str, name: str | None, target: str | None) -> Iterator[_Line]:
    reader = csv.DictReader(file)
    known = list(reader.fieldnames or ())
    for column in (smiles, *(column for column in (name, target) if column is not None)):
        check_choice(f"column of {path.name}:", column, known)
    name, target = (
        name or ("name" if "name" in known else None),
        target or ("target" if "target" in known else None),
    )
    for row in reader:
        yield (
            reader.line_num,
            (row[smiles] or "").strip(),
            None if name is None else row[name],
            None if target is None else row[target],
        )


def _records(file: Iterable[bytes]) -> Iterator[str]:
    """Split an SDF file into records, each with the mark at its end."""
    lines: list[str] = []
    for line in file:
        lines.append(line.decode("utf-8", errors="replace"))
        if lines[-1].startswith("$$$$"):
            yield "".join(lines)
            lines = []
    if "".join(lines).strip():
        yield "".join([*lines, "\n$$$$\n"])


def _molecule_of_smiles(text: str, chem: Any) -> Any:
    molecule = chem.MolFromSmiles(text, sanitize=False) if text else None
    if molecule is None:
        raise FileFormatError(
            f"{text!r} is not a valid SMILES.", 'Mend the line, or read with on_error="skip".'
        )
    return _sanitized(molecule, f"{text!r} is not a valid SMILES", chem)


def _molecule_of_record(record: str, chem: Any) -> Any:
    supplier = chem.SDMolSupplier()
    supplier.SetData(record, sanitize=False, removeHs=False)
    molecule = supplier[0] if len(supplier) else None
    if molecule is None:
        raise FileFormatError(
            "the record is not a valid mol block.", 'Mend the record, or read with on_error="skip".'
        )
    return _sanitized(molecule, f"{molecule.GetProp('_Name')!r} is not a valid molecule", chem)


def _sanitized(molecule: Any, complaint: str, chem: Any) -> Any:
    """Perceive aromaticity and check valences; RDKit's reason goes into the message."""
    try:
        chem.SanitizeMol(molecule)
    except ValueError as err:  # all of RDKit's sanitization errors
        raise FileFormatError(f"{complaint} ({err}).", 'Mend it, or read with on_error="skip".') from err
    return molecule


def _field(molecule: Any, target: str | None) -> str | None:
    if target is None:
        return None
    if not molecule.HasProp(target):
        fields = ", ".join(repr(name) for name in molecule.GetPropNames()) or "none"
        raise FileFormatError(f"there is no data field {target!r}.", f"Fields of this molecule: {fields}.")
    return str(molecule.GetProp(target)).strip()


def _graph(
    molecule: Any,
    chem: Any,
    hydrogens: bool,
    name: str | None,
    target: str | None,
    *,
    coordinates: bool = False,
) -> GraphRows:
    molecule = chem.AddHs(molecule, addCoords=coordinates) if hydrogens else chem.RemoveHs(molecule)
    nodes: list[Row] = [
        {"symbol": atom.GetSymbol(), "charge": atom.GetFormalCharge(), "n_hydrogens": atom.GetTotalNumHs()}
        for atom in molecule.GetAtoms()
    ]
    if coordinates:
        _add_coordinates(nodes, molecule)
    bonds = list(molecule.GetBonds())
    return GraphRows(
        nodes,
        [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in bonds],
        [{"bond": str(bond.GetBondType()).lower()} for bond in bonds],
        name=name,
        target=target,
    )


def _add_coordinates(nodes: list[Row], molecule: Any) -> None:
    if molecule.GetNumConformers() == 0:
        raise FileFormatError("the molecule has no coordinates.", "Read with coordinates=False.")
    conformer = molecule.GetConformer()
    axes = "xyz" if conformer.Is3D() else "xy"
    for row, point in zip(nodes, conformer.GetPositions().tolist(), strict=True):
        row.update(zip(axes, point[: len(axes)], strict=True))


SMILES = Format(
    name="smiles",
    description="SMILES, one molecule a line (.smi, .smiles) or a csv file with a column of them",
    recognises=recognises_smiles,
    read=read_smiles,
)
SDF = Format(
    name="sdf",
    description="SDF, molecules with coordinates (.sdf, .sdf.gz)",
    recognises=recognises_sdf,
    read=read_sdf,
)

__all__ = ["SDF", "SMILES", "read_sdf", "read_smiles", "recognises_sdf", "recognises_smiles"]
