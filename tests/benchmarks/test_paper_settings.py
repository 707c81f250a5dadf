"""The search for the paper's settings, on runs that are made up."""

import math
from pathlib import Path

import pytest

from benchmarks import paper_settings
from benchmarks.paper_settings import (
    NotRunError,
    Runs,
    Setting,
    Tried,
    best_of,
    judge,
    misfit,
    replay,
    search,
)
from benchmarks.paper_settings_page import page, verdict
from graphquant.experiments import CODES, SETTINGS, Options, table2
from graphquant.experiments._encodings import Weights
from tests.experiments.conftest import fake_runs, options  # noqa: F401 - fixtures

PUBLISHED = Path(__file__).resolve().parents[2] / "docs" / "results" / "settings.csv"


@pytest.fixture
def made_up(monkeypatch):
    """Errors of grec are right where angles have weight 0.3 and edges 0.5; returns the settings that ran."""
    done = []
    printed = {k: sum(errors) / 2 for k, errors in paper_settings.printed_errors("grec").items()}

    def learn(dataset, graphs, setting, k, seed):
        done.append((setting, k))
        weights = setting.weights
        wrong = abs(weights.angle - 0.3) + abs(weights.edge - 0.5) + (not weights.center)
        return 2.0 * printed[k] * math.exp(wrong), 1.0

    monkeypatch.setattr(paper_settings, "learn", learn)
    monkeypatch.setattr(paper_settings, "paper_graphs", lambda *arguments: (None, None))
    return done


def test_the_search_finds_the_setting_with_the_printed_errors(tmp_path, made_up):
    tried = list(search(Runs(tmp_path / "runs.csv", "nowhere"), "grec"))
    best = best_of(tried)
    assert (best.setting.weights.angle, best.setting.weights.edge) == (0.3, 0.5)
    assert best.setting.weights.center
    assert best.measure == "(1/2) sum d^2"
    settings = [one.setting for one in tried]
    assert len(set(settings)) == len(settings)
    assert len(made_up) == 3 * len(settings)


def test_runs_are_not_repeated(tmp_path, made_up):
    path = tmp_path / "runs.csv"
    first = list(search(Runs(path, "nowhere"), "grec"))
    n_runs = len(made_up)
    again = list(search(Runs(path, "nowhere"), "grec"))
    assert len(made_up) == n_runs == len(Runs(path))
    assert [one.setting for one in again] == [one.setting for one in first]
    assert [one.misfit for one in again] == pytest.approx([one.misfit for one in first], abs=1e-4)


def test_a_search_that_was_interrupted_is_told_from_one_that_ended(tmp_path, made_up):
    path = tmp_path / "runs.csv"
    whole = list(search(Runs(path, "nowhere"), "grec"))
    assert replay(Runs(path), "grec")[1]
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    tried, ended = replay(Runs(path), "grec")
    assert not ended
    assert len(tried) == len(whole) - 1
    with pytest.raises(NotRunError):
        judge(Runs(path), "fingerprint", Setting(Weights()))


def test_the_misfit_by_hand():
    printed = {2: [10.0, 20.0], 6: [5.0, 5.0]}
    assert misfit({2: 20.0, 6: 5.0}, printed) == pytest.approx(math.log(2.0) / 4)
    assert misfit({2: 10.0, 6: 2.5}, printed) == pytest.approx((math.log(2.0) * 3) / 4)


def test_the_meaning_of_the_error_is_chosen(tmp_path, monkeypatch):
    """Sums of distances as printed on molecules; squares are far off."""
    monkeypatch.setattr(paper_settings, "paper_graphs", lambda *arguments: (None, None))
    sums = {2: 62.0, 6: 55.2, 10: 52.7}
    monkeypatch.setattr(paper_settings, "learn", lambda dataset, graphs, setting, k, seed: (7.0, sums[k]))
    found = judge(Runs(tmp_path / "runs.csv", "nowhere"), "molecules", Setting(Weights()))
    assert found.measure == "sum d"
    assert found.errors == sums


def test_the_page_says_what_is_not_explained():
    """Printed on molecules: 62.0 and 52.75 on average."""
    one = Tried(Setting(Weights()), 0.5, "sum d", {2: 60.0, 6: 40.0, 10: 20.0})
    other = Tried(Setting(Weights(edge=0.5)), 0.6, "sum d", {2: 60.0, 6: 40.0, 10: 10.0})
    text = verdict({"molecules": [one, other]})
    assert text.startswith("Errors within 10 % on average: none.\n\nNot explained: molecules.")
    assert "From k = 2 to k = 10 the printed errors fall by a factor of 1, those of the setting found" in text
    assert "by 3, and by at most 6 in all 2 settings" in text


def test_the_page_tells_what_was_found_and_what_speaks_against_it(tmp_path, made_up, fake_runs):  # noqa: F811
    path = tmp_path / "runs.csv"
    list(search(Runs(path, "nowhere"), "grec"))
    rows = table2.run(Options("nowhere", str(tmp_path), runs=1)).rows
    text = page(Runs(path), rows)
    assert "angles of lines in radians times 0.3" in text
    assert "Errors within 10 % on average: grec." in text
    assert "these are fits" in text
    assert "| all         | 2 of 24" in text
    assert f"All {len(Runs(path))} runs" in text
    for name in set(CODES) - {"grec"}:
        assert f"### {name}" not in text


def test_the_published_search_found_the_setting_of_the_experiments():
    runs = Runs(PUBLISHED)
    for dataset in CODES:
        found = best_of(replay(runs, dataset)[0])
        setting = SETTINGS["paper"].on(dataset)
        assert found.setting == Setting(setting.weights)
        assert found.measure == setting.error
