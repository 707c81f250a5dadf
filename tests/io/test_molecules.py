import gzip
import re
import sys

import pytest

from graphquant.exceptions import FileFormatError, InvalidParameterError, MissingDependencyError
from graphquant.graphs import Column
from graphquant.io import FileContent, read_file, write_file

chem = pytest.importorskip("rdkit.Chem", reason="the extra chem is not installed")


def save(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_lines_of_smiles(tmp_path):
    path = save(tmp_path / "x.smi", "CCO ethanol\n\nc1ccccc1\tbenzene ring\nC[NH3+]\n")
    raw = read_file(path).graphs
    assert raw.names == ("ethanol", "benzene ring", "2")
    assert raw.orders.tolist() == [3, 6, 2]
    ethanol, benzene, ion = raw[0], raw[1], raw[2]
    assert ethanol.node_columns["symbol"] == Column.from_strings(["C", "C", "O"])
    assert ethanol.node_columns["n_hydrogens"] == Column.from_numbers([3, 2, 1])
    assert set(benzene.edge_columns["bond"].to_list()) == {"aromatic"}
    assert ion.node_columns["charge"] == Column.from_numbers([0, 1])
    assert not raw.directed


def test_bonds(tmp_path):
    raw = read_file(save(tmp_path / "x.smiles", "smiles\nC#CC=C\n")).graphs
    assert raw.names is None
    assert raw.edge_columns["bond"].to_list() == ["triple", "single", "double"]


@pytest.mark.parametrize("smiles", ["CO", "[H]CO"])
def test_hydrogens_by_choice(smiles, tmp_path):
    path = save(tmp_path / "x.smi", smiles)
    assert read_file(path).graphs.orders.tolist() == [2]
    whole = read_file(path, hydrogens=True).graphs
    assert sorted(whole.node_columns["symbol"].to_list()) == ["C", "H", "H", "H", "H", "O"]
    assert set(whole.node_columns["n_hydrogens"].to_list()) == {0.0}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("C1CC", "'C1CC' is not a valid SMILES"),
        ("ethanol", "'ethanol' is not a valid SMILES"),
        (
            "CC(C)(C)(C)C",
            "'CC(C)(C)(C)C' is not a valid SMILES (Explicit valence for atom # 1 C, 5, is greater",
        ),
        ("c1cccc1", "'c1cccc1' is not a valid SMILES (Can't kekulize"),
    ],
    ids=["ring", "word", "valence", "aromatic"],
)
def test_an_invalid_smiles_in_line_1234(bad, message, tmp_path, capfd):
    path = save(tmp_path / "x.smi", "CCO\n" * 1233 + f"{bad} bad\n" + "CC\n")
    with pytest.raises(FileFormatError, match=re.escape(f"{path}: line 1234: {message}")):
        read_file(path)
    content = read_file(path, on_error="skip")
    assert len(content.graphs) == 1234
    assert [skipped.name for skipped in content.skipped] == ["line 1234"]
    assert content.columns["smiles"] == ("CCO",) * 1233 + ("CC",)
    assert capfd.readouterr().err == ""


def test_a_table(tmp_path):
    path = save(tmp_path / "x.csv", 'smiles,id,name,target\nCCO,7,"a, b",yes\nC,8,c,no\n')
    content = read_file(path)
    assert content.graphs.names == ("a, b", "c")
    assert content.targets == ("yes", "no")
    assert read_file(path, name="id", target="name").graphs.names == ("7", "8")
    with pytest.raises(
        InvalidParameterError, match=r"Unknown column of x\.csv: 'taget'. Did you mean 'target'"
    ):
        read_file(path, target="taget")


def test_a_bad_line_of_a_table(tmp_path):
    path = save(tmp_path / "x.csv", "SMILES,y\nCCO,1\n,2\n")
    with pytest.raises(FileFormatError, match=r"x\.csv: line 3: '' is not a valid SMILES"):
        read_file(path, smiles="SMILES")
    with pytest.raises(
        InvalidParameterError, match=r"Unknown column of x\.csv: 'smile'. Did you mean 'SMILES'"
    ):
        read_file(path, smiles="smile")


@pytest.mark.parametrize(("file", "text"), [("x.smi", b"CCO \xff"), ("x.csv", b"smiles\nC\xff\n")])
def test_text_that_is_no_text(file, text, tmp_path):
    (tmp_path / file).write_bytes(text)
    with pytest.raises(FileFormatError, match=f"{file}: not a text file in UTF-8"):
        read_file(tmp_path / file)


def test_a_table_of_something_else(tmp_path):
    with pytest.raises(FileFormatError, match="not a format that graphquant knows"):
        read_file(save(tmp_path / "x.csv", "a,b\n1,2\n"))


def record(smiles, name, **fields):
    block = chem.MolToMolBlock(chem.MolFromSmiles(smiles))
    data = "".join(f"> <{key}>\n{value}\n\n" for key, value in fields.items())
    return f"{name}{block}{data}$$$$\n"


