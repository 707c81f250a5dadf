"""Names that would command a terminal or a spreadsheet: shown escaped, written so that nothing happens."""

import csv
import json
import re
import sys
import xml.etree.ElementTree as ET

import pytest

import graphquant as gq
from graphquant.cli._shown import no_formula, shown, shown_json
from tests.cli.test_terminal import on_terminal

TITLE = "\x1b]0;owned\x07"  # sets the title of a terminal
CLEAR = "\x9b2J"  # clears it, in one byte of Latin-1
TURNED = "\u202egpj.exe"  # is read backwards
NAMES = [
    f"a{TITLE}",
    f"b{CLEAR}",
    TURNED,
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "-0.5",
    "\t=1",
    "\u00a0é",
]
# What commands a terminal, apart from colours of our own.
COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\x1b(?!\\[[0-9;?]*[mKhlAJ])"
)


@pytest.fixture
def hostile(tmp_path):
    """Letters with hostile names, classes, and names of attributes."""
    lines = []
    for i, name in enumerate(NAMES):
        graph = {
            "graph": {"name": name, "target": f"={CLEAR}" if i % 2 else "@b"},
            "nodes": [{"id": 0, f"x{TITLE}": float(i), "kind": f"C{CLEAR}"}, {"id": 1, f"x{TITLE}": 0.5}],
            "edges": [{"source": 0, "target": 1}],
        }
        lines.append(json.dumps(graph))
    path = tmp_path / "hostile.jsonl"
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def its_codebook(run, hostile, tmp_path):
    run("fit", hostile, "-k", "2", "--cycles", "1", "-o", tmp_path / "c.parquet")
    return tmp_path / "c.parquet"


def cells(path, delimiter=","):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
def test_a_cell_is_no_formula(suffix, delimiter, run, hostile, its_codebook, tmp_path):
    path = tmp_path / f"e{suffix}"
    run("encode", its_codebook, hostile, "-o", path)
    rows = cells(path, delimiter)
    expected = [f"'{name}" if name in NAMES[3:7] or name == "\t=1" else name for name in NAMES]
    assert [row["graph"] for row in rows] == expected
    assert {row["class"] for row in rows} == {f"'={CLEAR}", "'@b"}
    assert all(float(row["distance"]) >= 0.0 for row in rows)
    run("encode", its_codebook, hostile, "-o", path, "--formulas")
    assert [row["graph"] for row in cells(path, delimiter)] == NAMES


def test_a_cell_of_clusters_is_no_formula(run, hostile, its_codebook, tmp_path):
    """Neither in their table nor in the files of members, unless formulas are asked for."""
    path, members = tmp_path / "clusters.csv", tmp_path / "members"
    args = ("clusters", its_codebook, hostile, "-o", path, "--members", members)
    for options, mark in (((), "'"), (("--formulas",), "")):
        run(*args, *options)
        assert {row["classes"][: len(mark) + 1] for row in cells(path)} <= {f"{mark}=", f"{mark}@"}
        rows = [row for file in members.iterdir() for row in cells(file)]
        assert {row["graph"] for row in rows} >= {f"{mark}{name}" for name in NAMES[3:7]}
        assert {row["class"] for row in rows} == {f"{mark}={CLEAR}", f"{mark}@b"}


def test_files_of_members_hold_no_formula_and_drawings_no_command(run, hostile, its_codebook, tmp_path):
    members, drawings = tmp_path / "members", tmp_path / "drawings"
    run("clusters", its_codebook, hostile, "--members", members, "--drawings", drawings)
    rows = [row for path in members.iterdir() for row in cells(path)]
    assert {row["graph"] for row in rows} >= {f"'{name}" for name in NAMES[3:7]}
    assert {row["class"] for row in rows} == {f"'={CLEAR}", "'@b"}
    assert {row["proven"] for row in rows} == {"true"}
    for path in drawings.iterdir():
        # Whatever a name is, XML.
        ET.parse(path)
        assert not COMMANDS.search(path.read_text(encoding="utf-8"))


