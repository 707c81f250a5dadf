"""graphquant encode, and what all commands that use a codebook share."""

import csv
import io
import json

import numpy as np
import pytest

import graphquant as gq
from graphquant.cli import encode as command
from graphquant.cli._loaded import LoadedData


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_rows_are_what_the_library_finds(run, codebook, letters):
    q = gq.load(codebook)
    data = gq.read(letters, encoder=q.encoder_)
    found = q.match(data.graphs)
    rows = rows_of(run("encode", codebook, letters).stdout)
    assert [row["graph"] for row in rows] == list(data.names or map(str, range(45)))
    assert [row["class"] for row in rows] == list(data.labels)
    assert [int(row["code"]) for row in rows] == found.label.tolist()
    assert np.array_equal([float(row["distance"]) for row in rows], found.distance)
    assert [row["proven"] for row in rows] == [str(value).lower() for value in found.proven.tolist()]
    assert [row["medoid"] for row in rows] == [q.medoids_.names[j] for j in found.label]
    assert np.allclose([float(row["quantile"]) for row in rows], q.novelty(data.graphs).quantile)


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_blocks_give_the_same_rows(run, codebook, letters, tmp_path, monkeypatch, suffix):
    path = tmp_path / f"letters.{suffix}"
    run("convert", letters, path)
    whole = run("encode", codebook, path).stdout
    monkeypatch.setattr(command, "BLOCK", 7)
    assert run("encode", codebook, path).stdout == whole


def test_json_is_an_object_a_line(run, codebook, letters):
    rows = [
        json.loads(line) for line in run("encode", codebook, letters, "--format", "json").stdout.splitlines()
    ]
    assert len(rows) == 45
    assert set(rows[0]) == {
        "graph",
        "class",
        "code",
        "distance",
        "lower_bound",
        "proven",
        "medoid",
        "quantile",
    }


def test_columns_of_a_file_come_with_its_rows(codebook, letters):
    q = gq.load(codebook)
    dataset = gq.read(letters, encoder=q.encoder_)
    columns = {"smiles": ("CCO",) * 45, "code": ("ours stays",) * 45}
    loaded = LoadedData("letters", dataset.graphs, dataset.labels, "", columns=columns)
    row = next(command.encoding_rows(loaded, dataset, q.match(dataset.graphs), 0))
    assert list(row) == ["graph", "class", "code", "distance", "lower_bound", "proven", "smiles"]
    assert (row["smiles"], type(row["code"])) == ("CCO", int)


def test_table(run, codebook, letters, monkeypatch):
    monkeypatch.setattr(command, "BLOCK", 20)
    lines = run("encode", codebook, letters, "--format", "table").stdout.splitlines()
    assert len(lines) == 46
    assert lines[0].split() == [
        "graph",
        "class",
        "code",
        "distance",
        "lower",
        "bound",
        "proven",
        "medoid",
        "quantile",
    ]
    assert len({line.index("yes") for line in lines[1:] if "yes" in line}) == 1, "columns stay in place"


@pytest.mark.parametrize(
    ("name", "start"), [("e.csv", "graph,class,"), ("e.jsonl", '{"graph": '), ("e", "graph,")]
)
def test_files_are_written_as_they_are_named(run, codebook, letters, tmp_path, name, start):
    result = run("encode", codebook, letters, "-o", tmp_path / name)
    assert result.stdout == ""
    assert result.stderr == f"wrote {tmp_path / name} (45 graphs)\n"
    assert (tmp_path / name).read_text().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]


