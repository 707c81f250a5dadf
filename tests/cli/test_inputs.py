"""DATA from stdin, from several files, from folders; options of readers; graphs that cannot be used."""

import csv
import gzip
import io
import json

import pytest
from typer.testing import CliRunner

import graphquant as gq
from graphquant.cli import _stdin, encode
from graphquant.cli.app import app
from graphquant.datasets import make_letters

TRIANGLE = '{"nodes": [{"id": 0, "s": "C"}, {"id": 1, "s": "O"}], "edges": [{"source": 0, "target": 1}]}\n'


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def piped(content, *args):
    """Run the program with bytes on stdin; it must succeed."""
    result = CliRunner().invoke(app, [str(arg) for arg in args], input=content)
    assert result.exit_code == 0, result.stderr
    return result


def molecules_of(*symbols):
    """Raw graphs of one node each."""
    column = gq.graphs.Column.from_strings(symbols)
    count = len(symbols)
    return gq.RawGraphs(range(count + 1), [0] * (count + 1), [], {"symbol": column}, {})


@pytest.fixture(scope="module")
def halves(letters, tmp_path_factory):
    """The letters in two files."""
    folder = tmp_path_factory.mktemp("halves")
    lines = letters.read_text().splitlines(keepends=True)
    (folder / "a.jsonl").write_text("".join(lines[:20]))
    (folder / "b.jsonl").write_text("".join(lines[20:]))
    return folder


class TestStdin:
    def test_json_lines(self, run, codebook, letters):
        whole = run("encode", codebook, letters).stdout
        assert piped(letters.read_bytes(), "encode", codebook, "-").stdout == whole

    def test_parquet_is_streamed(self, run, codebook, letters, tmp_path, monkeypatch):
        run("convert", letters, tmp_path / "l.parquet")
        monkeypatch.setattr(encode, "BLOCK", 7)
        found = piped((tmp_path / "l.parquet").read_bytes(), "encode", codebook, "-").stdout
        assert found == run("encode", codebook, letters).stdout

    def test_compressed(self, letters):
        assert "45" in piped(gzip.compress(letters.read_bytes()), "info", "-").stdout

    def test_everywhere(self, codebook, letters, tmp_path):
        content = letters.read_bytes()
        for args in (
            ["evaluate", codebook, "-"],
            ["report", codebook, "-", "-o", tmp_path / "r.html"],
            ["fit", "-", "-k", 2, "--cycles", 0, "-o", tmp_path / "c.parquet"],
            ["mean", "-", "--class", "A", "-o", tmp_path / "m.parquet"],
            ["convert", "-", tmp_path / "l.parquet"],
            ["distance", "--", "-:0", "-:1"],
        ):
            piped(content, *args)

    def test_errors_speak_of_stdin_and_nothing_is_left(self):
        result = CliRunner().invoke(app, ["info", "-"], input=TRIANGLE + "{broken\n")
        assert result.exit_code == 1
        assert result.stderr.startswith("error: stdin: line 2: not valid JSON")
        assert _stdin._Kept.folder is None

    def test_what_is_skipped_is_of_stdin(self):
        result = piped(TRIANGLE + "{broken\n", "info", "-", "--on-error", "skip")
        assert "  line 2: not valid JSON" in result.stderr
        assert "graphquant-" not in result.stderr + result.stdout

    @pytest.mark.parametrize(
        ("content", "message"),
        [("", "stdin: is empty"), (" \n", "stdin: is empty"), ("!!! ???\n", "stdin: the format cannot")],
    )
    def test_nothing_to_read(self, content, message):
        result = CliRunner().invoke(app, ["info", "-"], input=content)
        assert result.exit_code == 1
        assert message in result.stderr
        assert "hint: " in result.stderr

    @pytest.mark.parametrize(
        ("content", "suffix"),
        [
            (b"PAR1....", ".parquet"),
            (b"PK\x03\x04...", ".zip"),
            (b'\n {"nodes": []}', ".jsonl"),
            (b'[{"nodes": []}]', ".json"),
            (b'<?xml version="1.0"?>\n<graphml>', ".graphml"),
            (b'<?xml version="1.0"?>\n<!DOCTYPE gxl>\n<gxl>', ".gxl"),
            (b'{"graph": {"smiles": "C"}, "nodes": []}', ".jsonl"),
            (b"CCO ethanol\nC[C@H](N)C(=O)O alanine\n", ".smi"),
            (b"SMILES name\nCCO ethanol\n", ".smi"),
            (b"id,SMILES,activity\n1,CCO,2\n", ".csv"),
            (b"Smiles;name\nCCO;ethanol\n", ".csv"),
            (b"name\tsmiles\nethanol\tCCO\n", ".tsv"),
            (b"ethanol\n  RDKit\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\n", ".sdf"),
            (gzip.compress(b"CCO\n", mtime=0), ".smi.gz"),
        ],
    )
    def test_sniffing(self, content, suffix):
        assert _stdin._suffix(content, None, False) == suffix

    @pytest.mark.parametrize(
        ("content", "format", "has_columns", "suffix"),
        [
            (b"structure,n\nCCO,1\n", None, True, ".csv"),
            (b"CCO ethanol\n", "smiles", False, ".smi"),
            (b"a,smiles\n1,CCO\n", "smiles", False, ".csv"),
            (b"???", "sdf", False, ".sdf"),
        ],
    )
    def test_options_help(self, content, format, has_columns, suffix):
        assert _stdin._suffix(content, format, has_columns) == suffix


