"""Edit distances in blocks: interrupted and continued, in threads and on a cluster, the same table."""

import threading
import time
from contextlib import contextmanager

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest

import graphquant as gq
from graphquant._core.calls import StopFlag, Stopped
from graphquant.edit import edit_matcher
from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.io._checksums import KEY
from graphquant.learning.folder_lock import locked
from graphquant.out_of_core import LocalExecutor, pairs
from graphquant.preprocessing import EditCosts
from tests.reference.edits import random_graph


@pytest.fixture
def job(monkeypatch):
    monkeypatch.setattr(pairs, "TILE", 4)
    rng = np.random.default_rng(0)
    graphs = [random_graph(rng, int(rng.integers(1, 5))) for _ in range(11)]
    vectors = EditCosts().fit_transform(graphs)
    return pairs.PairJob(vectors, vectors.schema.encoder, edit_matcher("auto", 100, None))


def read(path):
    return pq.read_table(path).to_pydict()


def expected(job):
    squared = gq.pairwise_distances(job.X, matcher="exact") ** 2
    i, j = np.triu_indices(len(job.X), k=1)
    return {(a, b): round(float(squared[a, b])) for a, b in zip(i.tolist(), j.tolist(), strict=True)}


def test_tiles_hold_each_pair_once(job, tmp_path):
    blocks = pairs.tiles(11)
    assert len(blocks) == 6
    for workers in (1, 3):
        path = tmp_path / f"{workers}.parquet"
        written = pairs.write_distances(job, blocks, path, LocalExecutor(workers), workers)
        found = read(path)
        assert dict(
            zip(zip(found["i"], found["j"], strict=True), found["distance"], strict=True)
        ) == expected(job)
        assert written == pairs.Written(55, 55, 55)


class Elsewhere:
    """An executor without a disk in common, whose scheduler is lost after some rounds."""

    def __init__(self, rounds):
        self.rounds, self.inner = rounds, LocalExecutor()

    def map(self, *args, **kwargs):
        self.rounds -= 1
        if self.rounds < 0:
            raise KeyboardInterrupt
        return self.inner.map(*args, **kwargs)


@contextmanager
def interrupted_after(n_blocks, monkeypatch):
    """Let Ctrl-C come in the midst of work on this machine."""
    whole = pairs.distances_of

    def distances_of(block, *args):
        if block.number >= n_blocks:
            raise KeyboardInterrupt
        return whole(block, *args)

    with monkeypatch.context() as context:
        context.setattr(pairs, "distances_of", distances_of)
        with pytest.raises(KeyboardInterrupt):
            yield


@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_an_interrupted_run_goes_on(job, tmp_path, monkeypatch, where):
    monkeypatch.setattr(pairs, "_BLOCKS_PER_ROUND", 1)
    path, blocks = tmp_path / "d.parquet", pairs.tiles(11)
    if where == "here":
        with interrupted_after(2, monkeypatch):
            pairs.write_distances(job, blocks, path, LocalExecutor(), 1)
    else:
        with pytest.raises(KeyboardInterrupt):
            pairs.write_distances(job, blocks, path, Elsewhere(2), 1)
    assert not path.exists()
    assert len(list((tmp_path / "d.parquet.parts").glob("*.parquet"))) == 2
    told = []
    executor = LocalExecutor(2) if where == "here" else Elsewhere(4)
    pairs.write_distances(job, blocks, path, executor, 1, on_done=told.append)
    assert told[0] > 0
    assert sum(told) == 55
    pairs.write_distances(job, blocks, tmp_path / "whole.parquet", LocalExecutor(), 1)
    assert read(path) == read(tmp_path / "whole.parquet")


def test_parts_of_another_run_are_refused(job, tmp_path, monkeypatch):
    path = tmp_path / "d.parquet"
    with interrupted_after(1, monkeypatch):
        pairs.write_distances(job, pairs.tiles(11), path, LocalExecutor(), 1)
    other = pairs.PairJob(job.X, job.costs, job.matcher, 3.0)
    with pytest.raises(FileFormatError, match="holds parts of another run"):
        pairs.write_distances(other, pairs.tiles(11), path, LocalExecutor(), 1)


@pytest.fixture
def begun(job, tmp_path, monkeypatch):
    """A run that stopped after three of its blocks: its file, and the folder of the parts."""
    path = tmp_path / "d.parquet"
    with interrupted_after(3, monkeypatch):
        pairs.write_distances(job, pairs.tiles(11), path, LocalExecutor(), 1)
    return path, tmp_path / "d.parquet.parts"