class TestFailures:
    """Finished rows are not lost, and no file looks finished that is not."""

    @pytest.fixture
    def failing(self, monkeypatch):
        """Let the second block fail."""

        def arrange(error):
            monkeypatch.setattr(command, "BLOCK", 20)
            match, calls = gq.GraphQuantizer.match, []

            def fail_late(self, X):
                calls.append(len(X))
                if len(calls) == 2:
                    raise error
                return match(self, X)

            monkeypatch.setattr(gq.GraphQuantizer, "match", fail_late)

        return arrange

    def test_interruption(self, call, codebook, letters, tmp_path, failing):
        failing(KeyboardInterrupt())
        result = call("encode", codebook, letters, "-o", tmp_path / "e.csv")
        assert result.exit_code == 130
        assert (
            result.stderr
            == f"error: interrupted.\n\nhint: The finished rows are in {tmp_path / 'e.csv.part'}.\n"
        )
        assert not (tmp_path / "e.csv").exists()
        assert len(rows_of((tmp_path / "e.csv.part").read_text())) == 20

    def test_interruption_of_a_pipe(self, call, codebook, letters, failing):
        failing(KeyboardInterrupt())
        result = call("encode", codebook, letters)
        assert result.exit_code == 130
        assert len(rows_of(result.stdout)) == 20

    def test_error(self, call, codebook, letters, tmp_path, failing):
        failing(MemoryError("too much"))
        result = call("encode", codebook, letters, "-o", tmp_path / "e.csv")
        assert result.exit_code == 1
        assert f"note: the finished rows are in {tmp_path / 'e.csv.part'}" in result.stderr
        assert len(rows_of((tmp_path / "e.csv.part").read_text())) == 20

    def test_nothing_is_left_of_nothing(self, call, codebook, tmp_path):
        result = call("encode", codebook, "blobs", "-o", tmp_path / "e.csv")
        assert result.exit_code == 1
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("name", "message"), [(".", "is a folder, expected a file name"), ("no/e.csv", "cannot be written")]
    )
    def test_unwritable(self, call, codebook, letters, tmp_path, name, message):
        result = call("encode", codebook, letters, "-o", tmp_path / name)
        assert result.exit_code == 1
        assert message in result.stderr


class TestCodebooks:
    """A codebook meets graphs that it was not made for."""

    @pytest.mark.parametrize("command", ["encode", "evaluate", "report"])
    def test_other_attributes_are_refused_with_both_lists(
        self, fail, codebook, command, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        message = fail(1, command, codebook, "blobs")
        assert message.startswith(
            "error: blobs: has other attributes (nodes: a0, a1; edges: a0) than the codebook "
            "(nodes: x, y; edges: presence).\n\nhint: Use graphs with the attributes of the codebook."
        )
        assert list(tmp_path.iterdir()) == []

    def test_raw_graphs_for_a_codebook_of_vectors(self, run, fail, letters, tmp_path):
        run("fit", "blobs", "-k", 2, "--cycles", 0, "-o", tmp_path / "c.parquet")
        message = fail(1, "encode", tmp_path / "c.parquet", letters)
        assert "has other attributes (nodes: x, y; edges: none) than the codebook (nodes: a0, a1" in message

    def test_a_missing_attribute(self, fail, codebook, tmp_path):
        raw = gq.datasets.make_letters(1).raw
        only_x = gq.RawGraphs(
            raw.node_offsets, raw.edge_offsets, raw.edges, {"x": raw.node_columns["x"]}, {}, names=raw.names
        )
        gq.write(only_x, tmp_path / "x.jsonl")
        message = fail(1, "encode", codebook, tmp_path / "x.jsonl")
        assert "No node of these graphs has the attribute 'y'" in message

    def test_vectors_of_another_encoder(self, run, fail, codebook, tmp_path):
        run("convert", "letters:high", tmp_path / "v.parquet", "--node", "x,y")
        message = fail(1, "encode", codebook, tmp_path / "v.parquet")
        assert "its vectors have the attributes of the codebook, but other centres or scales" in message

    def test_vectors_of_the_same_encoder(self, run, codebook, letters, tmp_path):
        run("convert", letters, tmp_path / "v.parquet", "--encode")
        assert (
            run("encode", codebook, tmp_path / "v.parquet").stdout == run("encode", codebook, letters).stdout
        )

    def test_a_codebook_that_is_not_there(self, fail, letters):
        message = fail(1, "encode", "none.parquet", letters)
        assert message == (
            "error: none.parquet: no such file.\n\n"
            "hint: Learn a codebook first: graphquant fit DATA -k 8 -o none.parquet\n"
        )

    def test_a_file_that_is_no_codebook(self, run, fail, letters, tmp_path):
        run("convert", letters, tmp_path / "l.parquet")
        message = fail(1, "encode", tmp_path / "l.parquet", letters)
        assert "a collection of graphs, but not a codebook" in message
        assert "hint: Name a file that graphquant fit wrote." in message
