"""Files are what their suffix says, and what cannot be written is refused before the work begins."""

import csv
import io
import json

import pyarrow.parquet as pq
import pytest

import graphquant as gq
from graphquant.cli import _formats, encode


@pytest.fixture
def no_work(monkeypatch):
    """Let it be a failure if anything is read."""

    def read(*args, **kwargs):
        pytest.fail("work began")

    monkeypatch.setattr("graphquant.cli._data.load_data", read)
    monkeypatch.setattr("graphquant.cli._data.load_blocks", read)
    monkeypatch.setattr("graphquant.learning.load", read)


@pytest.fixture(scope="module")
def rows(codebook, letters):
    """All rows, as the library finds them."""
    q = gq.load(codebook)
    found = q.match(gq.read(letters, encoder=q.encoder_).graphs)
    columns = found.label.tolist(), found.distance.tolist()
    return [{"code": code, "distance": d} for code, d in zip(*columns, strict=True)]


def same(found, rows):
    kept = [{"code": int(row["code"]), "distance": float(row["distance"])} for row in found]
    return kept == rows


class TestRows:
    """graphquant encode -o."""

    @pytest.fixture
    def written(self, run, codebook, letters, tmp_path, monkeypatch):
        monkeypatch.setattr(encode, "BLOCK", 20)

        def write(name, *options):
            run("encode", codebook, letters, "-o", tmp_path / name, *options)
            assert [path.name for path in tmp_path.iterdir()] == [name], "nothing else is left"
            return tmp_path / name

        return write

    @pytest.mark.parametrize("name", ["e.parquet", "e.pq", "E.PARQUET"])
    def test_parquet(self, written, rows, name):
        table = pq.read_table(written(name))
        assert table.column_names == [
            "graph",
            "class",
            "code",
            "distance",
            "lower_bound",
            "proven",
            "medoid",
            "quantile",
        ]
        assert [str(table.schema.field(n).type) for n in ("class", "code", "distance", "proven")] == [
            "string",
            "int64",
            "double",
            "bool",
        ]
        assert same(table.to_pylist(), rows)

    def test_json_is_one_array(self, written, rows):
        assert same(json.loads(written("e.json").read_text()), rows)

    @pytest.mark.parametrize("options", [(), ("--format", "json"), ("--format", "jsonl")])
    def test_jsonl_is_an_object_per_line(self, written, rows, options):
        assert same(map(json.loads, written("e.jsonl", *options).read_text().splitlines()), rows)

    @pytest.mark.parametrize(("name", "delimiter"), [("e.csv", ","), ("e.tsv", "\t")])
    def test_separated_values(self, written, rows, name, delimiter):
        assert same(csv.DictReader(io.StringIO(written(name).read_text()), delimiter=delimiter), rows)

    def test_a_table_for_people(self, written):
        assert len(written("e.txt").read_text().splitlines()) == 46

    def test_an_option_is_enough_for_any_other_name(self, written, rows):
        path = written("rows.out", "--format", "csv")
        assert same(csv.DictReader(io.StringIO(path.read_text())), rows)

    def test_minus_is_stdout(self, run, codebook, letters):
        result = run("encode", codebook, letters, "-o", "-")
        assert result.stdout == run("encode", codebook, letters).stdout
        assert "wrote" not in result.stderr

    @pytest.mark.parametrize(
        ("name", "options", "message"),
        [
            (
                "e.pkl",
                (),
                "e.pkl: .pkl is not the suffix of an output format.\n\nhint: Name it .csv, ",
            ),
            (
                "e.csv",
                ("--format", "jsonl"),
                "e.csv: has the suffix of csv, but --format says jsonl.\n\nhint: Omit",
            ),
            ("e.parquet", ("--format", "csv"), "has the suffix of parquet, but --format says csv."),
            ("e.csv", ("--format", "parquet"), "or name the file "),
            ("-", ("--format", "parquet"), "Parquet is not written to stdout.\n\nhint: Name a file: -o "),
            ("no/such/folder/e.parquet", (), "cannot be written"),
        ],
    )
    def test_refused_before_the_work(self, fail, codebook, tmp_path, no_work, name, options, message):
        out = name if name == "-" else tmp_path / name
        assert message in fail(1, "encode", codebook, "letters", "-o", out, *options)
        assert list(tmp_path.iterdir()) == []

    def test_parquet_is_written_whole_or_not_at_all(self, call, codebook, letters, tmp_path, monkeypatch):
        monkeypatch.setattr(encode, "BLOCK", 20)
        match, calls = gq.GraphQuantizer.match, []

        def fail_late(self, X):
            calls.append(len(X))
            if len(calls) == 2:
                raise MemoryError("too much")
            return match(self, X)

        monkeypatch.setattr(gq.GraphQuantizer, "match", fail_late)
        assert call("encode", codebook, letters, "-o", tmp_path / "e.parquet").exit_code == 1
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(("name", "empty"), [("e.json", "[]\n"), ("e.jsonl", ""), ("e.csv", "")])
    def test_no_rows(self, tmp_path, name, empty):
        from graphquant.cli._rows import rows_to

        with rows_to(tmp_path / name, _formats.row_format(tmp_path / name, None)):
            pass
        assert (tmp_path / name).read_text() == empty

    def test_no_rows_of_parquet(self, tmp_path):
        from graphquant.cli._rows import rows_to

        with rows_to(tmp_path / "e.parquet", _formats.RowFormat.PARQUET):
            pass
        assert pq.read_table(tmp_path / "e.parquet").num_rows == 0


