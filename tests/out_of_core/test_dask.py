"""Partitions on a Dask cluster: the bits of one process, whatever happens to the workers."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import FileFormatError
from graphquant.io import FileContent, write_file
from tests.out_of_core.killing import Workers, killer, started

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
pytestmark = [
    pytest.mark.dask,
    # What a cluster says about workers and connections that end is not ours.
    pytest.mark.filterwarnings("default:::distributed"),
    pytest.mark.filterwarnings("ignore:::tornado"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
]

SETTINGS = {"max_cycles": 3, "init": "random", "random_state": 5}
# How many times a worker is killed; more by make test-dask.
N_KILLS = int(os.environ.get("GRAPHQUANT_KILLS", "2"))
SCRIPT = Path(__file__).parents[1] / "learning" / "killed_runs.py"


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    letters = gq.datasets.make_letters(20, "med", random_state=0).graphs
    letters = letters[np.random.default_rng(1).permutation(len(letters))]
    path = tmp_path_factory.mktemp("dask") / "parts.parquet"
    write_file(FileContent(letters), path, row_group_size=50)
    return path


@pytest.fixture(scope="module")
def expected(parts):
    return gq.GraphQuantizer(6, **SETTINGS).fit(parts)


@pytest.fixture(scope="module")
def cluster():
    with (
        # A task may lose as many workers as the test kills: they need seconds to load, and may fall in these.
        dask.config.set({"distributed.scheduler.allowed-failures": N_KILLS}),
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as cluster,
    ):
        yield cluster


@pytest.fixture(scope="module")
def workers(cluster):
    """Two processes."""
    found = Workers(cluster.scheduler, 2)
    yield found
    found.end()


@pytest.fixture
def client(cluster, workers):
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2)
        yield client


def quantizer(client, **settings):
    return gq.GraphQuantizer(6, executor=gq.out_of_core.DaskExecutor(client), **SETTINGS | settings)


def test_two_processes_give_the_bits_of_one(client, parts, expected):
    found = quantizer(client).fit(parts)
    assert found.codebook_ == expected.codebook_
    assert found.labels_.tolist() == expected.labels_.tolist()
    assert found.history_.n_matchings == expected.history_.n_matchings
    assert found.predict(parts).tolist() == expected.labels_.tolist()
    assert found.transform(parts).tolist() == expected.transform(parts).tolist()


def test_four_processes_give_the_bits_of_one(cluster, client, parts, expected):
    others = Workers(cluster.scheduler, 2)
    try:
        client.wait_for_workers(4)
        found = quantizer(client).fit(parts)
        # With six partitions, each of them has one at least.
        assert len(client.scheduler_info(n_workers=-1)["workers"]) == 4
    finally:
        others.end()
    assert found.codebook_ == expected.codebook_


def test_threads_give_the_bits_of_processes(parts, expected):
    with (
        distributed.LocalCluster(
            n_workers=4, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert quantizer(client).fit(parts).codebook_ == expected.codebook_


def test_killed_workers_change_no_bit(workers, client, parts):
    settings = SETTINGS | {"max_cycles": 10}
    expected = gq.GraphQuantizer(6, **settings).fit(parts)
    pauses = np.random.default_rng(0).exponential(1.0, size=N_KILLS)
    with killer(workers, pauses) as killed:
        while len(killed) < N_KILLS:
            found = quantizer(client, **settings).fit(parts)
            assert found.codebook_ == expected.codebook_
            assert found.labels_.tolist() == expected.labels_.tolist()


def test_a_bad_row_is_named(client, tmp_path):
    import pyarrow.parquet as pq

    path = tmp_path / "bad.parquet"
    write_file(FileContent(gq.datasets.make_letters(2).graphs), path, row_group_size=10)
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[17]["node_attrs"] = rows[17]["node_attrs"][:-1]
    pq.write_table(table.from_pylist(rows, table.schema), path, row_group_size=10)
    with pytest.raises(FileFormatError, match=r"bad\.parquet: graph 17 .*expected 32 "):
        quantizer(client).fit(path)


@pytest.fixture
def own_scheduler(tmp_path):
    """A scheduler process that may be killed, with a worker, and the file that tells its address."""
    file = tmp_path / "scheduler.json"
    scheduler = started("dask_scheduler", "--host", "127.0.0.1", "--port", 0, "--scheduler-file", file)
    worker = started("dask_worker", "--scheduler-file", file, "--no-nanny", "--nthreads", 1)
    while not file.exists():
        time.sleep(0.05)
    yield scheduler, file
    for process in (worker, scheduler):
        process.kill()
        process.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
def test_killed_fits_go_on_with_the_same_bits(own_scheduler, tmp_path):
    """Their workers live on, with the states of fits that are gone."""
    letters = gq.datasets.make_letters(2, random_state=0).graphs
    letters = letters[np.random.default_rng(1).permutation(len(letters))]
    parts = tmp_path / "parts.parquet"
    write_file(FileContent(letters), parts, row_group_size=10)
    _, file = own_scheduler
    address = json.loads(file.read_text())["address"]
    words = (SCRIPT, tmp_path / "runs", N_KILLS, address, parts)
    command = [sys.executable, "-W", "ignore", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120 + 60 * N_KILLS, check=False)
    assert done.returncode == 0, done.stderr
    trials = [json.loads(line) for line in done.stdout.splitlines()]
    assert [trial["same"] for trial in trials] == [True] * N_KILLS, done.stderr
    # Else nothing was tested.
    assert sum(trial["kills"] for trial in trials) >= N_KILLS // 2
    midway = [t for t in trials if t["snapshots"] and 0 < t["snapshots"][-1] < t["cycles"]]
    assert len(midway) >= N_KILLS // 3


def fit_command(parts, tmp_path, *options):
    """Return the command line of a fit with a checkpoint."""
    settings = ("-k", 6, "--cycles", 30, "--init", "random", "--seed", 5)
    files = ("--checkpoint", tmp_path / "snapshots", "-o", tmp_path / "codebook.parquet")
    words = (sys.executable, "-m", "graphquant", "fit", parts, *settings, *files, *options)
    return [str(word) for word in words]


@pytest.mark.skipif("GRAPHQUANT_KILLS" not in os.environ, reason="waits for a lost process: make test-dask")
def test_a_lost_scheduler_leaves_a_checkpoint(own_scheduler, parts, tmp_path):
    scheduler, file = own_scheduler
    address = json.loads(file.read_text())["address"]
    fit = subprocess.Popen(
        fit_command(parts, tmp_path, "--scheduler", address),
        stderr=subprocess.PIPE,
        text=True,
        # How long the client tries to find its scheduler again.
        env=os.environ | {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "4s"},
    )
    while not (tmp_path / "snapshots" / "run-0.npz").exists():
        assert fit.poll() is None, fit.stderr.read()
        time.sleep(0.05)
    scheduler.kill()
    _, said = fit.communicate(timeout=180)
    assert fit.returncode == 1
    assert "The Dask scheduler was lost" in said
    assert "--resume" in said
    assert not (tmp_path / "codebook.parquet").exists()

    # Without a cluster now.
    done = subprocess.run(fit_command(parts, tmp_path, "--resume"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    unbroken = gq.GraphQuantizer(6, **SETTINGS | {"max_cycles": 30}).fit(parts)
    assert gq.load(tmp_path / "codebook.parquet").codebook_ == unbroken.codebook_
