"""Tables of molecules as people have them: separators, headers, compression, names of columns."""

import gzip
import re
import sys

import pytest

from graphquant.exceptions import FileFormatError, InvalidParameterError, MissingDependencyError
from graphquant.io import FileContent, read_file

pytest.importorskip("rdkit.Chem", reason="the extra chem is not installed")

ROWS = [("CCO", "ethanol", "0.5"), ("c1ccccc1", "benzene", "2,1"), ("C[NH3+]", "methyl ammonium", "")]


def save(path, text, encoding="utf-8"):
    data = text.encode(encoding)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def quoted(cell, separator):
    return f'"{cell}"' if separator in cell else cell


@pytest.mark.parametrize("file", ["x.csv", "x.tsv", "x.txt", "x.smi", "x.csv.gz", "x.smiles.gz", "X.CSV"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "bar"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_any_separator_in_any_file(file, separator, end, tmp_path):
    lines = [
        separator.join(quoted(cell, separator) for cell in row) for row in [("SMILES", "Name", "p"), *ROWS]
    ]
    content = read_file(save(tmp_path / file, "\ufeff" + end.join(lines) + end * 2))
    assert content.graphs.names == ("ethanol", "benzene", "methyl ammonium")
    assert content.graphs.orders.tolist() == [3, 6, 2]
    assert dict(content.columns) == {
        "SMILES": ("CCO", "c1ccccc1", "C[NH3+]"),
        "p": ("0.5", "2,1", None),
    }


@pytest.mark.parametrize(
    ("header", "smiles"),
    [
        ("id,Smiles", "Smiles"),
        ("No,canonical_smiles", "canonical_smiles"),
        ("SMILES_kind,smiles", "smiles"),
        ("CAS,Structure", "Structure"),
        ("name,what", "what"),
        (",smiles", "smiles"),
        ("smiles,smiles", "2"),
    ],
)
def test_the_column_is_found_by_name_or_by_what_it_holds(header, smiles, tmp_path):
    rows = "\nN,CCO\nP,C1CC1\nN,c1ccccc1\n"
    if smiles == "2":
        rows = "\nCCO,\nC1CC1,\nc1ccccc1,\n"
    content = read_file(save(tmp_path / "x.csv", header + rows))
    assert content.graphs.orders.tolist() == [3, 3, 6]
    assert smiles in content.columns


@pytest.mark.parametrize(
    ("file", "text", "names", "columns"),
    [
        ("x.csv", "7,CCO\n8,C1CC1\n", None, {"1": ("7", "8"), "smiles": ("CCO", "C1CC1")}),
        ("x.csv", "CCO\nC1CC1\n", None, {"smiles": ("CCO", "C1CC1")}),
        ("x.csv", '"smiles"\n"CCO"\n"C1CC1"\n', None, {"smiles": ("CCO", "C1CC1")}),
        ("x.csv", "smiles\nCCO\nC1CC1\n", None, {"smiles": ("CCO", "C1CC1")}),
        ("x.tsv", "CCO\tyes\nC1CC1\tno\n", None, {"smiles": ("CCO", "C1CC1"), "2": ("yes", "no")}),
        (
            "x.smi",
            "CCO\tdrink\t1\nC1CC1\tgas\t2\n",
            ("drink", "gas"),
            {"smiles": ("CCO", "C1CC1"), "3": ("1", "2")},
        ),
        ("x.txt", "CCO a drink\nC1CC1\n", ("a drink", "1"), {"smiles": ("CCO", "C1CC1")}),
        ("x.smi", "OCCO 1,2-diol\nOCCCO 1,3-diol", ("1,2-diol", "1,3-diol"), {"smiles": ("OCCO", "OCCCO")}),
        ("x.smi", "7 CCO\n8 C1CC1\n", ("7", "8"), {"smiles": ("CCO", "C1CC1")}),
        ("x.smi", "CCO my smiles\nCC your smiles\n", ("my smiles", "your smiles"), {"smiles": ("CCO", "CC")}),
    ],
)
def test_without_header(file, text, names, columns, tmp_path):
    content = read_file(save(tmp_path / file, text))
    assert content.graphs.names == names
    assert dict(content.columns) == columns


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("SMILES ID", ["SMILES"]),
        ("smiles", ["smiles"]),
        ("#SMILES title", ["SMILES"]),
        ("# kind of oils\nSMILES ID", ["SMILES"]),
    ],
)
def test_headers_of_lines(header, columns, tmp_path):
    content = read_file(save(tmp_path / "x.smi", f"{header}\nCCO a1\n# note\n\nC1CC1 a2\n"))
    assert content.graphs.names == ("a1", "a2")
    assert list(content.columns) == columns