HOSTILE_MOLECULES = {
    "a\nCC forged": "CCO",
    "$$$$\nx": "CCN",
    "> <x>": "CCC",
    TITLE: "CCCl",
    "=1": "c1ccccc1",
    "../../x": "CCBr",
}


@pytest.mark.parametrize("format", ["smiles", "sdf", "csv"])
def test_a_name_is_no_molecule(format, run, tmp_path):
    """Nor does it begin a property, a line or a record."""
    pytest.importorskip("rdkit")
    path, members = tmp_path / "m.csv", tmp_path / "members"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["smiles", "name", "a>\n\n$$$$\n<b"])
        writer.writerows([smiles, name, f"{name}\n\n$$$$"] for name, smiles in HOSTILE_MOLECULES.items())
    run("fit", path, "-k", "1", "--cycles", "1", "-o", tmp_path / "c.parquet")
    run("clusters", tmp_path / "c.parquet", path, "--members", members, "--members-format", format)
    (found,) = members.iterdir()
    if format == "csv":
        assert {row["graph"].removeprefix("'") for row in cells(found)} == HOSTILE_MOLECULES.keys()
        return
    names = {shown(name) for name in HOSTILE_MOLECULES}
    again = gq.read(found)
    assert {name.removeprefix("'") for name in again.names} == names
    assert not COMMANDS.search(found.read_text(encoding="utf-8"))


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".parquet"])
def test_other_formats_keep_names_as_they_are(suffix, run, hostile, its_codebook, tmp_path):
    path = tmp_path / f"e{suffix}"
    run("encode", its_codebook, hostile, "-o", path)
    if suffix == ".parquet":
        import pyarrow.parquet as pq

        rows = pq.read_table(path).to_pylist()
    else:
        text = path.read_text(encoding="utf-8")
        rows = json.loads(text) if suffix == ".json" else [json.loads(line) for line in text.splitlines()]
    assert [row["graph"] for row in rows] == NAMES


@pytest.mark.parametrize("format", ["table", "csv", "json"])
def test_what_people_see_is_escaped(format, call, hostile, its_codebook):
    for args in (
        ("info", hostile, "--format", format),
        ("encode", its_codebook, hostile, "--format", format),
        ("evaluate", its_codebook, hostile, "--format", format),
        ("info", its_codebook, "--format", format),
    ):
        result = call(*args)
        assert result.exit_code == 0, result.stderr
        # Without a terminal, data are data; tables and notes are for people all the same.
        assert not COMMANDS.search(result.stderr)
        assert format != "table" or not COMMANDS.search(result.stdout)


def test_errors_are_escaped(fail, tmp_path):
    path = tmp_path / f"a{TITLE}.jsonl"
    path.write_text("x")
    message = fail(1, "info", path)
    assert not COMMANDS.search(message)
    assert r"a\x1b]0;owned\x07.jsonl" in message


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize("format", ["table", "csv", "json"])
def test_a_terminal_gets_no_command(format, hostile, its_codebook):
    code, text = on_terminal(["encode", str(its_codebook), str(hostile), "--format", format])
    assert code == 0
    assert not COMMANDS.search(text.replace("\r\n", "\n"))
    assert "owned" in text


def test_escapes():
    assert shown("a b\u00a0é 字") == "a b\u00a0é 字"
    assert shown(TITLE + CLEAR + TURNED) == r"\x1b]0;owned\x07\x9b2J\u202egpj.exe"
    assert json.loads(shown_json(json.dumps(TURNED + CLEAR, ensure_ascii=False))) == TURNED + CLEAR
    assert [no_formula(cell) for cell in ("=1", "-1", "-1e5", "+x", "x=1", "", "-inf")] == [
        "'=1", "-1", "-1e5", "'+x", "x=1", "", "-inf",
    ]  # fmt: skip


def test_a_name_in_python_is_escaped_too():
    graphs = gq.GraphCollection([gq.Graph([1.0])], names=[TITLE])
    with pytest.raises(gq.exceptions.GraphQuantError) as caught:
        gq.GraphCollection([gq.Graph([float("nan")])], names=[TITLE])
    assert not COMMANDS.search(str(caught.value))
    assert not COMMANDS.search(repr(graphs))
