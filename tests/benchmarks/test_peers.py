"""The comparison with other packages: its own logic, without these packages."""

import json
from dataclasses import asdict

import numpy as np
import pytest

import graphquant as gq
from benchmarks.peers import _page
from benchmarks.peers._claims import claims
from benchmarks.peers._data import BY_NAME
from benchmarks.peers._routes import ROUTES, code_lines
from benchmarks.peers._runner import Limits, Runner
from benchmarks.peers._scores import chance, distortion
from benchmarks.peers._store import Store, read, write
from benchmarks.peers._summary import Row, best_of, earlier_rows, fill_up, tried
from benchmarks.peers._worker import Job
from graphquant.experiments._provenance import provenance


def record(setting, accuracy, seed=0, cpu=1.0, **changes):
    head = {"set": "letter", "route": "pot-medoids", "setting": setting, "k": 15, "seed": seed}
    scores = {"accuracy": accuracy, "ari": 0.5, "nmi": 0.5, "distortion": 7.0}
    return head | scores | {"status": "ok", "cpu": cpu, "wall": cpu, "peak_mib": 100.0} | changes


@pytest.fixture
def job(tmp_path):
    tasks = [(k, seed) for k in (2, 6) for seed in range(4)]
    return Job("letter", "graphquant", {}, tasks, str(tmp_path), None, 90.0, 360.0, budget=10.0, min_seeds=2)


def row(route, accuracy, cpu, deviation=0.0, k=15):
    names = ("accuracy", "ari", "nmi")
    mean, spread = (dict.fromkeys(names, value / 100.0) for value in (accuracy, deviation))
    return {("letter", k, route): Row("letter", k, route, "", 10, cpu, mean, spread)}


def rows_of(records):
    return best_of(tried(records))


def test_code_lines_are_neither_blank_nor_comment_nor_docstring():
    lines = ['"""About.', "", 'More."""', "import os  # why", "", "def f():", '    """Do."""', "    # so"]
    lines += ["    return (", "        os", "    )"]
    assert code_lines("\n".join(lines)) == 5


def test_a_route_is_given_only_the_settings_that_make_a_difference():
    padded = next(route for route in ROUTES if route.name == "padded")
    assert padded.settings_for("letter", has_coordinates=True) == [{"raw": False}, {"raw": True}]
    assert padded.settings_for("molecules", has_coordinates=False) == [{"raw": False}]


def test_the_setting_of_best_mean_accuracy_is_shown_with_the_time_of_its_matrix():
    matrix = {"cpu": 100.0, "wall": 110.0, "peak_mib": 300.0}
    low = [record({"alpha": 0.1}, value, seed) for seed, value in enumerate((0.5, 0.9))]
    high = [record({"alpha": 0.5}, value, seed, matrix=matrix) for seed, value in enumerate((0.8, 0.9))]
    capped = {"status": "capped", "cpu": 360.0}
    found = rows_of([*low, *high, record({"alpha": 0.9}, 0.0) | capped])["letter", 15, "pot-medoids"]
    assert (found.setting, found.n_seeds, found.cpu, found.peak_mib) == ("alpha 0.5", 2, 101.0, 300.0)
    assert found.accuracy == pytest.approx(85.0)
    assert found.accuracy_deviation == pytest.approx(5.0 * np.sqrt(2.0))


def test_a_setting_that_was_tried_with_one_seed_is_not_shown():
    tried, chosen = [record({"alpha": 0.1}, 0.9)], [record({"alpha": 0.5}, 0.8, seed) for seed in range(3)]
    found = rows_of(tried + chosen)["letter", 15, "pot-medoids"]
    assert (found.setting, found.n_seeds) == ("alpha 0.5", 3)
    assert rows_of(tried)["letter", 15, "pot-medoids"].setting == "alpha 0.1"


