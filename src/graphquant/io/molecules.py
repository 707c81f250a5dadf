"""Molecules through RDKit: SMILES in lines and tables, and SDF; read only.

A node is an atom with ``symbol`` (a string), ``charge`` (the formal charge), ``n_hydrogens`` (those
that are not nodes), ``aromatic`` and ``ring`` (1 or 0); an edge is a bond with ``bond`` (single, double,
triple, aromatic, ...). Hydrogens are left out unless ``hydrogens=True``. Needs the extra ``chem``.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from graphquant.exceptions import FileFormatError
from graphquant.graphs.molecules import MoleculeColumns, molecule_of_smiles, rdkit, sanitized
from graphquant.io._molecule_tables import Layout, MoleculeRow, Options, is_recognised, layout_of, rows_of
from graphquant.io._rows import ErrorPolicy, complete_names
from graphquant.io.base import FileContent, Format
from graphquant.io.limits import open_packed

_FIX_SMILES = 'Fix the line, or read with on_error="skip".'
_FIX_RECORD = 'Fix the record, or read with on_error="skip".'


def recognises_smiles(path: Path) -> bool:
    """Whether this is a SMILES file by its name, or a table with a column of SMILES."""
    return path.is_file() and is_recognised(path)


def recognises_sdf(path: Path) -> bool:
    """Whether the file name is one of an SDF file, compressed or not."""
    return path.is_file() and path.name.lower().removesuffix(".gz").endswith(".sdf")


def read_smiles(
    path: Path,
    *,
    on_error: str = "raise",
    hydrogens: bool = False,
    smiles: str | None = None,
    name: str | None = None,
    target: str | None = None,
    encoding: str = "utf-8",
) -> FileContent:
    r"""Read SMILES: lines ``SMILES name``, or a table with a column of them, also compressed (``.gz``).

    Parameters
    ----------
    path : Path
        ``.smi``, ``.smiles``, ``.csv``, ``.tsv`` or ``.txt``. Cells are separated by commas,
        semicolons, tabs, bars or blanks, with or without a header; the first lines decide.
        Without a header, columns are named by their numbers from 1, and the SMILES ``smiles``.
    on_error : {"raise", "skip"}
    hydrogens : bool, default=False
        Whether hydrogens are nodes.
    smiles, name, target : str, optional
        Names of columns, ignoring case. By default the SMILES are found by the name of their
        column or by what it holds; ``name`` and ``target`` are used if there are such columns. A
        molecule without a value of the target is an error, or is skipped.
    encoding : str, default="utf-8"
        Encoding of the text.

    Returns
    -------
    FileContent
        With all columns except name and target, including the SMILES, in ``columns``.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "drinks.csv")
    ...     _ = file.write_text("Name;Canonical_SMILES;logP\nethanol;CCO;-0.1")
    ...     content = read_smiles(file)
    >>> content.graphs.names, content.graphs.node_columns["symbol"]
    (('ethanol',), Column(3 values, categories 'C', 'O'))
    >>> dict(content.columns)
    {'Canonical_SMILES': ('CCO',), 'logP': ('-0.1',)}
    """
    chem = rdkit()
    molecules = _Molecules(path, on_error, MoleculeColumns(hydrogens=hydrogens))
    layout = layout_of(path, Options(smiles, name, target, encoding))
    with chem.rdBase.BlockLogs():
        for row in rows_of(path, layout, encoding):
            with molecules.graph(f"line {row.line}"):
                _add_row(molecules, row, layout, chem)
    return molecules.content([layout.names[i] for i in layout.others])


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
        Whether hydrogens are nodes; hydrogens missing from the file are added.
    coordinates : bool, default=False
        Whether atoms get ``x``, ``y`` and, in three dimensions, ``z``.
    target : str, optional
        Data field that holds the class of a molecule, ignoring case. A molecule without
        it is an error, or is skipped.

    Returns
    -------
    FileContent
        With the other data fields in ``columns``.
    """
    chem = rdkit()
    columns = MoleculeColumns(hydrogens=hydrogens, coordinates=coordinates)
    molecules = _Molecules(path, on_error, columns)
    try:
        with (
            open_packed(path) as file,
            chem.rdBase.BlockLogs(),
        ):
            for number, record in enumerate(_records(file)):
                with molecules.graph(f"molecule {number}"):
                    _add_record(molecules, record, target, chem)
    except (EOFError, zlib.error, gzip.BadGzipFile) as err:
        raise FileFormatError(
            f"{path}: the compressed file is damaged or truncated ({err}).", "Download it again."
        ) from err
    return molecules.content()