class TestSeveral:
    def test_raw_graphs_are_joined_and_encoded_together(self, run, codebook, letters, halves):
        files = halves / "a.jsonl", halves / "b.jsonl"
        assert run("encode", codebook, *files).stdout == run("encode", codebook, letters).stdout
        one, two = (
            json.loads(run("evaluate", codebook, *data, "--format", "json").stdout)
            for data in ([letters], files)
        )
        assert one == two

    def test_one_encoder_is_fitted_on_all(self, run, letters, halves, tmp_path):
        run("convert", halves / "a.jsonl", halves / "b.jsonl", tmp_path / "ab.parquet", "--encode")
        run("convert", letters, tmp_path / "whole.parquet", "--encode")
        joined, whole = gq.read(tmp_path / "ab.parquet"), gq.read(tmp_path / "whole.parquet")
        assert joined.graphs == whole.graphs
        assert joined.labels == whole.labels
        assert joined.encoder.to_json() == whole.encoder.to_json()

    def test_fit_mean_info_and_report(self, run, letters, codebook, halves, tmp_path):
        files = halves / "a.jsonl", halves / "b.jsonl"
        args = ["-k", 2, "--cycles", 1]
        run("fit", *files, *args, "-o", tmp_path / "two.parquet")
        run("fit", letters, *args, "-o", tmp_path / "one.parquet")
        assert gq.load(tmp_path / "two.parquet").codebook_ == gq.load(tmp_path / "one.parquet").codebook_
        assert json.loads(run("info", *files, "--format", "json").stdout)["graphs"] == 45
        run("mean", *files, "--class", "A", "-o", tmp_path / "m.parquet")
        run("report", codebook, *files, "-o", tmp_path / "r.html")

    def test_names_stay_and_others_are_numbers(self, run, tmp_path):
        gq.write(molecules_of("C", "O"), tmp_path / "unnamed.jsonl")
        raw = make_letters(1).raw[:2]
        named = gq.RawGraphs(
            [0, 1, 2],
            [0, 0, 0],
            [],
            {"symbol": gq.graphs.Column.from_strings(["N", "C"])},
            {},
            names=["amine", "methane"],
            directed=raw.directed,
        )
        gq.write(named, tmp_path / "named.jsonl")
        run("convert", tmp_path / "named.jsonl", tmp_path / "unnamed.jsonl", tmp_path / "all.jsonl")
        assert gq.read(tmp_path / "all.jsonl").names == ("amine", "methane", "2", "3")

    def test_vectors_of_one_encoder(self, run, letters, halves, tmp_path):
        run("convert", letters, tmp_path / "whole.parquet", "--encode")
        for name in "ab":
            source, out = halves / f"{name}.jsonl", tmp_path / f"{name}.parquet"
            run("convert", source, out, "--encoder", tmp_path / "whole.parquet")
        run("convert", tmp_path / "a.parquet", tmp_path / "b.parquet", tmp_path / "ab.parquet")
        assert gq.read(tmp_path / "ab.parquet").graphs == gq.read(tmp_path / "whole.parquet").graphs

    def test_vectors_of_two_encoders_are_refused(self, run, fail, halves, tmp_path):
        files = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
        for file in files:
            run("convert", halves / f"{file.stem}.jsonl", file, "--encode")
        message = fail(1, "info", *files)
        assert f"The vectors of {files[1]} were made by another encoder than those of {files[0]}" in message
        assert f"graphquant convert FILE OUT.parquet --encoder {files[0]}" in message

    def test_vectors_and_attributes_are_refused(self, run, fail, halves, tmp_path):
        run("convert", halves / "a.jsonl", tmp_path / "a.parquet", "--encode")
        message = fail(1, "info", tmp_path / "a.parquet", halves / "b.jsonl")
        assert "contains named attributes" in message
        assert f"b.parquet --encoder {tmp_path / 'a.parquet'}" in message

    def test_directed_and_undirected_are_refused_by_name(self, fail, halves, tmp_path):
        raw = gq.RawGraphs([0, 1], [0, 0], [], {"x": gq.graphs.Column.from_numbers([1.0])}, {}, directed=True)
        gq.write(raw, tmp_path / "d.jsonl")
        message = fail(1, "info", halves / "a.jsonl", tmp_path / "d.jsonl")
        assert f"a.jsonl are undirected, those of {tmp_path / 'd.jsonl'} directed." in message

    def test_classes_of_some_are_left_out(self, run, letters, tmp_path):
        gq.write(gq.read(letters).raw[:2], tmp_path / "unlabelled.jsonl")
        result = run("info", letters, tmp_path / "unlabelled.jsonl")
        assert f"note: classes are dropped: {tmp_path / 'unlabelled.jsonl'} has none" in result.stderr

    def test_rows_of_files_with_and_without_classes(self, run, codebook, letters, tmp_path):
        gq.write(gq.read(letters).raw[:2], tmp_path / "unlabelled.jsonl")
        rows = rows_of(run("encode", codebook, letters, tmp_path / "unlabelled.jsonl").stdout)
        assert (rows[0]["class"], rows[-1]["class"]) == ("A", "")
        run("encode", codebook, letters, tmp_path / "unlabelled.jsonl", "-o", tmp_path / "e.parquet")

    def test_what_is_skipped_is_of_a_file(self, run, codebook, letters, tmp_path):
        (tmp_path / "broken.jsonl").write_text("{broken\n" + letters.read_text())
        for args in (["info"], ["encode", codebook]):
            result = run(*args, letters, tmp_path / "broken.jsonl", "--on-error", "skip")
            assert f"  {tmp_path / 'broken.jsonl'}: line 1: not valid JSON" in result.stderr

    def test_a_cluster_takes_one(self, fail, letters, tmp_path):
        args = ["-k", 2, "--scheduler", "local", "-o", tmp_path / "c.parquet"]
        assert "A cluster works on one file" in fail(1, "fit", letters, letters, *args)


