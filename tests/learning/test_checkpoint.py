"""Checkpoints: a killed fit goes on with the same bits; what is no checkpoint of this run is refused."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import FileFormatError
from tests.learning.collections_of_graphs import collection

N_TRIALS = 20


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
def test_killed_runs_go_on_with_the_same_bits(tmp_path):
    script = Path(__file__).with_name("killed_runs.py")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), str(tmp_path), str(N_TRIALS)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    trials = [json.loads(line) for line in done.stdout.splitlines()]
    assert [trial["same"] for trial in trials] == [True] * N_TRIALS
    # Else nothing was tested: most are killed with work done and work to do.
    midway = [
        trial for trial in trials if trial["snapshots"] and 0 < trial["snapshots"][-1] < trial["cycles"]
    ]
    assert len(midway) >= N_TRIALS // 3


@pytest.fixture(scope="module")
def graphs():
    return collection("letters", 20, 0)


def fit(graphs, folder, **changes):
    settings = {"n_codes": 3, "init": "random", "random_state": 1, "max_cycles": 4} | changes
    return gq.GraphQuantizer(checkpoint=folder, **settings).fit(graphs)


def test_snapshots_take_a_small_share_of_the_time(graphs, tmp_path, monkeypatch):
    """Here none at all, after the first: the end of the run is kept whatever it takes."""
    from graphquant.learning import checkpoint

    saved, save = [], checkpoint.Checkpoint.save

    def counted(self, run, start):
        saved.append(len(run.cycles))
        save(self, run, start)

    monkeypatch.setattr(checkpoint.Checkpoint, "save", counted)
    fit(graphs, tmp_path / "short", max_cycles=6)
    assert saved == [1, 2, 3, 4, 5, 6]
    saved.clear()
    monkeypatch.setattr(checkpoint, "_FREE_SECONDS", 0.0)
    monkeypatch.setattr(checkpoint, "_SHARE", 0.0)
    fit(graphs, tmp_path / "long", max_cycles=6)
    assert saved == [1, 6]


@pytest.mark.parametrize("algorithm", ["standard", "accelerated", "lossless", "fast"])
def test_interrupted_between_cycles(algorithm, graphs, tmp_path, monkeypatch):
    from graphquant.learning.checkpoint import Checkpoint

    expected = fit(graphs, None, algorithm=algorithm)
    save = Checkpoint.save

    def save_twice(self, run, start):
        save(self, run, start)
        if len(run.cycles) == 2:
            raise OSError("the machine has gone")

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save", save_twice)
        with pytest.raises(OSError, match="the machine has gone"):
            fit(graphs, tmp_path, algorithm=algorithm)
    resumed = fit(graphs, tmp_path, algorithm=algorithm)
    assert resumed.codebook_ == expected.codebook_
    assert resumed.n_matchings_ == expected.n_matchings_
    assert resumed.n_init_matchings_ == expected.n_init_matchings_
    assert resumed.n_cycles_ == 4


def test_finished_run_is_not_run_again(graphs, tmp_path):
    first, again = fit(graphs, tmp_path), fit(graphs, tmp_path)
    assert again.codebook_ == first.codebook_
    assert [cycle.seconds for cycle in again.history_] == [cycle.seconds for cycle in first.history_]


def test_several_runs_have_a_snapshot_each(graphs, tmp_path):
    fit(graphs, tmp_path, n_init=3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run-0.npz", "run-1.npz", "run-2.npz"]


def test_threads_do_not_matter(graphs, tmp_path):
    expected = fit(graphs, tmp_path, n_jobs=1)
    assert fit(graphs, tmp_path, n_jobs=2).codebook_ == expected.codebook_


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"n_codes": 4}, "different n_codes"),
        ({"algorithm": "fast"}, "different algorithm"),
        ({"random_state": 2}, "different random_state"),
        ({"learning_rate": 0.1}, "different learning_rate"),
        ({"init": "k-means++"}, "different init"),
    ],
)
def test_other_parameters_are_refused(changes, named, graphs, tmp_path):
    fit(graphs, tmp_path)
    with pytest.raises(FileFormatError, match=f"the checkpoint of a run with a {named}"):
        fit(graphs, tmp_path, **changes)


def test_other_graphs_are_refused(graphs, tmp_path):
    fit(graphs, tmp_path)
    with pytest.raises(FileFormatError, match="a different training set"):
        fit(graphs[::-1], tmp_path)


class InOrder:
    """A matcher whose repr tells where it is in memory."""

    def match(self, x, y, order):
        return np.arange(x.order)


def test_objects_are_known_by_their_names(graphs, tmp_path):
    """In another process they are elsewhere in memory."""

    def settings():
        return {"matcher": InOrder(), "learning_rate": lambda context: 0.1}

    expected = fit(graphs, tmp_path, **settings())
    assert fit(graphs, tmp_path, **settings()).codebook_ == expected.codebook_


def test_given_start_is_part_of_the_run(graphs, tmp_path):
    fit(graphs, tmp_path, init=graphs[:3])
    fit(graphs, tmp_path, init=list(graphs[:3]))
    with pytest.raises(FileFormatError, match="different init"):
        fit(graphs, tmp_path, init=graphs[3:6])


@pytest.mark.parametrize("damage", ["cut", "text", "empty", "no header", "pickle"])
def test_damaged_files_are_refused(damage, graphs, tmp_path):
    fit(graphs, tmp_path)
    path = tmp_path / "run-0.npz"
    content = path.read_bytes()
    if damage == "no header":
        np.savez(path, lower=np.zeros(3))
    elif damage == "pickle":
        np.savez(path, header=np.array([{"format": "graphquant-checkpoint"}], dtype=object))
    else:
        path.write_bytes({"cut": content[: len(content) // 2], "text": b"a letter", "empty": b""}[damage])
    with pytest.raises(FileFormatError, match=r"run-0\.npz: not a checkpoint, or damaged"):
        fit(graphs, tmp_path)


def test_array_of_another_shape_is_refused(graphs, tmp_path):
    fit(graphs, tmp_path)
    path = tmp_path / "run-0.npz"
    with np.load(path) as file:
        arrays = dict(file)
    for changed in ({"lower": np.zeros((2, 2))}, {"wins": np.ones(1, dtype=int)}, {"lower": None}):
        kept = {name: value for name, value in (arrays | changed).items() if value is not None}
        np.savez(path, **kept)
        with pytest.raises(FileFormatError, match=r"run-0\.npz: not a checkpoint, or damaged"):
            fit(graphs, tmp_path)


def test_newer_version_is_refused(graphs, tmp_path):
    fit(graphs, tmp_path)
    path = tmp_path / "run-0.npz"
    with np.load(path) as file:
        arrays = dict(file)
    header = json.loads(str(arrays["header"])) | {"version": 99}
    np.savez(path, **arrays | {"header": np.array(json.dumps(header))})
    with pytest.raises(FileFormatError, match="a checkpoint of version 99"):
        fit(graphs, tmp_path)


def test_folder_that_cannot_be_made(graphs, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(FileFormatError, match=r"checkpoint=.* cannot be created .* Name a writable folder"):
        fit(graphs, tmp_path / "file" / "folder")


def test_a_folder_in_use_is_refused(graphs, tmp_path):
    """Another fit would overwrite the snapshots of the first."""
    seen = []

    def rate(context):
        if not seen:
            with pytest.raises(FileFormatError, match=r"checkpoint=.* is in use by another fit"):
                fit(graphs, tmp_path)
            seen.append(context)
        return 0.1

    fit(graphs, tmp_path, learning_rate=rate)
    assert seen
    fit(graphs, tmp_path / "another")
    fit(graphs, tmp_path / "another")


def test_a_snapshot_is_small(tmp_path):
    """Code graphs use few of the positions that one large graph makes room for."""
    chain = gq.Graph(np.ones(120), [(i, i + 1) for i in range(119)])
    small = [gq.Graph([1.0 + i, 2.0, 3.0], [(0, 1), (1, 2)]) for i in range(40)]
    fit([*small, chain], tmp_path, n_codes=4)
    assert (tmp_path / "run-0.npz").stat().st_size < 300_000