class TestRecords:
    """info, evaluate, distance -o."""

    def test_the_suffix_decides(self, run, letters, tmp_path):
        run("info", letters, "-o", tmp_path / "i.json")
        assert json.loads((tmp_path / "i.json").read_text())["graphs"] == 45
        run("distance", f"{letters}:0", f"{letters}:1", "-o", tmp_path / "d.csv")
        assert (tmp_path / "d.csv").read_text().startswith("a,b,distance,")

    def test_minus_is_stdout(self, run, letters):
        assert run("info", letters, "-o", "-").stdout == run("info", letters).stdout

    @pytest.mark.parametrize(
        ("name", "options", "message"),
        [
            ("i.xml", (), ".xml is not the suffix"),
            ("i.json", ("--format", "csv"), "has the suffix of json, but --format says csv"),
        ],
    )
    @pytest.mark.parametrize("args", [["info", "letters"], ["evaluate", "c.parquet", "letters"]])
    def test_refused_before_the_work(self, fail, tmp_path, no_work, args, name, options, message):
        assert message in fail(1, *args, "-o", tmp_path / name, *options)


class TestPage:
    def test_stdout(self, run, codebook, letters, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        result = run("report", codebook, letters, "-o", "-")
        assert result.stdout.startswith("<!doctype html>")
        assert result.stdout.rstrip().endswith("</html>")
        assert result.stderr == ""
        assert list(tmp_path.iterdir()) == []

    def test_another_format_is_refused_before_the_work(self, fail, codebook, tmp_path, no_work):
        message = fail(1, "report", codebook, "letters", "-o", tmp_path / "r.pdf")
        assert message == (
            f"error: {tmp_path / 'r.pdf'}: the report is an HTML page.\n\n"
            f"hint: Name it {tmp_path / 'r.html'}, or give -o - for stdout.\n"
        )


class TestGraphs:
    """mean -o and convert OUT."""

    @pytest.mark.parametrize(
        "name", ["m.pdf", "m", "m.smi", "m.sdf", "m.cxl", "m.cxl.gz", "no/such/folder/m.gxl"]
    )
    @pytest.mark.parametrize("args", [["mean", "letters", "-o"], ["convert", "letters"]])
    def test_refused_before_the_work(self, fail, tmp_path, no_work, args, name):
        message = fail(1, *args, tmp_path / name)
        assert message.startswith(f"error: {tmp_path / name}: ")
        if "/" not in name:
            offered = message.split("hint: ")[1]
            assert ".gxl" in offered
            assert ".smi" not in offered
            assert ".sdf" not in offered, "what cannot be written is not offered"

    def test_a_format_that_cannot_be_written(self, fail, tmp_path, no_work):
        message = fail(1, "convert", "letters", tmp_path / "l.zip", "--output-format", "sdf")
        assert "l.zip: the format sdf can be read, not written." in message
        message = fail(1, "convert", "letters", tmp_path / "l.zip", "--output-format", "xyz")
        assert "there is no format xyz" in message

    def test_a_folder_that_is_not_empty(self, fail, tmp_path, no_work):
        (tmp_path / "tu").mkdir()
        (tmp_path / "tu" / "note").touch()
        message = fail(1, "convert", "letters", tmp_path / "tu", "--output-format", "tu")
        assert "the folder is not empty" in message

    def test_a_new_folder(self, run, letters, tmp_path):
        run("convert", letters, tmp_path / "tu", "--output-format", "tu")
        assert len(gq.read(tmp_path / "tu")) == 45

    def test_help_offers_what_can_be_written(self, run):
        words = " ".join(run("convert", "--help").stdout.split())
        assert "A file (.parquet, .jsonl, .graphml, .gxl), or a folder or zip. [required]" in words