def test_a_header_of_lines_names_more_columns(tmp_path):
    path = save(tmp_path / "x.smi", "smiles id  activity\nCCO 1 yes\nCC 2 no\n")
    content = read_file(path, target="Activity")
    assert content.targets == ("yes", "no")
    assert dict(content.columns) == {"smiles": ("CCO", "CC"), "id": ("1", "2")}


def test_columns_are_named_without_regard_to_case(tmp_path):
    path = save(tmp_path / "x.csv", "Old,New,ID,Class\nC,CCO,7,yes\nC,CC,8,no\n")
    content = read_file(path, smiles="new", name="id", target="CLASS")
    assert content.graphs.orders.tolist() == [3, 2]
    assert (content.graphs.names, content.targets) == (("7", "8"), ("yes", "no"))
    assert dict(content.columns) == {"Old": ("C", "C"), "New": ("CCO", "CC")}
    with pytest.raises(
        InvalidParameterError, match=r"column of x\.csv: 'Klass'. Did you mean 'Class'\?.*'Old'"
    ):
        read_file(path, target="Klass")


def test_columns_without_header_are_named_by_number(tmp_path):
    path = save(tmp_path / "x.csv", "7,CCO,yes\n8,CC,no\n")
    content = read_file(path, name="1", target="3")
    assert (content.graphs.names, content.targets) == (("7", "8"), ("yes", "no"))


def test_what_is_skipped_leaves_columns_aligned(tmp_path):
    path = save(tmp_path / "x.csv", "smiles,target,p\nCCO,a,1\nC1CC,b,2\nCC,,3\nCO,a,4,5\nC,b\n")
    content = read_file(path, on_error="skip")
    assert content.targets == ("a", "b")
    assert dict(content.columns) == {"smiles": ("CCO", "C"), "p": ("1", None)}
    assert [(skipped.name, skipped.reason.split(" (")[0].rstrip(".")) for skipped in content.skipped] == [
        ("line 3", "'C1CC' is not a valid SMILES"),
        ("line 4", "there is no value of the target 'target'"),
        ("line 5", "there are 4 cells for 3 columns"),
    ]


def test_a_target_that_is_empty_everywhere_is_none(tmp_path):
    path = save(tmp_path / "x.csv", "smiles,target\nCCO,\nCC,\n")
    content = read_file(path)
    assert content.targets is None
    assert content.columns["target"] == (None, None)
    with pytest.raises(
        FileFormatError, match=r"line 2: there is no value of the target 'target'\. Fill it in"
    ):
        read_file(path, target="target")


def test_numbers_as_targets_stay_text(tmp_path):
    rows = "".join(f"C,{number / 7}\n" for number in range(60))
    assert len(set(read_file(save(tmp_path / "x.csv", "smiles,target\n" + rows)).targets)) == 60


def test_empty_lines_and_short_rows(tmp_path):
    content = read_file(save(tmp_path / "x.csv", "\n,,\nsmiles,a,b\n\nCCO\n,,\nCC,1,,,\n"), format="smiles")
    assert dict(content.columns) == {"smiles": ("CCO", "CC"), "a": (None, "1"), "b": (None, None)}


def test_a_bad_first_molecule_is_not_taken_for_a_header(tmp_path):
    for file in ("x.smi", "x.csv", "x.txt"):
        with pytest.raises(FileFormatError, match=f"{file}: line 1: 'C1CC' is not a valid SMILES"):
            read_file(save(tmp_path / file, "C1CC\nCCO\nCC\n"))


