import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphquant.experiments import Options, _store, reproduce, table2
from graphquant.experiments._store import Store
from tests.experiments.fakes import fake_distances, fake_record

FILES = ("table2.json", "table2.csv", "table2.md", "table2.png", "table2.svg")


def content(folder):
    """All that an experiment wrote but when and where it did."""
    page = (folder / "table2.md").read_text().splitlines()
    found = json.loads((folder / "table2.json").read_text())
    return page[:4] + page[5:], found["rows"], found["claims"], (folder / "table2.csv").read_text()


def test_resuming_gives_the_tables_of_an_unbroken_run(tmp_path, monkeypatch, fake_runs):
    whole = Options("nowhere", str(tmp_path / "whole"), runs=2, sets=("letter", "grec"))
    for result in reproduce("table2", whole):
        assert {path.name for path in result.write(whole)} == set(FILES)
    n_jobs = len(fake_runs)

    done = []

    def broken(job, data):
        if len(done) == 31:
            raise KeyboardInterrupt
        done.append(job)
        return fake_record(job)

    part = Options("nowhere", str(tmp_path / "part"), runs=2, resume=True, sets=whole.sets)
    monkeypatch.setattr(_store, "do_job", broken)
    with pytest.raises(KeyboardInterrupt):
        list(reproduce("table2", part))
    assert not (tmp_path / "part" / "table2.md").exists()

    fake_runs.clear()
    monkeypatch.setattr(_store, "do_job", lambda job, data: fake_runs.append(job) or fake_record(job))
    for result in reproduce("table2", part):
        result.write(part)
    assert len(fake_runs) == n_jobs - 31
    assert not set(done) & set(fake_runs)
    assert content(tmp_path / "part") == content(tmp_path / "whole")


def test_without_resume_all_is_run_again(options, fake_runs):
    Store(options).complete(table2.jobs(options))
    first = list(fake_runs)
    Store(options).complete(table2.jobs(options))
    assert fake_runs == first * 2


def test_runs_of_another_configuration_are_not_taken_up(tmp_path, fake_runs):
    Store(Options("nowhere", str(tmp_path), runs=1)).complete(table2.jobs(Options("x", "y", runs=1)))
    other = Options("nowhere", str(tmp_path), runs=1, seed=5, resume=True)
    assert Store(other).runs(other.job("letter", "paper", "lossless", 15)) == []


def test_runs_of_another_setting_are_not_taken_up(options, fake_runs):
    job = options.job("letter", "paper", "lossless", 15)
    Store(options).complete([job])
    path = next(Path(options.output).rglob(f"{job.name}.json"))
    path.write_text(path.read_text().replace("geometric", "harmonic"))
    assert Store(replace(options, resume=True)).runs(job) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"job": {"dataset": "letter"}}', '{"job": {"new": 1}}'])
def test_a_damaged_run_is_done_again(tmp_path, fake_runs, text):
    options = Options("nowhere", str(tmp_path), runs=1, resume=True)
    job = options.job("letter", "paper", "lossless", 15)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / f"{job.name}.json").write_text(text)
    store = Store(options)
    store.complete([job])
    assert fake_runs == [job]
    assert len(store.runs(job)) == 1


def test_more_runs_than_asked_for_are_used_and_none_makes_tables_only(tmp_path, fake_runs):
    many = Options("nowhere", str(tmp_path), runs=3)
    Store(many).complete(table2.jobs(many))
    fake_runs.clear()
    none = Options("nowhere", str(tmp_path), runs=0, resume=True)
    rows = next(reproduce("table2", none)).rows
    assert not fake_runs
    assert {row["runs"] for row in rows} == {3}


def test_distances_are_kept(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(_store, "distance_matrix", lambda *args: calls.append(args) or fake_distances(*args))
    for _ in range(2):
        store = Store(Options("nowhere", str(tmp_path), resume=True))
        for _ in range(2):
            np.testing.assert_array_equal(store.distances("letter", "own"), fake_distances("", "", "", None))
    assert len(calls) == 1