class TestFolders:
    def test_files_of_one_format_are_joined_in_order(self, run, letters, halves):
        result = run("info", halves, "--format", "json")
        assert json.loads(result.stdout)["graphs"] == 45
        assert f"{halves}: 2 files of the format jsonl, in the order of their names" in result.stderr

    def test_encode(self, run, codebook, letters, halves):
        assert run("encode", codebook, halves).stdout == run("encode", codebook, letters).stdout

    def test_several_formats_need_a_choice(self, run, fail, letters, tmp_path):
        (tmp_path / "a.jsonl").write_text(TRIANGLE)
        (tmp_path / "README").touch()
        run("convert", letters, tmp_path / "l.parquet")
        message = fail(1, "info", tmp_path)
        assert "contains files of several formats (jsonl: 1, parquet: 1)" in message
        assert "hint: Choose one with --input-format" in message
        result = run("info", tmp_path, "--input-format", "jsonl")
        assert "1 file of the format jsonl, in the order of their names; others ignored: 2" in result.stderr

    def test_a_folder_without_graphs(self, fail, tmp_path):
        (tmp_path / "README").touch()
        assert "not a format that graphquant knows" in fail(1, "info", tmp_path)


class TestReaders:
    """Options that go to the reader of a format."""

    @pytest.fixture
    def table(self, tmp_path):
        pytest.importorskip("rdkit", reason="reading molecules needs rdkit")
        path = tmp_path / "m.csv"
        path.write_text("structure,smiles,title,group\nC,CCO,ethanol,a\nN,CCN,amine,b\n")
        return path

    def test_columns(self, run, table, tmp_path):
        args = ["--smiles", "structure", "--name", "title", "--target", "group"]
        run("convert", table, tmp_path / "m.jsonl", *args)
        data = gq.read(tmp_path / "m.jsonl")
        assert data.graphs.orders.tolist() == [1, 1]
        assert (data.names, data.labels) == (("ethanol", "amine"), ("a", "b"))

    def test_hydrogens(self, run, table):
        record = json.loads(run("info", table, "--hydrogens", "--format", "json").stdout)
        assert record["max_nodes"] == 10

    def test_columns_of_stdin(self, table):
        found = piped(table.read_bytes(), "info", "-", "--smiles", "structure", "--format", "json")
        assert json.loads(found.stdout)["max_nodes"] == 1

    @pytest.mark.parametrize(
        "option", ["--smiles", "--name", "--target", "--split", "--hydrogens", "--repair"]
    )
    @pytest.mark.parametrize("command", [("info",), ("encode", "codebook")])
    def test_a_format_without_the_option(self, fail, letters, codebook, command, option):
        args = [codebook if word == "codebook" else word for word in command]
        value = [] if option in ("--hydrogens", "--repair") else ["x"]
        message = fail(1, *args, letters, option, *value)
        assert message.startswith(f"error: {letters}: the format jsonl has no {option}.\n\nhint: Omit it")


