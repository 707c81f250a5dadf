"""graphquant mean, report and convert: commands that write files."""

import json

import pytest

import graphquant as gq

# Channels of two numbers on the curve.
_XY = tuple(f"{wave} {axis}" for axis in "xy" for wave in ("cos", "sin", "cos2", "sin2"))


class TestMean:
    def test_of_a_class(self, run, letters, tmp_path):
        path = tmp_path / "mean.parquet"
        record = json.loads(run("mean", letters, "--class", "A", "--format", "json", "-o", path).stdout)
        data = gq.read(path)
        assert (record["graphs"], record["nodes"]) == (3, data.graphs[0].order)
        assert data.names == ("mean",)
        assert data.encoder.node_channels_ == _XY
        members = gq.read(letters).raw[[i for i, label in enumerate(gq.read(letters).labels) if label == "A"]]
        expected = gq.mean(gq.preprocessing.AttributeEncoder().fit_transform(members), random_state=0)
        assert record["variance"] == expected.variance
        assert data.graphs[0] == expected.graph

    def test_gxl(self, run, letters, tmp_path):
        result = run("mean", letters, "--class", "E", "-o", tmp_path / "mean.gxl")
        assert f"wrote {tmp_path / 'mean.gxl'}" in result.stderr
        assert len(gq.read(tmp_path / "mean.gxl")) == 1

    def test_a_class_that_is_not_there(self, fail, letters, tmp_path):
        message = fail(1, "mean", letters, "--class", "B", "-o", tmp_path / "m.gxl")
        assert message.startswith(f"error: {letters}: has no class 'B'.\n\nhint: Classes: A, E, F, ")

    def test_an_unwritable_file_is_found_first(self, fail, tmp_path, monkeypatch):
        monkeypatch.setattr("graphquant.cli._data.load_data", lambda *args: pytest.fail("work began"))
        assert "cannot be written" in fail(1, "mean", "letters", "-o", tmp_path / "none" / "m.gxl")


class TestReport:
    def test_page(self, run, codebook, letters, tmp_path):
        path = tmp_path / "r.html"
        result = run("report", codebook, letters, "-o", path, "--title", "My <letters>")
        assert result.stderr == f"wrote {path}; open it in a browser\n"
        page = path.read_text(encoding="utf-8")
        assert page.startswith("<!doctype html>")
        assert "<title>My &lt;letters&gt;</title>" in page

    def test_default_name(self, run, codebook, letters, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        run("report", codebook, letters, "-q")
        assert (tmp_path / "report.html").exists()

    def test_an_unwritable_file_is_found_first(self, fail, codebook, tmp_path, monkeypatch):
        monkeypatch.setattr("graphquant.cli._data.load_data", lambda *args: pytest.fail("work began"))
        message = fail(1, "report", codebook, "letters", "-o", tmp_path / "none" / "r.html")
        assert message.startswith(f"error: {tmp_path / 'none' / 'r.html'}: cannot be written")


class TestConvert:
    @pytest.mark.parametrize("name", ["l.parquet", "l.jsonl.gz", "l.graphml"])
    def test_names_and_classes_are_kept(self, run, letters, tmp_path, name):
        result = run("convert", letters, tmp_path / name)
        assert result.stderr == f"wrote {tmp_path / name} (45 graphs)\n"
        before, after = gq.read(letters), gq.read(tmp_path / name)
        assert after.labels == before.labels
        assert after.graphs == before.graphs
        assert list(after.raw.node_columns) == ["x", "y"]

    def test_a_zip_needs_a_format(self, run, fail, letters, tmp_path):
        message = fail(1, "convert", letters, tmp_path / "l.zip")
        assert "l.zip: its name does not say which format" in message
        assert "--output-format gxl or tu" in message
        run("convert", letters, tmp_path / "l.zip", "--output-format", "tu")
        assert len(gq.read(tmp_path / "l.zip")) == 45

    def test_vectors_keep_their_encoder(self, run, letters, tmp_path):
        run("convert", letters, tmp_path / "v.parquet", "--node", "x", "--unit-norm")
        run("convert", tmp_path / "v.parquet", tmp_path / "w.parquet")
        text = run("info", tmp_path / "w.parquet").stdout
        assert "each graph scaled to norm 1" in text
        assert gq.read(tmp_path / "w.parquet").raw is None

    def test_what_is_skipped_is_counted_and_listed(self, run, fail, letters, tmp_path):
        broken = tmp_path / "broken.jsonl"
        broken.write_text(letters.read_text() + "{broken\n")
        assert "broken.jsonl: line 46: not valid JSON" in fail(1, "convert", broken, tmp_path / "l.parquet")
        assert list(tmp_path.iterdir()) == [broken]
        result = run("convert", broken, tmp_path / "l.parquet", "--on-error", "skip")
        assert result.stderr.startswith("warning: graphs skipped: 1\n")
        assert len(gq.read(tmp_path / "l.parquet")) == 45

    def test_missing_values(self, run, fail, tmp_path):
        raw = gq.RawGraphs([0, 2], [0, 0], [], {"x": gq.graphs.Column.from_numbers([1.0, None])}, {})
        gq.write(raw, tmp_path / "m.jsonl")
        args = ["convert", tmp_path / "m.jsonl", tmp_path / "m.parquet", "--encode"]
        assert "hint: Set --missing zero or --missing mean" in fail(1, *args, "--missing", "error")
        run(*args, "--missing", "zero")