def damaged(part, how):
    content = part.read_bytes()
    flipped = content[:50] + bytes([content[50] ^ 16]) + content[51:]
    part.write_bytes({"cut": content[:200], "empty": b"", "flipped": flipped}[how])


@pytest.mark.parametrize("how", ["cut", "empty", "flipped"])
def test_damaged_parts_are_computed_again(how, begun, job, tmp_path, caplog):
    path, parts = begun
    damaged(sorted(parts.glob("*.parquet"))[1], how)
    pairs.write_distances(job, pairs.tiles(11), path, LocalExecutor(), 1)
    assert "The distances of block 1 of pairs are computed again" in caplog.text
    pairs.write_distances(job, pairs.tiles(11), tmp_path / "whole.parquet", LocalExecutor(), 1)
    assert read(path) == read(tmp_path / "whole.parquet")


def test_parts_and_the_whole_have_checksums(begun, job):
    path, parts = begun
    files = sorted(parts.glob("*.parquet"))
    assert len(files) == 3
    assert all(KEY in pq.read_metadata(file).metadata for file in files)
    pairs.write_distances(job, pairs.tiles(11), path, LocalExecutor(), 1)
    assert KEY in pq.read_metadata(path).metadata


@pytest.mark.parametrize("note", [b"", b"[1]", b'{"identity": 3}', b"{" * 10_000, b"\xff"])
def test_a_damaged_note_is_refused(note, begun, job):
    path, parts = begun
    (parts / "run.json").write_bytes(note)
    with pytest.raises(FileFormatError, match="holds parts of another run"):
        pairs.write_distances(job, pairs.tiles(11), path, LocalExecutor(), 1)


def test_a_folder_of_others_is_left_alone(job, tmp_path):
    parts = tmp_path / "d.parquet.parts"
    parts.mkdir()
    (parts / "thesis.txt").write_text("mine")
    with pytest.raises(FileFormatError, match="is not empty, and holds no parts of a run"):
        pairs.write_distances(job, pairs.tiles(11), tmp_path / "d.parquet", LocalExecutor(), 1)
    assert (parts / "thesis.txt").read_text() == "mine"


def test_files_of_others_stay_among_the_parts(begun, job):
    path, parts = begun
    (parts / "thesis.txt").write_text("mine")
    pairs.write_distances(job, pairs.tiles(11), path, LocalExecutor(), 1)
    assert [file.name for file in parts.iterdir()] == ["thesis.txt"]


def test_a_run_that_is_on_its_way_is_left_alone(begun, job):
    path, parts = begun
    with locked(parts), pytest.raises(FileFormatError, match="is in use by another run"):
        pairs.write_distances(job, pairs.tiles(11), path, LocalExecutor(), 1)


@pytest.mark.parametrize("threshold", [np.nan, -1.0, "3"])
def test_thresholds_are_distances(threshold, job):
    with pytest.raises(InvalidParameterError, match="is not a distance"):
        pairs.PairJob(job.X, job.costs, job.matcher, threshold)


def test_an_infinite_threshold_is_none(job, tmp_path):
    limited = pairs.PairJob(job.X, job.costs, job.matcher, np.inf)
    pairs.write_distances(limited, pairs.tiles(11), tmp_path / "a.parquet", LocalExecutor(), 1)
    pairs.write_distances(job, pairs.tiles(11), tmp_path / "b.parquet", LocalExecutor(), 1)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_ctrl_c_ends_a_block_that_takes_long(tmp_path):
    """A block of pairs that nobody solves: a thread that was told to stop has ended soon after."""
    graphs = [nx.random_regular_graph(4, 40, seed=seed) for seed in range(4)]
    vectors = EditCosts().fit_transform(graphs)
    job = pairs.PairJob(vectors, vectors.schema.encoder, edit_matcher("auto", None, None))
    stop, failed = StopFlag(), []

    def work():
        try:
            pairs.distances_of(pairs.tiles(4)[0], job, stop)
        except Stopped as err:
            failed.append(err)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.2)
    stop.set()
    thread.join(20)
    assert len(failed) == 1


def test_many_graphs_have_larger_tiles(job):
    """So that there are never millions of files."""
    assert len(pairs.tiles(20 * pairs._MOST_IN_A_ROW)) < pairs._MOST_IN_A_ROW**2


@pytest.mark.dask
def test_on_a_cluster(job, tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = gq.out_of_core.DaskExecutor(client)
        pairs.write_distances(job, pairs.tiles(11), tmp_path / "dask.parquet", executor, 2)
    pairs.write_distances(job, pairs.tiles(11), tmp_path / "here.parquet", LocalExecutor(), 1)
    assert read(tmp_path / "dask.parquet") == read(tmp_path / "here.parquet")
