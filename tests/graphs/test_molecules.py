"""Molecules of RDKit and SMILES, and columns of them."""

import sys

import numpy as np
import pyarrow as pa
import pytest

from graphquant.exceptions import InvalidGraphError, MissingDependencyError
from graphquant.graphs import as_graphs
from graphquant.graphs.molecules import MoleculeColumns
from tests.graphs.bad_input import check
from tests.graphs.stand_ins import Frame, Series

chem = pytest.importorskip("rdkit.Chem", reason="the extra chem is not installed")
SMILES = ["CCO", "c1ccccc1", "C[NH3+]"]


def test_smiles():
    raw = as_graphs(SMILES)
    assert raw.orders.tolist() == [3, 6, 2]
    assert raw.names is None
    assert raw[0].node_columns["symbol"].to_list() == ["C", "C", "O"]
    assert raw[0].node_columns["n_hydrogens"].to_list() == [3.0, 2.0, 1.0]
    assert raw[2].node_columns["charge"].to_list() == [0.0, 1.0]
    assert set(raw[1].edge_columns["bond"].to_list()) == {"aromatic"}


@pytest.mark.parametrize(
    "column",
    [
        Series(SMILES, "smiles"),
        np.array(SMILES),
        np.array(SMILES, dtype=object),
        pa.array(SMILES),
        pa.chunked_array([SMILES[:1], SMILES[1:]]),
        pa.array(SMILES).dictionary_encode(),
        iter(f" {text} " for text in SMILES),
    ],
    ids=["series", "strings", "objects", "arrow", "chunks", "dictionary", "iterator"],
)
def test_columns_of_smiles(column):
    assert as_graphs(column) == as_graphs(SMILES)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_columns_of_real_frames(package):
    frames = pytest.importorskip(package, reason=f"{package} is not installed")
    frame = frames.DataFrame({"id": [1, 2, 3], "Structure": SMILES})
    assert as_graphs(frame["Structure"]) == as_graphs(SMILES)
    with pytest.raises(InvalidGraphError, match=r"Pass the column: frame\['Structure'\]\.$"):
        as_graphs(frame)
    with pytest.raises(InvalidGraphError, match="Graph 1 is missing: row 1 holds"):
        as_graphs(frames.Series(["C", None]))


def test_molecules():
    molecules = [chem.MolFromSmiles(text) for text in SMILES]
    assert as_graphs(molecules) == as_graphs(SMILES)
    assert as_graphs(molecules[0]) == as_graphs(SMILES[:1])
    assert as_graphs(Series(molecules)) == as_graphs(SMILES)


def test_molecules_are_brought_to_the_form_of_files_and_left_alone():
    benzene = chem.AddHs(chem.MolFromSmiles("c1ccccc1"))
    chem.Kekulize(benzene, clearAromaticFlags=True)
    before = chem.MolToSmiles(benzene)
    unchecked = chem.MolFromSmiles("CCO", sanitize=False)
    assert as_graphs([unchecked, benzene]) == as_graphs(SMILES[:2])
    assert chem.MolToSmiles(benzene) == before


def test_names_of_molecules_are_kept_if_all_have_one():
    molecules = [chem.MolFromSmiles(text) for text in ("CCO", "C")]
    molecules[0].SetProp("_Name", "ethanol")
    assert as_graphs(molecules).names is None
    molecules[1].SetProp("_Name", "methane ")
    assert as_graphs(molecules).names == ("ethanol", "methane")


def test_an_invalid_molecule(capfd):
    molecules = [chem.MolFromSmiles("C"), chem.MolFromSmiles("CC(C)(C)(C)C", sanitize=False)]
    with pytest.raises(InvalidGraphError, match=r"^Graph 1 is not a valid molecule \(Explicit valence for"):
        as_graphs(molecules)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("C1CC", r"( \(unclosed ring\))?"),
        ("letters.gxl", r"( \(syntax error\))?"),
        ("CC(C)(C)(C)C", r" \(Explicit valence for atom # 1 C, 5, is greater than permitted\)"),
        (" ", r" \(it is empty\)"),
    ],
)
def test_an_invalid_smiles(bad, reason, capfd):
    bad_text = bad.strip().replace("(", r"\(").replace(")", r"\)")
    with pytest.raises(
        InvalidGraphError, match=f"^Graph 2: '{bad_text}' is not a valid SMILES{reason}\\. Fix"
    ):
        as_graphs(["C", "CC", bad])
    assert capfd.readouterr().err == ""


def test_a_molecule_without_coordinates_leaves_nothing_behind():
    columns = MoleculeColumns(coordinates=True)
    with pytest.raises(InvalidGraphError, match="the molecule has no coordinates"):
        columns.add(chem.MolFromSmiles("C"))
    assert len(columns) == 0
    assert dict(columns.graphs().node_columns)["symbol"].to_list() == []


def test_without_rdkit(monkeypatch):
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    with pytest.raises(MissingDependencyError, match=r"needs the package 'rdkit'.*graphquant\[chem\]"):
        as_graphs(["CCO"])


NOT_A_COLUMN = "An object of type {} is a table, not a column of graphs. Its columns: {}."

TABLES = {
    "a frame": (
        lambda: as_graphs(Frame(id=[1, 2], Canonical_SMILES=["?", None], mol=["CCO", "C"], name=["a", "b"])),
        NOT_A_COLUMN.format("tests.Frame", "'id', 'Canonical_SMILES', 'mol', 'name'"),
        "Pass the column: frame['Canonical_SMILES'] or frame['mol'].",
    ),
    "a frame of molecules": (
        lambda: as_graphs(Frame(m=[chem.MolFromSmiles("C")])),
        NOT_A_COLUMN.format("tests.Frame", "'m'"),
        "Pass the column: frame['m'].",
    ),
}


@pytest.mark.parametrize(("make", "message", "hint"), TABLES.values(), ids=TABLES.keys())
def test_a_table_is_not_a_column(make, message, hint):
    check(make, message, hint)