class _Molecules(ErrorPolicy):
    """Collects molecules with their names, classes and further texts, and keeps them aligned."""

    def __init__(self, source: object, on_error: str, columns: MoleculeColumns) -> None:
        super().__init__(source, on_error)
        self._columns = columns
        self._names: list[str | None] = []
        self._targets: list[str] = []
        self._texts: list[Mapping[str, str | None]] = []

    def add(
        self, molecule: Any, name: str | None, target: str | None, texts: Mapping[str, str | None]
    ) -> None:
        """Keep one molecule."""
        self._columns.add(molecule)
        self._names.append(name)
        self._texts.append(texts)
        if target is not None:
            self._targets.append(target)

    def content(self, names: Iterable[str] = ()) -> FileContent:
        """Everything that was kept; ``names`` are columns that exist even without a molecule."""
        self.check_any(len(self._columns))
        known = dict.fromkeys([*names, *(name for texts in self._texts for name in texts)])
        return FileContent(
            self._columns.graphs(complete_names(self._names)),
            tuple(self._targets) or None,
            skipped=tuple(self.skipped),
            columns={name: tuple(texts.get(name) for texts in self._texts) for name in known},
        )


def _add_row(molecules: _Molecules, row: MoleculeRow, layout: Layout, chem: Any) -> None:
    if row.n_cells > len(layout.names):
        raise FileFormatError(
            f"there are {row.n_cells} cells for {len(layout.names)} columns.",
            'Put quotes around a cell that contains the separator, or read with on_error="skip".',
        )
    molecule = molecule_of_smiles(row.cell(layout.smiles) or "", chem, hint=_FIX_SMILES)
    target = row.cell(layout.target)
    if layout.target is not None and target is None:
        raise FileFormatError(
            f"there is no value of the target {layout.names[layout.target]!r}.",
            'Fill it in, or read with on_error="skip".',
        )
    texts = {layout.names[i]: row.cells[i] for i in layout.others}
    molecules.add(molecule, row.cell(layout.name), target, texts)


def _add_record(molecules: _Molecules, record: str, target: str | None, chem: Any) -> None:
    molecule = _molecule_of_record(record, chem)
    fields = {str(name): str(molecule.GetProp(name)).strip() or None for name in molecule.GetPropNames()}
    group = None if target is None else _take_field(fields, target)
    molecules.add(molecule, molecule.GetProp("_Name").strip() or None, group, fields)


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


def _molecule_of_record(record: str, chem: Any) -> Any:
    supplier = chem.SDMolSupplier()
    supplier.SetData(record, sanitize=False, removeHs=False)
    molecule = supplier[0] if len(supplier) else None
    if molecule is None:
        raise FileFormatError("the record is not a valid mol block.", _FIX_RECORD)
    complaint = f"{molecule.GetProp('_Name')!r} is not a valid molecule"
    return sanitized(molecule, complaint, chem, hint=_FIX_RECORD)


def _take_field(fields: dict[str, str | None], target: str) -> str:
    """Remove the field of the target from the others, and return its value."""
    name = next((name for name in fields if name == target), None) or next(
        (name for name in fields if name.lower() == target.lower()), None
    )
    if name is None:
        known = ", ".join(map(repr, fields)) or "none"
        raise FileFormatError(f"there is no data field {target!r}.", f"Fields of this molecule: {known}.")
    value = fields.pop(name)
    if value is None:
        raise FileFormatError(
            f"the data field {name!r} is empty.", 'Fill it in, or read with on_error="skip".'
        )
    return value


SMILES = Format(
    name="smiles",
    description="SMILES, one molecule per line (.smi, .smiles) or a table with a column of them "
    "(.csv, .tsv, .txt), also .gz",
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