class TestEncoderOfAnotherFile:
    """graphquant convert --encoder FROM."""

    @pytest.mark.parametrize("source", ["codebook", "encoded"])
    def test_as_a_codebook_or_a_file_was(self, run, codebook, letters, halves, tmp_path, source):
        encoded = tmp_path / "from.parquet"
        run("convert", letters, encoded, "--encode")
        run(
            "convert",
            halves / "a.jsonl",
            tmp_path / "a.parquet",
            "--encoder",
            {"codebook": codebook}.get(source, encoded),
        )
        encoder = gq.load(codebook).encoder_
        found = gq.read(tmp_path / "a.parquet")
        assert found.graphs == encoder.transform(gq.read(halves / "a.jsonl").raw)
        assert found.encoder.node_channels_ == encoder.node_channels_

    def test_only_parquet_keeps_the_encoder(self, fail, codebook, letters, tmp_path):
        message = fail(1, "convert", letters, tmp_path / "l.jsonl", "--encoder", codebook)
        assert "only Parquet keeps vectors with the encoder" in message

    def test_a_file_without_an_encoder(self, fail, letters, tmp_path):
        message = fail(1, "convert", letters, tmp_path / "l.parquet", "--encoder", letters)
        assert f"{letters}: contains no encoder." in message

    def test_other_options_of_attributes(self, fail, codebook, letters, tmp_path):
        args = ["convert", letters, tmp_path / "l.parquet", "--encoder", codebook, "--node", "x"]
        assert "already determines the attributes" in fail(1, *args)

    def test_other_attributes(self, fail, codebook, tmp_path):
        message = fail(1, "convert", "blobs", tmp_path / "l.parquet", "--encoder", codebook)
        assert f"has other attributes (nodes: a0, a1; edges: a0) than {codebook}" in message