def test_a_file_of_lines_with_nothing_valid(tmp_path):
    with pytest.raises(FileFormatError, match=r"x\.smi: line 1: 'ethanol' is not a valid SMILES"):
        read_file(save(tmp_path / "x.smi", "ethanol drink\nwater drink\n"))


@pytest.mark.parametrize("file", ["x.csv", "x.smi", "x.csv.gz"])
def test_other_encodings(file, tmp_path):
    path = save(tmp_path / file, "smiles,name\nCCO,Glühwein\n", "latin-1")
    with pytest.raises(FileFormatError, match=re.escape(f"{file}: not a text file in UTF-8")) as caught:
        read_file(path)
    assert caught.value.hint == 'Save it as UTF-8, or name its encoding, for example encoding="latin-1".'
    assert read_file(path, encoding="latin-1").graphs.names == ("Glühwein",)
    with pytest.raises(FileFormatError, match=re.escape(f"{file}: not a text file in ascii")):
        read_file(path, encoding="ascii")
    with pytest.raises(InvalidParameterError, match="encoding='klingon' is not known"):
        read_file(path, encoding="klingon")


@pytest.mark.parametrize(
    "text", ["a,b\n1,2\n", "hello world\nthis is prose\n", "", "name,size\nC1,2\nC2,3\n", "\n\n"]
)
@pytest.mark.parametrize("file", ["x.csv", "x.tsv", "x.txt", "x.csv.gz"])
def test_tables_of_something_else(file, text, tmp_path):
    with pytest.raises(FileFormatError, match="not a format that graphquant knows"):
        read_file(save(tmp_path / file, text))


def test_a_table_without_smiles_by_format(tmp_path):
    path = save(tmp_path / "x.csv", "a;b\n1;2\n")
    with pytest.raises(FileFormatError, match=r"no column of SMILES found. Line 1 has the cells 'a', 'b'\."):
        read_file(path, format="smiles")
    with pytest.raises(InvalidParameterError, match=r"Unknown column of x\.csv: 'smi'. Known: 'a', 'b'"):
        read_file(path, format="smiles", smiles="smi")
    with pytest.raises(FileFormatError, match=r"x\.csv: is empty\."):
        read_file(save(tmp_path / "x.csv", ""), format="smiles")


def test_an_empty_file_of_lines(tmp_path):
    with pytest.raises(FileFormatError, match=r"x\.smi: contains no graphs"):
        read_file(save(tmp_path / "x.smi", "\n# nothing\n"))


def test_damaged_files(tmp_path):
    (tmp_path / "x.smi.gz").write_bytes(gzip.compress(b"CCO ethanol" * 9)[:20])
    with pytest.raises(FileFormatError, match=r"x\.smi\.gz: the compressed file is damaged or truncated"):
        read_file(tmp_path / "x.smi.gz")
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"smiles,b\n" * 9)[:20])
    with pytest.raises(FileFormatError, match=r"x\.csv\.gz: the compressed file is damaged or truncated"):
        read_file(tmp_path / "x.csv.gz")
    with pytest.raises(FileFormatError, match=r"x\.csv: not a table \(.*\)\. Check the quotes"):
        read_file(save(tmp_path / "x.csv", 'smiles,a\nCCO,"' + "x" * 200_000))


def test_a_folder_is_not_a_table(tmp_path):
    (tmp_path / "x.smi").mkdir()
    with pytest.raises(FileFormatError, match="not a format"):
        read_file(tmp_path / "x.smi")


def test_without_rdkit_only_names_tell(tmp_path, monkeypatch):
    monkeypatch.setattr("graphquant.io._molecule_tables.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    with pytest.raises(MissingDependencyError, match="needs the package 'rdkit'"):
        read_file(save(tmp_path / "x.csv", "smiles\nCCO"))
    with pytest.raises(FileFormatError, match="not a format that graphquant knows"):
        read_file(save(tmp_path / "x.csv", "structure\nCCO"))


def test_columns_are_empty_by_default():
    assert FileContent.__dataclass_fields__["columns"].default_factory() == {}
