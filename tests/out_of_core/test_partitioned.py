"""Graphs in files: one partition is the run in memory; several depend on partitions and seed only."""

from pathlib import Path

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import EncodingError, GraphQuantWarning, InvalidParameterError
from graphquant.io import FileContent, write_file
from graphquant.io.base import raw_from_vectors
from graphquant.out_of_core import LocalExecutor, partitioned
from graphquant.out_of_core.partitioned import BOUND_BYTES

SETTINGS = {"max_cycles": 3, "init": "random", "random_state": 5}


@pytest.fixture(scope="module")
def letters() -> gq.GraphCollection:
    found = gq.datasets.make_letters(8, "med", random_state=0).graphs
    return found[np.random.default_rng(1).permutation(len(found))]


def written(graphs, path: Path, row_group_size: int = 1000) -> Path:
    write_file(FileContent(graphs), path, row_group_size=row_group_size)
    return path


@pytest.fixture
def whole(letters, tmp_path) -> Path:
    return written(letters, tmp_path / "whole.parquet")


@pytest.fixture
def parts(letters, tmp_path) -> Path:
    return written(letters, tmp_path / "parts.parquet", 25)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"algorithm": "standard"},
        {"batch_size": 7},
        {"learning_rate": "harmonic"},
        {"init": "medoids"},
        {"init": "furthest-first"},
        {"init": "k-means++"},
        {"n_init": 2},
    ],
    ids=str,
)
def test_one_partition_is_the_run_in_memory(settings, letters, whole, monkeypatch):
    # Cutting the cycle into rounds changes nothing either.
    monkeypatch.setattr(partitioned, "ROUNDS_ALONE", 3)
    expected = gq.GraphQuantizer(6, **SETTINGS | settings).fit(letters)
    found = gq.GraphQuantizer(6, **SETTINGS | settings).fit(whole)
    assert found.codebook_ == expected.codebook_
    assert found.labels_.tolist() == expected.labels_.tolist()
    assert found.distortion_ == expected.distortion_
    assert found.n_matchings_ >= 1
    assert [cycle.distortion for cycle in found.history_] == [cycle.distortion for cycle in expected.history_]


def test_graphs_with_groups(tmp_path, monkeypatch):
    monkeypatch.setattr(partitioned, "ROUNDS_ALONE", 2)
    rng = np.random.default_rng(0)
    graphs = gq.GraphCollection(
        [gq.Graph(rng.normal(size=(3, 1)), [(0, 1), (1, 2)], groups=[0, 0, 1]) for _ in range(20)]
        + [gq.Graph(rng.normal(size=(3, 1)), [(0, 1)], groups=[0, 1, 1]) for _ in range(20)]
    )
    expected = gq.GraphQuantizer(3, **SETTINGS).fit(graphs)
    assert gq.GraphQuantizer(3, **SETTINGS).fit(written(graphs, tmp_path / "x.parquet")).codebook_ == (
        expected.codebook_
    )
    several = gq.GraphQuantizer(3, **SETTINGS).fit(written(graphs, tmp_path / "y.parquet", 20))
    # The first partition has one node of class 1 at most, the second two: all have room for both.
    assert several.order_ == expected.order_ == 4


def test_several_partitions_depend_on_nothing_else(parts):
    expected = gq.GraphQuantizer(6, n_jobs=1, **SETTINGS).fit(parts)
    # Room for all bounds, if there were nothing else: most states go to side files.
    spilt = LocalExecutor(2, memory=2 * BOUND_BYTES * 120 * 6)
    for settings in ({"n_jobs": 3}, {"executor": spilt}):
        found = gq.GraphQuantizer(6, **settings, **SETTINGS).fit(parts)
        assert found.codebook_ == expected.codebook_
        assert found.history_.n_matchings == expected.history_.n_matchings
    assert gq.GraphQuantizer(6, **SETTINGS | {"random_state": 6}).fit(parts).codebook_ != expected.codebook_


def test_little_memory_has_fewer_bounds_and_changes_no_bit(parts, caplog):
    expected = gq.GraphQuantizer(6, **SETTINGS).fit(parts)
    assert not caplog.messages
    little = LocalExecutor(2, memory=2 * BOUND_BYTES * 120 * 4)
    found = gq.GraphQuantizer(6, executor=little, **SETTINGS).fit(parts)
    assert "4 bounds per graph instead of 6" in caplog.text
    assert found.codebook_ == expected.codebook_
    assert found.labels_.tolist() == expected.labels_.tolist()
    assert expected.history_.n_matchings < found.history_.n_matchings


def test_lost_states_change_no_bit(parts, monkeypatch):
    expected = gq.GraphQuantizer(6, **SETTINGS).fit(parts)
    monkeypatch.setattr("graphquant.out_of_core.executor.Store.give", lambda self, key, state: None)
    found = gq.GraphQuantizer(6, **SETTINGS).fit(parts)
    assert found.codebook_ == expected.codebook_
    assert found.labels_.tolist() == expected.labels_.tolist()