class TestUnusable:
    """Graphs that can be read but not encoded."""

    @pytest.fixture
    def trained(self, run, tmp_path):
        gq.write(molecules_of("C", "O", "N", "C"), tmp_path / "train.jsonl")
        run("fit", tmp_path / "train.jsonl", "-k", 2, "--cycles", 1, "-o", tmp_path / "c.parquet")
        return tmp_path / "c.parquet"

    def test_unknown_categories_are_skipped_and_listed(self, run, fail, trained, tmp_path):
        gq.write(molecules_of("C", "P", "O", "S"), tmp_path / "new.jsonl")
        args = ["encode", trained, tmp_path / "new.jsonl", "--unknown", "error"]
        assert "'P' is not a known category" in fail(1, *args)
        result = run(*args, "--on-error", "skip")
        assert [row["graph"] for row in rows_of(result.stdout)] == ["0", "2"]
        warning, first, second = result.stderr.splitlines()[:3]
        assert warning == "warning: graphs skipped: 2"
        assert first.startswith(
            f"  {tmp_path / 'new.jsonl'}: graph 1: node 0, attribute 'symbol': 'P' is not"
        )
        assert second.startswith(
            f"  {tmp_path / 'new.jsonl'}: graph 3: node 0, attribute 'symbol': 'S' is not"
        )

    def test_missing_values(self, run, fail, trained, tmp_path):
        gq.write(molecules_of("C", None, "O"), tmp_path / "new.jsonl")
        args = ["evaluate", trained, tmp_path / "new.jsonl", "--format", "json"]
        assert "--missing zero or --missing mean" in fail(1, *args, "--missing", "error")
        assert json.loads(run(*args, "--missing", "error", "--on-error", "skip").stdout)["graphs"] == 2
        assert json.loads(run(*args, "--missing", "mean").stdout)["graphs"] == 3

    def test_fit_skips_what_the_encoder_cannot_take(self, run, tmp_path):
        gq.write(molecules_of("C", None, "O", "N"), tmp_path / "train.jsonl", targets=list("abab"))
        args = ["-k", 2, "--cycles", 1, "--missing", "error", "--on-error", "skip"]
        result = run("fit", tmp_path / "train.jsonl", *args, "-o", tmp_path / "c.parquet", "--format", "json")
        assert json.loads(result.stdout)["graphs"] == 3
        assert "warning: graphs skipped: 1" in result.stderr
        assert gq.load(tmp_path / "c.parquet").encoder_.missing == "error"

    def test_where_all_are_unusable_it_is_an_error(self, fail, trained, tmp_path):
        gq.write(molecules_of("P", "S"), tmp_path / "new.jsonl")
        args = ["encode", trained, tmp_path / "new.jsonl", "--unknown", "error", "--on-error", "skip"]
        assert "none of the graphs can be encoded. The first: node 0, attribute 'symbol': 'P'" in fail(
            1, *args
        )

    def test_a_codebook_of_vectors_has_no_policy(self, run, fail, tmp_path):
        run("fit", "blobs", "-k", 2, "--cycles", 0, "-o", tmp_path / "v.parquet")
        message = fail(1, "encode", tmp_path / "v.parquet", "blobs", "--missing", "zero")
        assert "has no encoder, so --missing has no effect" in message
