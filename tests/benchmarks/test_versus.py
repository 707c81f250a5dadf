"""The comparison with an old commit, and that no benchmark has been left behind by the library."""

import importlib
from pathlib import Path

import pytest

import benchmarks
from benchmarks.versus import _page
from benchmarks.versus._worker import JOBS

FOLDER = Path(next(iter(benchmarks.__path__)))
BUILT_IN = {"name": "built-in 2", "data": None}


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__main__"))
def test_a_benchmark_can_be_imported(name):
    importlib.import_module(f"benchmarks.{name}")


@pytest.mark.parametrize(
    ("job", "parameters"),
    [("match", {"matcher": "auto", "n_pairs": 20}), ("fit", {"n_codes": 3, "algorithm": "standard"})],
)
def test_a_job_gives_the_same_digests_again_and_a_time(job, parameters, monkeypatch):
    monkeypatch.setattr("benchmarks.versus._worker.LEAST_SECONDS", 0.0001)
    first, again = (JOBS[job](**BUILT_IN, **parameters, warm=True) for _ in range(2))
    assert first == again
    assert JOBS[job](**BUILT_IN, **parameters, warm=False)["measured"] > 0.0


def test_the_page_says_what_is_faster_and_what_differs():
    times = {"old": 2.0, "new": 1.0, "ratio": 2.0, "median_ratio": 1.5}
    parts = {
        "matching": [
            {"title": "letter, auto", **times, "same_graphs": True, "same_digest": True},
            {"title": "grec, auto", **times | {"ratio": 8.0}, "same_graphs": True, "same_digest": False},
        ],
        "starts": [{"title": "first gq.distance", "old": 16.0, "new": 0.25}],
        "interrupts": [{"title": "a fit", "old": None, "new": 0.5}],
    }
    assert _page.summary(parts).splitlines()[2:] == [
        "| matching a pair, mean |  |  | 4.00 (2.00 to 8.00, least on letter, auto) |",
        "| first gq.distance after installation | 16 s | 0.25 s |  |",
    ]
    assert _page.table(parts["matching"]).splitlines()[2:] == [
        "| letter, auto | 2 | 1 | 2.00 | 1.50 | the same |",
        "| grec, auto | 2 | 1 | 8.00 | 1.50 | other results |",
    ]
    assert _page.table(parts["interrupts"]).splitlines()[2:] == ["| a fit | over before | 0.5 |"]


def test_the_page_begins_with_the_gain_and_ends_with_how_it_was_measured(tmp_path):
    times = {"title": "letter, auto", "old": 2.0, "new": 1.0, "ratio": 2.0, "same_digest": True}
    machine = {"processor": "P", "cores": 2, "system": "Linux-6", "python": "3.12"}
    content = {"parts": {"matching": [times]}, "machine": machine, "date": "2026-11-19T12:00"}
    page = _page.write_page(content | {"old": "abc", "new": "def", "numba": "0.1"}, tmp_path).read_text()
    gain, table, method = (
        page.index(text) for text in ("| matching a pair", "| letter, auto", "## How it was measured")
    )
    assert gain < table < method
    assert "2026-11-19, P (2 cores), Linux, Python 3.12." in page[method:]