def test_many_files_are_the_partitions_of_one(letters, parts, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, start in enumerate(range(0, len(letters), 25)):
        written(letters[start : start + 25], folder / f"{number:02}.parquet")
    expected = gq.GraphQuantizer(6, **SETTINGS).fit(parts)
    assert gq.GraphQuantizer(6, **SETTINGS).fit(folder).codebook_ == expected.codebook_
    pattern = str(folder / "*.parquet")
    assert gq.GraphQuantizer(6, **SETTINGS).fit(pattern).codebook_ == expected.codebook_


@pytest.mark.parametrize("rate", ["linear", "harmonic"])
def test_distortion_is_that_of_the_run_in_memory(rate, letters, parts):
    settings = SETTINGS | {"max_cycles": 12, "init": letters[np.arange(6)], "learning_rate": rate}
    expected = gq.GraphQuantizer(6, **settings).fit(letters).distortion_
    assert gq.GraphQuantizer(6, **settings).fit(parts).distortion_ == pytest.approx(expected, rel=0.05)


def test_encoding_reads_partition_by_partition(letters, parts):
    q = gq.GraphQuantizer(6, **SETTINGS).fit(letters)
    expected = q.match(letters)
    found = q.match(parts)
    assert q.predict(parts).tolist() == expected.label.tolist()
    assert found.distance.tolist() == expected.distance.tolist()
    assert found.mapping.shape == (len(letters), 0)
    assert q.score(parts) == -expected.distortion
    assert q.transform(parts).tolist() == q.transform(letters).tolist()


def test_partial_fit_is_one_call_for_each_partition(letters, parts):
    expected = gq.GraphQuantizer(6, **SETTINGS)
    for start in range(0, len(letters), 25):
        expected.partial_fit(letters[start : start + 25])
    found = gq.GraphQuantizer(6, **SETTINGS).partial_fit(parts)
    assert found.codebook_ == expected.codebook_
    assert found.n_cycles_ == expected.n_cycles_ == 5


def test_a_resumed_run_ends_with_the_same_bits(parts, tmp_path, monkeypatch):
    expected = gq.GraphQuantizer(6, **SETTINGS).fit(parts)
    settings = SETTINGS | {"checkpoint": tmp_path / "snapshots"}
    learn_round = partitioned.Partitioned.learn

    def fail_late(self, codes, cycle, number, rng):
        if (cycle, number) == (2, 1):
            raise ConnectionError("the scheduler is gone")
        return learn_round(self, codes, cycle, number, rng)

    monkeypatch.setattr(partitioned.Partitioned, "learn", fail_late)
    with pytest.raises(ConnectionError, match="gone"):
        gq.GraphQuantizer(6, **settings).fit(parts)
    monkeypatch.setattr(partitioned.Partitioned, "learn", learn_round)
    found = gq.GraphQuantizer(6, **settings).fit(parts)
    assert found.codebook_ == expected.codebook_
    assert found.n_cycles_ == 3


def test_bad_rows_are_named_or_skipped_and_counted(letters, parts, damage_row):
    damage_row(parts, 30)
    with pytest.raises(gq.exceptions.FileFormatError, match=r"parts\.parquet: graph 30 .*not a finite"):
        gq.GraphQuantizer(6, **SETTINGS).fit(parts)
    with pytest.warns(GraphQuantWarning, match=r"1 graph was skipped \(.*parts\.parquet: graph 30 "):
        q = gq.GraphQuantizer(6, **SETTINGS).fit(gq.scan(parts, on_error="skip"))
    assert len(q.skipped_) == 1
    assert len(q.labels_) == len(letters) - 1


@pytest.fixture
def damage_row():
    def damage(path: Path, row: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        rows = table["node_attrs"].to_pylist()
        rows[row][0] = float("nan")
        column = pa.array(rows, table.schema.field("node_attrs").type)
        at = table.column_names.index("node_attrs")
        pq.write_table(table.set_column(at, "node_attrs", column), path, row_group_size=25)

    return damage


def test_raw_attributes_need_an_encoder(tmp_path):
    blobs = gq.datasets.make_graph_blobs(20, random_state=0).graphs
    raw = raw_from_vectors(blobs)
    path = written(raw, tmp_path / "raw.parquet", 8)
    with pytest.raises(EncodingError, match="named attributes"):
        gq.GraphQuantizer(2, **SETTINGS).fit(path)
    encoder = gq.preprocessing.AttributeEncoder().fit(raw)
    q = gq.GraphQuantizer(2, **SETTINGS).fit(gq.scan(path, encoder=encoder))
    assert q.encoder_ is encoder
    assert q.predict(path).tolist() == q.labels_.tolist()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"algorithm": "fast"}, "algorithm='fast' learns from graphs in memory only"),
        ({"n_codes": 500}, "n_codes=500 is larger than the 120 graphs given"),
    ],
)
def test_what_partitions_cannot_do_is_said(settings, message, parts):
    with pytest.raises(InvalidParameterError, match=message):
        gq.GraphQuantizer(**{"n_codes": 6} | SETTINGS | settings).fit(parts)


def test_an_executor_is_for_files(letters):
    with pytest.raises(InvalidParameterError, match="works on graphs in files"):
        gq.GraphQuantizer(6, executor=LocalExecutor(), **SETTINGS).fit(letters)