def test_sdf(tmp_path):
    text = record("CCO", "ethanol", activity="yes") + record("CO", "methanol", activity="no")
    content = read_file(save(tmp_path / "x.sdf", text), target="activity")
    assert content.graphs.names == ("ethanol", "methanol")
    assert content.targets == ("yes", "no")
    assert content.graphs.node_columns["symbol"].to_list() == ["C", "C", "O", "C", "O"]
    (tmp_path / "x.sdf.gz").write_bytes(gzip.compress(text.encode()))
    assert read_file(tmp_path / "x.sdf.gz").graphs == content.graphs


def test_data_fields(tmp_path):
    text = record("CCO", "ethanol", Activity="yes", logP="0.1") + record(
        "C", "methane", Activity="no", note=" "
    )
    path = save(tmp_path / "x.sdf", text.replace("\n", "\r\n"))
    content = read_file(path, target="activity")
    assert content.targets == ("yes", "no")
    assert dict(content.columns) == {"logP": ("0.1", None), "note": (None, None)}
    assert read_file(path).columns["Activity"] == ("yes", "no")
    with pytest.raises(FileFormatError, match="molecule 0: there is no data field 'note'"):
        read_file(path, target="note")
    save(path, record("C", "methane", note=" "))
    with pytest.raises(FileFormatError, match=r"molecule 0: the data field 'note' is empty\. Fill it in"):
        read_file(path, target="note")


def test_the_last_record_may_lack_its_mark(tmp_path):
    path = save(tmp_path / "x.sdf", (record("CCO", "a") + record("C", "b")).removesuffix("$$$$\n"))
    assert read_file(path).graphs.names == ("a", "b")


def test_skipped_records_leave_columns_aligned(tmp_path):
    text = (
        record("CCO", "a", y="1", p="x")
        + record("CC", "b", p="y")
        + "nothing\n$$$$\n"
        + record("C", "c", y="2")
    )
    content = read_file(save(tmp_path / "x.sdf", text), target="y", on_error="skip")
    assert content.graphs.names == ("a", "c")
    assert content.targets == ("1", "2")
    assert dict(content.columns) == {"p": ("x", None)}
    assert [skipped.name for skipped in content.skipped] == ["molecule 1", "molecule 2"]


def test_coordinates(tmp_path):
    molecule = chem.MolFromSmiles("CO")
    flat, solid = chem.Conformer(2), chem.Conformer(2)
    flat.Set3D(False)
    for conformer, z in ((flat, 0.0), (solid, 3.0)):
        conformer.SetAtomPosition(0, (1.0, 2.0, z))
    blocks = []
    for conformer in (flat, solid):
        molecule.RemoveAllConformers()
        molecule.AddConformer(conformer)
        blocks.append(chem.MolToMolBlock(molecule) + "$$$$\n")
    raw = read_file(save(tmp_path / "x.sdf", "".join(blocks)), coordinates=True).graphs
    assert raw.node_columns["x"].to_list() == [1.0, 0.0, 1.0, 0.0]
    assert raw.node_columns["z"].to_list() == [None, None, 3.0, 0.0]
    assert len(read_file(tmp_path / "x.sdf", coordinates=True, hydrogens=True).graphs.node_columns["x"]) == 12


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("\nnothing\n$$$$\n", {}, "molecule 1: the record is not a valid mol block"),
        (record("C", "m").replace(" C ", " Q9"), {}, "molecule 1: "),
        (
            record("C", "m"),
            {"target": "y"},
            "molecule 0: there is no data field 'y'. Fields of this molecule: 'x'",
        ),
    ],
    ids=["no mol block", "no element", "no field"],
)
def test_bad_records(text, options, message, tmp_path, capfd):
    path = save(tmp_path / "x.sdf", record("CCO", "good", x=1) + text)
    with pytest.raises(FileFormatError, match=re.escape(f"{path}: {message}")):
        read_file(path, **options)
    assert capfd.readouterr().err == ""


def test_damaged_gzip(tmp_path):
    (tmp_path / "x.sdf.gz").write_bytes(gzip.compress(record("C", "m").encode())[:30])
    with pytest.raises(FileFormatError, match=r"x\.sdf\.gz: the compressed file is damaged"):
        read_file(tmp_path / "x.sdf.gz")


@pytest.mark.parametrize("file", ["x.smi", "x.sdf"])
def test_molecules_are_not_written(file, tmp_path):
    raw = read_file(save(tmp_path / "in.smi", "CCO")).graphs
    with pytest.raises(
        FileFormatError, match=r"can be read but not written\. Formats to write: parquet, jsonl, tu"
    ):
        write_file(FileContent(raw), tmp_path / file)


def test_without_rdkit(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    with pytest.raises(MissingDependencyError, match=r"needs the package 'rdkit'.*graphquant\[chem\]"):
        read_file(save(tmp_path / "x.smi", "CCO"))