def test_the_setting_of_a_slow_route_stays_when_a_run_goes_on(tmp_path):
    route = next(route for route in ROUTES if route.name == "pot-barycenters")
    runner, task = Runner(Store(tmp_path), None, Limits()), BY_NAME["letter"]
    settings = [{"alpha": 0.1}, {"alpha": 0.5}]
    for setting, accuracy in zip(settings, (0.7, 0.8), strict=True):
        write(runner.store.run_path("letter", route.name, setting, 15, 0), record(setting, accuracy))
    write(runner.store.run_path("letter", route.name, settings[1], 15, 1), record(settings[1], 0.1, 1))
    assert runner._best(task, route, settings) == {"alpha": 0.5}


def test_a_route_that_struck_the_cap_has_no_accuracy():
    found = rows_of([record({}, 0.0, status="foreseen", cpu=4000.0)])["letter", 15, "pot-medoids"]
    assert found.mean is None
    assert found.status == "foreseen"
    assert found.cpu == 4000.0


def test_a_cap_that_struck_a_later_seed_is_told():
    found = rows_of([record({}, 0.7), record({}, 0.0, seed=1, status="capped")])["letter", 15, "pot-medoids"]
    assert (found.n_seeds, found.accuracy, found.status) == (1, pytest.approx(70.0), "capped")


def test_after_the_budget_only_the_least_number_of_seeds_is_run(job):
    assert job.open_tasks() == job.tasks
    write(job.path(2, 0), {"status": "ok", "cpu": 11.0})
    assert job.open_tasks()[:2] == [(2, 1), (6, 0)]
    write(job.path(2, 1), {"status": "ok", "cpu": 11.0})
    assert job.open_tasks() == [(6, seed) for seed in range(4)]


def test_larger_k_are_not_tried_once_the_cap_struck(job):
    write(job.path(2, 0), {"status": "running", "cap": 90.0})
    assert job.open_tasks() == job.tasks
    write(job.path(2, 0), {"status": "capped", "cpu": 90.0})
    assert job.open_tasks() == []


def test_a_run_is_foreseen_from_those_of_the_next_smaller_k(job):
    assert job.foreseen(2) == job.foreseen(6) == 0.0
    for seed, cpu in enumerate((10.0, 20.0)):
        write(job.path(2, seed), {"status": "ok", "cpu": cpu})
    assert job.foreseen(6) == pytest.approx(45.0)
    write(job.path(6, 0), {"status": "foreseen", "cpu": 45.0})
    assert (6, 0) not in job.open_tasks()


def test_a_chosen_weight_leaves_the_other_parameters_open():
    route = next(route for route in ROUTES if route.name == "pot-medoids")
    chosen = route.settings_for("grec", has_coordinates=True)
    assert chosen == [{"alpha": 0.1, "power": 1}, {"alpha": 0.1, "power": 2}]
    assert len(route.settings_for("letters-1e3", has_coordinates=True)) == len(route.settings) == 6


def test_a_broken_record_is_measured_again(tmp_path):
    path = Store(tmp_path).run_path("letter", "padded", {"raw": True}, 15, 0)
    write(path, {"status": "ok"})
    assert read(path) == {"status": "ok"}
    path.write_text("{")
    assert read(path) == {}


def test_claims_hold_only_where_the_figures_say_so():
    rows = row("graphquant", 97.5, 2.0, deviation=1.0) | row("pot-medoids", 98.0, 50.0)
    rows |= row("codewords", 95.5, 1.0)
    distances = [{"title": "ours", "us": 5.0, "ours": True}, {"title": "POT", "us": 20.0, "ours": False}]
    by_text = {claim.text: claim.holds for claim in claims(rows, list(rows.values()), distances)}
    low = "Letter LOW, k = 15: "
    assert by_text[low + "plain defaults reach 97 %, mean of 10 seeds."] is True
    assert by_text[low + "accuracy at the top, or within one standard deviation of it."] is True
    assert by_text[low + "the fastest of the routes within 3 points of the top."] is False
    assert by_text["Letter LOW, k = 30: plain defaults reach 98 %, mean of 10 seeds."] is None
    assert [holds for text, holds in by_text.items() if text.startswith("Distances")] == [True]


