import pytest

from graphquant.experiments import Options, _store
from tests.experiments.fakes import fake_distances, fake_record


@pytest.fixture
def fake_runs(monkeypatch):
    """Replace learning by records that are at hand; returns the list of jobs that were done."""
    done = []

    def do_job(job, data):
        done.append(job)
        return fake_record(job)

    monkeypatch.setattr(_store, "do_job", do_job)
    monkeypatch.setattr(_store, "distance_matrix", fake_distances)
    return done


@pytest.fixture
def options(tmp_path):
    return Options(data="nowhere", output=str(tmp_path), runs=2)