def test_a_quick_setting_counts_though_a_better_one_is_shown():
    rows = row("graphquant", 97.5, 2.0) | row("codewords", 95.0, 3.0)
    text = "Letter LOW, k = 15: plain defaults take less CPU time than any route that reaches 90 %."
    for accuracy, holds in ((91.0, False), (89.0, True)):
        quick = row("codewords", accuracy, 1.0).values()
        found = {claim.text: claim for claim in claims(rows, [*rows.values(), *quick], [])}
        assert found[text].holds is holds


def test_routes_that_were_not_measured_again_are_taken_from_an_earlier_page():
    origin = {"date": "2026-01-02 03:04 UTC", "commit": "abc"}
    shown = [*row("codewords", 80.0, 1.0).values(), *row("padded", 70.0, 9.0).values()]
    page = json.loads(json.dumps({"provenance": origin, "rows": [asdict(item) for item in shown]}))
    now = list(row("codewords", 90.0, 2.0).values())
    rows = fill_up(now, earlier_rows(page))
    assert rows[:1] == now
    assert [(item.route, item.measured) for item in rows[1:]] == [
        ("padded", "2026-01-02 03:04 UTC, commit abc")
    ]
    # What was taken over before still says when it was measured.
    page = {"provenance": {"date": "later", "commit": "d"}, "rows": [asdict(item) for item in rows]}
    assert [item.measured for item in earlier_rows(page)] == ["later, commit d", rows[1].measured]


def test_the_page_begins_with_who_is_ahead_and_tells_of_no_promises(tmp_path, capsys):
    rows = row("graphquant", 97.5, 2.0) | row("codewords", 98.0, 1.0) | row("pot-medoids", 90.0, 50.0)
    claim = {"text": "Letters: plain defaults reach 99 %.", "holds": False, "figures": "97.50 %"}
    content = {
        "provenance": provenance(),
        "claims": [claim],
        "rows": [asdict(each) for each in rows.values()],
        "quick": [asdict(each) for each in row("grakel-kmeans", 95.0, 0.5).values()],
        "chances": [{"set_name": "letter", "k": 15, "accuracy": 0.1, "ari": 0.0, "nmi": 0.0}],
    }
    values = tmp_path / "peers.json"
    values.write_text(json.dumps(content))
    page = _page.render(values)[0].read_text()
    assert capsys.readouterr().out == "does not hold: Letters: plain defaults reach 99 %. 97.50 %\n"
    shown, _, folded = page.partition("<details>\n<summary>Letter LOW</summary>")
    shown = shown.replace("\N{NO-BREAK SPACE}", " ")
    assert shown.index("| codewords, k-means | **98.0 %**<br>1.0 s |") < shown.index("![Accuracy")
    assert "in 0 of 1 cases; in 1 another route is ahead." in shown
    # A quick setting counts though a more accurate one of the route is shown.
    quickest = "95.0 %, 0.50 s<br>GraKeL, k-means |"
    assert f"| letters, 15 | 97.5 %, 2.0 s | **98.0 %**, 1.0 s<br>codewords, k-means | {quickest}" in shown
    for word in ("promise", "claim", "holds", "does not hold"):
        assert word not in page
    assert "| chance | 10.0 | 0.00 | 0.00 |" in folded
    assert "\n#" not in folded


def test_chance_is_that_of_dice():
    scores = chance(np.repeat([0, 1], 500), 2)
    assert scores["accuracy"] == pytest.approx(0.51, abs=0.01)
    assert scores["ari"] == pytest.approx(0.0, abs=0.01)


def test_distortion_of_medoids_is_that_of_the_graphs_they_are():
    points = gq.GraphCollection([gq.Graph([value]) for value in (0.0, 1.0, 4.0)])
    assert distortion(points, [1]) == pytest.approx(0.5 * (1.0 + 9.0))
    assert distortion(points, None) is None


def test_means_without_names_of_channels_have_a_distortion():
    points = gq.GraphCollection([gq.Graph([0.0]), gq.Graph([4.0])])
    points = points.with_schema(gq.Schema(node=["x"], edge=["y"]))
    assert distortion(points, gq.GraphCollection([gq.Graph([2.0])])) == pytest.approx(4.0)
